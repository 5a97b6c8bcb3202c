import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import { KernelRows } from './kernel-rows.ts';

/** Rounds in which all that are wrong change sides; after these, one at a time, which always ends. */
const BLOCK_ROUNDS = 20;
const MOST_ROUNDS = 2000;
const MOST_TRIES = 6;
/** What is added to the diagonal at least, as a share of its mean: rows may depend on each other. */
const LEAST_COMPLIANCE = 1e-9;

export interface ComplementarityResult {
  /** Systems that were solved. */
  readonly rounds: number;
  /** False when the rounds ran out; the multipliers are then those of the best round. */
  readonly isSolved: boolean;
}

/**
 * Multipliers of unilateral rows: λ ≤ 0, g − Mλ ≥ 0 and λᵀ(g − Mλ) = 0, for a symmetric positive semidefinite M. Block
 * principal pivoting (Júdice & Pires 1994): rows push or are open; all that are on the wrong side change at once as long
 * as that makes them fewer.
 */
export class Complementarity {
  readonly #kernels: AllKernels;
  readonly #part: KernelRows; // M of the rows that push
  readonly #lower: KernelRows;
  readonly #x: KernelRows;
  #isPushing = new Uint8Array(0);
  #list = new Uint32Array(0);

  constructor(kernels: Kernels) {
    this.#kernels = withExtra(kernels);
    this.#part = new KernelRows(kernels.memory);
    this.#lower = new KernelRows(kernels.memory);
    this.#x = new KernelRows(kernels.memory);
  }

  /**
   * The lower triangle of M is rows of `matrix`; `lambda` says by its signs which rows push at first, and gets the
   * answer. Tolerances are relative to the largest |g| and what pushes. With `compliance`, a share of M's diagonal (of
   * its mean, or what is said), rows give way a little where they push: those that contradict each other then do not
   * tear the shape apart.
   */
  solve(
    matrix: KernelRows,
    count: number,
    g: Float64Array,
    lambda: Float64Array,
    compliance = 0,
    mean = meanDiagonal(matrix, count),
  ): ComplementarityResult {
    this.#reserve(count);
    const isPushing = this.#isPushing;
    for (let i = 0; i < count; i++) isPushing[i] = lambda[i] < 0 || g[i] < 0 ? 1 : 0;
    const regularisation = Math.max(compliance, LEAST_COMPLIANCE) * mean;
    let fewest = count + 1,
      patience = 3,
      rounds = 0;
    for (; rounds < MOST_ROUNDS; rounds++) {
      const pushing = this.#solvePushing(matrix, count, g, lambda, regularisation);
      const byOne = rounds >= BLOCK_ROUNDS || patience < 0;
      const wrong = this.#exchange(matrix, count, g, lambda, pushing, mean, byOne);
      if (wrong === 0) {
        clean(lambda, count);
        return { rounds: rounds + 1, isSolved: true };
      }
      if (wrong < fewest) {
        fewest = wrong;
        patience = 3;
      } else patience--;
    }
    clean(lambda, count);
    return { rounds, isSolved: false };
  }

  /** All rows as equalities, λ = M⁻¹g: some may pull, λ > 0. */
  solveEqualities(
    matrix: KernelRows,
    count: number,
    g: Float64Array,
    lambda: Float64Array,
    compliance = 0,
    mean = meanDiagonal(matrix, count),
  ): void {
    this.#reserve(count);
    this.#isPushing.fill(1, 0, count);
    const regularisation = Math.max(compliance, LEAST_COMPLIANCE) * mean;
    this.#solvePushing(matrix, count, g, lambda, regularisation);
  }

  dispose(): void {
    this.#part.dispose();
    this.#lower.dispose();
    this.#x.dispose();
  }

  #reserve(count: number): void {
    if (count > this.#list.length) {
      this.#list = new Uint32Array(2 * count);
      this.#isPushing = new Uint8Array(2 * count);
    }
    this.#part.reserve(count, count);
    this.#lower.reserve(count, count);
    this.#x.reserve(1, count);
  }

  /** λ of the rows that push, with 0 for the others; returns how many push. */
  #solvePushing(
    matrix: KernelRows,
    count: number,
    g: Float64Array,
    lambda: Float64Array,
    regularisation: number,
  ): number {
    const list = this.#list;
    let pushing = 0;
    for (let i = 0; i < count; i++) if (this.#isPushing[i]) list[pushing++] = i;
    lambda.fill(0, 0, count);
    if (pushing === 0) return 0;
    const part = this.#part,
      lower = this.#lower,
      x = this.#x;
    const { f64 } = part;
    let extra = regularisation;
    for (let tries = 0; ; tries++, extra *= 100) {
      if (tries === MOST_TRIES) return 0; // numbers that are not finite: nothing pushes
      for (let a = 0; a < pushing; a++) {
        const to = part.offset(a),
          from = matrix.offset(list[a]);
        for (let b = 0; b <= a; b++) f64[to + b] = f64[from + list[b]];
        f64[to + a] += extra;
      }
      if (this.#kernels.factorDense(part.address, lower.address, part.stride, 0, pushing, 1e-15) < 0) break;
    }
    const o = x.offset(0);
    for (let a = 0; a < pushing; a++) f64[o + a] = g[list[a]];
    this.#kernels.solveDense(lower.address, lower.stride, 0, pushing, x.address, x.stride, 1);
    this.#kernels.solveDenseTransposed(lower.address, lower.stride, pushing, x.address, x.stride, 1);
    for (let a = 0; a < pushing; a++) lambda[list[a]] = f64[o + a];
    return pushing;
  }

  /** Lets rows that are on the wrong side change it: all, or the last one. Returns how many are wrong. */
  #exchange(
    matrix: KernelRows,
    count: number,
    g: Float64Array,
    lambda: Float64Array,
    pushing: number,
    mean: number,
    byOne: boolean,
  ): number {
    const { f64 } = matrix;
    const list = this.#list,
      isPushing = this.#isPushing;
    let most = 0,
      largest = 0;
    for (let i = 0; i < count; i++) {
      most = Math.max(most, Math.abs(lambda[i]));
      largest = Math.max(largest, Math.abs(g[i]));
    }
    let wrong = 0,
      last = -1;
    for (let i = 0; i < count; i++) {
      let isWrong: boolean;
      if (isPushing[i]) isWrong = lambda[i] > 1e-12 * most;
      else {
        let gap = g[i],
          scale = largest;
        for (let a = 0; a < pushing; a++) {
          const j = list[a];
          const term = (i >= j ? f64[matrix.offset(i) + j] : f64[matrix.offset(j) + i]) * lambda[j];
          gap -= term;
          scale = Math.max(scale, Math.abs(term));
        }
        // A row that says the same as one that pushes is left as open as that one.
        isWrong = gap < -1e-12 * scale - 2 * LEAST_COMPLIANCE * mean * most;
      }
      if (!isWrong) continue;
      wrong++;
      last = i;
      if (!byOne) isPushing[i] ^= 1;
    }
    if (byOne && last >= 0) isPushing[last] ^= 1;
    return wrong;
  }
}

export function meanDiagonal(matrix: KernelRows, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += matrix.f64[matrix.offset(i) + i];
  return sum > 0 ? sum / count : 1e-300;
}

/** Rounding must not leave rows that pull. */
function clean(lambda: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) if (!(lambda[i] < 0)) lambda[i] = 0;
}
