/**
 * Dense symmetric factorisation for systems that grow and shrink, and what is done with its vectors. All matrices are
 * rows of f64, `stride` numbers from one to the next (an even count, so that rows begin at multiples of 16 bytes).
 * Vectors are rows as well. In sums of products, even and odd entries are summed apart and added at the end.
 */

/** Rows that are taken through all columns together: they and two rows of L stay in the nearest caches. */
const BLOCK: usize = 32;

/**
 * Rows `from` to `to` of L with L Lᵀ = A, those before being done: the lower triangle of A is read, that of L written.
 * A pivot must be larger than `least` times the diagonal of A. -1, or the row whose pivot is not.
 */
export function factorDense(A: usize, L: usize, stride: usize, from: usize, to: usize, least: f64): i32 {
  const bytes = stride << 3;
  for (let first = from; first < to; first += BLOCK) {
    const end = min(to, first + BLOCK);
    for (let i = first; i < end; i++) memory.copy(L + i * bytes, A + i * bytes, (i + 1) << 3);
    solveColumns(L, bytes, 0, first, L + first * bytes, bytes, end - first);
    for (let j = first; j < end; j++) {
      const row = L + j * bytes, at = j << 3;
      const pivot = load<f64>(row + at) - dot(row, row, j);
      if (!(pivot > least * load<f64>(A + j * bytes + at) && pivot < Infinity)) return <i32>j;
      store<f64>(row + at, sqrt(pivot));
      if (j + 1 < end) solveColumn(L, bytes, j, row + bytes, bytes, end - j - 1);
    }
  }
  return -1;
}

/** x ← L⁻¹ x for `count` rows x, entries `from` to `to`; those before are done. */
export function solveDense(
  L: usize, stride: usize, from: usize, to: usize, rows: usize, rowStride: usize, count: usize,
): void {
  const bytes = rowStride << 3;
  for (let i: usize = 0; i < count; i += BLOCK) {
    solveColumns(L, stride << 3, from, to, rows + i * bytes, bytes, min(BLOCK, count - i));
  }
}

/** x ← L⁻ᵀ x for `count` rows x of `size` entries. */
export function solveDenseTransposed(
  L: usize, stride: usize, size: usize, rows: usize, rowStride: usize, count: usize,
): void {
  const bytes = rowStride << 3;
  for (let i: usize = 0; i < count; i++) {
    const x = rows + i * bytes;
    for (let j: isize = <isize>size - 1; j >= 0; j--) {
      const row = L + (<usize>j * stride << 3), at = <usize>j << 3;
      const value = load<f64>(x + at) / load<f64>(row + at);
      store<f64>(x + at, value);
      addScaled(x, -value, row, <usize>j);
    }
  }
}

/** Products of each row of `a` with each of `b`; with `lower` only those whose number in b is at most that in a. */
export function multiplyRows(
  a: usize, aStride: usize, aCount: usize, b: usize, bStride: usize, bCount: usize,
  length: usize, lower: u32, out: usize, outStride: usize,
): void {
  for (let i: usize = 0; i < aCount; i += 4) {
    const left = aCount - i;
    const a0 = a + (i * aStride << 3);
    const a1 = left > 1 ? a0 + (aStride << 3) : a0;
    const a2 = left > 2 ? a1 + (aStride << 3) : a1;
    const a3 = left > 3 ? a2 + (aStride << 3) : a2;
    const columns = lower ? min(bCount, i + 4) : bCount;
    for (let j: usize = 0; j < columns; j += 2) {
      const b0 = b + (j * bStride << 3), isPair = j + 1 < columns;
      dots(a0, a1, a2, a3, b0, isPair ? b0 + (bStride << 3) : b0, length);
      let o = out + ((i * outStride + j) << 3);
      put(o, d0, isPair), o += outStride << 3;
      if (left > 1) put(o, d1, isPair), o += outStride << 3;
      if (left > 2) put(o, d2, isPair), o += outStride << 3;
      if (left > 3) put(o, d3, isPair);
    }
  }
}

