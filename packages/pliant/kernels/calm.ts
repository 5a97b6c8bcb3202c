import { addLoose, joinEnergies, sumEnergies } from './energy';
import { fitCone, testOutline } from './outline';
import { addSegments, countPairs } from './parts';

/**
 * Goes through patches and pairs of patches in the order of the static front and leaves out what is deformed too little
 * to touch, or is smooth enough (./outline); what is left goes to ./parts. See src/cull/energy/energy-layout.ts for the layouts.
 *
 * Touching takes ‖Σ aX‖ = ‖Σ a u‖ ≤ ‖Lu‖ √g(a) with u = Ax − X, for every matrix A: so ‖A Lx − LX‖ < √E proves that
 * nothing touches. A is the best one in the sum of squares, and the norm is the largest singular value.
 */

const NONE: u32 = 0xffffffff;
/** Of C_xx, added to its diagonal: flat patches leave it singular, but for what rounding does to float32. */
const RIDGE: f64 = 1e-6;
/** Of sizes: Grams are of the order of 1, and what is below the range of float32 is lost to them. */
const LOST: f64 = 7.888609052210118e-31; // 2^-100
/** Rounding of the test itself. */
const KEEP: f64 = 1.0 - 9.094947017729282379150390625e-13; // 2^-40

// The header.
const ITEMS: usize = 0;
const ITEM_COUNT: usize = 4;
const PATCHES: usize = 8;
const STAMP: usize = 12;
const NEAR: usize = 16; // room for the points of a patch
const SLOTS: usize = 20; // and at the end of a motion
const GRAMS: usize = 28; // and at the end of a motion
const SWEPT: usize = 36;
const SPARE: usize = 40; // the Gram for pairs
const CLEARED: usize = 52;
const CLEARED_COUNT: usize = 64;
const OPEN_COUNT: usize = 104;
const TESTS: usize = 68;
const BOXES: usize = 72; // of small patches, and at the end of a motion
const SEGMENT_COUNT: usize = 84;
const POINTS: usize = 88; // and at the end of a motion
const SMALL_COUNT: usize = 116;
const ALL_ROWS: usize = 120; // of small patches, one after the other
const LEFT: usize = 124; // pairs of the front
const ROW_COUNTS: usize = 180;
const LOOSE: usize = 184; // Grams, and at the end of a motion
const KNOWN: usize = 192; // the stamp of the motion at whose end this one starts; NONE: there is none
const NODE_COUNT: usize = 196; // patches that are nodes: the first ones
const RESTS: usize = 200; // LX of each slot
const FAILED: usize = 204;
const SUM_COUNT: usize = 236; // small patches whose energies were summed
const PROVED: usize = 240; // u8 per small patch: by what something was proved about it in this pose
const WAYS: usize = 244; // u8 per small patch: 1 when that was an outline, in the last pose that says so

const ITEM: usize = 248;
const PATCH: usize = 24;
// Of an item: √E, roundings and the Gram of LX; and the same for loose Grams.
const LIMITS: usize = 48;
const LOOSE_LIMITS: usize = 128;
const CORNERS: usize = 212; // of the outline; 0: there is none
const PARTS: usize = 224; // two ranges of small patches
// The stamp from which on something is tried again, and how often it has failed on end.
const DUE: usize = 36;
const OUTLINE_DUE: usize = 216;
const BY_OUTLINE: u8 = 1;
const BY_ENERGY: u8 = 2;
const OWN: usize = 32; // the stamp with which an outline that encloses it has been proved
const OF_NODES: usize = 240; // addresses of the items of its two nodes with themselves; 0: none

// What is found out about Grams; only the first proves anything.
const CALM: u32 = 1;
const FAR: u32 = 0;
const NEARLY: u32 = 2;

