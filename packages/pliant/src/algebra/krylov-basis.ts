import { combineColumns, dot, gramOf, multiplyColumns, projectColumn, scaleColumn } from './dense/columns.ts';
import { symmetricEigen } from './dense/symmetric-eigen.ts';
import type { EigenProblem } from './eigenpairs.ts';

export interface RitzPairs {
  /** Of (K + σM)⁻¹M, descending: the smallest λ first. */
  readonly values: Float64Array;
  /** Coefficients in the basis, one column per pair. */
  readonly vectors: Float64Array;
  /** Length of the residual in the norm of M, over the value. */
  readonly errors: Float64Array;
}

/** A column that shrinks by this factor when it is made orthogonal to the others held nothing new. */
const LOST = 1e-12;

/**
 * M-orthonormal vectors V with A V = V H + (last block) for A = (K + σM)⁻¹M. The first `processed` columns have been
 * multiplied by A; those after them are the block that comes next. H is computed, not presumed to be banded, so a
 * restart is nothing but a change of basis.
 */
export class KrylovBasis {
  readonly basis: Float64Array;
  processed = 0;
  count = 0;
  solves = 0;
  readonly #problem: EigenProblem;
  readonly #deflate: Float64Array;
  readonly #capacity: number;
  readonly #block: number;
  readonly #projected: Float64Array; // H, stride of #stride
  readonly #stride: number;
  readonly #images: Float64Array; // M times the last block
  readonly #noise: () => number;

  /** Room for `capacity` processed columns and one block after them. `deflate` is kept out of everything. */
  constructor(problem: EigenProblem, deflate: Float64Array, capacity: number, block: number, seed: number) {
    this.#problem = problem;
    this.#deflate = deflate;
    this.#capacity = capacity;
    this.#block = block;
    this.#stride = capacity + block;
    this.basis = new Float64Array(problem.size * this.#stride);
    this.#projected = new Float64Array(this.#stride * this.#stride);
    this.#images = new Float64Array(problem.size * block);
    this.#noise = createNoise(seed);
    this.#appendNoise();
  }

  /** No further vector exists: Ritz pairs are eigenpairs. */
  get isWhole(): boolean {
    return this.count === this.processed;
  }

  get isFull(): boolean {
    return this.count > this.#capacity;
  }

  /** Multiplies the last block by A, and what is new in the product becomes the next block. */
  expand(): void {
    const { size } = this.#problem;
    const from = this.processed,
      width = this.count - from;
    const images = this.basis.subarray(this.count * size, (this.count + width) * size);
    images.set(this.#images.subarray(0, width * size));
    this.#problem.solve(images, width);
    this.solves += width;
    const { along, across, kept } = this.#orthonormalise(width);
    for (let j = 0; j < width; j++) {
      for (let i = 0; i < this.count; i++) this.#set(i, from + j, along[j * this.count + i]);
      for (let i = 0; i < kept; i++) this.#set(this.count + i, from + j, across[j * width + i]);
    }
    this.processed = this.count;
    this.count += kept;
  }

  ritzPairs(): RitzPairs {
    const size = this.processed,
      stride = this.#stride;
    const square = new Float64Array(size * size);
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++) square[j * size + i] = this.#projected[j * stride + i];
    }
    const eigen = symmetricEigen(square, size);
    const vectors = new Float64Array(size * size);
    for (let k = 0; k < size; k++) {
      vectors.set(eigen.vectors.subarray((size - 1 - k) * size, (size - k) * size), k * size);
    }
    const values = eigen.values.reverse();
    const errors = new Float64Array(size);
    for (let k = 0; k < size; k++) {
      let squares = 0;
      for (let i = size; i < this.count; i++) {
        let sum = 0;
        for (let j = 0; j < size; j++) sum += this.#projected[j * stride + i] * vectors[k * size + j];
        squares += sum * sum;
      }
      errors[k] = Math.sqrt(squares) / Math.abs(values[k]);
    }
    return { values, vectors, errors };
  }

  /** Keeps the first Ritz vectors and the last block; with `afresh` a random block takes its place. */
  restart(ritz: RitzPairs, keep: number, afresh: boolean): void {
    const { size } = this.#problem;
    const stride = this.#stride,
      processed = this.processed,
      width = this.count - processed;
    const vectors = multiplyColumns(this.basis, size, processed, ritz.vectors, keep);
    const coupling = new Float64Array(width * keep);
    for (let k = 0; k < keep; k++) {
      for (let i = 0; i < width; i++) {
        for (let j = 0; j < processed; j++) {
          coupling[k * width + i] +=
            this.#projected[j * stride + processed + i] * ritz.vectors[k * processed + j];
        }
      }
    }
    this.basis.copyWithin(keep * size, processed * size, this.count * size);
    this.basis.set(vectors);
    this.#projected.fill(0);
    for (let k = 0; k < keep; k++) {
      this.#set(k, k, ritz.values[k]);
      if (!afresh) for (let i = 0; i < width; i++) this.#set(keep + i, k, coupling[k * width + i]);
    }
    this.processed = keep;
    this.count = keep + width;
    if (!afresh) return;
    this.count = keep;
    this.#appendNoise();
  }

