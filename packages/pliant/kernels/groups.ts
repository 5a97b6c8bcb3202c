/**
 * Functions on the vertices of a cage, in groups: the rows of a group are vertices (u32; address 0 stands for all, in
 * order), its weights f32, row by row, one for each of its columns. Points are three f64 per vertex; coefficients are
 * three rows of f64, one per axis, `stride` numbers apart, and `v` and `out` are those of the group's first column.
 */

/** p = Σ W v at the rows, or with `isAdding` p += Σ W v. Even and odd columns are summed apart. */
export function gatherGroup(
  rows: usize, rowCount: usize, weights: usize, columns: usize, v: usize, stride: usize, p: usize, isAdding: u32,
): void {
  const vx = v, vy = v + (stride << 3), vz = v + (stride << 4);
  const length = columns << 2;
  let i: usize = 0, w = weights;
  for (; i + 1 < rowCount; i += 2, w += length << 1) {
    let x0 = f64x2.splat(0), y0 = x0, z0 = x0, x1 = x0, y1 = x0, z1 = x0;
    const other = w + length;
    let k: usize = 0;
    for (; k + 1 < columns; k += 2) {
      const at = k << 3;
      const a = f64x2.promote_low_f32x4(v128.load64_zero(w + (k << 2)));
      const b = f64x2.promote_low_f32x4(v128.load64_zero(other + (k << 2)));
      let c = v128.load(vx + at);
      x0 = f64x2.add(x0, f64x2.mul(a, c)), x1 = f64x2.add(x1, f64x2.mul(b, c));
      c = v128.load(vy + at);
      y0 = f64x2.add(y0, f64x2.mul(a, c)), y1 = f64x2.add(y1, f64x2.mul(b, c));
      c = v128.load(vz + at);
      z0 = f64x2.add(z0, f64x2.mul(a, c)), z1 = f64x2.add(z1, f64x2.mul(b, c));
    }
    if (k < columns) {
      const at = k << 3;
      const a = f64x2.promote_low_f32x4(v128.load32_zero(w + (k << 2)));
      const b = f64x2.promote_low_f32x4(v128.load32_zero(other + (k << 2)));
      let c = v128.load64_zero(vx + at);
      x0 = f64x2.add(x0, f64x2.mul(a, c)), x1 = f64x2.add(x1, f64x2.mul(b, c));
      c = v128.load64_zero(vy + at);
      y0 = f64x2.add(y0, f64x2.mul(a, c)), y1 = f64x2.add(y1, f64x2.mul(b, c));
      c = v128.load64_zero(vz + at);
      z0 = f64x2.add(z0, f64x2.mul(a, c)), z1 = f64x2.add(z1, f64x2.mul(b, c));
    }
    put(point(rows, i, p), x0, y0, z0, isAdding);
    put(point(rows, i + 1, p), x1, y1, z1, isAdding);
  }
  if (i == rowCount) return;
  let x0 = f64x2.splat(0), y0 = x0, z0 = x0;
  let k: usize = 0;
  for (; k + 1 < columns; k += 2) {
    const a = f64x2.promote_low_f32x4(v128.load64_zero(w + (k << 2)));
    x0 = f64x2.add(x0, f64x2.mul(a, v128.load(vx + (k << 3))));
    y0 = f64x2.add(y0, f64x2.mul(a, v128.load(vy + (k << 3))));
    z0 = f64x2.add(z0, f64x2.mul(a, v128.load(vz + (k << 3))));
  }
  if (k < columns) {
    const a = f64x2.promote_low_f32x4(v128.load32_zero(w + (k << 2)));
    x0 = f64x2.add(x0, f64x2.mul(a, v128.load64_zero(vx + (k << 3))));
    y0 = f64x2.add(y0, f64x2.mul(a, v128.load64_zero(vy + (k << 3))));
    z0 = f64x2.add(z0, f64x2.mul(a, v128.load64_zero(vz + (k << 3))));
  }
  put(point(rows, i, p), x0, y0, z0, isAdding);
}

/** out += Wᵀ b, row after row. */
export function projectGroup(
  rows: usize, rowCount: usize, weights: usize, columns: usize, b: usize, out: usize, stride: usize,
): void {
  const length = columns << 2;
  let i: usize = 0, w = weights;
  for (; i + 3 < rowCount; i += 4, w += length << 2) {
    const b0 = point(rows, i, b), b1 = point(rows, i + 1, b), b2 = point(rows, i + 2, b), b3 = point(rows, i + 3, b);
    for (let axis: usize = 0; axis < 3; axis++) {
      const at = axis << 3;
      const o = out + axis * (stride << 3);
      const f0 = load<f64>(b0 + at), f1 = load<f64>(b1 + at), f2 = load<f64>(b2 + at), f3 = load<f64>(b3 + at);
      const s0 = f64x2.splat(f0), s1 = f64x2.splat(f1), s2 = f64x2.splat(f2), s3 = f64x2.splat(f3);
      const w1 = w + length, w2 = w1 + length, w3 = w2 + length;
      let k: usize = 0;
      for (; k + 1 < columns; k += 2) {
        const c = k << 2;
        let sum = v128.load(o + (k << 3));
        sum = f64x2.add(sum, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w + c)), s0));
        sum = f64x2.add(sum, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w1 + c)), s1));
        sum = f64x2.add(sum, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w2 + c)), s2));
        sum = f64x2.add(sum, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w3 + c)), s3));
        v128.store(o + (k << 3), sum);
      }
      if (k < columns) {
        const c = k << 2;
        let sum = load<f64>(o + (k << 3));
        sum += <f64>load<f32>(w + c) * f0;
        sum += <f64>load<f32>(w1 + c) * f1;
        sum += <f64>load<f32>(w2 + c) * f2;
        sum += <f64>load<f32>(w3 + c) * f3;
        store<f64>(o + (k << 3), sum);
      }
    }
  }
  for (; i < rowCount; i++, w += length) {
    const b0 = point(rows, i, b);
    for (let axis: usize = 0; axis < 3; axis++) {
      const o = out + axis * (stride << 3);
      const f = load<f64>(b0 + (axis << 3));
      for (let k: usize = 0; k < columns; k++) {
        store<f64>(o + (k << 3), load<f64>(o + (k << 3)) + <f64>load<f32>(w + (k << 2)) * f);
      }
    }
  }
}

