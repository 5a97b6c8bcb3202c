import type { Matrix4 } from 'three';

/** The first three rows of a matrix of three.js, which stores columns. */
export function writeRows({ elements }: Matrix4, out: Float64Array): void {
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) out[4 * row + column] = elements[4 * column + row];
  }
}

/** out[o…] = a × b, row-major 3×4 matrices whose last row is 0 0 0 1. `out` must be another array than both. */
export function multiplyRows(a: Float64Array, b: Float64Array, out: Float64Array, o: number): void {
  for (let row = 0; row < 12; row += 4) {
    for (let column = 0; column < 4; column++) {
      const sum = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column];
      out[o + row + column] = column === 3 ? sum + a[row + 3] : sum;
    }
  }
}
