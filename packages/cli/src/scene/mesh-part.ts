import {
  type MeshFile,
  type MeshGroup,
  type PointCache,
  readMesh,
  readPointCache,
  type TetFile,
} from 'pliant/io';
import { CommandError } from '../command-error.ts';
import { readBytes } from './read-file.ts';
import { IDENTITY_MATRIX, type MeshPose, type PartMesh, type ScenePart, type SceneRegion } from './scene.ts';
import { boundaryOf } from './tetrahedra.ts';

/** A mesh file alone: one shape that does not move. */
export async function openMesh(path: string): Promise<ScenePart> {
  const mesh = partMesh(await readMeshFile(path), 'rigid');
  return {
    path,
    meshes: [mesh],
    clips: [],
    notes: [],
    poses: async () => [{ world: Float64Array.from(IDENTITY_MATRIX) }],
  };
}

/** Mesh files with the same triangles, one per frame. Each is read when its frame is asked for. */
export async function openSequence(paths: readonly string[]): Promise<ScenePart> {
  const first = await readMeshFile(paths[0]);
  const mesh = partMesh(first, 'free');
  const readFrame = async (frame: number) => {
    const file = frame === 0 ? first : await readMeshFile(paths[frame]);
    checkTopology(first, file, paths[0], paths[frame]);
    return file.positions;
  };
  return {
    path: paths[0],
    meshes: [mesh],
    clips: [],
    sequence: { frameCount: paths.length, times: undefined },
    notes: [],
    poses: async ({ frame = 0 }) => [posed((await readFrame(frame)).slice())],
  };
}

/** A mesh file and the positions of its vertices over time. */
export async function openCached(path: string, cachePath: string): Promise<ScenePart> {
  const file = await readMeshFile(path);
  const cache = await readPointCache(await readBytes(cachePath), cachePath);
  const vertexCount = file.positions.length / 3;
  if (cache.pointCount !== vertexCount) {
    throw new CommandError(
      `${cachePath}: ${cache.pointCount} points, but ${path} has ${vertexCount} vertices`,
    );
  }
  return {
    path,
    meshes: [partMesh(file, 'free')],
    clips: [],
    sequence: { frameCount: cache.frameCount, times: secondsOf(cache) },
    notes: [],
    poses: async ({ frame = 0 }) => [posed(cache.frame(frame, new Float64Array(3 * vertexCount)))],
  };
}

function posed(positions: Float64Array): MeshPose {
  return { world: Float64Array.from(IDENTITY_MATRIX), positions };
}

/** PC2 counts scene frames at a rate it does not know: those are spaced by --fps. */
function secondsOf({ timeUnit, times }: PointCache): Float64Array | undefined {
  return timeUnit === 'seconds' ? times : undefined;
}

/** With the triangles that are checked: for tetrahedra, their outer faces. */
type SurfaceFile = Pick<MeshFile, 'name' | 'positions' | 'triangles' | 'groups'> & {
  readonly tetrahedra?: Uint32Array;
};

export async function readMeshFile(path: string): Promise<SurfaceFile> {
  const readSibling = (name: string) => readBytes(name);
  const file = await readMesh(await readBytes(path), path, { readSibling });
  return file.kind === 'tetrahedra' ? surfaceOf(file, path) : file;
}

function surfaceOf({ name, positions, tetrahedra }: TetFile, path: string): SurfaceFile {
  if (tetrahedra.length === 0) throw new CommandError(`${path}: no tetrahedra`);
  return { name, positions, tetrahedra, triangles: boundaryOf(path, positions, tetrahedra), groups: [] };
}

function partMesh(file: SurfaceFile, kind: 'rigid' | 'free'): PartMesh {
  const { name, positions, triangles, groups } = file;
  return {
    name,
    node: null,
    kind,
    positions,
    triangles,
    attributes: [],
    regions: regionsOf(name, triangles, groups),
  };
}

function regionsOf(name: string, triangles: Uint32Array, groups: readonly MeshGroup[]): SceneRegion[] {
  if (groups.length === 0) return [{ names: [name], firstTriangle: 0, triangleCount: triangles.length / 3 }];
  return groups.map((group) => ({
    names: [...new Set([group.object, group.name, group.material, name].filter((text) => text !== ''))],
    firstTriangle: group.firstTriangle,
    triangleCount: group.triangleCount,
  }));
}

function checkTopology(first: SurfaceFile, file: SurfaceFile, firstPath: string, path: string): void {
  const advice = 'frames of a sequence need the same triangles (two files against each other: --between)';
  const count = (array: Uint32Array, size: number) => array.length / size;
  if (file.positions.length !== first.positions.length) {
    const [n, m] = [file.positions.length / 3, first.positions.length / 3];
    throw new CommandError(`${path}: ${n} vertices, but ${firstPath} has ${m}; ${advice}`);
  }
  if (file.triangles.length !== first.triangles.length) {
    const [n, m] = [count(file.triangles, 3), count(first.triangles, 3)];
    throw new CommandError(`${path}: ${n} triangles, but ${firstPath} has ${m}; ${advice}`);
  }
  for (let i = 0; i < first.triangles.length; i++) {
    if (file.triangles[i] === first.triangles[i]) continue;
    const t = Math.floor(i / 3);
    throw new CommandError(`${path}: triangle ${t} is another one than in ${firstPath}; ${advice}`);
  }
}
