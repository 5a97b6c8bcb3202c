export { addMorphTarget, type NewMorphTarget } from './add-morph-target.ts';
export type { DracoDecoderModule, GltfDecoders, MeshoptDecoder } from './decoders.ts';
export type {
  GltfChannel,
  GltfClip,
  GltfInterpolation,
  GltfMesh,
  GltfMorphs,
  GltfNodes,
  GltfPath,
  GltfPrimitive,
  GltfScene,
  GltfSkin,
} from './gltf-scene.ts';
export { loadNodeDecoders } from './node-decoders.ts';
export { createPoser, type Poser } from './poser.ts';
export { type ReadGltfOptions, readGltf } from './read-gltf.ts';
export { readNormals } from './read-normals.ts';
export type { ReadResource } from './resources.ts';
export { weldAttributes } from './weld-attributes.ts';
