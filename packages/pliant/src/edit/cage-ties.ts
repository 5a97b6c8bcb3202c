import { BoxGrid } from '../deform/box-grid.ts';
import type { TetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';
import type { Ties } from './types.ts';
import { createVertexTetrahedra } from './vertex-tetrahedra.ts';

/** So many vertices of a loose part are held, as far from one another as can be. */
const MOST_TIES = 8;

export const NO_TIES: Ties = {
  start: new Uint32Array(1),
  vertex: new Uint32Array(0),
  weight: new Float64Array(0),
};

/**
 * Holds every part on a larger one: some of its vertices keep their places relative to the tetrahedra of larger parts
 * nearest to them. A place is a barycentric coordinate, so nothing resists an affine map of everything. By induction
 * all parts hang together with part 0.
 */
export function tieParts(mesh: TetrahedralMesh, component: Uint32Array): Ties {
  const ofVertex = partOfVertex(mesh, component);
  const parts = component.reduce((most, part) => Math.max(most, part), 0) + 1;
  if (parts === 1) return NO_TIES;
  const members: number[][] = Array.from({ length: parts }, () => []);
  for (let v = 0; v < mesh.vertexCount; v++) members[ofVertex[v]].push(v);
  const { start, tetrahedron } = createVertexTetrahedra(mesh);
  const grid = gridOf(mesh.positions);
  const starts = [0],
    vertices: number[] = [],
    weights: number[] = [];
  const trial = new Float64Array(4);
  for (let part = 1; part < parts; part++) {
    for (const v of spread(mesh.positions, members[part])) {
      const holder = nearestOf(mesh.positions, grid, ofVertex, part, v);
      const around = tetrahedron
        .subarray(start[holder], start[holder + 1])
        .filter((t) => component[t] < part);
      const t = deepestHolder(mesh, around, v, trial);
      const length = Math.hypot(1, trial[0], trial[1], trial[2], trial[3]);
      vertices.push(v, ...mesh.tetrahedra.subarray(4 * t, 4 * t + 4));
      weights.push(1 / length, ...Array.from(trial, (w) => -w / length));
      starts.push(vertices.length);
    }
  }
  return {
    start: Uint32Array.from(starts),
    vertex: Uint32Array.from(vertices),
    weight: Float64Array.from(weights),
  };
}

/** A vertex that several parts share belongs to the largest: it holds them together already. */
function partOfVertex({ vertexCount, tetrahedra }: TetrahedralMesh, component: Uint32Array): Uint32Array {
  const part = new Uint32Array(vertexCount).fill(0xffffffff);
  for (let i = 0; i < tetrahedra.length; i++) {
    const v = tetrahedra[i];
    part[v] = Math.min(part[v], component[i >>> 2]);
  }
  return part;
}

/** Farthest points of a part, beginning with that farthest from its first. */
function spread(positions: Float64Array, members: readonly number[]): number[] {
  if (members.length <= MOST_TIES) return [...members];
  const chosen: number[] = [];
  const distance = members.map((v) => squaredDistance(positions, v, members[0]));
  while (chosen.length < MOST_TIES) {
    let farthest = 0;
    for (let i = 1; i < members.length; i++) if (distance[i] > distance[farthest]) farthest = i;
    const last = members[farthest];
    chosen.push(last);
    for (let i = 0; i < members.length; i++) {
      const d = squaredDistance(positions, members[i], last);
      distance[i] = chosen.length === 1 ? d : Math.min(distance[i], d);
    }
  }
  return chosen;
}

/** The nearest vertex of a larger part; of several the first. */
function nearestOf(
  positions: Float64Array,
  grid: BoxGrid,
  ofVertex: Uint32Array,
  part: number,
  v: number,
): number {
  let nearest = -1,
    least = Infinity;
  grid.visitNear(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], (w) => {
    if (ofVertex[w] >= part) return least;
    const d = squaredDistance(positions, v, w);
    if (d < least || (d === least && w < nearest)) {
      least = d;
      nearest = w;
    }
    return least;
  });
  return nearest;
}

function gridOf(positions: Float64Array): BoxGrid {
  const boxes = new Float64Array(2 * positions.length);
  for (let o = 0; o < positions.length; o += 3) {
    boxes.set(positions.subarray(o, o + 3), 2 * o);
    boxes.set(positions.subarray(o, o + 3), 2 * o + 3);
  }
  return new BoxGrid(boxes, 4);
}

/** Of these tetrahedra the one outside of which the vertex lies least; its coordinates there go to `best`. */
function deepestHolder(
  mesh: TetrahedralMesh,
  candidates: Uint32Array,
  v: number,
  best: Float64Array,
): number {
  const trial = new Float64Array(4);
  let holder = -1,
    deepest = -Infinity;
  for (const t of candidates) {
    writeCoordinates(mesh, t, v, trial);
    const depth = Math.min(trial[0], trial[1], trial[2], trial[3]);
    if (depth > deepest) {
      deepest = depth;
      holder = t;
      best.set(trial);
    }
  }
  return holder;
}

function writeCoordinates(
  { positions, tetrahedra }: TetrahedralMesh,
  t: number,
  v: number,
  out: Float64Array,
): void {
  const corner = (k: number) => 3 * tetrahedra[4 * t + k];
  const whole = sixVolumes(positions, corner(0), corner(1), corner(2), corner(3));
  out[0] = sixVolumes(positions, 3 * v, corner(1), corner(2), corner(3)) / whole;
  out[1] = sixVolumes(positions, corner(0), 3 * v, corner(2), corner(3)) / whole;
  out[2] = sixVolumes(positions, corner(0), corner(1), 3 * v, corner(3)) / whole;
  out[3] = 1 - out[0] - out[1] - out[2];
}

/** det(b − a, c − a, d − a). */
export function sixVolumes(p: Float64Array, a: number, b: number, c: number, d: number): number {
  const ux = p[b] - p[a],
    uy = p[b + 1] - p[a + 1],
    uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a],
    vy = p[c + 1] - p[a + 1],
    vz = p[c + 2] - p[a + 2];
  const wx = p[d] - p[a],
    wy = p[d + 1] - p[a + 1],
    wz = p[d + 2] - p[a + 2];
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}

function squaredDistance(positions: Float64Array, v: number, w: number): number {
  const x = positions[3 * v] - positions[3 * w],
    y = positions[3 * v + 1] - positions[3 * w + 1],
    z = positions[3 * v + 2] - positions[3 * w + 2];
  return x * x + y * y + z * z;
}
