// biome-ignore-all format: the coordinates of a point and the corners of a triangle stay on one line

import { copyPoint, writeCrossing, writeEdgeCrossing } from './crossing-point.ts';
import {
  COLLINEAR, commonProjectionAxis, isInPlaneTriangle, lastAxis, nextAxis, planeSegmentsMeet, projectionAxis,
} from './flat-triangles.ts';
import { orient2dSign, orient3dSign } from './orient.ts';
import { cornerAt } from './plane-sides.ts';

/**
 * `writeIntersection` for triangles in one plane, or with at least one of them degenerate. They are
 * known to intersect. A degenerate triangle becomes the segment of its two outer corners.
 */
export function writeFlatIntersection(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
  out: Float64Array, limit: number,
): number {
  const axisA = projectionAxis(A, a0, A, a1, A, a2), axisB = projectionAxis(B, b0, B, b1, B, b2);
  if (axisA !== COLLINEAR && axisB !== COLLINEAR) {
    return writePlaneOverlap(A, a0, a1, a2, 3, B, b0, b1, b2, 3, axisA, out, limit);
  }
  if (axisB !== COLLINEAR) return writeSegmentInTriangle(A, a0, a1, a2, B, b0, b1, b2, axisB, out, limit);
  if (axisA !== COLLINEAR) return writeSegmentInTriangle(B, b0, b1, b2, A, a0, a1, a2, axisA, out, limit);

  const i = middleCorner(A, a0, a1, a2), p = cornerAt(i + 1, a0, a1, a2), q = cornerAt(i + 2, a0, a1, a2);
  const j = middleCorner(B, b0, b1, b2), r = cornerAt(j + 1, b0, b1, b2), s = cornerAt(j + 2, b0, b1, b2);
  const axis = commonProjectionAxis(A, p, q, B, r, s);
  return writePlaneOverlap(A, p, q, q, 2, B, r, s, s, 2, axis, out, limit);
}

/** A degenerate triangle and one with an area. */
function writeSegmentInTriangle(
  S: Float64Array, s0: number, s1: number, s2: number,
  T: Float64Array, t0: number, t1: number, t2: number,
  axis: number,
  out: Float64Array, limit: number,
): number {
  const i = middleCorner(S, s0, s1, s2), p = cornerAt(i + 1, s0, s1, s2), q = cornerAt(i + 2, s0, s1, s2);
  const sideOfP = orient3dSign(T, t0, T, t1, T, t2, S, p), sideOfQ = orient3dSign(T, t0, T, t1, T, t2, S, q);
  if (sideOfP === 0 && sideOfQ === 0) return writePlaneOverlap(S, p, q, q, 2, T, t0, t1, t2, 3, axis, out, limit);
  writeCrossing(S, p, q, sideOfP, sideOfQ, T, t0, t1, t2, out, 0);
  return 1;
}

/** Of three corners on one line, one that lies between the others (or at one of them). */
function middleCorner(P: Float64Array, p0: number, p1: number, p2: number): number {
  if (isInBox(P, p0, P, p1, p2)) return 0;
  return isInBox(P, p1, P, p2, p0) ? 1 : 2;
}

/**
 * The corners of what two figures in one plane have in common, each with 3 corners or, being a segment,
 * 2. Such a corner is a corner of A in B, or of B in A, or a point where an edge of one crosses an edge
 * of the other, inner point on inner point; no point is two of these except coinciding corners.
 * All decisions are exact; `axis` may be COLLINEAR for two segments on one line.
 */
function writePlaneOverlap(
  A: Float64Array, a0: number, a1: number, a2: number, cornersOfA: number,
  B: Float64Array, b0: number, b1: number, b2: number, cornersOfB: number,
  axis: number,
  out: Float64Array, limit: number,
): number {
  let count = 0;
  let labels = 0; // four bits for each point: corner of A, 3 + corner of B, or 6 + 3 · edge of A + edge of B
  for (let i = 0; i < cornersOfA && count < limit; i++) {
    const p = cornerAt(i, a0, a1, a2);
    if (!isInFigure(A, p, B, b0, b1, b2, cornersOfB, axis) || isAmong(A, p, out, count)) continue;
    copyPoint(A, p, out, 3 * count);
    labels |= i << (4 * count++);
  }
  for (let j = 0; j < cornersOfB && count < limit; j++) {
    const q = cornerAt(j, b0, b1, b2);
    if (!isInFigure(B, q, A, a0, a1, a2, cornersOfA, axis) || isAmong(B, q, out, count)) continue;
    copyPoint(B, q, out, 3 * count);
    labels |= (3 + j) << (4 * count++);
  }
  if (axis === COLLINEAR) return count;
  const edgesOfA = cornersOfA === 3 ? 3 : 1, edgesOfB = cornersOfB === 3 ? 3 : 1;
  for (let i = 0; i < edgesOfA; i++) {
    for (let j = 0; j < edgesOfB && count < limit; j++) {
      const p = cornerAt(i, a0, a1, a2), q = cornerAt(i + 1, a0, a1, a2);
      const r = cornerAt(j, b0, b1, b2), s = cornerAt(j + 1, b0, b1, b2);
      if (!edgesCross(A, p, q, B, r, s, axis)) continue;
      writeEdgeCrossing(A, p, q, B, r, s, axis, out, 3 * count);
      labels |= (6 + 3 * i + j) << (4 * count++);
    }
  }
  if (count > 3) orderAround(A, a0, a1, a2, B, b0, b1, b2, axis, out, count, labels);
  return count;
}

