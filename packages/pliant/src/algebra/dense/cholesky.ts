import { dot } from './columns.ts';

/**
 * L of A = L Lᵀ for a symmetric positive definite matrix, kept by rows: l(i, j) is at i size + j, zeros above the
 * diagonal. (By rows, because both the factorisation and forward substitution read rows.)
 */
export interface DenseCholesky {
  readonly size: number;
  readonly lower: Float64Array;
}

/** Only the lower triangle is read. Undefined when the matrix is not positive definite. */
export function denseCholesky(matrix: Float64Array, size: number): DenseCholesky | undefined {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const rest = matrix[j * size + i] - dot(j, lower, i * size, lower, j * size);
      if (j < i) lower[i * size + j] = rest / lower[j * size + j];
      else if (rest > 0 && rest < Infinity) lower[i * size + i] = Math.sqrt(rest);
      else return undefined;
    }
  }
  return { size, lower };
}

/** Solves A X = B in place, `columns` right-hand sides one after the other. */
export function solveDense(factor: DenseCholesky, b: Float64Array, columns = 1): void {
  solveLower(factor, b, columns);
  solveLowerTransposed(factor, b, columns);
}

/** X ← L⁻¹ B in place. */
export function solveLower({ size, lower }: DenseCholesky, b: Float64Array, columns = 1): void {
  for (let o = 0; o < columns * size; o += size) {
    for (let i = 0; i < size; i++) {
      b[o + i] = (b[o + i] - dot(i, lower, i * size, b, o)) / lower[i * size + i];
    }
  }
}

/** X ← L⁻ᵀ B in place. */
export function solveLowerTransposed({ size, lower }: DenseCholesky, b: Float64Array, columns = 1): void {
  for (let o = 0; o < columns * size; o += size) {
    for (let i = size - 1; i >= 0; i--) {
      const x = (b[o + i] /= lower[i * size + i]);
      for (let k = 0; k < i; k++) b[o + k] -= lower[i * size + k] * x;
    }
  }
}
