import { type Body, checkBody } from '../body/body.ts';
import type { CollisionReport } from '../report/collision-report.ts';
import { checkOptions, type QueryOptions, type SelfCollisionOptions } from './options.ts';
import { checkPair, runOne } from './run.ts';

export type FirstHitOptions = Omit<QueryOptions, 'onPair' | 'maxPairs'>;
export type FirstSelfHitOptions = Omit<SelfCollisionOptions, 'onPair' | 'maxPairs'>;

/**
 * Some pair of touching triangles of two bodies, or undefined when there is none. That there is one does not
 * depend on the method; which one does. A budget that runs out before an answer throws nothing: look at
 * `options.report.state`. With a report of yours the answer is kept in it, too, and written over by the next query.
 */
export function findFirstHit(a: Body, b: Body, options: FirstHitOptions = {}): [number, number] | undefined {
  checkPair(a, b, options);
  return firstPair(runOne(a, b, options, true));
}

/** The same for one body and itself. */
export function findFirstSelfHit(
  body: Body,
  options: FirstSelfHitOptions = {},
): [number, number] | undefined {
  checkBody('the body', body);
  checkOptions(options);
  return firstPair(runOne(body, body, options, true));
}

function firstPair(report: CollisionReport): [number, number] | undefined {
  const { pairCount, pairs, firstPair } = report;
  if (pairCount === 0) return undefined;
  firstPair[0] = pairs[0];
  firstPair[1] = pairs[1];
  return firstPair;
}
