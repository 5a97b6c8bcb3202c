// biome-ignore-all format: coordinates and coefficients that belong together stay on one line

import { setDifferencePair, setLerpPair, setProductPair, setSumPair } from '../algebra/double-double.ts';
import type { ContactScratch } from './continuous-scratch.ts';

/*
 * The second step of the filter. A time right to 2⁻⁴⁰ is more than plain float64 can promise: when things
 * move by a thousandth of their size, the rounding errors of f alone shift its root by more. So f is formed
 * once more in double-double arithmetic, and its sign proved just before and just after the root.
 *
 * Layout of `pairs`, in double-doubles: 0-17 the edges as in `edges`, 18-26 λ₁, 27-30 the Bernstein
 * coefficients of 3f, 31-39 temporaries. `at[0]` is the time at which f is evaluated.
 */
const E1_START = 0, E1_END = 6;
const E2_START = 12, E2_END = 18, E3_START = 24, E3_END = 30;
const LAMBDA = 36;
const VOLUME = 54;
const TEMPORARY = 62;
const PRODUCT = 78;

/**
 * 3f in double-double arithmetic, for edges whose ends are multiplied by `endScale`, a power of two; rounded, it replaces
 * `volume` and `margins[0]`. With u = 2⁻⁵³ each of the
 * 18 products goes through two multiplications (8u² each) and at most five additions (3u² each): 31u² · 18 M,
 * we take 1024u² M. Rounding to float64 adds u, evaluation on an interval 8u of the largest coefficient.
 */
export function setVolumePairs(
  scratch: ContactScratch,
  o0: number,
  o1: number,
  o2: number,
  o3: number,
  endScale: number,
): void {
  const { points, pairs, volume, margins } = scratch;
  setEdgePairs(pairs, 0, points, o1, o0, endScale);
  setEdgePairs(pairs, 12, points, o2, o0, endScale);
  setEdgePairs(pairs, 24, points, o3, o0, endScale);
  setCrossPairs(pairs);
  setDot(pairs, VOLUME, E1_START, LAMBDA);
  setDot(pairs, VOLUME + 2, E1_END, LAMBDA);
  setDot(pairs, TEMPORARY, E1_START, LAMBDA + 6);
  setSumPair(pairs, VOLUME + 2, VOLUME + 2, TEMPORARY, 1);
  setDot(pairs, VOLUME + 4, E1_END, LAMBDA + 6);
  setDot(pairs, TEMPORARY, E1_START, LAMBDA + 12);
  setSumPair(pairs, VOLUME + 4, VOLUME + 4, TEMPORARY, 1);
  setDot(pairs, VOLUME + 6, E1_END, LAMBDA + 12);
  triple(pairs, VOLUME);
  triple(pairs, VOLUME + 6);

  volume[0] = pairs[VOLUME];
  volume[1] = pairs[VOLUME + 2];
  volume[2] = pairs[VOLUME + 4];
  volume[3] = pairs[VOLUME + 6];
  const largest = Math.max(
    Math.abs(volume[0]),
    Math.abs(volume[1]),
    Math.abs(volume[2]),
    Math.abs(volume[3]),
  );
  margins[0] = ROUNDED_ERROR * largest + PAIR_ERROR * margins[4] + UNDERFLOW;
  margins[5] = EVALUATION_ERROR * largest + PAIR_ERROR * margins[4] + UNDERFLOW;
}

const U = 2 ** -53;
const PAIR_ERROR = 1024 * U * U;
const ROUNDED_ERROR = 10 * U;
const EVALUATION_ERROR = 32 * U * U; // three levels of setLerpPair, 8u² each, and some room
const UNDERFLOW = 2 ** -700;

/** An edge of continuous-filter.ts, exactly, its end times a power of two. */
function setEdgePairs(
  pairs: Float64Array,
  e: number,
  points: Float64Array,
  to: number,
  from: number,
  endScale: number,
): void {
  for (let i = 0; i < 6; i++) setDifferencePair(pairs, e + 2 * i, points, to + i, points, from + i);
  for (let i = 6; i < 12; i++) pairs[e + i] *= endScale;
}

/** e₂ × e₃ at LAMBDA: start · start, then start · end + end · start, then end · end. */
function setCrossPairs(pairs: Float64Array): void {
  setCross(pairs, LAMBDA, E2_START, E3_START);
  setCross(pairs, LAMBDA + 6, E2_START, E3_END);
  setCross(pairs, LAMBDA + 12, E2_END, E3_START);
  setSumPair(pairs, LAMBDA + 6, LAMBDA + 6, LAMBDA + 12, 1);
  setSumPair(pairs, LAMBDA + 8, LAMBDA + 8, LAMBDA + 14, 1);
  setSumPair(pairs, LAMBDA + 10, LAMBDA + 10, LAMBDA + 16, 1);
  setCross(pairs, LAMBDA + 12, E2_END, E3_END);
}

