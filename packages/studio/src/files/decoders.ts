import type { GltfDecoders } from 'pliant/gltf';

/** Decoders are large: only those that the file names are loaded. */
export async function loadDecoders(bytes: Uint8Array): Promise<GltfDecoders> {
  const decoders: GltfDecoders = {};
  if (mentions(bytes, 'KHR_draco_mesh_compression')) {
    const { loadDraco } = await import('./draco.ts');
    decoders.draco = await loadDraco();
  }
  if (mentions(bytes, 'EXT_meshopt_compression') || mentions(bytes, 'KHR_meshopt_compression')) {
    decoders.meshopt = (await import('meshoptimizer')).MeshoptDecoder as GltfDecoders['meshopt'];
  }
  return decoders;
}

/** Names of extensions stand in the JSON, which is plain ASCII here. */
function mentions(bytes: Uint8Array, word: string): boolean {
  const first = word.charCodeAt(0);
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let k = 1;
    while (k < word.length && bytes[at + k] === word.charCodeAt(k)) k++;
    if (k === word.length) return true;
  }
  return false;
}
