import { checkNumbers, type NumberArray } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';

/** A row-major 3×4 matrix: how every handle, joint and world placement is given. */
export const MATRIX_LENGTH = 12;

export const IDENTITY = Object.freeze([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);

/** Copies a matrix that has finite numbers; it may be singular, mirrored or sheared. */
export function copyMatrix(what: string, matrix: unknown, out: Float64Array): void {
  checkMatrix(what, matrix);
  for (let k = 0; k < MATRIX_LENGTH; k++) out[k] = matrix[k];
}

export function checkMatrix(what: string, matrix: unknown): asserts matrix is NumberArray {
  checkNumbers(what, matrix, MATRIX_LENGTH);
  for (let k = 0; k < MATRIX_LENGTH; k++) {
    if (Math.abs(matrix[k]) <= 2 ** 300) continue;
    throw new InputError('out-of-range', `${what}[${k}] is ${matrix[k]}; the limit is 2^300`);
  }
}

export function isIdentity(matrix: Float64Array): boolean {
  for (let k = 0; k < MATRIX_LENGTH; k++) if (matrix[k] !== IDENTITY[k]) return false;
  return true;
}

/** One point; the operation order is that of the kernel transformPoints. */
export function transformPoint(
  m: Float64Array,
  p: Float64Array,
  o: number,
  out: Float64Array,
  r: number,
): void {
  const x = p[o],
    y = p[o + 1],
    z = p[o + 2];
  out[r] = m[0] * x + m[1] * y + m[2] * z + m[3];
  out[r + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
  out[r + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
}
