/** The rare matrices of kernels/arap.ts whose rotation is nearly ambiguous. */

export const SMALLEST = 1e-290;
export const LARGEST = 1e290;
const BETTER = 1e-12;
const SWEEPS = 12;

export function fitWithCare(f64: Float64Array, M: number, R: number, N: number): void {
  let size2 = 0;
  for (let k = 0; k < 9; k++) size2 += f64[M + k] * f64[M + k];
  const old = traceOf(f64, R, M);
  f64[R + 9] = old;
  if (!(size2 > SMALLEST && size2 < LARGEST)) return;
  const scale = 1 / Math.sqrt(size2);
  const xx = f64[M] * scale,
    yx = f64[M + 1] * scale,
    xy = f64[M + 2] * scale,
    yy = f64[M + 3] * scale,
    xz = f64[M + 4] * scale,
    yz = f64[M + 5] * scale,
    zx = f64[M + 6] * scale,
    zy = f64[M + 7] * scale,
    zz = f64[M + 8] * scale;
  place(f64, N, 0, 0, xx + yy + zz);
  place(f64, N, 0, 1, zy - yz);
  place(f64, N, 0, 2, xz - zx);
  place(f64, N, 0, 3, yx - xy);
  place(f64, N, 1, 1, xx - yy - zz);
  place(f64, N, 1, 2, xy + yx);
  place(f64, N, 1, 3, xz + zx);
  place(f64, N, 2, 2, yy - xx - zz);
  place(f64, N, 2, 3, yz + zy);
  place(f64, N, 3, 3, zz - xx - yy);
  for (let k = 0; k < 16; k++) f64[N + 16 + k] = k % 5 === 0 ? 1 : 0;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let largest = 0;
    for (let p = 0; p < 3; p++) {
      for (let q = p + 1; q < 4; q++) largest = Math.max(largest, turn(f64, N, p, q));
    }
    if (largest === 0) break;
  }
  let best = 0;
  for (let k = 1; k < 4; k++) if (f64[N + 5 * k] > f64[N + 5 * best]) best = k;
  const w = f64[N + 16 + best],
    x = f64[N + 20 + best],
    y = f64[N + 24 + best],
    z = f64[N + 28 + best];
  const s = 2 / (w * w + x * x + (y * y + z * z));
  f64[N] = 1 - s * (y * y + z * z);
  f64[N + 1] = s * (x * y + w * z);
  f64[N + 2] = s * (x * y - w * z);
  f64[N + 3] = 1 - s * (x * x + z * z);
  f64[N + 4] = s * (x * z + w * y);
  f64[N + 5] = s * (y * z - w * x);
  f64[N + 6] = s * (x * z - w * y);
  f64[N + 7] = s * (y * z + w * x);
  f64[N + 8] = 1 - s * (x * x + y * y);
  const now = traceOf(f64, N, M);
  if (!(now - old > BETTER * Math.sqrt(size2))) return;
  f64[N + 9] = now;
  f64.copyWithin(R, N, N + 10);
}

function traceOf(f64: Float64Array, R: number, M: number): number {
  let sum = 0;
  for (let k = 0; k < 9; k++) sum += f64[R + k] * f64[M + k];
  return sum;
}

function place(f64: Float64Array, N: number, i: number, j: number, value: number): void {
  f64[N + 4 * i + j] = value;
  f64[N + 4 * j + i] = value;
}

function turn(f64: Float64Array, N: number, p: number, q: number): number {
  const off = f64[N + 4 * p + q];
  if (Math.abs(off) < 1e-16) return 0;
  const theta = (f64[N + 5 * q] - f64[N + 5 * p]) / (2 * off);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1),
    s = t * c;
  const pp = f64[N + 5 * p] - t * off,
    qq = f64[N + 5 * q] + t * off;
  for (let k = 0; k < 4; k++) {
    const o = N + 16 + 4 * k;
    const x = f64[o + p],
      y = f64[o + q];
    f64[o + p] = c * x - s * y;
    f64[o + q] = s * x + c * y;
    if (k === p || k === q) continue;
    const u = f64[N + 4 * k + p],
      v = f64[N + 4 * k + q];
    place(f64, N, k, p, c * u - s * v);
    place(f64, N, k, q, s * u + c * v);
  }
  place(f64, N, p, p, pp);
  place(f64, N, q, q, qq);
  place(f64, N, p, q, 0);
  return Math.abs(off);
}
