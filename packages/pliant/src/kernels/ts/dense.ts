/** See kernels/dense.ts. Addresses are in units of f64. */

const BLOCK = 32;

export function factorDense(
  f64: Float64Array,
  A: number,
  L: number,
  stride: number,
  from: number,
  to: number,
  least: number,
): number {
  for (let first = from; first < to; first += BLOCK) {
    const end = Math.min(to, first + BLOCK);
    for (let i = first; i < end; i++) f64.copyWithin(L + i * stride, A + i * stride, A + i * stride + i + 1);
    solveColumns(f64, L, stride, 0, first, L + first * stride, stride, end - first);
    for (let j = first; j < end; j++) {
      const row = L + j * stride;
      const pivot = f64[row + j] - dot(f64, row, row, j);
      if (!(pivot > least * f64[A + j * stride + j] && pivot < Infinity)) return j;
      f64[row + j] = Math.sqrt(pivot);
      if (j + 1 < end) solveColumn(f64, L, stride, j, row + stride, stride, end - j - 1);
    }
  }
  return -1;
}

export function solveDense(
  f64: Float64Array,
  L: number,
  stride: number,
  from: number,
  to: number,
  rows: number,
  rowStride: number,
  count: number,
): void {
  solveColumns(f64, L, stride, from, to, rows, rowStride, count);
}

export function solveDenseTransposed(
  f64: Float64Array,
  L: number,
  stride: number,
  size: number,
  rows: number,
  rowStride: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const x = rows + i * rowStride;
    for (let j = size - 1; j >= 0; j--) {
      const row = L + j * stride;
      const value = (f64[x + j] /= f64[row + j]);
      addScaled(f64, x, -value, row, j);
    }
  }
}

export function multiplyRows(
  f64: Float64Array,
  a: number,
  aStride: number,
  aCount: number,
  b: number,
  bStride: number,
  bCount: number,
  length: number,
  lower: number,
  out: number,
  outStride: number,
): void {
  for (let i = 0; i < aCount; i++) {
    const columns = lower ? Math.min(bCount, (i & ~3) + 4) : bCount; // as many as for its block of four
    for (let j = 0; j < columns; j++) {
      f64[out + i * outStride + j] = dot(f64, a + i * aStride, b + j * bStride, length);
    }
  }
}

export function combineRows(
  f64: Float64Array,
  c: number,
  cStride: number,
  count: number,
  rows: number,
  rowStride: number,
  rowCount: number,
  length: number,
  out: number,
  outStride: number,
): void {
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < rowCount; k++) {
      addScaled(f64, out + i * outStride, f64[c + i * cStride + k], rows + k * rowStride, length);
    }
  }
}

function solveColumns(
  f64: Float64Array,
  L: number,
  stride: number,
  from: number,
  to: number,
  rows: number,
  rowStride: number,
  count: number,
): void {
  let j = from;
  for (; j + 1 < to; j += 2) {
    const r0 = L + j * stride,
      r1 = r0 + stride;
    const i0 = 1 / f64[r0 + j],
      l = f64[r1 + j],
      i1 = 1 / f64[r1 + j + 1];
    for (let i = 0; i < count; i++) {
      const a = rows + i * rowStride;
      const second = dot(f64, a, r1, j);
      const x = (f64[a + j] - dot(f64, a, r0, j)) * i0;
      f64[a + j] = x;
      f64[a + j + 1] = (f64[a + j + 1] - second - x * l) * i1;
    }
  }
  if (j < to) solveColumn(f64, L, stride, j, rows, rowStride, count);
}

function solveColumn(
  f64: Float64Array,
  L: number,
  stride: number,
  j: number,
  rows: number,
  rowStride: number,
  count: number,
): void {
  const r = L + j * stride;
  const inverse = 1 / f64[r + j];
  for (let i = 0; i < count; i++) {
    const a = rows + i * rowStride;
    f64[a + j] = (f64[a + j] - dot(f64, a, r, j)) * inverse;
  }
}

function addScaled(f64: Float64Array, x: number, factor: number, y: number, length: number): void {
  for (let k = 0; k < length; k++) f64[x + k] += factor * f64[y + k];
}

function dot(f64: Float64Array, a: number, b: number, length: number): number {
  let even = 0,
    odd = 0;
  const end = length & ~1;
  for (let k = 0; k < end; k += 2) {
    even += f64[a + k] * f64[b + k];
    odd += f64[a + k + 1] * f64[b + k + 1];
  }
  if (length & 1) even += f64[a + end] * f64[b + end];
  return even + odd;
}
