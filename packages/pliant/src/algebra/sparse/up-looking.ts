import { eliminationTree } from './elimination-tree.ts';
import { graphOf } from './graph.ts';
import { NotPositiveDefinite } from './not-positive-definite.ts';
import { inversePermutation, permuteSymmetric, type SymmetricMatrix } from './symmetric-matrix.ts';

/** L of P A Pᵀ = L Lᵀ by columns; the diagonal comes first, and rows ascend. */
export interface PlainFactor {
  readonly size: number;
  readonly order: Int32Array;
  readonly start: Int32Array;
  readonly row: Int32Array;
  readonly value: Float64Array;
}

/**
 * The plain sparse Cholesky factorisation, row by row: row k of L solves a triangular system with the rows above it, and
 * its entries stand on the paths from those of A up the elimination tree. What the fast one is measured against and
 * tested with.
 */
export function factoriseUpLooking(matrix: SymmetricMatrix, order: Int32Array): PlainFactor {
  const { size } = matrix;
  const place = inversePermutation(order, size);
  const graph = graphOf(matrix);
  const parent = eliminationTree(graph, order, place);
  const mark = new Int32Array(size).fill(-1);
  const pattern = new Int32Array(size);
  const path = new Int32Array(size);
  const start = new Int32Array(size + 1);
  const upper = transpose(permuteSymmetric(matrix, order)); // row k of the lower triangle
  for (let k = 0; k < size; k++) {
    start[k + 1]++;
    for (let p = reach(upper, k, parent, mark, pattern, path); p < size; p++) start[pattern[p] + 1]++;
  }
  for (let k = 0; k < size; k++) start[k + 1] += start[k];
  const row = new Int32Array(start[size]);
  const value = new Float64Array(start[size]);
  const end = start.slice(0, size); // of the entries found so far
  const x = new Float64Array(size);
  mark.fill(-1);
  for (let k = 0; k < size; k++) {
    let top = reach(upper, k, parent, mark, pattern, path);
    for (let p = upper.start[k]; p < upper.start[k + 1]; p++) x[upper.row[p]] = upper.value[p];
    const diagonal = x[k];
    let pivot = diagonal;
    x[k] = 0;
    for (; top < size; top++) {
      const j = pattern[top];
      const first = start[j],
        last = end[j];
      const entry = x[j] / value[first];
      x[j] = 0;
      for (let p = first + 1; p < last; p++) x[row[p]] -= value[p] * entry;
      pivot -= entry * entry;
      row[last] = k;
      value[last] = entry;
      end[j] = last + 1;
    }
    if (!(pivot > 0)) throw new NotPositiveDefinite(order[k], pivot, diagonal);
    row[end[k]] = k;
    value[end[k]++] = Math.sqrt(pivot);
  }
  return { size, order, start, row, value };
}

/** Solves A x = b in place. */
export function solvePlain(factor: PlainFactor, b: Float64Array): void {
  const { size, order, start, row, value } = factor;
  const x = Float64Array.from(order, (i) => b[i]);
  for (let j = 0; j < size; j++) {
    x[j] /= value[start[j]];
    for (let p = start[j] + 1; p < start[j + 1]; p++) x[row[p]] -= value[p] * x[j];
  }
  for (let j = size - 1; j >= 0; j--) {
    for (let p = start[j] + 1; p < start[j + 1]; p++) x[j] -= value[p] * x[row[p]];
    x[j] /= value[start[j]];
  }
  for (let k = 0; k < size; k++) b[order[k]] = x[k];
}

/** The columns of row k of L, from `result` to the end of `pattern`, so that each follows those it depends on. */
function reach(
  upper: SymmetricMatrix,
  k: number,
  parent: Int32Array,
  mark: Int32Array,
  pattern: Int32Array,
  path: Int32Array,
): number {
  let top = pattern.length;
  mark[k] = k;
  for (let p = upper.start[k]; p < upper.start[k + 1]; p++) {
    let length = 0;
    for (let i = upper.row[p]; mark[i] !== k; i = parent[i]) {
      path[length++] = i;
      mark[i] = k;
    }
    while (length > 0) pattern[--top] = path[--length];
  }
  return top;
}

function transpose({ size, start, row, value }: SymmetricMatrix): SymmetricMatrix {
  const begin = new Int32Array(size + 1);
  for (let p = 0; p < row.length; p++) begin[row[p] + 1]++;
  for (let i = 0; i < size; i++) begin[i + 1] += begin[i];
  const next = begin.slice(0, size);
  const column = new Int32Array(row.length);
  const values = new Float64Array(row.length);
  for (let j = 0; j < size; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) {
      column[next[row[p]]] = j;
      values[next[row[p]]++] = value[p];
    }
  }
  return { size, start: begin, row: column, value: values };
}
