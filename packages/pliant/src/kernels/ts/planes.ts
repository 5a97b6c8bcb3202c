/** See kernels/planes.ts. Indices are those of four bytes. */
export function listOpen(
  u32: Uint32Array,
  f32: Float32Array,
  count: number,
  radius: number,
  next: number,
  planes: number,
  stride: number,
  start: number,
  end: number,
  gauge: number,
  most: number,
  tests: number,
  out: number,
): number {
  let found = 0,
    tested = 0;
  for (let k = 0; k < count; ) {
    const after = u32[next + k];
    if (gauge < f32[radius + k]) {
      k = after;
      continue;
    }
    const plane = planes + k * stride;
    if (f32[plane] > 0) {
      if (++tested > tests) return 0xffffffff;
      if (product(f32, plane, start, stride) > 0 && (start === end || product(f32, plane, end, stride) > 0)) {
        k = after;
        continue;
      }
    }
    if (after === ++k) {
      if (found === most) return 0xffffffff;
      u32[out + found++] = k - 1;
    }
  }
  return found;
}

const { fround } = Math;

/** In four lanes of single precision, each in order. */
function product(f32: Float32Array, a: number, b: number, count: number): number {
  let x = fround(0),
    y = fround(0),
    z = fround(0),
    w = fround(0);
  for (let o = 0; o < count; o += 4) {
    x = fround(x + fround(f32[a + o] * f32[b + o]));
    y = fround(y + fround(f32[a + o + 1] * f32[b + o + 1]));
    z = fround(z + fround(f32[a + o + 2] * f32[b + o + 2]));
    w = fround(w + fround(f32[a + o + 3] * f32[b + o + 3]));
  }
  return fround(fround(x + y) + fround(z + w));
}