/** Boxes of all small patches, and of each its cone or its energies: what served it last. */
export function survey(header: usize): void {
  const count = load<u32>(header, SMALL_COUNT);
  const proved = <usize>load<u32>(header, PROVED), ways = <usize>load<u32>(header, WAYS);
  let cones: u32 = 0;
  for (let k: usize = 0; k < <usize>count; k++) {
    const by = load<u8>(proved + k);
    if (by == BY_OUTLINE || by == BY_ENERGY) store<u8>(ways + k, by & BY_OUTLINE);
    store<u8>(proved + k, 0);
    cones += load<u8>(ways + k);
  }
  if (cones == 0) {
    sumSmall(header);
    return;
  }
  for (let k: u32 = 0; k < count; k++) {
    if (load<u8>(ways + <usize>k)) fitCone(header, k);
    else sumPatch(header, k);
  }
}

/** Energies and boxes of all small patches, and loose Grams of nodes above them. */
function sumSmall(header: usize): void {
  const count = load<u32>(header, SMALL_COUNT), stamp = load<u32>(header, STAMP);
  const nodeCount = load<u32>(header, NODE_COUNT), patches = <usize>load<u32>(header, PATCHES);
  const above = patches + (<usize>count) * PATCH, last = patches + (<usize>nodeCount) * PATCH;
  const ends: usize = load<u32>(header, SWEPT) ? 8 : 4;
  const known = load<u32>(header, KNOWN);
  let from: usize = known == NONE ? 0 : 4;
  for (let entry = patches; entry < last; entry += PATCH) if (load<u32>(entry, 20) != known) from = 0;
  store<u32>(header, load<u32>(header, SUM_COUNT) + count, SUM_COUNT);
  for (let end = from; end < ends; end += 4) {
    const loose = <usize>load<u32>(header + end, LOOSE);
    sumEnergies(
      load<u32>(header, ALL_ROWS), load<u32>(header, ROW_COUNTS), count, load<u32>(header + end, POINTS),
      load<u32>(header, NEAR), load<u32>(header + end, SLOTS), load<u32>(header + end, GRAMS), loose,
      load<u32>(header + end, BOXES));
    let out = loose + ((<usize>count) << 7);
    for (let entry = above; entry < last; entry += PATCH, out += 128) {
      addLoose(loose + ((<usize>load<u32>(entry)) << 7), loose + ((<usize>load<u32>(entry, 4)) << 7), out);
    }
  }
  for (let entry = patches; entry < above; entry += PATCH) store<u32>(entry, stamp, 16);
  for (let entry = patches; entry < last; entry += PATCH) store<u32>(entry, stamp, 20);
}

/** Of each small patch: with more proofs that fail, the others are not worth trying. */
const MOST_FAILURES: u32 = 2;

/**
 * What is left goes to the lists of the header, as do items that were left out and have exceptions. Gives up when much has
 * failed: there is then no room for what is left.
 */
export function listCalm(header: usize): void {
  const stamp = load<u32>(header, STAMP);
  const count = load<u32>(header, ITEM_COUNT), items = <usize>load<u32>(header, ITEMS);
  let cleared = <usize>load<u32>(header, CLEARED);
  const most = MOST_FAILURES * load<u32>(header, SMALL_COUNT);
  let at: u32 = 0, tests: u32 = 0, failed: u32 = 0;
  for (let k: u32 = 0; k < count && failed <= most;) {
    const item = items + (<usize>k) * ITEM;
    let isClear = load<u32>(item, OWN) == stamp;
    if (!isClear && hasOutline(header, item) && load<u32>(item, OUTLINE_DUE) <= stamp) {
      isClear = tryOutline(header, item, stamp);
    }
    if (!isClear && load<f64>(item, LIMITS) > 0 && load<u32>(item, DUE) <= stamp) {
      tests++;
      isClear = test(header, item, false) == 1;
      failed += u32(!isClear);
      note(item + DUE, stamp, isClear);
      if (isClear) mark(header, item, BY_ENERGY);
    }
    if (isClear) {
      addSegments(header, at, load<u32>(item, 20));
      at = load<u32>(item, 24);
      store<u32>(cleared, k);
      cleared += (<usize>load<u32>(item, 44)) << 2;
      k = load<u32>(item, 16);
      continue;
    }
    k++;
  }
  if (failed > most) store<u32>(header, NONE, OPEN_COUNT);
  else addSegments(header, at, load<u32>(header, SEGMENT_COUNT));
  store<u32>(header, <u32>((cleared - <usize>load<u32>(header, CLEARED)) >> 2), CLEARED_COUNT);
  store<u32>(header, tests, TESTS), store<u32>(header, failed, FAILED);
}

