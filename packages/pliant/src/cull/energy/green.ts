import type { Patch } from './patch.ts';
import type { SurfaceWeights } from './surface-weights.ts';

/** Residuals beyond this mean that S is close to singular: no certificate then. */
const WORST_RESIDUAL = 1e-9;
const EPSILON = 2 ** -52;

/**
 * How far apart two vertices of a patch can be moved with one unit of energy: √g, with g(a) = aᵀK⁺a for a = e_i − e_j,
 * K = S D⁻¹ S (CERTIFICATES §2.1 (n)).
 *
 * S is factored with the last vertex grounded. z_i = S⁻¹ e_i, and g(a) = min over c of Σ D (z_i − z_j − c)². What S⁻¹
 * lacks is measured: any y with Lᵀy = a − r proves √g(a) ≤ ‖y‖ + √g(r), and r, which sums to 0, moves at most half of
 * ‖r‖₁ from somewhere to somewhere.
 */
export class GreenDistances {
  vertexCount = 0;
  /** Upper bounds of √g, vertexCount² of them. */
  distance = new Float64Array(64);
  /** How much the square of any of them may be above the truth. */
  excess = 0;

  readonly #surface: SurfaceWeights;
  #lower = new Float64Array(64); // band Cholesky by rows: row i holds columns i − band … i
  #inverse = new Float64Array(64); // z_i by rows
  #area = new Float64Array(64);
  #column = new Float64Array(64);
  #mean = new Float64Array(64);

  constructor(surface: SurfaceWeights) {
    this.#surface = surface;
  }

