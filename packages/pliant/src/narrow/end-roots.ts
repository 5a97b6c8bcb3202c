// biome-ignore-all format: offsets and coefficients that belong together stay on one line

import type { ContactScratch } from './continuous-scratch.ts';
import { orient2dSign, orient3dSign } from './orient.ts';

/*
 * Roots of the volume f of four moving points (continuous-filter.ts) at the very start or end of a step. They come in
 * bulk when a shape is flattened or shrunk to a line or a point, or grows out of one: all its points are then coplanar at
 * one end. With edges (1 - t) aᵢ + t bᵢ,
 *
 *     f = (1-t)³ |a a a| + (1-t)² t Σ|a a b| + (1-t) t² Σ|a b b| + t³ |b b b|.
 *
 * Points that are coplanar at the end have |b b b| = 0, so f = (1 - t) g with g quadratic; collinear points have
 * |a b b| = 0 as well, so f = (1 - t)² g with g linear. Both are decided exactly. Where g has one sign, f has no root but the
 * one at the end. The start is the same with t and 1 - t exchanged.
 */

/** Offset of the coordinates at the start and at the end of the step in a point of `ContactScratch.points`. */
export const START = 0;
export const END = 3;

/**
 * True proves that f has no root in `scratch.interval` except at `side`, START or END, which is one end of the interval.
 * False says nothing. `scratch.volume` and its margin must be set.
 */
export function hasNoOtherRoot(
  scratch: ContactScratch, side: number,
  o0: number, o1: number, o2: number, o3: number,
): boolean {
  const { points, volume, interval } = scratch;
  const a = o0 + side, b = o1 + side, c = o2 + side, d = o3 + side;
  if (orient3dSign(points, a, points, b, points, c, points, d) !== 0) return false;
  const isLinear =
    areCollinear(points, a, b, c) && areCollinear(points, a, b, d) && areCollinear(points, a, c, d);
  // Coefficients of 3f from `side` towards the other end: the last of them vanish at the other end of this order.
  const isEnd = side === END;
  const f0 = isEnd ? volume[0] : volume[3];
  const f1 = isEnd ? volume[1] : volume[2];
  const f2 = isEnd ? volume[2] : volume[1];
  const w = interval[1] - interval[0]; // the interval is the last w of the step, seen so
  // fⱼ = gⱼ (3 - j) / 3 for a quadratic g; a linear one is raised to degree two below.
  const g2 = isLinear ? 3 * f1 : 3 * f2;
  const g0 = f0;
  const g1 = isLinear ? 0.5 * (g0 + g2) : 1.5 * f1;
  const s = 1 - w;
  const c1 = g1 * w + g2 * s;
  const c0 = (g0 * w + g1 * s) * w + c1 * s;
  // A coefficient of g is at most three of f: 3 margins, and rounding here, 18u of the largest, is within a fourth.
  const margin = 4 * scratch.margins[0];
  if (c0 > margin) return c1 > margin && g2 > margin;
  return c0 < -margin && c1 < -margin && g2 < -margin;
}

/** Whether three points lie on a line, exactly. */
function areCollinear(P: Float64Array, a: number, b: number, c: number): boolean {
  return (
    orient2dSign(P, a, P, b, P, c, 0, 1) === 0 &&
    orient2dSign(P, a, P, b, P, c, 1, 2) === 0 &&
    orient2dSign(P, a, P, b, P, c, 2, 0) === 0
  );
}
