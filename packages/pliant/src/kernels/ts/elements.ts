/** See kernels/elements.ts. Addresses are in units of the views they are used with. */

import { CARE, CHUNK, fitMatrices, MATRIX } from './arap.ts';

const ELEMENT = 10;

function writeGradient(
  f64: Float64Array,
  u32: Uint32Array,
  points: number,
  corners: number,
  element: number,
  out: number,
): void {
  const first = points + 3 * u32[corners];
  const px = f64[first],
    py = f64[first + 1],
    pz = f64[first + 2];
  f64.fill(0, out, out + 9);
  for (let k = 1, g = element; k < 4; k++, g += 3) {
    const p = points + 3 * u32[corners + k];
    const ex = f64[p] - px,
      ey = f64[p + 1] - py,
      ez = f64[p + 2] - pz;
    const gx = f64[g],
      gy = f64[g + 1],
      gz = f64[g + 2];
    f64[out] += ex * gx;
    f64[out + 1] += ey * gx;
    f64[out + 2] += ex * gy;
    f64[out + 3] += ey * gy;
    f64[out + 4] += ex * gz;
    f64[out + 5] += ey * gz;
    f64[out + 6] += ez * gx;
    f64[out + 7] += ez * gy;
    f64[out + 8] += ez * gz;
  }
  const even = squares(f64, out),
    odd = squares(f64, out + 1);
  f64[out + 9] = even + odd + f64[out + 8] * f64[out + 8];
}

function squares(f64: Float64Array, o: number): number {
  return f64[o] * f64[o] + f64[o + 2] * f64[o + 2] + (f64[o + 4] * f64[o + 4] + f64[o + 6] * f64[o + 6]);
}

export function fitElements(
  f64: Float64Array,
  u32: Uint32Array,
  count: number,
  points: number,
  corners: number,
  elements: number,
  rotations: number,
  targets: number,
  least: number,
  most: number,
  scratch: number,
): number {
  const M = scratch + CARE;
  let energy = 0;
  for (let from = 0; from < count; from += CHUNK) {
    const n = Math.min(CHUNK, count - from),
      R = rotations + MATRIX * from,
      e = elements + ELEMENT * from,
      c = corners + 4 * from;
    for (let i = 0; i < n; i++) {
      writeGradient(f64, u32, points, c + 4 * i, e + ELEMENT * i, M + MATRIX * i);
    }
    fitMatrices(f64, n, M, R, scratch);
    for (let i = 0; i < n; i++) {
      const o = MATRIX * i,
        volume = f64[e + ELEMENT * i + 9];
      if (targets > 0) {
        energy += volume * limit(f64, M + o, R + o, targets + MATRIX * from + o, least, most);
      } else energy += volume * (f64[M + o + 9] * 0.5 + 1.5 - f64[R + o + 9]);
    }
  }
  return energy;
}

export function sumElements(
  f64: Float64Array,
  u32: Uint32Array,
  count: number,
  vertices: number,
  corners: number,
  elements: number,
  targets: number,
  b: number,
): void {
  f64.fill(0, b, b + 3 * vertices);
  for (let i = 0; i < count; i++) {
    const c = corners + 4 * i,
      e = elements + ELEMENT * i,
      t = targets + MATRIX * i;
    const volume = f64[e + 9];
    const t00 = f64[t] * volume,
      t10 = f64[t + 1] * volume,
      t01 = f64[t + 2] * volume,
      t11 = f64[t + 3] * volume,
      t02 = f64[t + 4] * volume,
      t12 = f64[t + 5] * volume,
      t20 = f64[t + 6] * volume,
      t21 = f64[t + 7] * volume,
      t22 = f64[t + 8] * volume;
    let sx = 0,
      sy = 0,
      sz = 0;
    for (let k = 1, g = e; k < 4; k++, g += 3) {
      const at = b + 3 * u32[c + k];
      const gx = f64[g],
        gy = f64[g + 1],
        gz = f64[g + 2];
      const x = t00 * gx + t01 * gy + t02 * gz,
        y = t10 * gx + t11 * gy + t12 * gz,
        z = t20 * gx + t21 * gy + t22 * gz;
      f64[at] += x;
      f64[at + 1] += y;
      f64[at + 2] += z;
      sx += x;
      sy += y;
      sz += z;
    }
    const first = b + 3 * u32[c];
    f64[first] -= sx;
    f64[first + 1] -= sy;
    f64[first + 2] -= sz;
  }
}

const SWEEPS = 8;
const TURN = 1e-14;

