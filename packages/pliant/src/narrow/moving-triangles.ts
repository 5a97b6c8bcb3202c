// biome-ignore-all format: the corners of a triangle and the coordinates of a point stay on one line

import { type ContactScratch, loadPoint } from './continuous-scratch.ts';
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
 * The same as a yes or no for triangles that are apart at the start, with the time in `scratch.time[0]`. Allocates nothing.
 *
 * They touch first where a vertex meets a face or an edge an edge. Each test looks only before the contacts found so far.
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
  for (let i = 0; i < 3; i++) {
    findVertexFaceContact(scratch, i, 3, 4, 5);
    findVertexFaceContact(scratch, 3 + i, 0, 1, 2);
  }
  for (let i = 0; i < 3; i++) {
    const next = (i + 1) % 3;
    findEdgeEdgeContact(scratch, i, next, 3, 4);
    findEdgeEdgeContact(scratch, i, next, 4, 5);
    findEdgeEdgeContact(scratch, i, next, 5, 3);
  }
  return time[0] <= 1;
}
