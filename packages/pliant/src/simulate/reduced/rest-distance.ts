import { BoxGrid } from '../../deform/box-grid.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { writeNormal } from '../../mesh/triangle-normal.ts';
import { closestOnTriangle, type Feature } from '../../narrow/closest-on-triangle.ts';

/** Cells of the grid along the longest side of the surface. */
const CELLS = 24;

/**
 * Signed distance to a closed surface at rest: the material distance with which penetrations are measured (Hirota et
 * al. 2000). A coarse grid knows a triangle near each cell; from there the search walks over neighbouring triangles
 * as long as that gets closer. The sign is that of the product with the angle-weighted normal of the corner, edge or
 * face where the closest point lies.
 */
export class RestDistance {
  /** Set by `find`: how deep the point is inside, negative outside; … */
  depth = 0;
  /** … and the closest point of the surface: its triangle and barycentric coordinates. */
  triangle = 0;
  readonly weights = new Float64Array(3);

  readonly #mesh: TriangleMesh;
  readonly #faceNormals: Float64Array;
  readonly #edgeNormals: Float64Array; // three per triangle, of the edge that starts at each corner
  readonly #vertexNormals: Float64Array;
  readonly #low = new Float64Array(3);
  readonly #counts = new Uint32Array(3);
  readonly #cell: number;
  readonly #seeds: Uint32Array;
  readonly #trial = new Float64Array(3);
  #feature: Feature = 6;
  #squared = 0;

  /** Errors: 'unsupported' when the surface is not closed. */
  constructor(mesh: TriangleMesh) {
    if (!mesh.isClosed) {
      throw new InputError('unsupported', 'contacts need a closed surface: an open one has no inside');
    }
    this.#mesh = mesh;
    this.#faceNormals = findFaceNormals(mesh);
    this.#edgeNormals = findEdgeNormals(mesh, this.#faceNormals);
    this.#vertexNormals = findVertexNormals(mesh, this.#faceNormals);
    const high = new Float64Array(3).fill(-Infinity);
    this.#low.fill(Infinity);
    for (let o = 0; o < mesh.triangles.length; o++) {
      for (let k = 0, p = 3 * mesh.triangles[o]; k < 3; k++) {
        this.#low[k] = Math.min(this.#low[k], mesh.positions[p + k]);
        high[k] = Math.max(high[k], mesh.positions[p + k]);
      }
    }
    this.#cell = Math.max(...high.map((x, k) => x - this.#low[k])) / CELLS;
    for (let k = 0; k < 3; k++)
      this.#counts[k] = Math.max(1, Math.ceil((high[k] - this.#low[k]) / this.#cell));
    this.#seeds = this.#findSeeds();
  }

  /** Looks up a point; the answer is in the fields. */
  find(x: number, y: number, z: number): void {
    const { triangles, adjacency } = this.#mesh;
    this.#squared = Infinity;
    this.#try(this.#seeds[this.#cellOf(x, y, z)], x, y, z);
    for (let from = -1; from !== this.triangle; ) {
      from = this.triangle;
      for (let corner = 3 * from; corner < 3 * from + 3; corner++) {
        const v = triangles[corner];
        for (let i = adjacency.start[v]; i < adjacency.start[v + 1]; i++)
          this.#try(adjacency.list[i], x, y, z);
      }
    }
    this.#sign(x, y, z);
  }

