// biome-ignore-all format: coordinates and coefficients that belong together stay on one line

import type { ContactScratch } from './continuous-scratch.ts';
import { VERTEX_FACE } from './continuous-scratch.ts';
import { refineContactTime, setVolumePairs } from './continuous-time.ts';
import { END, hasNoOtherRoot, START } from './end-roots.ts';

/*
 * Four points x₀ … x₃ move linearly. With eᵢ(t) = xᵢ - x₀ they are coplanar when the volume
 *
 *     f(t) = e₁ · (e₂ × e₃)            a cubic
 *
 * vanishes, and then Σ λᵢ xᵢ = 0, Σ λᵢ = 0 for the weights (quadratic vectors, all parallel at that time)
 *
 *     λ₁ = e₂ × e₃,   λ₂ = e₃ × e₁,   λ₃ = e₁ × e₂,   λ₀ = -(λ₁ + λ₂ + λ₃).
 *
 * Unless the points are collinear, λ is the only affine dependence. So a vertex x₀ touches the face x₁x₂x₃
 * when the signs along any axis on which λ does not vanish are (-, +, +, +) or opposite, zeros allowed, and
 * the edge x₀x₁ touches x₂x₃ when they are (+, +, -, -) or opposite. `weights` holds λ times these signs:
 * contact asks for four weights of one sign, whatever the kind.
 *
 * The filter bounds f and the weights on intervals of time by their Bernstein coefficients with rounding
 * margins. It reports only what is certain; what is left (touches on a boundary, double roots, exactly
 * coplanar motion, numbers outside its range) goes to continuous-exact.ts.
 *
 * Layout: edges   eᵢ at 6(i - 1): start xyz, end xyz
 *         weights 12 axis + 3 i + j, Bernstein coefficient j = 0, 1, 2 of weight i
 *         volume  Bernstein coefficients of 3f
 *         margins 0: of f; 1, 2, 3: of the weights along x, y, z; 4: M, the size of one product in f;
 *                 5: of f in double-double arithmetic
 *         interval 0, 1: the interval of time looked at; 2: the sign of f at its end, where it has one root
 */

/** Nothing touches before `time[0]`; that is certain. */
export const APART = 0;
/** A contact was found and is in `time[0]`. */
export const FOUND = 1;
/** The filter cannot tell. */
export const UNDECIDED = 2;
/** Nothing touches before the end of the step, that is certain; whether it touches at the end was not looked at. */
export const OPEN_AT_END = 3;

/**
 * First contact of the four points at the offsets in `points`, if floating point can tell. OPEN_AT_END is answered only
 * where `scratch.isApartAtStart` is set.
 */
export function filterContact(
  scratch: ContactScratch,
  kind: number,
  o0: number, o1: number, o2: number, o3: number,
): number {
  const { edges, time } = scratch;
  setEdges(scratch, o0, o1, o2, o3);
  if (!setMargins(scratch)) return UNDECIDED;
  setCross(scratch.weights, 3, edges, 6, 12);
  setVolume(scratch);
  if (volumeSign(scratch) !== 0) return APART;
  if (scratch.isApartAtStart && isPointAtEnd(edges)) return OPEN_AT_END;
  setOtherWeights(scratch, kind);
  const until = Math.min(1, time[0]);
  const quick = scanBetweenEnds(scratch, QUICK_WIDTH, until, o0, o1, o2, o3);
  if (quick === APART || quick === OPEN_AT_END) return quick;
  if (quick === FOUND && isLater(scratch)) return APART;
  if (quick === UNDECIDED && scratch.interval[1] === 1) {
    const shrunk = filterShrunk(scratch, kind, o0, o1, o2, o3);
    if (shrunk !== UNDECIDED) return shrunk;
    setEdges(scratch, o0, o1, o2, o3);
    setMargins(scratch);
    setCross(scratch.weights, 3, edges, 6, 12);
    setOtherWeights(scratch, kind);
  }

  setVolumePairs(scratch, o0, o1, o2, o3, 1);
  if (quick === UNDECIDED) {
    const slow = scanBetweenEnds(scratch, LEAST_WIDTH, until, o0, o1, o2, o3);
    if (slow !== FOUND) return slow;
    if (isLater(scratch)) return APART;
  }
  if (!refineContactTime(scratch)) return UNDECIDED;
  return lowerTime(scratch, scratch.at[0]);
}

