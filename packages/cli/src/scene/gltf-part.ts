import {
  createPoser,
  type GltfDecoders,
  type GltfMesh,
  type GltfScene,
  readGltf,
  weldAttributes,
} from 'pliant/gltf';
import { gunzip, isGzip } from 'pliant/io';
import { isIdentity, isSingular } from './matrix.ts';
import { createResourceReader, readBytes } from './read-file.ts';
import { IDENTITY_MATRIX, type MeshPose, type PartMesh, type ScenePart } from './scene.ts';
import { findSettled, settle } from './settle.ts';

/** A .glb or .gltf: every node with a mesh, and the file's clips. */
export async function openGltf(path: string): Promise<ScenePart> {
  const packed = await readBytes(path);
  const bytes = isGzip(packed) ? await gunzip(packed, path) : packed;
  const decoders = await loadDecoders(bytes);
  const scene = await readGltf(bytes, path, { readResource: createResourceReader(path), decoders });
  const poser = createPoser(scene);
  const isSettled = findSettled(scene);
  const meshes = scene.meshes.map((mesh, m) => {
    const world = worldMatrix(m);
    isSettled[m] &&= !isSingular(world) && !isIdentity(world);
    return isSettled[m] ? settle(partMesh(scene, mesh), world) : partMesh(scene, mesh);
  });
  return {
    path,
    meshes,
    clips: scene.clips.map(({ name, duration }, index) => ({ name: name || String(index), duration })),
    notes: scene.ignoredExtensions.map((name) => `${path}: the extension ${name} is not applied`),
    poses: async ({ clip, time = 0 }) => {
      poser.pose(clip, time);
      return scene.meshes.map((mesh, m) => poseOf(mesh, m));
    },
  };

  function poseOf({ skin, morphs }: GltfMesh, m: number): MeshPose {
    const weights = morphs && new Float64Array(morphs.count);
    if (weights) poser.morphWeights(m, weights);
    const world = skin || isSettled[m] ? Float64Array.from(IDENTITY_MATRIX) : worldMatrix(m);
    if (skin === undefined) return { world, weights };
    const joints = new Float64Array(12 * skin.joints.length);
    poser.jointMatrices(m, joints);
    return { world, joints, weights };
  }

  function worldMatrix(m: number): Float64Array {
    const world = new Float64Array(12);
    poser.worldMatrix(m, world);
    return world;
  }
}

function partMesh(scene: GltfScene, mesh: GltfMesh): PartMesh {
  const { node, nodeName, positions, triangles, primitives, skin, morphs } = mesh;
  const name = nodeName || mesh.name || `node ${node}`;
  const attributes = weldAttributes(mesh);
  const shape = {
    name,
    node,
    positions,
    triangles,
    attributes,
    regions: primitives.map(({ material, firstTriangle, triangleCount }) => ({
      names: [...new Set([material, name, mesh.name].filter((text) => text !== ''))],
      firstTriangle,
      triangleCount,
    })),
    modes: morphs && { count: morphs.count, displacements: morphs.deltas, names: morphs.names },
  };
  if (skin === undefined) return { ...shape, kind: morphs ? 'modal' : 'rigid' };
  const jointNames = skin.joints.map((joint) => scene.nodes.names[joint] || `node ${joint}`);
  const influences = attributes[0].data as Float64Array;
  return {
    ...shape,
    kind: 'skinned',
    skin: { jointCount: skin.joints.length, jointNames, ...sortedSkin(influences, skin.influences) },
  };
}

/** Joints in ascending order, as vertices are compared: those that are one must list them in the same order. */
function sortedSkin(sorted: Float64Array, influences: number) {
  const joints = new Uint16Array(sorted.length / 2);
  const weights = new Float64Array(sorted.length / 2);
  for (let o = 0; o < joints.length; o += influences) {
    for (let i = 0; i < influences; i++) {
      joints[o + i] = Math.max(0, sorted[2 * o + i] - 1); // 0 stands for none, and its weight is 0
      weights[o + i] = sorted[2 * o + influences + i];
    }
  }
  return { influences, joints, weights };
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
