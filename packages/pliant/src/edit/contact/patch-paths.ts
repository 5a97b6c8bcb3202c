import type { Cage } from '../types.ts';
import { createTetrahedronNeighbours, type TetrahedronNeighbours } from './tetrahedron-neighbours.ts';

/** More than roundings can do to a sum of a few lengths, relative to it and to the size of the cage. */
const UP = 1 + 2 ** -40;
const SLACK = 2 ** -42;

/**
 * Lengths of ways through the tetrahedra of a patch at rest, from point to point of the surface: upper bounds of the
 * shortest. A way is made of pieces along each of which the deformation is affine, with the gradient of a tetrahedron
 * of the patch: from a point to a corner of its tetrahedron, along edges, and straight between points of one tetrahedron
 * or of two that share a face and lie on either side of it, since both their maps agree on the whole plane of that face.
 */
export class PatchPaths {
  /** Rest positions that the weights of the surface's vertices give, as float64 gets them. */
  readonly points: Float64Array;
  readonly #cage: Cage;
  readonly #neighbours: TetrahedronNeighbours;
  readonly #holder: Uint32Array;
  readonly #slack: number;
  readonly #local: Int32Array; // per vertex of the cage: its number in the patch, −1: none
  #vertices: number[] = []; // of the cage, in the patch
  #start: number[] = []; // of the edges of each
  #ends: number[] = [];
  #lengths: number[] = [];
  #between = new Float64Array(0); // all pairs of vertices of the patch
  readonly #heap: number[] = [];
  #heapPlace = new Int32Array(0);
  #fromPoint = new Float64Array(0); // from one point to all vertices of the patch

  constructor(cage: Cage) {
    this.#cage = cage;
    this.#neighbours = createTetrahedronNeighbours(cage);
    this.#holder = cage.embedding.tetrahedron;
    this.#local = new Int32Array(cage.tetrahedra.vertexCount).fill(-1);
    this.points = restPoints(cage);
    let size = 0;
    for (const x of cage.tetrahedra.positions) size = Math.max(size, Math.abs(x));
    this.#slack = SLACK * size; // a point that is beyond a plane by rounding makes its way that much longer
  }

  /** The patch of these tetrahedra. */
  load(tetrahedra: ArrayLike<number>): void {
    this.#loadGraph(tetrahedra);
    const count = this.#vertices.length;
    if (this.#between.length < count * count) this.#between = new Float64Array(count * count);
    if (this.#fromPoint.length < count) {
      this.#fromPoint = new Float64Array(count);
      this.#heapPlace = new Int32Array(count);
    }
    for (let v = 0; v < count; v++) this.#spread(v);
  }

  /** From every point of `from` to every one of `to`, row by row; Infinity where there is no way. */
  measure(from: ArrayLike<number>, to: ArrayLike<number>, out: Float64Array): void {
    const { tetrahedra } = this.#cage.tetrahedra;
    const count = this.#vertices.length;
    const way = this.#fromPoint,
      between = this.#between,
      local = this.#local;
    for (let i = 0, o = 0; i < from.length; i++) {
      const x = from[i],
        s = this.#holder[x];
      way.fill(Infinity, 0, count);
      for (let c = 4 * s; c < 4 * s + 4; c++) {
        const first = this.#toCorner(x, tetrahedra[c]),
          row = count * local[tetrahedra[c]];
        for (let v = 0; v < count; v++) way[v] = Math.min(way[v], first + between[row + v]);
      }
      for (let j = 0; j < to.length; j++, o++) {
        const y = to[j],
          t = this.#holder[y];
        let length = Infinity;
        if (this.#areJoined(s, t, x, y)) length = distance(this.points, 3 * x, this.points, 3 * y);
        else {
          for (let c = 4 * t; c < 4 * t + 4; c++) {
            length = Math.min(length, way[local[tetrahedra[c]]] + this.#toCorner(y, tetrahedra[c]));
          }
        }
        out[o] = length * UP + this.#slack;
      }
    }
  }

  #toCorner(x: number, vertex: number): number {
    return distance(this.points, 3 * x, this.#cage.tetrahedra.positions, 3 * vertex);
  }

  /** Points of one tetrahedron, or of two with a face between them. */
  #areJoined(s: number, t: number, x: number, y: number): boolean {
    if (s === t) return true;
    const { start, list, face } = this.#neighbours;
    for (let e = start[s]; e < start[s + 1]; e++) {
      if (list[e] === t && face[e] < 4) return this.#sideOf(s, face[e], x) * this.#sideOf(s, face[e], y) <= 0;
    }
    return false;
  }

  /** On which side of the plane of a face of s a point lies: the sign counts. */
  #sideOf(s: number, face: number, x: number): number {
    const { tetrahedra, positions: p } = this.#cage.tetrahedra;
    const q = this.points,
      o = 3 * x;
    const a = 3 * tetrahedra[4 * s + ((face + 1) % 4)],
      b = 3 * tetrahedra[4 * s + ((face + 2) % 4)],
      c = 3 * tetrahedra[4 * s + ((face + 3) % 4)];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a],
      vy = p[c + 1] - p[a + 1],
      vz = p[c + 2] - p[a + 2];
    return (
      (uy * vz - uz * vy) * (q[o] - p[a]) +
      (uz * vx - ux * vz) * (q[o + 1] - p[a + 1]) +
      (ux * vy - uy * vx) * (q[o + 2] - p[a + 2])
    );
  }

