declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  import type { DracoDecoderModule } from 'pliant/gltf';

  export default function createDecoderModule(options: {
    wasmBinary: ArrayBuffer;
  }): Promise<DracoDecoderModule>;
}

declare module '*.wasm?url' {
  const address: string;
  export default address;
}
