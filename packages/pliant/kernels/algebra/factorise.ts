import { Header, u32At, WIDEST } from "./header";

/**
 * Factorises the supernodes from `from` to `to`, those before being done: left-looking, every panel collects the updates
 * of all earlier ones at once. -1, or the column whose pivot is not large enough.
 */
export function factorise(header: usize, from: u32, to: u32): i32 {
  const h = changetype<Header>(header);
  for (let s: u32 = from; s < to; s++) {
    const first = u32At(h.first, s), width = u32At(h.first, s + 1) - first;
    const rows = h.row + (u32At(h.rowStart, s) << 2);
    const below = u32At(h.rowStart, s + 1) - u32At(h.rowStart, s);
    const panel = h.panels + (u32At(h.panelStart, s) << 3);
    const stride = (width + (width & 1)) << 3;
    collect(h, s, first, width, rows, below, panel, stride);
    const failed = factorTriangle(h, panel, stride, width, first);
    if (failed >= 0) return failed;
    solveBelow(h.scratch, panel, stride, width, below);
    if (below > 0) enqueue(h, s, 0, load<u32>(rows));
  }
  return -1;
}

/** Supernode s waits for the one that holds column `row`, having used `position` of its rows. */
// @ts-ignore: decorator
@inline
function enqueue(h: Header, s: u32, position: usize, row: usize): void {
  const target = u32At(h.of, row);
  store<u32>(h.position + ((<usize>s) << 2), <u32>position);
  store<i32>(h.next + ((<usize>s) << 2), load<i32>(h.head + (target << 2)));
  store<i32>(h.head + (target << 2), s);
}

/** Subtracts what earlier supernodes contribute to this panel. */
function collect(
  h: Header, s: u32, first: usize, width: usize, rows: usize, below: usize, panel: usize, stride: usize,
): void {
  const map = h.map;
  for (let k: usize = 0; k < width; k++) store<u32>(map + ((first + k) << 2), <u32>k);
  for (let k: usize = 0; k < below; k++) store<u32>(map + (u32At(rows, k) << 2), <u32>(width + k));
  const end = first + width;
  let d = load<i32>(h.head + ((<usize>s) << 2));
  while (d >= 0) {
    const following = load<i32>(h.next + ((<usize>d) << 2));
    const dRows = h.row + (u32At(h.rowStart, d) << 2);
    const dBelow = u32At(h.rowStart, d + 1) - u32At(h.rowStart, d);
    const dWidth = u32At(h.first, d + 1) - u32At(h.first, d);
    const dStride = (dWidth + (dWidth & 1)) << 3;
    const begin = u32At(h.position, d);
    let last = begin;
    while (last < dBelow && u32At(dRows, last) < end) last++;
    const source = h.panels + (u32At(h.panelStart, d) << 3) + (dWidth + begin) * dStride;
    update(h, source, dStride, dRows + (begin << 2), dBelow - begin, last - begin, first, panel, stride);
    if (last < dBelow) enqueue(h, d, last, u32At(dRows, last));
    d = following;
  }
}

/**
 * The rows of `source` times its first `columns` rows, subtracted where `rows` says. Four rows by two columns at a time;
 * what falls above the diagonal is never read. Rows that are not there are the last one again and go to waste.
 */
