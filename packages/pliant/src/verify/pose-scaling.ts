import { InputError } from '../mesh/input-error.ts';

/** Poses as a metric M measures them: q̂ = Lᵀq has the length √(qᵀMq), where M = LLᵀ; rows of modes become L⁻¹u. */
export class PoseScaling {
  readonly #count: number;
  readonly #lower: Float64Array; // L by rows; of a diagonal M its diagonal only
  readonly #isDiagonal: boolean;

  /** `metric`: nothing for the unit matrix, weights, or a full matrix. */
  constructor(count: number, metric: Float64Array) {
    this.#count = count;
    this.#isDiagonal = metric.length <= count;
    if (this.#isDiagonal) {
      this.#lower = Float64Array.from({ length: count }, (_, m) =>
        metric.length > 0 ? Math.sqrt(metric[m]) : 1,
      );
      return;
    }
    const L = new Float64Array(count * count);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j <= i; j++) {
        let rest = metric[i * count + j];
        for (let k = 0; k < j; k++) rest -= L[i * count + k] * L[j * count + k];
        L[i * count + j] = i === j ? Math.sqrt(rest) : rest / L[j * count + j];
      }
      if (!(L[i * count + i] > 0)) throw new InputError('syntax', 'the metric is not positive definite');
    }
    this.#lower = L;
  }

  scaled(q: Float64Array): Float64Array {
    const n = this.#count,
      L = this.#lower;
    if (this.#isDiagonal) return q.map((weight, m) => weight * L[m]);
    return q.map((_, m) => {
      let sum = 0;
      for (let i = m; i < n; i++) sum += L[i * n + m] * q[i];
      return sum;
    });
  }

  unscaled(scaled: Float64Array): Float64Array {
    const n = this.#count,
      L = this.#lower;
    if (this.#isDiagonal) return scaled.map((weight, m) => weight / L[m]);
    const q = scaled.slice();
    for (let m = n - 1; m >= 0; m--) {
      for (let i = m + 1; i < n; i++) q[m] -= L[i * n + m] * q[i];
      q[m] /= L[m * n + m];
    }
    return q;
  }

  /** In place. */
  scaleRow(rows: Float64Array, from: number): void {
    const n = this.#count,
      L = this.#lower;
    for (let m = 0; m < n; m++) {
      if (this.#isDiagonal) {
        rows[from + m] /= L[m];
        continue;
      }
      for (let i = 0; i < m; i++) rows[from + m] -= L[m * n + i] * rows[from + i];
      rows[from + m] /= L[m * n + m];
    }
  }
}
