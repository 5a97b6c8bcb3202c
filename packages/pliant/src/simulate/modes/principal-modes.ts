import { multiplyColumns } from '../../algebra/dense/columns.ts';
import { singularValues } from '../../algebra/dense/singular-values.ts';
import type { Modes } from '../../deform/blend-data.ts';
import { runSteps } from '../../long-work/in-slices.ts';
import {
  checkArray,
  checkCoordinates,
  checkNumbers,
  checkObject,
  describe,
  type NumberArray,
} from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { checkProduct, type MassProduct, massOrthonormalise, orthonormaliseSteps } from './mass-basis.ts';

export interface PrincipalOptions {
  /** At most so many modes. Default: as many as `tolerance` asks for. */
  count?: number;
  /** Leave out what holds less than this part of the largest singular value. Default: 1e-9. */
  tolerance?: number;
}

/** The directions in which a set of displacements extends most. */
export interface PrincipalModes {
  readonly modeCount: number;
  /** 3 per vertex, mode after mode, mass-orthonormal. */
  readonly vectors: Float64Array;
  /** Of all directions, those left out too; descending. */
  readonly singularValues: Float64Array;
  /** modeCount numbers per given displacement: what gives it back. */
  readonly weights: Float64Array;
}

/**
 * Principal components in the inner product of mass: X = Q R with QᵀMQ = I, and R = A Σ Bᵀ, so X = (Q A) Σ Bᵀ. Nothing
 * is squared: small components keep their digits.
 */
export function massPca(
  product: MassProduct,
  displacements: Float64Array,
  columns: number,
  options: PrincipalOptions = {},
): PrincipalModes {
  return runSteps(pcaSteps(product, displacements, columns, options), {});
}

/** The same in steps that yield the share that is done. */
export function* pcaSteps(
  product: MassProduct,
  displacements: Float64Array,
  columns: number,
  options: PrincipalOptions = {},
): Generator<number, PrincipalModes> {
  checkProduct(product);
  checkObject('options', options);
  const { count = columns, tolerance = 1e-9 } = options;
  checkNumbers('displacements', displacements, columns * product.size);
  if (!(Number.isInteger(count) && count >= 1)) {
    throw new InputError('bad-option', `count must be a whole number of at least 1, not ${describe(count)}`);
  }
  const { rank, q, r } = yield* orthonormaliseSteps(product, displacements, columns, 1e-14);
  if (rank === 0) throw new InputError('singular', 'all displacements are zero');
  const { values, left, right } = singularValues(r, rank, columns);
  const least = tolerance * values[0];
  let modeCount = 0;
  while (modeCount < Math.min(count, rank) && values[modeCount] > least) modeCount++;
  const weights = new Float64Array(modeCount * columns);
  for (let k = 0; k < columns; k++) {
    for (let m = 0; m < modeCount; m++) weights[k * modeCount + m] = values[m] * right[m * columns + k];
  }
  const vectors = multiplyColumns(q, product.size, rank, left, modeCount);
  return { modeCount, vectors, singularValues: values, weights };
}

export interface SequenceOptions extends PrincipalOptions {
  /** Positions that displacements are measured from: those of the mesh that will be deformed. */
  rest: NumberArray;
}

/** Modes of a recorded motion, 3 coordinates per vertex in each frame. `weights` are its poses. */
export function sequenceModes(
  product: MassProduct,
  frames: readonly NumberArray[],
  options: SequenceOptions,
): PrincipalModes {
  checkProduct(product);
  checkObject('options', options);
  const { rest } = options;
  checkCoordinates('rest', rest, product.size);
  if (!Array.isArray(frames) || frames.length === 0) throw new InputError('empty', 'there are no frames');
  const displacements = new Float64Array(frames.length * product.size);
  frames.forEach((frame, k) => {
    checkCoordinates(`frames[${k}]`, frame, product.size);
    for (let i = 0; i < product.size; i++) displacements[k * product.size + i] = frame[i] - rest[i];
  });
  return massPca(product, displacements, frames.length, options);
}

/** Morph targets made mass-orthonormal. */
export interface OrthonormalModes {
  readonly modeCount: number;
  readonly vectors: Float64Array;
  /** modeCount × targets: coordinates q = T w of the pose that had the morph weights w. */
  readonly transform: Float64Array;
}

/** The span of `modes` stays; targets that depend on those before them add nothing to it. */
export function orthonormaliseModes(product: MassProduct, modes: Modes): OrthonormalModes {
  checkProduct(product);
  checkObject('modes', modes);
  const { count, displacements } = modes;
  checkArray('modes.displacements', displacements);
  checkNumbers('modes.displacements', displacements, count * product.size);
  const { rank, q, r } = massOrthonormalise(product, Float64Array.from(displacements), count);
  if (rank === 0) throw new InputError('singular', 'no mode moves anything');
  return { modeCount: rank, vectors: q, transform: r };
}
