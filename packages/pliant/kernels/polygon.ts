/**
 * Whether a closed polygon crosses itself, seen along a direction; or ever does while its corners move from one end to the
 * other in straight lines. Edges are taken in chains of four. A chain and the next one are apart from each other and from
 * themselves when all their edges go one way; other chains when their boxes are apart. Where that does not help, edges are
 * looked at one by one.
 *
 * What is apart is so by a line of a fixed direction, at both ends on the same side of it, and therefore all the time.
 *
 * Corners are two lists of f32, of x and of y, and the first ones again after the last. For each end: x at p, y at p + row.
 */

const CHAIN: u32 = 4;
/** So many corners follow again after the last one; fewer are no outline. */
export const LEAST_CORNERS: u32 = 12;
/** Of the reach: more than anything here is off in float32. */
const CLOSE: f64 = 9.5367431640625e-7; // 2^-20
/** Of what float32 has room for; and what products may lose below its range. */
const LEAST_REACH: f64 = 1e-8;
const MOST_REACH: f64 = 1e14;
const LOST: f32 = 1e-30;
/** Of the reach: the distance from the origin. */
const FARTHEST: f64 = 536870912.0; // 2^29
const MOST_CORNERS: u32 = 65536;

/** Bytes of one list of an outline of so many corners. */
// @ts-ignore: decorator
@inline
export function rowOf(count: u32): usize {
  return ((<usize>(count + LEAST_CORNERS) + 3) >> 2) << 4;
}

/**
 * Corners of an outline, relative to its first one, in a plane across a direction of length 1. `outline`: addresses relative
 * to `points`, after which comes another one. Returns how far any of them is from the first; NaN when they are too far from the origin to tell.
 *
 * They are computed in float64: off by 2^-51 of |p|. No edge is steeper than 2^12 (SLACK in ./outline), and there are fewer
 * than 2^16, so that |p - first| is less than 2^29 times what is returned.
 */
export function projectOutline(outline: usize, count: u32, points: usize, x: f64, y: f64, z: f64, out: usize): f64 {
  // Two directions across: u = x-axis or y-axis times d, v = d times u.
  const alongX = abs(x) < 0.6, row = rowOf(count);
  let ux: f64 = alongX ? 0 : z, uy: f64 = alongX ? -z : 0, uz: f64 = alongX ? y : -x;
  const size = 1.0 / sqrt<f64>(ux * ux + uy * uy + uz * uz);
  ux *= size, uy *= size, uz *= size;
  const xs = f64x2(ux, y * uz - z * uy), ys = f64x2(uy, z * ux - x * uz), zs = f64x2(uz, x * uy - y * ux);
  const first = points + <usize>load<u32>(outline);
  const origin = projected(first, xs, ys, zs);
  const to = out + ((<usize>count) << 2);
  // Two at a time: one more may be written, whatever it is.
  for (let o = outline, at = out; at < to; o += 8, at += 8) {
    const a = f64x2.sub(projected(points + <usize>load<u32>(o), xs, ys, zs), origin);
    const b = f64x2.sub(projected(points + <usize>load<u32>(o, 4), xs, ys, zs), origin);
    v128.store64_lane(at, f32x4.demote_f64x2_zero(v128.shuffle<f64>(a, b, 0, 2)), 0);
    v128.store64_lane(at + row, f32x4.demote_f64x2_zero(v128.shuffle<f64>(a, b, 1, 3)), 0);
  }
  for (let k: usize = 0; k < (<usize>LEAST_CORNERS) << 2; k += 16) {
    v128.store(to + k, v128.load(out + k)), v128.store(to + row + k, v128.load(out + row + k));
  }
  const reach = farthest(out, to) + farthest(out + row, to + row);
  const place = abs(load<f64>(first)) + abs(load<f64>(first, 8)) + abs(load<f64>(first, 16));
  return place < FARTHEST * reach && count < MOST_CORNERS ? reach : NaN;
}

/** Of the numbers in [from, to), and at most three after them. */
// @ts-ignore: decorator
@inline
function farthest(from: usize, to: usize): f64 {
  let lo = f32x4.splat(0), hi = lo;
  for (let o = from; o < to; o += 16) lo = f32x4.pmin(lo, v128.load(o)), hi = f32x4.pmax(hi, v128.load(o));
  return <f64>max(-least(lo), -least(f32x4.neg(hi)));
}