/**
 * `filterContact` for points that come so close together in the step that rounding at its start hides its end: a shape
 * shrunk to little more than a point. With σ a power of two, the edges (1 - t) a + t b are positive multiples of
 * (1 - s) a + s σb where s / (1 - s) = t / (σ (1 - t)), so all signs over the step are those of edges that go from a to σb;
 * σ makes both ends of one size.
 */
function filterShrunk(
  scratch: ContactScratch,
  kind: number,
  o0: number, o1: number, o2: number, o3: number,
): number {
  const { edges, at } = scratch;
  const scale = endScale(edges);
  if (!(scale >= LEAST_SCALE && scale <= MOST_SCALE)) return UNDECIDED;
  for (let o = 3; o < 18; o += 6) {
    edges[o] *= scale;
    edges[o + 1] *= scale;
    edges[o + 2] *= scale;
  }
  if (!setMargins(scratch)) return UNDECIDED;
  setCross(scratch.weights, 3, edges, 6, 12);
  setVolume(scratch);
  if (volumeSign(scratch) !== 0) return APART;
  setOtherWeights(scratch, kind);
  setVolumePairs(scratch, o0, o1, o2, o3, scale);
  const verdict = scanBetweenEnds(scratch, LEAST_WIDTH, 1, o0, o1, o2, o3);
  if (verdict !== FOUND) return verdict;
  if (!refineContactTime(scratch)) return UNDECIDED;
  // dt/ds = σ / (1 - s + σs)² is at most 1 from s = σ^-½ on: a bound of s is one of t.
  const s = at[0];
  if (!(s * s * scale >= 1)) return UNDECIDED;
  const t = 1 - (1 - s) / (1 - s + scale * s);
  return lowerTime(scratch, Math.max(0, Math.floor(t * TIME_GRID - 1) / TIME_GRID));
}

/** A power of two by which the edges at the end are shorter than those at the start. */
function endScale(edges: Float64Array): number {
  let start = 0, end = 0;
  for (let o = 0; o < 18; o += 6) {
    start = Math.max(start, Math.abs(edges[o]), Math.abs(edges[o + 1]), Math.abs(edges[o + 2]));
    end = Math.max(end, Math.abs(edges[o + 3]), Math.abs(edges[o + 4]), Math.abs(edges[o + 5]));
  }
  return 2 ** Math.floor(Math.log2(start / end));
}

/** Ends of one size gain nothing, and a scale must keep numbers in range. */
const LEAST_SCALE = 2 ** 8, MOST_SCALE = 2 ** 200;
/** Times are multiples of 1 / TIME_GRID, which isLater relies on. One step covers the rounding of a time of `filterShrunk`. */
const TIME_GRID = 2 ** 44;

function lowerTime({ time }: ContactScratch, t: number): number {
  if (t >= time[0]) return APART;
  time[0] = t;
  return FOUND;
}

function setEdges({ edges, points }: ContactScratch, o0: number, o1: number, o2: number, o3: number): void {
  setEdge(edges, 0, points, o1, o0);
  setEdge(edges, 6, points, o2, o0);
  setEdge(edges, 12, points, o3, o0);
}

/**
 * Four points that meet in one at the end: until then they are a scaled copy of those at the start, so features that are
 * apart there touch at the end and no earlier.
 */
function isPointAtEnd(edges: Float64Array): boolean {
  return (
    edges[3] === 0 && edges[4] === 0 && edges[5] === 0 &&
    edges[9] === 0 && edges[10] === 0 && edges[11] === 0 &&
    edges[15] === 0 && edges[16] === 0 && edges[17] === 0
  );
}

/**
 * `scanTime`, for features that are apart at the start also where f vanishes at the start or at the end because the four
 * points are coplanar there: no bisection gets past such a root, but f divided by it may have none.
 */
