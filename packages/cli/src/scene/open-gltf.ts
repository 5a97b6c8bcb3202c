import { type GltfDecoders, type GltfScene, type ReadGltfOptions, readGltf } from 'pliant/gltf';
import { gunzip, isGzip } from 'pliant/io';
import { createGltfPart } from './gltf-part.ts';
import { createResourceReader, readBytes } from './read-file.ts';
import type { ScenePart } from './scene.ts';

/** A .glb or .gltf, with the files it names. */
export async function openGltf(path: string): Promise<ScenePart> {
  const { scene } = await openModel(path);
  return createGltfPart(scene, path);
}

/** The same with its bytes, unpacked, and with what it takes to read them again. */
export async function openModel(
  path: string,
): Promise<{ bytes: Uint8Array; options: ReadGltfOptions; scene: GltfScene }> {
  const packed = await readBytes(path);
  const bytes = isGzip(packed) ? await gunzip(packed, path) : packed;
  const options = { readResource: createResourceReader(path), decoders: await loadDecoders(bytes) };
  return { bytes, options, scene: await readGltf(bytes, path, options) };
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
