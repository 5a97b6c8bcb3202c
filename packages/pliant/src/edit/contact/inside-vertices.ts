import type { Body } from '../../body/body.ts';
import { findSelfCollisions } from '../../query/self-collisions.ts';
import { CollisionReport } from '../../report/collision-report.ts';
import type { Cage } from '../types.ts';
import type { MaterialSearch } from './material-search.ts';
import type { PointHash } from './point-hash.ts';

/** A vertex is looked for from so many places before it counts as outside. */
const MOST_TRIES = 4;

/**
 * Vertices of a deformed surface that lie in its own material. Where triangles cross, those at the crossing are looked
 * at, and from those that are inside on to their neighbours: the work is that of what is found, beside that of finding
 * the crossings.
 */
export class InsideVertices {
  count = 0;
  /** Per vertex found: the vertex, the triangle nearest to it at rest, and how deep it is at rest. */
  vertex = new Uint32Array(64);
  triangle = new Uint32Array(64);
  depth = new Float64Array(64);
  /** Pairs of triangles that cross, those of the rest shape left out. */
  readonly report = new CollisionReport();
  crossingPairs = 0;

  readonly #cage: Cage;
  readonly #body: Body;
  readonly #search: MaterialSearch;
  readonly #state: Uint32Array; // per vertex: 2 · stamp when outside, + 1 when inside
  readonly #tries: Uint8Array; // per vertex of the current stamp
  readonly #lastNear: Uint32Array; // … and where it was last tried from
  #stamp = 0;
  #tetrahedron = new Uint32Array(64);
  #restPairs: ReadonlySet<number> = new Set();
  #isInsideAtRest: Uint8Array;

  constructor(cage: Cage, body: Body, search: MaterialSearch) {
    this.#cage = cage;
    this.#body = body;
    this.#search = search;
    this.#state = new Uint32Array(cage.surface.vertexCount);
    this.#tries = new Uint8Array(cage.surface.vertexCount);
    this.#lastNear = new Uint32Array(cage.surface.vertexCount);
    this.#isInsideAtRest = new Uint8Array(cage.surface.vertexCount);
    this.#noteRest();
  }

  /** What crosses at rest is left alone from then on. */
  #noteRest(): void {
    const { surface, tetrahedra } = this.#cage;
    this.#body.setPose(surface.positions);
    this.findFromCrossings(surface.positions, tetrahedra.positions);
    const { pairs, pairCount } = this.report;
    const rest = new Set<number>();
    for (let k = 0; k < pairCount; k++) rest.add(pairs[2 * k] * surface.triangleCount + pairs[2 * k + 1]);
    for (let k = 0; k < this.count; k++) this.#isInsideAtRest[this.vertex[k]] = 1;
    this.#restPairs = rest;
    this.count = this.crossingPairs = 0;
  }

  /** Whether a pair of triangles, the lower one first, crosses at rest. */
  isRestPair(i: number, j: number): boolean {
    return this.#restPairs.size > 0 && this.#restPairs.has(i * this.#cage.surface.triangleCount + j);
  }

  /** Whether the cage can hardly move one triangle without the other. */
  areTied(i: number, j: number): boolean {
    return this.#search.areTied(i, j);
  }

  isInside(v: number): boolean {
    return this.#state[v] === 2 * this.#stamp + 1;
  }

  /** The body must have the pose already. `positions` are those of the surface, `controls` those of the cage. */
  findFromCrossings(positions: Float64Array, controls: Float64Array): void {
    const { triangles } = this.#cage.surface;
    this.#begin();
    const { pairs, pairCount } = findSelfCollisions(this.#body, { report: this.report });
    for (let k = 0; k < pairCount; k++) {
      const i = pairs[2 * k],
        j = pairs[2 * k + 1];
      if (this.isRestPair(i, j)) continue;
      this.crossingPairs++;
      for (let c = 0; c < 3; c++) {
        this.#tryBehind(positions, controls, triangles[3 * i + c], j);
        this.#tryBehind(positions, controls, triangles[3 * j + c], i);
      }
    }
    this.#flood(positions, controls);
  }

  /** The same by putting all vertices in a hash and all tetrahedra over it: for comparison. */
  findFromHash(positions: Float64Array, controls: Float64Array, hash: PointHash): void {
    this.#begin();
    this.report.pairCount = 0;
    hash.visit(positions, controls, (v, t) => {
      if (this.isInside(v)) return;
      const o = 3 * v;
      if (this.#search.isIn(controls, v, positions[o], positions[o + 1], positions[o + 2], t)) this.#add(v);
    });
  }

  #begin(): void {
    this.count = this.crossingPairs = 0;
    if (this.#stamp === 2 ** 31 - 1) {
      this.#state.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
  }

  #tryBehind(positions: Float64Array, controls: Float64Array, v: number, triangle: number): void {
    // Triangles of the same tetrahedron lead to the same place.
    const near = this.#cage.embedding.tetrahedron[this.#cage.surface.triangles[3 * triangle]];
    if (this.#state[v] === 2 * this.#stamp && this.#lastNear[v] === near) return;
    if (!this.#search.geometry.isBehind(positions, v, triangle) || !this.#mayTry(v)) return;
    this.#lastNear[v] = near;
    const o = 3 * v;
    if (
      this.#search.findNearTriangle(controls, v, positions[o], positions[o + 1], positions[o + 2], triangle)
    ) {
      this.#add(v);
    }
  }

  #mayTry(v: number): boolean {
    if (this.#isInsideAtRest[v] === 1 || this.isInside(v)) return false;
    if (this.#state[v] !== 2 * this.#stamp) {
      this.#state[v] = 2 * this.#stamp;
      this.#tries[v] = 0;
    }
    return this.#tries[v]++ < MOST_TRIES;
  }

  /** From inside vertices to their neighbours, beginning where the neighbour lay. */
  #flood(positions: Float64Array, controls: Float64Array): void {
    const { triangles, adjacency } = this.#cage.surface;
    for (let k = 0; k < this.count; k++) {
      const v = this.vertex[k];
      for (let e = adjacency.start[v]; e < adjacency.start[v + 1]; e++) {
        for (let c = 3 * adjacency.list[e]; c < 3 * adjacency.list[e] + 3; c++) {
          const w = triangles[c],
            o = 3 * w;
          if (!this.#mayTry(w)) continue;
          const near = this.#tetrahedron[k];
          const isIn = this.#search.findNear(
            controls,
            w,
            positions[o],
            positions[o + 1],
            positions[o + 2],
            near,
          );
          if (isIn) this.#add(w);
        }
      }
    }
  }

  #add(v: number): void {
    if (this.#isInsideAtRest[v] === 1) return;
    if (this.count === this.vertex.length) this.#grow();
    const { triangle, depth, tetrahedron } = this.#search;
    this.#state[v] = 2 * this.#stamp + 1;
    this.vertex[this.count] = v;
    this.triangle[this.count] = triangle;
    this.depth[this.count] = depth;
    this.#tetrahedron[this.count] = tetrahedron;
    this.count++;
  }

  #grow(): void {
    const grow = (before: Uint32Array) => {
      const after = new Uint32Array(2 * before.length);
      after.set(before);
      return after;
    };
    this.vertex = grow(this.vertex);
    this.triangle = grow(this.triangle);
    this.#tetrahedron = grow(this.#tetrahedron);
    const depth = new Float64Array(2 * this.depth.length);
    depth.set(this.depth);
    this.depth = depth;
  }
}