  /** Vertices and edges of the patch. */
  #loadGraph(list: ArrayLike<number>): void {
    const { tetrahedra, positions } = this.#cage.tetrahedra;
    for (const v of this.#vertices) this.#local[v] = -1;
    this.#vertices = [];
    const ends: Set<number>[] = [];
    for (let k = 0; k < list.length; k++) {
      const o = 4 * list[k];
      for (let c = o; c < o + 4; c++) {
        const v = tetrahedra[c];
        if (this.#local[v] >= 0) continue;
        this.#local[v] = this.#vertices.length;
        this.#vertices.push(v);
        ends.push(new Set());
      }
      for (let c = o; c < o + 4; c++) {
        for (let d = o; d < o + 4; d++) {
          if (c !== d) ends[this.#local[tetrahedra[c]]].add(this.#local[tetrahedra[d]]);
        }
      }
    }
    this.#start = [0];
    this.#ends = [];
    this.#lengths = [];
    for (let v = 0; v < ends.length; v++) {
      for (const w of ends[v]) {
        this.#ends.push(w);
        this.#lengths.push(distance(positions, 3 * this.#vertices[v], positions, 3 * this.#vertices[w]));
      }
      this.#start.push(this.#ends.length);
    }
  }

  /** Shortest ways from one vertex to all: Dijkstra with a heap. */
  #spread(from: number): void {
    const count = this.#vertices.length;
    const way = this.#between.subarray(count * from, count * from + count).fill(Infinity);
    const heap = this.#heap,
      place = this.#heapPlace.fill(-1, 0, count);
    heap.length = 0;
    way[from] = 0;
    heap.push(from);
    place[from] = 0;
    while (heap.length > 0) {
      const v = heap[0],
        last = heap.pop()!;
      place[v] = -2; // done
      if (heap.length > 0) this.#sink(way, last);
      for (let e = this.#start[v]; e < this.#start[v + 1]; e++) {
        const w = this.#ends[e],
          length = way[v] + this.#lengths[e];
        if (!(length < way[w])) continue;
        way[w] = length;
        if (place[w] === -1) {
          place[w] = heap.length;
          heap.push(w);
        }
        this.#rise(way, w);
      }
    }
  }

  #rise(way: Float64Array, v: number): void {
    const heap = this.#heap,
      place = this.#heapPlace;
    let at = place[v];
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (way[heap[above]] <= way[v]) break;
      heap[at] = heap[above];
      place[heap[at]] = at;
      at = above;
    }
    heap[at] = v;
    place[v] = at;
  }

  #sink(way: Float64Array, v: number): void {
    const heap = this.#heap,
      place = this.#heapPlace;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && way[heap[below + 1]] < way[heap[below]]) below++;
      if (way[heap[below]] >= way[v]) break;
      heap[at] = heap[below];
      place[heap[at]] = at;
      at = below;
    }
    heap[at] = v;
    place[v] = at;
  }
}

function distance(p: Float64Array, a: number, q: Float64Array, b: number): number {
  const x = p[a] - q[b],
    y = p[a + 1] - q[b + 1],
    z = p[a + 2] - q[b + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

function restPoints({ surface, embedding, tetrahedra }: Cage): Float64Array {
  const { controls, weights } = embedding;
  const points = new Float64Array(3 * surface.vertexCount);
  for (let v = 0; v < surface.vertexCount; v++) {
    for (let j = 4 * v; j < 4 * v + 4; j++) {
      for (let k = 0; k < 3; k++) points[3 * v + k] += weights[j] * tetrahedra.positions[3 * controls[j] + k];
    }
  }
  return points;
}
