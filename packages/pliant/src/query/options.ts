import type { Certificate } from '../cull/certificate.ts';
import { checkObject, describe, quote } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { CollisionReport, Method } from '../report/collision-report.ts';

export interface QueryOptions {
  /** How to go about it; the answer is the same. Default: 'auto'. */
  method?: 'auto' | Method;
  /**
   * False: the start pose. True: the straight motion of every vertex set by `setMotion`; pairs are reported that
   * touch at any time, with the first time. Default: false.
   */
  continuous?: boolean;
  /** Filled and returned. Default: a new one; pass last frame's to reuse its memory. */
  report?: CollisionReport;
  /** Keep only this many pairs, the lowest ones; `totalCount` still counts all. Default: no limit. */
  maxPairs?: number;
  /** Stop when this is used up; the report is then 'out-of-time' and says what is unresolved. Default: none. */
  budget?: Budget;
  /**
   * Told each pair when it is found, in no particular order: the two triangles, the time of first touch, and in
   * `findAllCollisions` the indices of the two bodies, which are 0 otherwise. Returning false stops the query:
   * 'cancelled'. With `maxPairs: 0` nothing is stored, however many pairs there are.
   */
  onPair?: (i: number, j: number, time: number, a: number, b: number) => boolean | undefined;
}

export interface Budget {
  milliseconds?: number;
  /** Node pairs whose volumes are compared: the same on every machine. */
  nodePairs?: number;
}

export interface SelfCollisionOptions extends QueryOptions {
  /** Proofs to try before volumes are compared, cheapest first. Default: those of the body, see `setCertificates`. */
  certificates?: readonly Certificate[];
  /** True also reports triangles that share a vertex and meet beyond it: folds. Default: false. */
  adjacent?: boolean;
}

const METHODS: readonly unknown[] = ['auto', 'batch', 'on-demand', 'depth-first', 'brute-force'];

/** Throws InputError for an option that would otherwise be ignored or misread. */
export function checkOptions(options: SelfCollisionOptions): void {
  checkObject('options', options);
  const { method, continuous, adjacent, maxPairs, budget, onPair } = options;
  if (method !== undefined && !METHODS.includes(method)) {
    throw new InputError('bad-option', `method must be one of ${METHODS.join(', ')}, not ${quote(method)}`);
  }
  checkFlag('continuous', continuous);
  checkFlag('adjacent', adjacent);
  if (maxPairs !== undefined && !(Number.isInteger(maxPairs) && maxPairs >= 0) && maxPairs !== Infinity) {
    throw new InputError('bad-option', `maxPairs must be a whole number, not ${quote(maxPairs)}`);
  }
  if (budget !== undefined) checkBudget(budget);
  if (onPair !== undefined && typeof onPair !== 'function') {
    throw new InputError('bad-option', `onPair must be a function, not ${describe(onPair)}`);
  }
}

export function checkFlag(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'boolean') return;
  throw new InputError('bad-option', `${name} must be true or false, not ${quote(value)}`);
}

function checkBudget(budget: Budget): void {
  if (typeof budget !== 'object' || budget === null) {
    throw new InputError('bad-option', `budget must be an object, not ${describe(budget)}`);
  }
  for (const name of ['milliseconds', 'nodePairs'] as const) {
    const value: unknown = budget[name];
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue;
    throw new InputError('bad-option', `budget.${name} must be a number of at least 0, not ${quote(value)}`);
  }
}
