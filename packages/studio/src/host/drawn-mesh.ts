import type { Body } from 'pliant';
import { groupCorners } from '../../../cli/src/html/page/smoothing.ts';
import type { StageMesh } from '../scenes/scene.ts';

/**
 * A mesh as it is drawn: a vertex per source vertex and smoothing group, so that creases of the rest shape stay sharp
 * while the rest is smooth. Vertices at one place share their normal also across seams.
 */
export class DrawnMesh {
  readonly index: Uint32Array; // three drawn vertices per triangle
  readonly vertexCount: number;
  readonly #source: Uint32Array; // drawn vertex -> source vertex
  readonly #group: Uint32Array; // drawn vertex -> normal
  readonly #normals: Float64Array; // three per group
  #welded = new Float64Array(0);

  constructor({ mesh, sourceTriangles }: StageMesh) {
    const { groupOfCorner, groupCount } = groupCorners(mesh.triangles, mesh.positions);
    const known = new Map<number, number>();
    const source: number[] = [];
    const group: number[] = [];
    this.index = new Uint32Array(sourceTriangles.length);
    for (let corner = 0; corner < sourceTriangles.length; corner++) {
      const key = sourceTriangles[corner] * groupCount + groupOfCorner[corner]; // exact below 2^53
      let drawn = known.get(key);
      if (drawn === undefined) {
        known.set(key, (drawn = source.length));
        source.push(sourceTriangles[corner]);
        group.push(groupOfCorner[corner]);
      }
      this.index[corner] = drawn;
    }
    this.vertexCount = source.length;
    this.#source = Uint32Array.from(source);
    this.#group = Uint32Array.from(group);
    this.#normals = new Float64Array(3 * groupCount);
  }

  /** World positions and normals of the body as it stands, from drawn vertex `first` on. */
  write(body: Body, first: number, positions: Float32Array, normals: Int16Array): void {
    const { mesh } = body;
    if (this.#welded.length !== 3 * mesh.vertexCount) this.#welded = new Float64Array(3 * mesh.vertexCount);
    const points = body.getPositions(this.#welded);
    this.#sumNormals(mesh.triangles, points);
    const source = this.#source,
      group = this.#group,
      sums = this.#normals;
    for (let v = 0; v < source.length; v++) {
      const p = 3 * mesh.weldedVertex[source[v]],
        o = 3 * (first + v);
      positions[o] = points[p];
      positions[o + 1] = points[p + 1];
      positions[o + 2] = points[p + 2];
      const g = 3 * group[v],
        n = 4 * (first + v);
      normals[n] = sums[g];
      normals[n + 1] = sums[g + 1];
      normals[n + 2] = sums[g + 2];
    }
  }

  /** Of the faces around each group, weighted by area; as 16-bit numbers. */
  #sumNormals(triangles: Uint32Array, p: Float64Array): void {
    const sums = this.#normals,
      { index } = this,
      group = this.#group;
    sums.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const a = 3 * triangles[t],
        b = 3 * triangles[t + 1],
        c = 3 * triangles[t + 2];
      const ux = p[b] - p[a],
        uy = p[b + 1] - p[a + 1],
        uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a],
        vy = p[c + 1] - p[a + 1],
        vz = p[c + 2] - p[a + 2];
      const x = uy * vz - uz * vy,
        y = uz * vx - ux * vz,
        z = ux * vy - uy * vx;
      for (let corner = t; corner < t + 3; corner++) {
        const g = 3 * group[index[corner]];
        sums[g] += x;
        sums[g + 1] += y;
        sums[g + 2] += z;
      }
    }
    for (let g = 0; g < sums.length; g += 3) {
      const x = sums[g],
        y = sums[g + 1],
        z = sums[g + 2];
      const scale = 32767 / (Math.sqrt(x * x + y * y + z * z) || 1);
      sums[g] = x * scale;
      sums[g + 1] = y * scale;
      sums[g + 2] = z * scale;
    }
  }
}
