import { isTurned, largestEntry, scaleColumn } from './columns.ts';

export interface SymmetricEigen {
  /** Ascending. */
  readonly values: Float64Array;
  /** Orthonormal columns; of the entries of largest size in each, the first is positive. */
  readonly vectors: Float64Array;
}

const MOST_STEPS = 60; // per eigenvalue; two or three are usual
/** Of entries whose largest is 1: nothing, and its square still has all digits. */
const TINY = 1e-120;

/**
 * All eigenpairs of a symmetric matrix of a few hundred columns: Householder reflections to three diagonals, then
 * implicit QL steps. Only the lower triangle is read.
 */
export function symmetricEigen(matrix: Float64Array, size: number): SymmetricEigen {
  const scale = largestEntry(matrix.subarray(0, size * size));
  if (!(scale < Infinity)) throw new RangeError(`an entry of the matrix is not finite`);
  const A = new Float64Array(size * size);
  const diagonal = new Float64Array(size),
    below = new Float64Array(size);
  if (scale === 0) {
    for (let k = 0; k < size; k++) A[k * size + k] = 1;
    return { values: diagonal, vectors: A };
  }
  for (let j = 0; j < size; j++) {
    for (let i = j; i < size; i++) A[j * size + i] = A[i * size + j] = matrix[j * size + i] / scale;
  }
  const reflectors = reduceToThreeDiagonals(A, size, diagonal, below);
  const vectors = multiplyReflectors(A, size, reflectors);
  diagonaliseByQl(size, diagonal, below, vectors);
  for (let k = 0; k < size; k++) diagonal[k] *= scale;
  return sortAndTurn(size, diagonal, vectors);
}

/** Leaves reflector k, I − τ v vᵀ, in rows k + 1 … of column k, and returns every τ. */
function reduceToThreeDiagonals(
  A: Float64Array,
  size: number,
  diagonal: Float64Array,
  below: Float64Array,
): Float64Array {
  const taus = new Float64Array(size);
  const p = new Float64Array(size);
  for (let k = 0; k < size - 1; k++) {
    const column = k * size;
    const first = A[column + k + 1];
    let squares = 0;
    for (let i = k + 2; i < size; i++) squares += A[column + i] * A[column + i];
    diagonal[k] = A[column + k];
    if (squares < TINY * TINY) {
      below[k] = first;
      continue;
    }
    const norm = Math.sqrt(first * first + squares);
    const reflected = first > 0 ? -norm : norm;
    const lead = first - reflected; // no cancellation: opposite signs
    below[k] = reflected;
    A[column + k + 1] = lead;
    const tau = (taus[k] = 2 / (lead * lead + squares));
    reflectBothSides(A, size, k, tau, p);
  }
  diagonal[size - 1] = A[size * size - 1];
  return taus;
}

/** The trailing square becomes S − v wᵀ − w vᵀ with p = τ S v, w = p − (τ vᵀp / 2) v. Lower triangle only. */
function reflectBothSides(A: Float64Array, size: number, k: number, tau: number, p: Float64Array): void {
  const v = k * size; // v_i is A[v + i]
  p.fill(0, k + 1);
  for (let j = k + 1; j < size; j++) {
    const column = j * size;
    const vj = A[v + j];
    let sum = A[column + j] * vj;
    for (let i = j + 1; i < size; i++) {
      sum += A[column + i] * A[v + i];
      p[i] += A[column + i] * vj;
    }
    p[j] += sum;
  }
  let product = 0;
  for (let i = k + 1; i < size; i++) product += (p[i] *= tau) * A[v + i];
  const half = (tau * product) / 2;
  for (let i = k + 1; i < size; i++) p[i] -= half * A[v + i];
  for (let j = k + 1; j < size; j++) {
    const column = j * size;
    const vj = A[v + j],
      wj = p[j];
    for (let i = j; i < size; i++) A[column + i] -= A[v + i] * wj + p[i] * vj;
  }
}

