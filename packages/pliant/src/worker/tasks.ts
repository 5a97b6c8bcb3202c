import {
  PART_TASK,
  PLANES_TASK,
  RadiusWorker,
  REACH_TASK,
  SPREAD_TASK,
} from '../cull/subspace/prepare-radii.ts';
import type { RadiusProblem } from '../cull/subspace/radius-problem.ts';
import {
  type BasisProblem,
  GROUP_TASK,
  GroupSolver,
  HIERARCHY_TASK,
  problemSteps,
} from '../edit/basis/basis-problem.ts';
import { CAGE_PATCHES_TASK, prepareCagePatches } from '../edit/contact/cage-patches.ts';
import { runSlices } from '../long-work/in-slices.ts';
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
  const groupSolvers = new WeakMap<BasisProblem, GroupSolver>();
  const groupSolverOf = (problem: BasisProblem) => {
    const solver = groupSolvers.get(problem) ?? new GroupSolver(problem);
    groupSolvers.set(problem, solver);
    return solver;
  };
  return new Map([
    task(CAGE_PATCHES_TASK, ({ cage, tree, sizes }, onProgress) =>
      runSlices(prepareCagePatches(cage, tree, sizes), { onProgress, slice: SLICE }),
    ),
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
    task(HIERARCHY_TASK, ({ solid, options }, onProgress) =>
      runSlices(problemSteps(solid, options), { onProgress, slice: SLICE }),
    ),
    task(GROUP_TASK, (group, onProgress, problem) =>
      runSlices(groupSolverOf(problem).steps(group), { onProgress, slice: SLICE }),
    ),
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
