import {
  addColumn,
  combineColumns,
  dot,
  gramOf,
  isTurned,
  multiplyColumns,
  scaleColumn,
  symmetrise,
} from './dense/columns.ts';
import { symmetricEigen } from './dense/symmetric-eigen.ts';
import { KrylovBasis } from './krylov-basis.ts';

/** K x = λ M x with K symmetric positive semi-definite and M positive definite; vectors stand one after another. */
export interface EigenProblem {
  readonly size: number;
  /** σ ≥ 0: more than 0 where K alone is singular. About the size of the smallest λ wanted is right. */
  readonly shift: number;
  /** y = K x, for `columns` vectors. */
  applyStiffness(x: Float64Array, y: Float64Array, columns: number): void;
  /** y = M x. */
  applyMass(x: Float64Array, y: Float64Array, columns: number): void;
  /** Solves (K + σM) x = b in place. */
  solve(b: Float64Array, columns: number): void;
}

export interface EigenOptions {
  /** How many of the smallest ones. */
  count: number;
  /** The relative residual that each has to reach. Default: 1e-8. */
  tolerance?: number;
  /** Vectors solved for together; as many equal eigenvalues are found without further ado. Default: 8. */
  block?: number;
  /** Known eigenvectors to keep out, M-orthonormal columns: rigid motions. Default: none. */
  deflate?: Float64Array;
  /** Solves of one block after which it is given up. Default: 400. */
  maximumSteps?: number;
  /** Of the random start. Default: 1. */
  seed?: number;
}

export interface Eigenpairs {
  /** Ascending. */
  readonly values: Float64Array;
  /** M-orthonormal columns; of the entries of largest size in each, the first is positive. */
  readonly vectors: Float64Array;
  /** ‖K x − λ M x‖ / ((λ + σ) ‖M x‖) of each, as computed from K and M. */
  readonly residuals: Float64Array;
  /** Right-hand sides solved for. */
  readonly solves: number;
}

export interface EigenProgress {
  readonly step: number;
  /** How many of the wanted ones have settled. */
  readonly settled: number;
  readonly wanted: number;
}

/** The wanted accuracy was not reached. */
export class NotConverged extends Error {
  override readonly name = 'NotConverged';
  readonly settled: number;

  constructor(message: string, settled: number) {
    super(message);
    this.settled = settled;
  }
}

