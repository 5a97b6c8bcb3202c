import type { Certificate } from '../cull/certificate.ts';
import { describe } from '../mesh/check-input.ts';
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
  /** Told each pair when it is found, in no particular order. Returning false stops the query: 'cancelled'. */
  onPair?: (i: number, j: number, time: number) => boolean | undefined;
}

export interface Budget {
  milliseconds?: number;
  /** Node pairs whose volumes are compared: the same on every machine. */
  nodePairs?: number;
}

export interface SelfCollisionOptions extends QueryOptions {
  /** Proofs to try before volumes are compared, cheapest first. Default: none. */
  certificates?: readonly Certificate[];
  /** True also reports triangles that share a vertex and meet beyond it: folds. Default: false. */
  adjacent?: boolean;
}

const METHODS: readonly unknown[] = ['auto', 'batch', 'on-demand', 'depth-first', 'brute-force'];

/** Throws InputError for an option that would otherwise be ignored or misread. */
export function checkOptions(options: SelfCollisionOptions): void {
  const { method, continuous, maxPairs, budget, onPair, certificates } = options;
  if (method !== undefined && !METHODS.includes(method)) {
    throw new InputError('bad-option', `method must be one of ${METHODS.join(', ')}, not ${String(method)}`);
  }
  if (continuous !== undefined && typeof continuous !== 'boolean') {
    throw new InputError('bad-option', `continuous must be true or false, not ${describe(continuous)}`);
  }
  if (maxPairs !== undefined && !(maxPairs >= 0 && (Number.isInteger(maxPairs) || maxPairs === Infinity))) {
    throw new InputError('bad-option', `maxPairs must be a whole number, not ${String(maxPairs)}`);
  }
  if (budget !== undefined) {
    const { milliseconds = 0, nodePairs = 0 } = budget;
    if (!(milliseconds >= 0)) throw new InputError('bad-option', `budget.milliseconds is ${milliseconds}`);
    if (!(nodePairs >= 0)) throw new InputError('bad-option', `budget.nodePairs is ${nodePairs}`);
  }
  if (onPair !== undefined && typeof onPair !== 'function') {
    throw new InputError('bad-option', `onPair must be a function, not ${describe(onPair)}`);
  }
  if (certificates !== undefined && !Array.isArray(certificates)) {
    throw new InputError('bad-option', `certificates must be an array, not ${describe(certificates)}`);
  }
}
