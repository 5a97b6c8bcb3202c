import { type Eigenpairs, eigenpairSteps } from '../../algebra/eigenpairs.ts';
import { checkLongWork, runInSlices } from '../../long-work/in-slices.ts';
import { type PoolOption, readPool, type TaskKind } from '../../long-work/task-pool.ts';
import { describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import { SLICE } from '../long-work.ts';
import { createElasticSolver, type ElasticSolver, type SolverOptions } from './elastic-solver.ts';
import {
  type ElasticSystem,
  type ElasticSystemOptions,
  elasticSystemSteps,
  spreadToVertices,
} from './elastic-system.ts';

export interface ComputeModesOptions extends ElasticSystemOptions, SolverOptions, PoolOption {
  /** How many modes that deform, the slowest first. */
  count: number;
  /** The residual that each has to reach, see `residuals`. Default: 1e-7. */
  tolerance?: number;
}

/** Vibrations of an elastic body. */
export interface VibrationModes {
  readonly modeCount: number;
  /** 3 per vertex, mode after mode, mass-orthonormal; zero at fixed vertices. */
  readonly vectors: Float64Array;
  /** Vibrations per second, ascending. */
  readonly frequencies: Float64Array;
  /** ω², the squares of 2π times the frequencies. */
  readonly eigenvalues: Float64Array;
  /** ‖K x − λ M x‖ / ((λ + σ) ‖M x‖) of each mode; σ is 0 for bodies that are held. */
  readonly residuals: Float64Array;
  /** How many motions without strain were left out: six for a body that nothing holds. */
  readonly rigidModes: number;
  /** These motions: 3 per vertex, one after another, mass-orthonormal. */
  readonly rigidVectors: Float64Array;
  readonly system: ElasticSystem;
  /** Milliseconds that the parts took. */
  readonly times: ModalTimes;
}

export interface ModalTimes {
  readonly assembly: number;
  readonly ordering: number;
  readonly factorisation: number;
  readonly eigenpairs: number;
}

const MOST_ROUNDS = 8;

/**
 * The slowest vibrations of tetrahedra. Errors: InputError as for `createElasticSystem`; NotConverged when a residual
 * stays above `tolerance`; the reason of an aborted signal. With `pool` a worker does it; the result is the same.
 */
export async function computeModes(
  mesh: TetrahedralMesh,
  options: ComputeModesOptions,
): Promise<VibrationModes> {
  const pool = readPool(options);
  checkLongWork(options);
  const { count, tolerance = 1e-7, onProgress, signal } = options;
  if (!(Number.isInteger(count) && count >= 1)) {
    throw new InputError('bad-option', `count must be a whole number of at least 1, not ${describe(count)}`);
  }
  if (!(tolerance > 0)) {
    throw new InputError('bad-option', `tolerance must be more than 0, not ${describe(tolerance)}`);
  }
  if (pool !== undefined) {
    const { material, fixed, weights, mass, factor } = options;
    const input = { mesh, options: { count, tolerance, material, fixed, weights, mass, factor } };
    const { system, ...modes } = await pool.run(MODES_TASK, input, { onProgress, signal });
    return { ...modes, system: { ...system, mesh, material } };
  }
  const start = performance.now();
  onProgress?.('assembly', 0);
  signal?.throwIfAborted();
  const steps = elasticSystemSteps(mesh, options);
  const system = await runInSlices(steps, { slice: SLICE, ...options }, (share) =>
    onProgress?.('assembly', share),
  );
  const assembly = performance.now() - start;
  const solver = await createElasticSolver(system, options);
  const solved = performance.now();
  try {
    const { found, rigid } = await findElastic(solver, options);
    const rigidModes = rigid.length / system.size;
    const { ordering } = solver.factor.times;
    return {
      modeCount: count,
      vectors: spreadToVertices(system, found.vectors, count),
      frequencies: found.values.map((value) => Math.sqrt(Math.max(0, value)) / (2 * Math.PI)),
      eigenvalues: found.values,
      residuals: found.residuals,
      rigidModes,
      rigidVectors: spreadToVertices(system, rigid, rigidModes),
      system,
      times: {
        assembly,
        ordering,
        factorisation: solved - start - assembly - ordering,
        eigenpairs: performance.now() - solved,
      },
    };
  } finally {
    solver.dispose();
  }
}

/** What is sent to a worker, and what comes back: all but what the caller has himself. */
export interface ModesInput {
  readonly mesh: TetrahedralMesh;
  readonly options: Omit<ComputeModesOptions, 'onProgress' | 'signal' | 'pool' | 'slice'>;
}

export type SentModes = Omit<VibrationModes, 'system'> & { system: Omit<ElasticSystem, 'mesh' | 'material'> };

export const MODES_TASK: TaskKind<ModesInput, SentModes> = { name: 'modes' };

/** Hinges, where parts meet in less than a face, show as further zeros; they join the rigid motions, and the search goes on without them. */
async function findElastic(
  solver: ElasticSolver,
  options: ComputeModesOptions,
): Promise<{ found: Eigenpairs; rigid: Float64Array }> {
  const { count, tolerance = 1e-7, onProgress } = options;
  let deflate = solver.rigid.vectors;
  for (let round = 0; ; round++) {
    const known = deflate.length / solver.size;
    if (count > solver.size - known) {
      throw new InputError(
        'bad-option',
        `count is ${count}, but the body has only ${solver.size - known} ways to deform`,
      );
    }
    const steps = eigenpairSteps(solver, { count, tolerance, deflate });
    const found = await runInSlices(steps, { slice: SLICE, ...options }, ({ settled, wanted }) => {
      onProgress?.('eigenpairs', settled / wanted);
    });
    const zeros = found.values.filter((value) => value < solver.zero).length;
    if (zeros === 0) return { found, rigid: deflate };
    if (round === MOST_ROUNDS) {
      throw new InputError('singular', `the body hangs together by more than ${known} hinges`);
    }
    const more = new Float64Array(deflate.length + zeros * solver.size);
    more.set(deflate);
    more.set(found.vectors.subarray(0, zeros * solver.size), deflate.length);
    deflate = more;
  }
}
