import { type Body, checkBody } from '../../body/body.ts';
import { type ProgressOptions, runSlices, runSteps, type SliceOptions } from '../../long-work/in-slices.ts';
import { checkObject, describe } from '../../mesh/check-input.ts';
import { ContentHash } from '../../mesh/content-hash.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { PairBuffer } from '../../report/pair-buffer.ts';
import type { Tree } from '../../tree/tree.ts';
import type { Certificate, OpenParts } from '../certificate.ts';
import type { ExceptionPairs } from '../exception-pairs.ts';
import { PoseWatch } from '../pose-watch.ts';
import { readRestSurface } from '../rest-surface.ts';
import {
  bytesOfData,
  type EnergyData,
  type EnergyRoots,
  type EnergySizes,
  prepareEnergyData,
} from './energy-data.ts';
import { MOST_SMALL } from './energy-patches.ts';
import { EnergyProgram } from './energy-program.ts';

export interface EnergyCertificateOptions extends ProgressOptions {
  /**
   * T_c: patches with more triangles get no proof. Preparing takes about as much longer as this is larger, and what is
   * left to search between patches is less. Default: 1024.
   */
  maxTriangles?: number;
  /** Patches are divided until they have no more triangles than this, at most 512. Default: 64. */
  minTriangles?: number;
  /** True: also prove that neighbours do not fold over each other, for queries with `adjacent`. Default: false. */
  folds?: boolean;
}

export type AsyncEnergyCertificateOptions = EnergyCertificateOptions & SliceOptions;

/**
 * Proofs that parts of a body do not touch themselves, however it is deformed, as long as it takes less energy than
 * touching would (ESCC, Zheng & James 2012, with the corrections of CERTIFICATES §2 and §8). Bodies should be made with
 * `split: 'connected'`. Prepared once, in about 12 s for 15k triangles.
 */
export function prepareEnergyCertificate(
  body: Body,
  options: EnergyCertificateOptions = {},
): EnergyCertificate {
  return runSteps(prepareInSteps(body, options), options);
}

/** The same in slices between which other work can run. */
export async function prepareEnergyCertificateAsync(
  body: Body,
  options: AsyncEnergyCertificateOptions = {},
): Promise<EnergyCertificate> {
  return runSlices(prepareInSteps(body, options), options);
}

/** A certificate that was prepared before, for a body of which `hashOfFreeBody` is the same. */
export function restoreEnergyCertificate(body: Body, { sizes, roots }: EnergyRecord): EnergyCertificate {
  const data = runSteps(prepareEnergyData(body, sizes, roots), {});
  return new EnergyCertificate(body, data);
}

/** What an energy certificate can be restored from. */
export interface EnergyRecord {
  readonly sizes: EnergySizes;
  readonly roots: EnergyRoots;
}

/** Raised whenever patches or their energies are made in another way. */
const RULES = 'energies of a free body, 2';

/** Of everything that proofs about this body depend on: rest shape, triangles and tree. */
export function hashOfFreeBody({ resident, tree }: Body): string {
  const { rest, corners } = readRestSurface(resident);
  const hash = new ContentHash().addText(RULES).addNumbers(rest).addNumbers(corners);
  return hash.addNumbers(tree.link).addNumbers(tree.order).finish();
}

function* prepareInSteps(
  body: Body,
  options: EnergyCertificateOptions,
): Generator<number, EnergyCertificate> {
  checkBody('the body', body);
  checkObject('options', options);
  const { maxTriangles: largest = 1024, minTriangles: small = 64, folds = false } = options;
  checkSize('maxTriangles', largest, MOST_TRIANGLES);
  checkSize('minTriangles', small, MOST_SMALL);
  if (typeof folds !== 'boolean') {
    throw new InputError('bad-option', `folds must be true or false, not ${describe(folds)}`);
  }
  const data = yield* prepareEnergyData(body, { small: Math.min(small, largest), largest, folds });
  body.checkUsable();
  return new EnergyCertificate(body, data);
}

/** @internal */
export const MOST_TRIANGLES = 4096; // a patch takes memory with the square of its points

function checkSize(name: string, value: unknown, most: number): void {
  if (typeof value === 'number' && value >= 2 && value <= most) return;
  const shown = typeof value === 'number' ? String(value) : describe(value);
  throw new InputError('bad-option', `${name} must be a number from 2 to ${most}, not ${shown}`);
}

