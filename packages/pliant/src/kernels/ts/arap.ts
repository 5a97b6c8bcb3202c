/** See kernels/arap.ts. Addresses are in units of the views they are used with. */

import { fitWithCare, LARGEST, SMALLEST } from './arap-care.ts';

export const MATRIX = 10;
export const CHUNK = 128;
export const CARE = 32;

/* Beside the matrix at `out` in `f64`: Σ w |p − p_j|². */
function addSpokes(
  f64: Float64Array,
  u32: Uint32Array,
  i: number,
  points: number,
  start: number,
  neighbour: number,
  spoke: number,
  out: number,
): void {
  const from = u32[start + i],
    to = u32[start + i + 1];
  const px = f64[points + 3 * i],
    py = f64[points + 3 * i + 1],
    pz = f64[points + 3 * i + 2];
  let m00 = f64[out],
    m10 = f64[out + 1],
    m01 = f64[out + 2],
    m11 = f64[out + 3],
    m02 = f64[out + 4],
    m12 = f64[out + 5],
    m20 = f64[out + 6],
    m21 = f64[out + 7],
    m22 = f64[out + 8],
    z = f64[out + 9],
    x = 0,
    y = 0;
  for (let k = from; k < to; k++) {
    const p = points + 3 * u32[neighbour + k],
      s = spoke + 4 * k;
    const ex = px - f64[p],
      ey = py - f64[p + 1],
      ez = pz - f64[p + 2];
    const wx = f64[s],
      wy = f64[s + 1],
      wz = f64[s + 2],
      w = f64[s + 3];
    m00 += ex * wx;
    m10 += ey * wx;
    m01 += ex * wy;
    m11 += ey * wy;
    m02 += ex * wz;
    m12 += ey * wz;
    m20 += ez * wx;
    m21 += ez * wy;
    m22 += ez * wz;
    z += ez * w * ez;
    x += ex * ex * w;
    y += ey * ey * w;
  }
  f64[out] = m00;
  f64[out + 1] = m10;
  f64[out + 2] = m01;
  f64[out + 3] = m11;
  f64[out + 4] = m02;
  f64[out + 5] = m12;
  f64[out + 6] = m20;
  f64[out + 7] = m21;
  f64[out + 8] = m22;
  f64[out + 9] = z + (x + y);
}

export function gatherSpokes(
  f64: Float64Array,
  u32: Uint32Array,
  count: number,
  points: number,
  start: number,
  neighbour: number,
  spoke: number,
  labels: number,
  groups: number,
  matrices: number,
): void {
  f64.fill(0, matrices, matrices + MATRIX * groups);
  for (let i = 0; i < count; i++) {
    addSpokes(f64, u32, i, points, start, neighbour, spoke, matrices + MATRIX * u32[labels + i]);
  }
}

export function fitSpokes(
  f64: Float64Array,
  u32: Uint32Array,
  count: number,
  points: number,
  start: number,
  neighbour: number,
  spoke: number,
  rotations: number,
  b: number,
  scratch: number,
): number {
  const M = scratch + CARE;
  let energy = 0;
  f64.fill(0, b, b + 3 * count);
  for (let from = 0; from < count; from += CHUNK) {
    const n = Math.min(CHUNK, count - from),
      R = rotations + MATRIX * from;
    f64.fill(0, M, M + MATRIX * n);
    for (let i = 0; i < n; i++) {
      addSpokes(f64, u32, from + i, points, start, neighbour, spoke, M + MATRIX * i);
    }
    fitMatrices(f64, n, M, R, scratch);
    for (let i = 0; i < n; i++) {
      energy += f64[M + MATRIX * i + 9] * 0.25 - f64[R + MATRIX * i + 9] * 0.5;
      scatterSpokes(f64, u32, from + i, start, neighbour, spoke, R + MATRIX * i, b);
    }
  }
  return energy;
}

