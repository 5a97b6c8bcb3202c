/** See kernels/energy.ts. Addresses are in units of the views they are used with. */

const NONE = 0xffffffff;
const GRAIN = 2 ** -10;

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
): void {
  let row = patches; // in units of four bytes
  for (let patch = 0, out = grams; patch < patchCount; patch++, out += 16) {
    for (let k = 0; k < 16; k++) f64[out + k] = 0;
    const nearEnd = near + 3 * u32[counts + patch];
    for (let o = near; o < nearEnd; o += 3, row++) {
      const p = points + (u32[row] >>> 3);
      f64[o] = f64[p];
      f64[o + 1] = f64[p + 1];
      f64[o + 2] = f64[p + 2];
    }
    for (let p = near; p < nearEnd; p += 3) {
      const end = row + 6 + u32[row];
      const x = f64[p],
        y = f64[p + 1],
        z = f64[p + 2];
      const scale = f32[row + 1] * GRAIN,
        slot = u32[row + 2];
      const X = f32[row + 3],
        Y = f32[row + 4],
        Z = f32[row + 5];
      let sx = 0,
        sy = 0,
        sz = 0;
      for (row += 6; row < end; row++) {
        const q = near + 3 * (u32[row] & 0xffff);
        const weight = (u32[row] | 0) >> 16;
        sx += weight * (f64[q] - x);
        sy += weight * (f64[q + 1] - y);
        sz += weight * (f64[q + 2] - z);
      }
      sx *= scale;
      sy *= scale;
      sz *= scale;
      if (slot !== NONE) {
        const o = slots + 6 * slot;
        f64[o] = sx;
        f64[o + 1] = sy;
        f64[o + 2] = sz;
      }
      f64[out] += sx * sx;
      f64[out + 1] += sy * sx;
      f64[out + 2] += sx * sy;
      f64[out + 3] += sy * sy;
      f64[out + 4] += sx * sz;
      f64[out + 5] += sy * sz;
      f64[out + 6] += Z * sz;
      f64[out + 7] += sz * sz;
      f64[out + 8] += X * sz;
      f64[out + 9] += Y * sz;
      f64[out + 10] += sx * X;
      f64[out + 11] += sy * X;
      f64[out + 12] += sx * Y;
      f64[out + 13] += sy * Y;
      f64[out + 14] += sx * Z;
      f64[out + 15] += sy * Z;
    }
  }
}

export function joinEnergies(
  u32: Uint32Array,
  f64: Float64Array,
  gramA: number,
  gramB: number,
  shared: number,
  sharedCount: number,
  slots: number,
  out: number,
): void {
  for (let k = 0; k < 16; k++) f64[out + k] = f64[gramA + k] + f64[gramB + k];
  for (let e = shared; e < shared + 3 * sharedCount; e += 3) {
    const i = slots + 6 * u32[e],
      j = slots + 6 * u32[e + 1];
    const sx = f64[i],
      sy = f64[i + 1],
      sz = f64[i + 2],
      tx = f64[j],
      ty = f64[j + 1],
      tz = f64[j + 2];
    const X = f64[i + 3],
      Y = f64[i + 4],
      Z = f64[i + 5],
      U = f64[j + 3],
      V = f64[j + 4],
      W = f64[j + 5];
    f64[out] = f64[out] + sx * tx + tx * sx;
    f64[out + 1] = f64[out + 1] + sy * tx + ty * sx;
    f64[out + 2] = f64[out + 2] + sx * ty + tx * sy;
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
    const o = slots + 6 * slot;
    f64[o] = sx + tx;
    f64[o + 1] = sy + ty;
    f64[o + 2] = sz + tz;
  }
}