/** Of two nodes in one outline neither touches itself. */
function tryOutline(header: usize, item: usize, stamp: u32): bool {
  const isClear = testOutline(header, item) == 1;
  note(item + OUTLINE_DUE, stamp, isClear);
  if (!isClear) return false;
  mark(header, item, BY_OUTLINE);
  const first = <usize>load<u32>(item, OF_NODES), second = <usize>load<u32>(item, OF_NODES + 4);
  if (first) store<u32>(first, stamp, OWN);
  if (second) store<u32>(second, stamp, OWN);
  return true;
}

/** Small patches in a part of which the outline is tried in any case. */
const LARGE: u32 = 48;

/**
 * True when an outline is worth trying: it is that of a large part, or outlines served its small patches last, as far as the
 * first one of each node tells. Where energies do, these are quicker.
 */
function hasOutline(header: usize, item: usize): bool {
  if (load<u32>(item, CORNERS) == 0) return false;
  const first = load<u32>(item, PARTS), second = load<u32>(item, PARTS + 8), end = load<u32>(item, PARTS + 12);
  if (load<u32>(item, PARTS + 4) - first + (end - second) >= LARGE) return true;
  const ways = <usize>load<u32>(header, WAYS);
  return load<u8>(ways + <usize>first) != 0 && (end == 0 || load<u8>(ways + <usize>second) != 0);
}

/** Notes of small patches what has proved something about them. */
function mark(header: usize, item: usize, by: u8): void {
  const proved = <usize>load<u32>(header, PROVED);
  for (let range: usize = 0; range < 16; range += 8) {
    const end = proved + <usize>load<u32>(item + range, PARTS + 4);
    for (let o = proved + <usize>load<u32>(item + range, PARTS); o < end; o++) store<u8>(o, load<u8>(o) | by);
  }
}

/** What fails in one pose is likely to fail in the next: it is left alone for 1, 3, … 31 poses. */
function note(due: usize, stamp: u32, isClear: bool): void {
  const failures: u32 = isClear ? 0 : min<u32>(5, load<u32>(due, 4) + 1);
  store<u32>(due, failures, 4);
  if (!isClear) store<u32>(due, stamp + (1 << failures));
}

/** Goes through an item and what is below it as `listCalm` would, only to count. Adds to TESTS, FAILED and LEFT. */
export function sampleCalm(header: usize, first: u32): void {
  const items = <usize>load<u32>(header, ITEMS), top = items + (<usize>first) * ITEM;
  const last = load<u32>(top, 16);
  let at = load<u32>(top, 20), tests: u32 = 0, failed: u32 = 0, left: u32 = 0;
  for (let k = first; k < last;) {
    const item = items + (<usize>k) * ITEM;
    k++;
    const isSmooth = hasOutline(header, item);
    let isClear = isSmooth && testOutline(header, item) == 1;
    if (!isClear && load<f64>(item, LIMITS) > 0) {
      tests++;
      isClear = test(header, item, false) == 1;
      failed += u32(!isClear);
    }
    // What a list does not try yet it will, when those of larger parts have served.
    if (!isClear && !isSmooth && load<u32>(item, CORNERS)) isClear = testOutline(header, item) == 1;
    if (!isClear) continue;
    left += countPairs(header, at, load<u32>(item, 20));
    at = load<u32>(item, 24), k = load<u32>(item, 16);
  }
  left += countPairs(header, at, load<u32>(top, 24));
  store<u32>(header, load<u32>(header, TESTS) + tests, TESTS);
  store<u32>(header, load<u32>(header, FAILED) + failed, FAILED);
  store<u32>(header, load<u32>(header, LEFT) + left, LEFT);
}

