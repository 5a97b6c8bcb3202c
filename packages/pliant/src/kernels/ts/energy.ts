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
  for (let patch = 0; patch < patchCount; patch++) {
    const out = grams + 16 * patch,
      wide = loose + 16 * patch,
      box = boxes + 6 * patch;
    for (let k = 0; k < 16; k++) f64[out + k] = 0;
    const count = u32[counts + patch];
    const first = points + (u32[row] >>> 3);
    for (let k = 0; k < 3; k++) {
      const ref = f64[first + k];
      let lo = 0,
        hi = 0;
      for (let i = 0; i < count; i++) {
        const local = fround(f64[points + (u32[row + i] >>> 3) + k] - ref);
        f32[near + 4 * i + k] = local;
        if (local < lo) lo = local;
        if (hi < local) hi = local;
      }
      f64[box + k] = lo;
      f64[box + 3 + k] = hi;
    }
    for (let i = 0; i < count; i++) f32[near + 4 * i + 3] = 0;
    const reach = writeBox(f64, first, box);
    row += count;
    let slot = slots + 6 * u32[row++];
    const more = f32[row++] - 2;
    for (let kind = 0; kind < 3; kind++, row++) {
      for (let head = u32[row]; head !== 0; head = u32[row]) {
        row++;
        for (let rows = head >>> 16; rows !== 0; rows--) {
          const rest = row;
          const end = row + 4 + 3 * (head & 0xffff);
          let ex = 0,
            ey = 0,
            ez = 0,
            ox = 0,
            oy = 0,
            oz = 0;
          for (row += 4; row < end; row += 3) {
            const p = near + 4 * (u32[row] & 0xffff),
              q = near + 4 * (u32[row] >>> 16);
            const v = f32[row + 1],
              w = f32[row + 2];
            ex = fround(ex + fround(v * f32[p]));
            ey = fround(ey + fround(v * f32[p + 1]));
            ez = fround(ez + fround(v * f32[p + 2]));
            ox = fround(ox + fround(w * f32[q]));
            oy = fround(oy + fround(w * f32[q + 1]));
            oz = fround(oz + fround(w * f32[q + 2]));
          }
          const X = f32[rest],
            Y = f32[rest + 1],
            Z = f32[rest + 2],
            scale = f32[rest + 3];
          const sx = fround(fround(ex + ox) * scale),
            sy = fround(fround(ey + oy) * scale),
            sz = fround(fround(ez + oz) * scale);
          if (kind < 2) {
            f64[slot] = sx;
            f64[slot + 1] = sy;
            f64[slot + 2] = sz;
            slot += 6;
          }
          f64[out] += sx * sx;
          f64[out + 1] += sy * sx;
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
      for (let k = 0; k < 16; k++) {
        if (kind === 0) f64[wide + k] = f64[out + k] * more;
        else f64[wide + k] += f64[out + k];
      }
    }
    f64[out + 2] = f64[wide + 2] = reach;
  }
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
  f64[out + 2] = Math.max(f64[gramA + 2], f64[gramB + 2]);
}
