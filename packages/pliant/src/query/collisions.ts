import type { Body } from '../body/body.ts';
import type { CollisionReport } from '../report/collision-report.ts';
import type { QueryOptions } from './options.ts';
import { checkPair, runOne } from './run.ts';

/** Every pair (i of the first body, j of the second) of triangles that touch, in world coordinates. */
export function findCollisions(a: Body, b: Body, options: QueryOptions = {}): CollisionReport {
  checkPair(a, b, options);
  return runOne(a, b, options, false);
}
