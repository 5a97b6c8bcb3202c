import type { Body } from '../body/body.ts';
import type { CollisionReport } from '../report/collision-report.ts';
import type { QueryOptions } from './options.ts';
import { checkPair, runOne } from './run.ts';

/**
 * Every pair (i of the first body, j of the second) of triangles that touch, in world coordinates. Contact is between
 * surfaces: a body wholly inside the other one touches nothing, and no pair is reported. `WindingNumbers` of pliant/solid
 * tells whether a point is inside.
 */
export function findCollisions(a: Body, b: Body, options: QueryOptions = {}): CollisionReport {
  checkPair(a, b, options);
  return runOne(a, b, options, false);
}
