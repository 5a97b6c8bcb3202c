import { squaredPointTriangleDistance } from '../../deform/point-triangle.ts';
import { closestOnTriangle } from '../../narrow/closest-on-triangle.ts';
import { ClosestPoints } from '../../solid/closest-point.ts';
import type { Cage } from '../types.ts';
import type { SurfaceGeometry } from './surface-geometry.ts';
import { createTetrahedronNeighbours, type TetrahedronNeighbours } from './tetrahedron-neighbours.ts';

/** A point this far outside of a tetrahedron still counts as inside, in barycentric coordinates. */
const INSIDE = -1e-10;
/** Points less deep than this share of the spacing lie on the surface. */
const LEAST_DEPTH = 1e-4;
/** A search looks at no more tetrahedra: what it seeks is near where it begins. */
const MOST_TETRAHEDRA = 64;
/** A way between tetrahedra that share a place is sought among so many. */
const LONGEST_WAY = 256;

/**
 * Tells whether a point lies in the material of a deformed cage, and where: its tetrahedron takes the point back to the
 * rest shape, where depth and nearest triangle are known (Teschner et al. 2003; Li and Barbič 2019). Answers are in the
 * fields.
 */
export class MaterialSearch {
  /** The tetrahedron that holds the point. */
  tetrahedron = -1;
  /** The nearest triangle at rest, the nearest point on it by its corners, and how deep the point is. */
  triangle = -1;
  readonly weights = new Float64Array(3);
  depth = 0;

  readonly geometry: SurfaceGeometry;
  readonly #cage: Cage;
  readonly #neighbours: TetrahedronNeighbours;
  readonly #closest: ClosestPoints;
  readonly #largest: number; // of all tetrahedra: from the middle to a corner
  readonly #holder: Uint32Array;
  readonly #isDoubled: Uint8Array; // per tetrahedron: others lie in the same place at rest
  readonly #nearby: Int32Array; // per tetrahedron: a triangle near it at rest, −1: none is known yet
  readonly #met: TetrahedronList;
  readonly #way: TetrahedronList;
  readonly #coordinates = new Float64Array(4);
  readonly #rest = new Float64Array(3);
  readonly #normal = new Float64Array(3);

  constructor(cage: Cage, geometry: SurfaceGeometry) {
    this.#cage = cage;
    this.geometry = geometry;
    this.#neighbours = createTetrahedronNeighbours(cage);
    this.#closest = new ClosestPoints(cage.surface);
    this.#largest = largestRadius(cage);
    this.#holder = cage.embedding.tetrahedron;
    const { tetrahedronCount } = cage.tetrahedra;
    this.#isDoubled = findDoubled(cage);
    this.#nearby = new Int32Array(tetrahedronCount).fill(-1);
    this.#met = new TetrahedronList(tetrahedronCount, MOST_TETRAHEDRA);
    this.#way = new TetrahedronList(tetrahedronCount, LONGEST_WAY);
  }

  /**
   * Seeks material around vertex v at (x, y, z), beginning at the tetrahedra of triangle `near`. Tetrahedra at the
   * vertex's own do not count: there it is on the surface always.
   */
  findNearTriangle(
    controls: Float64Array,
    v: number,
    x: number,
    y: number,
    z: number,
    near: number,
  ): boolean {
    const { triangles } = this.#cage.surface;
    this.#met.begin();
    for (let k = 0; k < 3; k++) this.#met.add(this.#holder[triangles[3 * near + k]]);
    return this.#run(controls, v, x, y, z);
  }

  /** The same, beginning at a tetrahedron. */
  findNear(controls: Float64Array, v: number, x: number, y: number, z: number, near: number): boolean {
    this.#met.begin();
    this.#met.add(near);
    return this.#run(controls, v, x, y, z);
  }

