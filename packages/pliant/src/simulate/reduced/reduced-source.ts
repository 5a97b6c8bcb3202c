import { checkNumbers, checkObject, type NumberArray } from '../../mesh/check-input.ts';
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
  checkObject('mesh', mesh);
  if (!(mesh.tetrahedra instanceof Uint32Array && mesh.positions instanceof Float64Array)) {
    throw new InputError('wrong-type', 'mesh must come from createTetrahedralMesh');
  }
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

/**
 * Volume of a tetrahedron, and into `out` the gradients of its four barycentric coordinates, three numbers each:
 * whichever way its corners turn. 0 when it is flat.
 */
export function tetrahedronGradients(mesh: TetrahedralMesh, t: number, out: Float64Array): number {
  const { positions: p, tetrahedra } = mesh;
  const a = 3 * tetrahedra[4 * t],
    b = 3 * tetrahedra[4 * t + 1],
    c = 3 * tetrahedra[4 * t + 2],
    d = 3 * tetrahedra[4 * t + 3];
  const ux = p[b] - p[a],
    uy = p[b + 1] - p[a + 1],
    uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a],
    vy = p[c + 1] - p[a + 1],
    vz = p[c + 2] - p[a + 2];
  const wx = p[d] - p[a],
    wy = p[d + 1] - p[a + 1],
    wz = p[d + 2] - p[a + 2];
  // Rows of the inverse of (u v w): cross products over the determinant.
  const gx = vy * wz - vz * wy,
    gy = vz * wx - vx * wz,
    gz = vx * wy - vy * wx;
  const six = ux * gx + uy * gy + uz * gz;
  if (six === 0) return 0;
  out[3] = gx / six;
  out[4] = gy / six;
  out[5] = gz / six;
  out[6] = (wy * uz - wz * uy) / six;
  out[7] = (wz * ux - wx * uz) / six;
  out[8] = (wx * uy - wy * ux) / six;
  out[9] = (uy * vz - uz * vy) / six;
  out[10] = (uz * vx - ux * vz) / six;
  out[11] = (ux * vy - uy * vx) / six;
  out[0] = -out[3] - out[6] - out[9];
  out[1] = -out[4] - out[7] - out[10];
  out[2] = -out[5] - out[8] - out[11];
  return Math.abs(six) / 6;
}
