import type { Kernels } from '../../kernels/kernels.ts';
import type { DenseFactor } from './dense-factor.ts';
import { KernelRows } from './kernel-rows.ts';

/** Writes a vertex's row of the basis, from a column on, to numbers that begin at `f64[out]`. */
export type WriteRow = (vertex: number, from: number, f64: Float64Array, out: number) => void;

/** Rows that are kept at most. */
const ROOM = 1024;

/**
 * z = L⁻¹ c for vertices of the surface, c being their rows of the basis: what the solve with contacts needs of each.
 * L grows at its end, and the first entries of z stay right then: only new ones are computed.
 */
export class VertexColumns {
  readonly rows: KernelRows;
  readonly #factor: DenseFactor;
  readonly #write: WriteRow;
  readonly #slotOf = new Map<number, number>();
  readonly #vertexOf: number[] = [];
  readonly #valid: number[] = []; // entries of z that are right
  readonly #used: number[] = []; // when
  readonly #room: number;
  #time = 0;
  /** Entries of z that were computed since `beginStep`, for measurements. */
  computed = 0;

  constructor(kernels: Kernels, factor: DenseFactor, write: WriteRow, room = ROOM) {
    this.rows = new KernelRows(kernels.memory);
    this.#factor = factor;
    this.#write = write;
    this.#room = room;
  }

  /** What has not been asked for since the last one may be forgotten. */
  beginStep(): void {
    this.#time++;
    this.computed = 0;
  }

  /** L has changed from that row on. */
  invalidate(from: number): void {
    for (let slot = 0; slot < this.#valid.length; slot++)
      this.#valid[slot] = Math.min(this.#valid[slot], from);
  }

  /** The row of `rows` that a vertex has or gets; call `fill` before reading it. */
  slot(vertex: number): number {
    let slot = this.#slotOf.get(vertex);
    if (slot === undefined) {
      slot = this.#vertexOf.length < this.#room ? this.#vertexOf.length : this.#oldest();
      if (slot < this.#vertexOf.length) this.#slotOf.delete(this.#vertexOf[slot]);
      this.#slotOf.set(vertex, slot);
      this.#vertexOf[slot] = vertex;
      this.#valid[slot] = 0;
    }
    this.#used[slot] = this.#time;
    return slot;
  }

  /** Computes what is missing of all that were asked for in this step, or with `all` of every vertex that is kept. */
  fill(all = false): void {
    const { size } = this.#factor;
    const count = this.#vertexOf.length;
    this.rows.reserve(count, size);
    const isMissing = (slot: number) => this.#valid[slot] < size && (all || this.#used[slot] === this.#time);
    for (let slot = 0; slot < count; ) {
      if (!isMissing(slot)) {
        slot++;
        continue;
      }
      const from = this.#valid[slot];
      let end = slot;
      const { f64 } = this.rows;
      for (; end < count && isMissing(end) && this.#valid[end] === from; end++) {
        const o = this.rows.offset(end);
        f64.fill(0, o + from, o + size);
        this.#write(this.#vertexOf[end], from, f64, o);
        this.#valid[end] = size;
      }
      this.#factor.solve(this.rows, slot, end - slot, from);
      this.computed += (end - slot) * (size - from);
      slot = end;
    }
  }

  clear(): void {
    this.#slotOf.clear();
    this.#vertexOf.length = this.#valid.length = this.#used.length = 0;
  }

  dispose(): void {
    this.clear();
    this.rows.dispose();
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