  /** Whether tetrahedra of two triangles share a vertex: the cage can hardly move one without the other. */
  areTied(i: number, j: number): boolean {
    const { triangles } = this.#cage.surface;
    for (let k = 3 * i; k < 3 * i + 3; k++) {
      for (let l = 3 * j; l < 3 * j + 3; l++) {
        if (this.#areNeighbours(this.#holder[triangles[k]], this.#holder[triangles[l]])) return true;
      }
    }
    return false;
  }

  /** Whether tetrahedron t holds vertex v at (x, y, z) with material around it; for those who seek by other means. */
  isIn(controls: Float64Array, v: number, x: number, y: number, z: number, t: number): boolean {
    return this.#locate(controls, t, x, y, z) && this.#isHeld() && this.#isHit(v, t);
  }

  /**
   * Goes through faces that the point lies beyond, the farthest first. Tetrahedra turned inside out hold nothing, but
   * near ones are passed.
   */
  #run(controls: Float64Array, v: number, x: number, y: number, z: number): boolean {
    const { start, list, face } = this.#neighbours;
    const b = this.#coordinates,
      met = this.#met;
    for (let t = met.take(); t >= 0; t = met.take()) {
      const isUpright = this.#locate(controls, t, x, y, z);
      if (isUpright && this.#isHeld() && this.#isHit(v, t)) return true;
      if (!isUpright && !this.#isNear(controls, t, x, y, z)) continue;
      let farthest = -1,
        least = 0;
      for (let e = start[t]; e < start[t + 1]; e++) {
        const beyond = isUpright && face[e] < 4 ? b[face[e]] : -1e-9;
        if (beyond >= 0) continue;
        if (farthest >= 0) met.add(beyond < least ? farthest : list[e]);
        if (beyond >= least) continue;
        least = beyond;
        farthest = list[e];
      }
      if (farthest >= 0) met.add(farthest);
    }
    return false;
  }

  /** Whether the point is in the box of a tetrahedron, made twice as large. */
  #isNear(p: Float64Array, t: number, x: number, y: number, z: number): boolean {
    const { tetrahedra } = this.#cage.tetrahedra;
    const i = 3 * tetrahedra[4 * t],
      j = 3 * tetrahedra[4 * t + 1],
      k = 3 * tetrahedra[4 * t + 2],
      l = 3 * tetrahedra[4 * t + 3];
    for (let a = 0; a < 3; a++) {
      const low = Math.min(p[i + a], p[j + a], p[k + a], p[l + a]),
        high = Math.max(p[i + a], p[j + a], p[k + a], p[l + a]);
      const q = a === 0 ? x : a === 1 ? y : z;
      if (Math.abs(2 * q - low - high) > 2 * (high - low)) return false;
    }
    return true;
  }

  /** Barycentric coordinates of the point in the deformed tetrahedron; false when that has no volume above 0. */
  #locate(p: Float64Array, t: number, x: number, y: number, z: number): boolean {
    const { tetrahedra } = this.#cage.tetrahedra;
    const b = this.#coordinates;
    const i = 3 * tetrahedra[4 * t],
      j = 3 * tetrahedra[4 * t + 1],
      k = 3 * tetrahedra[4 * t + 2],
      l = 3 * tetrahedra[4 * t + 3];
    const ux = p[j] - p[i],
      uy = p[j + 1] - p[i + 1],
      uz = p[j + 2] - p[i + 2];
    const vx = p[k] - p[i],
      vy = p[k + 1] - p[i + 1],
      vz = p[k + 2] - p[i + 2];
    const wx = p[l] - p[i],
      wy = p[l + 1] - p[i + 1],
      wz = p[l + 2] - p[i + 2];
    const cx = vy * wz - vz * wy,
      cy = vz * wx - vx * wz,
      cz = vx * wy - vy * wx;
    const volume = ux * cx + uy * cy + uz * cz;
    const size = Math.sqrt((ux * ux + uy * uy + uz * uz) * (cx * cx + cy * cy + cz * cz));
    if (!(volume > 1e-9 * size)) return false;
    const qx = x - p[i],
      qy = y - p[i + 1],
      qz = z - p[i + 2];
    b[1] = (qx * cx + qy * cy + qz * cz) / volume;
    b[2] = (qx * (wy * uz - wz * uy) + qy * (wz * ux - wx * uz) + qz * (wx * uy - wy * ux)) / volume;
    b[3] = (qx * (uy * vz - uz * vy) + qy * (uz * vx - ux * vz) + qz * (ux * vy - uy * vx)) / volume;
    b[0] = 1 - b[1] - b[2] - b[3];
    return true;
  }

