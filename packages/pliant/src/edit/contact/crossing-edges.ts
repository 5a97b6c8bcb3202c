import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { SurfaceGeometry } from './surface-geometry.ts';
import { normalise } from './surface-geometry.ts';

/** Edges whose directions differ by less than about this, in radians, have no normal that could be relied on. */
const PARALLEL = 0.2;
/** How clearly the surfaces at two edges have to face each other for them to say which way is out. */
const FACING = 0.9;
/** How far beyond its ends, as a share of it, an edge may be closest to another one: at first, and later on. */
const BEYOND = 1e-6;
const BEYOND_LATER = 0.5;

/**
 * Two edges that pass through each other's triangles: where they are closest, the direction out, and how deep they are.
 * Answers are in the fields.
 */
export class CrossingEdges {
  /** Both ends of the edge of the one triangle, then of the edge of the other. */
  readonly vertices = new Uint32Array(4);
  readonly weights = new Float64Array(4); // those of the second edge below 0
  readonly normal = new Float64Array(3);
  /** normal · (point on the first edge − point on the second): below 0 when they are past each other. */
  gap = 0;
  /** 1 or −1: which way the normal turns from (first edge) × (second edge). */
  turn: 1 | -1 = 1;

  readonly #mesh: TriangleMesh;
  readonly #geometry: SurfaceGeometry;
  readonly #cross = new Float64Array(3);
  readonly #normalA = new Float64Array(3);
  readonly #normalB = new Float64Array(3);
  readonly #corner = new Float64Array(3);
  #s = 0;
  #t = 0;

  constructor(geometry: SurfaceGeometry) {
    this.#mesh = geometry.mesh;
    this.#geometry = geometry;
  }

