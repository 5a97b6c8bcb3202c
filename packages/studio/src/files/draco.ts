import wasmAddress from 'draco3dgltf/draco_decoder_gltf.wasm?url';
import createDecoderModule from 'draco3dgltf/draco_decoder_gltf_nodejs.js';
import type { DracoDecoderModule } from 'pliant/gltf';

/** The decoder of the package draco3dgltf. It is written for Node; given its WebAssembly, it runs here too. */
export async function loadDraco(): Promise<DracoDecoderModule> {
  const wasmBinary = await (await fetch(new URL(wasmAddress, import.meta.url))).arrayBuffer();
  return createDecoderModule({ wasmBinary });
}
