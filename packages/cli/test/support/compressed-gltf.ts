import { NodeIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer';

/** The same file, packed by glTF-Transform. */
export async function compressed(glb: Uint8Array, kind: 'draco' | 'meshopt'): Promise<Uint8Array> {
  const encoder = draco as unknown as { createEncoderModule(): Promise<unknown> };
  const io = new NodeIO()
    .registerExtensions([EXTMeshoptCompression, KHRDracoMeshCompression])
    .registerDependencies({
      'draco3d.encoder': await encoder.createEncoderModule(),
      'meshopt.encoder': MeshoptEncoder,
    });
  const document = await io.readBinary(glb);
  if (kind === 'draco') document.createExtension(KHRDracoMeshCompression).setRequired(true);
  else document.createExtension(EXTMeshoptCompression).setRequired(true);
  return io.writeBinary(document);
}