  #isHeld(): boolean {
    const b = this.#coordinates;
    return b[0] >= INSIDE && b[1] >= INSIDE && b[2] >= INSIDE && b[3] >= INSIDE;
  }

  /** Back at rest: is the place inside, deep enough, and in the same piece of the solid as this tetrahedron? */
  #isHit(v: number, t: number): boolean {
    if (this.#areNeighbours(t, this.#holder[v])) return false;
    const { surface, spacing } = this.#cage;
    const { positions, triangles } = surface;
    this.#takeBack(t);
    const [x, y, z] = this.#rest;
    this.#findClosest(t);
    const hit = this.#closest.triangle,
      depth = this.#closest.distance;
    if (!(depth > LEAST_DEPTH * spacing)) return false;
    const feature = closestOnTriangle(
      positions,
      3 * triangles[3 * hit],
      3 * triangles[3 * hit + 1],
      3 * triangles[3 * hit + 2],
      x,
      y,
      z,
      this.weights,
    );
    const n = this.#normal,
      { point } = this.#closest;
    this.geometry.writePseudoNormal(positions, hit, feature, n);
    if (!(n[0] * (x - point[0]) + n[1] * (y - point[1]) + n[2] * (z - point[2]) < 0)) return false;
    if (triangles[3 * hit] === v || triangles[3 * hit + 1] === v || triangles[3 * hit + 2] === v)
      return false;
    if (this.#isDoubled[t] === 1 && !this.#isConnected(t, hit, depth)) return false;
    this.tetrahedron = t;
    this.triangle = hit;
    this.depth = depth;
    return true;
  }

  /** The nearest triangle of the rest shape; what was found from the same tetrahedron before says how near it is. */
  #findClosest(t: number): void {
    const [x, y, z] = this.#rest;
    const { positions, triangles } = this.#cage.surface;
    let within = Infinity;
    if (this.#nearby[t] >= 0) {
      const o = 3 * this.#nearby[t];
      const squared = squaredPointTriangleDistance(
        this.#rest,
        0,
        positions,
        3 * triangles[o],
        3 * triangles[o + 1],
        3 * triangles[o + 2],
      );
      within = Math.sqrt(squared) * (1 + 1e-9) + 1e-12;
    }
    if (!this.#closest.find(x, y, z, within)) this.#closest.find(x, y, z);
    this.#nearby[t] = this.#closest.triangle;
  }

  #areNeighbours(s: number, t: number): boolean {
    const { tetrahedra } = this.#cage.tetrahedra;
    for (let i = 4 * s; i < 4 * s + 4; i++) {
      for (let j = 4 * t; j < 4 * t + 4; j++) if (tetrahedra[i] === tetrahedra[j]) return true;
    }
    return false;
  }

  #takeBack(t: number): void {
    const { tetrahedra, positions } = this.#cage.tetrahedra;
    const rest = this.#rest.fill(0);
    for (let k = 0; k < 4; k++) {
      const c = 3 * tetrahedra[4 * t + k],
        b = this.#coordinates[k];
      rest[0] += b * positions[c];
      rest[1] += b * positions[c + 1];
      rest[2] += b * positions[c + 2];
    }
  }

  /**
   * Where several tetrahedra lie in one place, only one belongs to the solid there. The straight way from the point to
   * the nearest triangle stays in the solid, so that a tetrahedron of the right piece is glued to one of the
   * triangle's through others near that way.
   */
  #isConnected(t: number, triangle: number, depth: number): boolean {
    const { triangles } = this.#cage.surface;
    const a = this.#holder[triangles[3 * triangle]],
      b = this.#holder[triangles[3 * triangle + 1]],
      c = this.#holder[triangles[3 * triangle + 2]];
    if (t === a || t === b || t === c) return true;
    const { start, list } = this.#neighbours;
    const reach = (depth + 2 * this.#largest) ** 2;
    const way = this.#way;
    way.begin();
    way.add(t);
    for (let head = 0; head < way.size; head++) {
      const s = way.list[head];
      for (let e = start[s]; e < start[s + 1]; e++) {
        const next = list[e];
        if (next === a || next === b || next === c) return true;
        if (this.#squaredFromRest(next) <= reach) way.add(next);
      }
    }
    return false;
  }

  /** From the middle of a tetrahedron to the place at rest. */
  #squaredFromRest(t: number): number {
    const { tetrahedra, positions: p } = this.#cage.tetrahedra;
    const i = 3 * tetrahedra[4 * t],
      j = 3 * tetrahedra[4 * t + 1],
      k = 3 * tetrahedra[4 * t + 2],
      l = 3 * tetrahedra[4 * t + 3];
    const x = (p[i] + p[j] + p[k] + p[l]) / 4 - this.#rest[0],
      y = (p[i + 1] + p[j + 1] + p[k + 1] + p[l + 1]) / 4 - this.#rest[1],
      z = (p[i + 2] + p[j + 2] + p[k + 2] + p[l + 2]) / 4 - this.#rest[2];
    return x * x + y * y + z * z;
  }
}

