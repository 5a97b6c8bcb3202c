import { InputError } from 'pliant';
import { readMesh, readPointCache } from 'pliant/io';
import {
  checkTopology,
  createCachedPart,
  createMeshPart,
  createSequencePart,
  type Surface,
  surfaceOf,
} from '../../../cli/src/scene/mesh-part.ts';
import type { ScenePart } from '../../../cli/src/scene/scene.ts';
import type { SourceFile } from '../scenes/scene.ts';
import { baseName } from './open-files.ts';

/** A mesh file alone: one shape that does not move. */
export async function openMesh(file: SourceFile, all: readonly SourceFile[]): Promise<ScenePart> {
  return createMeshPart(await readSurface(file, all), baseName(file.path));
}

/** Mesh files with the same triangles, one per frame. Each is read when its frame is asked for, and then kept. */
export async function openSequence(
  files: readonly SourceFile[],
  all: readonly SourceFile[],
): Promise<ScenePart> {
  const first = await readSurface(files[0], all);
  const names = files.map(({ path }) => baseName(path));
  const advice = 'frames of a sequence need the same triangles';
  const known = new Map<number, Float64Array>([[0, first.positions]]);
  const positionsAt = async (frame: number) => {
    const found = known.get(frame);
    if (found) return found;
    const surface = await readSurface(files[frame], all);
    const refusal = `${names[frame]}: other triangles than in ${names[0]}; ${advice}`;
    checkTopology(first, surface, names[0], () => refusal);
    known.set(frame, surface.positions);
    return surface.positions;
  };
  await positionsAt(files.length - 1); // a folder of unrelated meshes is refused at once
  return createSequencePart(first, names[0], files.length, positionsAt);
}

/** A mesh file and the positions of its vertices over time. */
export async function openCached(
  file: SourceFile,
  cacheFile: SourceFile,
  all: readonly SourceFile[],
): Promise<ScenePart> {
  const surface = await readSurface(file, all);
  const cacheName = baseName(cacheFile.path);
  const cache = await readPointCache(cacheFile.bytes, cacheName);
  return createCachedPart(surface, baseName(file.path), cache, cacheName);
}

async function readSurface({ path, bytes }: SourceFile, all: readonly SourceFile[]): Promise<Surface> {
  const name = baseName(path);
  const readSibling = async (sibling: string) => {
    const found = all.find((file) => baseName(file.path) === sibling);
    if (found === undefined)
      throw new InputError('missing-file', `${sibling}: drop it together with ${name}`);
    return found.bytes;
  };
  return surfaceOf(await readMesh(bytes, name, { readSibling }), name);
}
