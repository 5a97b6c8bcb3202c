import { ceil32 } from '../../algebra/rounding.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { PairBuffer } from '../../report/pair-buffer.ts';
import type { ResidentMesh } from '../../tree/resident-mesh.ts';
import { PLANE_HEAD, planeStride } from './pair-planes.ts';
import type { PairTree } from './pair-tree.ts';

const TOO_MANY = 0xffffffff;
/** Planes that may be looked at for each pair that may be left. */
const TESTS_PER_PAIR = 2;

/** A tree of pairs in kernel memory, to be asked what a pose leaves open. Its memory goes with the mesh. */
export class OpenPairs {
  readonly #kernels: Kernels;
  readonly #pairs: PairTree;
  readonly #stride: number;
  readonly #radius: number;
  readonly #next: number;
  readonly #planes: number;
  readonly #start: number; // the pose as planes want it
  readonly #end: number;
  #out = 0;
  #room = 0;

  constructor(kernels: Kernels, mesh: ResidentMesh, pairs: PairTree, modeCount: number) {
    const { memory } = kernels;
    this.#kernels = kernels;
    this.#pairs = pairs;
    this.#stride = planeStride(modeCount);
    const { length } = pairs.a;
    this.#radius = memory.allocate(4 * length);
    this.#next = memory.allocate(4 * length);
    this.#planes = memory.allocate(4 * pairs.planes.length);
    this.#start = memory.allocate(4 * this.#stride);
    this.#end = memory.allocate(4 * this.#stride);
    memory.f32.set(pairs.radius, this.#radius >>> 2);
    memory.u32.set(pairs.next, this.#next >>> 2);
    memory.f32.set(pairs.planes, this.#planes >>> 2);
    mesh.keep(this);
  }

  /**
   * Pairs of small nodes that may touch go to `open`, triangle pairs that proofs left out elsewhere to `left`. False when
   * there are more than `most`, or when it would take long to find out: then neither is of use.
   * Without `end` it is about one pose.
   */
  list(
    gauge: number,
    start: Float64Array,
    end: Float64Array | undefined,
    order: Uint32Array,
    most: number,
    open: PairBuffer,
    left: PairBuffer,
  ): boolean {
    const kernels = this.#kernels,
      { memory } = kernels;
    if (this.#room < most) {
      memory.free(this.#out);
      this.#out = memory.allocate(4 * most);
      this.#room = most;
    }
    const size = ceil32(gauge);
    this.#putPose(this.#start, start, size);
    if (end !== undefined) this.#putPose(this.#end, end, size);
    const { a, b } = this.#pairs;
    const found =
      kernels.listOpen(
        a.length,
        this.#radius,
        this.#next,
        this.#planes,
        this.#stride,
        this.#start,
        end === undefined ? this.#start : this.#end,
        size,
        most,
        TESTS_PER_PAIR * most,
        this.#out,
      ) >>> 0;
    if (found === TOO_MANY) return false;
    const { u32 } = memory,
      out = this.#out >>> 2;
    for (let k = 0; k < found; k++) {
      const place = u32[out + k];
      open.push(a[place], b[place]);
    }
    if (this.#pairs.exceptionAt.length > 0) this.#listExceptions(found, order, left);
    return true;
  }

  free(): void {
    const { memory } = this.#kernels;
    for (const address of [this.#radius, this.#next, this.#planes, this.#start, this.#end, this.#out]) {
      memory.free(address);
    }
  }

  #putPose(address: number, q: Float64Array, gauge: number): void {
    const { f32 } = this.#kernels.memory;
    const o = address >>> 2;
    f32.fill(0, o, o + this.#stride);
    f32[o] = 1;
    f32[o + 1] = -gauge;
    for (let m = 0; m < q.length; m++) f32[o + PLANE_HEAD + m] = q[m];
  }

  /** Open pairs are looked at whole; of everything else, what proofs leave out. Both lists ascend. */
  #listExceptions(found: number, order: Uint32Array, left: PairBuffer): void {
    const { exceptions, exceptionAt } = this.#pairs;
    const { u32 } = this.#kernels.memory,
      out = this.#out >>> 2;
    for (let e = 0, k = 0; e < exceptionAt.length; e++) {
      while (k < found && u32[out + k] < exceptionAt[e]) k++;
      if (k < found && u32[out + k] === exceptionAt[e]) continue;
      left.push(order[exceptions[2 * e]], order[exceptions[2 * e + 1]]);
    }
  }
}
