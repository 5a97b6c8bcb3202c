import { symmetricEigen } from '../../../src/algebra/dense/symmetric-eigen.ts';
import type { SurfaceWeights } from '../../../src/cull/energy/surface-weights.ts';

/** L of some slots as a dense matrix, straight from the weights of triangles; by rows, over `points`. */
export function denseLaplacian(surface: SurfaceWeights, slots: readonly number[]) {
  const { corners, weight, scale } = surface;
  const points = [...new Set(slots.flatMap((s) => [...corners.subarray(3 * s, 3 * s + 3)]))].sort(
    (a, b) => a - b,
  );
  const n = points.length;
  const S = new Float64Array(n * n);
  for (const slot of slots) {
    for (let k = 0; k < 3; k++) {
      const u = points.indexOf(corners[3 * slot + ((k + 1) % 3)]),
        v = points.indexOf(corners[3 * slot + ((k + 2) % 3)]);
      const w = weight[3 * slot + k];
      if (u === v) continue;
      S[u * n + u] += w;
      S[v * n + v] += w;
      S[u * n + v] -= w;
      S[v * n + u] -= w;
    }
  }
  const L = S.map((x, i) => x * scale[points[Math.floor(i / n)]]);
  return { points, n, L };
}

/** K⁺ of K = LᵀL, but for the constant functions. */
export function denseGreen(L: Float64Array, n: number): Float64Array {
  const K = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) for (let k = 0; k < n; k++) K[i * n + j] += L[k * n + i] * L[k * n + j];
  }
  const { values, vectors } = symmetricEigen(K, n);
  const G = new Float64Array(n * n);
  for (let m = 1; m < n; m++) {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) G[i * n + j] += (vectors[m * n + i] * vectors[m * n + j]) / values[m];
    }
  }
  return G;
}

/** L x, three numbers per row; x is 3 per point of the whole surface. */
export function apply(L: Float64Array, points: readonly number[], x: ArrayLike<number>): Float64Array {
  const n = points.length;
  const out = new Float64Array(3 * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++)
      for (let k = 0; k < 3; k++) out[3 * i + k] += L[i * n + j] * x[3 * points[j] + k];
  }
  return out;
}

/** Σ aᵢ bᵢᵀ over rows, 3×3. */
export function gram(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(9);
  for (let i = 0; i < a.length; i += 3) {
    for (let p = 0; p < 3; p++) for (let q = 0; q < 3; q++) out[3 * p + q] += a[i + p] * b[i + q];
  }
  return out;
}

/** The largest singular value of A Lx − LX, for a given 3×3 matrix. */
export function rootEnergy(Lx: Float64Array, LX: Float64Array, A: ArrayLike<number>): number {
  const u = new Float64Array(LX.length);
  for (let i = 0; i < u.length; i += 3) {
    for (let p = 0; p < 3; p++) {
      u[i + p] = A[3 * p] * Lx[i] + A[3 * p + 1] * Lx[i + 1] + A[3 * p + 2] * Lx[i + 2] - LX[i + p];
    }
  }
  return Math.sqrt(Math.max(0, symmetricEigen(gram(u, u), 3).values[2]));
}

/** The best A in the sum of squares, C_Xx C_xx⁺. */
export function bestMap(Lx: Float64Array, LX: Float64Array): Float64Array {
  const { values, vectors } = symmetricEigen(gram(Lx, Lx), 3);
  const B = gram(LX, Lx);
  const A = new Float64Array(9);
  for (let m = 0; m < 3; m++) {
    if (!(values[m] > 1e-12 * values[2])) continue;
    for (let p = 0; p < 3; p++) {
      let along = 0;
      for (let k = 0; k < 3; k++) along += B[3 * p + k] * vectors[3 * m + k];
      for (let q = 0; q < 3; q++) A[3 * p + q] += (along * vectors[3 * m + q]) / values[m];
    }
  }
  return A;
}

/**
 * No larger than the energy of any A: what is left of LX across the three columns of Lx, whatever they are. Directions that
 * only rounding gives them are taken away as well.
 */
export function leastRootEnergy(Lx: Float64Array, LX: Float64Array): number {
  const column = (list: Float64Array, k: number) => list.filter((_, i) => i % 3 === k);
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const without = (a: Float64Array, directions: readonly Float64Array[]) => {
    let left = a;
    for (const u of [...directions, ...directions]) {
      const along = dot(left, u);
      left = left.map((x, i) => x - along * u[i]);
    }
    return left;
  };
  const directions: Float64Array[] = [];
  for (let k = 0; k < 3; k++) {
    const left = without(column(Lx, k), directions);
    const size = Math.sqrt(dot(left, left));
    if (size > 0) directions.push(left.map((x) => x / size));
  }
  const left = [0, 1, 2].map((k) => without(column(LX, k), directions));
  const energies = Float64Array.from({ length: 9 }, (_, k) => dot(left[Math.floor(k / 3)], left[k % 3]));
  return Math.sqrt(Math.max(0, symmetricEigen(energies, 3).values[2]));
}