// @ts-ignore: decorator
@inline
function projected(p: usize, xs: v128, ys: v128, zs: v128): v128 {
  return f64x2.add(
    f64x2.add(f64x2.mul(v128.load64_splat(p), xs), f64x2.mul(v128.load64_splat(p, 8), ys)),
    f64x2.mul(v128.load64_splat(p, 16), zs));
}

/**
 * True proves it. p and q: corners at both ends of a motion, the same when there is none. Room after the last of them: see
 * `planeBytes` in src/cull/energy/energy-layout.ts.
 */
export function isSimple(p: usize, q: usize, count: u32, reach: f64): bool {
  if (count < LEAST_CORNERS || !(reach > LEAST_REACH && reach < MOST_REACH)) return false;
  const close = <f32>(reach * CLOSE), row = rowOf(count), chains = (count + CHAIN - 1) / CHAIN;
  const slabs = q + 2 * row;
  for (let k: u32 = 0; k < chains; k++) {
    const from = k * CHAIN;
    if (goesOneWay(p, q, row, from, close)) continue;
    if (!areOpenCorners(p, q, row, from, close)) return false;
    if (!areNeighboursApart(p, q, row, slabs, from, close)) return false;
  }
  return areChainsApart(p, q, row, slabs, count, chains, close);
}

/** True when eight edges all go ahead in the direction from their first corner to the last. */
// @ts-ignore: decorator
@inline
function goesOneWay(p: usize, q: usize, row: usize, from: u32, close: f32): bool {
  const o = (<usize>from) << 2;
  const x = load<f32>(p + o, 32) - load<f32>(p + o) + (load<f32>(q + o, 32) - load<f32>(q + o));
  const y = load<f32>(p + o + row, 32) - load<f32>(p + o + row) + (load<f32>(q + o + row, 32) - load<f32>(q + o + row));
  const least = f32x4.splat(close * (abs(x) + abs(y)) + LOST), wayX = f32x4.splat(x), wayY = f32x4.splat(y);
  return i32x4.all_true(v128.and(
    goAhead(p + o, row, wayX, wayY, least), goAhead(p + o + 16, row, wayX, wayY, least)))
    && (p == q || i32x4.all_true(v128.and(
      goAhead(q + o, row, wayX, wayY, least), goAhead(q + o + 16, row, wayX, wayY, least))));
}

/** Which of four edges from a corner on go ahead by more than `least`. */
// @ts-ignore: decorator
@inline
function goAhead(o: usize, row: usize, wayX: v128, wayY: v128, least: v128): v128 {
  const x = f32x4.sub(v128.load(o, 4), v128.load(o)), y = f32x4.sub(v128.load(o + row, 4), v128.load(o + row));
  return f32x4.gt(f32x4.add(f32x4.mul(x, wayX), f32x4.mul(y, wayY)), least);
}

/** True when four edges and the next ones of each do not fold back. */
function areOpenCorners(p: usize, q: usize, row: usize, from: u32, close: f32): bool {
  const o = (<usize>from) << 2;
  // From one corner to the next but one.
  const x = f32x4.add(f32x4.sub(v128.load(p + o, 8), v128.load(p + o)), f32x4.sub(v128.load(q + o, 8), v128.load(q + o)));
  const y = f32x4.add(
    f32x4.sub(v128.load(p + o + row, 8), v128.load(p + o + row)), f32x4.sub(v128.load(q + o + row, 8), v128.load(q + o + row)));
  const least = f32x4.add(
    f32x4.mul(f32x4.splat(close), f32x4.add(f32x4.abs(x), f32x4.abs(y))), f32x4.splat(LOST));
  let areOpen = v128.and(goAhead(p + o, row, x, y, least), goAhead(p + o + 4, row, x, y, least));
  if (p != q) {
    areOpen = v128.and(areOpen, v128.and(goAhead(q + o, row, x, y, least), goAhead(q + o + 4, row, x, y, least)));
  }
  if (i32x4.all_true(areOpen)) return true;
  for (let i: u32 = 0; i < CHAIN; i++) if (!isOpenCorner(p, q, row, from + i, close)) return false;
  return true;
}

