import { createPanel, readPanel, type TsHeader } from './ts-factor-kernels.ts';

/** One vector at `vectors`. */
export function solveOne(h: TsHeader): void {
  const { u32, f64, count, vectors: x } = h;
  const panel = createPanel();
  for (let s = 0; s < count; s++) {
    const { first, width, rows, below, start, stride } = readPanel(h, s, panel);
    const own = x + first;
    for (let i = 0, a = start; i < width; i++, a += stride) {
      let sum = f64[own + i];
      for (let k = 0; k < i; k++) sum -= f64[a + k] * f64[own + k];
      f64[own + i] = sum / f64[a + i];
    }
    for (let i = 0, a = start + width * stride; i < below; i++, a += stride) {
      const y = x + u32[rows + i];
      let sum = f64[y];
      for (let k = 0; k < width; k++) sum -= f64[a + k] * f64[own + k];
      f64[y] = sum;
    }
  }
  for (let s = count - 1; s >= 0; s--) {
    const { first, width, rows, below, start, stride } = readPanel(h, s, panel);
    const own = x + first;
    for (let i = 0, a = start + width * stride; i < below; i++, a += stride) {
      const y = f64[x + u32[rows + i]];
      for (let k = 0; k < width; k++) f64[own + k] -= f64[a + k] * y;
    }
    for (let i = width - 1; i >= 0; i--) {
      const row = start + i * stride;
      const v = (f64[own + i] /= f64[row + i]);
      for (let k = 0; k < i; k++) f64[own + k] -= f64[row + k] * v;
    }
  }
}

/** Eight vectors, the eight entries of a row together. */
export function solveEight(h: TsHeader): void {
  const { u32, f64, count, vectors: x } = h;
  const panel = createPanel();
  for (let s = 0; s < count; s++) {
    const { first, width, rows, below, start, stride } = readPanel(h, s, panel);
    const own = x + 8 * first;
    for (let i = 0, a = start; i < width; i++, a += stride) {
      subtractProducts(f64, own + 8 * i, own, a, i);
      divide(f64, own + 8 * i, f64[a + i]);
    }
    for (let i = 0, a = start + width * stride; i < below; i++, a += stride)
      subtractProducts(f64, x + 8 * u32[rows + i], own, a, width);
  }
  for (let s = count - 1; s >= 0; s--) {
    const { first, width, rows, below, start, stride } = readPanel(h, s, panel);
    const own = x + 8 * first;
    for (let i = 0, a = start + width * stride; i < below; i++, a += stride)
      spread(f64, own, x + 8 * u32[rows + i], a, width);
    for (let i = width - 1; i >= 0; i--) {
      const row = start + i * stride;
      divide(f64, own + 8 * i, f64[row + i]);
      spread(f64, own, own + 8 * i, row, i);
    }
  }
}

/** y -= Σ a[k] x[k], in two halves of four numbers: eight sums would not stay in registers. */
function subtractProducts(f64: Float64Array, y: number, x: number, a: number, count: number): void {
  for (let half = 0; half < 8; half += 4) {
    const to = y + half;
    let y0 = f64[to],
      y1 = f64[to + 1],
      y2 = f64[to + 2],
      y3 = f64[to + 3];
    for (let k = 0, from = x + half; k < count; k++, from += 8) {
      const v = f64[a + k];
      y0 -= v * f64[from];
      y1 -= v * f64[from + 1];
      y2 -= v * f64[from + 2];
      y3 -= v * f64[from + 3];
    }
    f64[to] = y0;
    f64[to + 1] = y1;
    f64[to + 2] = y2;
    f64[to + 3] = y3;
  }
}

/** x[k] -= a[k] y. */
function spread(f64: Float64Array, x: number, y: number, a: number, count: number): void {
  for (let half = 0; half < 8; half += 4) {
    const y0 = f64[y + half],
      y1 = f64[y + half + 1],
      y2 = f64[y + half + 2],
      y3 = f64[y + half + 3];
    for (let k = 0, to = x + half; k < count; k++, to += 8) {
      const v = f64[a + k];
      f64[to] -= v * y0;
      f64[to + 1] -= v * y1;
      f64[to + 2] -= v * y2;
      f64[to + 3] -= v * y3;
    }
  }
}

function divide(f64: Float64Array, y: number, d: number): void {
  for (let c = 0; c < 8; c++) f64[y + c] /= d;
}
