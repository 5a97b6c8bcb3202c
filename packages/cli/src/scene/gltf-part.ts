import { createPoser, type GltfMesh, type GltfScene, weldAttributes } from 'pliant/gltf';
import { isDegenerate, isIdentity } from './matrix.ts';
import { IDENTITY_MATRIX, type MeshPose, type PartMesh, type ScenePart } from './scene.ts';
import { findSettled, settle } from './settle.ts';

/** What was read from a .glb or .gltf: every node with a mesh, and the file's clips. The studio uses it too. */
export function createGltfPart(scene: GltfScene, path: string): ScenePart {
  const poser = createPoser(scene);
  const isSettled = findSettled(scene);
  const meshes = scene.meshes.map((mesh, m) => {
    const world = worldMatrix(m);
    isSettled[m] &&= !isDegenerate(world) && !isIdentity(world);
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