  /** False when there is no certificate: S is singular or nearly so. */
  compute(patch: Patch): boolean {
    const { vertexCount: n } = patch;
    this.vertexCount = n;
    this.#reserve(n, patch.band);
    if (!patch.isConnected || n < 4 || !this.#factor(patch)) return false;
    const area = this.#area,
      z = this.#inverse,
      column = this.#column;
    for (let v = 0; v < n; v++) area[v] = 1 / this.#surface.scale[patch.points[v]] ** 2;
    let residual = 0,
      largest = 0;
    for (let i = 0; i < n; i++) {
      const row = z.subarray(i * n, i * n + n);
      row.fill(0);
      if (i < n - 1) row[i] = 1; // the last one is grounded
      this.#solve(row, patch.band, i);
      for (let v = 0; v < n; v++) column[v] = v === i ? 1 : 0;
      if (i < n - 1) {
        column[n - 1] -= 1; // 1ᵀS = 0: what goes in at i comes out at the ground
        residual = Math.max(residual, residualOf(patch, column, row));
      }
      for (let v = 0; v < n; v++) largest = Math.max(largest, Math.abs(row[v]));
    }
    return residual <= WORST_RESIDUAL && this.#computeDistances(patch, residual, largest);
  }

  /** Squares from S⁻¹ D z_i, which is z_jᵀ D z_i for all j at once. */
  #computeDistances(patch: Patch, residual: number, largest: number): boolean {
    const { vertexCount: n, band } = patch;
    const { distance } = this;
    const area = this.#area,
      z = this.#inverse,
      mean = this.#mean,
      column = this.#column;
    let total = 0;
    for (let v = 0; v < n; v++) total += area[v];
    let second = 0,
      top = 0;
    for (let i = 0; i < n; i++) {
      const row = distance.subarray(i * n, i * n + n);
      let sum = 0,
        weighted = 0;
      for (let v = 0; v < n; v++) {
        column[v] = row[v] = area[v] * z[i * n + v];
        sum += row[v];
        weighted += Math.abs(row[v]);
      }
      mean[i] = sum / total;
      row[n - 1] = 0;
      this.#solve(row, band, 0);
      column[n - 1] -= sum;
      second = Math.max(second, residualOf(patch, column, row) + EPSILON * weighted);
      for (let v = 0; v < n; v++) top = Math.max(top, Math.abs(row[v]));
    }
    const pad = 8 * (largest * second + n * EPSILON * top);
    let farthest = 0;
    for (let i = 0; i < n; i++) mean[n + i] = distance[i * n + i]; // the diagonal, before it is written over
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const between = mean[i] - mean[j];
        const square =
          mean[n + i] + mean[n + j] - distance[i * n + j] - distance[j * n + i] - total * between * between;
        const root = Math.sqrt(Math.max(0, square) + pad);
        distance[i * n + j] = distance[j * n + i] = root;
        farthest = Math.max(farthest, root);
      }
      distance[i * n + i] = 0;
    }
    const more = (farthest * residual) / (1 - residual);
    for (let k = 0; k < n * n; k++) distance[k] += more;
    for (let i = 0; i < n; i++) distance[i * n + i] = 0;
    this.excess = 4 * (pad + more * (2 * farthest + more));
    return farthest < Infinity && this.excess < Infinity;
  }

  #reserve(n: number, band: number): void {
    const room = (old: Float64Array<ArrayBuffer>, length: number) =>
      old.length < length ? new Float64Array(Math.max(length, 2 * old.length)) : old;
    this.distance = room(this.distance, n * n);
    this.#inverse = room(this.#inverse, n * n);
    this.#lower = room(this.#lower, n * (band + 1));
    this.#area = room(this.#area, n);
    this.#column = room(this.#column, n);
    this.#mean = room(this.#mean, 2 * n);
  }

  /** Cholesky of S without its last row and column. */
  #factor({ vertexCount, band, start, neighbour, weight }: Patch): boolean {
    const lower = this.#lower;
    const width = band + 1;
    const n = vertexCount - 1;
    lower.fill(0, 0, n * width);
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let e = start[i]; e < start[i + 1]; e++) {
        sum += weight[e];
        if (neighbour[e] < i) lower[i * width + neighbour[e] - i + band] = -weight[e];
      }
      lower[i * width + band] = sum;
      const diagonal = sum;
      for (let j = Math.max(0, i - band); j < i; j++) {
        const a = i * width - i + band,
          b = j * width - j + band;
        let rest = lower[a + j];
        for (let k = Math.max(0, i - band); k < j; k++) rest -= lower[a + k] * lower[b + k];
        lower[a + j] = rest / lower[b + j];
      }
      let rest = lower[i * width + band];
      for (let k = 0; k < band; k++) rest -= lower[i * width + k] * lower[i * width + k];
      if (!(rest > 1e-12 * Math.abs(diagonal) && rest < Infinity)) return false;
      lower[i * width + band] = Math.sqrt(rest);
    }
    return true;
  }

  /** In place; the grounded one becomes 0. Entries before `first` are 0. */
  #solve(x: Float64Array, band: number, first: number): void {
    const lower = this.#lower;
    const width = band + 1;
    const n = this.vertexCount - 1;
    x[n] = 0;
    for (let i = first; i < n; i++) {
      const row = i * width - i + band;
      let rest = x[i];
      for (let k = Math.max(first, i - band); k < i; k++) rest -= lower[row + k] * x[k];
      x[i] = rest / lower[row + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      const row = i * width - i + band;
      const value = (x[i] /= lower[row + i]);
      for (let k = Math.max(0, i - band); k < i; k++) x[k] -= lower[row + k] * value;
    }
  }
}

/** Upper bound of ‖b − S x‖₁, with what is lost in computing it. */
function residualOf(
  { vertexCount, start, neighbour, weight }: Patch,
  b: Float64Array,
  x: Float64Array,
): number {
  let sum = 0;
  for (let v = 0; v < vertexCount; v++) {
    let rest = b[v],
      size = Math.abs(b[v]);
    for (let e = start[v]; e < start[v + 1]; e++) {
      const term = weight[e] * (x[v] - x[neighbour[e]]);
      rest -= term;
      size += Math.abs(term);
    }
    sum += Math.abs(rest) + 16 * EPSILON * size;
  }
  return sum;
}
