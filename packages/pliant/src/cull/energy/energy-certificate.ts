import { type Body, checkBody } from '../../body/body.ts';
import { type ProgressOptions, runSlices, runSteps, type SliceOptions } from '../../long-work/in-slices.ts';
import { checkObject, describe } from '../../mesh/check-input.ts';
import { ContentHash } from '../../mesh/content-hash.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { PairBuffer } from '../../report/pair-buffer.ts';
import type { Tree } from '../../tree/tree.ts';
import type { Certificate, OpenParts } from '../certificate.ts';
import { CertificateLife } from '../certificate-life.ts';
import { checkEffort } from '../check-effort.ts';
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
import { EnergyThrift } from './energy-thrift.ts';

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
  /**
   * The most work for the proof of a patch or of two patches: so many pairs of nodes and triangles are visited per triangle,
   * those whose energy is computed count 16 times. A patch that needs more gets no proof. Default: 4,000; surfaces need 130 to 250.
   */
  effort?: number;
  /** False: energies alone, to compare. Default: true; what is stored and restored has outlines in any case. */
  outlines?: boolean;
}

export type AsyncEnergyCertificateOptions = EnergyCertificateOptions & SliceOptions;

/**
 * Proofs that parts of a body do not touch themselves, however it is deformed, as long as it takes less energy than
 * touching would (ESCC, Zheng & James 2012, with the corrections of CERTIFICATES §2 and §8), or their triangles face one way
 * and their outlines do not cross themselves. Bodies should be made with `split: 'connected'`. Prepared once, in about 12 s
 * for 15k triangles.
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

/** Visits per triangle of a patch. */
const EFFORT = 4000;

