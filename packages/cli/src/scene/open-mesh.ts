import { readMesh, readPointCache } from 'pliant/io';
import {
  checkTopology,
  createCachedPart,
  createMeshPart,
  createSequencePart,
  type Surface,
  surfaceOf,
} from './mesh-part.ts';
import { readBytes } from './read-file.ts';
import type { ScenePart } from './scene.ts';

/** A mesh file alone: one shape that does not move. */
export async function openMesh(path: string): Promise<ScenePart> {
  return createMeshPart(await readSurface(path), path);
}

/** Mesh files with the same triangles, one per frame. Each is read when its frame is asked for. */
export async function openSequence(paths: readonly string[]): Promise<ScenePart> {
  const first = await readSurface(paths[0]);
  const advice = 'frames of a sequence need the same triangles (two files against each other: --between)';
  return createSequencePart(first, paths[0], paths.length, async (frame) => {
    const path = paths[frame];
    const file = frame === 0 ? first : await readSurface(path);
    checkTopology(first, file, paths[0], (difference) => `${path}: ${difference}; ${advice}`);
    return file.positions.slice();
  });
}

/** A mesh file and the positions of its vertices over time. */
export async function openCached(path: string, cachePath: string): Promise<ScenePart> {
  const surface = await readSurface(path);
  const cache = await readPointCache(await readBytes(cachePath), cachePath);
  return createCachedPart(surface, path, cache, cachePath);
}

/** The triangles of a mesh file, or the outer faces of its tetrahedra. */
export async function readSurface(path: string): Promise<Surface> {
  const readSibling = (name: string) => readBytes(name);
  return surfaceOf(await readMesh(await readBytes(path), path, { readSibling }), path);
}
