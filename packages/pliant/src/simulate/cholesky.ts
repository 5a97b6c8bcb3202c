/** L of A = L Lᵀ for a symmetric positive definite matrix, rows of the lower triangle one after the other. */
export interface CholeskyFactor {
  readonly size: number;
  readonly lower: Float64Array; // row i starts at i (i + 1) / 2
}

/** `matrix` is full and row-major; only its lower triangle is read. Undefined when it is not positive definite. */
export function factorCholesky(matrix: Float64Array, size: number): CholeskyFactor | undefined {
  const lower = new Float64Array((size * (size + 1)) / 2);
  for (let i = 0, row = 0; i < size; row += ++i) {
    for (let j = 0, other = 0; j <= i; other += ++j) {
      let sum = matrix[i * size + j];
      for (let k = 0; k < j; k++) sum -= lower[row + k] * lower[other + k];
      if (j < i) lower[row + j] = sum / lower[other + j];
      else if (sum > 0) lower[row + i] = Math.sqrt(sum);
      else return undefined;
    }
  }
  return { size, lower };
}

/** Solves A X = B in place for three right-hand sides, x, y, z of each row together. */
export function solveCholesky({ size, lower }: CholeskyFactor, b: Float64Array): void {
  let row = 0;
  for (let i = 0; i < size; row += ++i) {
    let x = b[3 * i],
      y = b[3 * i + 1],
      z = b[3 * i + 2];
    for (let k = 0; k < i; k++) {
      const l = lower[row + k];
      x -= l * b[3 * k];
      y -= l * b[3 * k + 1];
      z -= l * b[3 * k + 2];
    }
    const d = lower[row + i];
    b[3 * i] = x / d;
    b[3 * i + 1] = y / d;
    b[3 * i + 2] = z / d;
  }
  for (let i = size - 1; i >= 0; i--) {
    row -= i + 1;
    const d = lower[row + i];
    const x = (b[3 * i] /= d),
      y = (b[3 * i + 1] /= d),
      z = (b[3 * i + 2] /= d);
    for (let k = 0; k < i; k++) {
      const l = lower[row + k];
      b[3 * k] -= l * x;
      b[3 * k + 1] -= l * y;
      b[3 * k + 2] -= l * z;
    }
  }
}
