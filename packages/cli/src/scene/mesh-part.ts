import { createTetrahedralMesh, InputError } from 'pliant';
import type { MeshFile, MeshGroup, PointCache, TetFile } from 'pliant/io';
import { IDENTITY_MATRIX, type MeshPose, type PartMesh, type ScenePart, type SceneRegion } from './scene.ts';

/** The triangles of a mesh file that are checked. The studio makes the same parts of files that it is given. */
export type Surface = Pick<MeshFile, 'name' | 'positions' | 'triangles' | 'groups'>;

/** One shape that does not move. */
export function createMeshPart(surface: Surface, path: string): ScenePart {
  return {
    path,
    meshes: [partMesh(surface, 'rigid')],
    clips: [],
    notes: [],
    poses: async () => [{ world: Float64Array.from(IDENTITY_MATRIX) }],
  };
}

/** Mesh files with the same triangles, one per frame, of which the first is read already. */
export function createSequencePart(
  first: Surface,
  path: string,
  frameCount: number,
  positionsAt: (frame: number) => Promise<Float64Array>,
): ScenePart {
  return {
    path,
    meshes: [partMesh(first, 'free')],
    clips: [],
    sequence: { frameCount, times: undefined },
    notes: [],
    poses: async ({ frame = 0 }) => [posed(await positionsAt(frame))],
  };
}

/** A mesh and the positions of its vertices over time. */
export function createCachedPart(
  surface: Surface,
  path: string,
  cache: PointCache,
  cachePath: string,
): ScenePart {
  const vertexCount = surface.positions.length / 3;
  if (cache.pointCount !== vertexCount) {
    const points = `${cachePath}: ${cache.pointCount} points`;
    throw new InputError('mismatch', `${points}, but ${path} has ${vertexCount} vertices`);
  }
  return {
    path,
    meshes: [partMesh(surface, 'free')],
    clips: [],
    sequence: { frameCount: cache.frameCount, times: secondsOf(cache) },
    notes: [],
    poses: async ({ frame = 0 }) => [posed(cache.frame(frame, new Float64Array(3 * vertexCount)))],
  };
}

/** For tetrahedra, their outer faces, ordered by (tetrahedron, local face). */
export function surfaceOf(file: MeshFile | TetFile, path: string): Surface {
  if (file.kind === 'triangles') return file;
  const { name, positions, tetrahedra } = file;
  if (tetrahedra.length === 0) throw new InputError('empty', `${path}: no tetrahedra`);
  const { boundaryTriangles } = createTetrahedralMesh({ name: path, positions, tetrahedra });
  return { name, positions, triangles: boundaryTriangles, groups: [] };
}

/** Refuses a frame with other triangles than the first; `explain` makes the message from what differs. */
export function checkTopology(
  first: Surface,
  file: Surface,
  firstPath: string,
  explain: (difference: string) => string,
): void {
  const difference = findDifference(first, file, firstPath);
  if (difference !== undefined) throw new InputError('mismatch', explain(difference));
}

function findDifference(first: Surface, file: Surface, firstPath: string): string | undefined {
  if (file.positions.length !== first.positions.length) {
    const [n, m] = [file.positions.length / 3, first.positions.length / 3];
    return `${n} vertices, but ${firstPath} has ${m}`;
  }
  if (file.triangles.length !== first.triangles.length) {
    const [n, m] = [file.triangles.length / 3, first.triangles.length / 3];
    return `${n} triangles, but ${firstPath} has ${m}`;
  }
  const k = first.triangles.findIndex((vertex, i) => file.triangles[i] !== vertex);
  return k < 0 ? undefined : `triangle ${Math.floor(k / 3)} is another one than in ${firstPath}`;
}

function posed(positions: Float64Array): MeshPose {
  return { world: Float64Array.from(IDENTITY_MATRIX), positions };
}

/** PC2 counts scene frames at a rate it does not know: those are spaced evenly. */
function secondsOf({ timeUnit, times }: PointCache): Float64Array | undefined {
  return timeUnit === 'seconds' ? times : undefined;
}

function partMesh({ name, positions, triangles, groups }: Surface, kind: 'rigid' | 'free'): PartMesh {
  const regions = regionsOf(name, triangles, groups);
  return { name, node: null, kind, positions, triangles, attributes: [], regions };
}

/** The groups of a mesh file, or all of it under its name. */
export function regionsOf(name: string, triangles: Uint32Array, groups: readonly MeshGroup[]): SceneRegion[] {
  if (groups.length === 0) return [{ names: [name], firstTriangle: 0, triangleCount: triangles.length / 3 }];
  return groups.map((group) => ({
    names: [...new Set([group.object, group.name, group.material, name].filter((text) => text !== ''))],
    firstTriangle: group.firstTriangle,
    triangleCount: group.triangleCount,
  }));
}