/** True when an edge and the next one do not fold back: both go ahead in some direction. */
function isOpenCorner(p: usize, q: usize, row: usize, i: u32, close: f32): bool {
  const o = p + ((<usize>i) << 2), m = q + ((<usize>i) << 2);
  const ax = load<f32>(o, 4) - load<f32>(o), ay = load<f32>(o + row, 4) - load<f32>(o + row);
  const bx = load<f32>(o, 8) - load<f32>(o, 4), by = load<f32>(o + row, 8) - load<f32>(o + row, 4);
  const cx = load<f32>(m, 4) - load<f32>(m), cy = load<f32>(m + row, 4) - load<f32>(m + row);
  const dx = load<f32>(m, 8) - load<f32>(m, 4), dy = load<f32>(m + row, 8) - load<f32>(m + row, 4);
  const x2 = load<f32>(o, 8) - load<f32>(o) + (load<f32>(m, 8) - load<f32>(m));
  const y2 = load<f32>(o + row, 8) - load<f32>(o + row) + (load<f32>(m + row, 8) - load<f32>(m + row));
  if (doGoAhead(ax, ay, bx, by, cx, cy, dx, dy, x2, y2, close)) return true;
  const a = <f32>1 / sqrt<f32>(ax * ax + ay * ay), b = <f32>1 / sqrt<f32>(bx * bx + by * by);
  const c = <f32>1 / sqrt<f32>(cx * cx + cy * cy), d = <f32>1 / sqrt<f32>(dx * dx + dy * dy);
  const x = ax * a + bx * b + (cx * c + dx * d), y = ay * a + by * b + (cy * c + dy * d);
  return doGoAhead(ax, ay, bx, by, cx, cy, dx, dy, x, y, close);
}

// @ts-ignore: decorator
@inline
function doGoAhead(
  ax: f32, ay: f32, bx: f32, by: f32, cx: f32, cy: f32, dx: f32, dy: f32, x: f32, y: f32, close: f32,
): bool {
  const least = close * (abs(x) + abs(y)) + LOST;
  return ax * x + ay * y > least && bx * x + by * y > least && cx * x + cy * y > least && dx * x + dy * y > least;
}

/** Each of four edges and those up to the eighth that are not next to it. */
function areNeighboursApart(p: usize, q: usize, row: usize, slabs: usize, from: u32, close: f32): bool {
  const lastSlabs = slabs + ((2 * <usize>CHAIN) << 5);
  writeSlabs(p, row, from, close, slabs);
  if (p != q) writeSlabs(q, row, from, close, lastSlabs);
  for (let i: u32 = 0; i < CHAIN; i++) {
    const s = (<usize>i) << 5;
    for (let j = i + 2; j < 2 * CHAIN; j++) {
      const t = (<usize>j) << 5;
      let ahead = f32x4.gt(v128.load(slabs + t), v128.load(slabs + s, 16));
      let behind = f32x4.lt(v128.load(slabs + t, 16), v128.load(slabs + s));
      if (p != q) {
        ahead = v128.and(ahead, f32x4.gt(v128.load(lastSlabs + t), v128.load(lastSlabs + s, 16)));
        behind = v128.and(behind, f32x4.lt(v128.load(lastSlabs + t, 16), v128.load(lastSlabs + s)));
      }
      if (!v128.any_true(v128.or(ahead, behind)) && !isApart(p, q, row, from + i, from + j, close)) return false;
    }
  }
  return true;
}

/** Where eight edges are in the directions x, y, x + y and x - y: four f32 from where and four to where. */
function writeSlabs(p: usize, row: usize, from: u32, close: f32, out: usize): void {
  const pad = f32x4.splat(close);
  let o = p + ((<usize>from) << 2);
  let last = slabsOf(o, row);
  for (let to = out, end = out + ((2 * <usize>CHAIN) << 5); to < end; to += 32) {
    o += 4;
    const next = slabsOf(o, row);
    v128.store(to, f32x4.sub(f32x4.pmin(last, next), pad)), v128.store(to, f32x4.add(f32x4.pmax(last, next), pad), 16);
    last = next;
  }
}

// @ts-ignore: decorator
@inline
function slabsOf(o: usize, row: usize): v128 {
  return f32x4.add(
    f32x4.mul(v128.load32_splat(o), f32x4(1, 0, 1, 1)), f32x4.mul(v128.load32_splat(o + row), f32x4(0, 1, 1, -1)));
}

/** True when two edges are on different sides of a line along one of them, or along an axis. */
function isApart(p: usize, q: usize, row: usize, i: u32, j: u32, close: f32): bool {
  const s = (<usize>i) << 2, t = (<usize>j) << 2;
  return isAcross(p, q, row, s, t, 1, 0, close) || isAcross(p, q, row, s, t, 0, 1, close)
    || isAlongside(p, q, row, s, s, t, close) || isAlongside(p, q, row, t, s, t, close);
}

