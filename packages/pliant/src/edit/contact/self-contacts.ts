import type { Cage } from '../types.ts';
import { type ContactRows, EDGE_EDGE, TERMS, VERTEX_FACE } from './contact-rows.ts';
import { CrossingEdges } from './crossing-edges.ts';
import { normalise, type SurfaceGeometry } from './surface-geometry.ts';
import { SurfaceWalk } from './surface-walk.ts';

/** Vertices less deep than this share of the spacing say nothing about the way out. */
const LEAST_DEPTH = 1e-4;

/** Rows of a surface against itself: vertices against triangles, and edges against edges. */
export class SelfContacts {
  readonly #cage: Cage;
  readonly #geometry: SurfaceGeometry;
  readonly #walk: SurfaceWalk;
  readonly #edges: CrossingEdges;
  readonly #normal = new Float64Array(3);
  readonly #way = new Float64Array(3);

  constructor(cage: Cage, geometry: SurfaceGeometry) {
    this.#cage = cage;
    this.#geometry = geometry;
    this.#walk = new SurfaceWalk(cage.surface);
    this.#edges = new CrossingEdges(geometry);
  }

  /**
   * A row for a vertex that is inside, near `triangle`. False when it is not behind the surface after all, whose triangles
   * are flat where the cage is bent; and when nobody can say which way is out. With the normal that is written the
   * vertex is behind the surface: with a flipped one the row would pull.
   */
  addInside(
    rows: ContactRows,
    positions: Float64Array,
    v: number,
    triangle: number,
    margin: number,
  ): boolean {
    if (!this.#approach(positions, v, triangle)) return false;
    const walk = this.#walk,
      n = this.#normal;
    const dx = this.#way[0],
      dy = this.#way[1],
      dz = this.#way[2];
    if (!(n[0] * dx + n[1] * dy + n[2] * dz > 0)) return false;
    const hasNormal = this.#geometry.writeNormal(positions, walk.triangle, walk.weights, n);
    if (!hasNormal || !(n[0] * dx + n[1] * dy + n[2] * dz > 0)) {
      if (walk.squared < (LEAST_DEPTH * this.#cage.spacing) ** 2 || !normalise(n, dx, dy, dz)) return false;
    }
    this.#addVertexRow(rows, v, n[0] * dx + n[1] * dy + n[2] * dz, margin);
    return true;
  }

  /**
   * The row of a vertex that touched `triangle` before, wherever on the surface it has slid to. False when it has left:
   * when it is further than `reach` away, also along the surface.
   */
  addAgain(
    rows: ContactRows,
    positions: Float64Array,
    v: number,
    triangle: number,
    margin: number,
    reach: number,
  ): boolean {
    if (!this.#approach(positions, v, triangle)) return false;
    const walk = this.#walk,
      n = this.#normal;
    const dx = this.#way[0],
      dy = this.#way[1],
      dz = this.#way[2];
    const isOutside = n[0] * dx + n[1] * dy + n[2] * dz < 0;
    if (isOutside && walk.squared > reach * reach) return false;
    const hasNormal = this.#geometry.writeNormal(positions, walk.triangle, walk.weights, n);
    const depth = n[0] * dx + n[1] * dy + n[2] * dz;
    if (hasNormal && depth < 0 === isOutside) {
      this.#addVertexRow(rows, v, depth, margin);
      return true;
    }
    // At sharp edges smooth normals may look past the vertex: then straight out.
    const sign = isOutside ? -1 : 1;
    if (!normalise(n, sign * dx, sign * dy, sign * dz)) return false;
    this.#addVertexRow(rows, v, sign * Math.sqrt(walk.squared), margin);
    return true;
  }

  /**
   * Goes from `triangle` to where the surface is nearest to vertex v: the way there, and the normal whose sign tells the
   * side of the surface that the vertex is on. False when there is no surface but that around it.
   */
  #approach(positions: Float64Array, v: number, triangle: number): boolean {
    const walk = this.#walk,
      way = this.#way;
    const x = positions[3 * v],
      y = positions[3 * v + 1],
      z = positions[3 * v + 2];
    if (!walk.find(positions, triangle, x, y, z, v)) return false;
    way[0] = walk.point[0] - x;
    way[1] = walk.point[1] - y;
    way[2] = walk.point[2] - z;
    this.#geometry.writePseudoNormal(positions, walk.triangle, walk.feature, this.#normal);
    return true;
  }

  /** A row for the edges by which two triangles cross, the lower one first. False when they cross otherwise. */
  addEdges(
    rows: ContactRows,
    positions: Float64Array,
    before: Float64Array | undefined,
    i: number,
    j: number,
    margin: number,
  ): boolean {
    if (!this.#edges.find(positions, before, i, j)) return false;
    this.#addEdgeRow(rows, margin);
    return true;
  }

  /** The row of edges that touched before: row `from` of `old`. False when they have slid off each other. */
  addEdgesAgain(
    rows: ContactRows,
    positions: Float64Array,
    old: ContactRows,
    from: number,
    margin: number,
    reach: number,
  ): boolean {
    const turn = old.turn[from] as 1 | -1;
    if (!this.#edges.update(positions, old.vertices, TERMS * from, turn)) return false;
    if (this.#edges.gap > reach) return false;
    this.#addEdgeRow(rows, margin);
    return true;
  }

  #addVertexRow(rows: ContactRows, v: number, depth: number, margin: number): void {
    const { triangles } = this.#cage.surface;
    const { triangle, weights } = this.#walk;
    const row = rows.add();
    rows.kind[row] = VERTEX_FACE;
    rows.terms[row] = TERMS;
    rows.vertices[TERMS * row] = v;
    rows.weights[TERMS * row] = 1;
    for (let k = 0; k < 3; k++) {
      rows.vertices[TERMS * row + 1 + k] = triangles[3 * triangle + k];
      rows.weights[TERMS * row + 1 + k] = -weights[k];
      rows.normal[3 * row + k] = this.#normal[k];
    }
    rows.key[row] = v;
    rows.triangle[row] = triangle;
    rows.turn[row] = 0;
    this.#finish(rows, row, depth, margin);
  }

  #addEdgeRow(rows: ContactRows, margin: number): void {
    const { vertices, weights, normal, gap, turn } = this.#edges;
    const row = rows.add();
    rows.kind[row] = EDGE_EDGE;
    rows.terms[row] = TERMS;
    for (let k = 0; k < TERMS; k++) {
      rows.vertices[TERMS * row + k] = vertices[k];
      rows.weights[TERMS * row + k] = weights[k];
    }
    for (let k = 0; k < 3; k++) rows.normal[3 * row + k] = normal[k];
    rows.key[row] = edgeKey(vertices);
    rows.triangle[row] = -1;
    rows.turn[row] = turn;
    this.#finish(rows, row, -gap, margin);
  }

  /** What is closer than twice the margin at rest keeps half of its distance. */
  #finish(rows: ContactRows, row: number, depth: number, margin: number): void {
    const { positions } = this.#cage.surface;
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let c = TERMS * row; c < TERMS * row + TERMS; c++) {
        sum += rows.weights[c] * positions[3 * rows.vertices[c] + k];
      }
      squared += sum * sum;
    }
    rows.offset[row] = Math.min(margin, Math.sqrt(squared) / 2);
    rows.depth[row] = depth;
    rows.other[row] = -1;
  }
}

/** Four vertices in one number below 0. Two pairs of edges have the same once in about 2⁵² pairs. */
function edgeKey(vertices: Uint32Array): number {
  let low = 0x811c9dc5,
    high = 0x2f0b4c47;
  for (let k = 0; k < 4; k++) {
    low = Math.imul(low ^ vertices[k], 0x9e3779b1);
    low ^= low >>> 15;
    high = Math.imul(high ^ vertices[k], 0x85ebca6b);
    high ^= high >>> 13;
  }
  return -1 - ((high >>> 12) * 2 ** 32 + (low >>> 0));
}
