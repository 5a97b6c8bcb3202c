import { denseCholesky, solveDense } from '../../algebra/dense/cholesky.ts';
import { symmetrise } from '../../algebra/dense/columns.ts';
import { symmetricEigen } from '../../algebra/dense/symmetric-eigen.ts';
import {
  checkArray,
  checkMade,
  checkNumbers,
  checkObject,
  describe,
  type NumberArray,
} from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { checkProduct, type MassProduct } from './mass-basis.ts';

/** How far a pose is from rest: ‖q‖² = qᵀ M q. Certificates measure in it (SSCC §6). */
export interface ModeScaling {
  readonly size: number;
  /** M, size × size, symmetric and positive definite. */
  readonly matrix: Float64Array;
  /** Eigenvalues of M, ascending. */
  readonly values: Float64Array;
}

export interface EnergyScalingOptions {
  /**
   * ℓ of the filter λ ↦ 1 / (1/λ + 1/(ℓ λ_min)): no direction counts more than ℓ times the softest one.
   * Infinity leaves energies as they are. Default: 100.
   */
  filter?: number;
}

/** Of the stiffest: a softer direction is a rigid motion, not a deformation. */
const NO_ENERGY = 1e-12;

/**
 * ‖q‖² is the strain energy ½ qᵀ K̃ q, the stiffest directions tamed. `stiffness` is UᵀKU, or its diagonal alone: the
 * eigenvalues of vibration modes. Errors: 'singular' when a combination of modes is free of strain.
 */
export function scaleByEnergy(
  stiffness: NumberArray,
  modeCount: number,
  options: EnergyScalingOptions = {},
): ModeScaling {
  checkObject('options', options);
  const { filter = 100 } = options;
  if (!(filter > 0))
    throw new InputError('bad-option', `filter must be more than 0, not ${describe(filter)}`);
  const full = fullMatrix('stiffness', stiffness, modeCount);
  const { values, vectors } = symmetricEigen(full, modeCount);
  if (!(values[0] > NO_ENERGY * values[modeCount - 1])) {
    throw new InputError(
      'singular',
      `a combination of the modes has the energy ${values[0]}: rigid motions have to be taken out`,
    );
  }
  const filtered = values.map((value) => 0.5 / (1 / value + 1 / (filter * values[0])));
  const matrix = new Float64Array(modeCount * modeCount);
  for (let j = 0; j < modeCount; j++) {
    for (let i = 0; i < modeCount; i++) {
      for (let k = 0; k < modeCount; k++) {
        matrix[j * modeCount + i] += filtered[k] * vectors[k * modeCount + i] * vectors[k * modeCount + j];
      }
    }
  }
  symmetrise(matrix, modeCount);
  return { size: modeCount, matrix, values: filtered };
}

/** Each mode by the farthest that it moves a vertex: q_k = 1 counts as that distance. */
export function scaleByDisplacement(vectors: NumberArray, modeCount: number): ModeScaling {
  checkNumbers('vectors', vectors);
  const stride = vectors.length / modeCount;
  const squares = Float64Array.from({ length: modeCount }, (_, m) => {
    let most = 0;
    for (let o = m * stride; o < (m + 1) * stride; o += 3) {
      most = Math.max(most, vectors[o] ** 2 + vectors[o + 1] ** 2 + vectors[o + 2] ** 2);
    }
    if (!(most > 0)) throw new InputError('singular', `mode ${m} moves nothing`);
    return most;
  });
  return {
    size: modeCount,
    matrix: fullMatrix('squares', squares, modeCount),
    values: squares.slice().sort(),
  };
}

/** ‖q‖² is ∫ |u|² dm: the mean square distance, times the mass. For mass-orthonormal modes this is the plain norm. */
export function scaleByMass(product: MassProduct, vectors: Float64Array, modeCount: number): ModeScaling {
  checkProduct(product);
  const { size } = product;
  checkNumbers('vectors', vectors, modeCount * size);
  const matrix = new Float64Array(modeCount * modeCount);
  const image = new Float64Array(size);
  for (let j = 0; j < modeCount; j++) {
    product.apply(vectors.subarray(j * size, (j + 1) * size), image);
    for (let i = 0; i <= j; i++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += vectors[i * size + k] * image[k];
      matrix[j * modeCount + i] = matrix[i * modeCount + j] = sum;
    }
  }
  if (!denseCholesky(matrix, modeCount)) {
    throw new InputError('singular', 'the modes depend on each other, or one moves no mass');
  }
  return { size: modeCount, matrix, values: symmetricEigen(matrix, modeCount).values };
}

export interface PoseScalingOptions {
  /** How much `prior` counts, from more than 0 to 1: poses tell nothing of directions they do not go. Default: 0.25. */
  prior?: number;
}

/**
 * Directions in which poses go far count little: M⁻¹ is a mixture of the mean of q qᵀ and the inverse of `scaling`,
 * which says what is known without them, such as energies. Certificates then reach further in poses like these.
 * Poses may be of any length; all at rest, they change nothing. Errors: 'bad-option', 'wrong-length'.
 */
export function scaleByPoses(
  poses: Iterable<NumberArray>,
  scaling: ModeScaling,
  options: PoseScalingOptions = {},
): ModeScaling {
  checkMade('scaling', scaling, 'a function that scales modes', 'size', 'matrix');
  checkObject('options', options);
  if (!(Symbol.iterator in Object(poses))) {
    throw new InputError('wrong-type', `poses must be a list, not ${describe(poses)}`);
  }
  const { size: r, matrix: known } = scaling;
  const { prior = 0.25 } = options;
  if (!(prior > 0 && prior <= 1)) {
    throw new InputError('bad-option', `prior must be more than 0 and at most 1, not ${describe(prior)}`);
  }
  const mean = new Float64Array(r * r);
  for (const q of poses) {
    checkNumbers('each pose', q, r);
    for (let i = 0; i < r; i++) for (let j = 0; j < r; j++) mean[i * r + j] += q[i] * q[j];
  }
  // Both sides of the mixture mean a squared norm of r in the known scaling.
  let norm = 0;
  for (let k = 0; k < r * r; k++) norm += (mean[k] * known[k]) / r;
  if (!(norm > 0 && norm < Infinity)) return scaling;
  const spread = inverse(known, r);
  for (let k = 0; k < r * r; k++) spread[k] = prior * spread[k] + ((1 - prior) * mean[k]) / norm;
  symmetrise(spread, r);
  const matrix = inverse(spread, r);
  return { size: r, matrix, values: symmetricEigen(matrix, r).values };
}

function inverse(matrix: Float64Array, size: number): Float64Array {
  const factor = denseCholesky(matrix, size);
  if (factor === undefined) throw new InputError('singular', 'a scaling must be positive definite');
  const columns = new Float64Array(size * size);
  for (let k = 0; k < size; k++) columns[k * size + k] = 1;
  solveDense(factor, columns, size);
  symmetrise(columns, size);
  return columns;
}

/** A square matrix as it is, or a diagonal spread out. */
function fullMatrix(what: string, values: NumberArray, size: number): Float64Array {
  checkArray(what, values);
  if (values.length !== size) {
    checkNumbers(what, values, size * size);
    return Float64Array.from(values);
  }
  checkNumbers(what, values, size);
  const full = new Float64Array(size * size);
  for (let k = 0; k < size; k++) full[k * size + k] = values[k];
  return full;
}
