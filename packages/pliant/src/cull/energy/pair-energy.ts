/**
 * The least energy at which two triangles of a patch can touch: the minimum of ‖Σ a X‖² / g(a) over points of both,
 * a = (α, −β) (CERTIFICATES §2). Triangles are given by their vertices' numbers in the patch.
 */
export class PairEnergy {
  readonly #rest: Float64Array; // 3 per point
  #points: Uint32Array; // of each vertex
  #distance: Float64Array; // √g, upper bounds
  #count = 0;
  readonly #direction = new Float64Array(3);
  // Of a feature: its vertices, and the two small matrices of the eigenproblem.
  readonly #feature = new Uint32Array(4);
  readonly #lower = new Float64Array(9);
  readonly #matrix = new Float64Array(9);
  readonly #vector = new Float64Array(3);

  constructor(rest: Float64Array) {
    this.#rest = rest;
    this.#points = new Uint32Array(0);
    this.#distance = new Float64Array(0);
  }

  load(points: Uint32Array, distance: Float64Array, count: number): void {
    this.#points = points;
    this.#distance = distance;
    this.#count = count;
  }

  /**
   * Lower bound of √E from Lemma 1: for any n, min over the nine vertex pairs of n·(X_i − X_j) / (‖n‖ √g_ij). Tried are
   * the centroids' difference, the closest vertices', and the one with the least ratio. 0 when all fail.
   */
  rootLowerBound(s: Uint32Array, o: number, t: Uint32Array, q: number): number {
    const rest = this.#rest,
      points = this.#points,
      n = this.#direction;
    let closest = Infinity,
      least = Infinity;
    let ci = 0,
      cj = 0,
      li = 0,
      lj = 0;
    n.fill(0);
    for (let i = 0; i < 3; i++) {
      const u = 3 * points[s[o + i]],
        w = 3 * points[t[q + i]];
      for (let k = 0; k < 3; k++) n[k] += rest[u + k] - rest[w + k];
    }
    let best = this.#along(s, o, t, q);
    for (let i = 0; i < 3; i++) {
      const u = 3 * points[s[o + i]];
      for (let j = 0; j < 3; j++) {
        const w = 3 * points[t[q + j]];
        const square =
          (rest[u] - rest[w]) ** 2 + (rest[u + 1] - rest[w + 1]) ** 2 + (rest[u + 2] - rest[w + 2]) ** 2;
        const ratio = square / this.#distance[s[o + i] * this.#count + t[q + j]] ** 2;
        if (square < closest) {
          closest = square;
          ci = u;
          cj = w;
        }
        if (ratio < least) {
          least = ratio;
          li = u;
          lj = w;
        }
      }
    }
    for (let k = 0; k < 3; k++) n[k] = rest[li + k] - rest[lj + k];
    best = Math.max(best, this.#along(s, o, t, q));
    if (li !== ci || lj !== cj) {
      for (let k = 0; k < 3; k++) n[k] = rest[ci + k] - rest[cj + k];
      best = Math.max(best, this.#along(s, o, t, q));
    }
    return best * (1 - 1e-12); // roundings, many times over
  }

  #along(s: Uint32Array, o: number, t: Uint32Array, q: number): number {
    const rest = this.#rest,
      points = this.#points;
    const [x, y, z] = this.#direction;
    const norm = Math.sqrt(x * x + y * y + z * z);
    let least = Infinity;
    for (let i = 0; i < 3; i++) {
      const u = 3 * points[s[o + i]];
      for (let j = 0; j < 3; j++) {
        const w = 3 * points[t[q + j]];
        const gap =
          x * (rest[u] - rest[w]) + y * (rest[u + 1] - rest[w + 1]) + z * (rest[u + 2] - rest[w + 2]);
        const ratio = gap / (norm * this.#distance[s[o + i] * this.#count + t[q + j]]);
        if (!(ratio > 0)) return 0;
        if (ratio < least) least = ratio;
      }
    }
    return least;
  }

  /**
   * The minimum for two triangles that are apart at rest. On the span of a feature (vertex or edge against vertex, edge
   * or face) the ratio has one local minimum, the least eigenvalue; it counts when its weights have the right signs,
   * else the minimum is on a part of the feature. Edge against face and more have minimum 0: they would touch at rest.
   */
  exact(s: Uint32Array, o: number, t: Uint32Array, q: number): number {
    let least = Infinity;
    for (let i = 0; i < 3; i++) {
      const u = s[o + i],
        u1 = s[o + ((i + 1) % 3)];
      const w = t[q + i];
      least = Math.min(least, this.#minimum(u, t[q], t[q + 1], t[q + 2], 1, 4));
      least = Math.min(least, this.#minimum(w, s[o], s[o + 1], s[o + 2], 1, 4));
      for (let j = 0; j < 3; j++) {
        const v = t[q + j],
          v1 = t[q + ((j + 1) % 3)];
        least = Math.min(least, this.#minimum(u, v, v, v, 1, 2));
        least = Math.min(least, this.#minimum(u, v, v1, v1, 1, 3));
        least = Math.min(least, this.#minimum(v, u, u1, u1, 1, 3));
        least = Math.min(least, this.#minimum(u, u1, v, v1, 2, 4));
      }
    }
    return least;
  }

  /** Of a feature with `size` vertices, the first `ahead` of them on one side; Infinity when it is elsewhere. */
  #minimum(a: number, b: number, c: number, d: number, ahead: number, size: number): number {
    const feature = this.#feature;
    feature[0] = a;
    feature[1] = b;
    feature[2] = c;
    feature[3] = d;
    const order = size - 1;
    if (!this.#reduce(order)) return Infinity; // two of the vertices are one: a part of the feature says the same
    const value = this.#leastEigenpair(order);
    this.#solveTransposed(order);
    const x = this.#vector;
    let sum = 0,
      size1 = 0;
    for (let k = 0; k < order; k++) {
      sum += x[k];
      size1 += Math.abs(x[k]);
    }
    const slack = 1e-9 * size1;
    const sign = x[0] < 0 ? -1 : 1;
    for (let k = 0; k < size; k++) {
      const weight = sign * (k < order ? x[k] : -sum);
      if (k < ahead ? weight < -slack : weight > slack) return Infinity;
    }
    return value;
  }

  /** Basis e_k − e_last: M from rest positions, G = (g_kl + g_jl − g_kj) / 2 = L Lᵀ; leaves L⁻¹ M L⁻ᵀ. */
  #reduce(order: number): boolean {
    const rest = this.#rest,
      points = this.#points,
      distance = this.#distance,
      n = this.#count;
    const feature = this.#feature,
      L = this.#lower,
      C = this.#matrix;
    const last = feature[order],
      z = 3 * points[last];
    for (let i = 0; i < order; i++) {
      const u = 3 * points[feature[i]];
      const gi = distance[feature[i] * n + last] ** 2;
      for (let j = 0; j <= i; j++) {
        const w = 3 * points[feature[j]];
        const gj = distance[feature[j] * n + last] ** 2,
          gij = distance[feature[i] * n + feature[j]] ** 2;
        C[3 * i + j] = C[3 * j + i] =
          (rest[u] - rest[z]) * (rest[w] - rest[z]) +
          (rest[u + 1] - rest[z + 1]) * (rest[w + 1] - rest[z + 1]) +
          (rest[u + 2] - rest[z + 2]) * (rest[w + 2] - rest[z + 2]);
        let sum = (gi + gj - gij) / 2;
        for (let k = 0; k < j; k++) sum -= L[3 * i + k] * L[3 * j + k];
        if (i === j) {
          if (!(sum > 1e-14 * gi)) return false;
          L[3 * i + i] = Math.sqrt(sum);
        } else L[3 * i + j] = sum / L[3 * j + j];
      }
    }
    for (let j = 0; j < order; j++) this.#forward(order, j, 3); // columns …
    for (let i = 0; i < order; i++) this.#forward(order, 3 * i, 1); // … and rows
    return true;
  }

  #forward(order: number, o: number, step: number): void {
    const L = this.#lower,
      C = this.#matrix;
    for (let i = 0; i < order; i++) {
      let sum = C[o + i * step];
      for (let k = 0; k < i; k++) sum -= L[3 * i + k] * C[o + k * step];
      C[o + i * step] = sum / L[3 * i + i];
    }
  }

  /** Of C, by Jacobi rotations; the vector is left in #vector. */
  #leastEigenpair(order: number): number {
    const C = this.#matrix,
      V = VECTORS;
    V.fill(0);
    V[0] = V[4] = V[8] = 1;
    for (let sweep = 0; sweep < 12; sweep++) {
      let off = 0;
      for (let i = 0; i < order; i++) for (let j = 0; j < i; j++) off += Math.abs(C[3 * i + j]);
      if (off === 0) break;
      for (let i = 1; i < order; i++) for (let j = 0; j < i; j++) rotate(C, V, order, j, i);
    }
    let k = 0;
    for (let i = 1; i < order; i++) if (C[4 * i] < C[4 * k]) k = i;
    for (let i = 0; i < 3; i++) this.#vector[i] = i < order ? V[3 * i + k] : 0;
    return Math.max(0, C[4 * k]);
  }

  #solveTransposed(order: number): void {
    const L = this.#lower,
      x = this.#vector;
    for (let i = order - 1; i >= 0; i--) {
      for (let k = i + 1; k < order; k++) x[i] -= L[3 * k + i] * x[k];
      x[i] /= L[3 * i + i];
    }
  }
}

const VECTORS = new Float64Array(9);

/** Makes entry (p, q) of a symmetric matrix 0. */
function rotate(C: Float64Array, V: Float64Array, order: number, p: number, q: number): void {
  const c = C[3 * p + q];
  if (Math.abs(c) < 1e-300) {
    C[3 * p + q] = C[3 * q + p] = 0;
    return;
  }
  const theta = (C[4 * q] - C[4 * p]) / (2 * c);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cos = 1 / Math.sqrt(t * t + 1),
    sin = t * cos;
  for (let k = 0; k < order; k++) {
    const a = C[3 * k + p],
      b = C[3 * k + q];
    C[3 * k + p] = cos * a - sin * b;
    C[3 * k + q] = sin * a + cos * b;
  }
  for (let k = 0; k < order; k++) {
    const a = C[3 * p + k],
      b = C[3 * q + k];
    C[3 * p + k] = cos * a - sin * b;
    C[3 * q + k] = sin * a + cos * b;
  }
  for (let k = 0; k < 3; k++) {
    const a = V[3 * k + p],
      b = V[3 * k + q];
    V[3 * k + p] = cos * a - sin * b;
    V[3 * k + q] = sin * a + cos * b;
  }
}
