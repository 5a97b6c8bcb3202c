import type { Kernels } from '../../kernels/kernels.ts';
import type { DenseFactor } from './dense-factor.ts';
import { KernelRows } from './kernel-rows.ts';

/** Writes a vertex's row of the basis, from a column on, to numbers that begin at `f64[out]`. */
export type WriteRow = (vertex: number, from: number, f64: Float64Array, out: number) => void;

/** Rows that are kept at most. */
const ROOM = 512;
/** Rows for which there is room from the beginning. */
const FEW = ROOM;

/**
 * Rows c of the basis at vertices of the surface, and z = L⁻¹ c: what the solve with contacts needs of each. U and L grow
 * at their ends, and the first entries of c and z stay right then: only new ones are computed, those of z for the
 * vertices that are asked for.
 */
export class VertexColumns {
  readonly c: KernelRows;
  readonly z: KernelRows;
  readonly #factor: DenseFactor;
  readonly #write: WriteRow;
  readonly #slotOf = new Map<number, number>();
  readonly #vertexOf: number[] = [];
  readonly #written: number[] = []; // entries of c that are right
  readonly #valid: number[] = []; // … and of z
  readonly #used: number[] = []; // when
  readonly #asked: number[] = []; // … for z
  readonly #room: number;
  #time = 0;
  /** Entries of z that were computed since `beginStep`, for measurements. */
  computed = 0;

  constructor(kernels: Kernels, factor: DenseFactor, write: WriteRow, room = ROOM) {
    this.c = new KernelRows(kernels.memory);
    this.z = new KernelRows(kernels.memory);
    this.#factor = factor;
    this.#write = write;
    this.#room = room;
  }

  /** Makes room for a few vertices. */
  reserve(size: number): void {
    this.c.reserve(FEW, size);
    this.z.reserve(FEW, size);
  }

  /** What has not been used since the last one may be forgotten. */
  beginStep(): void {
    this.#time++;
    this.computed = 0;
  }

  /** U and L have changed from that column on. */
  invalidate(from: number): void {
    for (let slot = 0; slot < this.#valid.length; slot++) {
      this.#written[slot] = Math.min(this.#written[slot], from);
      this.#valid[slot] = Math.min(this.#valid[slot], from);
    }
  }

  /** The row of `c` and `z` that a vertex has or gets; call `write` before reading it. */
  slot(vertex: number): number {
    let slot = this.#slotOf.get(vertex);
    if (slot === undefined) {
      slot = this.#vertexOf.length < this.#room ? this.#vertexOf.length : this.#oldest();
      if (slot < this.#vertexOf.length) this.#slotOf.delete(this.#vertexOf[slot]);
      this.#slotOf.set(vertex, slot);
      this.#vertexOf[slot] = vertex;
      this.#written[slot] = this.#valid[slot] = this.#asked[slot] = 0;
    }
    this.#used[slot] = this.#time;
    return slot;
  }

  /** Writes c of all that were used in this step. */
  write(): void {
    const { size } = this.#factor;
    const count = this.#vertexOf.length;
    this.c.reserve(count, size);
    this.z.reserve(count, size);
    const { f64 } = this.c;
    for (let slot = 0; slot < count; slot++) {
      const from = this.#written[slot];
      if (from >= size || this.#used[slot] !== this.#time) continue;
      const o = this.c.offset(slot);
      f64.fill(0, o + from, o + size);
      this.#write(this.#vertexOf[slot], from, f64, o);
      this.#written[slot] = size;
    }
  }

  /** Asks for z of a row that has been written; call `fill` before reading it. */
  ask(slot: number): void {
    this.#asked[slot] = this.#time;
  }

  /** How much is missing of z of all that were asked for in this step: rows, an unfinished one as the work it takes. */
  missing(): number {
    const { size } = this.#factor;
    let sum = 0;
    for (let slot = 0; slot < this.#vertexOf.length; slot++) {
      if (this.#asked[slot] === this.#time) sum += 1 - (this.#valid[slot] / size) ** 2;
    }
    return sum;
  }

  /** Computes what is missing, or the first `most` rows of it. Nothing is allocated. */
  fill(most = Infinity): void {
    const { size } = this.#factor;
    const count = this.#vertexOf.length;
    const { f64 } = this.z;
    const isMissing = (slot: number) => this.#valid[slot] < size && this.#asked[slot] === this.#time;
    for (let slot = 0, left = most; slot < count && left > 0; ) {
      if (!isMissing(slot)) {
        slot++;
        continue;
      }
      const from = this.#valid[slot];
      let end = slot;
      for (; end < count && left > 0 && isMissing(end) && this.#valid[end] === from; end++, left--) {
        const o = this.c.offset(end);
        f64.copyWithin(this.z.offset(end) + from, o + from, o + size);
        this.#valid[end] = size;
      }
      this.#factor.solve(this.z, slot, end - slot, from);
      this.computed += (end - slot) * (size - from);
      slot = end;
    }
  }

  clear(): void {
    this.#slotOf.clear();
    for (const list of [this.#vertexOf, this.#written, this.#valid, this.#used, this.#asked]) list.length = 0;
  }

  dispose(): void {
    this.clear();
    this.c.dispose();
    this.z.dispose();
  }

  /** The one that was used longest ago; a new one when all are in use. */
  #oldest(): number {
    let oldest = 0;
    for (let slot = 1; slot < this.#used.length; slot++) {
      if (this.#used[slot] < this.#used[oldest]) oldest = slot;
    }
    return this.#used[oldest] === this.#time ? this.#vertexOf.length : oldest;
  }
}
