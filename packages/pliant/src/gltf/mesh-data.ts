import type { Budget } from './budget.ts';
import type { Elements } from './elements.ts';
import type { GltfMesh, GltfPrimitive } from './gltf-scene.ts';
import { expandTriangles, triangleCountOf } from './indices.ts';
import { normaliseInfluences, type SkinInfluences } from './influences.ts';
import type { JsonCheck } from './json-check.ts';
import type { MeshPlan } from './mesh-plan.ts';

/** What all nodes that show a mesh have in common. */
export interface MeshData extends Pick<GltfMesh, 'primitives' | 'positions' | 'triangles'> {
  readonly deltas: Float64Array; // target after target, 3 per vertex
  readonly influences: SkinInfluences | undefined;
}

export function buildMesh(check: JsonCheck, plan: MeshPlan, elements: Elements, budget: Budget): MeshData {
  const primitives = layOut(check, plan);
  const last = primitives.at(-1);
  const vertexCount = last === undefined ? 0 : last.firstVertex + last.vertexCount;
  const triangleCount = last === undefined ? 0 : last.firstTriangle + last.triangleCount;
  const sets = plan.primitives.reduce((most, { joints }) => Math.max(most, joints.length), 0);
  const perVertex = 24 + 24 * plan.targetCount + 40 * sets; // bytes
  budget.take(vertexCount * perVertex + 12 * triangleCount, plan.where);

  const positions = new Float64Array(3 * vertexCount);
  const triangles = new Uint32Array(3 * triangleCount);
  const deltas = new Float64Array(3 * vertexCount * plan.targetCount);
  plan.primitives.forEach((primitive, k) => {
    if (primitive.positions === undefined) return;
    const { firstVertex } = primitives[k];
    elements.copy(primitive.positions, `${primitive.where}, POSITION`, positions, 3 * firstVertex);
    expandTriangles(check, primitive, elements, primitives[k], triangles);
    primitive.targets.forEach((target, t) => {
      if (target === undefined) return;
      elements.copy(
        target,
        `${primitive.where}, target ${t} POSITION`,
        deltas,
        3 * (t * vertexCount + firstVertex),
      );
    });
  });
  const influences = sets === 0 ? undefined : normaliseInfluences(check, plan, primitives, elements, sets);
  return { primitives, positions, triangles, deltas, influences };
}

/** Where each primitive's vertices and triangles go. */
function layOut(check: JsonCheck, plan: MeshPlan): GltfPrimitive[] {
  let firstVertex = 0;
  let firstTriangle = 0;
  return plan.primitives.map((primitive) => {
    const vertexCount = primitive.positions?.count ?? 0;
    const triangleCount = triangleCountOf(check, primitive);
    const laidOut = { firstTriangle, triangleCount, firstVertex, vertexCount, material: primitive.material };
    firstVertex += vertexCount;
    firstTriangle += triangleCount;
    return laidOut;
  });
}
