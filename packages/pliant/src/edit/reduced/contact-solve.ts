import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import { type ContactRows, TERMS } from '../contact/contact-rows.ts';
import { type Complementarity, meanDiagonal } from './complementarity.ts';
import type { DenseFactor } from './dense-factor.ts';
import type { HeldRows } from './held-rows.ts';
import { KernelRows } from './kernel-rows.ts';
import type { VertexColumns } from './vertex-columns.ts';

/** A row of which held rows leave less than this share, of the square of its length, cannot be moved. */
const IMMOVABLE = 1e-10;
/** Of the largest slack: a row that is violated by less is rounding. */
const VIOLATED = 1e-10;
/** Rows that tell how much all give way: which ones does not depend on what pushes. */
const SAMPLE = 8;
/** Rows for which there is room from the beginning. */
const FEW = 64;
/** Rows that join at a time: where one pushes, those around it often need not. */
const MOST_NEW = 16;

/**
 * Vertices without z, for each row, beyond which rows are solved for themselves: so it is after groups went. Some vertices
 * get theirs beside, so that it is soon otherwise.
 */
const DIRECT = 1.5;
const SOME = 16;

/** What contacts ask of a solve. */
export interface ContactTask {
  readonly contacts: ContactRows;
  /** 'complementarity': rows push or are open. 'equality': all hold, and some may pull. */
  readonly rule: 'complementarity' | 'equality';
  /** How much rows give way where they push, see `Complementarity`. */
  readonly compliance: number;
  /** Signs say which rows push at first; gets the multipliers, λ ≤ 0 where a row pushes. */
  readonly lambda: Float64Array;
}

/**
 * Contact rows n·(c v) ≥ d in terms of w = Lᵀv: their z = L⁻¹c are sums of those of vertices, which are kept from step
 * to step. M_ij = (n_i·n_j)(z_i·z_j) is the Schur complement.
 *
 * Most rows are open, and an open row needs no z: whether it is violated tells c v. So the problem is solved for the
 * rows that pushed last or are violated most when nothing pushes; others that the answer violates join them, until there
 * are none. Which ones it begins with changes the way there, not the answer.
 */
export class ContactSolve {
  readonly #kernels: AllKernels;
  readonly #factor: DenseFactor;
  readonly #columns: VertexColumns;
  readonly #held: HeldRows;
  readonly #complementarity: Complementarity;
  readonly #c: KernelRows; // of all rows
  readonly #z: KernelRows; // of those that take part, in the order in which they came
  readonly #M: KernelRows;
  readonly #v: KernelRows;
  readonly #products: KernelRows; // three per row; then three rows of multipliers
  readonly #weights: KernelRows;
  // Per row: its slack where nothing pushes, and as things are.
  #free = new Float64Array(0);
  #slack = new Float64Array(0);
  #isIn = new Uint8Array(0);
  // Per row that takes part.
  #rows = new Uint32Array(0);
  #g = new Float64Array(0);
  #lambda = new Float64Array(0);
  #square = new Float64Array(0); // of the length of z, before held rows are taken out of it
  #isMovable = new Uint8Array(0);
  #count = 0;

  constructor(
    kernels: Kernels,
    factor: DenseFactor,
    columns: VertexColumns,
    held: HeldRows,
    complementarity: Complementarity,
  ) {
    this.#kernels = withExtra(kernels);
    this.#factor = factor;
    this.#columns = columns;
    this.#held = held;
    this.#complementarity = complementarity;
    this.#c = new KernelRows(kernels.memory);
    this.#z = new KernelRows(kernels.memory);
    this.#M = new KernelRows(kernels.memory);
    this.#v = new KernelRows(kernels.memory);
    this.#products = new KernelRows(kernels.memory);
    this.#weights = new KernelRows(kernels.memory);
  }

