import { ceil32 } from '../../algebra/rounding.ts';
import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import type { PairBuffer } from '../../report/pair-buffer.ts';
import { PairRecords } from './pair-records.ts';
import type { PairTree } from './pair-tree.ts';

const TOO_MANY = 0xffffffff;
const PLANE_GAUGE = 5; // words from the start of a pose
/** Pairs that may be looked at for each one that may be left. */
const LOOKS_PER_PAIR = 3;

/** A tree of pairs in kernel memory, to be asked what a pose leaves open. Certificates of several bodies share one. */
export class OpenPairs {
  readonly #kernels: AllKernels;
  readonly #records: PairRecords;
  readonly #pose: number;
  #queue = 0;
  #out = 0;
  #places = 0;
  #room = 0;

  constructor(kernels: Kernels, pairs: PairTree, modeCount: number) {
    const { memory } = kernels;
    this.#kernels = withExtra(kernels);
    this.#records = new PairRecords(memory, pairs, modeCount);
    this.#pose = memory.allocate(this.#records.poseBytes);
  }

  /**
   * Pairs of small nodes that may touch go to `open`, triangle pairs that proofs left out elsewhere to `left`. False when
   * there are more than `most`, or when it would take long to find out: then neither is of use.
   * Without `end` it is about one pose. Poses and `planeGauge` are in the units of planes.
   */
  list(
    gauge: number,
    planeGauge: number,
    start: Float64Array,
    end: Float64Array | undefined,
    order: Uint32Array,
    most: number,
    open: PairBuffer,
    left: PairBuffer,
  ): boolean {
    const found = gauge < this.#records.leastRadius ? 0 : this.#find(gauge, planeGauge, start, end, most);
    if (found === TOO_MANY) return false;
    if (found > 0) open.pushAll(this.#kernels.memory.u32, this.#out >>> 2, found);
    if (this.#records.exceptionAt.length > 0) this.#listExceptions(found, order, left);
    return true;
  }

  free(): void {
    const { memory } = this.#kernels;
    this.#records.free(memory);
    for (const address of [this.#pose, this.#queue, this.#out, this.#places]) memory.free(address);
  }

  #find(
    gauge: number,
    planeGauge: number,
    start: Float64Array,
    end: Float64Array | undefined,
    most: number,
  ): number {
    const { memory } = this.#kernels;
    if (this.#room < most) this.#makeRoom(most);
    const records = this.#records;
    memory.f32[this.#pose >>> 2] = ceil32(gauge);
    memory.f32[(this.#pose >>> 2) + PLANE_GAUGE] = ceil32(planeGauge);
    records.putPose(memory, this.#pose, 0, start);
    if (end !== undefined) records.putPose(memory, this.#pose, 1, end);
    const found = this.#kernels.listOpen(
      records.tree,
      this.#pose,
      end === undefined ? 1 : 2,
      most,
      LOOKS_PER_PAIR * most,
      this.#queue,
      this.#out,
      this.#places,
    );
    return found >>> 0;
  }

  #makeRoom(most: number): void {
    const { memory } = this.#kernels;
    for (const address of [this.#queue, this.#out, this.#places]) memory.free(address);
    this.#queue = memory.allocate(4 * (LOOKS_PER_PAIR * most + 16));
    this.#out = memory.allocate(8 * most);
    this.#places = memory.allocate(4 * (most + 4));
    this.#room = most;
  }

  /** Open pairs are looked at whole; of everything else, what proofs leave out. Both lists ascend. */
  #listExceptions(found: number, order: Uint32Array, left: PairBuffer): void {
    const { exceptions, exceptionAt } = this.#records;
    const { u32 } = this.#kernels.memory,
      places = this.#places >>> 2;
    for (let e = 0, k = 0; e < exceptionAt.length; e++) {
      while (k < found && u32[places + k] < exceptionAt[e]) k++;
      if (k < found && u32[places + k] === exceptionAt[e]) continue;
      left.push(order[exceptions[2 * e]], order[exceptions[2 * e + 1]]);
    }
  }
}
