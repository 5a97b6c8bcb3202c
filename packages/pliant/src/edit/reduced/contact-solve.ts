import type { Kernels } from '../../kernels/kernels.ts';
import { type ContactRows, TERMS } from '../contact/contact-rows.ts';
import type { Complementarity } from './complementarity.ts';
import type { HeldRows } from './held-rows.ts';
import { KernelRows } from './kernel-rows.ts';
import type { VertexColumns } from './vertex-columns.ts';

/** A row of which held rows leave less than this share, of the square of its length, cannot be moved. */
const IMMOVABLE = 1e-10;

/**
 * Contact rows n·(c v) ≥ d in terms of w = Lᵀv: their z are sums of those of vertices, which are kept from step to
 * step. M_ij = (n_i·n_j)(z_i·z_j) is the Schur complement.
 */
export class ContactSolve {
  readonly #kernels: Kernels;
  readonly #columns: VertexColumns;
  readonly #held: HeldRows;
  readonly #complementarity: Complementarity;
  readonly #z: KernelRows;
  readonly #M: KernelRows;
  readonly #products: KernelRows; // three per row; then three rows of multipliers
  readonly #weights: KernelRows;
  #g = new Float64Array(0);
  #before = new Float64Array(0);

  constructor(kernels: Kernels, columns: VertexColumns, held: HeldRows, complementarity: Complementarity) {
    this.#kernels = kernels;
    this.#columns = columns;
    this.#held = held;
    this.#complementarity = complementarity;
    this.#z = new KernelRows(kernels.memory);
    this.#M = new KernelRows(kernels.memory);
    this.#products = new KernelRows(kernels.memory);
    this.#weights = new KernelRows(kernels.memory);
  }

  /** Makes room, and computes z of all rows. */
  prepare(contacts: ContactRows, size: number): void {
    const { count } = contacts;
    if (count === 0) return;
    if (this.#g.length < count) this.#g = new Float64Array(2 * count);
    this.#z.reserve(count, size);
    this.#M.reserve(count, count);
    this.#products.reserve(Math.max(3, count), Math.max(3, count));
    this.#weights.reserve(1, TERMS);
    const columns = this.#columns;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < contacts.terms[i]; k++) columns.slot(contacts.vertices[TERMS * i + k]);
    }
    columns.fill();
    const z = this.#z,
      weights = this.#weights;
    const { f64 } = z;
    const w = weights.offset(0);
    for (let i = 0; i < count; i++) {
      const o = z.offset(i);
      f64.fill(0, o, o + size);
      for (let k = TERMS * i, end = k + contacts.terms[i]; k < end; k++) {
        f64[w] = contacts.weights[k];
        const row = columns.rows.at(columns.slot(contacts.vertices[k]));
        this.#kernels.combineRows(weights.address, weights.stride, 1, row, 0, 1, size, z.at(i), z.stride);
      }
    }
  }

  /** Moves w, three rows, the shortest way to where no row is violated; multipliers go to `lambda`. */
  push(
    contacts: ContactRows,
    w: KernelRows,
    size: number,
    lambda: Float64Array,
    rule: 'complementarity' | 'equality',
    compliance: number,
  ): void {
    const { count, normal, offset } = contacts;
    const z = this.#z,
      products = this.#products,
      M = this.#M,
      g = this.#g;
    const kernels = this.#kernels;
    kernels.multiplyRows(
      z.address,
      z.stride,
      count,
      w.address,
      w.stride,
      3,
      size,
      0,
      products.address,
      products.stride,
    );
    for (let i = 0; i < count; i++) {
      const o = products.offset(i);
      g[i] =
        normal[3 * i] * products.f64[o] +
        normal[3 * i + 1] * products.f64[o + 1] +
        normal[3 * i + 2] * products.f64[o + 2] -
        offset[i];
    }
    const before = this.#squares(count, size);
    this.#held.project(z, count, size);
    kernels.multiplyRows(
      z.address,
      z.stride,
      count,
      z.address,
      z.stride,
      count,
      size,
      1,
      M.address,
      M.stride,
    );
    for (let i = 0; i < count; i++) {
      const o = M.offset(i);
      for (let j = 0; j <= i; j++) {
        M.f64[o + j] *=
          normal[3 * i] * normal[3 * j] +
          normal[3 * i + 1] * normal[3 * j + 1] +
          normal[3 * i + 2] * normal[3 * j + 2];
      }
    }
    this.#leaveOut(before, count);
    if (rule === 'equality') this.#complementarity.solveEqualities(M, count, g, lambda, compliance);
    else this.#complementarity.solve(M, count, g, lambda, compliance);
    for (let axis = 0; axis < 3; axis++) {
      const o = products.offset(axis);
      for (let i = 0; i < count; i++) products.f64[o + i] = -lambda[i] * normal[3 * i + axis];
    }
    kernels.combineRows(
      products.address,
      products.stride,
      3,
      z.address,
      z.stride,
      count,
      size,
      w.address,
      w.stride,
    );
  }

  /** z·z of every row. */
  #squares(count: number, size: number): Float64Array {
    const { f64 } = this.#z;
    const squares = this.#before.length < count ? (this.#before = new Float64Array(2 * count)) : this.#before;
    for (let i = 0; i < count; i++) {
      const o = this.#z.offset(i);
      let sum = 0;
      for (let k = 0; k < size; k++) sum += f64[o + k] * f64[o + k];
      squares[i] = sum;
    }
    return squares;
  }

  /** Rows at which handles decide, and empty ones: no multiplier can do anything for them. */
  #leaveOut(before: Float64Array, count: number): void {
    const M = this.#M;
    const { f64 } = M;
    const isMovable = (i: number) => f64[M.offset(i) + i] > IMMOVABLE * before[i];
    let sum = 0,
      movable = 0;
    for (let i = 0; i < count; i++) {
      if (!isMovable(i)) continue;
      sum += f64[M.offset(i) + i];
      movable++;
    }
    const usual = movable > 0 ? sum / movable : 1;
    for (let i = 0; i < count; i++) {
      if (isMovable(i)) continue;
      const o = M.offset(i);
      for (let j = 0; j < i; j++) f64[o + j] = 0;
      for (let j = i + 1; j < count; j++) f64[M.offset(j) + i] = 0;
      f64[o + i] = usual;
      before[i] = 0;
      this.#g[i] = 0;
    }
  }

  dispose(): void {
    for (const rows of [this.#z, this.#M, this.#products, this.#weights]) rows.dispose();
    this.#complementarity.dispose();
  }
}
