import { checkNumbers, checkObject, type NumberArray } from '../../mesh/check-input.ts';
import { checkTetrahedralMesh } from '../../mesh/check-mesh.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import { checkMaterial, type Material } from '../material.ts';

/** An elastic solid and the shapes it may take: u = Uq on the vertices of its tetrahedra. */
export interface ReducedSource {
  readonly mesh: TetrahedralMesh;
  /** U: three numbers per vertex, mode after mode. */
  readonly modes: NumberArray;
  readonly material: Material;
  /** How much of each tetrahedron is filled with material, 0 … 1. Default: all of it. */
  readonly weights?: NumberArray;
}

/** Coefficients grow with the fourth power of the modes: 64 take 6 MB, and a matrix of 35 MB to evaluate. */
export const MODE_LIMIT = 64;

/** The number of modes. Errors: those of the checks it makes, and 'singular' for flat tetrahedra. */
export function checkReducedSource(source: ReducedSource): number {
  checkObject('source', source);
  const { mesh, modes, material, weights } = source;
  checkTetrahedralMesh(mesh);
  checkMaterial(material);
  checkNumbers('modes', modes);
  const count = modes.length / (3 * mesh.vertexCount);
  if (!Number.isInteger(count)) {
    throw new InputError(
      'wrong-length',
      `modes has ${modes.length} numbers, not a multiple of 3 × ${mesh.vertexCount} vertices`,
    );
  }
  if (count < 1 || count > MODE_LIMIT) {
    throw new InputError('bad-option', `a reduced model has 1 to ${MODE_LIMIT} modes, not ${count}`);
  }
  if (weights !== undefined) checkWeights(weights, mesh);
  for (let t = 0; t < mesh.tetrahedronCount; t++) {
    if (mesh.sign[t] !== 0 || weights?.[t] === 0) continue;
    throw new InputError('singular', `tetrahedron ${t} is flat: it has no stiffness; give it the weight 0`);
  }
  return count;
}

function checkWeights(weights: NumberArray, mesh: TetrahedralMesh): void {
  checkNumbers('weights', weights, mesh.tetrahedronCount);
  let sum = 0;
  for (let t = 0; t < weights.length; t++) {
    if (!(weights[t] >= 0)) {
      throw new InputError('out-of-range', `weights[${t}] is ${weights[t]}; it must be at least 0`);
    }
    sum += weights[t];
  }
  if (sum === 0) throw new InputError('empty', 'all weights are 0');
}
