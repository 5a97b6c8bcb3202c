// biome-ignore-all format: the coordinates of a point and the corners of a triangle stay on one line

import { orient2d, orient3d } from '../algebra/orient.ts';
import { fractionBits, pointFractionBits, toInteger } from './exact-integers.ts';

/*
 * Orientation signs, exact for all finite float64 input, in three steps:
 *
 *   1. a floating-point filter with a rigorous bound (decides nearly everything);
 *   2. the expansions of algebra/orient.ts, where they cannot underflow or overflow;
 *   3. integers (BigInt) for whatever is left. Only this step allocates.
 *
 * ε = 2⁻⁵³ is the unit roundoff and η = 2⁻¹⁰⁷⁵ the largest error of a product that underflows.
 */

/**
 * Relative part of the 3-D filter: 8ε. Each of the six products that make up the determinant carries
 * three subtractions, two products, one subtraction and one addition before the last addition, which
 * keeps the sign: 7ε of the permanent to first order (Shewchuk 1997, §4.3). The eighth ε covers the
 * terms in ε² and the rounding of the permanent and of the bound itself.
 */
export const ORIENT3D_ERROR = 2 ** -50;

/** Relative part of the 2-D filter: 3ε to first order, as above; 4ε with the same allowance. */
export const ORIENT2D_ERROR = 2 ** -51;

/**
 * Absolute part of both filters. A product u·v that underflows is wrong by η, and is then multiplied by
 * a third factor w; there are two such products per w, plus the products with w themselves: at most
 * (2Σ|w| + 3)η, doubled for the permanent. The bound adds 2⁷⁵η (Σ|w| + 1): far more, so that no operand
 * here is subnormal (2⁻¹⁰⁷⁰ in its place made the whole triangle test 4 times slower).
 */
export const ORIENT_UNDERFLOW = 2 ** -1000;

/**
 * On which side of the plane abc the point d lies: the sign of
 *
 *     det[b − a, c − a, d − a] = (d − a) · ((b − a) × (c − a)),
 *
 * 1 where abc is seen counter-clockwise, 0 on the plane (and whenever a, b, c are collinear).
 * Points are (array, offset of x).
 */
export function orient3dSign(
  P: Float64Array, a: number,
  Q: Float64Array, b: number,
  R: Float64Array, c: number,
  S: Float64Array, d: number,
): number {
  const sign = orient3dFilter(P, a, Q, b, R, c, S, d);
  return sign !== 0 ? sign : orient3dExactSign(P, a, Q, b, R, c, S, d);
}

/**
 * The filter of `orient3dSign`: its sign where rounding cannot have changed it, else 0 (undecided).
 * Overflow ends in an infinite or NaN bound, hence undecided.
 *
 * Twins in other languages keep this order of operations; every line is one rounding per operator.
 */
export function orient3dFilter(
  P: Float64Array, a: number,
  Q: Float64Array, b: number,
  R: Float64Array, c: number,
  S: Float64Array, d: number,
): number {
  const ax = P[a], ay = P[a + 1], az = P[a + 2];
  const ux = Q[b] - ax, uy = Q[b + 1] - ay, uz = Q[b + 2] - az;
  const vx = R[c] - ax, vy = R[c + 1] - ay, vz = R[c + 2] - az;
  const wx = S[d] - ax, wy = S[d + 1] - ay, wz = S[d + 2] - az;
  const uyvz = uy * vz, uzvy = uz * vy;
  const uzvx = uz * vx, uxvz = ux * vz;
  const uxvy = ux * vy, uyvx = uy * vx;
  const det = wx * (uyvz - uzvy) + wy * (uzvx - uxvz) + wz * (uxvy - uyvx);
  const wxAbs = Math.abs(wx), wyAbs = Math.abs(wy), wzAbs = Math.abs(wz);
  const permanent =
    wxAbs * (Math.abs(uyvz) + Math.abs(uzvy)) +
    wyAbs * (Math.abs(uzvx) + Math.abs(uxvz)) +
    wzAbs * (Math.abs(uxvy) + Math.abs(uyvx));
  const bound = ORIENT3D_ERROR * permanent + ORIENT_UNDERFLOW * (wxAbs + wyAbs + wzAbs + 1);
  return det > bound ? 1 : -det > bound ? -1 : 0;
}

/** `orient3dSign` without its filter, for callers that have filtered in their own way. */
export function orient3dExactSign(
  P: Float64Array, a: number,
  Q: Float64Array, b: number,
  R: Float64Array, c: number,
  S: Float64Array, d: number,
): number {
  if (!(isPointInRange(P, a) && isPointInRange(Q, b) && isPointInRange(R, c) && isPointInRange(S, d))) {
    return orient3dIntegerSign(P, a, Q, b, R, c, S, d);
  }
  // its sign is positive below the plane, ours above it.
  const below = orient3d(
    P[a], P[a + 1], P[a + 2], Q[b], Q[b + 1], Q[b + 2],
    R[c], R[c + 1], R[c + 2], S[d], S[d + 1], S[d + 2],
  );
  return below < 0 ? 1 : below > 0 ? -1 : 0;
}