  /** Takes a triangle when it is closer. */
  #try(t: number, x: number, y: number, z: number): void {
    const { positions: p, triangles } = this.#mesh;
    const w = this.#trial;
    const a = 3 * triangles[3 * t],
      b = 3 * triangles[3 * t + 1],
      c = 3 * triangles[3 * t + 2];
    const feature = closestOnTriangle(p, a, b, c, x, y, z, w);
    const dx = w[0] * p[a] + w[1] * p[b] + w[2] * p[c] - x,
      dy = w[0] * p[a + 1] + w[1] * p[b + 1] + w[2] * p[c + 1] - y,
      dz = w[0] * p[a + 2] + w[1] * p[b + 2] + w[2] * p[c + 2] - z;
    const squared = dx * dx + dy * dy + dz * dz;
    if (!(squared < this.#squared)) return;
    this.#squared = squared;
    this.#feature = feature;
    this.triangle = t;
    this.weights.set(w);
  }

  #sign(x: number, y: number, z: number): void {
    const { positions: p, triangles } = this.#mesh;
    const t = 3 * this.triangle,
      w = this.weights,
      f = this.#feature;
    const a = 3 * triangles[t],
      b = 3 * triangles[t + 1],
      c = 3 * triangles[t + 2];
    const normals = f === 6 ? this.#faceNormals : f > 2 ? this.#edgeNormals : this.#vertexNormals;
    const n = f === 6 ? t : f > 2 ? 3 * (t + f - 3) : 3 * triangles[t + f];
    const product =
      (x - (w[0] * p[a] + w[1] * p[b] + w[2] * p[c])) * normals[n] +
      (y - (w[0] * p[a + 1] + w[1] * p[b + 1] + w[2] * p[c + 1])) * normals[n + 1] +
      (z - (w[0] * p[a + 2] + w[1] * p[b + 2] + w[2] * p[c + 2])) * normals[n + 2];
    this.depth = product < 0 ? Math.sqrt(this.#squared) : -Math.sqrt(this.#squared);
  }

  #cellOf(x: number, y: number, z: number): number {
    const nx = this.#counts[0],
      ny = this.#counts[1],
      nz = this.#counts[2];
    const i = Math.min(nx - 1, Math.max(0, Math.floor((x - this.#low[0]) / this.#cell))),
      j = Math.min(ny - 1, Math.max(0, Math.floor((y - this.#low[1]) / this.#cell))),
      k = Math.min(nz - 1, Math.max(0, Math.floor((z - this.#low[2]) / this.#cell)));
    return i + nx * (j + ny * k);
  }

  /** The triangle closest to the centre of each cell. */
  #findSeeds(): Uint32Array {
    const { positions: p, triangles, triangleCount } = this.#mesh;
    const boxes = new Float64Array(6 * triangleCount);
    for (let t = 0; t < triangleCount; t++) {
      for (let k = 0; k < 3; k++) {
        const a = p[3 * triangles[3 * t] + k],
          b = p[3 * triangles[3 * t + 1] + k],
          c = p[3 * triangles[3 * t + 2] + k];
        boxes[6 * t + k] = Math.min(a, b, c);
        boxes[6 * t + 3 + k] = Math.max(a, b, c);
      }
    }
    const grid = new BoxGrid(boxes, 2);
    const [nx, ny, nz] = this.#counts;
    const seeds = new Uint32Array(nx * ny * nz);
    for (let cell = 0; cell < seeds.length; cell++) {
      const x = this.#low[0] + ((cell % nx) + 0.5) * this.#cell,
        y = this.#low[1] + ((Math.trunc(cell / nx) % ny) + 0.5) * this.#cell,
        z = this.#low[2] + (Math.trunc(cell / (nx * ny)) + 0.5) * this.#cell;
      this.#squared = Infinity;
      grid.visitNear(x, y, z, (t) => {
        this.#try(t, x, y, z);
        return this.#squared;
      });
      seeds[cell] = this.triangle;
    }
    return seeds;
  }
}

function findFaceNormals({ positions: p, triangles, triangleCount }: TriangleMesh): Float64Array {
  const normals = new Float64Array(3 * triangleCount);
  for (let t = 0; t < triangles.length; t += 3) {
    writeNormal(p, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2], normals, t);
    const [x, y, z] = normals.subarray(t, t + 3);
    const length = Math.sqrt(x * x + y * y + z * z) || 1;
    for (let a = 0; a < 3; a++) normals[t + a] /= length;
  }
  return normals;
}

function findEdgeNormals({ triangles, adjacency }: TriangleMesh, faces: Float64Array): Float64Array {
  const normals = new Float64Array(3 * triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) {
    const t = Math.trunc(corner / 3);
    const a = triangles[corner],
      b = triangles[corner % 3 === 2 ? corner - 2 : corner + 1];
    for (let i = adjacency.start[a]; i < adjacency.start[a + 1]; i++) {
      const s = adjacency.list[i];
      const has = triangles[3 * s] === b || triangles[3 * s + 1] === b || triangles[3 * s + 2] === b;
      if (s !== t && !has) continue;
      for (let k = 0; k < 3; k++) normals[3 * corner + k] += faces[3 * s + k];
    }
  }
  return normals;
}

function findVertexNormals(mesh: TriangleMesh, faces: Float64Array): Float64Array {
  const { positions: p, triangles, vertexCount } = mesh;
  const normals = new Float64Array(3 * vertexCount);
  for (let corner = 0; corner < triangles.length; corner++) {
    const t = 3 * Math.trunc(corner / 3);
    const a = 3 * triangles[corner],
      b = 3 * triangles[t + ((corner - t + 1) % 3)],
      c = 3 * triangles[t + ((corner - t + 2) % 3)];
    let uu = 0,
      vv = 0,
      uv = 0;
    for (let k = 0; k < 3; k++) {
      const u = p[b + k] - p[a + k],
        v = p[c + k] - p[a + k];
      uu += u * u;
      vv += v * v;
      uv += u * v;
    }
    const angle = uu > 0 && vv > 0 ? Math.acos(Math.max(-1, Math.min(1, uv / Math.sqrt(uu * vv)))) : 0;
    for (let k = 0; k < 3; k++) normals[a + k] += angle * faces[t + k];
  }
  return normals;
}