// @ts-ignore: decorator
@inline
function isAlongside(p: usize, q: usize, row: usize, o: usize, s: usize, t: usize, close: f32): bool {
  const x = load<f32>(p + o, 4) - load<f32>(p + o) + (load<f32>(q + o, 4) - load<f32>(q + o));
  const y = load<f32>(p + o + row, 4) - load<f32>(p + o + row) + (load<f32>(q + o + row, 4) - load<f32>(q + o + row));
  return isAcross(p, q, row, s, t, y, -x, close);
}

function isAcross(p: usize, q: usize, row: usize, s: usize, t: usize, x: f32, y: f32, close: f32): bool {
  const least = (close + close) * (abs(x) + abs(y)) + LOST;
  const a = along(p + s, row, x, y), b = along(p + s + 4, row, x, y);
  const c = along(p + t, row, x, y), d = along(p + t + 4, row, x, y);
  const isAhead = min(c, d) - max(a, b) > least;
  if (!isAhead && !(min(a, b) - max(c, d) > least)) return false;
  if (p == q) return true;
  const e = along(q + s, row, x, y), f = along(q + s + 4, row, x, y);
  const g = along(q + t, row, x, y), h = along(q + t + 4, row, x, y);
  return isAhead ? min(g, h) - max(e, f) > least : min(e, f) - max(g, h) > least;
}

// @ts-ignore: decorator
@inline
function along(o: usize, row: usize, x: f32, y: f32): f32 {
  return load<f32>(o) * x + load<f32>(o + row) * y;
}

/**
 * Chains that are no neighbours: each with those up to the seventh after it, and fours of them with fours beyond. Boxes are
 * four lists of f32 for each end, of chains, the first eight again after the last, and of fours.
 */
function areChainsApart(p: usize, q: usize, row: usize, boxes: usize, count: u32, chains: u32, close: f32): bool {
  const fours = (chains + 3) >> 2;
  const list = (<usize>fours + 2) << 4, upperList = ((<usize>fours + 3) >> 2) << 4;
  const upper = boxes + 4 * list, stride: usize = p == q ? 0 : 4 * (list + upperList);
  writeChains(p, row, count, chains, close, boxes, list);
  writeFours(boxes, list, chains, fours, upper, upperList);
  if (stride) {
    writeChains(q, row, count, chains, close, boxes + stride, list);
    writeFours(boxes + stride, list, chains, fours, upper + stride, upperList);
  }
  for (let after: u32 = 2; after < 8 && after + 2 <= chains; after++) {
    for (let k: u32 = 0; k < chains; k += 4) {
      for (let near = overlapsAfter(boxes, stride, list, k, after); near != 0; near &= near - 1) {
        const a = k + <u32>ctz(near);
        if (a >= chains) continue;
        const b = a + after < chains ? a + after : a + after - chains;
        if (!areTwoChainsApart(p, q, row, a, b, count, close)) return false;
      }
    }
  }
  for (let a: u32 = 0; a + 2 < fours; a++) {
    for (let b = (a + 2) & ~3; b < fours; b += 4) {
      for (let near = overlaps(upper, stride, upperList, a, b); near != 0; near &= near - 1) {
        const other = b + <u32>ctz(near);
        if (other < a + 2 || other >= fours || (a == 0 && other + 1 == fours)) continue;
        if (!areFoursApart(p, q, row, boxes, stride, list, a, other, count, chains, close)) return false;
      }
    }
  }
  return true;
}

/** Chains of two fours. */
function areFoursApart(
  p: usize, q: usize, row: usize, boxes: usize, stride: usize, list: usize, a: u32, b: u32, count: u32, chains: u32, close: f32,
): bool {
  for (let k = a << 2, end = k + 4; k < end; k++) {
    for (let near = overlaps(boxes, stride, list, k, b << 2); near != 0; near &= near - 1) {
      const n = (b << 2) + <u32>ctz(near);
      if (n >= chains || (k == 0 && n + 1 == chains)) continue;
      if (!areTwoChainsApart(p, q, row, k, n, count, close)) return false;
    }
  }
  return true;
}

/** A bit for each of four boxes, from the nth on, that may overlap with the kth. */
// @ts-ignore: decorator
@inline
function overlaps(boxes: usize, stride: usize, list: usize, k: u32, n: u32): i32 {
  return nearOnes(boxes + ((<usize>k) << 2), boxes + ((<usize>n) << 2), stride, list, false);
}

