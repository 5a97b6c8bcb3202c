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

/** out[i] = points[index[i]], three numbers each: from the caller's order and seams to ours. */
export function gatherPoints(points: usize, index: usize, count: u32, out: usize): void {
  let o = out;
  for (let i: u32 = 0; i < count; i++, o += 24) {
    const p = points + (<usize>load<u32>(index + ((<usize>i) << 2))) * 24;
    v128.store(o, v128.load(p));
    store<f64>(o, load<f64>(p, 16), 16);
  }
}
