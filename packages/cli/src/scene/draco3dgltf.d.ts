// The package has no types; what its decoder offers is described by pliant/gltf.
declare module 'draco3dgltf' {
  import type { DracoDecoderModule } from 'pliant/gltf';

  const draco: { createDecoderModule(): Promise<DracoDecoderModule> };
  export default draco;
}
