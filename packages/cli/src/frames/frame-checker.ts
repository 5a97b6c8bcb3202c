import {
  type Body,
  CollisionReport,
  type Counters,
  createEngine,
  type Engine,
  findAllCollisionsAsync,
  findCollisionsAsync,
  findSelfCollisionsAsync,
  type QueryOptions,
} from 'pliant';
import { type UsableCertificates, useCertificates } from '../certify/use-certificates.ts';
import { CommandError } from '../command-error.ts';
import { type CullingPlan, preparesAny } from '../culling/plan-culling.ts';
import { type PreparedCulling, useCulling } from '../culling/use-culling.ts';
import { CollapseProbe, type CollapseState } from '../scene/collapse.ts';
import type { MeshPose, Scene, SceneMesh } from '../scene/scene.ts';
import { type Actor, createActors } from '../scene/stage.ts';
import { NameRules } from '../verdict/name-rules.ts';
import type { CheckOptions } from './check-options.ts';
import { clearedShare, isWithinReach } from './cleared-share.ts';
import type { FramePlan } from './frame-plan.ts';
import { PairList } from './pair-list.ts';

/** What one frame shows. Ids count over all meshes of the scene. */
export interface FrameResult {
  readonly frame: number; // over all clips and shards
  readonly count: number; // of all pairs
  readonly pairs: Uint32Array; // two ids each, sorted; the lowest --max-pairs of them
  readonly times: Float64Array | undefined; // of each pair, in a step
  readonly milliseconds: number;
  readonly method: string; // how the largest query went about it, and why
  readonly reason: string;
  readonly counters: Counters;
  readonly collapsed: readonly number[]; // meshes that are flattened or shrunk to a point
  readonly singularJoints: readonly SingularJoint[]; // of other meshes
  readonly proofs: readonly ProofShare[]; // of meshes with certificates, where that was asked for
}

/** A joint whose matrix is singular: what it moves is flat, or a point. */
export interface SingularJoint {
  readonly mesh: number; // in the scene
  readonly joint: number; // of its skin
}

/** How much of a mesh was proved free of contact with itself before anything was looked at. */
export interface ProofShare {
  readonly mesh: number; // in the scene
  readonly cleared: number; // share of the nodes of its tree, 0 to 1
}

/** One in so many frames with stored certificates is queried without them as well. */
const COMPARED = 64;

interface SelfAnswer {
  readonly key: readonly (Float64Array | undefined)[]; // of the poses it is for
  readonly report: CollisionReport;
}

/** Poses a scene frame by frame and asks the engine what touches. */
export class FrameChecker {
  readonly #scene: Scene;
  readonly #plan: FramePlan;
  readonly #options: CheckOptions;
  readonly #engine: Engine;
  readonly #actors: readonly Actor[];
  readonly #rules: NameRules;
  readonly #answers = new Map<Actor, SelfAnswer>();
  readonly #probes = new Map<Actor, CollapseProbe>();
  readonly #between = new CollisionReport();
  readonly #pairs = new PairList();
  #measuresProofs = false;
  #stored: UsableCertificates | undefined;
  #prepared: readonly PreparedCulling[] = [];

