import type { Engine } from '../body/engine.ts';
import type { SliceOptions } from '../long-work/in-slices.ts';
import type { PoolOption } from '../long-work/task-pool.ts';
import { checkNumbers, checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { EnergyOptions } from './arap/energy.ts';
import type { HierarchyOptions } from './basis/hierarchy.ts';
import type { CageOptions } from './cage.ts';
import type { ShapeObstacle } from './contact/obstacle.ts';
import type { BlendState } from './shape-types.ts';

/** What can be changed while a shape is edited. */
export interface ShapeSettings {
  /**
   * The deepest level of functions that contacts bring in: more resolve contacts better, fewer are faster. 0 is the
   * global functions alone. Default: 3.
   */
  maxLevel?: number;
  /** The most functions in use at a time: a step takes as long as its square, roughly. Default: 320. */
  columnBudget?: number;
  /** Share of the last shape that stays once handles rest and something touches, from 0 to 1. Default: 0.5. */
  damping?: number;
  /** Steps in which damping grows to that. Default: 20. */
  dampingSteps?: number;
  /** Steps over which positions follow when functions came or went, so that nothing jumps. Default: 4. */
  blendSteps?: number;
  /** The way of a handle per step at most, in units of the surface. Default: 4 edges of the cage. */
  speed?: number;
}

export interface ShapeContactOptions {
  /** What the shape cannot enter. Default: nothing. */
  obstacles?: readonly ShapeObstacle[];
  /** Whether it can touch itself. Default: true. */
  self?: boolean;
  /** How far apart touching surfaces are kept, in units of the surface. Default: a tenth of an edge of the cage. */
  margin?: number;
  /** Whether edges against edges count. Default: true. */
  edges?: boolean;
  /**
   * 'sign': contacts hold as equalities, and go when they pull (Li & Barbič 2019). 'push': contacts push or are open,
   * by complementarity. Default: 'push'.
   */
  rule?: 'sign' | 'push';
  /** Contacts at most in each cell of the functions in use. Default: 3. */
  perCell?: number;
}

export interface ShapeOptions extends ShapeSettings, SliceOptions, PoolOption {
  /** Where it lives. Default: an engine of its own, which is disposed of with it. */
  engine?: Engine;
  /** How the cage is made, where a surface is given. */
  cage?: CageOptions;
  /** How many functions there are. */
  hierarchy?: HierarchyOptions;
  /** What it resists. */
  energy?: EnergyOptions;
  /**
   * One rotation for each cell of this level instead of each vertex: faster, and a little less exact; false for
   * vertices. Default: false up to 30,000 vertices of the cage, 2 or 1 for more.
   */
  rotationLevel?: number | false;
  /** Contacts, or false for none. Default: with itself. */
  contact?: ShapeContactOptions | false;
}

/** Settings with their defaults; those of `before` stay when nothing is said. */
export function readSettings(
  options: ShapeSettings,
  edge: number,
  before?: Required<ShapeSettings>,
): Required<ShapeSettings> {
  checkObject('options', options);
  const {
    maxLevel = before?.maxLevel ?? 3,
    columnBudget = before?.columnBudget ?? 320,
    damping = before?.damping ?? 0.5,
    dampingSteps = before?.dampingSteps ?? 20,
    blendSteps = before?.blendSteps ?? 4,
    speed = before?.speed ?? 4 * edge,
  } = options;
  checkWhole('maxLevel', maxLevel, 0, 254);
  checkWhole('columnBudget', columnBudget, 1, 4096);
  checkBetween('damping', damping, 0, 1);
  checkWhole('dampingSteps', dampingSteps, 0, 1e9);
  checkWhole('blendSteps', blendSteps, 0, 1e9);
  checkBetween('speed', speed, Number.MIN_VALUE, Number.MAX_VALUE);
  return { maxLevel, columnBudget, damping, dampingSteps, blendSteps, speed };
}

export function checkContact(contact: unknown): asserts contact is ShapeContactOptions | false | undefined {
  if (contact === undefined || contact === false) return;
  checkObject('contact', contact);
  const { rule, margin } = contact as ShapeContactOptions;
  if (rule !== undefined && rule !== 'sign' && rule !== 'push') {
    throw new InputError('bad-option', `contact.rule must be 'sign' or 'push', not ${describe(rule)}`);
  }
  if (margin !== undefined) checkBetween('contact.margin', margin, 0, Number.MAX_VALUE);
}

/** Throws InputError for what cannot be the blend of a state, of a surface with this many coordinates. */
export function checkBlend(blend: unknown, coordinates: number): asserts blend is BlendState | undefined {
  if (blend === undefined) return;
  checkObject('blend', blend);
  const { steps, shown } = blend as BlendState;
  checkWhole('blend.steps', steps, 0, 1e9);
  checkNumbers('blend.shown', shown, coordinates);
}

export function checkWhole(name: string, value: unknown, low: number, high: number): void {
  if (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) return;
  throw new InputError(
    'bad-option',
    `${name} must be a whole number from ${low} to ${high}, not ${describe(value)}`,
  );
}

function checkBetween(name: string, value: unknown, low: number, high: number): void {
  if (typeof value === 'number' && value >= low && value <= high) return;
  throw new InputError(
    'bad-option',
    `${name} must be a number from ${low} to ${high}, not ${describe(value)}`,
  );
}
