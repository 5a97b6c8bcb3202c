// biome-ignore-all format: the corners of a triangle and the coordinates of a point stay on one line

import { type ContactScratch, loadPoint, POINT } from './continuous-scratch.ts';
import { findEdgeEdgeContact } from './edge-edge.ts';
import { trianglesIntersect } from './triangle-triangle.ts';
import { findVertexFaceContact } from './vertex-face.ts';

/**
 * The first time in [0, 1] at which two triangles touch, Infinity if they never do; the decision is exact
 * and 0 ≤ exact - time ≤ 2⁻⁴⁰. Corners are offsets of x, equal at the start and at the end of the step, and
 * go from one to the other in a straight line. The triangles should share no vertex: one that is shared
 * touches from the start.
 */
export function movingTrianglesTime(
  startA: Float64Array, endA: Float64Array, a0: number, a1: number, a2: number,
  startB: Float64Array, endB: Float64Array, b0: number, b1: number, b2: number,
  scratch: ContactScratch,
): number {
  if (trianglesIntersect(startA, a0, a1, a2, startB, b0, b1, b2)) return 0;
  findLaterContact(startA, endA, a0, a1, a2, startB, endB, b0, b1, b2, scratch);
  return scratch.time[0];
}

/**
 * Whether two triangles that are apart at the start touch later in the step; the time of `movingTrianglesTime` goes to
 * `scratch.time[0]`. Allocates nothing, except where exact arithmetic must decide.
 *
 * They touch first where a vertex meets a face or an edge an edge. Each test looks only before the contacts found so far.
 * Contacts at the very end are left to one exact test of the triangles there: a shape that is flattened or shrunk to a
 * point in the step has them in bulk.
 */
export function findLaterContact(
  startA: Float64Array, endA: Float64Array, a0: number, a1: number, a2: number,
  startB: Float64Array, endB: Float64Array, b0: number, b1: number, b2: number,
  scratch: ContactScratch,
): boolean {
  const { time } = scratch;
  time[0] = Infinity;
  loadPoint(scratch, 0, startA, endA, a0);
  loadPoint(scratch, 1, startA, endA, a1);
  loadPoint(scratch, 2, startA, endA, a2);
  loadPoint(scratch, 3, startB, endB, b0);
  loadPoint(scratch, 4, startB, endB, b1);
  loadPoint(scratch, 5, startB, endB, b2);
  scratch.isApartAtStart = true;
  scratch.isEndOpen = false;
  findFeatureContacts(scratch, putCopyLast(scratch, 0), putCopyLast(scratch, 3));
  scratch.isApartAtStart = false;
  if (scratch.isEndOpen && time[0] > 1 && trianglesIntersect(endA, a0, a1, a2, endB, b0, b1, b2)) time[0] = 1;
  return time[0] <= 1;
}

/**
 * Features of the triangles in slots 0 to 2 and 3 to 5, of which the first `countA` and `countB` corners differ. A triangle
 * that is a point throughout is its vertex, one that is a segment throughout its edge: what the other features of such a
 * triangle touch, these touch too.
 */
function findFeatureContacts(scratch: ContactScratch, countA: number, countB: number): void {
  if (countA === 1) return void findVertexFaceContact(scratch, 0, 3, 4, 5);
  if (countB === 1) return void findVertexFaceContact(scratch, 3, 0, 1, 2);
  for (let i = 0; i < 3; i++) {
    if (countB === 3 && i < countA) findVertexFaceContact(scratch, i, 3, 4, 5);
    if (countA === 3 && i < countB) findVertexFaceContact(scratch, 3 + i, 0, 1, 2);
  }
  const edgesA = countA === 3 ? 3 : 1,
    edgesB = countB === 3 ? 3 : 1;
  for (let i = 0; i < edgesA; i++) {
    for (let j = 0; j < edgesB; j++) findEdgeEdgeContact(scratch, i, (i + 1) % 3, 3 + j, 3 + ((j + 1) % 3));
  }
}

/** How many of the three corners from `slot` on differ at the start or the end; a corner that is a copy is put last. */
function putCopyLast({ points }: ContactScratch, slot: number): number {
  const p = POINT * slot, q = p + POINT, r = q + POINT;
  const isFirst = areSame(points, p, q);
  if (isFirst) {
    if (areSame(points, p, r)) return 1;
    points.copyWithin(q, r, r + POINT); // the copy of p that stood there is not needed: r is one more copy of q now
    return 2;
  }
  return areSame(points, p, r) || areSame(points, q, r) ? 2 : 3;
}

function areSame(points: Float64Array, p: number, q: number): boolean {
  return (
    points[p] === points[q] && points[p + 1] === points[q + 1] && points[p + 2] === points[q + 2] &&
    points[p + 3] === points[q + 3] && points[p + 4] === points[q + 4] && points[p + 5] === points[q + 5]
  );
}
