import { type Body, checkBody } from '../body/body.ts';
import { type BlendHandles, isBlend } from '../deform/handles.ts';
import { type ProgressOptions, runSlices, runSteps, type SliceOptions } from '../long-work/in-slices.ts';
import { checkObject } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { PairBuffer } from '../report/pair-buffer.ts';
import type { Tree } from '../tree/tree.ts';
import { type BlendPatches, PatchWriter } from './blend-patches.ts';
import { type BlendPoints, readBlendPoints } from './blend-points.ts';
import { BlendProof } from './blend-proof.ts';
import type { Certificate } from './certificate.ts';
import { CertificateLife } from './certificate-life.ts';
import { checkEffort } from './check-effort.ts';
import { ExceptionPairs } from './exception-pairs.ts';
import { PatchAnswers } from './patch-answers.ts';
import { PatchFields } from './patch-fields.ts';
import { PoseWatch } from './pose-watch.ts';
import { findTouchingPairs, RestShapeDistances, type TouchingPairs } from './rest-pairs.ts';
import { SteepnessFinder } from './steepness.ts';

export interface BlendCertificateOptions extends ProgressOptions {
  /** Nodes with more triangles get no proof of their own: preparing one takes longer the larger it is. Default: 512. */
  largest?: number;
  /** … nor do nodes with fewer, which are as quick to search. Default: 64. */
  smallest?: number;
  /**
   * The most work for the proof of a node: comparisons of weights per triangle, each about 20 ns. A node that needs more is
   * moved by too many handles for a proof to pay, and gets none. Default: 20,000, some ten times what characters need.
   */
  effort?: number;
}

export type AsyncBlendCertificateOptions = BlendCertificateOptions & SliceOptions;

/** Closer than this share of the body's diagonal at rest, a pair is always tested. */
const TOUCHING = 1e-6;
/** A node with more exceptions than this share of its triangles is quicker to search than to prove. */
const EXCEPTION_SHARE = 1 / 32;

/**
 * Proofs that parts of a body moved by a skin, modes, meshless nodes or a cage do not touch themselves: Theorem 2 of
 * BOUNDS. Prepared once, in about 3 s for 27k triangles; good for every pose of this body.
 */
export function prepareBlendCertificate(body: Body, options: BlendCertificateOptions = {}): BlendCertificate {
  return runSteps(prepareInSteps(body, options), options);
}

/** The same in slices between which other work can run. */
export async function prepareBlendCertificateAsync(
  body: Body,
  options: AsyncBlendCertificateOptions = {},
): Promise<BlendCertificate> {
  return runSlices(prepareInSteps(body, options), options);
}

/** Yields the share that is done, after every patch. */
function* prepareInSteps(body: Body, options: BlendCertificateOptions): Generator<number, BlendCertificate> {
  const handles = checkArguments(body, options);
  const { largest = 512, smallest = 64, effort = 20_000 } = options;
  const { tree, resident, engine } = body;
  const { firstSlot, slotCount, nodeCount } = tree;
  const points = readBlendPoints(engine.kernels.memory, resident, handles);
  const distances = new RestShapeDistances(tree, points.rest, points.corners);
  const tolerance = TOUCHING * distances.diagonal;
  const touching = findTouchingPairs(tree, distances, tolerance, EXCEPTION_SHARE);
  yield 0;
  const fields = new PatchFields(points);
  const finder = new SteepnessFinder(tree, distances, tolerance);
  const writer = new PatchWriter(points.modeCount > 0);
  const patchOfNode = new Int32Array(nodeCount).fill(-1);
  const isWanted = (node: number) =>
    slotCount[node] <= largest &&
    slotCount[node] >= smallest &&
    !touching.isCrowded[node] &&
    touching.below[node] <= 2 + EXCEPTION_SHARE * slotCount[node];
  let work = 0,
    done = 0,
    givenUp = 0;
  for (let node = 0; node < nodeCount; node++) if (isWanted(node)) work += slotCount[node];
  for (let node = 0; node < nodeCount; node++) {
    if (!isWanted(node)) continue;
    const budget = effort * slotCount[node];
    const isCheap =
      fields.load(firstSlot[node], slotCount[node], budget) && finder.find(fields, node, budget);
    if (isCheap) patchOfNode[node] = writer.put(fields, finder);
    else givenUp++;
    done += slotCount[node];
    yield done / work;
  }
  const figures = { givenUp, comparisons: finder.comparisons };
  return new BlendCertificate(
    body,
    handles,
    points,
    writer.finish(),
    patchOfNode,
    touching,
    smallest,
    figures,
  );
}