/** out_i += Σ c_ik rows_k: `count` rows, each of them `length` long, from `rowCount` others. */
export function combineRows(
  c: usize, cStride: usize, count: usize, rows: usize, rowStride: usize, rowCount: usize,
  length: usize, out: usize, outStride: usize,
): void {
  for (let i: usize = 0; i < count; i++) {
    const o = out + (i * outStride << 3), ci = c + (i * cStride << 3);
    let k: usize = 0;
    for (; k + 3 < rowCount; k += 4) {
      const r0 = rows + (k * rowStride << 3), r1 = r0 + (rowStride << 3);
      const r2 = r1 + (rowStride << 3), r3 = r2 + (rowStride << 3);
      const c0 = load<f64>(ci + (k << 3)), c1 = load<f64>(ci + (k << 3), 8);
      const c2 = load<f64>(ci + (k << 3), 16), c3 = load<f64>(ci + (k << 3), 24);
      const v0 = f64x2.splat(c0), v1 = f64x2.splat(c1), v2 = f64x2.splat(c2), v3 = f64x2.splat(c3);
      const end = (length & ~1) << 3;
      let at: usize = 0;
      for (; at < end; at += 16) {
        let sum = v128.load(o + at);
        sum = f64x2.add(sum, f64x2.mul(v0, v128.load(r0 + at)));
        sum = f64x2.add(sum, f64x2.mul(v1, v128.load(r1 + at)));
        sum = f64x2.add(sum, f64x2.mul(v2, v128.load(r2 + at)));
        sum = f64x2.add(sum, f64x2.mul(v3, v128.load(r3 + at)));
        v128.store(o + at, sum);
      }
      if (length & 1) {
        let sum = load<f64>(o + at);
        sum += c0 * load<f64>(r0 + at);
        sum += c1 * load<f64>(r1 + at);
        sum += c2 * load<f64>(r2 + at);
        sum += c3 * load<f64>(r3 + at);
        store<f64>(o + at, sum);
      }
    }
    for (; k < rowCount; k++) addScaled(o, load<f64>(ci + (k << 3)), rows + (k * rowStride << 3), length);
  }
}

/** Columns `from` to `to` of `count` rows, given L: two columns of four rows at a time. */
// @ts-ignore: decorator
@inline
function solveColumns(L: usize, bytes: usize, from: usize, to: usize, rows: usize, rowBytes: usize, count: usize): void {
  let j = from;
  for (; j + 1 < to; j += 2) {
    const r0 = L + j * bytes, r1 = r0 + bytes, at = j << 3;
    const i0 = 1 / load<f64>(r0 + at), l = load<f64>(r1 + at), i1 = 1 / load<f64>(r1 + at, 8);
    for (let i: usize = 0; i < count; i += 4) {
      const left = count - i;
      const a0 = rows + i * rowBytes;
      const a1 = left > 1 ? a0 + rowBytes : a0;
      const a2 = left > 2 ? a1 + rowBytes : a1;
      const a3 = left > 3 ? a2 + rowBytes : a2;
      dots(a0, a1, a2, a3, r0, r1, j);
      solvePair(a0 + at, d0, l, i0, i1);
      if (left > 1) solvePair(a1 + at, d1, l, i0, i1);
      if (left > 2) solvePair(a2 + at, d2, l, i0, i1);
      if (left > 3) solvePair(a3 + at, d3, l, i0, i1);
    }
  }
  if (j < to) solveColumn(L, bytes, j, rows, rowBytes, count);
}

/** One column. */
function solveColumn(L: usize, bytes: usize, j: usize, rows: usize, rowBytes: usize, count: usize): void {
  const r = L + j * bytes, at = j << 3;
  const inverse = 1 / load<f64>(r + at);
  for (let i: usize = 0; i < count; i++) {
    const a = rows + i * rowBytes;
    store<f64>(a + at, (load<f64>(a + at) - dot(a, r, j)) * inverse);
  }
}

