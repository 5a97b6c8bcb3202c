import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** A mesh moved and scaled so that its box starts at 0 and its longest side is 1: u = (x − origin) · scale. */
export interface UnitMesh {
  readonly mesh: TriangleMesh;
  readonly origin: Float64Array;
  readonly size: number; // the longest side before
  readonly scale: number; // 1 / size
}

/** Shorter or longer than this, squares and cubes of lengths would leave the range of float64. */
const SIZE_LIMIT = 2 ** 300;

export function normalised(mesh: TriangleMesh): UnitMesh {
  const { origin, extent } = boxOf(mesh);
  const size = Math.max(extent[0], extent[1], extent[2]);
  if (!(size > 1 / SIZE_LIMIT && size < SIZE_LIMIT)) {
    throw new InputError('out-of-range', `the mesh is ${size} long; it must be between 2^-300 and 2^300`);
  }
  const scale = 1 / size;
  const positions = new Float64Array(mesh.positions.length);
  for (let i = 0; i < positions.length; i++) positions[i] = (mesh.positions[i] - origin[i % 3]) * scale;
  return { mesh: { ...mesh, positions }, origin, size, scale };
}

/** Of the vertices that triangles use. */
export function boxOf({ positions, triangles }: TriangleMesh): {
  origin: Float64Array;
  extent: Float64Array;
} {
  const low = new Float64Array(3).fill(Infinity),
    extent = new Float64Array(3).fill(-Infinity);
  for (let i = 0; i < triangles.length; i++) {
    for (let k = 0, o = 3 * triangles[i]; k < 3; k++) {
      low[k] = Math.min(low[k], positions[o + k]);
      extent[k] = Math.max(extent[k], positions[o + k]);
    }
  }
  for (let k = 0; k < 3; k++) extent[k] -= low[k];
  return { origin: low, extent };
}
