/** Deformers: rest positions to posed ones, with the operation order of their TypeScript twins. */

/** x' = ((m00 x + m01 y) + m02 z) + m03 and so on, for a row-major 3x4 matrix. */
export function transformPoints(rest: usize, count: u32, matrix: usize, out: usize): void {
  const m00 = load<f64>(matrix), m01 = load<f64>(matrix, 8), m02 = load<f64>(matrix, 16), m03 = load<f64>(matrix, 24);
  const m10 = load<f64>(matrix, 32), m11 = load<f64>(matrix, 40), m12 = load<f64>(matrix, 48), m13 = load<f64>(matrix, 56);
  const m20 = load<f64>(matrix, 64), m21 = load<f64>(matrix, 72), m22 = load<f64>(matrix, 80), m23 = load<f64>(matrix, 88);
  const c0 = f64x2(m00, m10), c1 = f64x2(m01, m11), c2 = f64x2(m02, m12), c3 = f64x2(m03, m13);
  let p = rest, o = out;
  for (let i: u32 = 0; i < count; i++, p += 24, o += 24) {
    const x = load<f64>(p), y = load<f64>(p, 8), z = load<f64>(p, 16);
    const xx = f64x2.splat(x), yy = f64x2.splat(y), zz = f64x2.splat(z);
    v128.store(o, f64x2.add(f64x2.add(f64x2.add(f64x2.mul(c0, xx), f64x2.mul(c1, yy)), f64x2.mul(c2, zz)), c3));
    store<f64>(o, m20 * x + m21 * y + m22 * z + m23, 16);
  }
}

const LIMIT_HIGH: i32 = 0x52b00000; // of 2^300, the upper half

/**
 * Of the points at `from`, those that `source` names, in its order; 0 when the size of a coordinate of theirs, or of the first
 * `fromCount` ones, is not below the limit.
 */
export function gatherPoints(from: usize, fromCount: u32, source: usize, count: u32, out: usize): u32 {
  const size = i64x2.splat(i64.MAX_VALUE);
  let o = out, most = i64x2.splat(0);
  for (let p = from, end = from + (<usize>fromCount) * 24; p < end; p += 8) {
    most = i32x4.max_s(most, v128.and(v128.load64_splat(p), size));
  }
  for (const last = source + ((<usize>count) << 2); source < last; source += 4, o += 24) {
    const p = from + (<usize>load<u32>(source)) * 24;
    const xy = v128.load(p), yz = v128.load(p, 8);
    most = i32x4.max_s(most, i32x4.max_s(v128.and(xy, size), v128.and(yz, size)));
    v128.store(o, xy), v128.store(o, yz, 8);
  }
  return u32(max(i32x4.extract_lane(most, 1), i32x4.extract_lane(most, 3)) < LIMIT_HIGH);
}

/** p + sum of q_m d_m over the entries [start[i], start[i + 1]) of point i, in order. */
export function morphPoints(
  rest: usize, count: u32, start: usize, mode: usize, delta: usize, weights: usize, out: usize,
): void {
  let p = rest, o = out, k = load<u32>(start);
  for (let i: u32 = 0; i < count; i++, p += 24, o += 24) {
    let xy = v128.load(p), z = load<f64>(p, 16);
    const end = load<u32>(start + ((<usize>(i + 1)) << 2));
    for (; k < end; k++) {
      const q = load<f64>(weights + ((<usize>load<u32>(mode + ((<usize>k) << 2))) << 3));
      const d = delta + (<usize>k) * 24;
      xy = f64x2.add(xy, f64x2.mul(f64x2.splat(q), v128.load(d)));
      z += q * load<f64>(d, 16);
    }
    v128.store(o, xy), store<f64>(o, z, 16);
  }
}

/** morphPoints of two points that have all `count` modes, with the same bits. */
export function morphTwo(
  rest: usize, first: u32, second: u32, count: u32, delta: usize, weights: usize, out: usize,
): void {
  const a = <usize>first * 24, b = <usize>second * 24;
  let xyA = v128.load(rest + a), xyB = v128.load(rest + b);
  let z = v128.load64_lane(rest + b, v128.load64_zero(rest + a, 16), 1, 16);
  let d = delta + a * count, e = delta + b * count;
  for (let q = weights, end = weights + (<usize>count << 3); q < end; q += 8, d += 24, e += 24) {
    const w = v128.load64_splat(q);
    xyA = f64x2.add(xyA, f64x2.mul(w, v128.load(d)));
    xyB = f64x2.add(xyB, f64x2.mul(w, v128.load(e)));
    z = f64x2.add(z, f64x2.mul(w, v128.load64_lane(e, v128.load64_zero(d, 16), 1, 16)));
  }
  v128.store(out + a, xyA), v128.store64_lane(out + a, z, 0, 16);
  v128.store(out + b, xyB), v128.store64_lane(out + b, z, 1, 16);
}

/** Blends the matrices first, then applies the blend: (t0 x + t2 z) + (t1 y + t3), and so on. */
export function skinPoints(
  points: usize, count: u32, start: usize, joint: usize, weight: usize, matrices: usize, out: usize,
): void {
  let p = points, o = out, k = load<u32>(start);
  for (let i: u32 = 0; i < count; i++, p += 24, o += 24) {
    let a0 = f64x2.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0;
    const end = load<u32>(start + ((<usize>(i + 1)) << 2));
    for (; k < end; k++) {
      const w = v128.load64_splat(weight + ((<usize>k) << 3));
      const m = matrices + (<usize>load<u32>(joint + ((<usize>k) << 2))) * 96;
      a0 = f64x2.add(a0, f64x2.mul(w, v128.load(m))), a1 = f64x2.add(a1, f64x2.mul(w, v128.load(m, 16)));
      b0 = f64x2.add(b0, f64x2.mul(w, v128.load(m, 32))), b1 = f64x2.add(b1, f64x2.mul(w, v128.load(m, 48)));
      c0 = f64x2.add(c0, f64x2.mul(w, v128.load(m, 64))), c1 = f64x2.add(c1, f64x2.mul(w, v128.load(m, 80)));
    }
    const xy = v128.load(p), z1 = f64x2(load<f64>(p, 16), 1);
    const a = f64x2.add(f64x2.mul(a0, xy), f64x2.mul(a1, z1));
    const b = f64x2.add(f64x2.mul(b0, xy), f64x2.mul(b1, z1));
    const c = f64x2.add(f64x2.mul(c0, xy), f64x2.mul(c1, z1));
    store<f64>(o, f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1));
    store<f64>(o, f64x2.extract_lane(b, 0) + f64x2.extract_lane(b, 1), 8);
    store<f64>(o, f64x2.extract_lane(c, 0) + f64x2.extract_lane(c, 1), 16);
  }
}
