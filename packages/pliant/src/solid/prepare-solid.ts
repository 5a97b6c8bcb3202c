import { InputError } from '../mesh/input-error.ts';
import { createTriangleMesh, type TriangleMesh } from '../mesh/triangle-mesh.ts';
import { weldVertices } from '../mesh/weld.ts';
import { doubleArea } from '../shapes/triangle-shape.ts';
import { surfaceMassProperties } from './mass-properties.ts';
import { orientSurface } from './orient-surface.ts';
import type { SurfaceEdges } from './surface-edges.ts';
import { SurfaceWinding } from './surface-winding.ts';
import { boxOf, normalised } from './unit-box.ts';

/** A surface ready to be filled: welded by position, turned outwards, in its unit box. */
export interface SolidSurface {
  readonly mesh: TriangleMesh;
  readonly vertexOf: Uint32Array; // vertex of the given mesh -> vertex of `mesh`
  readonly edges: SurfaceEdges;
  readonly isClosed: boolean; // winding numbers are integers
  readonly openEdges: number; // of one triangle
  readonly nonManifoldEdges: number; // of more than two
  readonly volume: number;
  readonly winding: SurfaceWinding;
  readonly origin: Float64Array; // where the unit box starts
  readonly size: number; // and its scale
  readonly repairs: string[];
  readonly warnings: string[];
}

/** Less volume than this share of area times length is none. */
const NO_VOLUME = 1e-9;

/** Yields between its parts; each takes less than a second for a hundred thousand triangles. */
export function* prepareSolid(given: TriangleMesh): Generator<undefined, SolidSurface> {
  const { extent } = boxOf(given);
  if (Math.min(...extent) === 0)
    throw new InputError('singular', `${nameOf(given)} is flat: it encloses no volume`);
  const welded = weldByPosition(given);
  const { mesh: unit, origin, size } = normalised(welded.mesh);
  yield;
  const { mesh, edges, repairs, warnings } = orientSurface(unit);
  yield;
  const volume = enclosedVolume(mesh, given);
  const { openEdges, nonManifoldEdges, isClosed } = classifyEdges(mesh, edges);
  yield;
  return {
    mesh,
    vertexOf: welded.vertexOf,
    edges,
    isClosed,
    openEdges,
    nonManifoldEdges,
    volume,
    winding: new SurfaceWinding(mesh),
    origin,
    size,
    repairs: [...repairs],
    warnings: [...warnings],
  };
}

/** Vertices kept apart for their weights are one point of the solid. */
function weldByPosition(mesh: TriangleMesh): { mesh: TriangleMesh; vertexOf: Uint32Array } {
  const { weldedVertex, sourceVertex } = weldVertices(mesh.positions);
  if (sourceVertex.length === mesh.vertexCount) return { mesh, vertexOf: weldedVertex };
  const { name, positions, triangles } = mesh;
  return { mesh: createTriangleMesh({ name, positions, triangles }), vertexOf: weldedVertex };
}

function enclosedVolume(mesh: TriangleMesh, given: TriangleMesh): number {
  const area = areaOf(mesh);
  let volume = 0;
  try {
    ({ volume } = surfaceMassProperties(mesh));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  if (volume > NO_VOLUME * area) return volume;
  throw new InputError('singular', `${nameOf(given)} encloses no volume`);
}

export function areaOf({ positions: p, triangles }: TriangleMesh): number {
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    area += doubleArea(p, triangles[t], triangles[t + 1], triangles[t + 2]) / 2;
  }
  return area;
}

/** Closed means: along every edge as many triangles run one way as the other. */
function classifyEdges(
  { triangles }: TriangleMesh,
  { count, ofTriangle, start }: SurfaceEdges,
): Pick<SolidSurface, 'isClosed' | 'openEdges' | 'nonManifoldEdges'> {
  const balance = new Int32Array(count);
  for (let h = 0; h < triangles.length; h++) {
    const next = triangles[h % 3 === 2 ? h - 2 : h + 1];
    if (ofTriangle[h] >= 0) balance[ofTriangle[h]] += triangles[h] < next ? 1 : -1;
  }
  let openEdges = 0,
    nonManifoldEdges = 0;
  for (let e = 0; e < count; e++) {
    const uses = start[e + 1] - start[e];
    if (uses === 1) openEdges++;
    else if (uses > 2) nonManifoldEdges++;
  }
  return { isClosed: balance.every((b) => b === 0), openEdges, nonManifoldEdges };
}

function nameOf({ name }: TriangleMesh): string {
  return name === '' ? 'the surface' : `the surface "${name}"`;
}