/** The smallest eigenpairs; throws NotConverged when a residual stays too large. */
export function smallestEigenpairs(problem: EigenProblem, options: EigenOptions): Eigenpairs {
  const steps = eigenpairSteps(problem, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** A Ritz pair beside the wanted ones has to be this exact before it counts as evidence that none was missed. */
const PROBE = 0.05;
/** Values that differ by less, relatively, are the same one, better known. */
const SAME = 1e-6;

/**
 * The same in steps between which other work can run: block Lanczos on (K + σM)⁻¹M in the inner product of M, with
 * full reorthogonalisation and thick restarts. A Krylov space holds no more copies of a multiple eigenvalue than the
 * block has columns, so once all have settled a fresh random block looks for more, until there are none.
 */
export function* eigenpairSteps(
  problem: EigenProblem,
  options: EigenOptions,
): Generator<EigenProgress, Eigenpairs, void> {
  const {
    count,
    tolerance = 1e-8,
    block = 8,
    deflate = new Float64Array(0),
    maximumSteps = 400,
    seed = 1,
  } = options;
  const room = problem.size - deflate.length / problem.size;
  if (!(Number.isInteger(count) && count >= 1 && count <= room)) {
    throw new RangeError(`${count} eigenpairs of a problem with ${room} unknowns`);
  }
  const krylov = new KrylovBasis(
    problem,
    deflate,
    Math.min(room, 2 * count + 6 * block),
    Math.min(block, room),
    seed,
  );
  let known: Float64Array | undefined; // the values before the last look for more
  let settled = 0;
  for (let step = 1; ; step++) {
    krylov.expand();
    const isLast = step >= maximumSteps;
    if (!krylov.isFull && !krylov.isWhole && !isLast && step % looksEvery(krylov.processed) !== 0) {
      yield { step, settled, wanted: count };
      continue;
    }
    const ritz = krylov.ritzPairs();
    settled = countSettled(ritz.errors, krylov.isWhole ? Infinity : tolerance, count);
    yield { step, settled, wanted: count };
    const isProbed = ritz.values.length > count && ritz.errors[count] <= PROBE;
    const hasNoMore = known !== undefined && isProbed && areSame(ritz.values, known);
    if (settled === count && (krylov.isWhole || hasNoMore)) {
      return finish(problem, options, krylov, ritz.vectors, step, tolerance);
    }
    if (isLast) throw new NotConverged(`${settled} of ${count} eigenpairs settled in ${step} steps`, settled);
    if (settled === count && (known === undefined || isProbed)) {
      known = ritz.values.slice(0, count);
      krylov.restart(ritz, count, true);
    } else if (krylov.isFull) krylov.restart(ritz, Math.min(count + block, krylov.processed - block), false);
  }
}

/** True when a look for more has changed none of the wanted values. */
function areSame(values: Float64Array, known: Float64Array): boolean {
  return known.every((value, k) => Math.abs(values[k] - value) <= SAME * value);
}

/** Small projections are solved at every step; large ones, which cost as much as a step, less often. */
function looksEvery(processed: number): number {
  return 1 + Math.trunc(processed / 96);
}

function countSettled(errors: Float64Array, tolerance: number, count: number): number {
  let settled = 0;
  while (settled < Math.min(count, errors.length) && errors[settled] <= tolerance) settled++;
  return settled;
}

/** One more inverse iteration, then the best combinations as K and M themselves see them. */
function finish(
  problem: EigenProblem,
  { count, deflate = new Float64Array(0) }: EigenOptions,
  krylov: KrylovBasis,
  ritzVectors: Float64Array,
  steps: number,
  tolerance: number,
): Eigenpairs {
  const { size } = problem;
  const kept = Math.min(krylov.processed, count + 8);
  let vectors = multiplyColumns(krylov.basis, size, krylov.processed, ritzVectors, kept);
  let solved = krylov.solves;
  for (let round = 0; ; round++) {
    const next = new Float64Array(size * kept);
    problem.applyMass(vectors, next, kept);
    problem.solve(next, kept);
    solved += kept;
    orthonormaliseIn(problem, next, kept, deflate);
    const found = rayleighRitz(problem, next, kept, count);
    const worst = Math.max(...found.residuals);
    if (worst <= tolerance) return { ...found, solves: solved };
    if (round === 3) {
      const k = found.residuals.indexOf(worst);
      throw new NotConverged(
        `eigenpair ${k} has the residual ${worst.toExponential(2)} after ${steps} steps; ` +
          `${tolerance.toExponential(0)} was asked for`,
        found.residuals.filter((residual) => residual <= tolerance).length,
      );
    }
    vectors = next;
  }
}

/** Makes columns M-orthonormal in place, twice over, and orthogonal to the known ones. */
function orthonormaliseIn(
  problem: EigenProblem,
  x: Float64Array,
  columns: number,
  deflate: Float64Array,
): void {
  const { size } = problem;
  const known = deflate.length / size;
  const mass = new Float64Array(size);
  const products = new Float64Array(Math.max(known, columns));
  for (let pass = 0; pass < 2; pass++) {
    for (let k = 0; k < columns; k++) {
      const column = x.subarray(k * size, (k + 1) * size);
      problem.applyMass(column, mass, 1);
      for (let j = 0; j < known; j++) products[j] = dot(size, deflate, j * size, mass, 0);
      combineColumns(deflate, size, known, products, 0, column, 0, -1);
      for (let j = 0; j < k; j++) products[j] = dot(size, x, j * size, mass, 0);
      combineColumns(x, size, k, products, 0, column, 0, -1);
      problem.applyMass(column, mass, 1);
      scaleColumn(size, 1 / Math.sqrt(dot(size, column, 0, mass, 0)), column, 0);
    }
  }
}

/** `x` is M-orthonormal; the first `count` of its eigenpairs, with honest residuals. */
function rayleighRitz(
  problem: EigenProblem,
  x: Float64Array,
  columns: number,
  count: number,
): Omit<Eigenpairs, 'solves'> {
  const { size, shift } = problem;
  const image = new Float64Array(size * columns);
  problem.applyStiffness(x, image, columns);
  const reduced = gramOf(x, columns, image, columns, size);
  symmetrise(reduced, columns);
  const eigen = symmetricEigen(reduced, columns);
  const vectors = multiplyColumns(x, size, columns, eigen.vectors, count);
  const values = eigen.values.slice(0, count);
  const residuals = new Float64Array(count);
  const stiff = new Float64Array(size),
    mass = new Float64Array(size);
  for (let k = 0; k < count; k++) {
    const vector = vectors.subarray(k * size, (k + 1) * size);
    if (isTurned(size, vector, 0)) scaleColumn(size, -1, vector, 0);
    problem.applyStiffness(vector, stiff, 1);
    problem.applyMass(vector, mass, 1);
    const length = Math.sqrt(dot(size, mass, 0, mass, 0));
    addColumn(size, -values[k], mass, 0, stiff, 0);
    residuals[k] = Math.sqrt(dot(size, stiff, 0, stiff, 0)) / ((Math.abs(values[k]) + shift) * length);
  }
  return { values, vectors, residuals };
}
