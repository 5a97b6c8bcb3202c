import { checkObject, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { Cage } from '../types.ts';
import type { ShapeObstacle } from './obstacle.ts';

const MARGIN = 0.1; // of the spacing
const BAND = 3; // margins

export interface ContactOptions {
  /** In the coordinates of the surface that was given. Default: none. */
  obstacles?: readonly ShapeObstacle[];
  /** How far apart touching surfaces are kept, in units of the cage. Default: a tenth of its spacing. */
  margin?: number;
  /** With the rule 'band': how near what has touched stays a candidate. Default: three margins. */
  band?: number;
  /**
   * Which rows stay from one search to the next:
   * - `sign`: those that press, by the sign of their multiplier (Li and Barbič 2019);
   * - `band`: those that press or are within `band`; for solvers of inequalities.
   *
   * Default: 'sign'.
   */
  rule?: 'sign' | 'band';
  /** Whether the surface touches itself. Default: true. */
  self?: boolean;
  /** Whether there are rows of edges against edges. Default: true. */
  edges?: boolean;
  /** How vertices in the own material are found: from crossing triangles, or through a hash of points. Default: 'tree'. */
  method?: 'tree' | 'hash';
  /** The cell of a vertex of the surface, a whole number from 0 on. Default: every row stays. */
  cellOf?: (vertex: number) => number;
  /** How many rows stay in each cell. Default: 3. */
  perCell?: number;
}

/** Options with their defaults. Errors: 'bad-option'. */
export function readContactOptions(
  cage: Cage,
  options: ContactOptions,
): Required<Omit<ContactOptions, 'cellOf'>> {
  checkObject('options', options);
  const {
    obstacles = [],
    margin = MARGIN * cage.spacing,
    band = BAND * margin,
    rule = 'sign',
    self = true,
    edges = true,
    method = 'tree',
    perCell = 3,
    cellOf,
  } = options;
  checkAtLeast('margin', margin, 0);
  checkAtLeast('band', band, margin);
  checkChoice('rule', rule, ['sign', 'band']);
  checkChoice('self', self, [true, false]);
  checkChoice('edges', edges, [true, false]);
  checkChoice('method', method, ['tree', 'hash']);
  if (!(Number.isInteger(perCell) && perCell >= 1)) {
    throw new InputError('bad-option', `perCell must be a whole number from 1 on, not ${describe(perCell)}`);
  }
  if (cellOf !== undefined && typeof cellOf !== 'function') {
    throw new InputError('bad-option', `cellOf must be a function, not ${describe(cellOf)}`);
  }
  return { obstacles, margin, band, rule, self, edges, method, perCell };
}

function checkAtLeast(name: string, value: unknown, low: number): void {
  if (typeof value === 'number' && value >= low && value < Infinity) return;
  throw new InputError('bad-option', `${name} must be a number of at least ${low}, not ${describe(value)}`);
}

function checkChoice(name: string, value: unknown, choices: readonly unknown[]): void {
  if (choices.includes(value)) return;
  throw new InputError('bad-option', `${name} must be one of ${choices.join(', ')}, not ${describe(value)}`);
}
