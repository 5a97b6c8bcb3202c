import type { Body } from 'pliant';
import { groupCorners, writeNormal } from '../../../cli/src/html/page/smoothing.ts';
import type { StageMesh } from '../scenes/scene.ts';

/**
 * A mesh as it is drawn: a vertex per source vertex and smoothing group, so that creases of the rest shape stay sharp
 * while the rest is smooth. Vertices at one place share their normal also across seams.
 */
export class DrawnMesh {
  readonly index: Uint32Array; // three drawn vertices per triangle
  readonly vertexCount: number;
  readonly source: Uint32Array; // drawn vertex -> source vertex
  readonly #sourceTriangles: Uint32Array;
  readonly #group: Uint32Array; // drawn vertex -> normal
  readonly #normals: Float64Array; // three per group
  readonly #face = new Float64Array(3);
  #welded = new Float64Array(0);

  constructor({ mesh, sourceTriangles }: Pick<StageMesh, 'mesh' | 'sourceTriangles'>) {
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
    this.source = Uint32Array.from(source);
    this.#sourceTriangles = sourceTriangles;
    this.#group = Uint32Array.from(group);
    this.#normals = new Float64Array(3 * groupCount);
  }

  /** World positions and normals of the body as it stands, from drawn vertex `first` on. */
  write(body: Body, first: number, positions: Float32Array, normals: Int16Array): void {
    const { triangles, weldedVertex, vertexCount } = body.mesh;
    if (this.#welded.length !== 3 * vertexCount) this.#welded = new Float64Array(3 * vertexCount);
    const points = body.getPositions(this.#welded);
    this.#sumNormals(triangles, points);
    this.#write(points, weldedVertex, first, positions, normals);
  }

  /** The same of points that are given, three numbers per source vertex. */
  writePoints(points: Float64Array, positions: Float32Array, normals: Int16Array): void {
    this.#sumNormals(this.#sourceTriangles, points);
    this.#write(points, undefined, 0, positions, normals);
  }

  /** `place`: which of the points a source vertex is at; undefined when there is one for each. */
  #write(
    points: Float64Array,
    place: Uint32Array | undefined,
    first: number,
    positions: Float32Array,
    normals: Int16Array,
  ): void {
    const { source } = this,
      group = this.#group,
      sums = this.#normals;
    for (let v = 0; v < source.length; v++) {
      const p = 3 * (place ? place[source[v]] : source[v]),
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
      face = this.#face,
      { index } = this,
      group = this.#group;
    sums.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      writeNormal(p, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2], face, 0);
      for (let corner = t; corner < t + 3; corner++) {
        const g = 3 * group[index[corner]];
        sums[g] += face[0];
        sums[g + 1] += face[1];
        sums[g + 2] += face[2];
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
