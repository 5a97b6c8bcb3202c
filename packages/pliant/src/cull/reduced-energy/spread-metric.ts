import { factorInPlace } from '../../algebra/dense/cholesky.ts';
import { dot } from '../../algebra/dense/columns.ts';
import type { NodeFunctions } from './node-functions.ts';

/** How much more an affine change of the whole node may weigh than others: A takes it away. */
const AFFINE = 1e3;
const ROUNDS = 12;
const MORE_ROUNDS = 6;
/** Weight of all pairs that are added later. */
const NEW_SHARE = 0.3;
/** Pairs with so little weight, relative to the mean one, are forgotten. */
const DROPPED = 0.05;

/**
 * Which changes of the functions go together: an ellipsoid around all difference quotients
 *
 *     d = (f(p) − f(q)) / ‖p − q‖          f = φ less its linear fit
 *
 * of points of the node, as small as possible. Two points meet only if ‖C d‖ ≥ 1, C = AY − Y₀, and the largest ‖C d‖ in
 * the ellipsoid is the root of λ_max(C Q Cᵀ): so the smaller, the better. Its shape is that of the optimal design of an
 * experiment, Q = k Σ λ d dᵀ, found by raising the weights λ of what sticks out. Only some pairs are looked at; any Q is
 * sound.
 */
export class SpreadMetric {
  #pairs: number[] = [];
  #count = 0;
  #quotients = new Float64Array(0);
  #weights = new Float64Array(0);
  #factor = new Float64Array(0);
  #fit = new Float64Array(0); // 3 per function
  #solved = new Float64Array(0);

  /** Writes Q, by rows, for a node that was loaded. */
  write(functions: NodeFunctions, out: Float64Array): void {
    this.#choosePairs(functions);
    this.#findFit(functions);
    this.#count = 0;
    this.#addQuotients(functions);
    this.#weights.fill(1 / this.#count, 0, this.#count);
    this.#balance(functions, ROUNDS, out);
  }

  /** … once more, with pairs of points that stick out. */
  improve(functions: NodeFunctions, pairs: readonly number[], out: Float64Array): void {
    const before = this.#count;
    this.#pairs = [...pairs];
    this.#addQuotients(functions);
    const added = this.#count - before;
    for (let c = 0; c < before && added > 0; c++) this.#weights[c] *= 1 - NEW_SHARE;
    this.#weights.fill(NEW_SHARE / added, before, this.#count); // none to fill when nothing was added
    this.#balance(functions, MORE_ROUNDS, out);
  }

  /** Edges, and as many others. */
  #choosePairs({ corners, triangleCount, pointCount, functionCount }: NodeFunctions): void {
    const pairs = (this.#pairs = []) as number[];
    const most = 2 * functionCount + 100;
    const step = Math.max(1, Math.floor((3 * triangleCount) / most));
    for (let c = 0; c < 3 * triangleCount; c += step) {
      pairs.push(corners[c], corners[c % 3 === 2 ? c - 2 : c + 1]);
    }
    const edges = pairs.length / 2;
    for (let c = 0; c < edges; c++) {
      const i = Math.imul(c + 1, 0x9e3779b1) >>> 0,
        j = Math.imul(c + 1, 0x85ebca6b) >>> 0;
      pairs.push(i % pointCount, (j >>> 7) % pointCount);
    }
  }

