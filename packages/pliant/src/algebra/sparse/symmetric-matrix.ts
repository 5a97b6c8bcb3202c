import { checkLength, checkNumbers, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';

/**
 * A sparse symmetric matrix: its lower triangle by columns. Entries of column j are start[j] to start[j + 1];
 * rows ascend, and the first is the diagonal, which is always there, even when it is zero.
 */
export interface SymmetricMatrix {
  readonly size: number;
  readonly start: Int32Array; // size + 1
  readonly row: Int32Array;
  readonly value: Float64Array;
}

/** Checks everything; keeps the arrays. Errors: 'wrong-type', 'wrong-length', 'out-of-range', 'not-finite'. */
export function createSymmetricMatrix(
  size: number,
  start: Int32Array,
  row: Int32Array,
  value: Float64Array,
): SymmetricMatrix {
  const matrix = { size, start, row, value };
  checkSymmetricMatrix(matrix);
  return matrix;
}

/** Refuses what does not have the stated layout or holds a number that is not finite. */
export function checkSymmetricMatrix(matrix: SymmetricMatrix): void {
  const { size, start, row, value } = matrix;
  checkSize(size);
  if (!(start instanceof Int32Array) || !(row instanceof Int32Array))
    throw new InputError('wrong-type', 'start and row of a symmetric matrix must be Int32Arrays');
  if (!(value instanceof Float64Array))
    throw new InputError('wrong-type', `value must be a Float64Array, not ${describe(value)}`);
  checkLength('start', start, size + 1);
  if (start[0] !== 0) throw new InputError('out-of-range', `start[0] is ${start[0]}, not 0`);
  checkLength('row', row, start[size]);
  checkLength('value', value, start[size]);
  for (let j = 0; j < size; j++) {
    if (start[j + 1] <= start[j] || row[start[j]] !== j)
      throw new InputError('out-of-range', `column ${j} does not begin with its diagonal`);
    for (let p = start[j] + 1; p < start[j + 1]; p++) {
      if (row[p] <= row[p - 1] || row[p] >= size)
        throw new InputError(
          'out-of-range',
          `column ${j}: row ${row[p]} follows row ${row[p - 1]} of ${size}`,
        );
    }
  }
  for (let p = 0; p < value.length; p++) {
    if (value[p] - value[p] !== 0)
      throw new InputError(
        'not-finite',
        `the entry in row ${row[p]}, column ${columnOf(matrix, p)} is ${value[p]}`,
      );
  }
}

export function checkSize(size: number): void {
  if (Number.isInteger(size) && size >= 0 && size <= LARGEST_SIZE) return;
  throw new InputError(
    'out-of-range',
    `the size of a matrix must be a whole number up to 2^28, not ${describe(size)}`,
  );
}

const LARGEST_SIZE = 2 ** 28;

/** The diagonal matrix with these entries. */
export function diagonalMatrix(diagonal: ArrayLike<number>): SymmetricMatrix {
  const value = Float64Array.from(diagonal);
  checkNumbers('diagonal', value);
  const start = Int32Array.from({ length: value.length + 1 }, (_, j) => j);
  return { size: value.length, start, row: start.slice(0, -1), value };
}

/**
 * y = A x. `columns` vectors may stand one after another in `x` and `y`; each comes out with the same bits as
 * alone. The two must not overlap.
 */
export function multiply(matrix: SymmetricMatrix, x: Float64Array, y: Float64Array, columns = 1): void {
  const { size, start, row, value } = matrix;
  checkLength('x', x, columns * size);
  checkLength('y', y, columns * size);
  y.fill(0);
  for (let base = 0; base < columns * size; base += size) {
    for (let j = 0; j < size; j++) {
      const end = start[j + 1];
      const xj = x[base + j];
      let p = start[j];
      let sum = value[p] * xj;
      for (p++; p < end; p++) {
        const i = base + row[p];
        y[i] += value[p] * xj;
        sum += value[p] * x[i];
      }
      y[base + j] += sum;
    }
  }
}

/** A + sigma B. The pattern is the union of both; it is A's own, and shared, when the two are equal. */
export function addScaled(a: SymmetricMatrix, b: SymmetricMatrix, sigma: number): SymmetricMatrix {
  if (a.size !== b.size) throw new InputError('mismatch', `sizes differ: ${a.size} and ${b.size}`);
  if (!Number.isFinite(sigma)) throw new InputError('not-finite', `sigma is ${sigma}`);
  if (isSamePattern(a, b)) {
    const value = a.value.map((v, p) => v + sigma * b.value[p]);
    return { size: a.size, start: a.start, row: a.row, value };
  }
  const { size } = a;
  const start = new Int32Array(size + 1);
  for (let j = 0; j < size; j++) start[j + 1] = start[j] + mergeColumn(a, b, j, sigma);
  const row = new Int32Array(start[size]);
  const value = new Float64Array(start[size]);
  for (let j = 0; j < size; j++) mergeColumn(a, b, j, sigma, { row, value, at: start[j] });
  return { size, start, row, value };
}

export function isSamePattern(a: SymmetricMatrix, b: SymmetricMatrix): boolean {
  if (a.size !== b.size || a.row.length !== b.row.length) return false;
  if (a.start === b.start && a.row === b.row) return true;
  return a.start.every((s, j) => s === b.start[j]) && a.row.every((r, p) => r === b.row[p]);
}

/** Merges one column into `out` and returns how many entries it has. */
function mergeColumn(
  a: SymmetricMatrix,
  b: SymmetricMatrix,
  j: number,
  sigma: number,
  out?: { row: Int32Array; value: Float64Array; at: number },
): number {
  const endA = a.start[j + 1],
    endB = b.start[j + 1];
  let p = a.start[j],
    q = b.start[j],
    count = 0;
  while (p < endA || q < endB) {
    const rowA = p < endA ? a.row[p] : a.size;
    const rowB = q < endB ? b.row[q] : b.size;
    const r = Math.min(rowA, rowB);
    let sum = 0;
    if (rowA === r) sum += a.value[p++];
    if (rowB === r) sum += sigma * b.value[q++];
    if (out) {
      out.row[out.at + count] = r;
      out.value[out.at + count] = sum;
    }
    count++;
  }
  return count;
}

/** P A Pᵀ: row and column `order[k]` of A become row and column k. */
export function permuteSymmetric(matrix: SymmetricMatrix, order: Int32Array): SymmetricMatrix {
  const { size, row, value } = matrix;
  const place = inversePermutation(order, size);
  const column = new Int32Array(row.length);
  const low = new Int32Array(row.length);
  for (let j = 0; j < size; j++) {
    for (let p = matrix.start[j]; p < matrix.start[j + 1]; p++) {
      const a = place[j],
        b = place[row[p]];
      column[p] = Math.min(a, b);
      low[p] = Math.max(a, b);
    }
  }
  const sorted = sortByColumn(size, column, low);
  return {
    size,
    start: sorted.start,
    row: sorted.source.map((p) => low[p]),
    value: Float64Array.from(sorted.source, (p) => value[p]),
  };
}

/** Where each number stands: place[order[k]] = k. Refuses what is not a permutation. */
export function inversePermutation(order: Int32Array, size: number): Int32Array {
  checkLength('order', order, size);
  const place = new Int32Array(size).fill(-1);
  for (let k = 0; k < size; k++) {
    const i = order[k];
    if (!(i >= 0 && i < size) || place[i] >= 0)
      throw new InputError('out-of-range', `order[${k}] is ${i}: not a permutation of ${size}`);
    place[i] = k;
  }
  return place;
}

/**
 * Entries by column, then by row, equal ones as they came: two counting sorts. `source` says where each was.
 */
export function sortByColumn(
  size: number,
  column: Int32Array,
  row: Int32Array,
  count = column.length,
): { start: Int32Array; source: Int32Array } {
  const byRow = countingSort(size, row, count);
  const start = new Int32Array(size + 1);
  for (let p = 0; p < count; p++) start[column[p] + 1]++;
  for (let j = 0; j < size; j++) start[j + 1] += start[j];
  const next = start.slice(0, size);
  const source = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const p = byRow[k];
    source[next[column[p]]++] = p;
  }
  return { start, source };
}

function countingSort(size: number, key: Int32Array, count: number): Int32Array {
  const next = new Int32Array(size + 1);
  for (let p = 0; p < count; p++) next[key[p] + 1]++;
  for (let j = 0; j < size; j++) next[j + 1] += next[j];
  const sorted = new Int32Array(count);
  for (let p = 0; p < count; p++) sorted[next[key[p]]++] = p;
  return sorted;
}

function columnOf({ start }: SymmetricMatrix, p: number): number {
  let j = 0;
  while (start[j + 1] <= p) j++;
  return j;
}
