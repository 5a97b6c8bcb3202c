import { addColumn, dot, largestEntry } from './columns.ts';

export interface QrFactors {
  /** min(rows, columns): the columns of `q` and the rows of `r`. */
  readonly rank: number;
  /** rows × rank, orthonormal columns. */
  readonly q: Float64Array;
  /** rank × columns, upper triangular, diagonal ≥ 0. */
  readonly r: Float64Array;
  /** Column k of q r is column `order[k]` of the matrix. */
  readonly order: Uint32Array;
}

export interface QrOptions {
  /** True takes the longest remaining column first, so that the diagonal of r falls. Default: false. */
  pivot?: boolean;
}

/** A = Q R by Householder reflections. */
export function householderQr(
  matrix: Float64Array,
  rows: number,
  columns: number,
  options: QrOptions = {},
): QrFactors {
  const { pivot = false } = options;
  const rank = Math.min(rows, columns);
  const A = matrix.slice(0, rows * columns);
  const scale = largestEntry(A);
  if (!(scale < Infinity)) throw new RangeError('an entry of the matrix is not finite');
  if (scale > 0) for (let i = 0; i < A.length; i++) A[i] /= scale;
  const order = Uint32Array.from({ length: columns }, (_, k) => k);
  const taus = new Float64Array(rank);
  const heads = new Float64Array(rank); // the diagonal of R, before signs
  for (let k = 0; k < rank; k++) {
    if (pivot) takeLongest(A, rows, columns, k, order);
    const at = k * rows + k;
    const norm = Math.sqrt(dot(rows - k, A, at, A, at));
    if (norm < TINY) continue;
    heads[k] = A[at] > 0 ? -norm : norm;
    A[at] -= heads[k];
    taus[k] = 2 / dot(rows - k, A, at, A, at);
    for (let j = k + 1; j < columns; j++) reflect(A, rows, k, taus[k], A, j * rows + k);
  }
  const q = orthonormalColumns(A, rows, taus, heads);
  return { rank, q, r: upperTriangle(A, rows, columns, heads, scale), order };
}

const TINY = 1e-150; // of entries whose largest is 1: its square still has all digits

function takeLongest(A: Float64Array, rows: number, columns: number, k: number, order: Uint32Array): void {
  let longest = k,
    most = -1;
  for (let j = k; j < columns; j++) {
    const squares = dot(rows - k, A, j * rows + k, A, j * rows + k);
    if (squares > most) {
      most = squares;
      longest = j;
    }
  }
  if (longest === k) return;
  [order[k], order[longest]] = [order[longest], order[k]];
  for (let i = 0; i < rows; i++) {
    const a = k * rows + i,
      b = longest * rows + i;
    [A[a], A[b]] = [A[b], A[a]];
  }
}

/** x ← x − τ (v · x) v, where v stands in column k of A from row k on. */
function reflect(
  A: Float64Array,
  rows: number,
  k: number,
  tau: number,
  x: Float64Array,
  offset: number,
): void {
  const v = k * rows + k;
  addColumn(rows - k, -tau * dot(rows - k, A, v, x, offset), A, v, x, offset);
}

function orthonormalColumns(
  A: Float64Array,
  rows: number,
  taus: Float64Array,
  heads: Float64Array,
): Float64Array {
  const rank = taus.length;
  const q = new Float64Array(rows * rank);
  for (let j = 0; j < rank; j++) {
    q[j * rows + j] = heads[j] < 0 ? -1 : 1;
    for (let k = j; k >= 0; k--) reflect(A, rows, k, taus[k], q, j * rows + k);
  }
  return q;
}

function upperTriangle(
  A: Float64Array,
  rows: number,
  columns: number,
  heads: Float64Array,
  scale: number,
): Float64Array {
  const rank = heads.length;
  const r = new Float64Array(rank * columns);
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i <= Math.min(j, rank - 1); i++) {
      const value = i === j ? heads[i] : A[j * rows + i];
      r[j * rank + i] = scale * (heads[i] < 0 ? -value : value);
    }
  }
  return r;
}
