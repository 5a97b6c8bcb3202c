import { checkMade } from '../mesh/check-input.ts';
import type { VertexAttribute } from '../mesh/weld.ts';
import type { GltfMesh } from './gltf-scene.ts';

/**
 * What must be equal, beside the position, before two vertices of a mesh are one: for `createTriangleMesh`. Joints
 * are compared in ascending order, so that it does not matter in which order a vertex lists them.
 */
export function weldAttributes(mesh: GltfMesh): VertexAttribute[] {
  checkMade('mesh', mesh, 'readGltf', 'positions');
  const attributes: VertexAttribute[] = [];
  const { skin, morphs, positions } = mesh;
  if (skin !== undefined) {
    attributes.push({
      name: 'joints and weights',
      itemSize: 2 * skin.influences,
      data: sortedInfluences(mesh),
    });
  }
  for (let target = 0; target < (morphs?.count ?? 0); target++) {
    const data = morphs!.deltas.subarray(target * positions.length, (target + 1) * positions.length);
    attributes.push({ name: `morph target ${target}`, itemSize: 3, data });
  }
  return attributes;
}

/** Per vertex the joints, plus one, in ascending order and 0 for none; then their weights. */
function sortedInfluences({ skin }: GltfMesh): Float64Array {
  const { influences, jointIndex, weights } = skin!;
  const sorted = new Float64Array(2 * weights.length);
  for (let o = 0; o < weights.length; o += influences) {
    const joints = 2 * o;
    const sums = joints + influences;
    let found = 0;
    for (let i = o; i < o + influences; i++) {
      if (weights[i] === 0) continue;
      const joint = jointIndex[i] + 1;
      let k = found;
      while (k > 0 && sorted[joints + k - 1] > joint) k--;
      if (k > 0 && sorted[joints + k - 1] === joint) {
        sorted[sums + k - 1] += weights[i];
        continue;
      }
      for (let m = found; m > k; m--) {
        sorted[joints + m] = sorted[joints + m - 1];
        sorted[sums + m] = sorted[sums + m - 1];
      }
      sorted[joints + k] = joint;
      sorted[sums + k] = weights[i];
      found++;
    }
  }
  return sorted;
}
