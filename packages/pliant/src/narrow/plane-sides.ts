// biome-ignore-all format: the coordinates of a point and the corners of a triangle stay on one line

import { orient3dSign } from './orient.ts';

/** Sides of three points as one number: (s₀ + 1) + 3 (s₁ + 1) + 9 (s₂ + 1), each s in −1, 0, 1. */
export const ALL_BELOW = 0;
export const ALL_ON = 13;
export const ALL_ABOVE = 26;

/** The exact sides of q₀, q₁, q₂ against the plane p₀p₁p₂; ALL_ON if that triangle is degenerate. */
export function sidesOfPlane(
  P: Float64Array, p0: number, p1: number, p2: number,
  Q: Float64Array, q0: number, q1: number, q2: number,
): number {
  const s0 = orient3dSign(P, p0, P, p1, P, p2, Q, q0);
  const s1 = orient3dSign(P, p0, P, p1, P, p2, Q, q1);
  const s2 = orient3dSign(P, p0, P, p1, P, p2, Q, q2);
  return ALL_ON + s0 + 3 * s1 + 9 * s2;
}

/** The side, −1, 0 or 1, of the i-th point. */
export function sideOf(sides: number, i: number): number {
  return (Math.trunc(i === 0 ? sides : i === 1 ? sides / 3 : sides / 9) % 3) - 1;
}

/**
 * The corner that is strictly above or strictly below both others, given that the three sides are not
 * all the same. The triangle meets the plane between the two edges that leave this corner.
 */
export function apexOf(sides: number): number {
  const s0 = sideOf(sides, 0), s1 = sideOf(sides, 1), s2 = sideOf(sides, 2);
  if (s1 === s2) return 0;
  if (s0 === s2) return 1;
  if (s0 === s1) return 2;
  return s0 > 0 ? 0 : s1 > 0 ? 1 : 2; // above, on and below: the one above
}

/** Whether the apex is below the other two corners; otherwise it is above them. */
export function isApexBelow(sides: number, apex: number): boolean {
  return sideOf(sides, apex) < sideOf(sides, apex === 0 ? 1 : 0);
}

/** Corner i of three; i runs on past 2 to 0 again. No branches: which corner it is cannot be predicted. */
export function cornerAt(i: number, p0: number, p1: number, p2: number): number {
  return p0 + (p1 - p0) * Number(i % 3 === 1) + (p2 - p0) * Number(i % 3 === 2);
}
