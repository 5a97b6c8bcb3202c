import { dot, isTurned, largestEntry, scaleColumn } from './columns.ts';
import { householderQr } from './qr.ts';

/** A = U Σ Vᵀ, thin: as many columns as the shorter side of A. */
export interface SingularValues {
  /** Descending, ≥ 0. */
  readonly values: Float64Array;
  /** rows × k: the left singular vectors. Of the entries of largest size in each, the first is positive. */
  readonly left: Float64Array;
  /** columns × k: the right ones. */
  readonly right: Float64Array;
}

const MOST_SWEEPS = 40;
/** Squared length of a column, of entries whose largest is 1, that counts as zero: `unitColumns` replaces it. */
const NOTHING = 1e-200;

/**
 * Singular values by one-sided Jacobi rotations on the transposed triangle of a pivoted QR: small ones keep their
 * digits where columns differ in length, and a few sweeps do.
 */
export function singularValues(matrix: Float64Array, rows: number, columns: number): SingularValues {
  if (rows < columns) {
    const { values, left, right } = decompose(transposed(matrix, rows, columns), columns, rows);
    return turned({ values, left: right, right: left }, rows, columns);
  }
  return turned(decompose(matrix, rows, columns), rows, columns);
}

/** For at least as many rows as columns. A P = Q R and Rᵀ W = X Σ give A = (Q W) Σ (P X)ᵀ. */
function decompose(matrix: Float64Array, rows: number, columns: number): SingularValues {
  const { q, r, order } = householderQr(matrix, rows, columns, { pivot: true });
  const X = transposed(r, columns, columns);
  const scale = largestEntry(X) || 1;
  for (let i = 0; i < X.length; i++) X[i] /= scale;
  const W = orthogonalise(X, columns);
  const lengths = Float64Array.from({ length: columns }, (_, k) =>
    Math.sqrt(dot(columns, X, k * columns, X, k * columns)),
  );
  const sorted = Array.from(lengths.keys()).sort((a, b) => lengths[b] - lengths[a] || a - b);
  const values = Float64Array.from(sorted, (k) => lengths[k] * scale);
  const left = new Float64Array(rows * columns),
    right = new Float64Array(columns * columns);
  const unit = unitColumns(X, columns, sorted, lengths);
  sorted.forEach((from, to) => {
    for (let k = 0; k < columns; k++) {
      const w = W[from * columns + k];
      for (let i = 0; i < rows; i++) left[to * rows + i] += w * q[k * rows + i];
      right[to * columns + order[k]] = unit[to * columns + k];
    }
  });
  return { values, left, right };
}

/** Rotates columns of X in pairs until all are orthogonal; returns the product of the rotations. */
function orthogonalise(X: Float64Array, size: number): Float64Array {
  const W = new Float64Array(size * size);
  for (let k = 0; k < size; k++) W[k * size + k] = 1;
  for (let sweep = 0; ; sweep++) {
    if (sweep === MOST_SWEEPS) throw new RangeError(`singular values of ${size} columns did not settle`);
    let rotations = 0;
    for (let p = 0; p < size - 1; p++) {
      for (let q = p + 1; q < size; q++) if (rotatePair(X, W, size, p * size, q * size)) rotations++;
    }
    if (rotations === 0) return W;
  }
}

function rotatePair(X: Float64Array, W: Float64Array, size: number, p: number, q: number): boolean {
  const alpha = dot(size, X, p, X, p),
    beta = dot(size, X, q, X, q),
    gamma = dot(size, X, p, X, q);
  const limit = Number.EPSILON * Math.sqrt(size) * Math.sqrt(alpha) * Math.sqrt(beta);
  if (!(Math.abs(gamma) > limit) || Math.min(alpha, beta) < NOTHING) return false;
  const ratio = (beta - alpha) / (2 * gamma);
  const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(1 + ratio * ratio));
  const cosine = 1 / Math.sqrt(1 + tangent * tangent),
    sine = cosine * tangent;
  turnColumns(X, size, p, q, cosine, sine);
  turnColumns(W, size, p, q, cosine, sine);
  return true;
}

function turnColumns(
  X: Float64Array,
  size: number,
  p: number,
  q: number,
  cosine: number,
  sine: number,
): void {
  for (let i = 0; i < size; i++) {
    const x = X[p + i],
      y = X[q + i];
    X[p + i] = cosine * x - sine * y;
    X[q + i] = sine * x + cosine * y;
  }
}

/** Columns in order, of length 1; where there is nothing left, something orthogonal to the others. */
function unitColumns(
  X: Float64Array,
  size: number,
  order: readonly number[],
  lengths: Float64Array,
): Float64Array {
  const unit = new Float64Array(size * size);
  const least = Number.EPSILON * Number.EPSILON * (lengths[order[0]] || 1);
  order.forEach((from, to) => {
    if (lengths[from] > least) {
      for (let i = 0; i < size; i++) unit[to * size + i] = X[from * size + i] / lengths[from];
    } else completeColumn(unit, size, to);
  });
  return unit;
}

/** Sets column k to a unit vector orthogonal to those before it. */
function completeColumn(unit: Float64Array, size: number, k: number): void {
  for (let axis = 0; axis < size; axis++) {
    unit.fill(0, k * size, (k + 1) * size);
    unit[k * size + axis] = 1;
    for (let pass = 0; pass < 2; pass++) {
      for (let j = 0; j < k; j++) {
        const product = dot(size, unit, j * size, unit, k * size);
        for (let i = 0; i < size; i++) unit[k * size + i] -= product * unit[j * size + i];
      }
    }
    const length = Math.sqrt(dot(size, unit, k * size, unit, k * size));
    if (length * length * size < 0.5) continue; // some axis keeps at least 1 / √size
    scaleColumn(size, 1 / length, unit, k * size);
    return;
  }
}

function turned(of: SingularValues, rows: number, columns: number): SingularValues {
  of.values.forEach((_, k) => {
    if (!isTurned(rows, of.left, k * rows)) return;
    scaleColumn(rows, -1, of.left, k * rows);
    scaleColumn(columns, -1, of.right, k * columns);
  });
  return of;
}

function transposed(matrix: Float64Array, rows: number, columns: number): Float64Array {
  const out = new Float64Array(rows * columns);
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < rows; i++) out[i * columns + j] = matrix[j * rows + i];
  }
  return out;
}