  /** Makes room, and writes c of all rows. */
  prepare(contacts: ContactRows, size: number): void {
    const { count } = contacts;
    this.reserve(count, size);
    const columns = this.#columns;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < contacts.terms[i]; k++) columns.slot(contacts.vertices[TERMS * i + k]);
    }
    columns.write();
    for (let i = 0; i < count; i++) this.#combine(contacts, i, columns.c, this.#c, i, size);
  }

  /** Coefficients v from w, three rows of `x`, by the shortest way to where no row is violated. */
  solve({ contacts, rule, compliance, lambda }: ContactTask, x: KernelRows, size: number): void {
    const { count } = contacts;
    const free = this.#free,
      slack = this.#slack;
    this.#isIn.fill(0, 0, count);
    this.#count = 0;
    this.#write(contacts, x, size);
    this.#measure(contacts, size, free);
    let largest = 0,
      worst = 0;
    for (let i = 0; i < count; i++) {
      largest = Math.max(largest, Math.abs(free[i]));
      worst = Math.min(worst, free[i]);
    }
    const least = -VIOLATED * largest;
    const isEquality = rule === 'equality';
    const sample = isEquality || worst < least ? Math.min(SAMPLE, count) : 0; // else nothing has to push
    for (let k = 0; k < sample; k++) this.#take(Math.floor((k * count) / sample), lambda);
    for (let i = 0; sample > 0 && i < count; i++) {
      if (this.#isIn[i] === 0 && (isEquality || lambda[i] < 0)) this.#take(i, lambda);
    }
    if (!isEquality) this.#takeWorst(count, free, least, lambda);
    for (let known = 0; known < this.#count; ) {
      this.#extend(contacts, known, size);
      known = this.#count;
      const problem = [this.#M, known, this.#g, this.#lambda, compliance, this.#meanOf(sample)] as const;
      if (isEquality) this.#complementarity.solveEqualities(...problem);
      else this.#complementarity.solve(...problem);
      this.#write(contacts, x, size);
      if (known === count) break;
      this.#measure(contacts, size, slack);
      this.#takeWorst(count, slack, least, lambda);
    }
    lambda.fill(0, 0, count);
    for (let a = 0; a < this.#count; a++) lambda[this.#rows[a]] = this.#lambda[a];
    for (let axis = 0; axis < 3; axis++) {
      const o = this.#v.offset(axis);
      x.f64.copyWithin(x.offset(axis), o, o + size);
    }
  }

  dispose(): void {
    for (const rows of [this.#c, this.#z, this.#M, this.#v, this.#products, this.#weights]) rows.dispose();
    this.#complementarity.dispose();
  }

  /** Makes room for so many rows, or for a few. */
  reserve(rows: number, size: number): void {
    const count = Math.max(FEW, rows);
    this.#c.reserve(count, size);
    this.#z.reserve(count, size);
    this.#M.reserve(count, count);
    this.#v.reserve(3, size);
    this.#products.reserve(Math.max(3, count), Math.max(3, count));
    this.#weights.reserve(1, TERMS);
    this.#held.reserve(count);
    if (this.#free.length >= count) return;
    this.#free = new Float64Array(2 * count);
    this.#slack = new Float64Array(2 * count);
    this.#isIn = new Uint8Array(2 * count);
    this.#rows = new Uint32Array(2 * count);
    this.#g = new Float64Array(2 * count);
    this.#lambda = new Float64Array(2 * count);
    this.#square = new Float64Array(2 * count);
    this.#isMovable = new Uint8Array(2 * count);
  }

  /** The sum of a contact's vertices, of rows of `from`, into a row of `to`. */
  #combine(
    contacts: ContactRows,
    i: number,
    from: KernelRows,
    to: KernelRows,
    row: number,
    size: number,
  ): void {
    const columns = this.#columns,
      weights = this.#weights;
    const { f64 } = to;
    const o = to.offset(row),
      w = weights.offset(0);
    f64.fill(0, o, o + size);
    for (let k = TERMS * i, end = k + contacts.terms[i]; k < end; k++) {
      f64[w] = contacts.weights[k];
      const term = from.at(columns.slot(contacts.vertices[k]));
      this.#kernels.combineRows(weights.address, weights.stride, 1, term, 0, 1, size, to.at(row), to.stride);
    }
  }

  /** v = L⁻ᵀ (w − Σ λ z nᵀ), with the rows that take part. */
  #write({ normal }: ContactRows, w: KernelRows, size: number): void {
    const v = this.#v,
      products = this.#products;
    const count = this.#count;
    const { f64 } = v;
    for (let axis = 0; axis < 3; axis++) {
      f64.copyWithin(v.offset(axis), w.offset(axis), w.offset(axis) + size);
      const o = products.offset(axis);
      for (let a = 0; a < count; a++) f64[o + a] = -this.#lambda[a] * normal[3 * this.#rows[a] + axis];
    }
    this.#kernels.combineRows(
      products.address,
      products.stride,
      3,
      this.#z.address,
      this.#z.stride,
      count,
      size,
      v.address,
      v.stride,
    );
    this.#factor.solveTransposed(v, 0, 3);
  }

  /** n·(c v) − d of every row, 0 for empty ones. */
  #measure({ count, terms, normal, offset }: ContactRows, size: number, out: Float64Array): void {
    const c = this.#c,
      v = this.#v,
      products = this.#products;
    this.#kernels.multiplyRows(
      c.address,
      c.stride,
      count,
      v.address,
      v.stride,
      3,
      size,
      0,
      products.address,
      products.stride,
    );
    const { f64 } = products;
    for (let i = 0; i < count; i++) {
      const o = products.offset(i);
      const along = normal[3 * i] * f64[o] + normal[3 * i + 1] * f64[o + 1] + normal[3 * i + 2] * f64[o + 2];
      out[i] = terms[i] === 0 ? 0 : along - offset[i];
    }
  }

  #take(i: number, lambda: Float64Array): void {
    this.#isIn[i] = 1;
    this.#rows[this.#count] = i;
    this.#lambda[this.#count] = lambda[i];
    this.#g[this.#count] = this.#free[i];
    this.#count++;
  }

  /** Lets the rows take part that are violated most. */
  #takeWorst(count: number, slack: Float64Array, least: number, lambda: Float64Array): void {
    for (let k = 0; k < MOST_NEW; k++) {
      let worst = -1;
      for (let i = 0; i < count; i++) {
        if (this.#isIn[i] === 0 && slack[i] < (worst < 0 ? least : slack[worst])) worst = i;
      }
      if (worst < 0) return;
      this.#take(worst, lambda);
    }
  }

  /** z and M of the rows that take part since `known`. */
  #extend(contacts: ContactRows, known: number, size: number): void {
    const columns = this.#columns,
      rows = this.#rows,
      z = this.#z,
      M = this.#M;
    const count = this.#count;
    for (let a = known; a < count; a++) {
      for (let k = TERMS * rows[a], end = k + contacts.terms[rows[a]]; k < end; k++) {
        columns.ask(columns.slot(contacts.vertices[k]));
      }
    }
    if (columns.missing() > DIRECT * (count - known)) {
      for (let a = known; a < count; a++) {
        const o = this.#c.offset(rows[a]);
        z.f64.copyWithin(z.offset(a), o, o + size);
      }
      this.#factor.solve(z, known, count - known);
      columns.fill(SOME);
    } else {
      columns.fill();
      for (let a = known; a < count; a++) this.#combine(contacts, rows[a], columns.z, z, a, size);
    }
    for (let a = known; a < count; a++) this.#square[a] = this.#squareOf(a, size);
    this.#held.project(z, known, count - known, size);
    this.#kernels.multiplyRows(
      z.at(known),
      z.stride,
      count - known,
      z.address,
      z.stride,
      count,
      size,
      0,
      M.at(known),
      M.stride,
    );
    const { f64 } = M;
    const { normal } = contacts;
    for (let a = known; a < count; a++) {
      const o = M.offset(a),
        i = 3 * rows[a];
      for (let b = 0; b <= a; b++) {
        const j = 3 * rows[b];
        f64[o + b] *= normal[i] * normal[j] + normal[i + 1] * normal[j + 1] + normal[i + 2] * normal[j + 2];
      }
    }
    this.#leaveOut(known);
  }

  /** The mean of M's diagonal over the first rows. */
  #meanOf(rows: number): number {
    const M = this.#M;
    let sum = 0,
      movable = 0;
    for (let a = 0; a < rows; a++) {
      if (this.#isMovable[a] === 0) continue;
      sum += M.f64[M.offset(a) + a];
      movable++;
    }
    return movable > 0 ? sum / movable : meanDiagonal(M, this.#count);
  }

  #squareOf(row: number, size: number): number {
    const { f64 } = this.#z;
    const o = this.#z.offset(row);
    let sum = 0;
    for (let k = 0; k < size; k++) sum += f64[o + k] * f64[o + k];
    return sum;
  }

  /** Rows at which handles decide, and empty ones: no multiplier can do anything for them. */
  #leaveOut(known: number): void {
    const M = this.#M,
      isMovable = this.#isMovable;
    const { f64 } = M;
    const count = this.#count;
    let sum = 0,
      movable = 0;
    for (let a = 0; a < count; a++) {
      const diagonal = f64[M.offset(a) + a];
      if (a >= known) isMovable[a] = diagonal > IMMOVABLE * this.#square[a] ? 1 : 0;
      if (isMovable[a] === 0) continue;
      sum += diagonal;
      movable++;
    }
    const usual = movable > 0 ? sum / movable : 1;
    for (let a = 0; a < count; a++) {
      const o = M.offset(a);
      for (let b = 0; a >= known && b < a; b++) if (isMovable[a] === 0 || isMovable[b] === 0) f64[o + b] = 0;
      if (isMovable[a] === 1) continue;
      f64[o + a] = usual;
      this.#g[a] = 0;
    }
  }
}
