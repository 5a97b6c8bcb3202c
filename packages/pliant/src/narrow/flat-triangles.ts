// biome-ignore-all format: the coordinates of a point and the corners of a triangle stay on one line

import { orient2dSign, orient3dSign } from './orient.ts';

/*
 * The exact cases that planes cannot decide: coplanar triangles, and triangles that are segments or
 * points. A plane figure is projected along an axis in which it keeps an area, where the projection is
 * one-to-one; what has no area in any projection is collinear, and there boxes decide.
 */

/** `trianglesIntersect` for two triangles in one plane, or with at least one of them degenerate. */
export function flatTrianglesIntersect(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
): boolean {
  const axisA = projectionAxis(A, a0, A, a1, A, a2), axisB = projectionAxis(B, b0, B, b1, B, b2);
  if (axisA !== COLLINEAR && axisB !== COLLINEAR) {
    return planeTrianglesIntersect(A, a0, a1, a2, B, b0, b1, b2, axisA);
  }
  // A degenerate triangle is the union of its edges.
  if (axisA === COLLINEAR) {
    return (
      segmentMeetsTriangle(A, a0, a1, B, b0, b1, b2) ||
      segmentMeetsTriangle(A, a1, a2, B, b0, b1, b2) ||
      segmentMeetsTriangle(A, a2, a0, B, b0, b1, b2)
    );
  }
  return (
    segmentMeetsTriangle(B, b0, b1, A, a0, a1, a2) ||
    segmentMeetsTriangle(B, b1, b2, A, a0, a1, a2) ||
    segmentMeetsTriangle(B, b2, b0, A, a0, a1, a2)
  );
}

/** True exactly when the closed segment pq and the closed triangle abc meet; both may be degenerate. */
export function segmentMeetsTriangle(
  P: Float64Array, p: number, q: number,
  T: Float64Array, a: number, b: number, c: number,
): boolean {
  const sideOfP = orient3dSign(T, a, T, b, T, c, P, p);
  const sideOfQ = orient3dSign(T, a, T, b, T, c, P, q);
  if (sideOfP * sideOfQ > 0) return false;
  if (sideOfP !== sideOfQ) { // one point of the line pq is on the plane: is it in the triangle?
    const ab = orient3dSign(P, p, P, q, T, a, T, b);
    const bc = orient3dSign(P, p, P, q, T, b, T, c);
    if (ab * bc < 0) return false;
    const ca = orient3dSign(P, p, P, q, T, c, T, a);
    return ab * ca >= 0 && bc * ca >= 0;
  }
  const axis = projectionAxis(T, a, T, b, T, c);
  if (axis !== COLLINEAR) return segmentMeetsPlaneTriangle(P, p, q, T, a, b, c, axis);
  return segmentsMeet(P, p, q, T, a, b) || segmentsMeet(P, p, q, T, b, c) || segmentsMeet(P, p, q, T, c, a);
}

/** True exactly when the closed segments pq and rs have a point in common; both may be points. */
export function segmentsMeet(
  P: Float64Array, p: number, q: number,
  R: Float64Array, r: number, s: number,
): boolean {
  if (!segmentBoxesOverlap(P, p, q, R, r, s)) return false;
  if (orient3dSign(P, p, P, q, R, r, R, s) !== 0) return false; // not in one plane
  const axis = commonProjectionAxis(P, p, q, R, r, s);
  return axis === COLLINEAR || planeSegmentsMeet(P, p, q, R, r, s, axis);
}

/** No projection has an area: the points lie on one line. */
export const COLLINEAR = -1;

/** A coordinate (0, 1, 2) such that dropping it keeps a, b, c apart from one line, or COLLINEAR. */
export function projectionAxis(
  P: Float64Array, a: number,
  Q: Float64Array, b: number,
  R: Float64Array, c: number,
): number {
  if (orient2dSign(P, a, Q, b, R, c, 0, 1) !== 0) return 2;
  if (orient2dSign(P, a, Q, b, R, c, 1, 2) !== 0) return 0;
  if (orient2dSign(P, a, Q, b, R, c, 2, 0) !== 0) return 1;
  return COLLINEAR;
}

/** `projectionAxis` for the four coplanar ends of two segments. */
export function commonProjectionAxis(
  P: Float64Array, p: number, q: number,
  R: Float64Array, r: number, s: number,
): number {
  let axis = projectionAxis(P, p, P, q, R, r);
  if (axis === COLLINEAR) axis = projectionAxis(P, p, P, q, R, s);
  if (axis === COLLINEAR) axis = projectionAxis(R, r, R, s, P, p);
  return axis; // with p, q, r and p, q, s and r, s, p on lines, all four are on one, or p = q and r = s
}