function scatterSpokes(
  f64: Float64Array,
  u32: Uint32Array,
  i: number,
  start: number,
  neighbour: number,
  spoke: number,
  R: number,
  b: number,
): void {
  const r00 = f64[R] * 0.5,
    r10 = f64[R + 1] * 0.5,
    r01 = f64[R + 2] * 0.5,
    r11 = f64[R + 3] * 0.5,
    r02 = f64[R + 4] * 0.5,
    r12 = f64[R + 5] * 0.5,
    r20 = f64[R + 6] * 0.5,
    r21 = f64[R + 7] * 0.5,
    r22 = f64[R + 8] * 0.5;
  let sx = 0,
    sy = 0,
    sz = 0;
  for (let k = u32[start + i]; k < u32[start + i + 1]; k++) {
    const s = spoke + 4 * k,
      other = b + 3 * u32[neighbour + k];
    const x = r00 * f64[s] + r01 * f64[s + 1] + r02 * f64[s + 2],
      y = r10 * f64[s] + r11 * f64[s + 1] + r12 * f64[s + 2],
      z = r20 * f64[s] + r21 * f64[s + 1] + r22 * f64[s + 2];
    f64[other] -= x;
    f64[other + 1] -= y;
    f64[other + 2] -= z;
    sx += x;
    sy += y;
    sz += z;
  }
  f64[b + 3 * i] += sx;
  f64[b + 3 * i + 1] += sy;
  f64[b + 3 * i + 2] += sz;
}

export function sumSpokes(
  f64: Float64Array,
  u32: Uint32Array,
  count: number,
  start: number,
  neighbour: number,
  spoke: number,
  labels: number,
  rotations: number,
  b: number,
): void {
  for (let i = 0; i < count; i++) {
    const from = u32[start + i],
      to = u32[start + i + 1];
    let x = 0,
      y = 0,
      zx = 0,
      zy = 0,
      zz = 0,
      sx = 0,
      sy = 0,
      sz = 0;
    for (let k = from; k <= to; k++) {
      // Last the vertex's own, by which the sum of all its spokes turns.
      const j = k < to ? u32[neighbour + k] : i;
      const R = rotations + MATRIX * u32[labels + j];
      let wx = sx,
        wy = sy,
        wz = sz;
      if (k < to) {
        const s = spoke + 4 * k;
        wx = f64[s];
        wy = f64[s + 1];
        wz = f64[s + 2];
        sx += wx;
        sy += wy;
        sz += wz;
      }
      x += f64[R] * wx + f64[R + 2] * wy + f64[R + 4] * wz;
      y += f64[R + 1] * wx + f64[R + 3] * wy + f64[R + 5] * wz;
      zx += f64[R + 6] * wx;
      zy += f64[R + 7] * wy;
      zz += f64[R + 8] * wz;
    }
    f64[b + 3 * i] = x * 0.5;
    f64[b + 3 * i + 1] = y * 0.5;
    f64[b + 3 * i + 2] = (zx + zy + zz) * 0.5;
  }
}

const ROUNDING = 2 ** -49;
const STEPS = 32;
const SURE = 1e-5;

export function fitMatrices(
  f64: Float64Array,
  count: number,
  matrices: number,
  rotations: number,
  scratch: number,
): void {
  for (let k = 0; k < count; k++) {
    const M = matrices + MATRIX * k,
      R = rotations + MATRIX * k;
    if (!fit(f64, M, R)) fitWithCare(f64, M, R, scratch);
  }
}

