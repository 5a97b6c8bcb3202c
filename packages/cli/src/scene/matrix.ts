import { IDENTITY_MATRIX } from './scene.ts';

/** Ratio of the shortest to the longest column below which a matrix counts as flattening. */
const LEAST_RATIO = 1e-9;
/** Volume of the image of a cube, as a share of what the lengths of its sides would allow. */
const LEAST_VOLUME = 1e-12;

/** Whether a row-major 3×4 matrix, from `m[o]` on, flattens everything to working precision, or is zero. */
export function isDegenerate(m: ArrayLike<number>, o = 0): boolean {
  const x = Math.hypot(m[o], m[o + 4], m[o + 8]);
  const y = Math.hypot(m[o + 1], m[o + 5], m[o + 9]);
  const z = Math.hypot(m[o + 2], m[o + 6], m[o + 10]);
  if (Math.min(x, y, z) <= LEAST_RATIO * Math.max(x, y, z)) return true;
  const at = (row: number, column: number, length: number) => m[o + 4 * row + column] / length;
  const determinant =
    at(0, 0, x) * (at(1, 1, y) * at(2, 2, z) - at(1, 2, z) * at(2, 1, y)) -
    at(0, 1, y) * (at(1, 0, x) * at(2, 2, z) - at(1, 2, z) * at(2, 0, x)) +
    at(0, 2, z) * (at(1, 0, x) * at(2, 1, y) - at(1, 1, y) * at(2, 0, x));
  return Math.abs(determinant) <= LEAST_VOLUME;
}

export function isIdentity(m: Float64Array): boolean {
  return IDENTITY_MATRIX.every((value, k) => m[k] === value);
}
