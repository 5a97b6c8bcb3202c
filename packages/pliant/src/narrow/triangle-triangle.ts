// biome-ignore-all format: the coordinates of a point and the corners of a triangle stay on one line

import { flatTrianglesIntersect } from './flat-triangles.ts';
import { orient3dSign } from './orient.ts';
import { ALL_ABOVE, ALL_BELOW, ALL_ON, apexOf, cornerAt, isApexBelow, sidesOfPlane } from './plane-sides.ts';
import { filterTriangles, MEET, UNKNOWN } from './triangle-filter.ts';

/**
 * True exactly when the two closed triangles have a point in common, as in exact arithmetic on the
 * given float64 coordinates: touching counts, so does coplanar overlap, and a degenerate triangle is
 * the segment or point that it is. The six numbers are the offsets of the corners' x. Arguments are not
 * checked.
 *
 * Measured, Node 20, 65,536 random pairs: 52 ns for those that miss with overlapping boxes, 82 ns for
 * those that meet; 0.4 to 0.9 µs on a small lattice, where half the signs are 0.
 */
export function trianglesIntersect(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
): boolean {
  const answer = filterTriangles(A, a0, a1, a2, B, b0, b1, b2);
  return answer === UNKNOWN ? trianglesIntersectExactly(A, a0, a1, a2, B, b0, b1, b2) : answer === MEET;
}

/** `trianglesIntersect` without its filter: the steps of `filterTriangles` with exact signs, which may be 0; boxes first, as they are cheaper. */
export function trianglesIntersectExactly(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
): boolean {
  if (!boxesOverlap(A, a0, a1, a2, B, b0, b1, b2)) return false;
  // Shapes shrunk to a point, often. What is not finite goes on to where it is refused.
  if (shareCorner(A, a0, a1, a2, B, b0, b1, b2) && isFinite3(A, a0, a1, a2) && isFinite3(B, b0, b1, b2)) return true;
  // All on the plane: coplanar, or a degenerate triangle, which has no plane. Nothing else is special.
  const sidesOfB = sidesOfPlane(A, a0, a1, a2, B, b0, b1, b2);
  if (sidesOfB === ALL_BELOW || sidesOfB === ALL_ABOVE) return false;
  if (sidesOfB === ALL_ON) return flatTrianglesIntersect(A, a0, a1, a2, B, b0, b1, b2);
  const sidesOfA = sidesOfPlane(B, b0, b1, b2, A, a0, a1, a2);
  if (sidesOfA === ALL_BELOW || sidesOfA === ALL_ABOVE) return false;
  if (sidesOfA === ALL_ON) return flatTrianglesIntersect(A, a0, a1, a2, B, b0, b1, b2);
  const i = apexOf(sidesOfA), turnB = Number(isApexBelow(sidesOfA, i));
  const j = apexOf(sidesOfB), turnA = Number(isApexBelow(sidesOfB, j));
  const p0 = cornerAt(i, a0, a1, a2);
  const p1 = cornerAt(i + 1 + turnA, a0, a1, a2), p2 = cornerAt(i + 2 - turnA, a0, a1, a2);
  const q0 = cornerAt(j, b0, b1, b2);
  const q1 = cornerAt(j + 1 + turnB, b0, b1, b2), q2 = cornerAt(j + 2 - turnB, b0, b1, b2);
  return orient3dSign(A, p0, A, p1, B, q0, B, q1) <= 0 && orient3dSign(A, p0, A, p2, B, q0, B, q2) >= 0;
}

/** False proves that the triangles' bounding boxes, closed, are disjoint. */
function boxesOverlap(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
): boolean {
  return (
    rangesOverlap(A, a0, a1, a2, B, b0, b1, b2) &&
    rangesOverlap(A, a0 + 1, a1 + 1, a2 + 1, B, b0 + 1, b1 + 1, b2 + 1) &&
    rangesOverlap(A, a0 + 2, a1 + 2, a2 + 2, B, b0 + 2, b1 + 2, b2 + 2)
  );
}

function rangesOverlap(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
): boolean {
  const lowA = Math.min(A[a0], A[a1], A[a2]), highA = Math.max(A[a0], A[a1], A[a2]);
  const lowB = Math.min(B[b0], B[b1], B[b2]), highB = Math.max(B[b0], B[b1], B[b2]);
  return lowA <= highB && lowB <= highA;
}

/** Whether a corner of one triangle is where a corner of the other is. */
function shareCorner(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
): boolean {
  return (
    isCorner(A, a0, B, b0, b1, b2) || isCorner(A, a1, B, b0, b1, b2) || isCorner(A, a2, B, b0, b1, b2)
  );
}

function isCorner(A: Float64Array, a: number, B: Float64Array, b0: number, b1: number, b2: number): boolean {
  const x = A[a], y = A[a + 1], z = A[a + 2];
  return (
    (x === B[b0] && y === B[b0 + 1] && z === B[b0 + 2]) ||
    (x === B[b1] && y === B[b1 + 1] && z === B[b1 + 2]) ||
    (x === B[b2] && y === B[b2 + 1] && z === B[b2 + 2])
  );
}

/** Whether all coordinates of three points are finite. */
function isFinite3(P: Float64Array, p0: number, p1: number, p2: number): boolean {
  const x = 0 * P[p0] + 0 * P[p1] + 0 * P[p2]; // 0 or NaN
  const y = 0 * P[p0 + 1] + 0 * P[p1 + 1] + 0 * P[p2 + 1];
  const z = 0 * P[p0 + 2] + 0 * P[p1 + 2] + 0 * P[p2 + 2];
  return x + y + z === 0;
}