  /**
   * For triangles i and j that cross. False when they do not cross edge against edge, or when it cannot be said which
   * way is out: by the normals at the edges where those face each other, else by `before`, where they were last.
   */
  find(positions: Float64Array, before: Float64Array | undefined, i: number, j: number): boolean {
    const { triangles } = this.#mesh;
    const a = this.#onlyCrossing(positions, i, j),
      b = this.#onlyCrossing(positions, j, i);
    if (a < 0 || b < 0) return false;
    const v = this.vertices;
    v[0] = triangles[3 * i + a];
    v[1] = triangles[3 * i + ((a + 1) % 3)];
    v[2] = triangles[3 * j + b];
    v[3] = triangles[3 * j + ((b + 1) % 3)];
    this.#sort();
    if (!this.#approach(positions)) return false;
    const turn = this.#turnByNormals(positions, i, j) || (before ? this.#turnBefore(before) : 0);
    if (turn === 0) return false;
    this.#approach(positions);
    this.#settle(positions, turn);
    return this.gap < 0;
  }

  /**
   * Edges that were found before, with their turn. False when they are far from closest between their ends: past an end
   * a row stays for a while, or it would come and go.
   */
  update(positions: Float64Array, vertices: Uint32Array, o: number, turn: 1 | -1): boolean {
    for (let k = 0; k < 4; k++) this.vertices[k] = vertices[o + k];
    if (!this.#approach(positions, BEYOND_LATER)) return false;
    this.#settle(positions, turn);
    return true;
  }

  /** The edges in an order that does not depend on which triangles they were found by. */
  #sort(): void {
    const v = this.vertices;
    for (let k = 0; k < 4; k += 2) {
      if (v[k] < v[k + 1]) continue;
      const low = v[k + 1];
      v[k + 1] = v[k];
      v[k] = low;
    }
    if (v[0] < v[2] || (v[0] === v[2] && v[1] < v[3])) return;
    for (let k = 0; k < 2; k++) {
      const low = v[k + 2];
      v[k + 2] = v[k];
      v[k] = low;
    }
  }

  /** The edge of triangle s, by its first corner, that passes through triangle t, if it is the only one; else −1. */
  #onlyCrossing(p: Float64Array, s: number, t: number): number {
    const { triangles } = this.#mesh;
    let found = -1;
    for (let k = 0; k < 3; k++) {
      const a = 3 * triangles[3 * s + k],
        b = 3 * triangles[3 * s + ((k + 1) % 3)];
      if (!passesThrough(p, a, b, 3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2])) {
        continue;
      }
      if (found >= 0) return -1;
      found = k;
    }
    return found;
  }

  /** Where the lines of both edges are closest; false when that is not between their ends, or nowhere. */
  #approach(p: Float64Array, beyond = BEYOND): boolean {
    const v = this.vertices;
    const a = 3 * v[0],
      b = 3 * v[1],
      c = 3 * v[2],
      d = 3 * v[3];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const vx = p[d] - p[c],
      vy = p[d + 1] - p[c + 1],
      vz = p[d + 2] - p[c + 2];
    const wx = p[c] - p[a],
      wy = p[c + 1] - p[a + 1],
      wz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy,
      ny = uz * vx - ux * vz,
      nz = ux * vy - uy * vx;
    const nn = nx * nx + ny * ny + nz * nz;
    const uu = ux * ux + uy * uy + uz * uz,
      vv = vx * vx + vy * vy + vz * vz;
    if (!(nn > PARALLEL * PARALLEL * uu * vv)) return false;
    this.#s = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / nn;
    this.#t = ((wy * uz - wz * uy) * nx + (wz * ux - wx * uz) * ny + (wx * uy - wy * ux) * nz) / nn;
    normalise(this.#cross, nx, ny, nz);
    return isBetween(this.#s, beyond) && isBetween(this.#t, beyond);
  }

  /** Out of the second edge's surface and into that of the first; 0 when the two do not face each other clearly. */
  #turnByNormals(p: Float64Array, i: number, j: number): 1 | -1 | 0 {
    const { vertices: v } = this;
    const isSwapped = !this.#has(i, v[0]) || !this.#has(i, v[1]);
    if (!this.#writeEdgeNormal(p, isSwapped ? j : i, v[0], v[1], this.#normalA)) return 0;
    if (!this.#writeEdgeNormal(p, isSwapped ? i : j, v[2], v[3], this.#normalB)) return 0;
    const a = this.#normalA,
      b = this.#normalB,
      c = this.#cross;
    const along = c[0] * (b[0] - a[0]) + c[1] * (b[1] - a[1]) + c[2] * (b[2] - a[2]);
    if (Math.abs(along) < 2 * FACING) return 0;
    return along > 0 ? 1 : -1;
  }

  #writeEdgeNormal(p: Float64Array, t: number, v: number, w: number, out: Float64Array): boolean {
    const { triangles } = this.#mesh;
    for (let k = 0; k < 3; k++) {
      const corner = triangles[3 * t + k];
      this.#corner[k] = corner === v || corner === w ? 0.5 : 0;
    }
    return this.#geometry.writeNormal(p, t, this.#corner, out);
  }

  #has(t: number, v: number): boolean {
    const { triangles } = this.#mesh;
    return triangles[3 * t] === v || triangles[3 * t + 1] === v || triangles[3 * t + 2] === v;
  }

  /** By the side on which the edges were. */
  #turnBefore(before: Float64Array): 1 | -1 | 0 {
    if (!this.#approach(before)) return 0;
    const along = this.#along(before);
    return along > 0 ? 1 : along < 0 ? -1 : 0;
  }

  /** (point on the first − point on the second) · cross. */
  #along(p: Float64Array): number {
    const v = this.vertices,
      s = this.#s,
      t = this.#t;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const x = (1 - s) * p[3 * v[0] + k] + s * p[3 * v[1] + k],
        y = (1 - t) * p[3 * v[2] + k] + t * p[3 * v[3] + k];
      sum += this.#cross[k] * (x - y);
    }
    return sum;
  }

  #settle(p: Float64Array, turn: 1 | -1): void {
    this.turn = turn;
    this.gap = turn * this.#along(p);
    for (let k = 0; k < 3; k++) this.normal[k] = turn * this.#cross[k];
    const s = Math.min(1, Math.max(0, this.#s)),
      t = Math.min(1, Math.max(0, this.#t));
    this.weights[0] = 1 - s;
    this.weights[1] = s;
    this.weights[2] = t - 1;
    this.weights[3] = -t;
  }
}

function isBetween(s: number, beyond: number): boolean {
  return s >= -beyond && s <= 1 + beyond;
}

/** Whether the segment from a to b meets triangle cde, as near as float64 gets. */
function passesThrough(p: Float64Array, a: number, b: number, c: number, d: number, e: number): boolean {
  const above = sixVolumes(p, a, c, d, e),
    below = sixVolumes(p, b, c, d, e);
  if (above > 0 === below > 0) return false;
  const x = sixVolumes(p, a, b, c, d),
    y = sixVolumes(p, a, b, d, e),
    z = sixVolumes(p, a, b, e, c);
  return (x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0);
}

function sixVolumes(p: Float64Array, o: number, a: number, b: number, c: number): number {
  const ax = p[a] - p[o],
    ay = p[a + 1] - p[o + 1],
    az = p[a + 2] - p[o + 2];
  const bx = p[b] - p[o],
    by = p[b + 1] - p[o + 1],
    bz = p[b + 2] - p[o + 2];
  const cx = p[c] - p[o],
    cy = p[c + 1] - p[o + 1],
    cz = p[c + 2] - p[o + 2];
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}