/**
 * Whether a, b, c turn counter-clockwise (1), clockwise (−1) or not at all (0) in the projection onto
 * coordinates `x` and `y` (0, 1 or 2 each): the sign of det[b − a, c − a] there.
 */
export function orient2dSign(
  P: Float64Array, a: number,
  Q: Float64Array, b: number,
  R: Float64Array, c: number,
  x: number, y: number,
): number {
  const sign = orient2dFilter(P[a + x], P[a + y], Q[b + x], Q[b + y], R[c + x], R[c + y]);
  return sign !== 0 ? sign : orient2dExactSign(P[a + x], P[a + y], Q[b + x], Q[b + y], R[c + x], R[c + y]);
}

/** The filter of `orient2dSign`: its sign where rounding cannot have changed it, else 0 (undecided). */
export function orient2dFilter(
  ax: number, ay: number,
  bx: number, by: number,
  cx: number, cy: number,
): number {
  const left = (bx - ax) * (cy - ay);
  const right = (by - ay) * (cx - ax);
  const det = left - right;
  const bound = ORIENT2D_ERROR * (Math.abs(left) + Math.abs(right)) + ORIENT_UNDERFLOW;
  return det > bound ? 1 : -det > bound ? -1 : 0;
}

function orient2dExactSign(
  ax: number, ay: number,
  bx: number, by: number,
  cx: number, cy: number,
): number {
  const inRange =
    isInRange(ax) && isInRange(ay) && isInRange(bx) && isInRange(by) && isInRange(cx) && isInRange(cy);
  if (!inRange) return orient2dIntegerSign(ax, ay, bx, by, cx, cy);
  const clockwise = orient2d(ax, ay, bx, by, cx, cy); // its sign is the other way
  return clockwise < 0 ? 1 : clockwise > 0 ? -1 : 0;
}

/**
 * Where the expansions of algebra/orient.ts are exact: each coordinate 0 or 2⁻²⁴⁰ ≤ |x| ≤ 2²⁴⁰.
 *
 * Below: such coordinates, their differences and the tails of those are multiples of 2⁻²⁴⁰⁻⁵², the
 * halves of a split operand are multiples of what the operand is one of, so every component of every
 * product of three is a multiple of 2⁻⁸⁷⁶. That is far above 2⁻¹⁰⁷⁴, where exactness ends; and the
 * bound of their filter, 2⁻⁵⁰ of a permanent that is 0 or at least 2⁻⁸⁷⁶, is a normal number. Above:
 * no component exceeds 6 · 2³·²⁴¹, and splitting multiplies by 2²⁷.
 */
function isInRange(x: number): boolean {
  const size = Math.abs(x);
  return (size >= 2 ** -240 && size <= 2 ** 240) || size === 0;
}

function isPointInRange(P: Float64Array, p: number): boolean {
  return isInRange(P[p]) && isInRange(P[p + 1]) && isInRange(P[p + 2]);
}

function orient3dIntegerSign(
  P: Float64Array, a: number,
  Q: Float64Array, b: number,
  R: Float64Array, c: number,
  S: Float64Array, d: number,
): number {
  const bits = Math.max(
    pointFractionBits(P, a), pointFractionBits(Q, b), pointFractionBits(R, c), pointFractionBits(S, d),
  );
  const ax = toInteger(P[a], bits), ay = toInteger(P[a + 1], bits), az = toInteger(P[a + 2], bits);
  const ux = toInteger(Q[b], bits) - ax, uy = toInteger(Q[b + 1], bits) - ay, uz = toInteger(Q[b + 2], bits) - az;
  const vx = toInteger(R[c], bits) - ax, vy = toInteger(R[c + 1], bits) - ay, vz = toInteger(R[c + 2], bits) - az;
  const wx = toInteger(S[d], bits) - ax, wy = toInteger(S[d + 1], bits) - ay, wz = toInteger(S[d + 2], bits) - az;
  return signOf(wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx));
}

function orient2dIntegerSign(
  ax: number, ay: number,
  bx: number, by: number,
  cx: number, cy: number,
): number {
  const bits = Math.max(
    fractionBits(ax), fractionBits(ay), fractionBits(bx), fractionBits(by), fractionBits(cx), fractionBits(cy),
  );
  const x = toInteger(ax, bits), y = toInteger(ay, bits);
  const ux = toInteger(bx, bits) - x, uy = toInteger(by, bits) - y;
  const vx = toInteger(cx, bits) - x, vy = toInteger(cy, bits) - y;
  return signOf(ux * vy - uy * vx);
}

function signOf(n: bigint): number {
  return n > 0n ? 1 : n < 0n ? -1 : 0;
}
