import {
  type Body,
  CollisionReport,
  type Counters,
  createEngine,
  type Engine,
  findAllCollisions,
  findCollisions,
  findSelfCollisionsAsync,
} from 'pliant';
import { type UsableCertificates, useCertificates } from '../certify/use-certificates.ts';
import { type CullingPlan, preparesAny } from '../culling/plan-culling.ts';
import { type PreparedCulling, useCulling } from '../culling/use-culling.ts';
import { CollapseProbe, type CollapseState } from '../scene/collapse.ts';
import type { MeshPose, Scene } from '../scene/scene.ts';
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
    if (certificates) useCertificates(certificates, checker.#actors);
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
    const isLeftOut = this.#options.includeCollapsed
      ? () => false
      : (index: number) => collapsed.includes(index);
    const actors = this.#actors.filter(({ index }) => !isLeftOut(index));
    const work = new WorkLog();
    this.#pairs.begin(this.#options.continuous);
    if (this.#options.scope !== 'between') {
      for (const actor of actors) {
        const report = await this.#findSelf(actor, signal, work);
        if (report.state === 'cancelled') return undefined;
        this.#pairs.add(report, actor.mesh, actor.mesh, this.#rules);
        this.#pairs.addBeyond(report.totalCount - report.pairCount);
      }
    }
    if (this.#options.scope !== 'self') this.#findBetween(actors, work);
    const { maxPairs } = this.#options;
    const { count, pairs, times } = this.#pairs.finish(this.#scene.triangleCount, maxPairs);
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

  /** A mesh whose own shape has not changed since the last frame still has the same contacts with itself. */
  async #findSelf(actor: Actor, signal: AbortSignal | undefined, work: WorkLog): Promise<CollisionReport> {
    const key = [this.#poses[actor.index], this.#endPoses?.[actor.index]].flatMap((pose) =>
      pose ? [pose.joints, pose.weights, pose.positions] : [],
    );
    const last = this.#answers.get(actor);
    if (last && last.report.state !== 'cancelled' && haveEqualNumbers(last.key, key)) return last.report;
    const { adjacent, continuous, method } = this.#options;
    const report = last?.report ?? new CollisionReport();
    const maxPairs = this.#rules.isEmpty ? this.#options.maxPairs : undefined;
    const certificates = actor.body.certificates.filter(isWithinReach);
    await findSelfCollisionsAsync(actor.body, {
      certificates,
      method,
      adjacent,
      continuous,
      maxPairs,
      report,
      signal,
      slice: 50,
    });
    this.#answers.set(actor, { key, report });
    work.add(report);
    if (this.#measuresProofs && actor.body.certificates.length > 0 && report.state !== 'cancelled') {
      const cleared = certificates.length > 0 ? clearedShare(certificates, actor.body.tree, continuous) : 0;
      work.proofs.push({ mesh: actor.index, cleared });
    }
    return report;
  }

  #findBetween(actors: readonly Actor[], work: WorkLog): void {
    const { continuous, method } = this.#options;
    const { parts } = this.#scene;
    const report = this.#between;
    const options = { method, continuous, report };
    if (parts.length === 2 && actors.length === 2 && actors[0].mesh.part !== actors[1].mesh.part) {
      findCollisions(actors[0].body, actors[1].body, options);
      this.#pairs.add(report, actors[0].mesh, actors[1].mesh, this.#rules);
    } else {
      if (actors.length < 2) return;
      const bodies: Body[] = actors.map(({ body }) => body);
      findAllCollisions(bodies, options);
      this.#addBetween(actors, report);
    }
    work.add(report);
  }

  /** The pairs of two bodies stand together. */
  #addBetween(actors: readonly Actor[], { bodies, pairCount }: CollisionReport): void {
    const areOne = this.#scene.parts.length === 1;
    for (let from = 0, to = 0; from < pairCount; from = to) {
      const i = bodies![2 * from],
        j = bodies![2 * from + 1];
      for (to = from + 1; to < pairCount && bodies![2 * to] === i && bodies![2 * to + 1] === j; ) to++;
      const a = actors[i].mesh,
        b = actors[j].mesh;
      if (areOne || a.part !== b.part) this.#pairs.add(this.#between, a, b, this.#rules, from, to);
    }
  }
}

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

function haveEqualNumbers(a: SelfAnswer['key'], b: SelfAnswer['key']): boolean {
  return a.length === b.length && a.every((array, k) => areEqual(array, b[k]));
}

function areEqual(a: Float64Array | undefined, b: Float64Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
