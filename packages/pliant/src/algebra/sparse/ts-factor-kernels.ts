import type { FactorKernels } from './factor-kernels.ts';
import { HEADER } from './factor-memory.ts';
import { solveEight, solveOne } from './ts-factor-solve.ts';

/** The twin of kernels/algebra: the same operations on every number, in the same order. */
export function createTsFactorKernels(buffer: ArrayBuffer): FactorKernels {
  const views = { u32: new Uint32Array(buffer), i32: new Int32Array(buffer), f64: new Float64Array(buffer) };
  return {
    name: 'ts',
    buffer,
    factorise: (header, from, to) => factorise(readHeader(views, header), from, to),
    solveOne: (header) => solveOne(readHeader(views, header)),
    solveEight: (header) => solveEight(readHeader(views, header)),
  };
}

interface Views {
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f64: Float64Array;
}

/** As kernels/algebra/header.ts; here positions in `u32`, or in `f64` for numbers. */
export interface TsHeader extends Views {
  readonly count: number;
  readonly first: number;
  readonly rowStart: number;
  readonly row: number;
  readonly panelStart: number;
  readonly panels: number;
  readonly of: number;
  readonly head: number;
  readonly next: number;
  readonly position: number;
  readonly map: number;
  readonly least: number;
  readonly sums: number;
  readonly inverse: number;
  readonly vectors: number;
  readonly pivot: number;
}

function readHeader(views: Views, header = HEADER): TsHeader {
  const word = (k: number) => views.u32[header / 4 + k];
  return {
    ...views,
    count: word(1),
    first: word(2) / 4,
    rowStart: word(3) / 4,
    row: word(4) / 4,
    panelStart: word(5) / 4,
    panels: word(6) / 8,
    of: word(7) / 4,
    head: word(8) / 4,
    next: word(9) / 4,
    position: word(10) / 4,
    map: word(11) / 4,
    least: word(12) / 8,
    sums: word(13) / 8,
    inverse: word(13) / 8 + 32,
    vectors: word(14) / 8,
    pivot: word(15) / 8,
  };
}

/** One supernode: its columns, the rows below, and its panel. */
interface Panel {
  first: number;
  width: number;
  rows: number;
  below: number;
  start: number;
  stride: number;
}

export function readPanel(h: TsHeader, s: number, panel: Panel): Panel {
  const { u32 } = h;
  panel.first = u32[h.first + s];
  panel.width = u32[h.first + s + 1] - panel.first;
  panel.rows = h.row + u32[h.rowStart + s];
  panel.below = u32[h.rowStart + s + 1] - u32[h.rowStart + s];
  panel.start = h.panels + u32[h.panelStart + s];
  panel.stride = panel.width + (panel.width & 1);
  return panel;
}

export function createPanel(): Panel {
  return { first: 0, width: 0, rows: 0, below: 0, start: 0, stride: 0 };
}

function factorise(h: TsHeader, from: number, to: number): number {
  const panel = createPanel(),
    other = createPanel();
  for (let s = from; s < to; s++) {
    readPanel(h, s, panel);
    collect(h, s, panel, other);
    const failed = factorTriangle(h, panel);
    if (failed >= 0) return failed;
    solveBelow(h, panel);
    if (panel.below > 0) enqueue(h, s, 0, h.u32[panel.rows]);
  }
  return -1;
}

function enqueue(h: TsHeader, s: number, position: number, row: number): void {
  const target = h.u32[h.of + row];
  h.u32[h.position + s] = position;
  h.i32[h.next + s] = h.i32[h.head + target];
  h.i32[h.head + target] = s;
}

function collect(h: TsHeader, s: number, panel: Panel, source: Panel): void {
  const { u32, i32 } = h;
  const { first, width, rows, below } = panel;
  for (let k = 0; k < width; k++) u32[h.map + first + k] = k;
  for (let k = 0; k < below; k++) u32[h.map + u32[rows + k]] = width + k;
  const end = first + width;
  for (let d = i32[h.head + s]; d >= 0; ) {
    const following = i32[h.next + d];
    readPanel(h, d, source);
    const begin = u32[h.position + d];
    let last = begin;
    while (last < source.below && u32[source.rows + last] < end) last++;
    update(h, source, begin, last - begin, panel);
    if (last < source.below) enqueue(h, d, last, u32[source.rows + last]);
    d = following;
  }
}

/** As in the kernel, four rows by two columns; here rows and columns that are not there are left out. */
function update(h: TsHeader, source: Panel, begin: number, columns: number, panel: Panel): void {
  const { u32, f64, map, sums } = h;
  const length = source.stride;
  const from = source.start + (source.width + begin) * length;
  const rows = source.rows + begin,
    count = source.below - begin;
  const { start, stride, first } = panel;
  for (let i = 0; i < count; i += 4) {
    const end = Math.min(4, count - i);
    const a0 = from + i * length;
    const a1 = end > 1 ? a0 + length : a0;
    const a2 = end > 2 ? a1 + length : a1;
    const a3 = end > 3 ? a2 + length : a2;
    const lastColumn = Math.min(columns, i + 4);
    for (let j = 0; j < lastColumn; j += 2) {
      const isPair = j + 1 < columns;
      const b0 = from + j * length;
      dots(f64, a0, a1, a2, a3, b0, isPair ? b0 + length : b0, length, sums);
      const c0 = u32[rows + j] - first,
        c1 = u32[rows + j + 1] - first;
      for (let k = 0; k < end; k++) {
        const target = start + u32[map + u32[rows + i + k]] * stride;
        f64[target + c0] -= f64[sums + 2 * k];
        if (isPair) f64[target + c1] -= f64[sums + 2 * k + 1];
      }
    }
  }
}