/**
 * What things cost, in units of about a nanosecond: per triangle energies, fitting all boxes, and fitting those of some
 * patches; a proof, and one that fails; a pair of nodes above small patches, and of small patches; then of what is searched
 * a pair of nodes and a pair of triangles, in a pose and over a motion.
 *
 * When a pose costs more than it would without proofs, the next ones do without: 1, then 3, then 7.
 */
const COST = {
  energies: 4.2,
  boxes: 5,
  partBoxes: 12,
  proof: 240,
  failure: 700,
  coarsePair: 6,
  patchPair: 60,
  pair: [1.5, 3],
  triangles: [26, 400],
};
const LONGEST_PAUSE = 3;
/** After so many poses with proofs one is done without, to see what these cost at present. */
const LOOK_AGAIN = 64;
/** After it has rested this often on end, a sample is looked at first; unless that promises a gain, it goes on resting. */
const WEARY = 1;
/** What share of a large body that is; of a small one it is more, and it is looked at less often. */
const SAMPLED = 1 / 16;
/** Of what a pose costs without proofs: samples are not all there is. */
const WORTH_WHILE = 0.85;
/** A proof that fails is left alone for a while: so many times as long as one that does not. */
const PATIENCE = 3;
/** Pairs of nodes above small patches that are looked at in most poses, for each of these patches. */
const COARSE_PAIRS = 4;
/** Boxes of this share of the triangles are fitted more quickly when all are. */
const MOST_PARTS = 0.4;

/** See `prepareEnergyCertificate`. Answers are remembered while the pose stays. */
export class EnergyCertificate implements Certificate {
  readonly tree: Tree;
  /** It reads the points of this body. */
  readonly body: Body;
  readonly smallest: number;
  /** How much it knows: patches and pairs of patches with a proof. */
  readonly proofs: number;

  /** @internal */ readonly program: EnergyProgram;
  readonly #data: EnergyData;
  readonly #watch: PoseWatch;
  readonly #exceptions: ExceptionPairs;
  readonly #itemOfNode: Int32Array; // of the node with itself; −1: none
  readonly #itemOfSiblings: Int32Array; // of the node and the next one
  readonly #answers: Uint32Array; // per item: 2 · stamp, plus 1 when it is calm
  #stamp = 0;
  #hasBegun = false;
  #goesOn = false; // energies of the start are there
  #pause = 0; // how many poses are still done without
  #idleRounds = WEARY; // how often on end it did not pay; nothing is known at first
  #isPaused = false;
  #active = 0; // poses with proofs since one without
  #summedEpoch = -1; // of the last motion of which energies of both ends were summed
  #spent = -1; // on proofs, for this pose; −1: nobody asked
  // What the last pose without proofs cost, and the last motion: pairs of nodes, and of triangles. 0: not known.
  readonly #plainNodes = new Float64Array(2);
  readonly #plainTriangles = new Float64Array(2);
  #marksPerPair = 4; // how much larger the share of triangles below open patches is than that of pairs that are left

