import { type Body, isBody } from '../body/body.ts';
import { BlendDeformer } from '../deform/blend.ts';
import { type ProgressOptions, runSlices, runSteps, type SliceOptions } from '../long-work/in-slices.ts';
import { checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { PairBuffer } from '../report/pair-buffer.ts';
import type { Tree } from '../tree/tree.ts';
import { type BlendPatches, PatchWriter } from './blend-patches.ts';
import { type BlendPoints, readBlendPoints } from './blend-points.ts';
import { BlendProof } from './blend-proof.ts';
import type { Certificate } from './certificate.ts';
import { ExceptionPairs } from './exception-pairs.ts';
import { PatchFields } from './patch-fields.ts';
import { findTouchingPairs, RestShapeDistances, type TouchingPairs } from './rest-pairs.ts';
import { SteepnessFinder } from './steepness.ts';

export interface BlendCertificateOptions extends ProgressOptions {
  /** Nodes with more triangles get no proof of their own: preparing one takes longer the larger it is. Default: 512. */
  largest?: number;
  /** … nor do nodes with fewer, which are as quick to search. Default: 64. */
  smallest?: number;
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
  const deformer = checkArguments(body, options);
  const { largest = 512, smallest = 64 } = options;
  const { tree, resident, engine } = body;
  const { firstSlot, slotCount, nodeCount } = tree;
  const points = readBlendPoints(engine.kernels.memory, resident, deformer);
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
    done = 0;
  for (let node = 0; node < nodeCount; node++) if (isWanted(node)) work += slotCount[node];
  for (let node = 0; node < nodeCount; node++) {
    if (!isWanted(node)) continue;
    fields.load(firstSlot[node], slotCount[node]);
    finder.find(fields, node);
    patchOfNode[node] = writer.put(fields, finder);
    done += slotCount[node];
    yield done / work;
  }
  return new BlendCertificate(body, deformer, points, writer.finish(), patchOfNode, touching, smallest);
}

function checkArguments(body: Body, options: BlendCertificateOptions): BlendDeformer {
  if (!isBody(body))
    throw new InputError('wrong-type', `the body must be made by an engine, not ${describe(body)}`);
  body.checkUsable();
  checkObject('options', options);
  for (const name of ['largest', 'smallest'] as const) {
    const value: unknown = options[name];
    if (value === undefined || (typeof value === 'number' && value >= 2)) continue;
    throw new InputError('bad-option', `${name} must be a number of at least 2, not ${String(value)}`);
  }
  const { deformer } = body;
  if (deformer instanceof BlendDeformer) return deformer;
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

  /** @internal */ readonly proof: BlendProof;
  /** @internal */ readonly patchOfNode: Int32Array;
  readonly #deformer: BlendDeformer;
  readonly #exceptions: ExceptionPairs;
  readonly #stamps: Uint32Array; // per patch: stamp · 2, plus 1 when it holds
  readonly #failures: Uint8Array; // per patch: how often it has failed on end
  readonly #askAgain: Uint32Array; // per patch: the stamp from which on it is tried again
  #stamp = 0;
  #epoch = -1;
  #swept = false;

  /** Use `prepareBlendCertificate`. */
  constructor(
    body: Body,
    deformer: BlendDeformer,
    points: BlendPoints,
    patches: BlendPatches,
    patchOfNode: Int32Array,
    touching: TouchingPairs,
    smallest: number,
  ) {
    this.body = body;
    this.tree = body.tree;
    this.patches = patches;
    this.patchOfNode = patchOfNode;
    this.smallest = smallest;
    this.#deformer = deformer;
    this.#exceptions = new ExceptionPairs(this.tree, touching.slots);
    this.#stamps = new Uint32Array(patches.count);
    this.#failures = new Uint8Array(patches.count);
    this.#askAgain = new Uint32Array(patches.count);
    const { largestCoordinate, largestWeightSum, largestDisplacement, mostTerms, hasSkin, phantom } = points;
    const sizes = { largestCoordinate, largestWeightSum, largestDisplacement, mostTerms, hasSkin, phantom };
    this.proof = new BlendProof(body.engine.kernels.memory, deformer, patches, sizes, touching.tolerance);
    const arrays = [
      patchOfNode,
      touching.slots,
      this.#stamps,
      this.#failures,
      this.#askAgain,
      largestDisplacement,
    ];
    this.bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, patches.bytes);
  }

  /**
   * A query may run inside another one and ask about the pose only, while the outer one goes on about the motion. A
   * proof for the motion holds for the pose, so as long as several queries are under way the stronger one is given.
   */
  begin(swept: boolean): void {
    this.body.checkUsable();
    const isAlone = this.body.engine.queries <= 2; // a self-query counts its body twice
    const wanted = (swept && this.#deformer.hasMotion) || (!isAlone && this.#swept && this.#isFresh);
    if (this.#isFresh && this.#swept === wanted) return;
    this.#epoch = this.#deformer.epoch;
    this.#swept = wanted;
    if (this.#stamp === 2 ** 31 - 1) {
      this.#stamps.fill(0);
      this.#askAgain.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
    this.proof.begin(wanted);
  }

  /**
   * Only ever a node with itself. What lies between proved nodes is left to the query: with a body of 27k triangles
   * at rest, 53 nodes skip 84 % of all tests, and the others are a seventh of the time that is left.
   */
  clears(a: number, b: number): boolean {
    if (a !== b) return false;
    const patch = this.patchOfNode[a];
    if (patch < 0) return false;
    const stamps = this.#stamps;
    if (stamps[patch] >>> 1 === this.#stamp) return (stamps[patch] & 1) === 1;
    if (this.#askAgain[patch] > this.#stamp) return false;
    const holds = this.proof.holds(patch, this.#swept);
    stamps[patch] = 2 * this.#stamp + (holds ? 1 : 0);
    this.#note(patch, holds);
    return holds;
  }

  /** What fails in one pose is likely to fail in the next: it is left alone for 1, 3, then 7 poses. */
  #note(patch: number, holds: boolean): void {
    const failures = holds ? 0 : Math.min(3, this.#failures[patch] + 1);
    this.#failures[patch] = failures;
    if (!holds) this.#askAgain[patch] = this.#stamp + (1 << failures);
  }

  exceptions(a: number, b: number, out: PairBuffer): void {
    this.#exceptions.list(a, b, out);
  }

  get #isFresh(): boolean {
    return this.#epoch === this.#deformer.epoch;
  }
}