/** False, and nothing written, where several rotations are nearly as good as one another. */
function fit(f64: Float64Array, M: number, R: number): boolean {
  const m00 = f64[M],
    m10 = f64[M + 1],
    m01 = f64[M + 2],
    m11 = f64[M + 3],
    m02 = f64[M + 4],
    m12 = f64[M + 5],
    m20 = f64[M + 6],
    m21 = f64[M + 7],
    m22 = f64[M + 8];
  const size2 =
    m00 * m00 +
    m10 * m10 +
    m20 * m20 +
    (m01 * m01 + m11 * m11 + m21 * m21) +
    (m02 * m02 + m12 * m12 + m22 * m22);
  if (!(size2 > SMALLEST && size2 < LARGEST)) return false;
  const scale = 1 / Math.sqrt(size2);
  const xx = m00 * scale,
    yx = m10 * scale,
    zx = m20 * scale,
    xy = m01 * scale,
    yy = m11 * scale,
    zy = m21 * scale,
    xz = m02 * scale,
    yz = m12 * scale,
    zz = m22 * scale;
  const na = xx + yy + zz,
    b = zy - yz,
    c = xz - zx,
    d = yx - xy,
    ne = xx - yy - zz,
    f = xy + yx,
    g = xz + zx,
    nh = yy - xx - zz,
    i = yz + zy,
    nj = zz - xx - yy;
  const linear = (xx * (yy * zz - yz * zy) + xy * (yz * zx - yx * zz) + xz * (yx * zy - yy * zx)) * 8;
  const same = c * g - f * d;
  const constant =
    (na * ne - b * b) * (nh * nj - i * i) -
    (na * f - c * b) * (f * nj - i * g) +
    ((na * g - d * b) * (f * i - nh * g) + (b * f - c * ne) * (c * nj - i * d)) +
    (same * same - (b * g - d * ne) * (c * i - nh * d));
  let x = 1.7320508075688774;
  for (let step = 0; step < STEPS; step++) {
    const square = x * x;
    const value = ((square - 2) * x - linear) * x + constant;
    if (!(value > ROUNDING)) break;
    x -= value / ((square - 1) * x * 4 - linear);
  }
  const a = na - x,
    e = ne - x,
    h = nh - x,
    j = nj - x;
  const s02 = c * i - h * d,
    s03 = c * j - i * d,
    s12 = f * i - h * g,
    s13 = f * j - i * g,
    s23 = h * j - i * i,
    t01 = a * e - b * b,
    t02 = a * f - c * b,
    t03 = a * g - d * b,
    t12 = b * f - c * e,
    t13 = b * g - d * e;
  const q00 = e * s23 - f * s13 + g * s12,
    q11 = a * s23 - c * s03 + d * s02,
    q22 = d * t13 - g * t03 + j * t01,
    q33 = c * t12 - f * t02 + h * t01;
  const q01 = c * s13 - b * s23 - d * s12,
    q02 = g * same - i * t13 + j * t12,
    q03 = h * t13 - f * same - i * t12,
    q12 = i * t03 - d * same - j * t02,
    q13 = c * same - h * t03 + i * t02,
    q23 = f * t03 - c * t13 - i * t01;
  let most = Math.abs(q00),
    qw = q00,
    qx = q01,
    qy = q02,
    qz = q03;
  if (Math.abs(q11) > most) {
    most = Math.abs(q11);
    qw = q01;
    qx = q11;
    qy = q12;
    qz = q13;
  }
  if (Math.abs(q22) > most) {
    most = Math.abs(q22);
    qw = q02;
    qx = q12;
    qy = q22;
    qz = q23;
  }
  if (Math.abs(q33) > most) {
    most = Math.abs(q33);
    qw = q03;
    qx = q13;
    qy = q23;
    qz = q33;
  }
  if (!(most > SURE)) return false;
  const s = 2 / (qw * qw + qx * qx + (qy * qy + qz * qz));
  const sx = qx * s,
    sy = qy * s,
    sz = qz * s;
  const wx = qw * sx,
    wy = qw * sy,
    wz = qw * sz,
    qxx = qx * sx,
    qxy = qx * sy,
    qxz = qx * sz,
    qyy = qy * sy,
    qyz = qy * sz,
    qzz = qz * sz;
  const r00 = 1 - (qyy + qzz),
    r01 = qxy - wz,
    r02 = qxz + wy,
    r10 = qxy + wz,
    r11 = 1 - (qxx + qzz),
    r12 = qyz - wx,
    r20 = qxz - wy,
    r21 = qyz + wx,
    r22 = 1 - (qxx + qyy);
  f64[R] = r00;
  f64[R + 1] = r10;
  f64[R + 2] = r01;
  f64[R + 3] = r11;
  f64[R + 4] = r02;
  f64[R + 5] = r12;
  f64[R + 6] = r20;
  f64[R + 7] = r21;
  f64[R + 8] = r22;
  f64[R + 9] =
    r00 * m00 +
    r10 * m10 +
    r20 * m20 +
    (r01 * m01 + r11 * m11 + r21 * m21) +
    (r02 * m02 + r12 * m12 + r22 * m22);
  return true;
}