  /** Least squares over the points, held back where they hardly extend. */
  #findFit({ positions: X, values, pointCount: n, functionCount: k }: NodeFunctions): void {
    const S = new Float64Array(9);
    for (let i = 0; i < n; i++) {
      for (let a = 0; a < 3; a++) for (let b = 0; b <= a; b++) S[3 * a + b] += X[3 * i + a] * X[3 * i + b];
    }
    const more = 1e-6 * (S[0] + S[4] + S[8]) + Number.MIN_VALUE;
    for (let a = 0; a < 9; a += 4) S[a] += more;
    this.#fit = new Float64Array(3 * k);
    const fit = this.#fit;
    if (!factorInPlace(S, 3)) return;
    for (let i = 0; i < n; i++) {
      for (let f = 0; f < k; f++) {
        const value = values[i * k + f];
        fit[3 * f] += value * X[3 * i];
        fit[3 * f + 1] += value * X[3 * i + 1];
        fit[3 * f + 2] += value * X[3 * i + 2];
      }
    }
    for (let f = 0; f < 3 * k; f += 3) {
      const x = fit[f] / S[0],
        y = (fit[f + 1] - S[3] * x) / S[4],
        z = (fit[f + 2] - S[6] * x - S[7] * y) / S[8];
      fit[f + 2] = z / S[8];
      fit[f + 1] = (y - S[7] * fit[f + 2]) / S[4];
      fit[f] = (x - S[3] * fit[f + 1] - S[6] * fit[f + 2]) / S[0];
    }
  }

  #addQuotients({ positions: X, values, functionCount: k, radius }: NodeFunctions): void {
    const pairs = this.#pairs,
      fit = this.#fit;
    const needed = this.#count + pairs.length / 2;
    this.#quotients = grown(this.#quotients, needed * k);
    this.#weights = grown(this.#weights, needed);
    const d = this.#quotients;
    for (let c = 0; c < pairs.length; c += 2) {
      const i = pairs[c],
        j = pairs[c + 1];
      const x = X[3 * i] - X[3 * j],
        y = X[3 * i + 1] - X[3 * j + 1],
        z = X[3 * i + 2] - X[3 * j + 2];
      const distance = Math.sqrt(x * x + y * y + z * z);
      if (!(distance > 1e-6 * radius)) continue;
      const o = this.#count++ * k;
      for (let f = 0; f < k; f++) {
        const linear = fit[3 * f] * x + fit[3 * f + 1] * y + fit[3 * f + 2] * z;
        d[o + f] = (values[i * k + f] - values[j * k + f] - linear) / distance;
      }
    }
  }

  /** Titterington's iteration: each weight is multiplied by how far its quotient sticks out; what hardly counts is dropped. */
  #balance(functions: NodeFunctions, rounds: number, out: Float64Array): void {
    const { functionCount: k } = functions;
    const weights = this.#weights;
    this.#factor = grown(this.#factor, k * k);
    this.#solved = grown(this.#solved, k);
    for (let round = 0; round < rounds; round++) {
      this.#sum(k, this.#factor);
      regularise(functions, this.#factor);
      if (!factorInPlace(this.#factor, k)) break;
      let total = 0;
      for (let c = 0; c < this.#count; c++) total += weights[c] *= this.#leverage(k, c * k);
      if (!(total > 0 && total < Infinity)) {
        weights.fill(1 / this.#count, 0, this.#count); // the fit explains everything
        break;
      }
      for (let c = 0; c < this.#count; c++) weights[c] /= total;
      this.#drop(k);
    }
    this.#sum(k, out);
    for (let e = 0; e < k * k; e++) out[e] *= k;
    const fit = this.#fit;
    for (let i = 0; i < k; i++) {
      for (let j = 0; j <= i; j++) {
        const product =
          fit[3 * i] * fit[3 * j] + fit[3 * i + 1] * fit[3 * j + 1] + fit[3 * i + 2] * fit[3 * j + 2];
        out[i * k + j] += AFFINE * product;
      }
    }
  }

  #drop(k: number): void {
    const weights = this.#weights,
      d = this.#quotients;
    const least = DROPPED / this.#count;
    let kept = 0;
    for (let c = 0; c < this.#count; c++) {
      if (weights[c] < least) continue;
      if (kept < c) {
        weights[kept] = weights[c];
        d.copyWithin(k * kept, k * c, k * (c + 1));
      }
      kept++;
    }
    this.#count = kept;
  }

  /** Σ λ d dᵀ, the lower triangle by rows. */
  #sum(k: number, out: Float64Array): void {
    const d = this.#quotients;
    out.fill(0, 0, k * k);
    for (let c = 0; c < this.#count; c++) {
      const weight = this.#weights[c],
        o = c * k;
      for (let i = 0; i < k; i++) {
        const x = weight * d[o + i];
        if (x === 0) continue;
        for (let j = 0; j <= i; j++) out[i * k + j] += x * d[o + j];
      }
    }
  }

  /** dᵀ Q⁻¹ d. */
  #leverage(k: number, o: number): number {
    const L = this.#factor,
      z = this.#solved,
      d = this.#quotients;
    let squares = 0;
    for (let i = 0; i < k; i++) {
      z[i] = (d[o + i] - dot(i, L, i * k, z, 0)) / L[i * k + i];
      squares += z[i] * z[i];
    }
    return squares;
  }
}

/** Q may be singular: weights add up to 1. */
function regularise({ functionCount: k, sizes, radius }: NodeFunctions, Q: Float64Array): void {
  for (let f = 0; f < k; f++) {
    const constant = 1e-8 * Math.max(sizes[f] / radius, 1e-8);
    Q[f * k + f] += 1e-10 * Q[f * k + f] + constant * constant;
  }
}

function grown(array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const larger = new Float64Array(Math.ceil(1.5 * length));
  larger.set(array);
  return larger;
}