function limit(f64: Float64Array, F: number, R: number, T: number, least: number, most: number): number {
  let a = product(f64, R, 0, F, 0),
    d = product(f64, R, 1, F, 1),
    f = product(f64, R, 2, F, 2),
    b = (product(f64, R, 0, F, 1) + product(f64, R, 1, F, 0)) * 0.5,
    c = (product(f64, R, 0, F, 2) + product(f64, R, 2, F, 0)) * 0.5,
    e = (product(f64, R, 1, F, 2) + product(f64, R, 2, F, 1)) * 0.5;
  if (
    isPositive(a - least, b, c, d - least, e, f - least) &&
    isPositive(most - a, -b, -c, most - d, -e, most - f)
  ) {
    f64.copyWithin(T, F, F + 9);
    return 0;
  }
  let q00 = 1,
    q01 = 0,
    q02 = 0,
    q10 = 0,
    q11 = 1,
    q12 = 0,
    q20 = 0,
    q21 = 0,
    q22 = 1;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let isTurning = false;
    if (Math.abs(b) > TURN * (Math.abs(a) + Math.abs(d))) {
      const theta = (d - a) / (2 * b),
        t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1)),
        k = 1 / Math.sqrt(t * t + 1),
        s = t * k;
      const x = c,
        x0 = q00,
        x1 = q10,
        x2 = q20;
      a -= t * b;
      d += t * b;
      b = 0;
      c = k * x - s * e;
      e = s * x + k * e;
      q00 = k * x0 - s * q01;
      q01 = s * x0 + k * q01;
      q10 = k * x1 - s * q11;
      q11 = s * x1 + k * q11;
      q20 = k * x2 - s * q21;
      q21 = s * x2 + k * q21;
      isTurning = true;
    }
    if (Math.abs(c) > TURN * (Math.abs(a) + Math.abs(f))) {
      const theta = (f - a) / (2 * c),
        t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1)),
        k = 1 / Math.sqrt(t * t + 1),
        s = t * k;
      const x = b,
        x0 = q00,
        x1 = q10,
        x2 = q20;
      a -= t * c;
      f += t * c;
      c = 0;
      b = k * x - s * e;
      e = s * x + k * e;
      q00 = k * x0 - s * q02;
      q02 = s * x0 + k * q02;
      q10 = k * x1 - s * q12;
      q12 = s * x1 + k * q12;
      q20 = k * x2 - s * q22;
      q22 = s * x2 + k * q22;
      isTurning = true;
    }
    if (Math.abs(e) > TURN * (Math.abs(d) + Math.abs(f))) {
      const theta = (f - d) / (2 * e),
        t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1)),
        k = 1 / Math.sqrt(t * t + 1),
        s = t * k;
      const x = b,
        x0 = q01,
        x1 = q11,
        x2 = q21;
      d -= t * e;
      f += t * e;
      e = 0;
      b = k * x - s * c;
      c = s * x + k * c;
      q01 = k * x0 - s * q02;
      q02 = s * x0 + k * q02;
      q11 = k * x1 - s * q12;
      q12 = s * x1 + k * q12;
      q21 = k * x2 - s * q22;
      q22 = s * x2 + k * q22;
      isTurning = true;
    }
    if (!isTurning) break;
  }
  const ta = Math.min(Math.max(a, least), most),
    td = Math.min(Math.max(d, least), most),
    tf = Math.min(Math.max(f, least), most);
  a -= ta;
  d -= td;
  f -= tf;
  for (let j = 0; j < 3; j++) {
    const s0 = ta * (j === 0 ? q00 : j === 1 ? q10 : q20),
      s1 = td * (j === 0 ? q01 : j === 1 ? q11 : q21),
      s2 = tf * (j === 0 ? q02 : j === 1 ? q12 : q22);
    const x = q00 * s0 + q01 * s1 + q02 * s2,
      y = q10 * s0 + q11 * s1 + q12 * s2,
      z = q20 * s0 + q21 * s1 + q22 * s2;
    f64[T + 2 * j] = f64[R] * x + f64[R + 2] * y + f64[R + 4] * z;
    f64[T + 2 * j + 1] = f64[R + 1] * x + f64[R + 3] * y + f64[R + 5] * z;
    f64[T + 6 + j] = f64[R + 6] * x + f64[R + 7] * y + f64[R + 8] * z;
  }
  return (a * a + d * d + f * f) * 0.5;
}

function isPositive(a: number, b: number, c: number, d: number, e: number, f: number): boolean {
  const minor = a * d - b * b;
  return a > 0 && minor > 0 && minor * f - (a * e * e - 2 * (b * c * e) + c * c * d) > 0;
}

function product(f64: Float64Array, A: number, i: number, B: number, j: number): number {
  return (
    f64[A + 2 * i] * f64[B + 2 * j] +
    f64[A + 2 * i + 1] * f64[B + 2 * j + 1] +
    f64[A + 6 + i] * f64[B + 6 + j]
  );
}