/** 1 proves that nothing touches within a patch, or between two. */
export function testCalm(header: usize, item: usize): u32 {
  return test(header, item, true);
}

/**
 * Loose Grams are tried first: they are quick to have. Where they are far off, or the patch is large, others are summed only
 * to be `thorough`.
 */
function test(header: usize, item: usize, thorough: bool): u32 {
  const last: usize = load<u32>(header, SWEPT) ? 4 : 0;
  const other = load<u32>(item, 4), spare = load<u32>(header, SPARE);
  let gram = load<u32>(item), wide = gram;
  addPatch(header, gram);
  if (other != NONE) {
    addPatch(header, other);
    addBoth(header, gram, other, spare, 0);
    wide = spare;
  }
  const ws = <usize>load<u32>(header, LOOSE) + ((<usize>wide) << 7);
  const wt = <usize>load<u32>(header + last, LOOSE) + ((<usize>wide) << 7);
  if (load<f64>(item, LOOSE_LIMITS) > 0) {
    const answer = isCalm(item, LOOSE_LIMITS, ws, wt, ws, wt);
    if (answer == CALM) return CALM;
    if (!thorough && (answer == FAR || load<u32>(item, 28))) return 0;
  }
  sumPatch(header, gram);
  if (other != NONE) {
    sumPatch(header, other);
    join(header, gram, other, load<u32>(item, 8), load<u32>(item, 12), spare, 0);
    gram = spare;
  }
  const s = <usize>load<u32>(header, GRAMS) + ((<usize>gram) << 7);
  const t = <usize>load<u32>(header + last, GRAMS) + ((<usize>gram) << 7);
  return u32(isCalm(item, LIMITS, s, t, ws, wt) == CALM);
}

/** The loose Gram of a patch from those of its halves, unless it is there. */
function addPatch(header: usize, patch: u32): void {
  const entry = <usize>load<u32>(header, PATCHES) + (<usize>patch) * PATCH;
  if (load<u32>(entry, 20) == load<u32>(header, STAMP)) return;
  const left = load<u32>(entry), right = load<u32>(entry, 4);
  if (left == NONE) {
    sumPatch(header, patch);
    return;
  }
  const from = firstEnd(header, load<u32>(entry, 20));
  store<u32>(entry, load<u32>(header, STAMP), 20);
  addPatch(header, left);
  addPatch(header, right);
  addBoth(header, left, right, patch, from);
}

/** The end of a motion alone, where the start is known from the last one. */
// @ts-ignore: decorator
@inline
function firstEnd(header: usize, stamp: u32): usize {
  return stamp == load<u32>(header, KNOWN) ? 4 : 0;
}

function addBoth(header: usize, a: u32, b: u32, out: u32, from: usize): void {
  for (let end = from, ends: usize = load<u32>(header, SWEPT) ? 8 : 4; end < ends; end += 4) {
    const loose = <usize>load<u32>(header + end, LOOSE);
    addLoose(loose + ((<usize>a) << 7), loose + ((<usize>b) << 7), loose + ((<usize>out) << 7));
  }
}