/** Tetrahedra to look at, each once; when there are too many, further ones are left out. */
class TetrahedronList {
  size = 0;
  readonly list: Uint32Array;
  readonly #seen: Uint32Array; // the last search that met it
  #search = 0;
  #met = 0;

  constructor(count: number, most: number) {
    this.list = new Uint32Array(most);
    this.#seen = new Uint32Array(count);
  }

  begin(): void {
    this.size = this.#met = 0;
    if (++this.#search < 2 ** 32) return;
    this.#seen.fill(0);
    this.#search = 1;
  }

  add(t: number): void {
    if (this.#seen[t] === this.#search || this.#met === this.list.length) return;
    this.#seen[t] = this.#search;
    this.#met++;
    this.list[this.size++] = t;
  }

  /** The last one that is there, which is then there no more; −1: none. */
  take(): number {
    return this.size > 0 ? this.list[--this.size] : -1;
  }
}

/** Tetrahedra with the same middle at rest: copies in one cell of a lattice. */
function findDoubled({
  tetrahedra: { tetrahedra, positions: p, tetrahedronCount },
  spacing,
}: Cage): Uint8Array {
  const first = new Map<number, number>();
  const isDoubled = new Uint8Array(tetrahedronCount);
  for (let t = 0; t < tetrahedronCount; t++) {
    let key = 0;
    for (let k = 0; k < 3; k++) {
      let middle = 0;
      for (let c = 4 * t; c < 4 * t + 4; c++) middle += p[3 * tetrahedra[c] + k];
      key = key * SAME_PLACE + Math.round((25 * middle) / spacing) + SAME_PLACE / 2;
    }
    const other = first.get(key);
    if (other === undefined) first.set(key, t);
    else isDoubled[t] = isDoubled[other] = 1;
  }
  return isDoubled;
}

const SAME_PLACE = 2 ** 17; // steps of 1/100 of the spacing along an axis; beyond, keys only meet more often

function largestRadius({ tetrahedra: { tetrahedra, positions } }: Cage): number {
  let squared = 0;
  for (let o = 0; o < tetrahedra.length; o += 4) {
    for (let c = o; c < o + 4; c++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        let middle = 0;
        for (let d = o; d < o + 4; d++) middle += positions[3 * tetrahedra[d] + k] / 4;
        sum += (positions[3 * tetrahedra[c] + k] - middle) ** 2;
      }
      squared = Math.max(squared, sum);
    }
  }
  return Math.sqrt(squared);
}
