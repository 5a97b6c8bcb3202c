// biome-ignore-all format: coordinates and coefficients that belong together stay on one line

import { type Contact, checkFourPoints, findContact } from './continuous-contact.ts';
import {
  type ContactScratch,
  createContactScratch,
  EDGE_EDGE,
  loadPoint,
  POINT,
} from './continuous-scratch.ts';

/**
 * Whether and when two moving edges touch. Both arrays hold the ends of the first edge, then those of the
 * second, xyz each; every point goes from `start` to `end` in a straight line over t in [0, 1]. An edge of
 * length zero counts as the point that it is. The decision is exact, also for parallel edges.
 */
export function edgeEdgeContact(start: Float64Array, end: Float64Array): Contact {
  checkFourPoints(start, 'start');
  checkFourPoints(end, 'end');
  const scratch = createContactScratch();
  for (let slot = 0; slot < 4; slot++) loadPoint(scratch, slot, start, end, 3 * slot);
  const touches = findEdgeEdgeContact(scratch, 0, 1, 2, 3);
  return { touches, time: scratch.time[0] };
}

/**
 * The same for points loaded into `scratch`: edge ab against edge cd (slots). Lowers `scratch.time[0]` if
 * they touch earlier than that, and says whether it did. Allocates nothing.
 */
export function findEdgeEdgeContact(
  scratch: ContactScratch,
  a: number,
  b: number,
  c: number,
  d: number,
): boolean {
  const { points } = scratch;
  const oa = POINT * a, ob = POINT * b, oc = POINT * c, od = POINT * d;
  scratch.featuresTested++;
  if (!scratch.exactOnly) {
    if (axisSeparates(points, oa, ob, oc, od)) return false;
    if (axisSeparates(points, oa + 1, ob + 1, oc + 1, od + 1)) return false;
    if (axisSeparates(points, oa + 2, ob + 2, oc + 2, od + 2)) return false;
  }
  return findContact(scratch, EDGE_EDGE, oa, ob, oc, od);
}

/** One edge beyond the other, on one side, at the start and at the end: then always, as paths are linear. */
function axisSeparates(points: Float64Array, a: number, b: number, c: number, d: number): boolean {
  return isBeyond(points, a, b, c, d) || isBeyond(points, c, d, a, b);
}

function isBeyond(points: Float64Array, a: number, b: number, c: number, d: number): boolean {
  return (
    points[a] > points[c] &&
    points[a] > points[d] &&
    points[b] > points[c] &&
    points[b] > points[d] &&
    points[a + 3] > points[c + 3] &&
    points[a + 3] > points[d + 3] &&
    points[b + 3] > points[c + 3] &&
    points[b + 3] > points[d + 3]
  );
}
