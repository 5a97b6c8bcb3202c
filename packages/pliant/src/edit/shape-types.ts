import type { Engine } from '../body/engine.ts';
import type { EnergyOptions, ResidentEnergy } from './arap/energy.ts';
import type { ShapeBasis } from './basis/shape-basis.ts';
import type { CageReport } from './cage.ts';
import type { ContactState } from './contact/contact-finder.ts';
import type { ControlState } from './controls.ts';
import type { ShapeContactOptions, ShapeSettings } from './shape-options.ts';
import type { PoseState, StageTimes } from './shape-solver.ts';
import type { Cage } from './types.ts';

/** What a step did. Lengths are in units of the surface that was given. */
export interface StepReport {
  /** 'kept' when no shape was found: the last one stays. */
  readonly state: 'moved' | 'kept';
  readonly ms: number;
  readonly times: Readonly<StageTimes>;
  /** Functions in use. */
  readonly columns: number;
  /** Groups of functions in use, by level. */
  readonly groups: readonly number[];
  /** Contact rows, and those of them that push. */
  readonly contacts: number;
  readonly pushing: number;
  /** How deep the deepest point was before the step, without the margin. */
  readonly depth: number;
  /** Pairs of triangles that crossed before the step, and do not at rest. */
  readonly crossingPairs: number;
  /** How far the vertex moved that moved most. */
  readonly movement: number;
  /** Of the shape before the step. */
  readonly energy: number;
  /** Static damping in this step. */
  readonly damping: number;
}

/** Where a shape touches itself or an obstacle. */
export interface ShapeContact {
  readonly position: readonly number[];
  /** Points the way out. */
  readonly normal: readonly number[];
  readonly depth: number;
  /** Which of the obstacles; −1: itself. */
  readonly obstacle: number;
  /** Above 0 when it pushes. */
  readonly force: number;
}

/** A pose with all its handles and contacts: for undo and redo. */
export interface ShapeState {
  readonly pose: PoseState;
  readonly controls: readonly ControlState[];
  readonly contacts: Pick<ContactState, 'rows' | 'multipliers'> | undefined;
  readonly still: number;
  /** Set while `positions` still come nearer to what was solved. */
  readonly blend?: BlendState;
}

/** A shape on its way from positions with other functions to those that were solved. */
export interface BlendState {
  /** Steps until the one that shows what was solved. */
  readonly steps: number;
  /** Positions of the surface's vertices that are shown, in coordinates of the cage. */
  readonly shown: Float64Array;
}

/** All that a shape is made of. @internal */
export interface ShapeParts {
  readonly engine: Engine;
  /** Whether the engine is disposed of with the shape. */
  readonly ownsEngine: boolean;
  readonly cage: Cage;
  /** The cage whose rest its contacts start from. Default: its own. */
  readonly contactCage?: Cage;
  readonly report: CageReport | undefined;
  readonly basis: ShapeBasis;
  readonly energy: ResidentEnergy;
  /** What `energy` was made from. */
  readonly energyOptions: EnergyOptions;
  readonly rotationLevel: number | false | undefined;
  /** Per vertex of the cage, when rotations are shared. */
  readonly clusters: Uint32Array | undefined;
  readonly contact: ShapeContactOptions | false;
  readonly settings: ShapeSettings;
  readonly prefetch: boolean;
}