/** The Gram of a patch from its rows, or from those of its halves, unless it is there. */
function sumPatch(header: usize, patch: u32): void {
  const entry = <usize>load<u32>(header, PATCHES) + (<usize>patch) * PATCH;
  const stamp = load<u32>(entry, 16);
  if (stamp == load<u32>(header, STAMP)) return;
  const from = firstEnd(header, stamp);
  store<u32>(entry, load<u32>(header, STAMP), 16);
  const left = load<u32>(entry), right = load<u32>(entry, 4);
  if (left == NONE) {
    store<u32>(entry, load<u32>(header, STAMP), 20);
    store<u32>(header, load<u32>(header, SUM_COUNT) + 1, SUM_COUNT);
    for (let end = from, ends: usize = load<u32>(header, SWEPT) ? 8 : 4; end < ends; end += 4) {
      sumEnergies(
        right, entry + 8, 1, load<u32>(header + end, POINTS), load<u32>(header, NEAR), load<u32>(header + end, SLOTS),
        <usize>load<u32>(header + end, GRAMS) + ((<usize>patch) << 7),
        <usize>load<u32>(header + end, LOOSE) + ((<usize>patch) << 7),
        <usize>load<u32>(header + end, BOXES) + (<usize>patch) * 48);
    }
    return;
  }
  sumPatch(header, left);
  sumPatch(header, right);
  join(header, left, right, load<u32>(entry, 8), load<u32>(entry, 12), patch, from);
}

function join(header: usize, a: u32, b: u32, shared: u32, count: u32, out: u32, from: usize): void {
  for (let end = from, ends: usize = load<u32>(header, SWEPT) ? 8 : 4; end < ends; end += 4) {
    const grams = <usize>load<u32>(header + end, GRAMS);
    joinEnergies(
      grams + ((<usize>a) << 7), grams + ((<usize>b) << 7), shared, count,
      load<u32>(header + end, SLOTS), load<u32>(header, RESTS), grams + ((<usize>out) << 7));
  }
}

/**
 * Grams at s, and at t for the end of a motion; the same when there is none; and loose ones, whose traces are no less than
 * those of everything that was added up. A = B C^-1 for the sums of both, by elimination; 0 when C is nothing.
 */
function isCalm(item: usize, which: usize, s: usize, t: usize, ws: usize, wt: usize): u32 {
  const ridge = RIDGE * (load<f64>(s) + load<f64>(s, 24) + load<f64>(s, 56)
    + (load<f64>(t) + load<f64>(t, 24) + load<f64>(t, 56)));
  const xx = load<f64>(s) + load<f64>(t) + ridge;
  const xy = load<f64>(s, 8) + load<f64>(t, 8);
  const xz = load<f64>(s, 32) + load<f64>(t, 32), yz = load<f64>(s, 40) + load<f64>(t, 40);
  const ix = 1.0 / xx;
  const l1 = xy * ix, l2 = xz * ix;
  const yy = load<f64>(s, 24) + load<f64>(t, 24) + ridge - l1 * xy;
  const m = yz - l1 * xz;
  const iy = 1.0 / yy;
  const l3 = m * iy;
  const zz = load<f64>(s, 56) + load<f64>(t, 56) + ridge - l2 * xz - l3 * m;
  const iz = 1.0 / zz;
  let a: f64 = 0, b: f64 = 0, c: f64 = 0, d: f64 = 0, e: f64 = 0, f: f64 = 0, h: f64 = 0, i: f64 = 0, j: f64 = 0;
  if (xx > 0 && yy > 0 && zz > 0) {
    let b0 = load<f64>(s, 80) + load<f64>(t, 80);
    let y1 = load<f64>(s, 88) + load<f64>(t, 88) - l1 * b0;
    c = (load<f64>(s, 64) + load<f64>(t, 64) - l2 * b0 - l3 * y1) * iz;
    b = y1 * iy - l3 * c;
    a = b0 * ix - l1 * b - l2 * c;
    b0 = load<f64>(s, 96) + load<f64>(t, 96);
    y1 = load<f64>(s, 104) + load<f64>(t, 104) - l1 * b0;
    f = (load<f64>(s, 72) + load<f64>(t, 72) - l2 * b0 - l3 * y1) * iz;
    e = y1 * iy - l3 * f;
    d = b0 * ix - l1 * e - l2 * f;
    b0 = load<f64>(s, 112) + load<f64>(t, 112);
    y1 = load<f64>(s, 120) + load<f64>(t, 120) - l1 * b0;
    j = (load<f64>(s, 48) + load<f64>(t, 48) - l2 * b0 - l3 * y1) * iz;
    i = y1 * iy - l3 * j;
    h = b0 * ix - l1 * i - l2 * j;
  }
  const answer = isBelow(item, which, s, ws, a, b, c, d, e, f, h, i, j);
  return answer != CALM || t == s ? answer : isBelow(item, which, t, wt, a, b, c, d, e, f, h, i, j);
}

