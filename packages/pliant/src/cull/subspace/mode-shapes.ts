import { type DenseCholesky, denseCholesky } from '../../algebra/dense/cholesky.ts';
import { createFloats64 } from '../../long-work/shared-arrays.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { BlendPoints } from '../blend-points.ts';
import type { ModeShapes } from './pair-radius.ts';

/** How poses are measured: M as weights of the modes, or as a full symmetric matrix. */
export type Metric = ArrayLike<number>;

/** q̂ = Lᵀ q has ‖q̂‖² = qᵀ M q. Positions are p + U q = p + Û q̂ with Û = U L⁻ᵀ. */
export class MetricScaling {
  readonly modeCount: number;
  readonly isDiagonal: boolean;
  readonly metric: Float64Array; // as given; empty for M = I
  readonly #factor: DenseCholesky | undefined;
  readonly #scale: Float64Array; // of each mode, where M is diagonal

  /** Default: M = I. `what` is what errors call it. */
  constructor(modeCount: number, metric: Metric | undefined, what = 'metric') {
    this.modeCount = modeCount;
    this.metric = Float64Array.from(metric ?? []);
    this.#scale = new Float64Array(modeCount).fill(1);
    this.isDiagonal = metric === undefined || metric.length === modeCount;
    if (metric === undefined) return;
    if (this.isDiagonal) this.#readWeights(metric, what);
    else this.#factor = readMatrix(metric, modeCount, what);
  }

  /** M as it was given, the unit matrix as weights. */
  matrix(): Float64Array {
    return this.metric.length > 0 ? this.metric : new Float64Array(this.modeCount).fill(1);
  }

  #readWeights(metric: Metric, what: string): void {
    for (let m = 0; m < this.modeCount; m++) {
      const weight: unknown = metric[m];
      if (typeof weight === 'number' && weight > 0 && weight < Infinity) this.#scale[m] = Math.sqrt(weight);
      else {
        throw new InputError(
          'bad-option',
          `${what}[${m}] must be a positive number, not ${String(weight)}; a mode without weight could be of any size`,
        );
      }
    }
  }

  /** q becomes q̂, in place. */
  scale(q: Float64Array): void {
    const r = this.modeCount;
    if (this.#factor === undefined) {
      for (let m = 0; m < r; m++) q[m] *= this.#scale[m];
      return;
    }
    const { lower } = this.#factor;
    for (let m = 0; m < r; m++) {
      let sum = 0;
      for (let i = m; i < r; i++) sum += lower[i * r + m] * q[i];
      q[m] = sum; // no longer needed itself
    }
  }

  /** q of q̂, in place. */
  unscale(q: Float64Array): void {
    const r = this.modeCount;
    if (this.#factor === undefined) {
      for (let m = 0; m < r; m++) q[m] /= this.#scale[m];
      return;
    }
    const { lower } = this.#factor; // Lᵀ q = q̂, from the last row up
    for (let m = r - 1; m >= 0; m--) {
      let sum = q[m];
      for (let i = m + 1; i < r; i++) sum -= lower[i * r + m] * q[i];
      q[m] = sum / lower[m * r + m];
    }
  }

  /** A row of U becomes one of Û, in place: Û Lᵀ = U, so L û = u. */
  scaleRow(rows: Float64Array, from: number): void {
    const r = this.modeCount;
    if (this.#factor === undefined) {
      for (let m = 0; m < r; m++) rows[from + m] /= this.#scale[m];
      return;
    }
    const { lower } = this.#factor;
    for (let m = 0; m < r; m++) {
      let sum = rows[from + m];
      for (let i = 0; i < m; i++) sum -= lower[m * r + i] * rows[from + i];
      rows[from + m] = sum / lower[m * r + m];
    }
  }
}

function readMatrix(metric: Metric, modeCount: number, what: string): DenseCholesky {
  if (metric.length !== modeCount * modeCount) {
    throw new InputError(
      'bad-option',
      `${what} must have ${modeCount} weights or ${modeCount} × ${modeCount} numbers, not ${metric.length}`,
    );
  }
  const matrix = Float64Array.from(metric);
  for (let i = 0; i < modeCount; i++) {
    for (let j = 0; j < i; j++) {
      const [x, y] = [matrix[i * modeCount + j], matrix[j * modeCount + i]];
      if (Math.abs(x - y) <= 1e-9 * (Math.abs(x) + Math.abs(y))) continue;
      throw new InputError(
        'bad-option',
        `${what} is not symmetric: (${i}, ${j}) is ${x}, (${j}, ${i}) is ${y}`,
      );
    }
  }
  const factor = denseCholesky(matrix, modeCount);
  if (factor) return factor;
  throw new InputError('bad-option', `${what} is not positive definite`);
}

/** The rest shape moved to `centre`, and scaled modes. */
export function createModeShapes(
  points: BlendPoints,
  scaling: MetricScaling,
  centre: Float64Array,
): ModeShapes {
  const { firstMode, mode, displacement, modeCount, corners } = points;
  const pointCount = points.rest.length / 3;
  const rest = points.rest.slice();
  const rows = createFloats64(3 * modeCount * pointCount); // by far the largest array that workers need
  for (let p = 0; p < pointCount; p++) {
    const o = 3 * modeCount * p;
    for (let k = firstMode[p]; k < firstMode[p + 1]; k++) {
      for (let axis = 0; axis < 3; axis++) {
        rows[o + axis * modeCount + mode[k]] += displacement[3 * k + axis];
        rest[3 * p + axis] += centre[mode[k]] * displacement[3 * k + axis];
      }
    }
    for (let axis = 0; axis < 3; axis++) scaling.scaleRow(rows, o + axis * modeCount);
  }
  const largest = rest.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return { pointCount, modeCount, rest, rows, corners, largest };
}
