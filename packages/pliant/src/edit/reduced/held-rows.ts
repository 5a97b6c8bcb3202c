import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import type { DenseFactor } from './dense-factor.ts';
import { KernelRows } from './kernel-rows.ts';

/** A row that has less than this share of its length outside of those before it is given up. */
const DEPENDENT = 1e-4;

/**
 * Equalities c·v = s. With w = Lᵀv and z = L⁻¹c they read z·w = s: here the z are made orthonormal, Q R, so that an
 * equality is one entry of Qᵀw. Rows that depend on earlier ones are left out: what they ask for, those ask already or
 * contradict.
 */
export class HeldRows {
  /** Orthonormal, one for each row that is held. */
  readonly q: KernelRows;
  readonly #kernels: AllKernels;
  readonly #products: KernelRows;
  #rank = 0;
  #held: number[] = []; // rows of q -> given rows
  #R: Float64Array = new Float64Array(0); // R[j * count + i]: how much of q_j is in z_i
  #count = 0;
  /** Per given row: the share of its length that earlier rows do not have; 1 when they have nothing to do with it. */
  independence = new Float64Array(0);

  constructor(kernels: Kernels) {
    this.#kernels = withExtra(kernels);
    this.q = new KernelRows(kernels.memory);
    this.#products = new KernelRows(kernels.memory);
  }

  get rank(): number {
    return this.#rank;
  }

  /** Takes the first `count` rows c. */
  prepare(factor: DenseFactor, c: KernelRows, count: number): void {
    const { size } = factor;
    const { q } = this;
    q.reserve(count + 1, size);
    this.#products.reserve(1, count + 1);
    this.#R = new Float64Array(count * count);
    this.independence = new Float64Array(count);
    this.#held = [];
    this.#count = count;
    this.#rank = 0;
    for (let i = 0; i < count; i++) {
      const rank = this.#rank;
      q.f64.copyWithin(q.offset(rank), c.offset(i), c.offset(i) + size);
      factor.solve(q, rank, 1);
      const before = this.#length(rank, size);
      this.#makeOrthogonal(i, size);
      this.#makeOrthogonal(i, size); // once more: what rounding left
      const after = this.#length(rank, size);
      this.independence[i] = before > 0 ? after / before : 0;
      if (!(after > DEPENDENT * before)) continue;
      const o = q.offset(rank);
      for (let k = 0; k < size; k++) q.f64[o + k] /= after;
      this.#R[rank * count + i] = after;
      this.#held.push(i);
      this.#rank++;
    }
  }

  /** Moves w, three rows, the shortest way to where the equalities hold: targets are three numbers per given row. */
  hold(w: KernelRows, size: number, targets: Float64Array): void {
    const rank = this.#rank;
    if (rank === 0) return;
    const products = this.#products;
    products.reserve(3, rank);
    this.#kernels.multiplyRows(
      w.address,
      w.stride,
      3,
      this.q.address,
      this.q.stride,
      rank,
      size,
      0,
      products.address,
      products.stride,
    );
    const { f64 } = products;
    const tau = new Float64Array(rank);
    for (let axis = 0; axis < 3; axis++) {
      const o = products.offset(axis);
      for (let j = 0; j < rank; j++) {
        const i = this.#held[j];
        let rest = targets[3 * i + axis];
        for (let m = 0; m < j; m++) rest -= this.#R[m * this.#count + i] * tau[m];
        tau[j] = rest / this.#R[j * this.#count + i];
      }
      for (let j = 0; j < rank; j++) f64[o + j] = tau[j] - f64[o + j];
    }
    this.#combine(products, 3, size, w);
  }

  /** Makes room for `project`. */
  reserve(count: number): void {
    this.#products.reserve(Math.max(3, count), this.#rank + 1);
  }

  /** Takes out of rows z what would move held rows; nothing is allocated. */
  project(z: KernelRows, first: number, count: number, size: number): void {
    if (this.#rank === 0 || count === 0) return;
    const products = this.#products;
    this.#kernels.multiplyRows(
      z.at(first),
      z.stride,
      count,
      this.q.address,
      this.q.stride,
      this.#rank,
      size,
      0,
      products.address,
      products.stride,
    );
    const { f64 } = products;
    for (let i = 0; i < count; i++) {
      const o = products.offset(i);
      for (let j = 0; j < this.#rank; j++) f64[o + j] = -f64[o + j];
    }
    this.#combine(products, count, size, z, first);
  }

  dispose(): void {
    this.q.dispose();
    this.#products.dispose();
  }

  #combine(products: KernelRows, count: number, size: number, out: KernelRows, first = 0): void {
    this.#kernels.combineRows(
      products.address,
      products.stride,
      count,
      this.q.address,
      this.q.stride,
      this.#rank,
      size,
      out.at(first),
      out.stride,
    );
  }

  #makeOrthogonal(i: number, size: number): void {
    const rank = this.#rank;
    if (rank === 0) return;
    const { q } = this;
    const products = this.#products;
    this.#kernels.multiplyRows(
      q.at(rank),
      q.stride,
      1,
      q.address,
      q.stride,
      rank,
      size,
      0,
      products.address,
      products.stride,
    );
    const { f64 } = products;
    const o = products.offset(0);
    for (let j = 0; j < rank; j++) {
      this.#R[j * this.#count + i] += f64[o + j];
      f64[o + j] = -f64[o + j];
    }
    this.#kernels.combineRows(
      products.address,
      products.stride,
      1,
      q.address,
      q.stride,
      rank,
      size,
      q.at(rank),
      q.stride,
    );
  }

  #length(row: number, size: number): number {
    const { f64 } = this.q;
    const o = this.q.offset(row);
    let sum = 0;
    for (let k = 0; k < size; k++) sum += f64[o + k] * f64[o + k];
    return Math.sqrt(sum);
  }
}
