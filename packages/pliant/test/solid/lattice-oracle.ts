import type { TetrahedralMesh } from '../../src/mesh/tetrahedral-mesh.ts';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import type { Lattice } from '../../src/solid/create-lattice.ts';

/** Shortest way along edges of the lattice between two vertices of it; Infinity when there is none. */
export function graphDistance({ tetrahedra: mesh }: Lattice, from: number, to: number): number {
  return shortestWay(mesh.positions, mesh.tetrahedra, from, to);
}

/** The same when vertices in the same place are one, as in a lattice that knows nothing of gaps. */
export function naiveDistance({ tetrahedra: mesh }: Lattice, from: number, to: number): number {
  const first = new Map<string, number>();
  const merged = Uint32Array.from({ length: mesh.vertexCount }, (_, v) => {
    const key = Array.from(mesh.positions.subarray(3 * v, 3 * v + 3), (x) => Math.round(1e9 * x)).join();
    if (!first.has(key)) first.set(key, v);
    return first.get(key)!;
  });
  return shortestWay(
    mesh.positions,
    mesh.tetrahedra.map((v) => merged[v]),
    merged[from],
    merged[to],
  );
}

function shortestWay(positions: Float64Array, tetrahedra: Uint32Array, from: number, to: number): number {
  const neighbours: Set<number>[] = Array.from({ length: positions.length / 3 }, () => new Set());
  for (let i = 0; i < tetrahedra.length; i++) {
    const o = i - (i % 4);
    for (let k = o; k < o + 4; k++) if (k !== i) neighbours[tetrahedra[i]].add(tetrahedra[k]);
  }
  const distance = new Float64Array(neighbours.length).fill(Infinity);
  const open = new Set([from]);
  distance[from] = 0;
  while (open.size > 0) {
    let best = -1;
    for (const v of open) if (best < 0 || distance[v] < distance[best]) best = v;
    open.delete(best);
    if (best === to) return distance[to];
    for (const v of neighbours[best]) {
      const length = Math.hypot(...[0, 1, 2].map((k) => positions[3 * best + k] - positions[3 * v + k]));
      if (distance[best] + length >= distance[v]) continue;
      distance[v] = distance[best] + length;
      open.add(v);
    }
  }
  return distance[to];
}

/** How many parts the glue leaves. */
export function countParts({ glue, tetrahedra }: Lattice): number {
  const parent = Array.from({ length: tetrahedra.tetrahedronCount }, (_, i) => i);
  const find = (i: number): number => (parent[i] === i ? i : (parent[i] = find(parent[i])));
  for (let i = 0; i < glue.length; i += 2) parent[find(glue[i])] = find(glue[i + 1]);
  return parent.filter((p, i) => p === i).length;
}

/**
 * Triangles whose three vertices are not connected by glue through tetrahedra that the triangle meets: there the
 * embedded surface would tear.
 */
export function tornTriangles(mesh: TriangleMesh, { tetrahedra: solid, glue, embedding }: Lattice): number[] {
  const neighbours: number[][] = Array.from({ length: solid.tetrahedronCount }, () => []);
  for (let i = 0; i < glue.length; i += 2) {
    neighbours[glue[i]].push(glue[i + 1]);
    neighbours[glue[i + 1]].push(glue[i]);
  }
  const planes = Array.from({ length: solid.tetrahedronCount }, (_, i) => planesOf(solid, i));
  const torn: number[] = [];
  for (let t = 0; t < mesh.triangleCount; t++) {
    const corners = Array.from(mesh.triangles.subarray(3 * t, 3 * t + 3));
    const wanted = new Set(corners.map((v) => embedding.tetrahedron[mesh.sourceVertex[v]]));
    if (wanted.size === 1) continue;
    const points = corners.map((v) => Array.from(mesh.positions.subarray(3 * v, 3 * v + 3)));
    const reached = new Set([[...wanted][0]]);
    for (const i of reached) {
      for (const j of neighbours[i]) if (!reached.has(j) && meets(points, planes[j])) reached.add(j);
    }
    if ([...wanted].some((i) => !reached.has(i))) torn.push(t);
  }
  return torn;
}

/** Four numbers (n, d) per face: n·p + d is 1 at the corner opposite and 0 in the face. */
function planesOf({ positions, tetrahedra }: TetrahedralMesh, i: number): number[][] {
  const corner = (k: number) => {
    const v = tetrahedra[4 * i + (k % 4)];
    return Array.from(positions.subarray(3 * v, 3 * v + 3));
  };
  return [0, 1, 2, 3].map((k) => {
    const a = corner(k + 1),
      u = sub(corner(k + 2), a),
      v = sub(corner(k + 3), a);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const whole = dot(n, sub(corner(k), a));
    return [n[0] / whole, n[1] / whole, n[2] / whole, -dot(n, a) / whole];
  });
}

/** Clips the triangle by the four faces, a little moved outwards. */
function meets(points: number[][], planes: readonly number[][]): boolean {
  const side = (plane: readonly number[], p: readonly number[]) => dot(plane, p) + plane[3] + 1e-6;
  if (planes.some((plane) => points.every((p) => side(plane, p) < 0))) return false;
  let polygon = points;
  for (const plane of planes) {
    polygon = polygon.flatMap((p, at) => {
      const q = polygon[(at + 1) % polygon.length];
      const here = side(plane, p),
        next = side(plane, q);
      const kept = here >= 0 ? [p] : [];
      if (here >= 0 !== next >= 0) kept.push(p.map((x, axis) => x + (here / (here - next)) * (q[axis] - x)));
      return kept;
    });
  }
  return polygon.length > 0;
}

const sub = (a: readonly number[], b: readonly number[]) => a.map((x, k) => x - b[k]);
const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** How far Σ w_j c_j is from the vertices that triangles use, the lowest weight, and how far weights are from adding up. */
export function checkEmbedding(
  mesh: TriangleMesh,
  { embedding }: Lattice,
): { error: number; lowest: number; sum: number } {
  const { controlPositions, controls, weights } = embedding;
  let error = 0,
    lowest = Infinity,
    sum = 0;
  for (let s = 0; s < mesh.sourceVertexCount; s++) {
    const at = [0, 0, 0];
    let total = 0;
    for (let k = 4 * s; k < 4 * s + 4; k++) {
      for (let c = 0; c < 3; c++) at[c] += weights[k] * controlPositions[3 * controls[k] + c];
      total += weights[k];
      lowest = Math.min(lowest, weights[k]);
    }
    sum = Math.max(sum, Math.abs(total - 1));
    const { start } = mesh.adjacency;
    const v = mesh.weldedVertex[s];
    for (let c = 0; c < 3 && start[v] < start[v + 1]; c++) {
      error = Math.max(error, Math.abs(at[c] - mesh.positions[3 * v + c]));
    }
  }
  return { error, lowest, sum };
}
