import { type GltfDecoders, readGltf } from 'pliant/gltf';
import { gunzip, isGzip } from 'pliant/io';
import { createGltfPart } from './gltf-part.ts';
import { createResourceReader, readBytes } from './read-file.ts';
import type { ScenePart } from './scene.ts';

/** A .glb or .gltf, with the files it names. */
export async function openGltf(path: string): Promise<ScenePart> {
  const packed = await readBytes(path);
  const bytes = isGzip(packed) ? await gunzip(packed, path) : packed;
  const decoders = await loadDecoders(bytes);
  const scene = await readGltf(bytes, path, { readResource: createResourceReader(path), decoders });
  return createGltfPart(scene, path);
}

/** Decoders are large: only those that the file names are loaded. */
async function loadDecoders(bytes: Uint8Array): Promise<GltfDecoders> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoders: GltfDecoders = {};
  if (text.includes('KHR_draco_mesh_compression')) {
    const { default: draco } = await import('draco3dgltf');
    decoders.draco = await draco.createDecoderModule();
  }
  if (text.includes('EXT_meshopt_compression') || text.includes('KHR_meshopt_compression')) {
    decoders.meshopt = (await import('meshoptimizer')).MeshoptDecoder as GltfDecoders['meshopt'];
  }
  return decoders;
}
