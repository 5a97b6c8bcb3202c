import { type Body, checkBody } from '../body/body.ts';
import type { CollisionReport } from '../report/collision-report.ts';
import { checkOptions, type SelfCollisionOptions } from './options.ts';
import { runOne } from './run.ts';

/**
 * Every pair of triangles of a body that touch and share no vertex, in the body's own coordinates. The answer is
 * that of exact arithmetic on the posed positions, whatever the method. Contact is between surfaces: a part wholly inside
 * another one touches nothing, and no pair is reported.
 */
export function findSelfCollisions(body: Body, options: SelfCollisionOptions = {}): CollisionReport {
  checkBody('the body', body);
  checkOptions(options);
  return runOne(body, body, options, false);
}
