import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { findSurfaceEdges, type SurfaceEdges } from './surface-edges.ts';
import { SurfaceWinding } from './surface-winding.ts';

/** Triangles turned so that neighbours agree and solids are turned outwards. */
export interface OrientedSurface {
  readonly mesh: TriangleMesh;
  readonly edges: SurfaceEdges;
  /** What was turned, in words. */
  readonly repairs: readonly string[];
  readonly warnings: readonly string[];
}

/** Volumes below this share of area · length are as good as nothing. */
const NO_VOLUME = 1e-9;

/**
 * Turns triangles that disagree with their neighbours, then whole shells that are inside out: those of negative
 * volume around which there is nothing. A shell of negative volume inside a solid is a cavity and stays. The mesh is
 * in its unit box.
 */
export function orientSurface(mesh: TriangleMesh): OrientedSurface {
  const edges = findSurfaceEdges(mesh);
  const triangles = mesh.triangles.slice();
  const repairs: string[] = [],
    warnings: string[] = [];
  if (mesh.defects.flippedEdges > 0) {
    const { turned, contradictions } = makeNeighboursAgree(mesh, edges, triangles);
    if (turned > 0) repairs.push(`triangles turned to agree with their neighbours: ${turned}`);
    if (contradictions > 0) {
      warnings.push(`the surface has one side only; edges along which it disagrees: ${contradictions}`);
    }
  }
  turnShells({ ...mesh, triangles }, repairs);
  const turned = { ...mesh, triangles };
  return { mesh: turned, edges: repairs.length > 0 ? findSurfaceEdges(turned) : edges, repairs, warnings };
}

/** Walks over edges of two triangles; in each patch the smaller part by count is turned. */
function makeNeighboursAgree(
  mesh: TriangleMesh,
  { ofTriangle, start, list }: SurfaceEdges,
  triangles: Uint32Array,
): { turned: number; contradictions: number } {
  const side = new Int8Array(mesh.triangleCount); // ±1 once reached
  const queue = new Uint32Array(mesh.triangleCount);
  let turned = 0,
    contradictions = 0;
  for (let seed = 0; seed < mesh.triangleCount; seed++) {
    if (side[seed] !== 0) continue;
    let end = 1,
      negative = 0;
    queue[0] = seed;
    side[seed] = 1;
    for (let head = 0; head < end; head++) {
      const t = queue[head];
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        const e = ofTriangle[h];
        if (e < 0 || start[e + 1] - start[e] !== 2) continue;
        const other = list[start[e]] === t ? list[start[e] + 1] : list[start[e]];
        if (other === t) continue;
        const agree = startOf(mesh.triangles, ofTriangle, other, e) !== mesh.triangles[h];
        const sign = agree ? side[t] : -side[t];
        if (side[other] === 0) {
          side[other] = sign;
          if (sign < 0) negative++;
          queue[end++] = other;
        } else if (side[other] !== sign && other > t) contradictions++;
      }
    }
    const turn = 2 * negative > end ? 1 : -1;
    for (let i = 0; i < end; i++) {
      if (side[queue[i]] !== turn) continue;
      turnTriangle(triangles, queue[i]);
      turned++;
    }
  }
  return { turned, contradictions };
}

/** The vertex from which the triangle runs along the edge. */
function startOf(triangles: Uint32Array, ofTriangle: Int32Array, t: number, edge: number): number {
  let h = 3 * t;
  while (ofTriangle[h] !== edge) h++;
  return triangles[h];
}

function turnTriangle(triangles: Uint32Array, t: number): void {
  const b = triangles[3 * t + 1];
  triangles[3 * t + 1] = triangles[3 * t + 2];
  triangles[3 * t + 2] = b;
}

/** Turns everything when the whole is inside out, then single shells. */
function turnShells(mesh: TriangleMesh, repairs: string[]): void {
  const { triangles, triangleCount, component, componentCount } = mesh;
  const volumes = shellVolumes(mesh);
  if (volumes.reduce((sum, v) => sum + v, 0) < 0) {
    for (let t = 0; t < triangleCount; t++) turnTriangle(triangles, t);
    for (let c = 0; c < componentCount; c++) volumes[c] *= -1;
    repairs.push('the surface was inside out: all triangles turned');
  }
  if (componentCount === 1 || !volumes.some((v) => v < 0)) return;

  const winding = new SurfaceWinding(mesh);
  const top = highestVertices(mesh);
  const turn = volumes.map((volume, c) => {
    const o = 3 * top[c];
    return volume < 0 && winding.at(...abovePoint(mesh, o)) < 0.5 ? 1 : 0;
  });
  const turned = turn.reduce((sum, x) => sum + x, 0);
  if (turned === 0) return;
  for (let t = 0; t < triangleCount; t++) if (turn[component[t]] === 1) turnTriangle(triangles, t);
  repairs.push(`shells turned that were inside out: ${turned}`);
}

/** Of each shell, by the divergence theorem about its own middle; 0 when it is next to nothing. */
function shellVolumes({ positions: p, triangles, component, componentCount }: TriangleMesh): Float64Array {
  const middle = new Float64Array(3 * componentCount),
    corners = new Float64Array(componentCount);
  for (let i = 0; i < triangles.length; i++) {
    const c = component[Math.trunc(i / 3)];
    for (let k = 0; k < 3; k++) middle[3 * c + k] += p[3 * triangles[i] + k];
    corners[c]++;
  }
  for (let k = 0; k < middle.length; k++) middle[k] /= corners[Math.trunc(k / 3)];
  const volumes = new Float64Array(componentCount),
    areas = new Float64Array(componentCount);
  for (let t = 0; 3 * t < triangles.length; t++) {
    const a = 3 * triangles[3 * t],
      b = 3 * triangles[3 * t + 1],
      c = 3 * triangles[3 * t + 2];
    const s = component[t];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a],
      vy = p[c + 1] - p[a + 1],
      vz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy,
      ny = uz * vx - ux * vz,
      nz = ux * vy - uy * vx;
    const height =
      (p[a] - middle[3 * s]) * nx + (p[a + 1] - middle[3 * s + 1]) * ny + (p[a + 2] - middle[3 * s + 2]) * nz;
    volumes[s] += height / 6;
    areas[s] += Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
  }
  return volumes.map((volume, c) => (Math.abs(volume) > NO_VOLUME * areas[c] ** 1.5 ? volume : 0));
}

function highestVertices({ positions, triangles, component, componentCount }: TriangleMesh): Int32Array {
  const top = new Int32Array(componentCount).fill(-1);
  for (let i = 0; i < triangles.length; i++) {
    const c = component[Math.trunc(i / 3)],
      v = triangles[i];
    if (top[c] < 0 || positions[3 * v + 2] > positions[3 * top[c] + 2]) top[c] = v;
  }
  return top;
}

/** Just above a vertex, where its own shell counts nothing. */
function abovePoint({ positions }: TriangleMesh, o: number): [number, number, number] {
  return [positions[o], positions[o + 1], positions[o + 2] + 1e-7];
}
