import {
  PART_TASK,
  PLANES_TASK,
  RadiusWorker,
  REACH_TASK,
  SPREAD_TASK,
} from '../cull/subspace/prepare-radii.ts';
import type { RadiusProblem } from '../cull/subspace/radius-problem.ts';
import type { TaskKind } from '../long-work/task-pool.ts';
import { computeModes, MODES_TASK } from '../simulate/modes/compute-modes.ts';
import {
  BASIS_TASK,
  DERIVATIVES_TASK,
  modalDerivatives,
  nonlinearBasisAsync,
} from '../simulate/modes/modal-derivatives.ts';
import { createReducedElasticityAsync, ELASTICITY_TASK } from '../simulate/reduced/reduced-elasticity.ts';
import { createLatticeAsync, LATTICE_TASK } from '../solid/create-lattice.ts';

/** Does a task; `report` is told what `onProgress` shall be told on the other side. */
type DoTask<Input, Result, Shared> = (
  input: Input,
  report: (...progress: unknown[]) => void,
  shared: Shared,
) => Result | Promise<Result>;

/** All that a worker can do, by name. */
export function createTasks(): ReadonlyMap<string, DoTask<unknown, unknown, unknown>> {
  const radiusWorkers = new WeakMap<RadiusProblem, RadiusWorker>();
  const radiusWorkerOf = (problem: RadiusProblem) => {
    const worker = radiusWorkers.get(problem) ?? new RadiusWorker(problem);
    radiusWorkers.set(problem, worker);
    return worker;
  };
  return new Map([
    task(LATTICE_TASK, ({ mesh, options }, onProgress) =>
      createLatticeAsync(mesh, { ...options, onProgress, slice: SLICE }),
    ),
    task(MODES_TASK, async ({ mesh, options }, onProgress) => {
      const { system, ...modes } = await computeModes(mesh, { ...options, onProgress, slice: SLICE });
      const { mesh: _mesh, material: _material, ...rest } = system;
      return { ...modes, system: rest };
    }),
    task(DERIVATIVES_TASK, ({ modes, factor }, onProgress) =>
      modalDerivatives(modes, { factor, onProgress, slice: SLICE }),
    ),
    task(BASIS_TASK, ({ modes, derivatives, count }, onProgress) =>
      nonlinearBasisAsync(modes, derivatives, count, { onProgress, slice: SLICE }),
    ),
    task(ELASTICITY_TASK, async (source, onProgress) => {
      const { coefficients } = await createReducedElasticityAsync(source, { onProgress, slice: SLICE });
      return coefficients;
    }),
    task(SPREAD_TASK, (root, _report, problem) => radiusWorkerOf(problem).fitSpread(root)),
    task(REACH_TASK, (reach, _report, problem) => radiusWorkerOf(problem).findReach(reach)),
    task(PLANES_TASK, (pairs, _report, problem) => radiusWorkerOf(problem).findPlanes(pairs)),
    task(PART_TASK, (part, _report, problem) => radiusWorkerOf(problem).findPart(part)),
  ]);
}

/** How often progress is told, in milliseconds: nobody else needs this thread. */
const SLICE = 50;

function task<Input, Result, Shared>(
  { name }: TaskKind<Input, Result, Shared>,
  run: DoTask<Input, Result, Shared>,
): [string, DoTask<unknown, unknown, unknown>] {
  return [name, run as DoTask<unknown, unknown, unknown>];
}