/**
 * Two triangles with area, in one plane: disjoint exactly when an edge of one has the other strictly
 * on its outer side.
 */
function planeTrianglesIntersect(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
  axis: number,
): boolean {
  return !(edgeSeparates(A, a0, a1, a2, B, b0, b1, b2, axis) || edgeSeparates(B, b0, b1, b2, A, a0, a1, a2, axis));
}

function edgeSeparates(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
  axis: number,
): boolean {
  const inner = orient2dSign(A, a0, A, a1, A, a2, nextAxis(axis), lastAxis(axis));
  return (
    isOutside(A, a0, a1, inner, B, b0, b1, b2, axis) ||
    isOutside(A, a1, a2, inner, B, b0, b1, b2, axis) ||
    isOutside(A, a2, a0, inner, B, b0, b1, b2, axis)
  );
}

function isOutside(
  A: Float64Array, a: number, b: number, inner: number,
  B: Float64Array, b0: number, b1: number, b2: number,
  axis: number,
): boolean {
  const x = nextAxis(axis), y = lastAxis(axis);
  return (
    orient2dSign(A, a, A, b, B, b0, x, y) === -inner &&
    orient2dSign(A, a, A, b, B, b1, x, y) === -inner &&
    orient2dSign(A, a, A, b, B, b2, x, y) === -inner
  );
}

function segmentMeetsPlaneTriangle(
  P: Float64Array, p: number, q: number,
  T: Float64Array, a: number, b: number, c: number,
  axis: number,
): boolean {
  return (
    isInPlaneTriangle(P, p, T, a, b, c, axis) ||
    isInPlaneTriangle(P, q, T, a, b, c, axis) ||
    planeSegmentsMeet(P, p, q, T, a, b, axis) ||
    planeSegmentsMeet(P, p, q, T, b, c, axis) ||
    planeSegmentsMeet(P, p, q, T, c, a, axis)
  );
}

/** Whether p, in the plane of the triangle, is in it or on its boundary. */
export function isInPlaneTriangle(
  P: Float64Array, p: number,
  T: Float64Array, a: number, b: number, c: number,
  axis: number,
): boolean {
  const x = nextAxis(axis), y = lastAxis(axis);
  const ab = orient2dSign(T, a, T, b, P, p, x, y);
  const bc = orient2dSign(T, b, T, c, P, p, x, y);
  if (ab * bc < 0) return false;
  const ca = orient2dSign(T, c, T, a, P, p, x, y);
  return ab * ca >= 0 && bc * ca >= 0;
}

/** Two segments in one plane, which `axis` projects one-to-one. */
export function planeSegmentsMeet(
  P: Float64Array, p: number, q: number,
  R: Float64Array, r: number, s: number,
  axis: number,
): boolean {
  const x = nextAxis(axis), y = lastAxis(axis);
  const sideOfR = orient2dSign(P, p, P, q, R, r, x, y), sideOfS = orient2dSign(P, p, P, q, R, s, x, y);
  if (sideOfR * sideOfS > 0) return false;
  const sideOfP = orient2dSign(R, r, R, s, P, p, x, y), sideOfQ = orient2dSign(R, r, R, s, P, q, x, y);
  if (sideOfP * sideOfQ > 0) return false;
  if (sideOfR !== 0 || sideOfS !== 0 || sideOfP !== 0 || sideOfQ !== 0) return true; // the lines cross within both
  return segmentBoxesOverlap(P, p, q, R, r, s); // on one line
}

/** Whether the boxes of two segments overlap; for segments on one line, whether they do. */
export function segmentBoxesOverlap(
  P: Float64Array, p: number, q: number,
  R: Float64Array, r: number, s: number,
): boolean {
  return (
    spansOverlap(P[p], P[q], R[r], R[s]) &&
    spansOverlap(P[p + 1], P[q + 1], R[r + 1], R[s + 1]) &&
    spansOverlap(P[p + 2], P[q + 2], R[r + 2], R[s + 2])
  );
}

function spansOverlap(p: number, q: number, r: number, s: number): boolean {
  return (p <= r || p <= s || q <= r || q <= s) && (p >= r || p >= s || q >= r || q >= s);
}

/** The two coordinates that are left when `axis` is dropped, in cyclic order. */
export function nextAxis(axis: number): number {
  return axis === 2 ? 0 : axis + 1;
}

export function lastAxis(axis: number): number {
  return axis === 0 ? 2 : axis - 1;
}
