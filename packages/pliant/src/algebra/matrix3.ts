/*
 * 3×3 matrices, nine numbers from an offset on, row-major. What these functions claim holds for the numbers as they
 * stand, all roundings included. Bounds come and go in arrays: passing a number through a call may box it.
 */

/** Covers the roundings of every sum of squares and root here, many times over. */
const UP = 1 + 2 ** -48;
/** A Cholesky factorisation is off by a few 2⁻⁵³ of the trace. */
const PIVOT_ERROR = 2 ** -48;
/** … and by what is lost below the smallest float64 of full precision. */
const TINY = 2 ** -990;
/** No more than this is lost of a norm when its square underflows. */
const UNDERFLOW = 2 ** -500;

/**
 * Upper bound of ‖A‖, the largest singular value: the root of the largest row sum of |AᵀA| (Gershgorin). Exact for
 * rotations times a scale, else at most √3 too large; usually 1.17 at most. Goes to out[k].
 */
export function writeNormUpperBound(A: Float64Array, o: number, out: Float64Array, k: number): void {
  const a = A[o],
    b = A[o + 1],
    c = A[o + 2],
    d = A[o + 3],
    e = A[o + 4],
    f = A[o + 5],
    g = A[o + 6],
    h = A[o + 7],
    i = A[o + 8];
  const xy = Math.abs(a * b + d * e + g * h),
    xz = Math.abs(a * c + d * f + g * i),
    yz = Math.abs(b * c + e * f + h * i);
  const x = a * a + d * d + g * g + xy + xz,
    y = b * b + e * e + h * h + xy + yz,
    z = c * c + f * f + i * i + xz + yz;
  // The products above may cancel: their error is relative to the diagonal, which is in the sum as well.
  out[k] = Math.sqrt(Math.max(x, y, z)) * UP + UNDERFLOW;
}

/** True proves that every singular value of A is above the k-th of `bounds`: AᵀA − bound² is positive definite. */
export function isSteeperThan(A: Float64Array, o: number, bounds: Float64Array, k: number): boolean {
  const a = A[o],
    b = A[o + 1],
    c = A[o + 2],
    d = A[o + 3],
    e = A[o + 4],
    f = A[o + 5],
    g = A[o + 6],
    h = A[o + 7],
    i = A[o + 8];
  const xx = a * a + d * d + g * g,
    xy = a * b + d * e + g * h,
    xz = a * c + d * f + g * i,
    yy = b * b + e * e + h * h,
    yz = b * c + e * f + h * i,
    zz = c * c + f * f + i * i;
  const shift = bounds[k] * bounds[k] * UP;
  const less = shift + (xx + yy + zz + shift) * PIVOT_ERROR + TINY;
  // Cholesky: the pivots of what is left.
  const p = xx - less;
  if (!(p > 0)) return false;
  const q = yy - less - (xy * xy) / p;
  if (!(q > 0)) return false;
  const u = yz - (xy * xz) / p;
  return zz - less - (xz * xz) / p - (u * u) / q > 0;
}

/** True proves that vᵀRᵀAv > bound · v² for all v: the symmetric part of RᵀA, less the bound, is positive definite. */
export function isAlignedBeyond(
  A: Float64Array,
  o: number,
  R: Float64Array,
  bounds: Float64Array,
  k: number,
): boolean {
  let xx = 0,
    xy = 0,
    xz = 0,
    yy = 0,
    yz = 0,
    zz = 0,
    size = 0;
  for (let row = 0; row < 9; row += 3) {
    const a = A[o + row],
      b = A[o + row + 1],
      c = A[o + row + 2];
    const r = R[row],
      s = R[row + 1],
      t = R[row + 2];
    xx += r * a;
    yy += s * b;
    zz += t * c;
    xy += (r * b + s * a) / 2;
    xz += (r * c + t * a) / 2;
    yz += (s * c + t * b) / 2;
    size += (Math.abs(a) + Math.abs(b) + Math.abs(c)) * (Math.abs(r) + Math.abs(s) + Math.abs(t));
  }
  const shift = bounds[k] * UP + size * PIVOT_ERROR;
  const less = shift + (size + shift) * PIVOT_ERROR + TINY;
  const p = xx - less;
  if (!(p > 0)) return false;
  const q = yy - less - (xy * xy) / p;
  if (!(q > 0)) return false;
  const u = yz - (xy * xz) / p;
  return zz - less - (xz * xz) / p - (u * u) / q > 0;
}

/**
 * A matrix near the orthogonal factor of A = QP, by Newton's iteration, divided by its norm: whatever comes out has
 * norm 1 at most. False when A is close to singular.
 */
export function writeRotation(A: Float64Array, out: Float64Array): boolean {
  writeNormUpperBound(A, 0, out, 0);
  const scale = out[0];
  if (!(scale > 2 ** -400 && scale < 2 ** 400)) return false;
  for (let k = 0; k < 9; k++) out[k] = A[k] / scale;
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const a = out[0],
      b = out[1],
      c = out[2],
      d = out[3],
      e = out[4],
      f = out[5],
      g = out[6],
      h = out[7],
      i = out[8];
    const A0 = e * i - f * h,
      A1 = f * g - d * i,
      A2 = d * h - e * g;
    const determinant = a * A0 + b * A1 + c * A2;
    if (!(Math.abs(determinant) > 1e-12)) return false;
    // Scaled by det^(−1/3), which brings all singular values around 1 and saves steps.
    const s = 1 / Math.cbrt(Math.abs(determinant)),
      t = 1 / (s * determinant);
    out[0] = (s * a + t * A0) / 2;
    out[1] = (s * b + t * A1) / 2;
    out[2] = (s * c + t * A2) / 2;
    out[3] = (s * d + t * (c * h - b * i)) / 2;
    out[4] = (s * e + t * (a * i - c * g)) / 2;
    out[5] = (s * f + t * (b * g - a * h)) / 2;
    out[6] = (s * g + t * (b * f - c * e)) / 2;
    out[7] = (s * h + t * (c * d - a * f)) / 2;
    out[8] = (s * i + t * (a * e - b * d)) / 2;
  }
  const first = out[0];
  writeNormUpperBound(out, 0, out, 0);
  const norm = out[0];
  out[0] = first;
  for (let k = 0; k < 9; k++) out[k] /= norm;
  return true;
}

const NEWTON_STEPS = 6;

/** Solves A x = b for a symmetric matrix given as xx, yy, zz, xy, xz, yz. */
export function solveSymmetric(A: Float64Array, x: number, y: number, z: number, out: Float64Array): void {
  const a = A[0],
    b = A[1],
    c = A[2],
    d = A[3],
    e = A[4],
    f = A[5];
  const xx = b * c - f * f,
    yy = a * c - e * e,
    zz = a * b - d * d;
  const xy = e * f - d * c,
    xz = d * f - e * b,
    yz = d * e - a * f;
  const determinant = a * xx + d * xy + e * xz;
  out[0] = (xx * x + xy * y + xz * z) / determinant;
  out[1] = (xy * x + yy * y + yz * z) / determinant;
  out[2] = (xz * x + yz * y + zz * z) / determinant;
}
