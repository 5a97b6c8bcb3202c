import { type Body, checkBody } from '../../body/body.ts';
import { type ProgressOptions, runSlices, runSteps, type SliceOptions } from '../../long-work/in-slices.ts';
import { checkObject, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { PairBuffer } from '../../report/pair-buffer.ts';
import type { Tree } from '../../tree/tree.ts';
import type { Certificate } from '../certificate.ts';
import type { ExceptionPairs } from '../exception-pairs.ts';
import { PoseWatch } from '../pose-watch.ts';
import { type EnergyData, prepareEnergyData } from './energy-data.ts';
import { EnergyProgram } from './energy-program.ts';

export interface EnergyCertificateOptions extends ProgressOptions {
  /**
   * T_c: patches with more triangles get no proof. Preparing takes about as much longer as this is larger, and what is
   * left to search between patches is less. Default: 512.
   */
  maxTriangles?: number;
  /** Patches are divided until they have no more triangles than this. Default: 64. */
  minTriangles?: number;
}

export type AsyncEnergyCertificateOptions = EnergyCertificateOptions & SliceOptions;

/**
 * Proofs that parts of a body do not touch themselves, however it is deformed, as long as it takes less energy than
 * touching would (ESCC, Zheng & James 2012, with the corrections of CERTIFICATES §2 and §8). Bodies should be made with
 * `split: 'connected'`. Prepared once, in about 6 s for 15k triangles.
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

function* prepareInSteps(
  body: Body,
  options: EnergyCertificateOptions,
): Generator<number, EnergyCertificate> {
  checkBody('the body', body);
  checkObject('options', options);
  const { maxTriangles: largest = 512, minTriangles: small = 64 } = options;
  checkSize('maxTriangles', largest);
  checkSize('minTriangles', small);
  const data = yield* prepareEnergyData(body, { small: Math.min(small, largest), largest });
  body.checkUsable();
  return new EnergyCertificate(body, data);
}

const MOST_TRIANGLES = 4096; // a patch takes memory with the square of its points

function checkSize(name: string, value: unknown): void {
  if (typeof value === 'number' && value >= 2 && value <= MOST_TRIANGLES) return;
  const shown = typeof value === 'number' ? String(value) : describe(value);
  throw new InputError('bad-option', `${name} must be a number from 2 to ${MOST_TRIANGLES}, not ${shown}`);
}

/**
 * Energies take as long as this share of the front, which is quick to go through: 15 to 20 ns per triangle with cold
 * caches, against 2.3 to 3.5 ns for each of about eight pairs. Over a motion, pairs of triangles take far longer. When
 * less is left out than that, the next poses do without: 1, then 3, … 31.
 */
const LEAST_SHARE = 0.85;
const LEAST_MOVING_SHARE = 0.15;
const LONGEST_PAUSE = 5;

/** Distances between neighbours are never longer than the diagonal; this covers its rounding. */
const UP = 1 + 2 ** -40;

/** See `prepareEnergyCertificate`. Answers are remembered while the pose stays. */
export class EnergyCertificate implements Certificate {
  readonly tree: Tree;
  /** It reads the points of this body. */
  readonly body: Body;
  readonly smallest: number;
  /** How much it knows: patches and pairs of patches with a proof. */
  readonly proofs: number;

  /** @internal */ readonly program: EnergyProgram;
  readonly #watch: PoseWatch;
  readonly #exceptions: ExceptionPairs;
  readonly #itemOfNode: Int32Array; // of the node with itself; −1: none
  readonly #itemOfSiblings: Int32Array; // of the node and the next one
  readonly #answers: Uint32Array; // per item: 2 · stamp, plus 1 when it is calm
  readonly #box = new Float64Array(6);
  #stamp = 0;
  #hasBegun = false;
  #pause = 0; // how many poses are still done without
  #idleRounds = 0; // how often on end it did not pay
  #isPaused = false;
  #isListed = false;

  /** Use `prepareEnergyCertificate`. */
  constructor(body: Body, data: EnergyData) {
    this.body = body;
    this.tree = body.tree;
    this.#watch = new PoseWatch(body);
    const { nodeCount, slotCount, link, order } = this.tree;
    const { patches, pairs, exceptions } = data;
    this.program = new EnergyProgram(body.engine.kernels, this.tree, body.resident.front, data);
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

  /** Bytes of typed arrays it holds, in kernel memory and beside it. */
  get bytes(): number {
    const { program } = this;
    const arrays = [
      this.#answers,
      this.#itemOfNode,
      this.#itemOfSiblings,
      program.nodes,
      this.#exceptions.slots,
    ];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, program.bytes);
  }

  begin(swept: boolean): void {
    if (!this.#watch.begin(swept)) return;
    this.#hasBegun = this.#isListed = false; // nothing is computed before somebody asks
    if (this.#stamp === 2 ** 30) {
      this.#answers.fill(0);
      this.program.forgetStamps();
      this.#stamp = 0;
    }
    this.#stamp++;
    this.#isPaused = this.#pause > 0;
    if (this.#isPaused) this.#pause--;
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

  exceptions(a: number, b: number, out: PairBuffer): void {
    this.#exceptions.list(a, b, out);
  }

  listFront(inner: PairBuffer, leaf: PairBuffer, exceptions: PairBuffer): boolean {
    const { program } = this;
    if (this.#isPaused) {
      const { front } = this.body.resident;
      if (front.inner.list.pairCount > 0) inner.push(0, front.inner.list.pairCount);
      if (front.leaf.list.pairCount > 0) leaf.push(0, front.leaf.list.pairCount);
      return true;
    }
    this.#ensureBegun();
    if (!this.#isListed) {
      program.list();
      this.#isListed = true;
      this.#weigh();
    }
    const { u32 } = this.body.engine.kernels.memory;
    inner.pushAll(u32, program.innerRanges, program.innerCount);
    leaf.pushAll(u32, program.leafRanges, program.leafCount);
    const first = program.cleared;
    for (let k = first; k < first + program.clearedCount; k++) {
      this.#exceptions.list(program.nodes[2 * u32[k]], program.nodes[2 * u32[k] + 1], exceptions);
    }
    return true;
  }

  /** Whether it pays, by counts: the same on every machine. */
  #weigh(): void {
    const pays = this.program.measureLeftOut() >= (this.#watch.swept ? LEAST_MOVING_SHARE : LEAST_SHARE);
    this.#idleRounds = pays ? 0 : Math.min(LONGEST_PAUSE, this.#idleRounds + 1);
    this.#pause = (1 << this.#idleRounds) - 1;
  }

  /** Points of this pose, and how far apart neighbours can be. */
  #ensureBegun(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { deformer } = this.body;
    deformer.ensureAll(0);
    if (this.#watch.swept) deformer.ensureAll(1);
    const start = deformer.address(0),
      end = this.#watch.swept ? deformer.address(1) : start;
    this.program.begin(this.#stamp, start, end, this.#reach());
  }

  /** The diagonal of the box of all points; the query has usually measured it. */
  #reach(): number {
    const { extent, deformer, resident } = this.body;
    const isKnown =
      extent.source === deformer && extent.epoch === deformer.epoch && (extent.swept || !this.#watch.swept);
    const box = isKnown ? extent.box : this.#box;
    if (!isKnown) {
      this.program.measure(deformer.address(0), resident.pointCount, box, false);
      if (this.#watch.swept) this.program.measure(deformer.address(1), resident.pointCount, box, true);
    }
    const x = box[3] - box[0],
      y = box[4] - box[1],
      z = box[5] - box[2];
    return Math.sqrt(x * x + y * y + z * z) * UP;
  }
}
