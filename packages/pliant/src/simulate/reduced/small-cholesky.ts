/** Replaces the lower triangle of a full row-major matrix by L of A = L Lᵀ; false when it is not positive definite. */
export function factorSmall(A: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j <= i; j++) {
      const other = j * n;
      let sum = A[row + j];
      for (let k = 0; k < j; k++) sum -= A[row + k] * A[other + k];
      if (j < i) A[row + j] = sum / A[other + j];
      else if (sum > 0 && sum < Infinity) A[row + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** Solves A x = b in place with the factor of `factorSmall`. */
export function solveSmall(L: Float64Array, n: number, b: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= L[i * n + k] * b[k];
    b[i] = sum / L[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    const x = (b[i] /= L[i * n + i]);
    for (let k = 0; k < i; k++) b[k] -= L[i * n + k] * x;
  }
}