function update(
  h: Header, source: usize, length: usize, rows: usize, count: usize, columns: usize,
  first: usize, panel: usize, stride: usize,
): void {
  const sums = h.scratch;
  const waste = h.scratch + 256 + (WIDEST << 3);
  const map = h.map;
  for (let i: usize = 0; i < count; i += 4) {
    const left = count - i;
    const a0 = source + i * length;
    const a1 = left > 1 ? a0 + length : a0;
    const a2 = left > 2 ? a1 + length : a1;
    const a3 = left > 3 ? a2 + length : a2;
    const t0 = panel + u32At(map, u32At(rows, i)) * stride;
    const t1 = left > 1 ? panel + u32At(map, u32At(rows, i + 1)) * stride : waste;
    const t2 = left > 2 ? panel + u32At(map, u32At(rows, i + 2)) * stride : waste;
    const t3 = left > 3 ? panel + u32At(map, u32At(rows, i + 3)) * stride : waste;
    const lastColumn = min(columns, i + 4);
    for (let j: usize = 0; j < lastColumn; j += 2) {
      const b0 = source + j * length;
      const c0 = (u32At(rows, j) - first) << 3;
      if (j + 1 < columns) {
        dots(a0, a1, a2, a3, b0, b0 + length, length, sums);
        const c1 = (u32At(rows, j + 1) - first) << 3;
        if (c1 == c0 + 8) {
          subtractPair(t0 + c0, v128.load(sums));
          subtractPair(t1 + c0, v128.load(sums, 16));
          subtractPair(t2 + c0, v128.load(sums, 32));
          subtractPair(t3 + c0, v128.load(sums, 48));
        } else {
          subtract(t0 + c0, load<f64>(sums)), subtract(t0 + c1, load<f64>(sums, 8));
          subtract(t1 + c0, load<f64>(sums, 16)), subtract(t1 + c1, load<f64>(sums, 24));
          subtract(t2 + c0, load<f64>(sums, 32)), subtract(t2 + c1, load<f64>(sums, 40));
          subtract(t3 + c0, load<f64>(sums, 48)), subtract(t3 + c1, load<f64>(sums, 56));
        }
      } else {
        dots(a0, a1, a2, a3, b0, b0, length, sums);
        subtract(t0 + c0, load<f64>(sums));
        subtract(t1 + c0, load<f64>(sums, 16));
        subtract(t2 + c0, load<f64>(sums, 32));
        subtract(t3 + c0, load<f64>(sums, 48));
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function subtractPair(address: usize, value: v128): void {
  v128.store(address, f64x2.sub(v128.load(address), value));
}

// @ts-ignore: decorator
@inline
function subtract(address: usize, value: f64): void {
  store<f64>(address, load<f64>(address) - value);
}

/**
 * Products of four rows with two, `length` bytes of each: eight sums at `out`, a row's two together. Even and odd
 * entries are summed apart and added at the end; the twin does the same.
 */
function dots(a0: usize, a1: usize, a2: usize, a3: usize, b0: usize, b1: usize, length: usize, out: usize): void {
  let s00 = f64x2.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
  const end = b0 + (length & ~31);
  while (b0 < end) {
    let x = v128.load(b0), y = v128.load(b1);
    let a = v128.load(a0);
    s00 = f64x2.add(s00, f64x2.mul(a, x)), s01 = f64x2.add(s01, f64x2.mul(a, y));
    a = v128.load(a1);
    s10 = f64x2.add(s10, f64x2.mul(a, x)), s11 = f64x2.add(s11, f64x2.mul(a, y));
    a = v128.load(a2);
    s20 = f64x2.add(s20, f64x2.mul(a, x)), s21 = f64x2.add(s21, f64x2.mul(a, y));
    a = v128.load(a3);
    s30 = f64x2.add(s30, f64x2.mul(a, x)), s31 = f64x2.add(s31, f64x2.mul(a, y));
    x = v128.load(b0, 16), y = v128.load(b1, 16);
    a = v128.load(a0, 16);
    s00 = f64x2.add(s00, f64x2.mul(a, x)), s01 = f64x2.add(s01, f64x2.mul(a, y));
    a = v128.load(a1, 16);
    s10 = f64x2.add(s10, f64x2.mul(a, x)), s11 = f64x2.add(s11, f64x2.mul(a, y));
    a = v128.load(a2, 16);
    s20 = f64x2.add(s20, f64x2.mul(a, x)), s21 = f64x2.add(s21, f64x2.mul(a, y));
    a = v128.load(a3, 16);
    s30 = f64x2.add(s30, f64x2.mul(a, x)), s31 = f64x2.add(s31, f64x2.mul(a, y));
    a0 += 32, a1 += 32, a2 += 32, a3 += 32, b0 += 32, b1 += 32;
  }
  if (length & 16) {
    const x = v128.load(b0), y = v128.load(b1);
    let a = v128.load(a0);
    s00 = f64x2.add(s00, f64x2.mul(a, x)), s01 = f64x2.add(s01, f64x2.mul(a, y));
    a = v128.load(a1);
    s10 = f64x2.add(s10, f64x2.mul(a, x)), s11 = f64x2.add(s11, f64x2.mul(a, y));
    a = v128.load(a2);
    s20 = f64x2.add(s20, f64x2.mul(a, x)), s21 = f64x2.add(s21, f64x2.mul(a, y));
    a = v128.load(a3);
    s30 = f64x2.add(s30, f64x2.mul(a, x)), s31 = f64x2.add(s31, f64x2.mul(a, y));
  }
  v128.store(out, sumPairs(s00, s01));
  v128.store(out, sumPairs(s10, s11), 16);
  v128.store(out, sumPairs(s20, s21), 32);
  v128.store(out, sumPairs(s30, s31), 48);
}

// @ts-ignore: decorator
@inline
function sumPairs(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}

/** L of the panel's own columns. Reciprocals of its diagonal go to the scratch. -1, or the column that failed. */
function factorTriangle(h: Header, panel: usize, stride: usize, width: usize, first: usize): i32 {
  const sums = h.scratch, inverse = h.scratch + 256;
  for (let j: usize = 0; j < width; j += 2) {
    const r0 = panel + j * stride, isPair = j + 1 < width;
    const r1 = isPair ? r0 + stride : r0;
    dots(r0, r1, r1, r1, r0, r1, j << 3, sums);
    const p0 = load<f64>(r0 + (j << 3)) - load<f64>(sums);
    if (!isLargeEnough(p0, h, first + j)) return <i32>(first + j);
    const d0 = sqrt(p0), i0 = 1 / d0;
    store<f64>(r0 + (j << 3), d0);
    store<f64>(inverse + (j << 3), i0);
    if (!isPair) break;
    const l = (load<f64>(r1 + (j << 3)) - load<f64>(sums, 16)) * i0;
    const p1 = load<f64>(r1 + (j << 3), 8) - load<f64>(sums, 24) - l * l;
    if (!isLargeEnough(p1, h, first + j + 1)) return <i32>(first + j + 1);
    const d1 = sqrt(p1), i1 = 1 / d1;
    store<f64>(r1 + (j << 3), l), store<f64>(r1 + (j << 3), d1, 8);
    store<f64>(inverse + (j << 3), i1, 8);
    for (let i = j + 2; i < width; i += 4) solveFour(sums, panel + i * stride, stride, width - i, r0, r1, j, l, i0, i1);
  }
  return -1;
}

function isLargeEnough(pivot: f64, h: Header, column: usize): bool {
  if (pivot > load<f64>(h.least + (column << 3)) && pivot < Infinity) return true;
  store<f64>(h.pivot, pivot);
  return false;
}

/** The rows below the triangle, four at a time through all columns: they stay in the nearest cache meanwhile. */
function solveBelow(scratch: usize, panel: usize, stride: usize, width: usize, below: usize): void {
  const inverse = scratch + 256;
  const rows = panel + width * stride;
  for (let i: usize = 0; i < below; i += 4) {
    const row = rows + i * stride, count = below - i;
    let j: usize = 0;
    for (; j + 1 < width; j += 2) {
      const r0 = panel + j * stride;
      const l = load<f64>(r0 + stride + (j << 3));
      solveFour(
        scratch, row, stride, count, r0, r0 + stride, j, l,
        load<f64>(inverse + (j << 3)), load<f64>(inverse + (j << 3), 8),
      );
    }
    if (j < width) solveLast(scratch, row, stride, count, panel + j * stride, j, load<f64>(inverse + (j << 3)));
  }
}

/** Columns j and j + 1 of up to four rows from `row` on, given the triangle's rows r0 and r1. */
// @ts-ignore: decorator
@inline
function solveFour(
  sums: usize, row: usize, stride: usize, count: usize, r0: usize, r1: usize,
  j: usize, l: f64, i0: f64, i1: f64,
): void {
  const a1 = count > 1 ? row + stride : row;
  const a2 = count > 2 ? a1 + stride : a1;
  const a3 = count > 3 ? a2 + stride : a2;
  dots(row, a1, a2, a3, r0, r1, j << 3, sums);
  const at = j << 3;
  solvePair(row + at, v128.load(sums), l, i0, i1);
  if (count > 1) solvePair(a1 + at, v128.load(sums, 16), l, i0, i1);
  if (count > 2) solvePair(a2 + at, v128.load(sums, 32), l, i0, i1);
  if (count > 3) solvePair(a3 + at, v128.load(sums, 48), l, i0, i1);
}

// @ts-ignore: decorator
@inline
function solvePair(address: usize, sum: v128, l: f64, i0: f64, i1: f64): void {
  const rest = f64x2.sub(v128.load(address), sum);
  const x = f64x2.extract_lane(rest, 0) * i0;
  store<f64>(address, x);
  store<f64>(address, (f64x2.extract_lane(rest, 1) - x * l) * i1, 8);
}

/** The last column, where their number is odd. */
function solveLast(sums: usize, row: usize, stride: usize, count: usize, r: usize, j: usize, i0: f64): void {
  const a1 = count > 1 ? row + stride : row;
  const a2 = count > 2 ? a1 + stride : a1;
  const a3 = count > 3 ? a2 + stride : a2;
  dots(row, a1, a2, a3, r, r, j << 3, sums);
  const at = j << 3;
  store<f64>(row + at, (load<f64>(row + at) - load<f64>(sums)) * i0);
  if (count > 1) store<f64>(a1 + at, (load<f64>(a1 + at) - load<f64>(sums, 16)) * i0);
  if (count > 2) store<f64>(a2 + at, (load<f64>(a2 + at) - load<f64>(sums, 32)) * i0);
  if (count > 3) store<f64>(a3 + at, (load<f64>(a3 + at) - load<f64>(sums, 48)) * i0);
}
