import { COORDINATE_LIMIT } from '../../mesh/check-input.ts';
import type { Views } from './handle-block.ts';

/** Operation order, here and below: that of kernels/deform.ts. */
export function gatherPoints(
  { f64, u32 }: Views,
  from: number,
  fromCount: number,
  source: number,
  count: number,
  out: number,
): number {
  let bad = 0; // no branch per number
  for (let i = from; i < from + 3 * fromCount; i++) bad |= +!(Math.abs(f64[i]) < COORDINATE_LIMIT);
  for (let i = 0, o = out; i < count; i++, o += 3) {
    const p = from + 3 * u32[source + i];
    for (let c = 0; c < 3; c++) {
      f64[o + c] = f64[p + c];
      bad |= +!(Math.abs(f64[p + c]) < COORDINATE_LIMIT);
    }
  }
  return +(bad === 0);
}

export function transformPoints(
  f64: Float64Array,
  rest: number,
  count: number,
  m: number,
  out: number,
): void {
  const m00 = f64[m],
    m01 = f64[m + 1],
    m02 = f64[m + 2],
    m03 = f64[m + 3];
  const m10 = f64[m + 4],
    m11 = f64[m + 5],
    m12 = f64[m + 6],
    m13 = f64[m + 7];
  const m20 = f64[m + 8],
    m21 = f64[m + 9],
    m22 = f64[m + 10],
    m23 = f64[m + 11];
  for (let i = 0, p = rest, o = out; i < count; i++, p += 3, o += 3) {
    const x = f64[p],
      y = f64[p + 1],
      z = f64[p + 2];
    f64[o] = m00 * x + m01 * y + m02 * z + m03;
    f64[o + 1] = m10 * x + m11 * y + m12 * z + m13;
    f64[o + 2] = m20 * x + m21 * y + m22 * z + m23;
  }
}

export function morphPoints(
  f64: Float64Array,
  u32: Uint32Array,
  rest: number,
  count: number,
  start: number,
  mode: number,
  delta: number,
  weights: number,
  out: number,
): void {
  for (let i = 0, p = rest, o = out; i < count; i++, p += 3, o += 3) {
    let x = f64[p],
      y = f64[p + 1],
      z = f64[p + 2];
    for (let k = u32[start + i]; k < u32[start + i + 1]; k++) {
      const q = f64[weights + u32[mode + k]];
      const d = delta + 3 * k;
      x += q * f64[d];
      y += q * f64[d + 1];
      z += q * f64[d + 2];
    }
    f64[o] = x;
    f64[o + 1] = y;
    f64[o + 2] = z;
  }
}

export function skinPoints(
  f64: Float64Array,
  u32: Uint32Array,
  points: number,
  count: number,
  start: number,
  joint: number,
  weight: number,
  matrices: number,
  out: number,
): void {
  for (let i = 0, p = points, o = out; i < count; i++, p += 3, o += 3) {
    let t0 = 0,
      t1 = 0,
      t2 = 0,
      t3 = 0,
      t4 = 0,
      t5 = 0,
      t6 = 0,
      t7 = 0,
      t8 = 0,
      t9 = 0,
      t10 = 0,
      t11 = 0;
    for (let k = u32[start + i]; k < u32[start + i + 1]; k++) {
      const w = f64[weight + k];
      const m = matrices + 12 * u32[joint + k];
      t0 += w * f64[m];
      t1 += w * f64[m + 1];
      t2 += w * f64[m + 2];
      t3 += w * f64[m + 3];
      t4 += w * f64[m + 4];
      t5 += w * f64[m + 5];
      t6 += w * f64[m + 6];
      t7 += w * f64[m + 7];
      t8 += w * f64[m + 8];
      t9 += w * f64[m + 9];
      t10 += w * f64[m + 10];
      t11 += w * f64[m + 11];
    }
    const x = f64[p],
      y = f64[p + 1],
      z = f64[p + 2];
    f64[o] = t0 * x + t2 * z + (t1 * y + t3);
    f64[o + 1] = t4 * x + t6 * z + (t5 * y + t7);
    f64[o + 2] = t8 * x + t10 * z + (t9 * y + t11);
  }
}
