import { type Body, checkBody } from '../../body/body.ts';
import { type BlendHandles, isBlend } from '../../deform/handles.ts';
import { type ProgressOptions, runSlices, runSteps, type SliceOptions } from '../../long-work/in-slices.ts';
import { checkObject, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { PairBuffer } from '../../report/pair-buffer.ts';
import { isLeaf, type Tree } from '../../tree/tree.ts';
import { type BlendPoints, readBlendPoints } from '../blend-points.ts';
import type { Certificate } from '../certificate.ts';
import { CertificateLife } from '../certificate-life.ts';
import { checkEffort } from '../check-effort.ts';
import { ExceptionPairs } from '../exception-pairs.ts';
import { PatchAnswers } from '../patch-answers.ts';
import { PoseWatch } from '../pose-watch.ts';
import { findTouchingPairs, RestShapeDistances, type TouchingPairs } from '../rest-pairs.ts';
import { BendingMetric } from './bending-metric.ts';
import { type EnergyPatches, EnergyPatchWriter } from './energy-patches.ts';
import { EnergyProof, type Proved } from './energy-proof.ts';
import { NodeFunctions, restOf } from './node-functions.ts';
import { RatioSearch } from './ratio-search.ts';
import { SpreadMetric } from './spread-metric.ts';
import { WhitenedFunctions } from './whitened-functions.ts';

/** How changes of the functions are measured. */
export type EnergyMetric = 'spread' | 'bending';

export interface ReducedEnergyCertificateOptions extends ProgressOptions {
  /** Nodes with more triangles get no proof: preparing one takes longer the larger it is. Default: 512. */
  largest?: number;
  /** … nor do nodes with fewer, which are as quick to search. Default: 64. */
  smallest?: number;
  /** Nodes moved by more functions (4 per joint, 3 per mode and joint) get none: a proof costs their square. Default: 96. */
  functions?: number;
  /** Nodes with fewer points for each function get none: searching them is as quick. Default: 2. */
  pointsPerFunction?: number;
  /** `spread`: an ellipsoid around all difference quotients; `bending`: the energy of ESCC. Default: spread. */
  metric?: EnergyMetric;
  /** Pairs that touch at rest, or nearly, are left out of the proofs and always tested; else their nodes get none. Default: true. */
  ignoreRestContacts?: boolean;
  /**
   * The most work for the proof of a node: so many pairs of nodes and of triangles are compared per triangle. A node that
   * needs more gets none. Default: 10,000; characters need 650 to 1,450.
   */
  effort?: number;
  /** Also prove pairs of siblings. Queries then have more to ask about. Default: false. */
  across?: boolean;
}

export type AsyncReducedEnergyCertificateOptions = ReducedEnergyCertificateOptions & SliceOptions;

/** Closer than this share of the body's diagonal at rest, a pair is always tested. */
const TOUCHING = 1e-6;
/** Comparisons per triangle. */
const EFFORT = 10_000;
/** How far apart triangles are kept, as a share of the diagonal: what rounding may take. */
const THICKNESS = 1e-8;
/** A node with more exceptions than this share of its triangles is quicker to search than to prove. */
const EXCEPTION_SHARE = 1 / 32;

/**
 * Proofs that parts of a body moved by a skin, by modes, or by both do not touch themselves: as long as a patch, moved back
 * by the best affine map, deviates little enough from its rest shape (reduced ESCC, CERTIFICATES §4). At run time a proof
 * takes about 1 µs with 16 functions and 3 µs with 33, whatever the number of triangles.
 */
export function prepareReducedEnergyCertificate(
  body: Body,
  options: ReducedEnergyCertificateOptions = {},
): ReducedEnergyCertificate {
  return runSteps(prepareInSteps(body, options), options);
}

/** The same in slices between which other work can run. */
export async function prepareReducedEnergyCertificateAsync(
  body: Body,
  options: AsyncReducedEnergyCertificateOptions = {},
): Promise<ReducedEnergyCertificate> {
  return runSlices(prepareInSteps(body, options), options);
}

/** Yields the share that is done, after every patch. */
function* prepareInSteps(
  body: Body,
  options: ReducedEnergyCertificateOptions,
): Generator<number, ReducedEnergyCertificate> {
  const handles = checkArguments(body, options);
  const {
    largest = 512,
    smallest = 64,
    functions = 96,
    pointsPerFunction = 2,
    ignoreRestContacts = true,
    effort = EFFORT,
  } = options;
  const limits = { functions, pointsPerFunction, effort };
  const { tree, resident, engine } = body;
  const { firstSlot, slotCount, nodeCount, order } = tree;
  const points = readBlendPoints(engine.kernels.memory, resident, handles);
  const rest = restOf(points);
  const distances = new RestShapeDistances(tree, rest, points.corners);
  const touching = findTouchingPairs(tree, distances, TOUCHING * distances.diagonal, EXCEPTION_SHARE);
  yield 0;
  const keys = new Set<number>();
  for (let k = 0; k < touching.slots.length; k += 2) {
    keys.add(touching.slots[k] * order.length + touching.slots[k + 1]);
  }
  const isIgnored = (s: number, t: number) =>
    keys.size > 0 && keys.has(Math.min(s, t) * order.length + Math.max(s, t));
  const isWanted = (node: number) =>
    slotCount[node] <= largest &&
    slotCount[node] >= Math.max(2, smallest) &&
    !touching.isCrowded[node] &&
    touching.below[node] <= (ignoreRestContacts ? 2 + EXCEPTION_SHARE * slotCount[node] : 0);

  const thickness = THICKNESS * distances.diagonal;
  const search = new RatioSearch(tree, distances, thickness, isIgnored);
  const { metric = 'spread', across = false } = options;
  const preparation = new PatchPreparation(points, rest, search, metric, across);
  const patchOfNode = new Int32Array(nodeCount).fill(-1);
  let work = 0,
    done = 0;
  for (let node = 0; node < nodeCount; node++) if (isWanted(node)) work += slotCount[node];
  for (let node = 0; node < nodeCount; node++) {
    if (!isWanted(node)) continue;
    patchOfNode[node] = preparation.prepare(node, firstSlot[node], slotCount[node], limits);
    done += slotCount[node];
    yield done / work;
  }
  return new ReducedEnergyCertificate(body, handles, {
    points,
    patches: preparation.writer.finish(),
    patchOfNode,
    touching,
    thickness,
    smallest,
    metric,
    across,
    givenUp: preparation.givenUp,
    comparisons: search.work,
  });
}

type Limits = Required<Pick<ReducedEnergyCertificateOptions, 'functions' | 'pointsPerFunction' | 'effort'>>;

/** One node after the other: functions, metric, least ratio. */
class PatchPreparation {
  readonly writer = new EnergyPatchWriter();
  /** Nodes for which the work that is allowed did not do. */
  givenUp = 0;
  readonly #functions: NodeFunctions;
  readonly #whitened = new WhitenedFunctions();
  readonly #search: RatioSearch;
  readonly #across: boolean;
  readonly #spread = new SpreadMetric();
  readonly #bending: BendingMetric | undefined;
  #Q = new Float64Array(0);

  constructor(
    points: BlendPoints,
    rest: Float64Array,
    search: RatioSearch,
    metric: EnergyMetric,
    across: boolean,
  ) {
    this.#across = across;
    this.#functions = new NodeFunctions(points, rest);
    this.#search = search;
    this.#bending = metric === 'bending' ? new BendingMetric(rest, points.corners) : undefined;
  }

  /** The number of the patch; −1 when there is nothing to gain. */
  prepare(node: number, firstSlot: number, slotCount: number, limits: Limits): number {
    const functions = this.#functions,
      whitened = this.#whitened,
      search = this.#search;
    if (!functions.load(firstSlot, slotCount, limits.functions, limits.pointsPerFunction)) return -1;
    const size = functions.functionCount ** 2;
    if (this.#Q.length < size) this.#Q = new Float64Array(size);
    if (this.#bending) this.#bending.write(functions, this.#Q);
    else this.#spread.write(functions, this.#Q);
    if (!whitened.load(functions, this.#Q)) return -1;
    search.allow(limits.effort * slotCount);
    search.draft(node, functions, whitened);
    if (search.isSpent) return this.#giveUp();
    if (!this.#bending) {
      // Once is enough: another round gains nothing on four characters.
      this.#spread.improve(functions, search.critical, this.#Q);
      if (!whitened.load(functions, this.#Q)) return -1;
    }
    search.find(node, functions, whitened, this.#across);
    if (search.isSpent) return this.#giveUp();
    if (!(search.leastAcross > 0)) return -1;
    return this.writer.put(functions, whitened, search);
  }

  #giveUp(): number {
    this.givenUp++;
    return -1;
  }
}

function checkArguments(body: Body, options: ReducedEnergyCertificateOptions): BlendHandles {
  checkBody('the body', body);
  checkObject('options', options);
  for (const name of ['largest', 'smallest', 'functions'] as const) {
    const value: unknown = options[name];
    if (value === undefined || (typeof value === 'number' && value >= 2)) continue;
    throw new InputError('bad-option', `${name} must be a number of at least 2, not ${describe(value)}`);
  }
  checkEffort('effort', options.effort);
  const { pointsPerFunction = 2 } = options;
  if (!(typeof pointsPerFunction === 'number' && pointsPerFunction >= 0)) {
    const what = describe(pointsPerFunction);
    throw new InputError('bad-option', `pointsPerFunction must be a number of at least 0, not ${what}`);
  }
  const { metric = 'spread' } = options;
  if (metric !== 'spread' && metric !== 'bending') {
    throw new InputError('bad-option', `metric must be spread or bending, not ${describe(metric)}`);
  }
  const { handles } = body.deformer;
  if (isBlend(handles)) return handles;
  throw new InputError(
    'unsupported',
    'reduced-energy certificates are for bodies moved by a skin, modes, meshless nodes or a cage',
  );
}

interface Parts {
  readonly points: BlendPoints;
  readonly patches: EnergyPatches;
  readonly patchOfNode: Int32Array;
  readonly touching: TouchingPairs;
  readonly thickness: number;
  readonly smallest: number;
  readonly metric: EnergyMetric;
  readonly across: boolean;
  readonly givenUp: number;
  readonly comparisons: number;
}

/** See `prepareReducedEnergyCertificate`. Its answers are remembered while the pose stays. */
export class ReducedEnergyCertificate implements Certificate {
  readonly tree: Tree;
  /** It reads the pose of this body: for another one, even of the same mesh, it proves nothing. */
  readonly body: Body;
  /** What each patch knows. */
  readonly patches: EnergyPatches;
  readonly metric: EnergyMetric;
  readonly smallest: number;
  readonly provesPairs: boolean;
  /** Bytes of typed arrays it holds. */
  readonly bytes: number;
  /** Nodes without a proof because it would have taken more than `effort` allows, and all comparisons that were made. */
  readonly givenUp: number;
  readonly comparisons: number;

  /** @internal */ readonly proof: EnergyProof;
  /** @internal */ readonly patchOfNode: Int32Array;
  readonly #patchAbove: Int32Array; // per first child: that of its parent
  readonly #exceptions: ExceptionPairs;
  readonly #watch: PoseWatch;
  readonly #life: CertificateLife;
  readonly #answers: PatchAnswers; // what is proved

  /** Use `prepareReducedEnergyCertificate`. */
  constructor(body: Body, handles: BlendHandles, parts: Parts) {
    const { points, patches, patchOfNode, touching, thickness, smallest, metric, across } = parts;
    this.body = body;
    this.tree = body.tree;
    this.patches = patches;
    this.patchOfNode = patchOfNode;
    this.smallest = smallest;
    this.metric = metric;
    this.provesPairs = across;
    this.givenUp = parts.givenUp;
    this.comparisons = parts.comparisons;
    this.#exceptions = new ExceptionPairs(this.tree, touching.slots);
    this.#watch = new PoseWatch(body);
    this.#life = new CertificateLife(this, body);
    this.#answers = new PatchAnswers(patches.count);
    this.#patchAbove = across ? patchesAbove(this.tree, patchOfNode) : new Int32Array(0);
    const { largestCoordinate, largestWeightSum, largestDisplacement, mostTerms, hasSkin, phantom } = points;
    const sizes = { largestCoordinate, largestWeightSum, largestDisplacement, mostTerms, hasSkin, phantom };
    this.proof = new EnergyProof(body.engine.kernels.memory, handles, patches, sizes, thickness);
    const arrays = [patchOfNode, this.#patchAbove, touching.slots];
    const others = patches.bytes + this.#answers.bytes;
    this.bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, others);
  }

  /**
   * Frees its memory; the body does without it from then on. Using it afterwards throws; a second call does nothing. Error
   * 'busy' while a query uses the body.
   */
  dispose(): void {
    this.#life.end();
    this.patchOfNode.fill(-1); // nothing is proved any more
    this.#patchAbove.fill(-1);
  }

  get isDisposed(): boolean {
    return this.#life.hasEnded;
  }

  begin(swept: boolean): void {
    this.#life.check();
    if (!this.#watch.begin(swept)) return;
    this.#answers.forget();
    this.proof.begin(this.#watch.swept);
  }

  /** A node with itself, and one with its sibling where `across` asked for it. */
  clears(a: number, b: number): boolean {
    if (a === b) {
      const patch = this.patchOfNode[a];
      return patch >= 0 && this.#provedOf(patch) === 2;
    }
    if (!this.provesPairs || b !== a + 1) return false;
    const patch = this.#patchAbove[a];
    return patch >= 0 && this.#provedOf(patch) >= 1;
  }

  #provedOf(patch: number): number {
    const known = this.#answers.recall(patch);
    if (known >= 0) return known;
    const proved: Proved = this.proof.prove(patch, this.#watch.swept);
    this.#answers.note(patch, proved, proved === 2 || (proved === 1 && this.provesPairs));
    return proved;
  }

  exceptions(a: number, b: number, out: PairBuffer): void {
    this.#exceptions.list(a, b, out);
  }
}

function patchesAbove(tree: Tree, patchOfNode: Int32Array): Int32Array {
  const above = new Int32Array(tree.nodeCount).fill(-1);
  for (let node = 0; node < tree.nodeCount; node++) {
    if (!isLeaf(tree, node)) above[tree.link[node]] = patchOfNode[node];
  }
  return above;
}