function scanBetweenEnds(
  scratch: ContactScratch,
  leastWidth: number,
  until: number,
  o0: number, o1: number, o2: number, o3: number,
): number {
  const { interval, isApartAtStart } = scratch;
  let verdict = scanTime(scratch, leastWidth, until, 0, 1);
  if (!isApartAtStart || verdict !== UNDECIDED) return verdict;
  if (interval[0] === 0 && hasNoOtherRoot(scratch, START, o0, o1, o2, o3)) {
    verdict = scanTime(scratch, leastWidth, until, interval[1], leastWidth);
  }
  if (verdict === UNDECIDED && interval[1] === 1 && hasNoOtherRoot(scratch, END, o0, o1, o2, o3)) return OPEN_AT_END;
  return verdict;
}

/** Widths of the shortest intervals tried with f in plain and in rounded double-double arithmetic. */
const QUICK_WIDTH = 2 ** -8;
const LEAST_WIDTH = 2 ** -32;

function setEdge(edges: Float64Array, e: number, points: Float64Array, to: number, from: number): void {
  edges[e] = points[to] - points[from];
  edges[e + 1] = points[to + 1] - points[from + 1];
  edges[e + 2] = points[to + 2] - points[from + 2];
  edges[e + 3] = points[to + 3] - points[from + 3];
  edges[e + 4] = points[to + 4] - points[from + 4];
  edges[e + 5] = points[to + 5] - points[from + 5];
}

/**
 * Rounding margins, from the largest difference X, Y, Z along each axis: every product in f is at most
 * M = XYZ, every product in a weight along x at most YZ. Let u = 2⁻⁵³; a difference is right to u.
 *
 *     3f:      18 products, each through at most 10 roundings           180u M, we take 200u M
 *              and evaluated on an interval: 3 levels of 2u max|3f|     added in setVolume
 *     weights: λ₀ is the worst: 12 products (see setOtherWeights),
 *              30u + 10u YZ, evaluated on an interval: 4u · 6 YZ        64u YZ, we take 72u YZ
 *
 * UNDERFLOW covers what underflow adds, at most 64 · 2⁻¹⁰⁷⁴ times a difference. False if a difference is
 * so large (or not finite) that something above might overflow.
 */
function setMargins(scratch: ContactScratch): boolean {
  const { edges, margins } = scratch;
  let x = 0, y = 0, z = 0;
  for (let o = 0; o < 18; o += 3) {
    x = Math.max(x, Math.abs(edges[o]));
    y = Math.max(y, Math.abs(edges[o + 1]));
    z = Math.max(z, Math.abs(edges[o + 2]));
  }
  margins[1] = WEIGHT_ERROR * y * z + UNDERFLOW;
  margins[2] = WEIGHT_ERROR * z * x + UNDERFLOW;
  margins[3] = WEIGHT_ERROR * x * y + UNDERFLOW;
  margins[4] = x * y * z;
  return x < LARGEST && y < LARGEST && z < LARGEST;
}

const U = 2 ** -53;
const VOLUME_ERROR = 200 * U;
const VOLUME_EVALUATION_ERROR = 8 * U;
const WEIGHT_ERROR = 72 * U;
const LARGEST = 2 ** 300;
const UNDERFLOW = 2 ** -700;

/** The weight a(t) × b(t): Bernstein coefficients along x, y, z from `out[o]`, `out[12 + o]`, `out[24 + o]`. */
function setCross(out: Float64Array, o: number, edges: Float64Array, a: number, b: number): void {
  const ax = edges[a], ay = edges[a + 1], az = edges[a + 2];
  const bx = edges[b], by = edges[b + 1], bz = edges[b + 2];
  const cx = edges[a + 3], cy = edges[a + 4], cz = edges[a + 5];
  const dx = edges[b + 3], dy = edges[b + 4], dz = edges[b + 5];
  out[o] = ay * bz - az * by;
  out[o + 1] = 0.5 * (ay * dz - az * dy + (cy * bz - cz * by));
  out[o + 2] = cy * dz - cz * dy;
  out[o + 12] = az * bx - ax * bz;
  out[o + 13] = 0.5 * (az * dx - ax * dz + (cz * bx - cx * bz));
  out[o + 14] = cz * dx - cx * dz;
  out[o + 24] = ax * by - ay * bx;
  out[o + 25] = 0.5 * (ax * dy - ay * dx + (cx * by - cy * bx));
  out[o + 26] = cx * dy - cy * dx;
}