function setCross(pairs: Float64Array, o: number, a: number, b: number): void {
  setMinor(pairs, o, a + 2, b + 4, a + 4, b + 2);
  setMinor(pairs, o + 2, a + 4, b, a, b + 4);
  setMinor(pairs, o + 4, a, b + 2, a + 2, b);
}

/** a·b - c·d */
function setMinor(pairs: Float64Array, o: number, a: number, b: number, c: number, d: number): void {
  setProductPair(pairs, o, a, b);
  setProductPair(pairs, PRODUCT, c, d);
  setSumPair(pairs, o, o, PRODUCT, -1);
}

function setDot(pairs: Float64Array, o: number, a: number, b: number): void {
  setProductPair(pairs, o, a, b);
  setProductPair(pairs, PRODUCT, a + 2, b + 2);
  setSumPair(pairs, o, o, PRODUCT, 1);
  setProductPair(pairs, PRODUCT, a + 4, b + 4);
  setSumPair(pairs, o, o, PRODUCT, 1);
}

function triple(pairs: Float64Array, o: number): void {
  pairs[PRODUCT] = 2 * pairs[o];
  pairs[PRODUCT + 1] = 2 * pairs[o + 1];
  setSumPair(pairs, o, o, PRODUCT, 1);
}

/**
 * The root of f in `interval`, at whose ends f has proved and opposite signs, goes to `at[0]`, rounded
 * down by at most 2⁻⁴¹. False if the signs at both ends of so narrow a bracket cannot be proved.
 */
export function refineContactTime(scratch: ContactScratch): boolean {
  const { interval, at } = scratch;
  const endSign = interval[2];
  guessRoot(scratch);
  const guess = Math.floor(at[0] * GRID);
  let low = interval[0] * GRID;
  let high = interval[1] * GRID;
  let next = guess > low + 2 ? guess - 2 : guess + 2;
  // The guess is nearly always right, so that two signs settle it. Otherwise bisection goes on from there.
  while (high - low > 8) {
    if (!(next > low && next < high)) next = Math.floor(0.5 * (low + high));
    at[0] = next / GRID;
    const sign = provedSign(scratch);
    if (sign === 0) return false;
    if (sign === endSign) high = next;
    else low = next;
    next = next === guess - 2 ? guess + 2 : low;
  }
  at[0] = low / GRID;
  return true;
}

/** Times are multiples of 1 / GRID: 1 - t is then exact, and so are the ends of intervals. */
const GRID = 2 ** 44;

/** at[0] becomes a guess of the root: Newton's method kept inside a shrinking bracket. */
function guessRoot(scratch: ContactScratch): void {
  const { volume, interval, at } = scratch;
  const endSign = interval[2];
  const f0 = volume[0], f1 = volume[1], f2 = volume[2], f3 = volume[3];
  let low = interval[0];
  let high = interval[1];
  let t = 0.5 * (low + high);
  for (let step = 0; step < MAX_STEPS; step++) {
    const s = 1 - t;
    const a0 = f0 * s + f1 * t, a1 = f1 * s + f2 * t, a2 = f2 * s + f3 * t;
    const b0 = a0 * s + a1 * t, b1 = a1 * s + a2 * t;
    const value = b0 * s + b1 * t;
    if (value * endSign > 0) high = t;
    else low = t;
    let next = t - value / (3 * (b1 - b0));
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const isSettled = Math.abs(next - t) < 0.25 / GRID;
    t = next;
    if (isSettled) break;
  }
  at[0] = t;
}

const MAX_STEPS = 60;

/** The sign of f at at[0], or 0 if double-double arithmetic cannot tell. */
function provedSign(scratch: ContactScratch): number {
  const { pairs, margins, at } = scratch;
  const o = TEMPORARY;
  setLerpPair(pairs, o, VOLUME, VOLUME + 2, at);
  setLerpPair(pairs, o + 2, VOLUME + 2, VOLUME + 4, at);
  setLerpPair(pairs, o + 4, VOLUME + 4, VOLUME + 6, at);
  setLerpPair(pairs, o, o, o + 2, at);
  setLerpPair(pairs, o + 2, o + 2, o + 4, at);
  setLerpPair(pairs, o, o, o + 2, at);
  return pairs[o] > margins[5] ? 1 : pairs[o] < -margins[5] ? -1 : 0;
}
