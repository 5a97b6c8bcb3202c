import type { NodeFunctions } from './node-functions.ts';

/** Edge weights are kept between these, relative to an equilateral triangle's: any are sound, slivers must not rule. */
const LEAST = 1e-3;
const MOST = 1e3;

/**
 * Q = (LΦ)ᵀ(LΦ) with L = D^(−1/2) S: S is the cotangent matrix of the triangles of the node, D has a third of the areas
 * around each point, those outside of the node included. C Q Cᵀ is then the Gram matrix of the bending of the whole node
 * (CERTIFICATES §2.1 n).
 */
export class BendingMetric {
  readonly #areas: Float64Array; // per point of the body
  #laplacian = new Float64Array(0); // k per local point

  constructor(rest: Float64Array, corners: Uint32Array) {
    this.#areas = new Float64Array(rest.length / 3);
    for (let c = 0; c < corners.length; c += 3) {
      const area = areaOf(rest, corners[c], corners[c + 1], corners[c + 2]);
      for (let k = c; k < c + 3; k++) this.#areas[corners[k]] += area / 3;
    }
  }

  /** Writes Q, the lower triangle by rows. */
  write(functions: NodeFunctions, out: Float64Array): void {
    const {
      functionCount: k,
      pointCount: n,
      triangleCount,
      corners,
      positions: X,
      values,
      points,
    } = functions;
    if (this.#laplacian.length < n * k) this.#laplacian = new Float64Array(n * k);
    const laplacian = this.#laplacian.fill(0, 0, n * k);
    for (let t = 0; t < triangleCount; t++) {
      for (let c = 0; c < 3; c++) {
        const i = corners[3 * t + ((c + 1) % 3)],
          j = corners[3 * t + ((c + 2) % 3)];
        const w = cotangentAt(X, corners[3 * t + c], i, j) / 2;
        for (let f = 0; f < k; f++) {
          const difference = w * (values[i * k + f] - values[j * k + f]);
          laplacian[i * k + f] += difference;
          laplacian[j * k + f] -= difference;
        }
      }
    }
    const largest = points.reduce((most, p) => Math.max(most, this.#areas[p]), 0);
    out.fill(0, 0, k * k);
    for (let p = 0; p < n; p++) {
      const weight = 1 / Math.max(this.#areas[points[p]], 1e-6 * largest, Number.MIN_VALUE);
      for (let i = 0; i < k; i++) {
        const x = weight * laplacian[p * k + i];
        for (let j = 0; j <= i; j++) out[i * k + j] += x * laplacian[p * k + j];
      }
    }
  }
}

/** Cotangent of the angle at p between q and r, within limits. */
export function cotangentAt(X: Float64Array, p: number, q: number, r: number): number {
  let dot = 0,
    qq = 0,
    rr = 0;
  for (let a = 0; a < 3; a++) {
    const u = X[3 * q + a] - X[3 * p + a],
      v = X[3 * r + a] - X[3 * p + a];
    dot += u * v;
    qq += u * u;
    rr += v * v;
  }
  const cotangent = dot / Math.sqrt(Math.max(qq * rr - dot * dot, 0));
  return cotangent < MOST ? Math.max(cotangent, LEAST) : cotangent >= MOST ? MOST : LEAST;
}

function areaOf(X: Float64Array, p: number, q: number, r: number): number {
  let dot = 0,
    qq = 0,
    rr = 0;
  for (let a = 0; a < 3; a++) {
    const u = X[3 * q + a] - X[3 * p + a],
      v = X[3 * r + a] - X[3 * p + a];
    dot += u * v;
    qq += u * u;
    rr += v * v;
  }
  return Math.sqrt(Math.max(qq * rr - dot * dot, 0)) / 2;
}