function checkArguments(body: Body, options: BlendCertificateOptions): BlendHandles {
  checkBody('the body', body);
  checkObject('options', options);
  for (const name of ['largest', 'smallest'] as const) {
    const value: unknown = options[name];
    if (value === undefined || (typeof value === 'number' && value >= 2)) continue;
    throw new InputError('bad-option', `${name} must be a number of at least 2, not ${String(value)}`);
  }
  checkEffort('effort', options.effort);
  const { handles } = body.deformer;
  if (isBlend(handles)) return handles;
  throw new InputError(
    'unsupported',
    'blend certificates are for bodies moved by a skin, modes, meshless nodes or a cage',
  );
}

/** See `prepareBlendCertificate`. Its answers are remembered while the pose stays. */
export class BlendCertificate implements Certificate {
  readonly tree: Tree;
  /** It reads the pose of this body: for another one, even of the same mesh, it proves nothing. */
  readonly body: Body;
  /** What each patch knows. */
  readonly patches: BlendPatches;
  /** Nodes with fewer triangles need not be asked about. */
  readonly smallest: number;
  readonly provesPairs = false;
  /** Bytes of typed arrays it holds. */
  readonly bytes: number;
  /** Nodes without a proof because it would have taken more than `effort` allows, and all comparisons that were made. */
  readonly givenUp: number;
  readonly comparisons: number;

  /** @internal */ readonly proof: BlendProof;
  /** @internal */ readonly patchOfNode: Int32Array;
  readonly #exceptions: ExceptionPairs;
  readonly #watch: PoseWatch;
  readonly #life: CertificateLife;
  readonly #answers: PatchAnswers; // 1: it holds

  /** Use `prepareBlendCertificate`. */
  constructor(
    body: Body,
    handles: BlendHandles,
    points: BlendPoints,
    patches: BlendPatches,
    patchOfNode: Int32Array,
    touching: TouchingPairs,
    smallest: number,
    { givenUp, comparisons }: Pick<BlendCertificate, 'givenUp' | 'comparisons'>,
  ) {
    this.givenUp = givenUp;
    this.comparisons = comparisons;
    this.body = body;
    this.tree = body.tree;
    this.patches = patches;
    this.patchOfNode = patchOfNode;
    this.smallest = smallest;
    this.#exceptions = new ExceptionPairs(this.tree, touching.slots);
    this.#watch = new PoseWatch(body);
    this.#life = new CertificateLife(this, body);
    this.#answers = new PatchAnswers(patches.count);
    const { largestCoordinate, largestWeightSum, largestDisplacement, mostTerms, hasSkin, phantom } = points;
    const sizes = { largestCoordinate, largestWeightSum, largestDisplacement, mostTerms, hasSkin, phantom };
    this.proof = new BlendProof(body.engine.kernels.memory, handles, patches, sizes, touching.tolerance);
    const arrays = [patchOfNode, touching.slots, largestDisplacement];
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

  /**
   * Only ever a node with itself. What lies between proved nodes is left to the query: with a body of 27k triangles
   * at rest, 53 nodes skip 84 % of all tests, and the others are a seventh of the time that is left.
   */
  clears(a: number, b: number): boolean {
    if (a !== b) return false;
    const patch = this.patchOfNode[a];
    if (patch < 0) return false;
    const known = this.#answers.recall(patch);
    if (known >= 0) return known === 1;
    const holds = this.proof.holds(patch, this.#watch.swept);
    this.#answers.note(patch, holds ? 1 : 0, holds);
    return holds;
  }

  exceptions(a: number, b: number, out: PairBuffer): void {
    this.#exceptions.list(a, b, out);
  }
}