/** The same for four boxes, from the kth on, each with the one so many after it. */
// @ts-ignore: decorator
@inline
function overlapsAfter(boxes: usize, stride: usize, list: usize, k: u32, after: u32): i32 {
  return nearOnes(boxes + ((<usize>k) << 2), boxes + ((<usize>(k + after)) << 2), stride, list, true);
}

/** Of four boxes: which may overlap with one at both ends of a motion, or each with its own one. */
// @ts-ignore: decorator
@inline
function nearOnes(own: usize, four: usize, stride: usize, list: usize, areFour: bool): i32 {
  let right = f32x4.gt(v128.load(four), side(own + 2 * list, areFour));
  let above = f32x4.gt(v128.load(four + list), side(own + 3 * list, areFour));
  let left = f32x4.lt(v128.load(four + 2 * list), side(own, areFour));
  let below = f32x4.lt(v128.load(four + 3 * list), side(own + list, areFour));
  if (stride) {
    const last = own + stride, lastFour = four + stride;
    right = v128.and(right, f32x4.gt(v128.load(lastFour), side(last + 2 * list, areFour)));
    above = v128.and(above, f32x4.gt(v128.load(lastFour + list), side(last + 3 * list, areFour)));
    left = v128.and(left, f32x4.lt(v128.load(lastFour + 2 * list), side(last, areFour)));
    below = v128.and(below, f32x4.lt(v128.load(lastFour + 3 * list), side(last + list, areFour)));
  }
  return i32x4.bitmask(v128.or(v128.or(right, above), v128.or(left, below))) ^ 15;
}

// @ts-ignore: decorator
@inline
function side(o: usize, areFour: bool): v128 {
  return areFour ? v128.load(o) : v128.load32_splat(o);
}

function areTwoChainsApart(p: usize, q: usize, row: usize, k: u32, n: u32, count: u32, close: f32): bool {
  const last = min(count, (n + 1) * CHAIN);
  for (let i = k * CHAIN, end = min(count, i + CHAIN); i < end; i++) {
    for (let j = n * CHAIN; j < last; j++) if (!isApart(p, q, row, i, j, close)) return false;
  }
  return true;
}

/** A chain has five corners, the last one fewer. */
function writeChains(p: usize, row: usize, count: u32, chains: u32, close: f32, boxes: usize, list: usize): void {
  for (let k: u32 = 0; k < chains; k++) {
    let o = p + ((<usize>(k * CHAIN)) << 2), box = boxes + ((<usize>k) << 2);
    const rest = count - k * CHAIN;
    for (let axis: usize = 0; axis < 2; axis++, o += row, box += list) {
      let lo = v128.load(o), hi = lo;
      if (rest >= CHAIN) {
        const next = v128.load(o, 4);
        lo = f32x4.pmin(lo, next), hi = f32x4.pmax(hi, next);
      } else {
        // Of the last one corner 0 comes after so many; others count as that one.
        const first = v128.load32_splat(o + ((<usize>rest) << 2));
        const isIts = i32x4.lt_u(i32x4(0, 1, 2, 3), i32x4.splat(rest));
        lo = hi = v128.bitselect(lo, first, isIts);
      }
      store<f32>(box, least(lo) - close), store<f32>(box + 2 * list, -least(f32x4.neg(hi)) + close);
    }
  }
  // The first eight again, of fewer all of them twice.
  for (let k: usize = 0; k < 32; k += 4) {
    for (let o = boxes, side: u32 = 0; side < 4; side++, o += list) {
      store<f32>(o + ((<usize>chains) << 2) + k, load<f32>(o + k));
    }
  }
}

/** Boxes of four chains each, the last one of fewer. */
function writeFours(boxes: usize, list: usize, chains: u32, fours: u32, upper: usize, upperList: usize): void {
  for (let k: u32 = 0; k < fours; k++) {
    // Of fewer than four the last four: boxes may be larger than they need be.
    const from = chains < 4 ? 0 : min(k << 2, chains - 4);
    let four = boxes + ((<usize>from) << 2), box = upper + ((<usize>k) << 2);
    for (let axis: usize = 0; axis < 2; axis++, four += list, box += upperList) {
      store<f32>(box, least(v128.load(four)));
      store<f32>(box + 2 * upperList, -least(f32x4.neg(v128.load(four + 2 * list))));
    }
  }
}

// @ts-ignore: decorator
@inline
function least(v: v128): f32 {
  const two = f32x4.pmin(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.pmin(two, v128.shuffle<f32>(two, two, 1, 0, 3, 2)), 0);
}