  /** With `culling`, proofs are prepared first; `signal` stops that by throwing its reason. */
  static async create(
    scene: Scene,
    plan: FramePlan,
    options: CheckOptions,
    certificates?: UsableCertificates,
    culling?: CullingPlan,
    signal?: AbortSignal,
  ): Promise<FrameChecker> {
    const checker = new FrameChecker(scene, plan, options, await createEngine(), certificates, culling);
    if (certificates) {
      useCertificates(certificates, checker.#actors);
      checker.#stored = certificates;
    }
    checker.#measuresProofs = certificates?.isMeasured === true || culling?.isMeasured === true;
    if (!preparesAny(culling)) return checker;
    try {
      checker.#prepared = await useCulling(culling, checker.#actors, signal);
      return checker;
    } catch (error) {
      checker.dispose();
      throw error;
    }
  }

  private constructor(
    scene: Scene,
    plan: FramePlan,
    options: CheckOptions,
    engine: Engine,
    certificates: UsableCertificates | undefined,
    culling: CullingPlan | undefined,
  ) {
    this.#scene = scene;
    this.#plan = plan;
    this.#options = options;
    this.#engine = engine;
    this.#rules = new NameRules(scene.meshes, options.ignore);
    const wanted = culling?.meshes.filter(({ kind }) => kind !== 'none') ?? [];
    const stored = certificates?.kinds.filter(({ kinds }) => kinds.includes('energy-certificate')) ?? [];
    const connected = new Set([...wanted, ...stored].map(({ mesh }) => mesh));
    this.#actors = createActors(engine, scene, options.bounds, connected);
  }

  /** What became of the plan for proofs. */
  get prepared(): readonly PreparedCulling[] {
    return this.#prepared;
  }

  /** Undefined when `signal` stopped it. */
  async check(frame: number, signal?: AbortSignal): Promise<FrameResult | undefined> {
    const begin = performance.now();
    const { collapsed, singularJoints } = await this.#pose(frame);
    const leftOut = new Set(this.#options.includeCollapsed ? [] : collapsed);
    const actors = this.#actors.filter(({ index }) => !leftOut.has(index));
    const work = new WorkLog();
    const { continuous, maxPairs } = this.#options;
    this.#pairs.begin(continuous, this.#scene.triangleCount, maxPairs);
    if (this.#options.scope !== 'between') {
      for (const actor of actors) {
        if (!(await this.#addSelf(actor, frame, signal, work))) return undefined;
      }
    }
    if (this.#options.scope !== 'self' && !(await this.#addBetween(actors, signal, work))) return undefined;
    const { count, pairs, times } = this.#pairs.finish();
    const milliseconds = performance.now() - begin;
    const { method, reason, counters, proofs } = work;
    return {
      frame,
      count,
      pairs,
      times,
      milliseconds,
      method,
      reason,
      counters,
      collapsed,
      singularJoints,
      proofs,
    };
  }

  /** How the meshes stand in a frame: for pictures. */
  async posesOf(frame: number): Promise<MeshPose[]> {
    const { start } = this.#plan.frame(frame);
    return (await Promise.all(this.#scene.parts.map((part, p) => part.poses(start[p])))).flat();
  }

  dispose(): void {
    this.#engine.dispose();
  }

  #poses: MeshPose[] = [];
  #endPoses: MeshPose[] | undefined;

  async #pose(frame: number): Promise<Pick<FrameResult, 'collapsed' | 'singularJoints'>> {
    const { start, end } = this.#plan.frame(frame);
    const { parts } = this.#scene;
    const posesAt = async (moments: typeof start) => {
      const poses: MeshPose[] = [];
      for (let p = 0; p < parts.length; p++) poses.push(...(await parts[p].poses(moments[p])));
      return poses;
    };
    this.#poses = await posesAt(start);
    this.#endPoses = end && (await posesAt(end));
    const collapsed: number[] = [];
    const singularJoints: SingularJoint[] = [];
    for (const actor of this.#actors) {
      const start = this.#poses[actor.index];
      const end = this.#endPoses?.[actor.index];
      if (end) actor.move(start, end);
      else actor.pose(start);
      const states = (end ? [start, end] : [start]).map((pose) => this.#collapseOf(actor, pose));
      if (states.some(({ isCollapsed }) => isCollapsed)) collapsed.push(actor.index);
      const joints = new Set(states.flatMap(({ joints }) => joints));
      for (const joint of joints) singularJoints.push({ mesh: actor.index, joint });
    }
    return { collapsed, singularJoints };
  }

  #collapseOf(actor: Actor, pose: MeshPose): CollapseState {
    let probe = this.#probes.get(actor);
    if (probe === undefined) this.#probes.set(actor, (probe = new CollapseProbe(actor.mesh)));
    return probe.stateOf(pose);
  }

  /** False when `signal` stopped it. */
  async #addSelf(
    actor: Actor,
    frame: number,
    signal: AbortSignal | undefined,
    work: WorkLog,
  ): Promise<boolean> {
    const { mesh } = actor;
    if (mesh.triangles.length < 6) return true; // one triangle alone
    const report = await this.#findSelf(actor, frame, signal, work);
    if (report.state === 'cancelled') return false;
    if (report.state !== 'truncated' || this.#rules.isEmpty) {
      this.#pairs.add(report, mesh, mesh, this.#rules);
      this.#pairs.addBeyond(report.totalCount - report.pairCount);
      return true;
    }
    // Which of them are ignored has to be asked pair by pair.
    const first = mesh.firstTriangle;
    const { state } = await findSelfCollisionsAsync(actor.body, {
      ...this.#selfOptions(actor, signal),
      maxPairs: 0,
      onPair: (i, j, time) => {
        this.#addPair(first + i, first + j, time);
        return true;
      },
    });
    return state !== 'cancelled';
  }

  #addPair(i: number, j: number, time: number): void {
    if (!this.#rules.ignores(i, j)) this.#pairs.addPair(i, j, time);
  }

  #selfOptions({ body }: Actor, signal: AbortSignal | undefined) {
    const { adjacent, continuous, method, maxPairs } = this.#options;
    const certificates = body.certificates.filter(isWithinReach);
    return { certificates, method, adjacent, continuous, maxPairs, signal, slice: SLICE };
  }

  /** A mesh whose own shape has not changed since the last frame still has the same contacts with itself. */
  async #findSelf(
    actor: Actor,
    frame: number,
    signal: AbortSignal | undefined,
    work: WorkLog,
  ): Promise<CollisionReport> {
    const key = [this.#poses[actor.index], this.#endPoses?.[actor.index]].flatMap((pose) =>
      pose ? [pose.joints, pose.weights, pose.positions] : [],
    );
    const last = this.#answers.get(actor);
    if (last && last.report.state !== 'cancelled' && haveEqualNumbers(last.key, key)) return last.report;
    const report = last?.report ?? (this.#plan.frameCount > 1 ? new CollisionReport() : this.#between);
    const options = this.#selfOptions(actor, signal);
    const { certificates, continuous } = options;
    await findSelfCollisionsAsync(actor.body, { ...options, report });
    if (report.state !== 'cancelled' && this.#isCompared(actor, frame)) {
      const plain = await findSelfCollisionsAsync(actor.body, { ...options, certificates: [] });
      if (plain.state !== 'cancelled') this.#compare(actor, frame, report, plain);
    }
    if (this.#plan.frameCount > 1) this.#answers.set(actor, { key, report });
    work.add(report);
    if (this.#measuresProofs && actor.body.certificates.length > 0 && report.state !== 'cancelled') {
      const cleared = certificates.length > 0 ? clearedShare(certificates, actor.body.tree, continuous) : 0;
      work.proofs.push({ mesh: actor.index, cleared });
    }
    return report;
  }

  /** The first frame, and a sample of the others: stored certificates were verified, but not proved anew. */
  #isCompared({ index }: Actor, frame: number): boolean {
    if (this.#stored?.kinds.every(({ mesh }) => mesh !== index) ?? true) return false;
    if (frame === this.#plan.firstFrame) return true;
    const mixed = Math.imul(this.#stored!.salt ^ Math.imul(frame + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
    return (mixed >>> 8) % COMPARED === 0;
  }

  #compare({ mesh }: Actor, frame: number, found: CollisionReport, plain: CollisionReport): void {
    if (found.totalCount === plain.totalCount && haveSamePairs(found, plain)) return;
    const { index, clip } = this.#plan.frame(frame);
    const where = clip === null ? `frame ${index}` : `frame ${index} of clip "${clip}"`;
    const counts = `${found.totalCount} contacts with it, ${plain.totalCount} without`;
    throw new CommandError(
      `${this.#stored!.path}: the certificate of "${mesh.name}" is wrong: in ${where} there are ${counts}; make it anew with \`pliant certify --force\``,
    );
  }

  /** False when `signal` stopped it. */
  async #addBetween(
    actors: readonly Actor[],
    signal: AbortSignal | undefined,
    work: WorkLog,
  ): Promise<boolean> {
    if (actors.length < 2) return true;
    const { maxPairs = Number.POSITIVE_INFINITY } = this.#options;
    let found = 0;
    const report = await this.#findBetween(actors, signal, { onPair: () => ++found <= maxPairs });
    if (signal?.aborted) return false;
    work.add(report);
    if (report.state !== 'cancelled') {
      this.#addReport(actors, report);
      return true;
    }
    // More than are listed. The lowest ones are kept as they are found, whichever bodies they belong to.
    const counted = await this.#findBetween(actors, signal, {
      maxPairs: 0,
      onPair: (i, j, time, a, b) => {
        const first = actors[a].mesh,
          second = actors[this.#areTwo(actors) ? 1 : b].mesh;
        if (this.#counts(first, second))
          this.#addPair(first.firstTriangle + i, second.firstTriangle + j, time);
        return true;
      },
    });
    if (counted.state === 'cancelled') return false;
    work.add(counted);
    return true;
  }

  #findBetween(
    actors: readonly Actor[],
    signal: AbortSignal | undefined,
    asked: QueryOptions,
  ): Promise<CollisionReport> {
    const { continuous, method } = this.#options;
    const options = { method, continuous, report: this.#between, signal, slice: SLICE, ...asked };
    const bodies: Body[] = actors.map(({ body }) => body);
    if (this.#areTwo(actors)) return findCollisionsAsync(bodies[0], bodies[1], options);
    return findAllCollisionsAsync(bodies, options);
  }

  /** One mesh against one of another file. */
  #areTwo(actors: readonly Actor[]): boolean {
    return (
      this.#scene.parts.length === 2 && actors.length === 2 && actors[0].mesh.part !== actors[1].mesh.part
    );
  }

  /** Meshes of one file, or of two that are held against each other. */
  #counts(a: SceneMesh, b: SceneMesh): boolean {
    return this.#scene.parts.length === 1 || a.part !== b.part;
  }

  /** The pairs of two bodies stand together. */
  #addReport(actors: readonly Actor[], report: CollisionReport): void {
    const { bodies, pairCount } = report;
    if (this.#areTwo(actors)) this.#pairs.add(report, actors[0].mesh, actors[1].mesh, this.#rules);
    for (let from = 0, to = 0; bodies && from < pairCount; from = to) {
      const i = bodies[2 * from],
        j = bodies[2 * from + 1];
      for (to = from + 1; to < pairCount && bodies[2 * to] === i && bodies[2 * to + 1] === j; ) to++;
      const a = actors[i].mesh,
        b = actors[j].mesh;
      if (this.#counts(a, b)) this.#pairs.add(report, a, b, this.#rules, from, to);
    }
  }
}

/** Milliseconds of work before signals are looked at. */
const SLICE = 50;

/** Sums up the queries of a frame. */
class WorkLog {
  method = 'none';
  reason = 'no body has moved since the last frame';
  readonly counters: Counters = new CollisionReport().counters;
  readonly proofs: ProofShare[] = [];
  #most = -1;

  add({ method, reason, counters }: CollisionReport): void {
    for (const name of Object.keys(counters) as (keyof Counters)[]) this.counters[name] += counters[name];
    if (counters.nodePairsTested + counters.trianglePairsTested <= this.#most) return;
    this.#most = counters.nodePairsTested + counters.trianglePairsTested;
    this.method = method;
    this.reason = reason;
  }
}

function haveSamePairs(a: CollisionReport, b: CollisionReport): boolean {
  if (a.pairCount !== b.pairCount) return false;
  for (let k = 0; k < 2 * a.pairCount; k++) if (a.pairs[k] !== b.pairs[k]) return false;
  return true;
}

function haveEqualNumbers(a: SelfAnswer['key'], b: SelfAnswer['key']): boolean {
  return a.length === b.length && a.every((array, k) => areEqual(array, b[k]));
}

function areEqual(a: Float64Array | undefined, b: Float64Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
