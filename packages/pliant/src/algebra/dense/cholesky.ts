import { dot } from './columns.ts';

/**
 * L of A = L Lᵀ for a symmetric positive definite matrix, kept by rows: l(i, j) is at i size + j, zeros above the
 * diagonal. (By rows, because both the factorisation and forward substitution read rows.)
 */
export interface DenseCholesky {
  readonly size: number;
  readonly lower: Float64Array;
}

/** Only the lower triangle is read, columns one after the other. Undefined when the matrix is not positive definite. */
export function denseCholesky(matrix: Float64Array, size: number): DenseCholesky | undefined {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i++) for (let j = 0; j <= i; j++) lower[i * size + j] = matrix[j * size + i];
  return factorInPlace(lower, size) ? { size, lower } : undefined;
}

/** Replaces the lower triangle of A, kept by rows, by L; false when A is not positive definite. Allocates nothing. */
export function factorInPlace(A: Float64Array, size: number): boolean {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const rest = A[i * size + j] - dot(j, A, i * size, A, j * size);
      if (j < i) A[i * size + j] = rest / A[j * size + j];
      else if (rest > 0 && rest < Infinity) A[i * size + i] = Math.sqrt(rest);
      else return false;
    }
  }
  return true;
}

/** Solves A X = B in place, `columns` right-hand sides one after the other. */
export function solveDense({ size, lower }: DenseCholesky, b: Float64Array, columns = 1): void {
  for (let o = 0; o < columns * size; o += size) solveInPlace(lower, size, b, o);
}

/** Solves A x = b in place with the L of `factorInPlace`, b from an offset on. */
export function solveInPlace(lower: Float64Array, size: number, b: Float64Array, o = 0): void {
  forward(lower, size, b, o);
  backward(lower, size, b, o);
}

/** X ← L⁻¹ B in place. */
export function solveLower({ size, lower }: DenseCholesky, b: Float64Array, columns = 1): void {
  for (let o = 0; o < columns * size; o += size) forward(lower, size, b, o);
}

/** X ← L⁻ᵀ B in place. */
export function solveLowerTransposed({ size, lower }: DenseCholesky, b: Float64Array, columns = 1): void {
  for (let o = 0; o < columns * size; o += size) backward(lower, size, b, o);
}

function forward(lower: Float64Array, size: number, b: Float64Array, o: number): void {
  for (let i = 0; i < size; i++) {
    b[o + i] = (b[o + i] - dot(i, lower, i * size, b, o)) / lower[i * size + i];
  }
}

function backward(lower: Float64Array, size: number, b: Float64Array, o: number): void {
  for (let i = size - 1; i >= 0; i--) {
    const x = (b[o + i] /= lower[i * size + i]);
    for (let k = 0; k < i; k++) b[o + k] -= lower[i * size + k] * x;
  }
}
