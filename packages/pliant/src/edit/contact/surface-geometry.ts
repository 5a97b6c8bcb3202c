import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { Feature } from '../../narrow/closest-on-triangle.ts';

/** A direction of length 1 goes to `out`; false when there is none. */
export function normalise(out: Float64Array, x: number, y: number, z: number): boolean {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 1e-150)) return false;
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
  return true;
}

/** Normals of a surface, computed where they are asked for. `positions` are three numbers per vertex. */
export class SurfaceGeometry {
  readonly mesh: TriangleMesh;
  /** −1 when the surface is inside out, so that all normals have to be turned. */
  readonly orientation: 1 | -1;
  readonly #sum = new Float64Array(3);

  constructor(mesh: TriangleMesh) {
    this.mesh = mesh;
    this.orientation = sixVolumes(mesh) < 0 ? -1 : 1;
  }

  /**
   * The direction outwards at a point of triangle t: the normals of its corners, each the sum of the triangles around it
   * by area, blended by the weights. Where they cancel, the triangle's own. False when that is degenerate too.
   */
  writeNormal(positions: Float64Array, t: number, weights: Float64Array, out: Float64Array): boolean {
    const { triangles, adjacency } = this.mesh;
    let x = 0,
      y = 0,
      z = 0;
    for (let k = 0; k < 3; k++) {
      if (weights[k] === 0) continue;
      const sum = this.#sum.fill(0);
      const v = triangles[3 * t + k];
      for (let e = adjacency.start[v]; e < adjacency.start[v + 1]; e++) {
        this.#addArea(positions, adjacency.list[e], 1);
      }
      const length = Math.sqrt(sum[0] ** 2 + sum[1] ** 2 + sum[2] ** 2);
      if (!(length > 1e-150)) continue;
      x += (weights[k] / length) * sum[0];
      y += (weights[k] / length) * sum[1];
      z += (weights[k] / length) * sum[2];
    }
    if (x * x + y * y + z * z < 1e-4) {
      const sum = this.#sum.fill(0);
      this.#addArea(positions, t, 1);
      x = sum[0];
      y = sum[1];
      z = sum[2];
    }
    const s = this.orientation;
    return normalise(out, s * x, s * y, s * z);
  }

  /** Whether vertex v is on the inner side of the plane of triangle t, or in it. */
  isBehind(positions: Float64Array, v: number, t: number): boolean {
    const sum = this.#sum.fill(0);
    const a = 3 * this.mesh.triangles[3 * t];
    this.#addArea(positions, t, this.orientation);
    const x = positions[3 * v] - positions[a],
      y = positions[3 * v + 1] - positions[a + 1],
      z = positions[3 * v + 2] - positions[a + 2];
    return sum[0] * x + sum[1] * y + sum[2] * z <= 0;
  }

  /**
   * The direction whose sign tells on which side of a closed surface a point lies whose closest point is the given
   * feature of triangle t (Bærentzen and Aanæs 2005): corners weighted by angle. Not of length 1.
   */
  writePseudoNormal(positions: Float64Array, t: number, feature: Feature, out: Float64Array): void {
    const { triangles, adjacency } = this.mesh;
    const sum = this.#sum.fill(0);
    if (feature === 6) this.#addArea(positions, t, 1);
    else {
      const corner = feature % 3;
      const a = triangles[3 * t + corner],
        b = triangles[3 * t + ((corner + 1) % 3)];
      for (let e = adjacency.start[a]; e < adjacency.start[a + 1]; e++) {
        const s = adjacency.list[e];
        if (feature < 3) this.#addArea(positions, s, this.#angleOverArea(positions, s, a));
        else if (this.#has(s, b)) this.#addArea(positions, s, this.#overArea(positions, s));
      }
    }
    for (let k = 0; k < 3; k++) out[k] = this.orientation * sum[k];
  }

  #has(t: number, v: number): boolean {
    const { triangles } = this.mesh;
    return triangles[3 * t] === v || triangles[3 * t + 1] === v || triangles[3 * t + 2] === v;
  }

  /** Adds `factor` times the normal of length twice the area. */
  #addArea(p: Float64Array, t: number, factor: number): void {
    const { triangles } = this.mesh;
    const a = 3 * triangles[3 * t],
      b = 3 * triangles[3 * t + 1],
      c = 3 * triangles[3 * t + 2];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a],
      vy = p[c + 1] - p[a + 1],
      vz = p[c + 2] - p[a + 2];
    const sum = this.#sum;
    sum[0] += factor * (uy * vz - uz * vy);
    sum[1] += factor * (uz * vx - ux * vz);
    sum[2] += factor * (ux * vy - uy * vx);
  }

  #overArea(p: Float64Array, t: number): number {
    const { triangles } = this.mesh;
    const area = crossLength(p, 3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]);
    return area > 1e-150 ? 1 / area : 0;
  }

  /** The angle at corner v over twice the area. */
  #angleOverArea(p: Float64Array, t: number, v: number): number {
    const { triangles } = this.mesh;
    const k = triangles[3 * t] === v ? 0 : triangles[3 * t + 1] === v ? 1 : 2;
    const a = 3 * v,
      b = 3 * triangles[3 * t + ((k + 1) % 3)],
      c = 3 * triangles[3 * t + ((k + 2) % 3)];
    const area = crossLength(p, a, b, c);
    const along =
      (p[b] - p[a]) * (p[c] - p[a]) +
      (p[b + 1] - p[a + 1]) * (p[c + 1] - p[a + 1]) +
      (p[b + 2] - p[a + 2]) * (p[c + 2] - p[a + 2]);
    return area > 1e-150 ? Math.atan2(area, along) / area : 0;
  }
}

function crossLength(p: Float64Array, a: number, b: number, c: number): number {
  const ux = p[b] - p[a],
    uy = p[b + 1] - p[a + 1],
    uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a],
    vy = p[c + 1] - p[a + 1],
    vz = p[c + 2] - p[a + 2];
  return Math.sqrt((uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2);
}

function sixVolumes({ positions: p, triangles }: TriangleMesh): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t],
      b = 3 * triangles[t + 1],
      c = 3 * triangles[t + 2];
    sum +=
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum;
}
