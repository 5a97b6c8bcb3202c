import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import { KernelRows } from './kernel-rows.ts';

/** A pivot must be larger than this share of its diagonal: what is less is rounding. */
const LEAST_PIVOT = 1e-13;

/**
 * A dense symmetric matrix and its factor, A = L Lᵀ, whose rows and columns come and go. Both are kept: rows that are
 * appended cost one forward solve each, and a removal factors again from the first that went, without drift.
 */
export class DenseFactor {
  /** Rows of A; only the lower triangle means something. */
  readonly matrix: KernelRows;
  /** Rows of L. */
  readonly lower: KernelRows;
  readonly #kernels: AllKernels;
  #size = 0;
  #factored = 0;

  constructor(kernels: Kernels) {
    this.#kernels = withExtra(kernels);
    this.matrix = new KernelRows(kernels.memory);
    this.lower = new KernelRows(kernels.memory);
  }

  /** Rows of A, factored or not. */
  get size(): number {
    return this.#size;
  }

  /** Rows up to which L is right. */
  get factored(): number {
    return this.#factored;
  }

  /** Numbers from one row to the next, of A and of L. */
  get stride(): number {
    return this.matrix.stride;
  }

  /** Makes room without using it. */
  reserve(size: number): void {
    this.matrix.reserve(size, size);
    this.lower.reserve(size, size);
  }

  /** Room for that many rows: what is in A is kept. Rows that are new have to be written. */
  resize(size: number): void {
    this.reserve(size);
    this.#size = size;
    this.#factored = Math.min(this.#factored, size);
  }

  /** A has changed from that row on. */
  invalidate(from: number): void {
    this.#factored = Math.min(this.#factored, from);
  }

  /** Takes rows and columns away: [first, count) ranges, ascending. */
  remove(ranges: readonly (readonly [number, number])[]): void {
    if (ranges.length === 0) return;
    const kept: number[] = [];
    let next = 0;
    for (const [first, count] of ranges) {
      while (next < first) kept.push(next++);
      next = first + count;
    }
    while (next < this.#size) kept.push(next++);
    const { f64 } = this.matrix;
    for (let i = ranges[0][0]; i < kept.length; i++) {
      const to = this.matrix.offset(i),
        from = this.matrix.offset(kept[i]);
      for (let j = 0; j <= i; j++) f64[to + j] = f64[from + kept[j]]; // kept[j] ≥ j: nothing is overwritten too early
    }
    this.invalidate(ranges[0][0]);
    this.#size = kept.length;
  }

  /** Factors what is not yet; −1, or the first row that depends on those before it. */
  factor(): number {
    const { matrix, lower } = this;
    const failed = this.#kernels.factorDense(
      matrix.address,
      lower.address,
      matrix.stride,
      this.#factored,
      this.#size,
      LEAST_PIVOT,
    );
    this.#factored = failed < 0 ? this.#size : failed;
    return failed;
  }

  /** x ← L⁻¹ x for rows of `x`, entries [from, size): those before are done. */
  solve(x: KernelRows, first: number, count: number, from = 0): void {
    if (count === 0 || from === this.#size) return;
    const { address, stride } = this.lower;
    this.#kernels.solveDense(address, stride, from, this.#size, x.at(first), x.stride, count);
  }

  /** x ← L⁻ᵀ x for rows of `x`. */
  solveTransposed(x: KernelRows, first: number, count: number): void {
    const { address, stride } = this.lower;
    this.#kernels.solveDenseTransposed(address, stride, this.#size, x.at(first), x.stride, count);
  }

  dispose(): void {
    this.matrix.dispose();
    this.lower.dispose();
  }
}