function* prepareInSteps(
  body: Body,
  options: EnergyCertificateOptions,
): Generator<number, EnergyCertificate> {
  checkBody('the body', body);
  checkObject('options', options);
  const { maxTriangles: largest = 1024, minTriangles: small = 64, folds = false, outlines = true } = options;
  checkEffort('effort', options.effort);
  checkSize('maxTriangles', largest, MOST_TRIANGLES);
  checkSize('minTriangles', small, MOST_SMALL);
  for (const [name, value] of Object.entries({ folds, outlines })) {
    if (typeof value === 'boolean') continue;
    throw new InputError('bad-option', `${name} must be true or false, not ${describe(value)}`);
  }
  const sizes = { small: Math.min(small, largest), largest, folds };
  const data = yield* prepareEnergyData(body, sizes, undefined, outlines, options.effort ?? EFFORT);
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

/** See `prepareEnergyCertificate`. Answers are remembered while the pose stays. */
export class EnergyCertificate implements Certificate {
  readonly tree: Tree;
  /** It reads the points of this body. */
  readonly body: Body;
  readonly smallest: number;
  /** How much it knows: patches and pairs of patches with a proof. */
  readonly proofs: number;
  /** Patches and pairs of patches without a proof because it would have taken more than `effort` allows, and all visits. */
  readonly givenUp: number;
  readonly visits: number;

  /** @internal */ readonly program: EnergyProgram;
  readonly #data: EnergyData;
  readonly #watch: PoseWatch;
  readonly #life: CertificateLife;
  readonly #thrift: EnergyThrift;
  readonly #exceptions: ExceptionPairs;
  readonly #itemOfNode: Int32Array; // of the node with itself; −1: none
  readonly #itemOfSiblings: Int32Array; // of the node and the next one
  readonly #answers: Uint32Array; // per item: 2 · stamp, plus 1 when it is clear
  #stamp = 0;
  #hasBegun = false;
  #goesOn = false; // energies of the start are there
  #surveyedEpoch = -1; // of the last motion that was surveyed

  /** Use `prepareEnergyCertificate`. */
  constructor(body: Body, data: EnergyData, donor?: EnergyProgram) {
    this.body = body;
    this.tree = body.tree;
    this.#data = data;
    this.givenUp = data.givenUp;
    this.visits = data.visits;
    this.#watch = new PoseWatch(body);
    const { nodeCount, slotCount, order } = this.tree;
    const { exceptions } = data;
    this.program = new EnergyProgram(body.engine.kernels, body.resident, data, donor);
    this.#thrift = new EnergyThrift(this.program, body.resident);
    this.proofs = this.program.itemCount;
    this.#exceptions = exceptions;
    this.#answers = new Uint32Array(this.proofs);
    this.#itemOfNode = new Int32Array(nodeCount).fill(-1);
    this.#itemOfSiblings = new Int32Array(nodeCount).fill(-1);
    let smallest = order.length + 1;
    for (let k = 0; k < this.proofs; k++) {
      const a = this.program.nodes[2 * k],
        b = this.program.nodes[2 * k + 1];
      if (a === b) {
        this.#itemOfNode[a] = k;
        smallest = Math.min(smallest, slotCount[a]);
      } else if (b === a + 1) this.#itemOfSiblings[a] = k;
    }
    this.smallest = Math.max(2, smallest);
    this.#life = new CertificateLife(this, body, this.program.parts);
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
    this.#life.check();
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
    this.#thrift.rouse();
    this.program.forgetFailures();
  }

  /**
   * Frees its memory; the body does without it from then on. Using it afterwards throws; a second call does nothing. Error
   * 'busy' while a query uses the body.
   */
  dispose(): void {
    this.#life.end();
    this.#itemOfNode.fill(-1); // nothing is proved any more
    this.#itemOfSiblings.fill(-1);
    this.#hasBegun = false;
  }

  get isDisposed(): boolean {
    return this.#life.hasEnded;
  }

  begin(swept: boolean): void {
    this.#life.check();
    if (!this.#watch.begin(swept)) return;
    this.#hasBegun = false; // nothing is computed before somebody asks
    if (this.#stamp === 2 ** 30) {
      this.#answers.fill(0);
      this.program.forgetStamps();
      this.#stamp = 0;
    }
    this.#stamp++;
    this.#thrift.begin(this.#watch.swept);
    if (this.#watch.swept) this.program.reserveMotion();
  }

  /** A patch with itself, or two halves of one with each other. */
  clears(a: number, b: number): boolean {
    if (this.#thrift.isPaused) return false;
    const item = a === b ? this.#itemOfNode[a] : b === a + 1 ? this.#itemOfSiblings[a] : -1;
    if (item < 0) return false;
    const answer = this.#answers[item];
    if (answer >>> 1 === this.#stamp) return (answer & 1) === 1;
    this.#ensureBegun();
    const isClear = this.program.isSmooth(item) || this.program.isCalm(item);
    this.#answers[item] = 2 * this.#stamp + (isClear ? 1 : 0);
    return isClear;
  }

  /** Also while it rests: folds take longer to test than energies to sum. */
  clearsFolds(node: number): boolean {
    const patch = this.#data.folds ? this.#data.patches.patchOfNode[node] : -1;
    if (patch < 0 || this.program.itemOfPatch[patch] < 0) return false;
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
    if (!this.#thrift.isPaused) return false;
    const { front } = this.body.resident;
    if (front.inner.list.pairCount > 0) inner.push(0, front.inner.list.pairCount);
    if (front.leaf.list.pairCount > 0) leaf.push(0, front.leaf.list.pairCount);
    return true;
  }

  /** Not while it rests; after that a sample decides. */
  mayFit(): boolean {
    const thrift = this.#thrift;
    if (!thrift.isPaused && thrift.isWeary) {
      this.#ensureBegun();
      thrift.sample(this.#goesOn);
    }
    return !thrift.isPaused;
  }

  fitOpen(open: OpenParts): 'nothing' | 'parts' | 'all' {
    const { program } = this;
    const { resident, engine } = this.body;
    const vertexBoxes = open.scratch.vertexBoxes(resident.pointCount); // may allocate
    this.survey();
    program.list(open.boxes.address, open.boxes.stride, open.frame);
    const marked = program.countMarked();
    this.#thrift.spend(marked, this.#goesOn);
    if (!program.hasRoom) {
      this.#thrift.giveUp(); // what it would say is longer than the front
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
    if (this.#thrift.fitsAll(marked)) return 'all';
    if (marked > 0) program.fitParts(vertexBoxes);
    return 'parts';
  }

  /** @internal What lists need of all small patches of this pose. */
  survey(): void {
    this.#ensureBegun();
    this.program.survey();
    if (this.#watch.swept) this.#surveyedEpoch = this.body.deformer.epoch;
  }

  learn(nodePairs: number, trianglePairs: number): void {
    this.#thrift.learn(nodePairs, trianglePairs);
  }

  /** Points of this pose. */
  #ensureBegun(): void {
    if (this.#hasBegun) return;
    this.#life.check();
    this.#hasBegun = true;
    const { deformer } = this.body;
    deformer.ensureAll(0);
    if (this.#watch.swept) deformer.ensureAll(1);
    const start = deformer.address(0),
      end = this.#watch.swept ? deformer.address(1) : start;
    this.#goesOn = this.#watch.swept && deformer.continuedEpoch === this.#surveyedEpoch;
    this.program.begin(this.#stamp, start, end, this.#goesOn);
  }
}
