// biome-ignore-all format: the coordinates of a point and the corners of a triangle stay on one line

import { pointFractionBits, ratioToNumber, sqrtRatioToNumber, toInteger } from './exact-integers.ts';

type Point = readonly [bigint, bigint, bigint];

/** Closest points of two features, on A and on B, each times `scale`, and the square of `scale` · distance. */
interface Closest {
  readonly onA: Point;
  readonly onB: Point;
  readonly scale: bigint;
  readonly gap: bigint;
}

/**
 * `triangleDistance` of two triangles that do not intersect, by integers: exact up to the rounding of
 * the results, for all finite coordinates. Never 0.
 */
export function exactTriangleDistance(
  A: Float64Array, a0: number, a1: number, a2: number,
  B: Float64Array, b0: number, b1: number, b2: number,
  out: Float64Array,
): number {
  const bits = Math.max(
    pointFractionBits(A, a0), pointFractionBits(A, a1), pointFractionBits(A, a2),
    pointFractionBits(B, b0), pointFractionBits(B, b1), pointFractionBits(B, b2),
  );
  const a = [exactPoint(A, a0, bits), exactPoint(A, a1, bits), exactPoint(A, a2, bits)];
  const b = [exactPoint(B, b0, bits), exactPoint(B, b1, bits), exactPoint(B, b2, bits)];
  const best = closestOfTriangles(a, b);

  const unit = best.scale << BigInt(bits);
  for (let k = 0; k < 3; k++) {
    out[k] = ratioToNumber(best.onA[k], unit);
    out[3 + k] = ratioToNumber(best.onB[k], unit);
  }
  return Math.max(sqrtRatioToNumber(best.gap, unit * unit), Number.MIN_VALUE);
}

function closestOfTriangles(a: readonly Point[], b: readonly Point[]): Closest {
  let best = vertexEdge(a[0], b[0], b[1]);
  const keep = (candidate: Closest | undefined): void => {
    if (candidate && isCloser(candidate, best)) best = candidate;
  };
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      keep(vertexEdge(a[i], b[j], b[(j + 1) % 3]));
      keep(swapped(vertexEdge(b[i], a[j], a[(j + 1) % 3])));
      keep(edgeEdge(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
    }
    keep(vertexFace(a[i], b[0], b[1], b[2]));
    keep(swapped(vertexFace(b[i], a[0], a[1], a[2])));
  }
  return best;
}

function isCloser(a: Closest, b: Closest): boolean {
  return a.gap * (b.scale * b.scale) < b.gap * (a.scale * a.scale);
}

function swapped(c: Closest | undefined): Closest | undefined {
  return c && { onA: c.onB, onB: c.onA, scale: c.scale, gap: c.gap };
}

function vertexEdge(p: Point, q: Point, r: Point): Closest {
  const v = subtract(r, q);
  const along = dot(subtract(p, q), v), length = dot(v, v);
  if (along <= 0n) return between(p, q, 1n);
  if (along >= length) return between(p, r, 1n);
  return between(times(p, length), add(times(q, length), times(v, along)), length);
}

/** Where the lines pq and rs are closest, if that is inside both edges. */
function edgeEdge(p: Point, q: Point, r: Point, s: Point): Closest | undefined {
  const u = subtract(q, p), v = subtract(s, r), w = subtract(r, p);
  const n = cross(u, v), nn = dot(n, n);
  if (nn === 0n) return undefined; // parallel: a vertex is as close
  const onPQ = dot(cross(w, v), n), onRS = dot(cross(w, u), n);
  if (onPQ < 0n || onPQ > nn || onRS < 0n || onRS > nn) return undefined;
  return between(add(times(p, nn), times(u, onPQ)), add(times(r, nn), times(v, onRS)), nn);
}

/** The foot of p on the plane abc, if it is inside the triangle. */
function vertexFace(p: Point, a: Point, b: Point, c: Point): Closest | undefined {
  const u = subtract(b, a), v = subtract(c, a), w = subtract(p, a);
  const n = cross(u, v), nn = dot(n, n);
  const s = dot(cross(w, v), n), t = dot(cross(u, w), n);
  if (nn === 0n || s < 0n || t < 0n || s + t > nn) return undefined;
  return between(times(p, nn), add(times(a, nn), add(times(u, s), times(v, t))), nn);
}

function between(onA: Point, onB: Point, scale: bigint): Closest {
  const gap = subtract(onA, onB);
  return { onA, onB, scale, gap: dot(gap, gap) };
}

function exactPoint(P: Float64Array, p: number, bits: number): Point {
  return [toInteger(P[p], bits), toInteger(P[p + 1], bits), toInteger(P[p + 2], bits)];
}

function add(p: Point, q: Point): Point {
  return [p[0] + q[0], p[1] + q[1], p[2] + q[2]];
}

function subtract(p: Point, q: Point): Point {
  return [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
}

function times(p: Point, factor: bigint): Point {
  return [p[0] * factor, p[1] * factor, p[2] * factor];
}

function dot(p: Point, q: Point): bigint {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

function cross(p: Point, q: Point): Point {
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
}
