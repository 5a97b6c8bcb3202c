import type { Cage } from '../types.ts';

/**
 * The points of a surface in a hash of cells, made anew in every pose, over which all tetrahedra are put (Teschner et
 * al. 2003). What `InsideVertices` finds through crossings is compared to it.
 */
export class PointHash {
  readonly #cage: Cage;
  readonly #mask: number;
  readonly #start: Uint32Array; // per bucket, and one more
  readonly #list: Uint32Array;
  readonly #bucket: Uint32Array; // per point

  constructor(cage: Cage) {
    this.#cage = cage;
    const { vertexCount } = cage.surface;
    let buckets = 16;
    while (buckets < 2 * vertexCount) buckets *= 2;
    this.#mask = buckets - 1;
    this.#start = new Uint32Array(buckets + 1);
    this.#list = new Uint32Array(vertexCount);
    this.#bucket = new Uint32Array(vertexCount);
  }

  /** Calls `visit` for every vertex in the box of a tetrahedron that is not its own; some may be told twice. */
  visit(
    positions: Float64Array,
    controls: Float64Array,
    visit: (vertex: number, tetrahedron: number) => void,
  ): void {
    const { tetrahedra: mesh, spacing, embedding } = this.#cage;
    const { tetrahedra } = mesh;
    const inverse = 1 / spacing;
    this.#sortPoints(positions, inverse);
    for (let t = 0; t < mesh.tetrahedronCount; t++) {
      const a = 3 * tetrahedra[4 * t],
        b = 3 * tetrahedra[4 * t + 1],
        c = 3 * tetrahedra[4 * t + 2],
        d = 3 * tetrahedra[4 * t + 3];
      const lowX = Math.min(controls[a], controls[b], controls[c], controls[d]),
        lowY = Math.min(controls[a + 1], controls[b + 1], controls[c + 1], controls[d + 1]),
        lowZ = Math.min(controls[a + 2], controls[b + 2], controls[c + 2], controls[d + 2]);
      const highX = Math.max(controls[a], controls[b], controls[c], controls[d]),
        highY = Math.max(controls[a + 1], controls[b + 1], controls[c + 1], controls[d + 1]),
        highZ = Math.max(controls[a + 2], controls[b + 2], controls[c + 2], controls[d + 2]);
      const i1 = Math.floor(highX * inverse),
        j1 = Math.floor(highY * inverse),
        k1 = Math.floor(highZ * inverse);
      for (let k = Math.floor(lowZ * inverse); k <= k1; k++) {
        for (let j = Math.floor(lowY * inverse); j <= j1; j++) {
          for (let i = Math.floor(lowX * inverse); i <= i1; i++) {
            const bucket = bucketOf(i, j, k) & this.#mask;
            for (let e = this.#start[bucket]; e < this.#start[bucket + 1]; e++) {
              const v = this.#list[e];
              const x = positions[3 * v],
                y = positions[3 * v + 1],
                z = positions[3 * v + 2];
              if (x < lowX || x > highX || y < lowY || y > highY || z < lowZ || z > highZ) continue;
              if (embedding.tetrahedron[v] !== t) visit(v, t);
            }
          }
        }
      }
    }
  }

  /** Counting sort by buckets. */
  #sortPoints(positions: Float64Array, inverse: number): void {
    const start = this.#start.fill(0);
    for (let v = 0; v < this.#list.length; v++) {
      const i = Math.floor(positions[3 * v] * inverse),
        j = Math.floor(positions[3 * v + 1] * inverse),
        k = Math.floor(positions[3 * v + 2] * inverse);
      this.#bucket[v] = bucketOf(i, j, k) & this.#mask;
      start[this.#bucket[v] + 1]++;
    }
    for (let b = 0; b <= this.#mask; b++) start[b + 1] += start[b];
    for (let v = this.#list.length - 1; v >= 0; v--) this.#list[--start[this.#bucket[v] + 1]] = v;
    // Each start now stands one place late.
    for (let b = 0; b <= this.#mask; b++) start[b] = start[b + 1];
    start[this.#mask + 1] = this.#list.length;
  }
}

function bucketOf(i: number, j: number, k: number): number {
  return Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791);
}