/** 3f = 3 e₁ · λ₁ from the weight in place. */
function setVolume(scratch: ContactScratch): void {
  const { edges, weights, volume, margins } = scratch;
  const ax = edges[0], ay = edges[1], az = edges[2];
  const bx = edges[3], by = edges[4], bz = edges[5];
  const x0 = weights[3], x1 = 2 * weights[4], x2 = weights[5];
  const y0 = weights[15], y1 = 2 * weights[16], y2 = weights[17];
  const z0 = weights[27], z1 = 2 * weights[28], z2 = weights[29];
  const f0 = 3 * (ax * x0 + ay * y0 + az * z0);
  const f1 = bx * x0 + by * y0 + bz * z0 + (ax * x1 + ay * y1 + az * z1);
  const f2 = bx * x1 + by * y1 + bz * z1 + (ax * x2 + ay * y2 + az * z2);
  const f3 = 3 * (bx * x2 + by * y2 + bz * z2);
  const largest = Math.max(Math.abs(f0), Math.abs(f1), Math.abs(f2), Math.abs(f3));
  volume[0] = f0;
  volume[1] = f1;
  volume[2] = f2;
  volume[3] = f3;
  margins[0] = VOLUME_ERROR * margins[4] + VOLUME_EVALUATION_ERROR * largest + UNDERFLOW;
}

/** The sign of f on all of [0, 1] if its coefficients show it, otherwise 0. */
function volumeSign(scratch: ContactScratch): number {
  const { volume } = scratch;
  const margin = scratch.margins[0];
  if (volume[0] > margin) return volume[1] > margin && volume[2] > margin && volume[3] > margin ? 1 : 0;
  return volume[0] < -margin && volume[1] < -margin && volume[2] < -margin && volume[3] < -margin ? -1 : 0;
}

/** Weights 2 and 3 with the sign of the kind, and weight 0 as their sum with ± weight 1. */
function setOtherWeights(scratch: ContactScratch, kind: number): void {
  const { edges, weights } = scratch;
  if (kind === VERTEX_FACE) {
    setCross(weights, 6, edges, 12, 0);
    setCross(weights, 9, edges, 0, 6);
  } else {
    setCross(weights, 6, edges, 0, 12);
    setCross(weights, 9, edges, 6, 0);
  }
  const sign = kind === VERTEX_FACE ? 1 : -1;
  for (let o = 0; o < 36; o += 12) {
    weights[o] = weights[o + 6] + weights[o + 9] + sign * weights[o + 3];
    weights[o + 1] = weights[o + 7] + weights[o + 10] + sign * weights[o + 4];
    weights[o + 2] = weights[o + 8] + weights[o + 11] + sign * weights[o + 5];
  }
}

/**
 * Walks from `start` to 1 in halves, quarters …, from left to right, beginning with an interval of `width`. FOUND:
 * `interval` is the first in which f has a root, it has one, and the features touch there. UNDECIDED: `interval` is the
 * first of at most `leastWidth` that is not settled. Only times before `until` are looked at.
 */
function scanTime(
  scratch: ContactScratch,
  leastWidth: number,
  until: number,
  start: number,
  width: number,
): number {
  const { interval } = scratch;
  while (start < until) {
    interval[0] = start;
    interval[1] = start + width;
    const roots = countRoots(scratch);
    if (roots !== NO_ROOT) {
      const weights = compareWeights(scratch);
      if (weights === TOUCHING && roots !== SOME_ROOTS) {
        interval[2] = roots === ONE_RISING ? 1 : -1;
        return FOUND;
      }
      if (weights !== MISSING) {
        if (width <= leastWidth) return UNDECIDED;
        width *= 0.5;
        continue;
      }
    }
    start += width;
    while (width < 1 && (start / width) % 2 === 0) width *= 2;
  }
  return APART;
}

/** Whether the one root of f in `interval` certainly comes after `time[0]`: there f has not changed its sign. */
function isLater({ volume, interval, margins, time }: ContactScratch): boolean {
  const t = time[0];
  if (!(t < interval[1])) return false;
  const s = 1 - t; // exact: times have at most 48 binary places
  const a0 = volume[0] * s + volume[1] * t;
  const a1 = volume[1] * s + volume[2] * t;
  const a2 = volume[2] * s + volume[3] * t;
  return ((a0 * s + a1 * t) * s + (a1 * s + a2 * t) * t) * interval[2] < -margins[0];
}

