/** See kernels/energy.ts. Addresses are in units of the views they are used with. */

const NONE = 0xffffffff;
const LOCAL = 2 ** -22;
const PLACE = 2 ** -50;
const TINY = 1e-30;
const UP = 1 + 2 ** -20;
const { fround } = Math;

export function sumEnergies(
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  patches: number,
  counts: number,
  patchCount: number,
  points: number,
  near: number,
  slots: number,
  grams: number,
  loose: number,
  boxes: number,
): void {
  let row = patches; // in units of four bytes, as is `near`
  const sums = new Float32Array(SUMS),
    all = new Float32Array(SUMS),
    wide = new Float32Array(SUMS);
  for (let patch = 0; patch < patchCount; patch++) {
    const count = u32[counts + patch];
    const reach = localPoints(u32, f32, f64, row, count, points, near, boxes + 6 * patch);
    for (let i = 0; i < count; i++) f32.fill(0, near + 8 * i + 4, near + 8 * i + 8);
    const head = row + count;
    row = head + 6;
    for (const last = row + 2 * u32[head + 5]; row < last; row += 2) {
      const p = near + ((u32[row] & 0xffff) >>> 2),
        q = near + (u32[row] >>> 18);
      const weight = f32[row + 1];
      for (let k = 0; k < 3; k++) {
        const flow = fround(weight * fround(f32[q + k] - f32[p + k]));
        f32[p + 4 + k] += flow;
        f32[q + 4 + k] -= flow;
      }
    }
    let slot = slots + 4 * u32[head],
      o = near + 4;
    all.fill(0);
    wide.fill(0);
    for (let kind = 0; kind < 3; kind++) {
      sums.fill(0);
      for (const last = row + 4 * u32[head + 2 + kind]; row < last; row += 4, o += 8) {
        const scale = f32[row + 3];
        const x = fround(f32[o] * scale),
          y = fround(f32[o + 1] * scale),
          z = fround(f32[o + 2] * scale);
        if (kind < 2) {
          f32[slot] = x;
          f32[slot + 1] = y;
          f32[slot + 2] = z;
          f32[slot + 3] = 0;
          slot += 4;
        }
        addProducts(sums, x, y, z, f32[row], f32[row + 1], f32[row + 2]);
      }
      const times = kind === 0 ? f32[head + 1] : kind === 1 ? 2 : 1;
      for (let k = 0; k < SUMS; k++) {
        all[k] += sums[k];
        wide[k] += fround(sums[k] * times);
      }
    }
    f64.set(all, grams + 16 * patch);
    f64.set(wide, loose + 16 * patch);
    f64[grams + 16 * patch + 2] = f64[loose + 16 * patch + 2] = reach;
  }
}

export function localPoints(
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  rows: number,
  count: number,
  points: number,
  near: number,
  box: number,
): number {
  const first = points + (u32[rows] >>> 3);
  for (let k = 0; k < 3; k++) {
    const ref = f64[first + k];
    let lo = 0,
      hi = 0;
    for (let i = 0; i < count; i++) {
      const local = fround(f64[points + (u32[rows + i] >>> 3) + k] - ref);
      f32[near + 8 * i + k] = local;
      if (local < lo) lo = local;
      if (hi < local) hi = local;
    }
    f64[box + k] = lo;
    f64[box + 3 + k] = hi;
  }
  for (let i = 0; i < count; i++) f32[near + 8 * i + 3] = 0;
  return writeBox(f64, first, box);
}

/** Of a Gram. */
const SUMS = 16;

function addProducts(
  sums: Float32Array,
  x: number,
  y: number,
  z: number,
  X: number,
  Y: number,
  Z: number,
): void {
  sums[0] += fround(x * x);
  sums[1] += fround(x * y);
  sums[3] += fround(y * y);
  sums[4] += fround(z * x);
  sums[5] += fround(y * z);
  sums[6] += fround(Z * z);
  sums[7] += fround(z * z);
  sums[8] += fround(X * z);
  sums[9] += fround(Y * z);
  sums[10] += fround(X * x);
  sums[11] += fround(X * y);
  sums[12] += fround(Y * x);
  sums[13] += fround(Y * y);
  sums[14] += fround(Z * x);
  sums[15] += fround(Z * y);
}

export function addLoose(f64: Float64Array, a: number, b: number, out: number): void {
  for (let k = 0; k < 16; k++)
    f64[out + k] = k === 2 ? Math.max(f64[a + k], f64[b + k]) : f64[a + k] + f64[b + k];
}

/** From the box of local points that is there. */
function writeBox(f64: Float64Array, first: number, box: number): number {
  const x = Math.max(-f64[box], f64[box + 3]),
    y = Math.max(-f64[box + 1], f64[box + 4]),
    z = Math.max(-f64[box + 2], f64[box + 5]);
  const reach = Math.sqrt(x * x + y * y + z * z) * UP + TINY;
  for (let k = 0; k < 3; k++) {
    const ref = f64[first + k];
    const more = reach * LOCAL + Math.abs(ref) * PLACE;
    f64[box + k] = ref + f64[box + k] - more;
    f64[box + 3 + k] = ref + f64[box + 3 + k] + more;
  }
  return reach;
}

export function joinEnergies(
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  gramA: number,
  gramB: number,
  shared: number,
  sharedCount: number,
  slots: number,
  rests: number,
  out: number,
): void {
  for (let k = 0; k < 16; k++) f64[out + k] = f64[gramA + k] + f64[gramB + k];
  for (let e = shared; e < shared + 3 * sharedCount; e += 3) {
    const i = slots + 4 * u32[e],
      j = slots + 4 * u32[e + 1];
    const sx = f32[i],
      sy = f32[i + 1],
      sz = f32[i + 2],
      tx = f32[j],
      ty = f32[j + 1],
      tz = f32[j + 2];
    const p = rests + 3 * u32[e],
      q = rests + 3 * u32[e + 1];
    const X = f64[p],
      Y = f64[p + 1],
      Z = f64[p + 2],
      U = f64[q],
      V = f64[q + 1],
      W = f64[q + 2];
    f64[out] = f64[out] + sx * tx + tx * sx;
    f64[out + 1] = f64[out + 1] + sy * tx + ty * sx;
    f64[out + 3] = f64[out + 3] + sy * ty + ty * sy;
    f64[out + 4] = f64[out + 4] + sx * tz + tx * sz;
    f64[out + 5] = f64[out + 5] + sy * tz + ty * sz;
    f64[out + 6] = f64[out + 6] + Z * tz + W * sz;
    f64[out + 7] = f64[out + 7] + sz * tz + tz * sz;
    f64[out + 8] = f64[out + 8] + X * tz + U * sz;
    f64[out + 9] = f64[out + 9] + Y * tz + V * sz;
    f64[out + 10] = f64[out + 10] + tx * X + sx * U;
    f64[out + 11] = f64[out + 11] + ty * X + sy * U;
    f64[out + 12] = f64[out + 12] + tx * Y + sx * V;
    f64[out + 13] = f64[out + 13] + ty * Y + sy * V;
    f64[out + 14] = f64[out + 14] + tx * Z + sx * W;
    f64[out + 15] = f64[out + 15] + ty * Z + sy * W;
    const slot = u32[e + 2];
    if (slot === NONE) continue;
    const o = slots + 4 * slot;
    f32[o] = sx + tx;
    f32[o + 1] = sy + ty;
    f32[o + 2] = sz + tz;
    f32[o + 3] = 0;
  }
  f64[out + 2] = Math.max(f64[gramA + 2], f64[gramB + 2]);
}
