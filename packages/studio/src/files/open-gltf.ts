import { InputError } from 'pliant';
import { readGltf } from 'pliant/gltf';
import { gunzip, isGzip } from 'pliant/io';
import { createGltfPart } from '../../../cli/src/scene/gltf-part.ts';
import type { ScenePart } from '../../../cli/src/scene/scene.ts';
import type { SourceFile } from '../scenes/scene.ts';
import { loadDecoders } from './decoders.ts';
import { baseName } from './open-files.ts';

/** A .glb or .gltf: every node with a mesh, and the file's clips. The same bodies and ids as in `pliant check`. */
export async function openGltf(file: SourceFile, all: readonly SourceFile[]): Promise<ScenePart> {
  const path = baseName(file.path);
  const bytes = isGzip(file.bytes) ? await gunzip(file.bytes, path) : file.bytes;
  const decoders = await loadDecoders(bytes);
  const scene = await readGltf(bytes, path, { readResource: resourceReader(file, all), decoders });
  return createGltfPart(scene, path);
}

/** Buffers that are files of their own: among what was dropped, beside the model. */
export function resourceReader(
  { path }: SourceFile,
  all: readonly SourceFile[],
): (name: string) => Promise<Uint8Array> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return async (name) => {
    const found =
      all.find((file) => file.path === folder + name) ??
      all.find((file) => baseName(file.path) === baseName(name));
    if (found === undefined)
      throw new InputError('missing-file', 'drop it together with the model, or drop the folder');
    return found.bytes;
  };
}