const NO_ROOT = 0, ONE_RISING = 1, ONE_FALLING = 2, SOME_ROOTS = 3;

/**
 * Roots of f in the interval, by Descartes' rule on the Bernstein coefficients there. ONE_RISING or
 * ONE_FALLING also says that f differs from zero at both ends.
 */
function countRoots(scratch: ContactScratch): number {
  const { volume, interval } = scratch;
  const margin = scratch.margins[0];
  const s = interval[0], t = interval[1];
  const f0 = volume[0], f1 = volume[1], f2 = volume[2], f3 = volume[3];
  const s1 = 1 - s, t1 = 1 - t;
  const a0 = f0 * s1 + f1 * s, a1 = f1 * s1 + f2 * s, a2 = f2 * s1 + f3 * s;
  const b0 = f0 * t1 + f1 * t, b1 = f1 * t1 + f2 * t, b2 = f2 * t1 + f3 * t;
  const aa0 = a0 * s1 + a1 * s, aa1 = a1 * s1 + a2 * s;
  const bb0 = b0 * t1 + b1 * t, bb1 = b1 * t1 + b2 * t;
  const c0 = aa0 * s1 + aa1 * s, c1 = aa0 * t1 + aa1 * t;
  const c2 = bb0 * s1 + bb1 * s, c3 = bb0 * t1 + bb1 * t;
  if (c0 > margin) {
    if (c3 > margin) return c1 > margin && c2 > margin ? NO_ROOT : SOME_ROOTS;
    return c3 < -margin && (c1 > margin || c2 < -margin) ? ONE_FALLING : SOME_ROOTS;
  }
  if (c0 < -margin) {
    if (c3 < -margin) return c1 < -margin && c2 < -margin ? NO_ROOT : SOME_ROOTS;
    return c3 > margin && (c1 < -margin || c2 > margin) ? ONE_RISING : SOME_ROOTS;
  }
  return SOME_ROOTS;
}

const MISSING = 0, TOUCHING = 1, UNCLEAR = 2;

/**
 * What the weights say about every root of f in the interval. MISSING: along some axis two weights have
 * opposite signs throughout. TOUCHING: along some axis all have one sign throughout.
 */
function compareWeights(scratch: ContactScratch): number {
  const { weights, interval, margins } = scratch;
  for (let axis = 0; axis < 3; axis++) {
    const o = 12 * axis;
    const sign0 = weightSign(weights, o, interval, margins, 1 + axis);
    const sign1 = weightSign(weights, o + 3, interval, margins, 1 + axis);
    if (sign0 * sign1 < 0) return MISSING;
    const sign2 = weightSign(weights, o + 6, interval, margins, 1 + axis);
    if (sign0 * sign2 < 0 || sign1 * sign2 < 0) return MISSING;
    const sign3 = weightSign(weights, o + 9, interval, margins, 1 + axis);
    if (sign0 * sign3 < 0 || sign1 * sign3 < 0 || sign2 * sign3 < 0) return MISSING;
    if (sign0 * sign1 * sign2 * sign3 !== 0) return TOUCHING;
  }
  return UNCLEAR;
}

/** The sign of one weight throughout the interval if its Bernstein coefficients show it, otherwise 0. */
function weightSign(
  weights: Float64Array,
  o: number,
  interval: Float64Array,
  margins: Float64Array,
  m: number,
): number {
  const margin = margins[m];
  const w0 = weights[o], w1 = weights[o + 1], w2 = weights[o + 2];
  const s = interval[0], t = interval[1];
  const s1 = 1 - s, t1 = 1 - t;
  const a0 = w0 * s1 + w1 * s, a1 = w1 * s1 + w2 * s;
  const c0 = a0 * s1 + a1 * s, c1 = a0 * t1 + a1 * t;
  const c2 = (w0 * t1 + w1 * t) * t1 + (w1 * t1 + w2 * t) * t;
  if (c0 > margin) return c1 > margin && c2 > margin ? 1 : 0;
  return c0 < -margin && c1 < -margin && c2 < -margin ? -1 : 0;
}
