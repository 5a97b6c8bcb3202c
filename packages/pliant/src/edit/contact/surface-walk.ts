import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { closestOnTriangle, type Feature } from '../../narrow/closest-on-triangle.ts';

/** A walk ends after so many triangles, wherever it is. */
const MOST_STEPS = 128;

/**
 * Finds the point of a deformed surface that is closest to a given one by walking from triangle to triangle, as long as
 * that brings it nearer. Stays on the side where it began, other than a search of the whole surface. The answer is in
 * the fields.
 */
export class SurfaceWalk {
  triangle = -1;
  feature: Feature = 6;
  squared = Infinity;
  readonly weights = new Float64Array(3);
  readonly point = new Float64Array(3);
  readonly #mesh: TriangleMesh;
  readonly #trial = new Float64Array(3);
  readonly #seen: Uint32Array; // per triangle: the last walk that looked at it
  #walk = 0;

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
    this.#seen = new Uint32Array(mesh.triangleCount);
  }

  /**
   * From triangle `from` towards (x, y, z). Triangles around vertex `own` take no part, −1: all do. False when there is
   * no triangle to begin with.
   */
  find(positions: Float64Array, from: number, x: number, y: number, z: number, own = -1): boolean {
    const { triangles, adjacency } = this.#mesh;
    if (++this.#walk === 2 ** 32 - 1) {
      this.#seen.fill(0);
      this.#walk = 1;
    }
    this.triangle = -1;
    this.squared = Infinity;
    this.#try(positions, from, x, y, z, own);
    for (let step = 0, at = from; step < MOST_STEPS; step++) {
      for (let k = 0; k < 3; k++) {
        const v = triangles[3 * at + k];
        for (let e = adjacency.start[v]; e < adjacency.start[v + 1]; e++) {
          const t = adjacency.list[e];
          if (this.#seen[t] !== this.#walk) this.#try(positions, t, x, y, z, own);
        }
      }
      if (this.triangle === at || this.triangle < 0) break;
      at = this.triangle;
    }
    return this.triangle >= 0;
  }

  #try(p: Float64Array, t: number, x: number, y: number, z: number, own: number): void {
    const { triangles } = this.#mesh;
    this.#seen[t] = this.#walk;
    const va = triangles[3 * t],
      vb = triangles[3 * t + 1],
      vc = triangles[3 * t + 2];
    if (va === own || vb === own || vc === own) return;
    const a = 3 * va,
      b = 3 * vb,
      c = 3 * vc,
      w = this.#trial;
    const feature = closestOnTriangle(p, a, b, c, x, y, z, w);
    const px = w[0] * p[a] + w[1] * p[b] + w[2] * p[c],
      py = w[0] * p[a + 1] + w[1] * p[b + 1] + w[2] * p[c + 1],
      pz = w[0] * p[a + 2] + w[1] * p[b + 2] + w[2] * p[c + 2];
    const squared = (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2;
    if (!(squared < this.squared)) return;
    this.squared = squared;
    this.triangle = t;
    this.feature = feature;
    this.weights[0] = w[0];
    this.weights[1] = w[1];
    this.weights[2] = w[2];
    this.point[0] = px;
    this.point[1] = py;
    this.point[2] = pz;
  }
}
