// biome-ignore-all format: coordinates and coefficients that belong together stay on one line

import { type Contact, checkFourPoints, findContact } from './continuous-contact.ts';
import {
  type ContactScratch,
  createContactScratch,
  loadPoint,
  POINT,
  VERTEX_FACE,
} from './continuous-scratch.ts';

/**
 * Whether and when a moving vertex touches a moving triangle. Both arrays hold the vertex and the three
 * corners, xyz each; every point goes from `start` to `end` in a straight line over t in [0, 1]. A
 * degenerate triangle counts as the segment or point that it is at each time. The decision is exact.
 */
export function vertexFaceContact(start: Float64Array, end: Float64Array): Contact {
  checkFourPoints(start, 'start');
  checkFourPoints(end, 'end');
  const scratch = createContactScratch();
  for (let slot = 0; slot < 4; slot++) loadPoint(scratch, slot, start, end, 3 * slot);
  const touches = findVertexFaceContact(scratch, 0, 1, 2, 3);
  return { touches, time: scratch.time[0] };
}

/**
 * The same for points loaded into `scratch`: `vertex` against the face a, b, c (slots). Lowers
 * `scratch.time[0]` if they touch earlier than that, and says whether it did. Allocates nothing.
 */
export function findVertexFaceContact(
  scratch: ContactScratch,
  vertex: number,
  a: number,
  b: number,
  c: number,
): boolean {
  const { points } = scratch;
  const o = POINT * vertex, oa = POINT * a, ob = POINT * b, oc = POINT * c;
  scratch.featuresTested++;
  if (!scratch.exactOnly) {
    if (axisSeparates(points, o, oa, ob, oc)) return false;
    if (axisSeparates(points, o + 1, oa + 1, ob + 1, oc + 1)) return false;
    if (axisSeparates(points, o + 2, oa + 2, ob + 2, oc + 2)) return false;
  }
  return findContact(scratch, VERTEX_FACE, o, oa, ob, oc);
}

/** Beyond all three corners, on one side, at the start and at the end: then always, as paths are linear. */
function axisSeparates(points: Float64Array, o: number, a: number, b: number, c: number): boolean {
  const start = points[o], end = points[o + 3];
  if (start > points[a]) {
    return (
      start > points[b] && start > points[c] && end > points[a + 3] && end > points[b + 3] && end > points[c + 3]
    );
  }
  return (
    start < points[a] &&
    start < points[b] &&
    start < points[c] &&
    end < points[a + 3] &&
    end < points[b + 3] &&
    end < points[c + 3]
  );
}
