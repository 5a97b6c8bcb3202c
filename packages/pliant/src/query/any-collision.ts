import { type Body, checkBody } from '../body/body.ts';
import type { CollisionReport } from '../report/collision-report.ts';
import { checkOptions, type QueryOptions, type SelfCollisionOptions } from './options.ts';
import { checkPair, runOne } from './run.ts';

export type AnyCollisionOptions = Omit<QueryOptions, 'onPair' | 'maxPairs'>;
export type AnySelfCollisionOptions = Omit<SelfCollisionOptions, 'onPair' | 'maxPairs'>;

/**
 * Any pair of touching triangles of two bodies, or undefined when there is none. That there is one does not depend on the
 * method; which one does. With `continuous` it is any pair that touches during the motion, not the one that touches
 * earliest: `options.report.times` has the time at which this pair first touches, and the earliest of all is the
 * smallest of the times of `findCollisions`. A budget that runs out before an answer throws nothing: look at
 * `options.report.state`. With a report of yours the answer is kept in it, too, and written over by the next query.
 */
export function findAnyCollision(
  a: Body,
  b: Body,
  options: AnyCollisionOptions = {},
): [number, number] | undefined {
  checkPair(a, b, options);
  return firstPair(runOne(a, b, options, true));
}

/**
 * Any pair of touching triangles of one body that share no vertex, or undefined when there is none. With `continuous` not
 * the pair that touches earliest; see `findAnyCollision`.
 */
export function findAnySelfCollision(
  body: Body,
  options: AnySelfCollisionOptions = {},
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
