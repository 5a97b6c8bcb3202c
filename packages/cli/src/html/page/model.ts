import { deformMesh } from './deform.ts';
import type { PageData, PageShownFrame } from './read-payload.ts';
import { findSmoothing, writeNormal } from './smoothing.ts';

export type Vec3 = [x: number, y: number, z: number];

/** All meshes of the report as one list of triangles, in the pose of one frame. */
export class Model {
  readonly triangleCount: number;
  /** Per corner: where its vertex starts in `positions`. */
  readonly corners: Uint32Array;
  readonly positions: Float32Array;
  /** Per corner, ready for drawing. */
  readonly cornerPositions: Float32Array;
  readonly cornerNormals: Int8Array; // 4 bytes each
  readonly #data: PageData;
  readonly #groupOfCorner: Uint32Array;
  readonly #groupNormals: Float32Array;

  constructor(data: PageData) {
    this.#data = data;
    this.triangleCount = data.meshes.reduce((sum, mesh) => sum + mesh.triangleCount, 0);
    const cornerCount = 3 * this.triangleCount;
    this.corners = new Uint32Array(cornerCount);
    this.#groupOfCorner = new Uint32Array(cornerCount);
    let length = 0,
      groups = 0,
      corner = 0;
    for (const mesh of data.meshes) {
      const { groupOfCorner, groupCount } = findSmoothing(mesh);
      for (let k = 0; k < groupOfCorner.length; k++, corner++) {
        this.corners[corner] = length + 3 * mesh.triangles[k];
        this.#groupOfCorner[corner] = groups + groupOfCorner[k];
      }
      length += mesh.positions.length;
      groups += groupCount;
    }
    this.positions = new Float32Array(length);
    this.cornerPositions = new Float32Array(3 * cornerCount);
    this.cornerNormals = new Int8Array(4 * cornerCount);
    this.#groupNormals = new Float32Array(3 * groups);
  }

  /** Takes the pose of `shown`. */
  pose(shown: PageShownFrame): void {
    let at = 0;
    this.#data.meshes.forEach((mesh, k) => {
      deformMesh(mesh, shown.poses[k], shown.world.subarray(12 * k, 12 * k + 12), this.positions, at);
      at += mesh.positions.length;
    });
    this.#computeNormals();
    this.#expandCorners();
  }

  #computeNormals(): void {
    const { corners, positions } = this;
    const normals = this.#groupNormals,
      groups = this.#groupOfCorner;
    const face = new Float32Array(3);
    normals.fill(0);
    for (let corner = 0; corner < corners.length; corner += 3) {
      writeNormal(positions, corners[corner], corners[corner + 1], corners[corner + 2], face, 0);
      for (let k = 0; k < 3; k++) {
        const g = 3 * groups[corner + k];
        normals[g] += face[0];
        normals[g + 1] += face[1];
        normals[g + 2] += face[2];
      }
    }
    for (let g = 0; g < normals.length; g += 3) {
      const scale = 127 / (Math.hypot(normals[g], normals[g + 1], normals[g + 2]) || 1);
      normals[g] *= scale;
      normals[g + 1] *= scale;
      normals[g + 2] *= scale;
    }
  }

  #expandCorners(): void {
    const { corners, positions, cornerPositions, cornerNormals } = this;
    const normals = this.#groupNormals,
      groups = this.#groupOfCorner;
    for (let corner = 0; corner < corners.length; corner++) {
      const p = corners[corner],
        g = 3 * groups[corner],
        o = 3 * corner,
        n = 4 * corner;
      cornerPositions[o] = positions[p];
      cornerPositions[o + 1] = positions[p + 1];
      cornerPositions[o + 2] = positions[p + 2];
      cornerNormals[n] = normals[g];
      cornerNormals[n + 1] = normals[g + 1];
      cornerNormals[n + 2] = normals[g + 2];
    }
  }

  centreOf(triangle: number): Vec3 {
    const { cornerPositions: p } = this;
    const o = 9 * triangle;
    return [0, 1, 2].map((k) => (p[o + k] + p[o + 3 + k] + p[o + 6 + k]) / 3) as Vec3;
  }

  /** The side of a square as large as the triangle. */
  sizeOf(triangle: number): number {
    const o = 9 * triangle;
    const normal = new Float32Array(3);
    writeNormal(this.cornerPositions, o, o + 3, o + 6, normal, 0);
    return Math.sqrt(Math.hypot(...normal) / 2);
  }

  /** Smallest box around the corners of the given triangles; without them around everything. */
  box(triangles?: Iterable<number>): { low: Vec3; high: Vec3 } {
    const low: Vec3 = [Infinity, Infinity, Infinity],
      high: Vec3 = [-Infinity, -Infinity, -Infinity];
    const grow = (p: Float32Array, from: number, to: number) => {
      for (let i = from; i < to; i++) {
        const axis = i % 3;
        if (p[i] < low[axis]) low[axis] = p[i];
        if (p[i] > high[axis]) high[axis] = p[i];
      }
    };
    if (triangles) for (const t of triangles) grow(this.cornerPositions, 9 * t, 9 * t + 9);
    else grow(this.cornerPositions, 0, this.cornerPositions.length);
    return low[0] <= high[0] ? { low, high } : { low: [-1, -1, -1], high: [1, 1, 1] };
  }
}

/** Which mesh and which of its regions a triangle belongs to. */
export function placeOf(data: PageData, triangle: number): [mesh: number, region: number] {
  let mesh = data.meshes.length - 1;
  while (mesh > 0 && data.meshes[mesh].firstTriangle > triangle) mesh--;
  const { firstTriangle, regionOfTriangle } = data.meshes[mesh];
  return [mesh, regionOfTriangle[triangle - firstTriangle]];
}