/** CALM proves ‖A Lx − LX‖ < root: limit − Gram is positive definite. NaN proves nothing. */
function isBelow(
  item: usize, which: usize, g: usize, wide: usize,
  a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, h: f64, i: f64, j: f64,
): u32 {
  const limits = item + which;
  const squares = a * a + b * b + c * c + (d * d + e * e + f * f) + (h * h + i * i + j * j);
  const restError = load<f64>(limits, 16);
  const root = load<f64>(limits) - sqrt<f64>(squares) * (load<f64>(limits, 8) * load<f64>(g, 16)) - restError;
  if (!(root > 0)) return NEARLY;
  const xx = load<f64>(g), xy = load<f64>(g, 8), yy = load<f64>(g, 24);
  const xz = load<f64>(g, 32), yz = load<f64>(g, 40), zz = load<f64>(g, 56);
  const XX = load<f64>(limits, 32), YY = load<f64>(limits, 56), ZZ = load<f64>(limits, 72);
  const sizes = load<f64>(item, LOOSE_LIMITS + 32) + load<f64>(item, LOOSE_LIMITS + 56)
    + load<f64>(item, LOOSE_LIMITS + 72) + LOST
    + squares * (load<f64>(wide) + load<f64>(wide, 24) + load<f64>(wide, 56) + LOST);
  const limit = root * root * KEEP - load<f64>(limits, 24) * sizes - 4 * sqrt<f64>(sizes) * restError;
  // Rows of M = A C - 2 B: the Gram is XX + the symmetric part of M A^T.
  const m0 = a * xx + b * xy + c * xz - 2 * load<f64>(g, 80);
  const m1 = a * xy + b * yy + c * yz - 2 * load<f64>(g, 88);
  const m2 = a * xz + b * yz + c * zz - 2 * load<f64>(g, 64);
  const p = limit - XX - (m0 * a + m1 * b + m2 * c);
  if (!(p > 0)) return unlessFar(p, limit);
  const ip = 1.0 / p;
  const m3 = d * xx + e * xy + f * xz - 2 * load<f64>(g, 96);
  const m4 = d * xy + e * yy + f * yz - 2 * load<f64>(g, 104);
  const m5 = d * xz + e * yz + f * zz - 2 * load<f64>(g, 72);
  const u = load<f64>(limits, 40) + (m0 * d + m1 * e + m2 * f + (m3 * a + m4 * b + m5 * c)) * 0.5;
  const y = limit - YY - (m3 * d + m4 * e + m5 * f);
  const q = y - u * u * ip;
  if (!(q > 0)) return unlessFar(y, limit);
  const m6 = h * xx + i * xy + j * xz - 2 * load<f64>(g, 112);
  const m7 = h * xy + i * yy + j * yz - 2 * load<f64>(g, 120);
  const m8 = h * xz + i * yz + j * zz - 2 * load<f64>(g, 48);
  const v = load<f64>(limits, 48) + (m0 * h + m1 * i + m2 * j + (m6 * a + m7 * b + m8 * c)) * 0.5;
  const w = load<f64>(limits, 64) + (m3 * h + m4 * i + m5 * j + (m6 * d + m7 * e + m8 * f)) * 0.5 + u * v * ip;
  const z = limit - ZZ - (m6 * h + m7 * i + m8 * j);
  return z - v * v * ip - w * w / q > 0 ? CALM : unlessFar(z, limit);
}

/** Of a limit minus an entry on the diagonal: beyond twice the limit more exact sums seldom help. */
// @ts-ignore: decorator
@inline
function unlessFar(left: f64, limit: f64): u32 {
  return left < -limit ? FAR : NEARLY;
}
