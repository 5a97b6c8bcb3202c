// biome-ignore-all format: the coordinates of a point and the corners of a triangle stay on one line

import { writeCrossing } from './crossing-point.ts';
import { writeFlatIntersection } from './flat-intersection.ts';
import { orient3dSign } from './orient.ts';
import { ALL_ON, apexOf, cornerAt, isApexBelow, sideOf, sidesOfPlane } from './plane-sides.ts';
import { trianglesIntersect } from './triangle-triangle.ts';

/**
 * What two closed triangles have in common: returns the number of points that span it and writes them
 * to `out` (18 numbers) as x, y, z:
 *
 *   0: nothing, exactly when `trianglesIntersect` is false;
 *   1: a point;
 *   2: a segment, by its ends;
 *   3 to 6: a convex polygon of coplanar triangles, by its corners in order around it.
 *
 * The number is exact. The points are rounded: within a few units in the last place when they are
 * corners, within about 1e-12 of an edge's length when edges cross something. Arguments are not checked.
 */
export function intersectionSegment(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
  out: Float64Array,
): number {
  if (!trianglesIntersect(A, a0, a1, a2, B, b0, b1, b2)) return 0;
  return writeIntersection(A, a0, a1, a2, B, b0, b1, b2, out, 6);
}

/** Writes the first `limit` points of the intersection of two triangles that are known to intersect. */
export function writeIntersection(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
  out: Float64Array, limit: number,
): number {
  const sidesOfA = sidesOfPlane(B, b0, b1, b2, A, a0, a1, a2);
  const sidesOfB = sidesOfPlane(A, a0, a1, a2, B, b0, b1, b2);
  if (sidesOfA === ALL_ON || sidesOfB === ALL_ON) {
    return writeFlatIntersection(A, a0, a1, a2, B, b0, b1, b2, out, limit);
  }
  return writeIntervalOverlap(A, a0, a1, a2, sidesOfA, B, b0, b1, b2, sidesOfB, out, limit);
}

/**
 * Two triangles in different planes. With the apices first and the triangles turned as in
 * `filterTriangles`, A covers the line of the two planes from p₀p₁ to p₀p₂ and B from q₀q₂ to q₀q₁, and
 * the sign of orient3d(p₀, pᵢ, q₀, qⱼ) is that of (p₀pᵢ − q₀qⱼ) along the line.
 */
function writeIntervalOverlap(
  A: Float64Array, a0: number, a1: number, a2: number, sidesOfA: number,
  B: Float64Array, b0: number, b1: number, b2: number, sidesOfB: number,
  out: Float64Array, limit: number,
): number {
  const i = apexOf(sidesOfA), turnB = Number(isApexBelow(sidesOfA, i));
  const j = apexOf(sidesOfB), turnA = Number(isApexBelow(sidesOfB, j));
  const i1 = (i + 1 + turnA) % 3, i2 = (i + 2 - turnA) % 3;
  const j1 = (j + 1 + turnB) % 3, j2 = (j + 2 - turnB) % 3;
  const p0 = cornerAt(i, a0, a1, a2), p1 = cornerAt(i1, a0, a1, a2), p2 = cornerAt(i2, a0, a1, a2);
  const q0 = cornerAt(j, b0, b1, b2), q1 = cornerAt(j1, b0, b1, b2), q2 = cornerAt(j2, b0, b1, b2);

  const startsOnA = orient3dSign(A, p0, A, p1, B, q0, B, q2) >= 0; // the later start
  if (startsOnA) writeCrossing(A, p0, p1, sideOf(sidesOfA, i), sideOf(sidesOfA, i1), B, b0, b1, b2, out, 0);
  else writeCrossing(B, q0, q2, sideOf(sidesOfB, j), sideOf(sidesOfB, j2), A, a0, a1, a2, out, 0);

  const endsOnA = orient3dSign(A, p0, A, p2, B, q0, B, q1) <= 0; // the earlier end
  let isPoint: boolean;
  if (startsOnA && endsOnA) isPoint = sideOf(sidesOfA, i) === 0;
  else if (startsOnA) isPoint = orient3dSign(A, p0, A, p1, B, q0, B, q1) === 0;
  else if (endsOnA) isPoint = orient3dSign(A, p0, A, p2, B, q0, B, q2) === 0;
  else isPoint = sideOf(sidesOfB, j) === 0;
  if (isPoint || limit === 1) return 1;

  if (endsOnA) writeCrossing(A, p0, p2, sideOf(sidesOfA, i), sideOf(sidesOfA, i2), B, b0, b1, b2, out, 3);
  else writeCrossing(B, q0, q1, sideOf(sidesOfB, j), sideOf(sidesOfB, j1), A, a0, a1, a2, out, 3);
  return 2;
}
