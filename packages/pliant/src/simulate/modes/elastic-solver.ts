import { symmetricEigen } from '../../algebra/dense/symmetric-eigen.ts';
import type { EigenProblem } from '../../algebra/eigenpairs.ts';
import { KrylovBasis } from '../../algebra/krylov-basis.ts';
import {
  type FactorOptions,
  factoriseSparse,
  multiply,
  NotPositiveDefinite,
  type SparseFactor,
} from '../../algebra/sparse/index.ts';
import { checkLongWork } from '../../long-work/in-slices.ts';
import { pause } from '../../long-work/pause.ts';
import type { LongWork } from '../long-work.ts';
import {
  type ElasticSystem,
  gatherFree,
  multiplyMass,
  reduceSystem,
  shiftedStiffness,
  spreadToVertices,
} from './elastic-system.ts';
import { massOrthonormalise, systemMass } from './mass-basis.ts';
import { polynomialColumns } from './polynomial-modes.ts';
import { rigidMotions } from './rigid-motions.ts';

/** K + σM of a system, factorised, and the motions without strain that K alone could not solve for. */
export interface ElasticSolver extends EigenProblem {
  readonly system: ElasticSystem;
  readonly factor: SparseFactor;
  /** M-orthonormal columns in the unknowns of the system. */
  readonly rigid: { readonly count: number; readonly vectors: Float64Array };
  /** Eigenvalues below this are zero, as far as rounding lets us see. */
  readonly zero: number;
  dispose(): void;
}

export interface SolverOptions extends LongWork {
  /** How the factorisation goes about it. */
  factor?: Pick<FactorOptions, 'ordering' | 'kernels' | 'maximumBytes'>;
}

/**
 * A shift this many times the smallest eigenvalue squeezes those that are wanted together, and a smaller one is worth
 * another factorisation. Measured with 30 modes: 5 times 254 solves, 50 times 302, 240 times 462, 5000 times 2038.
 */
const TOO_FAR = 50;
/** Less of the first shift is not tried: rounding would leave K + σM no longer positive definite. */
const LEAST_SHIFT = 1e-6;
/** Of the stiffest vibration: what rounding makes of a zero stays well below, what deforms above. */
const ZERO = 1e-13;

/** Without rigid motions there is no shift; else one of about the smallest eigenvalue, found by trying. */
export async function createElasticSolver(
  system: ElasticSystem,
  options: SolverOptions = {},
): Promise<ElasticSolver> {
  const { signal, slice, onProgress } = options;
  checkLongWork(options);
  onProgress?.('ordering', 0);
  await pause(); // what follows cannot be interrupted: the word should be out before
  signal?.throwIfAborted();
  const rigid = rigidMotions(system);
  const zero = ZERO * stiffestVibration(system);
  let estimate = rigid.count > 0 ? estimateShift(system, rigid.count) : 0;
  let shift = estimate;
  onProgress?.('ordering', 0.4);
  await pause();
  const progress = {
    signal,
    slice,
    onProgress: (fraction: number) => onProgress?.('factorisation', fraction),
  };
  const points = Float64Array.from({ length: system.size }, (_, i) => {
    return system.mesh.positions[3 * system.freeVertices[Math.trunc(i / 3)] + (i % 3)];
  });
  const factorise = () =>
    factoriseSparse(shiftedStiffness(system, shift), {
      ...options.factor,
      ...progress,
      points,
      blockSize: 3,
    });
  const factor = await factorise().catch((error) => {
    if (!(error instanceof NotPositiveDefinite) || shift > 0) throw error;
    shift = estimate = estimateShift(system, 0); // parts that hang on a hinge
    return factorise();
  });
  try {
    while (shift === 0 || shift > LEAST_SHIFT * estimate) {
      const smallest = firstEigenvalue(createProblem(system, factor, shift), rigid.vectors);
      if (shift > 0 && (TOO_FAR * smallest >= shift || smallest < zero)) break;
      if (shift === 0 && smallest > zero) break;
      if (shift === 0)
        shift = estimate = estimateShift(system, 0); // K has a factor by the grace of rounding only
      else shift = Math.max(smallest, 1e-3 * shift);
      await factor.refactor(shiftedStiffness(system, shift).value, progress);
    }
  } catch (error) {
    factor.dispose();
    throw error;
  }
  return {
    ...createProblem(system, factor, shift),
    system,
    factor,
    rigid,
    zero,
    dispose: () => factor.dispose(),
  };
}

function createProblem(system: ElasticSystem, factor: SparseFactor, shift: number): EigenProblem {
  const { size, stiffness } = system;
  return {
    size,
    shift,
    applyStiffness: (x, y, columns) => multiply(stiffness, x, y, columns),
    applyMass: (x, y, columns) => multiplyMass(system, x, y, columns),
    solve: (b, columns) => factor.solve(b, columns),
  };
}

/** The softest quadratic deformation, and ten times softer: vibrations find softer ones than polynomials. */
function estimateShift(system: ElasticSystem, rigidCount: number): number {
  const polynomials = polynomialColumns(system.mesh.positions);
  const moving = spreadToVertices(system, gatherFree(system, polynomials, 30), 30);
  const { rank, q } = massOrthonormalise(systemMass(system), moving, 30, 1e-6);
  const { values } = symmetricEigen(reduceSystem(system, q, rank).stiffness, rank);
  const stiffest = values[rank - 1];
  const soft = values.find((value, k) => k >= Math.min(rigidCount, 6) && value > 1e-9 * stiffest);
  return (soft ?? stiffest) / 10;
}

/** Roughly the largest eigenvalue: the stiffest unknown when all others stand still. */
function stiffestVibration({ size, stiffness, mass }: ElasticSystem): number {
  let most = 0;
  for (let i = 0; i < size; i++) {
    most = Math.max(most, stiffness.value[stiffness.start[i]] / mass.value[mass.start[i]]);
  }
  return most;
}

/** From above, and good to a few per cent. */
function firstEigenvalue(problem: EigenProblem, deflate: Float64Array): number {
  const block = Math.min(4, problem.size - deflate.length / problem.size);
  const krylov = new KrylovBasis(problem, deflate, 4 * block, block, 1);
  for (let step = 0; step < 3 && !krylov.isWhole; step++) krylov.expand();
  return Math.max(0, 1 / krylov.ritzPairs().values[0] - problem.shift);
}
