import type { Elements } from './elements.ts';
import type { GltfPrimitive, GltfSkin } from './gltf-scene.ts';
import type { JsonCheck } from './json-check.ts';
import type { MeshPlan } from './mesh-plan.ts';

const TOLERANCE = 1e-4; // off by less is rounding

/** Joints and weights of a mesh; which nodes the joints are depends on the skin. */
export interface SkinInfluences
  extends Pick<GltfSkin, 'influences' | 'jointIndex' | 'weights' | 'renormalised' | 'weightless'> {
  readonly highestJoint: number;
  readonly highestVertex: number; // one that uses it
}

/**
 * All sets of a vertex side by side, scaled in float64 to sum 1, as three.js scales the first set: a vertex without
 * weights follows its first joint. A weight of 0 has joint 0, whatever the file says there.
 */
export function normaliseInfluences(
  check: JsonCheck,
  plan: MeshPlan,
  primitives: readonly GltfPrimitive[],
  elements: Elements,
  sets: number,
): SkinInfluences {
  const influences = 4 * sets;
  const { firstVertex = 0, vertexCount = 0 } = primitives.at(-1) ?? {};
  const total = firstVertex + vertexCount;
  const jointIndex = new Uint16Array(influences * total);
  const weights = new Float64Array(influences * total);
  plan.primitives.forEach((primitive, k) => {
    for (let set = 0; set < primitive.joints.length; set++) {
      const joints = elements.raw(primitive.joints[set]);
      const values = elements.doubles(primitive.weights[set], `${primitive.where}, WEIGHTS_${set}`);
      for (let v = 0; v < primitives[k].vertexCount; v++) {
        const o = influences * (primitives[k].firstVertex + v) + 4 * set;
        for (let i = 0; i < 4; i++) {
          const weight = values[4 * v + i];
          if (weight < 0) {
            check.fail(
              'out-of-range',
              `${primitive.where}, WEIGHTS_${set}: element ${v} has the weight ${weight}`,
            );
          }
          weights[o + i] = weight;
          jointIndex[o + i] = joints[4 * v + i];
        }
      }
    }
  });
  return { influences, jointIndex, weights, ...scaleWeights(influences, jointIndex, weights) };
}

function scaleWeights(influences: number, jointIndex: Uint16Array, weights: Float64Array) {
  let renormalised = 0;
  let weightless = 0;
  let highestJoint = 0;
  let highestVertex = 0;
  for (let o = 0; o < weights.length; o += influences) {
    let sum = 0;
    for (let i = o; i < o + influences; i++) sum += weights[i];
    if (Math.abs(sum - 1) > TOLERANCE) renormalised++;
    if (sum === 0) {
      weights[o] = sum = 1;
      weightless++;
    }
    for (let i = o; i < o + influences; i++) {
      weights[i] /= sum;
      if (weights[i] === 0) jointIndex[i] = 0;
      if (jointIndex[i] > highestJoint) {
        highestJoint = jointIndex[i];
        highestVertex = o / influences;
      }
    }
  }
  return { renormalised, weightless, highestJoint, highestVertex };
}