// @ts-ignore: decorator
@inline
function solvePair(address: usize, sum: v128, l: f64, i0: f64, i1: f64): void {
  const x = (load<f64>(address) - f64x2.extract_lane(sum, 0)) * i0;
  store<f64>(address, x);
  store<f64>(address, (load<f64>(address, 8) - f64x2.extract_lane(sum, 1) - x * l) * i1, 8);
}

// @ts-ignore: decorator
@inline
function put(address: usize, pair: v128, isPair: bool): void {
  if (isPair) v128.store(address, pair);
  else store<f64>(address, f64x2.extract_lane(pair, 0));
}

/** x += factor · y. */
// @ts-ignore: decorator
@inline
function addScaled(x: usize, factor: f64, y: usize, length: usize): void {
  const f = f64x2.splat(factor);
  const end = (length & ~1) << 3;
  let at: usize = 0;
  for (; at < end; at += 16) v128.store(x + at, f64x2.add(v128.load(x + at), f64x2.mul(f, v128.load(y + at))));
  if (length & 1) store<f64>(x + at, load<f64>(x + at) + factor * load<f64>(y + at));
}

function dot(a: usize, b: usize, length: usize): f64 {
  let sum = f64x2.splat(0);
  const end = a + ((length & ~1) << 3);
  for (; a < end; a += 16, b += 16) sum = f64x2.add(sum, f64x2.mul(v128.load(a), v128.load(b)));
  let even = f64x2.extract_lane(sum, 0);
  if (length & 1) even += load<f64>(a) * load<f64>(b);
  return even + f64x2.extract_lane(sum, 1);
}

// What `dots` found: the products of each of its four rows with its two.
let d0 = f64x2.splat(0), d1 = f64x2.splat(0), d2 = f64x2.splat(0), d3 = f64x2.splat(0);

function dots(a0: usize, a1: usize, a2: usize, a3: usize, b0: usize, b1: usize, length: usize): void {
  let s00 = f64x2.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
  const end = b0 + ((length & ~1) << 3);
  while (b0 < end) {
    const x = v128.load(b0), y = v128.load(b1);
    let a = v128.load(a0);
    s00 = f64x2.add(s00, f64x2.mul(a, x)), s01 = f64x2.add(s01, f64x2.mul(a, y));
    a = v128.load(a1);
    s10 = f64x2.add(s10, f64x2.mul(a, x)), s11 = f64x2.add(s11, f64x2.mul(a, y));
    a = v128.load(a2);
    s20 = f64x2.add(s20, f64x2.mul(a, x)), s21 = f64x2.add(s21, f64x2.mul(a, y));
    a = v128.load(a3);
    s30 = f64x2.add(s30, f64x2.mul(a, x)), s31 = f64x2.add(s31, f64x2.mul(a, y));
    a0 += 16, a1 += 16, a2 += 16, a3 += 16, b0 += 16, b1 += 16;
  }
  if (length & 1) {
    const x = v128.load64_zero(b0), y = v128.load64_zero(b1);
    let a = v128.load64_zero(a0);
    s00 = f64x2.add(s00, f64x2.mul(a, x)), s01 = f64x2.add(s01, f64x2.mul(a, y));
    a = v128.load64_zero(a1);
    s10 = f64x2.add(s10, f64x2.mul(a, x)), s11 = f64x2.add(s11, f64x2.mul(a, y));
    a = v128.load64_zero(a2);
    s20 = f64x2.add(s20, f64x2.mul(a, x)), s21 = f64x2.add(s21, f64x2.mul(a, y));
    a = v128.load64_zero(a3);
    s30 = f64x2.add(s30, f64x2.mul(a, x)), s31 = f64x2.add(s31, f64x2.mul(a, y));
  }
  d0 = sumPairs(s00, s01), d1 = sumPairs(s10, s11), d2 = sumPairs(s20, s21), d3 = sumPairs(s30, s31);
}

// @ts-ignore: decorator
@inline
function sumPairs(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}
