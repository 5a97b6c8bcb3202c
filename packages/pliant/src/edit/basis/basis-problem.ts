import { NotPositiveDefinite } from '../../algebra/sparse/not-positive-definite.ts';
import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import { runSteps } from '../../long-work/in-slices.ts';
import type { TaskKind } from '../../long-work/task-pool.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { Solid } from './cage-graph.ts';
import { FactorArena } from './factor-arena.ts';
import { type GroupSystem, SystemCutter } from './group-system.ts';
import { weightSteps } from './group-weights.ts';
import { type Hierarchy, type HierarchyOptions, hierarchySteps } from './hierarchy.ts';
import { createJumpOperator } from './jump-operator.ts';

/** All that the functions of any group can be computed from. Plain data: workers get it once. */
export interface BasisProblem {
  readonly positions: Float64Array; // of the cage's vertices
  readonly operator: SymmetricMatrix;
  readonly hierarchy: Hierarchy;
}

/** What a worker makes of a cage; the positions stay here. */
export interface ProblemInput {
  readonly solid: Solid;
  readonly options: HierarchyOptions;
}

export type SentProblem = Pick<BasisProblem, 'operator' | 'hierarchy'>;

export const HIERARCHY_TASK: TaskKind<ProblemInput, SentProblem> = { name: 'shape-hierarchy' };
export const GROUP_TASK: TaskKind<number, Float32Array, BasisProblem> = { name: 'shape-group' };

/** Steps that yield the share that is done. */
export function* problemSteps(solid: Solid, options: HierarchyOptions): Generator<number, SentProblem> {
  const hierarchy = yield* hierarchySteps(solid, options);
  return { operator: createJumpOperator(solid), hierarchy };
}

/** Computes groups of one problem. */
export class GroupSolver {
  readonly #problem: BasisProblem;
  readonly #cutter: SystemCutter;
  readonly #arena: FactorArena;
  #slowArena: FactorArena | undefined; // for work that others may interrupt

  constructor(problem: BasisProblem, arena = new FactorArena()) {
    this.#problem = problem;
    this.#cutter = new SystemCutter(problem.operator, problem.hierarchy);
    this.#arena = arena;
  }

  /** The functions of a group, rows × columns, here and now. */
  solve(group: number): Float32Array {
    const values = new Float32Array(weightCount(this.#problem.hierarchy, group));
    runSteps(this.#stepsOf(group, this.#arena, values), {});
    return values;
  }

  /** The same before rounding. */
  solveExactly(group: number): Float64Array {
    const values = new Float64Array(weightCount(this.#problem.hierarchy, group));
    runSteps(this.#stepsOf(group, this.#arena, values), {});
    return values;
  }

  /** In steps that yield the share that is done. `solve` may be called in between, other steps may not be begun. */
  *steps(group: number): Generator<number, Float32Array> {
    this.#slowArena ??= new FactorArena();
    const values = new Float32Array(weightCount(this.#problem.hierarchy, group));
    yield* this.#stepsOf(group, this.#slowArena, values);
    return values;
  }

  *#stepsOf(group: number, arena: FactorArena, values: Float32Array | Float64Array): Generator<number, void> {
    const system = this.#cutter.cut(group);
    try {
      yield* weightSteps(system, arena, () => this.#pointsOf(group, system), values);
    } catch (error) {
      if (!(error instanceof NotPositiveDefinite)) throw error;
      const { row, rowStart } = this.#problem.hierarchy;
      const vertex = row[rowStart[group] + system.free[error.row]];
      throw new InputError('singular', `the tetrahedra around vertex ${vertex} of the cage are too flat`);
    }
  }

  #pointsOf(group: number, { free }: GroupSystem): Float64Array {
    const { positions, hierarchy } = this.#problem;
    const first = hierarchy.rowStart[group];
    const points = new Float64Array(3 * free.length);
    for (let i = 0; i < free.length; i++) {
      const o = 3 * hierarchy.row[first + free[i]];
      points[3 * i] = positions[o];
      points[3 * i + 1] = positions[o + 1];
      points[3 * i + 2] = positions[o + 2];
    }
    return points;
  }
}

/** Rows times columns of a group. */
export function weightCount({ rowStart, groupStart }: Hierarchy, group: number): number {
  return (rowStart[group + 1] - rowStart[group]) * (groupStart[group + 1] - groupStart[group]);
}
