import { InputError } from 'pliant';
import { type MeshFile, type MeshGroup, readMesh, readPointCache } from 'pliant/io';
import {
  IDENTITY_MATRIX,
  type MeshPose,
  type PartMesh,
  type ScenePart,
  type SceneRegion,
} from '../../../cli/src/scene/scene.ts';
import { boundaryOf } from '../../../cli/src/scene/tetrahedra.ts';
import type { SourceFile } from '../scenes/scene.ts';
import { baseName } from './open-files.ts';

type Surface = Pick<MeshFile, 'name' | 'positions' | 'triangles' | 'groups'>;

/** A mesh file alone: one shape that does not move. */
export async function openMesh(file: SourceFile, all: readonly SourceFile[]): Promise<ScenePart> {
  const surface = await readSurface(file, all);
  const poses = async () => [{ world: Float64Array.from(IDENTITY_MATRIX) }];
  return { path: baseName(file.path), meshes: [partMesh(surface, 'rigid')], clips: [], notes: [], poses };
}

/** Mesh files with the same triangles, one per frame. Each is read when its frame is asked for, and then kept. */
export async function openSequence(
  files: readonly SourceFile[],
  all: readonly SourceFile[],
): Promise<ScenePart> {
  const first = await readSurface(files[0], all);
  const known = new Map<number, Float64Array>([[0, first.positions]]);
  const positionsAt = async (frame: number) => {
    const found = known.get(frame);
    if (found) return found;
    const surface = await readSurface(files[frame], all);
    checkTopology(first, surface, baseName(files[0].path), baseName(files[frame].path));
    known.set(frame, surface.positions);
    return surface.positions;
  };
  await positionsAt(files.length - 1); // a folder of unrelated meshes is refused at once
  return {
    path: baseName(files[0].path),
    meshes: [partMesh(first, 'free')],
    clips: [],
    sequence: { frameCount: files.length, times: undefined },
    notes: [],
    poses: async ({ frame = 0 }) => [posed(await positionsAt(frame))],
  };
}

/** A mesh file and the positions of its vertices over time. */
export async function openCached(
  file: SourceFile,
  cacheFile: SourceFile,
  all: readonly SourceFile[],
): Promise<ScenePart> {
  const surface = await readSurface(file, all);
  const cache = await readPointCache(cacheFile.bytes, baseName(cacheFile.path));
  const vertexCount = surface.positions.length / 3;
  const path = baseName(file.path);
  if (cache.pointCount !== vertexCount) {
    const points = `${baseName(cacheFile.path)}: ${cache.pointCount} points`;
    throw new InputError('mismatch', `${points}, but ${path} has ${vertexCount} vertices`);
  }
  const times = cache.timeUnit === 'seconds' ? cache.times : undefined;
  return {
    path,
    meshes: [partMesh(surface, 'free')],
    clips: [],
    sequence: { frameCount: cache.frameCount, times },
    notes: [],
    poses: async ({ frame = 0 }) => [posed(cache.frame(frame, new Float64Array(3 * vertexCount)))],
  };
}

function posed(positions: Float64Array): MeshPose {
  return { world: Float64Array.from(IDENTITY_MATRIX), positions };
}

async function readSurface({ path, bytes }: SourceFile, all: readonly SourceFile[]): Promise<Surface> {
  const name = baseName(path);
  const readSibling = async (sibling: string) => {
    const found = all.find((file) => baseName(file.path) === sibling);
    if (found === undefined)
      throw new InputError('missing-file', `${sibling}: drop it together with ${name}`);
    return found.bytes;
  };
  const file = await readMesh(bytes, name, { readSibling });
  if (file.kind === 'triangles') return file;
  if (file.tetrahedra.length === 0) throw new InputError('empty', `${name}: no tetrahedra`);
  const { positions, tetrahedra } = file;
  return { name: file.name, positions, triangles: boundaryOf(name, positions, tetrahedra), groups: [] };
}

function partMesh({ name, positions, triangles, groups }: Surface, kind: 'rigid' | 'free'): PartMesh {
  const regions = regionsOf(name, triangles, groups);
  return { name, node: null, kind, positions, triangles, attributes: [], regions };
}

function regionsOf(name: string, triangles: Uint32Array, groups: readonly MeshGroup[]): SceneRegion[] {
  if (groups.length === 0) return [{ names: [name], firstTriangle: 0, triangleCount: triangles.length / 3 }];
  return groups.map((group) => ({
    names: [...new Set([group.object, group.name, group.material, name].filter((text) => text !== ''))],
    firstTriangle: group.firstTriangle,
    triangleCount: group.triangleCount,
  }));
}

function checkTopology(first: Surface, file: Surface, firstName: string, name: string): void {
  const isSame =
    file.positions.length === first.positions.length &&
    file.triangles.length === first.triangles.length &&
    file.triangles.every((vertex, k) => vertex === first.triangles[k]);
  if (isSame) return;
  const advice = 'frames of a sequence need the same triangles';
  throw new InputError('mismatch', `${name}: other triangles than in ${firstName}; ${advice}`);
}