  /** Use `prepareEnergyCertificate`. */
  constructor(body: Body, data: EnergyData, donor?: EnergyProgram) {
    this.body = body;
    this.tree = body.tree;
    this.#data = data;
    this.#watch = new PoseWatch(body);
    const { nodeCount, slotCount, link, order } = this.tree;
    const { patches, pairs, exceptions } = data;
    this.program = new EnergyProgram(body.engine.kernels, body.resident, data, donor);
    this.proofs = this.program.itemCount;
    this.#exceptions = exceptions;
    this.#answers = new Uint32Array(this.proofs);
    this.#itemOfNode = new Int32Array(nodeCount).fill(-1);
    this.#itemOfSiblings = new Int32Array(nodeCount).fill(-1);
    let smallest = order.length + 1;
    for (let node = 0; node < nodeCount; node++) {
      const patch = patches.patchOfNode[node],
        pair = pairs.ofNode[node];
      if (patch >= 0) this.#itemOfNode[node] = this.program.itemOfPatch[patch];
      if (pair < pairs.count) this.#itemOfSiblings[link[node]] = this.program.itemOfPair[pair];
      if (this.#itemOfNode[node] >= 0) smallest = Math.min(smallest, slotCount[node]);
    }
    this.smallest = Math.max(2, smallest);
    body.resident.keep(this.program);
  }

  /** Bytes of typed arrays it holds, in kernel memory and beside it; part of that is shared with those of other bodies. */
  get bytes(): number {
    const { program } = this;
    const arrays = [
      this.#answers,
      this.#itemOfNode,
      this.#itemOfSiblings,
      program.nodes,
      this.#exceptions.slots,
    ];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, program.bytes + bytesOfData(this.#data));
  }

  /** @internal */
  get record(): EnergyRecord {
    const { sizes, self, between, folds } = this.#data;
    return { sizes, roots: { self: self.root, between: between.root, ...(folds && { folds }) } };
  }

  /** The same for another body with the same mesh and tree; what was prepared is shared. */
  forBody(body: Body): EnergyCertificate {
    checkBody('the body', body);
    if (body.resident !== this.body.resident) {
      throw new InputError('mismatch', 'this body has another mesh or tree than the certificate is about');
    }
    return new EnergyCertificate(body, this.#data, this.program);
  }

  /** True when there is a proof of this node with itself that some poses may satisfy. */
  hasProof(node: number): boolean {
    return this.#itemOfNode[node] >= 0;
  }

  /** @internal For measurements: the next pose is looked at whatever the last ones were like. */
  rouse(): void {
    this.#pause = this.#idleRounds = this.#active = 0;
    this.program.forgetFailures();
  }

  begin(swept: boolean): void {
    if (!this.#watch.begin(swept)) return;
    this.#hasBegun = false; // nothing is computed before somebody asks
    if (this.#stamp === 2 ** 30) {
      this.#answers.fill(0);
      this.program.forgetStamps();
      this.#stamp = 0;
    }
    this.#stamp++;
    this.#spent = -1;
    this.#isPaused = this.#pause > 0 || this.#active === LOOK_AGAIN;
    if (this.#pause > 0) this.#pause--;
    this.#active = this.#isPaused ? 0 : this.#active + 1;
    if (this.#watch.swept) this.program.reserveMotion();
  }

  /** A patch with itself, or two halves of one with each other. */
  clears(a: number, b: number): boolean {
    if (this.#isPaused) return false;
    const item = a === b ? this.#itemOfNode[a] : b === a + 1 ? this.#itemOfSiblings[a] : -1;
    if (item < 0) return false;
    const answer = this.#answers[item];
    if (answer >>> 1 === this.#stamp) return (answer & 1) === 1;
    this.#ensureBegun();
    const isCalm = this.program.isCalm(item);
    this.#answers[item] = 2 * this.#stamp + (isCalm ? 1 : 0);
    return isCalm;
  }

  /** Also while it rests: folds take longer to test than energies to sum. */
  clearsFolds(node: number): boolean {
    const patch = this.#data.folds ? this.#data.patches.patchOfNode[node] : -1;
    if (patch < 0 || this.#itemOfNode[node] < 0) return false;
    this.#ensureBegun();
    return this.program.isUnfolded(patch);
  }

  get provesFolds(): boolean {
    return this.#data.folds !== undefined;
  }

  exceptions(a: number, b: number, out: PairBuffer): void {
    this.#exceptions.list(a, b, out);
  }

  /** Only while it has nothing to say; otherwise `fitOpen` has said it, or nodes are asked about. */
  listFront(inner: PairBuffer, leaf: PairBuffer): boolean {
    if (!this.#isPaused) return false;
    const { front } = this.body.resident;
    if (front.inner.list.pairCount > 0) inner.push(0, front.inner.list.pairCount);
    if (front.leaf.list.pairCount > 0) leaf.push(0, front.leaf.list.pairCount);
    return true;
  }

  fitOpen(open: OpenParts): 'nothing' | 'parts' | 'all' {
    if (this.#isPaused) return 'nothing';
    const { program } = this;
    const { resident, engine } = this.body;
    if (this.#idleRounds >= WEARY && !this.#isPromising()) {
      this.#rest(Math.max(1, Math.round(program.sampledShare / SAMPLED)));
      this.#isPaused = true;
      return 'nothing';
    }
    const vertexBoxes = open.scratch.vertexBoxes(resident.pointCount); // may allocate
    this.sumEnergies();
    program.list(open.boxes.address, open.boxes.stride, open.frame);
    const marked = program.countMarked();
    const fitsAll = marked > MOST_PARTS * this.tree.order.length;
    this.#spent = this.#weigh(program.hasRoom ? this.#boxesOf(marked) : this.#boxes);
    if (program.hasRoom && program.leftPairs > 0)
      this.#marksPerPair = (marked / this.tree.order.length / program.leftPairs) * this.#frontPairs;
    if (!program.hasRoom) {
      this.#isPaused = true; // what it would say is longer than the front
      return 'nothing';
    }
    const { u32 } = engine.kernels.memory;
    open.innerRanges.pushAll(u32, program.innerRanges, program.innerCount);
    open.leafRanges.pushAll(u32, program.leafRanges, program.leafCount);
    open.pending.pushAll(u32, program.openPairs, program.openCount);
    const first = program.cleared;
    for (let k = first; k < first + program.clearedCount; k++) {
      this.#exceptions.list(program.nodes[2 * u32[k]], program.nodes[2 * u32[k] + 1], open.exceptions);
    }
    if (fitsAll) return 'all';
    if (marked > 0) program.fitParts(vertexBoxes);
    return 'parts';
  }

  /** @internal Of all small patches of this pose. */
  sumEnergies(): void {
    this.#ensureBegun();
    this.program.sumSmall();
    if (this.#watch.swept) this.#summedEpoch = this.body.deformer.epoch;
  }

  /** Whether it pays, by counts: the same on every machine. */
  learn(nodePairs: number, trianglePairs: number): void {
    const { swept } = this.#watch;
    const kind = swept ? 1 : 0;
    const searched = nodePairs * COST.pair[kind] + trianglePairs * COST.triangles[kind];
    if (this.#isPaused) {
      this.#plainNodes[kind] = nodePairs * COST.pair[kind];
      this.#plainTriangles[kind] = trianglePairs * COST.triangles[kind];
    }
    if (this.#spent < 0) return; // it was not asked, or boxes were there already
    const spared = (this.#frontPairs - this.program.leftPairs) * COST.pair[kind];
    const plain = this.#plainNodes[kind]
      ? this.#plainNodes[kind] + this.#plainTriangles[kind]
      : searched + spared;
    if (this.#spent + searched < plain + this.#boxes) this.#idleRounds = this.#pause = 0;
    else this.#rest();
  }

  /** Does without for longer than the last time; longer still when it takes much to find out that it should. */
  #rest(times = 1): void {
    this.#idleRounds = Math.min(LONGEST_PAUSE, this.#idleRounds + 1);
    this.#pause = times * ((1 << this.#idleRounds) - 1);
  }

  /** By a sample. */
  #isPromising(): boolean {
    this.#ensureBegun();
    const { program } = this;
    program.sample();
    const kind = this.#watch.swept ? 1 : 0;
    const plain = this.#plainNodes[kind] || this.#frontPairs * COST.pair[kind];
    const share = program.leftPairs / Math.max(1, program.sampledPairs);
    const calm = (program.tests - program.failed) / program.sampledShare,
      failed = program.failed / program.sampledShare;
    const boxes = this.#boxesOf(share * this.#marksPerPair * this.tree.order.length);
    const coarse = COARSE_PAIRS * program.smallCount * COST.coarsePair;
    const cost = this.#costOf(calm, failed / PATIENCE) + coarse + boxes + share * plain;
    return cost < WORTH_WHILE * (plain + this.#boxes);
  }

  /** What proofs and boxes have cost; after a pause, what they will cost when those that have failed are left alone. */
  #weigh(boxes: number): number {
    const { program } = this;
    const failed = this.#active === 1 ? program.failed / PATIENCE : program.failed;
    return (
      this.#costOf(program.tests - program.failed, failed) +
      boxes +
      program.coarseTests * COST.coarsePair +
      Math.min(program.openCount, this.tree.order.length) * COST.patchPair
    );
  }

  /** Energies, and so many proofs that are made or fail. */
  #costOf(calm: number, failed: number): number {
    const ends = this.#watch.swept ? 2 : 1;
    const energies = this.tree.order.length * COST.energies * (this.#goesOn ? 1 : ends);
    return energies + (calm * COST.proof + failed * COST.failure) * ends;
  }

  /** Of the patches that so many triangles are in. */
  #boxesOf(marked: number): number {
    if (marked > MOST_PARTS * this.tree.order.length) return this.#boxes;
    return marked * COST.partBoxes * (this.#watch.swept ? 2 : 1);
  }

  /** Of the static front. */
  get #frontPairs(): number {
    const { inner, leaf } = this.body.resident.front;
    return inner.list.pairCount + leaf.list.pairCount;
  }

  /** What it costs to fit all of them. */
  get #boxes(): number {
    return this.tree.order.length * COST.boxes * (this.#watch.swept ? 2 : 1);
  }

  /** Points of this pose. */
  #ensureBegun(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { deformer } = this.body;
    deformer.ensureAll(0);
    if (this.#watch.swept) deformer.ensureAll(1);
    const start = deformer.address(0),
      end = this.#watch.swept ? deformer.address(1) : start;
    this.#goesOn = this.#watch.swept && deformer.continuedEpoch === this.#summedEpoch;
    this.program.begin(this.#stamp, start, end, this.#goesOn);
  }
}