/** Eight products of rows; even and odd entries summed apart. */
function dots(
  f64: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  a3: number,
  b0: number,
  b1: number,
  length: number,
  out: number,
): void {
  dotsOfTwo(f64, a0, a1, b0, b1, length, out);
  dotsOfTwo(f64, a2, a3, b0, b1, length, out + 4);
}

function dotsOfTwo(
  f64: Float64Array,
  a0: number,
  a1: number,
  b0: number,
  b1: number,
  length: number,
  out: number,
): void {
  let s00 = 0,
    s01 = 0,
    s10 = 0,
    s11 = 0,
    t00 = 0,
    t01 = 0,
    t10 = 0,
    t11 = 0;
  for (let k = 0; k < length; k += 2) {
    const x = f64[b0 + k],
      y = f64[b1 + k],
      a = f64[a0 + k],
      b = f64[a1 + k];
    s00 += a * x;
    s01 += a * y;
    s10 += b * x;
    s11 += b * y;
    const u = f64[b0 + k + 1],
      v = f64[b1 + k + 1],
      c = f64[a0 + k + 1],
      d = f64[a1 + k + 1];
    t00 += c * u;
    t01 += c * v;
    t10 += d * u;
    t11 += d * v;
  }
  f64[out] = s00 + t00;
  f64[out + 1] = s01 + t01;
  f64[out + 2] = s10 + t10;
  f64[out + 3] = s11 + t11;
}

function factorTriangle(h: TsHeader, { start, stride, width, first }: Panel): number {
  const { f64, sums, inverse } = h;
  for (let j = 0; j < width; j += 2) {
    const isPair = j + 1 < width;
    const r0 = start + j * stride;
    const r1 = isPair ? r0 + stride : r0;
    dotsOfTwo(f64, r0, r1, r0, r1, j, sums);
    const p0 = f64[r0 + j] - f64[sums];
    if (!isLargeEnough(h, p0, first + j)) return first + j;
    const d0 = Math.sqrt(p0),
      i0 = 1 / d0;
    f64[r0 + j] = d0;
    f64[inverse + j] = i0;
    if (!isPair) break;
    const l = (f64[r1 + j] - f64[sums + 2]) * i0;
    const p1 = f64[r1 + j + 1] - f64[sums + 3] - l * l;
    if (!isLargeEnough(h, p1, first + j + 1)) return first + j + 1;
    const d1 = Math.sqrt(p1),
      i1 = 1 / d1;
    f64[r1 + j] = l;
    f64[r1 + j + 1] = d1;
    f64[inverse + j + 1] = i1;
    for (let i = j + 2; i < width; i += 4)
      solveFour(f64, sums, start + i * stride, stride, width - i, r0, r1, j, l, i0, i1);
  }
  return -1;
}

function isLargeEnough(h: TsHeader, pivot: number, column: number): boolean {
  if (pivot > h.f64[h.least + column] && pivot < Infinity) return true;
  h.f64[h.pivot] = pivot;
  return false;
}

function solveBelow({ f64, sums, inverse }: TsHeader, { start, stride, width, below }: Panel): void {
  const rows = start + width * stride;
  for (let i = 0; i < below; i += 4) {
    const row = rows + i * stride,
      count = below - i;
    let j = 0;
    for (; j + 1 < width; j += 2) {
      const r0 = start + j * stride,
        r1 = r0 + stride;
      solveFour(
        f64,
        sums,
        row,
        stride,
        count,
        r0,
        r1,
        j,
        f64[r1 + j],
        f64[inverse + j],
        f64[inverse + j + 1],
      );
    }
    if (j < width) solveLast(f64, sums, row, stride, count, start + j * stride, j, f64[inverse + j]);
  }
}

function solveFour(
  f64: Float64Array,
  sums: number,
  row: number,
  stride: number,
  count: number,
  r0: number,
  r1: number,
  j: number,
  l: number,
  i0: number,
  i1: number,
): void {
  const a1 = count > 1 ? row + stride : row;
  const a2 = count > 2 ? a1 + stride : a1;
  const a3 = count > 3 ? a2 + stride : a2;
  dots(f64, row, a1, a2, a3, r0, r1, j, sums);
  const end = Math.min(4, count);
  for (let k = 0, at = row + j; k < end; k++, at += stride) {
    const x = (f64[at] - f64[sums + 2 * k]) * i0;
    f64[at + 1] = (f64[at + 1] - f64[sums + 2 * k + 1] - x * l) * i1;
    f64[at] = x;
  }
}

function solveLast(
  f64: Float64Array,
  sums: number,
  row: number,
  stride: number,
  count: number,
  r: number,
  j: number,
  i0: number,
): void {
  const a1 = count > 1 ? row + stride : row;
  const a2 = count > 2 ? a1 + stride : a1;
  const a3 = count > 3 ? a2 + stride : a2;
  dots(f64, row, a1, a2, a3, r, r, j, sums);
  const end = Math.min(4, count);
  for (let k = 0, at = row + j; k < end; k++, at += stride) f64[at] = (f64[at] - f64[sums + 2 * k]) * i0;
}