/** The product of all reflectors. */
function multiplyReflectors(A: Float64Array, size: number, taus: Float64Array): Float64Array {
  const Q = new Float64Array(size * size);
  for (let k = 0; k < size; k++) Q[k * size + k] = 1;
  for (let k = size - 2; k >= 0; k--) {
    if (taus[k] === 0) continue;
    const v = k * size;
    for (let j = k + 1; j < size; j++) {
      let sum = 0;
      for (let i = k + 1; i < size; i++) sum += A[v + i] * Q[j * size + i];
      sum *= taus[k];
      for (let i = k + 1; i < size; i++) Q[j * size + i] -= sum * A[v + i];
    }
  }
  return Q;
}

/** Entries below the diagonal are driven to zero; each rotation also turns two columns of `vectors`. */
function diagonaliseByQl(
  size: number,
  diagonal: Float64Array,
  below: Float64Array,
  vectors: Float64Array,
): void {
  for (let low = 0; low < size; low++) {
    for (let step = 0; ; step++) {
      const high = endOfBlock(size, low, diagonal, below);
      if (high === low) break;
      if (step === MOST_STEPS) throw new RangeError(`eigenvalue ${low} of ${size} did not settle`);
      sweep(size, low, high, diagonal, below, vectors);
    }
  }
}

/** The last row coupled to row `low`. */
function endOfBlock(size: number, low: number, diagonal: Float64Array, below: Float64Array): number {
  for (let m = low; m < size - 1; m++) {
    const neighbours = Math.abs(diagonal[m]) + Math.abs(diagonal[m + 1]);
    if (Math.abs(below[m]) <= Number.EPSILON * neighbours || Math.abs(below[m]) < TINY) return m;
  }
  return size - 1;
}

/** One implicit QL step with Wilkinson's shift on rows low … high: the bulge goes from the bottom to the top. */
function sweep(
  size: number,
  low: number,
  high: number,
  d: Float64Array,
  e: Float64Array,
  vectors: Float64Array,
): void {
  const ratio = (d[low + 1] - d[low]) / (2 * e[low]);
  const root = Math.sqrt(ratio * ratio + 1);
  let g = d[high] - d[low] + e[low] / (ratio + (ratio < 0 ? -root : root));
  let sine = 1,
    cosine = 1,
    moved = 0;
  for (let i = high - 1; i >= low; i--) {
    const f = sine * e[i],
      b = cosine * e[i];
    const length = Math.hypot(f, g); // both may be tiny
    e[i + 1] = length;
    if (length === 0) {
      d[i + 1] -= moved; // the block has split early
      e[high] = 0;
      return;
    }
    sine = f / length;
    cosine = g / length;
    g = d[i + 1] - moved;
    const r = (d[i] - g) * sine + 2 * cosine * b;
    moved = sine * r;
    d[i + 1] = g + moved;
    g = cosine * r - b;
    rotateColumns(size, vectors, i * size, (i + 1) * size, cosine, sine);
  }
  d[low] -= moved;
  e[low] = g;
  e[high] = 0;
}

function rotateColumns(
  size: number,
  vectors: Float64Array,
  a: number,
  b: number,
  cosine: number,
  sine: number,
): void {
  for (let k = 0; k < size; k++) {
    const x = vectors[a + k],
      y = vectors[b + k];
    vectors[a + k] = cosine * x - sine * y;
    vectors[b + k] = sine * x + cosine * y;
  }
}

function sortAndTurn(size: number, diagonal: Float64Array, vectors: Float64Array): SymmetricEigen {
  const order = Array.from(diagonal.keys()).sort((a, b) => diagonal[a] - diagonal[b] || a - b);
  const sorted = new Float64Array(size * size);
  order.forEach((from, to) => {
    sorted.set(vectors.subarray(from * size, (from + 1) * size), to * size);
    if (isTurned(size, sorted, to * size)) scaleColumn(size, -1, sorted, to * size);
  });
  return { values: Float64Array.from(order, (k) => diagonal[k]), vectors: sorted };
}
