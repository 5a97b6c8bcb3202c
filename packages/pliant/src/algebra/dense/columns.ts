/**
 * Dense matrices are column-major Float64Arrays: entry (i, j) of a matrix with n rows is at j n + i. These are the
 * products that basis vectors need; four columns at a time, because one at a time waits for memory.
 */

/** x · y for two columns of `rows` numbers. */
export function dot(
  rows: number,
  x: Float64Array,
  xOffset: number,
  y: Float64Array,
  yOffset: number,
): number {
  let sum0 = 0,
    sum1 = 0,
    i = 0;
  for (; i + 1 < rows; i += 2) {
    sum0 += x[xOffset + i] * y[yOffset + i];
    sum1 += x[xOffset + i + 1] * y[yOffset + i + 1];
  }
  if (i < rows) sum0 += x[xOffset + i] * y[yOffset + i];
  return sum0 + sum1;
}

/** y ← y + factor x. */
export function addColumn(
  rows: number,
  factor: number,
  x: Float64Array,
  xOffset: number,
  y: Float64Array,
  yOffset: number,
): void {
  for (let i = 0; i < rows; i++) y[yOffset + i] += factor * x[xOffset + i];
}

export function scaleColumn(rows: number, factor: number, x: Float64Array, offset: number): void {
  for (let i = offset; i < offset + rows; i++) x[i] *= factor;
}

/** out_j ← x · (column j of basis), for the first `columns` columns. */
export function projectColumn(
  basis: Float64Array,
  rows: number,
  columns: number,
  x: Float64Array,
  xOffset: number,
  out: Float64Array,
  outOffset = 0,
): void {
  let j = 0;
  for (; j + 3 < columns; j += 4) {
    const a = j * rows,
      b = a + rows,
      c = b + rows,
      d = c + rows;
    let s = 0,
      t = 0,
      u = 0,
      v = 0;
    for (let i = 0; i < rows; i++) {
      const value = x[xOffset + i];
      s += basis[a + i] * value;
      t += basis[b + i] * value;
      u += basis[c + i] * value;
      v += basis[d + i] * value;
    }
    out[outOffset + j] = s;
    out[outOffset + j + 1] = t;
    out[outOffset + j + 2] = u;
    out[outOffset + j + 3] = v;
  }
  for (; j < columns; j++) out[outOffset + j] = dot(rows, basis, j * rows, x, xOffset);
}

/** x ← x + sign Σ_j coefficients_j (column j of basis). */
export function combineColumns(
  basis: Float64Array,
  rows: number,
  columns: number,
  coefficients: Float64Array,
  offset: number,
  x: Float64Array,
  xOffset: number,
  sign = 1,
): void {
  let j = 0;
  for (; j + 3 < columns; j += 4) {
    const a = j * rows,
      b = a + rows,
      c = b + rows,
      d = c + rows;
    const s = sign * coefficients[offset + j],
      t = sign * coefficients[offset + j + 1],
      u = sign * coefficients[offset + j + 2],
      v = sign * coefficients[offset + j + 3];
    for (let i = 0; i < rows; i++) {
      x[xOffset + i] += s * basis[a + i] + t * basis[b + i] + (u * basis[c + i] + v * basis[d + i]);
    }
  }
  for (; j < columns; j++) addColumn(rows, sign * coefficients[offset + j], basis, j * rows, x, xOffset);
}

/** basis × factor: `columns` columns of `rows` numbers times a columns × outColumns matrix. */
export function multiplyColumns(
  basis: Float64Array,
  rows: number,
  columns: number,
  factor: Float64Array,
  outColumns: number,
): Float64Array {
  const out = new Float64Array(rows * outColumns);
  for (let k = 0; k < outColumns; k++)
    combineColumns(basis, rows, columns, factor, k * columns, out, k * rows);
  return out;
}

/** AᵀB for two matrices of `rows` rows: aColumns × bColumns. */
export function gramOf(
  a: Float64Array,
  aColumns: number,
  b: Float64Array,
  bColumns: number,
  rows: number,
): Float64Array {
  const out = new Float64Array(aColumns * bColumns);
  for (let k = 0; k < bColumns; k++) projectColumn(a, rows, aColumns, b, k * rows, out, k * aColumns);
  return out;
}

/** (A + Aᵀ) / 2 in place, for a square matrix. */
export function symmetrise(matrix: Float64Array, size: number): void {
  for (let j = 0; j < size; j++) {
    for (let i = j + 1; i < size; i++) {
      const mean = (matrix[j * size + i] + matrix[i * size + j]) / 2;
      matrix[j * size + i] = matrix[i * size + j] = mean;
    }
  }
}

/** The largest |entry|; NaN when there is one. */
export function largestEntry(matrix: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < matrix.length; i++) {
    const size = Math.abs(matrix[i]);
    if (!(size <= largest)) largest = size;
    if (Number.isNaN(size)) return size;
  }
  return largest;
}

/**
 * True when a column's sign has to be turned: of its entries of (nearly) largest size the first is to be positive.
 * Nearly, so that rounding does not decide between the two ends of a symmetric shape.
 */
export function isTurned(rows: number, columns: Float64Array, offset: number): boolean {
  let largest = 0;
  for (let i = 0; i < rows; i++) largest = Math.max(largest, Math.abs(columns[offset + i]));
  for (let i = 0; i < rows; i++) {
    if (Math.abs(columns[offset + i]) >= 0.999 * largest) return columns[offset + i] < 0;
  }
  return false;
}