  /** A random block after the present vectors. */
  #appendNoise(): void {
    const { size } = this.#problem;
    const width = Math.min(this.#block, this.#most - this.count);
    for (let i = this.count * size; i < (this.count + width) * size; i++) this.basis[i] = this.#noise();
    this.count += this.#orthonormalise(width).kept;
  }

  /** How many M-orthonormal vectors there can be. */
  get #most(): number {
    return this.#problem.size - this.#deflate.length / this.#problem.size;
  }

  #set(i: number, j: number, value: number): void {
    this.#projected[j * this.#stride + i] = this.#projected[i * this.#stride + j] = value;
  }

  /**
   * Makes the `width` columns after the present ones orthonormal, to these and to each other; twice, because once
   * leaves what rounding put in. They were V along + Q across. Columns that held nothing new become random ones.
   */
  #orthonormalise(width: number): { along: Float64Array; across: Float64Array; kept: number } {
    const { size } = this.#problem;
    const count = this.count;
    const kept = Math.min(width, this.#most - count);
    const block = this.basis.subarray(count * size, (count + width) * size);
    const along = new Float64Array(count * width);
    let across: Float64Array = new Float64Array(width * width);
    for (let k = 0; k < width; k++) across[k * width + k] = 1;
    for (let pass = 0; pass < 2; pass++) {
      const mass = this.#images.subarray(0, width * size);
      if (pass === 0) this.#problem.applyMass(block, mass, width); // else the block's own factorisation left it
      const lengths = Float64Array.from({ length: width }, (_, k) => this.#lengthOf(block, mass, k));
      const products = this.#removeBasis(block, mass, width);
      const step = multiplyColumns(products, count, width, across, width);
      for (let i = 0; i < along.length; i++) along[i] += step[i];
      across = multiplyColumns(this.#factorBlock(block, width, kept, lengths), width, width, across, width);
    }
    return { along, across, kept };
  }

  #lengthOf(block: Float64Array, mass: Float64Array, k: number): number {
    const { size } = this.#problem;
    return Math.sqrt(Math.max(0, dot(size, block, k * size, mass, k * size)));
  }

  /** Takes the present vectors and the deflated ones out of a block whose product with M is given. */
  #removeBasis(block: Float64Array, mass: Float64Array, width: number): Float64Array {
    const { size } = this.#problem;
    const known = this.#deflate.length / size;
    const outside = gramOf(this.#deflate, known, mass, width, size);
    const products = gramOf(this.basis, this.count, mass, width, size);
    for (let k = 0; k < width; k++) {
      combineColumns(this.#deflate, size, known, outside, k * known, block, k * size, -1);
      combineColumns(this.basis, size, this.count, products, k * this.count, block, k * size, -1);
    }
    return products;
  }

  /** Gram–Schmidt inside the block: block = Q R, Q in its place. Column k of R has a zero diagonal if it was lost. */
  #factorBlock(block: Float64Array, width: number, kept: number, lengths: Float64Array): Float64Array {
    const { size } = this.#problem;
    const mass = this.#images.subarray(0, width * size);
    const R = new Float64Array(width * width);
    this.#problem.applyMass(block, mass, width);
    const products = new Float64Array(width);
    for (let k = 0; k < width; k++) {
      projectColumn(block, size, k, mass, k * size, products);
      R.set(products.subarray(0, k), k * width);
      combineColumns(block, size, k, products, 0, block, k * size, -1);
      combineColumns(mass, size, k, products, 0, mass, k * size, -1);
      const length = this.#lengthOf(block, mass, k);
      if (k >= kept) {
        block.fill(0, k * size, (k + 1) * size);
        mass.fill(0, k * size, (k + 1) * size);
      } else if (length > LOST * lengths[k]) {
        R[k * width + k] = length;
        scaleColumn(size, 1 / length, block, k * size);
        scaleColumn(size, 1 / length, mass, k * size);
      } else this.#replaceColumn(block, mass, k);
    }
    return R;
  }

  /** Sets column k to something random, orthonormal to everything before it. */
  #replaceColumn(block: Float64Array, mass: Float64Array, k: number): void {
    const { size } = this.#problem;
    const column = block.subarray(k * size, (k + 1) * size),
      image = mass.subarray(k * size, (k + 1) * size);
    for (let i = 0; i < size; i++) column[i] = this.#noise();
    const products = new Float64Array(k);
    for (let pass = 0; pass < 3; pass++) {
      this.#problem.applyMass(column, image, 1);
      this.#removeBasis(column, image, 1);
      projectColumn(block, size, k, image, 0, products);
      combineColumns(block, size, k, products, 0, column, 0, -1);
      this.#problem.applyMass(column, image, 1);
      const length = this.#lengthOf(column, image, 0);
      scaleColumn(size, 1 / length, column, 0);
      scaleColumn(size, 1 / length, image, 0);
    }
  }
}

/** Numbers in [−1, 1), the same on every machine. */
function createNoise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return ((x ^ (x >>> 15)) >>> 0) / 2 ** 31 - 1;
  };
}