function isInFigure(
  P: Float64Array, p: number,
  T: Float64Array, t0: number, t1: number, t2: number, corners: number,
  axis: number,
): boolean {
  if (corners === 3) return isInPlaneTriangle(P, p, T, t0, t1, t2, axis);
  return axis === COLLINEAR ? isInBox(P, p, T, t0, t1) : planeSegmentsMeet(P, p, p, T, t0, t1, axis);
}

function isInBox(P: Float64Array, p: number, Q: Float64Array, q: number, r: number): boolean {
  return (
    isBetween(P[p], Q[q], Q[r]) && isBetween(P[p + 1], Q[q + 1], Q[r + 1]) && isBetween(P[p + 2], Q[q + 2], Q[r + 2])
  );
}

function isBetween(x: number, a: number, b: number): boolean {
  return (a <= x && x <= b) || (b <= x && x <= a);
}

function isAmong(P: Float64Array, p: number, points: Float64Array, count: number): boolean {
  for (let o = 0; o < 3 * count; o += 3) {
    if (P[p] === points[o] && P[p + 1] === points[o + 1] && P[p + 2] === points[o + 2]) return true;
  }
  return false;
}

/** Whether the edges cross at an inner point of both. */
function edgesCross(
  P: Float64Array, p: number, q: number,
  R: Float64Array, r: number, s: number,
  axis: number,
): boolean {
  const x = nextAxis(axis), y = lastAxis(axis);
  return (
    orient2dSign(P, p, P, q, R, r, x, y) * orient2dSign(P, p, P, q, R, s, x, y) < 0 &&
    orient2dSign(R, r, R, s, P, p, x, y) * orient2dSign(R, r, R, s, P, q, x, y) < 0
  );
}

/**
 * Brings the corners of the overlap polygon into order around it. Two of them are neighbours exactly
 * when both lie on one edge of A or of B, because the polygon lies on one side of that edge.
 */
function orderAround(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
  axis: number,
  points: Float64Array, count: number, labels: number,
): void {
  for (let k = 0; k + 2 < count; k++) {
    const edges = edgesThrough(A, a0, a1, a2, B, b0, b1, b2, axis, labelAt(labels, k));
    let next = k + 1;
    while ((edges & edgesThrough(A, a0, a1, a2, B, b0, b1, b2, axis, labelAt(labels, next))) === 0) next++;
    labels = swapLabels(labels, k + 1, next);
    swapPoints(points, 3 * (k + 1), 3 * next);
  }
}

/** The edges that a corner of the overlap lies on: bits 0 to 2 for A's, 3 to 5 for B's. */
function edgesThrough(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
  axis: number, label: number,
): number {
  if (label >= 6) return (1 << Math.trunc((label - 6) / 3)) | (8 << ((label - 6) % 3));
  if (label < 3) {
    const own = (1 << label) | (1 << ((label + 2) % 3));
    return own | (8 * edgesThroughPoint(A, cornerAt(label, a0, a1, a2), B, b0, b1, b2, axis));
  }
  const own = (1 << (label - 3)) | (1 << ((label - 1) % 3));
  return 8 * own | edgesThroughPoint(B, cornerAt(label - 3, b0, b1, b2), A, a0, a1, a2, axis);
}

function edgesThroughPoint(
  P: Float64Array, p: number,
  T: Float64Array, t0: number, t1: number, t2: number,
  axis: number,
): number {
  const x = nextAxis(axis), y = lastAxis(axis);
  return (
    Number(orient2dSign(T, t0, T, t1, P, p, x, y) === 0) +
    2 * Number(orient2dSign(T, t1, T, t2, P, p, x, y) === 0) +
    4 * Number(orient2dSign(T, t2, T, t0, P, p, x, y) === 0)
  );
}

function labelAt(labels: number, k: number): number {
  return (labels >> (4 * k)) & 15;
}

function swapLabels(labels: number, k: number, m: number): number {
  const difference = labelAt(labels, k) ^ labelAt(labels, m);
  return labels ^ (difference << (4 * k)) ^ (k === m ? 0 : difference << (4 * m));
}

function swapPoints(points: Float64Array, o: number, p: number): void {
  for (let k = 0; k < 3; k++) {
    const kept = points[o + k];
    points[o + k] = points[p + k];
    points[p + k] = kept;
  }
}
