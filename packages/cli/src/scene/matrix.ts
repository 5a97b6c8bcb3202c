import { IDENTITY_MATRIX } from './scene.ts';

/** Row-major 3×4 matrices. */
export function isSingular(m: Float64Array): boolean {
  const determinant =
    m[0] * (m[5] * m[10] - m[6] * m[9]) -
    m[1] * (m[4] * m[10] - m[6] * m[8]) +
    m[2] * (m[4] * m[9] - m[5] * m[8]);
  return determinant === 0;
}

export function isIdentity(m: Float64Array): boolean {
  return IDENTITY_MATRIX.every((value, k) => m[k] === value);
}