/**
 * out += Wᵀ L X over rows `from` to `to` of a group, columns × width: L by rows as `start`, `column` (u32) and `value`
 * (f64), X the functions of another group. `place` says which row of X a vertex has (i32, −1: none; address 0: all have,
 * in order).
 */
export function coupleGroups(
  start: usize, column: usize, value: usize, rows: usize, from: usize, to: usize, weights: usize, columns: usize,
  place: usize, other: usize, width: usize, out: usize,
): void {
  const length = columns << 2, stride = width << 3;
  for (let i = from; i < to; i++) {
    const v = rows ? <usize>load<u32>(rows + (i << 2)) : i;
    const begin = <usize>load<u32>(start + (v << 2)), end = <usize>load<u32>(start + (v << 2), 4);
    const w = weights + i * length;
    let c: usize = 0;
    // Eight columns of a row of L X at a time: they stay in registers.
    for (; c + 7 < width; c += 8) {
      let p0 = f64x2.splat(0), p1 = p0, p2 = p0, p3 = p0;
      let isZero = true;
      for (let e = begin; e < end; e++) {
        const at = placeOf(place, column, e);
        if (at < 0) continue;
        isZero = false;
        const l = f64x2.splat(load<f64>(value + (e << 3)));
        const x = other + ((<usize>at * width + c) << 2);
        p0 = f64x2.add(p0, f64x2.mul(l, f64x2.promote_low_f32x4(v128.load64_zero(x))));
        p1 = f64x2.add(p1, f64x2.mul(l, f64x2.promote_low_f32x4(v128.load64_zero(x, 8))));
        p2 = f64x2.add(p2, f64x2.mul(l, f64x2.promote_low_f32x4(v128.load64_zero(x, 16))));
        p3 = f64x2.add(p3, f64x2.mul(l, f64x2.promote_low_f32x4(v128.load64_zero(x, 24))));
      }
      if (isZero) continue;
      let o = out + (c << 3);
      for (let r: usize = 0; r < length; r += 4, o += stride) {
        const f = f64x2.splat(<f64>load<f32>(w + r));
        v128.store(o, f64x2.add(v128.load(o), f64x2.mul(f, p0)));
        v128.store(o, f64x2.add(v128.load(o, 16), f64x2.mul(f, p1)), 16);
        v128.store(o, f64x2.add(v128.load(o, 32), f64x2.mul(f, p2)), 32);
        v128.store(o, f64x2.add(v128.load(o, 48), f64x2.mul(f, p3)), 48);
      }
    }
    for (; c < width; c++) {
      let sum: f64 = 0;
      for (let e = begin; e < end; e++) {
        const at = placeOf(place, column, e);
        if (at >= 0) sum += load<f64>(value + (e << 3)) * <f64>load<f32>(other + ((<usize>at * width + c) << 2));
      }
      if (sum == 0) continue;
      let o = out + (c << 3);
      for (let r: usize = 0; r < length; r += 4, o += stride) {
        store<f64>(o, load<f64>(o) + <f64>load<f32>(w + r) * sum);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function placeOf(place: usize, column: usize, e: usize): i32 {
  const v = load<u32>(column + (e << 2));
  return place ? load<i32>(place + (<usize>v << 2)) : <i32>v;
}

// @ts-ignore: decorator
@inline
function point(rows: usize, i: usize, points: usize): usize {
  return points + (rows ? <usize>load<u32>(rows + (i << 2)) : i) * 24;
}

// @ts-ignore: decorator
@inline
function put(p: usize, x: v128, y: v128, z: v128, isAdding: u32): void {
  const sx = f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1);
  const sy = f64x2.extract_lane(y, 0) + f64x2.extract_lane(y, 1);
  const sz = f64x2.extract_lane(z, 0) + f64x2.extract_lane(z, 1);
  if (isAdding) {
    store<f64>(p, load<f64>(p) + sx), store<f64>(p, load<f64>(p, 8) + sy, 8), store<f64>(p, load<f64>(p, 16) + sz, 16);
  } else store<f64>(p, sx), store<f64>(p, sy, 8), store<f64>(p, sz, 16);
}
