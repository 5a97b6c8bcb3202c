import { refitRange } from './boxes';

/**
 * What energies leave open is looked at with boxes of small patches first, see src/cull/energy/energy-layout.ts for the
 * header; only below patches that are then still open are boxes fitted at all. Boxes are those of ./boxes.
 */

const NONE: u32 = 0xffffffff;

// The header, beside what ./calm uses.
const SWEPT: usize = 36;
const INNER: usize = 44;
const LEAF: usize = 48;
const INNER_COUNT: usize = 56;
const LEAF_COUNT: usize = 60;
const BOXES: usize = 72; // of small patches, f64, and at the end of a motion
const SEGMENTS: usize = 80;
const POINTS: usize = 88; // and at the end of a motion
const COARSE: usize = 96; // pairs of nodes that are small patches or above
const OPEN: usize = 100; // pairs of small patches that are left
const OPEN_COUNT: usize = 104;
const OPEN_ROOM: usize = 108;
const MARKS: usize = 112; // u8 per small patch: boxes below it are needed
const SMALL_COUNT: usize = 116;
const LEFT: usize = 124; // pairs of the front
const COARSE_TESTS: usize = 128;
const FIRST_ROWS: usize = 132; // address of the rows of each small patch
const SMALL_NODES: usize = 136; // of each small patch
const PATCH_OF: usize = 140; // of each node: its small patch, or NONE above them
const UPPER: usize = 144; // nodes above small patches, children first
const UPPER_COUNT: usize = 148;
const LINK: usize = 152;
const CORNERS: usize = 156;
const VERTEX_BOXES: usize = 160;
const NODE_BOXES: usize = 164;
const STRIDE: usize = 168; // to those at the end of a motion; 0: there is none
const STACK: usize = 172;
const FRAME: usize = 176; // address of six f64
const ROW_COUNTS: usize = 180; // points of each small patch

const SEGMENT: usize = 40;

// @ts-ignore: decorator
@inline
function at(list: usize, k: u32): usize {
  return list + ((<usize>k) << 2);
}

/** Boxes of small patches in cells, and of everything above them. */
export function fitUpper(header: usize): void {
  const frame = <usize>load<u32>(header, FRAME);
  const nodes = <usize>load<u32>(header, SMALL_NODES), links = <usize>load<u32>(header, LINK);
  const upper = <usize>load<u32>(header, UPPER), upperCount = load<u32>(header, UPPER_COUNT);
  const count = load<u32>(header, SMALL_COUNT), stride = <usize>load<u32>(header, STRIDE);
  const inner = i16x8(-1, -1, -1, 0, -1, -1, -1, 0);
  for (let end: usize = 0, ends: usize = load<u32>(header, SWEPT) ? 8 : 4; end < ends; end += 4) {
    const out = <usize>load<u32>(header, NODE_BOXES) + (end ? stride : 0);
    let box = <usize>load<u32>(header + end, BOXES);
    for (let k: u32 = 0; k < count; k++, box += 48) {
      const node = load<u32>(at(nodes, k));
      const flag = i32(load<u32>(at(links, node)) >> 31) << 6;
      v128.store(out + ((<usize>node) << 4), boxOf(cells(box, frame), cells(box + 24, frame), flag));
    }
    for (let k: u32 = 0; k < upperCount; k++) {
      const node = load<u32>(at(upper, k));
      const child = out + ((<usize>load<u32>(at(links, node))) << 4);
      v128.store(
        out + ((<usize>node) << 4), v128.and(i16x8.min_s(v128.load(child), v128.load(child, 16)), inner));
    }
  }
}

// @ts-ignore: decorator
@inline
function cells(p: usize, frame: usize): v128 {
  const xy = i32x4.trunc_sat_f64x2_s_zero(f64x2.mul(f64x2.sub(v128.load(p), v128.load(frame)), v128.load(frame, 24)));
  const z = i32x4.trunc_sat_f64x2_s_zero(
    f64x2.mul(f64x2.sub(v128.load64_zero(p, 16), v128.load64_zero(frame, 16)), v128.load64_zero(frame, 40)));
  const q = v128.shuffle<i32>(xy, z, 0, 1, 4, 6);
  return i32x4.max_s(i32x4.min_s(q, i32x4.splat(32767)), i32x4.splat(0));
}

// @ts-ignore: decorator
@inline
function boxOf(lo: v128, hi: v128, flag: i32): v128 {
  const top = i32x4.replace_lane(i32x4.sub(i32x4.splat(32767), hi), 3, flag);
  return i16x8.narrow_i32x4_s(i32x4.replace_lane(lo, 3, flag), top);
}

/**
 * Everything of a range of segments is left: pairs above small patches are looked at now, ranges of the front are listed,
 * and boxes below their patches are needed.
 */
export function addSegments(header: usize, from: u32, to: u32): void {
  let s = <usize>load<u32>(header, SEGMENTS) + (<usize>from) * SEGMENT;
  const marks = <usize>load<u32>(header, MARKS);
  let left: u32 = 0;
  for (let k = from; k < to; k++, s += SEGMENT) {
    left += addRange(header, INNER, INNER_COUNT, load<u32>(s), load<u32>(s, 4));
    left += addRange(header, LEAF, LEAF_COUNT, load<u32>(s, 8), load<u32>(s, 12));
    for (let m = load<u32>(s, 24); m < load<u32>(s, 28); m++) store<u8>(marks + <usize>m, 1);
    for (let m = load<u32>(s, 32); m < load<u32>(s, 36); m++) store<u8>(marks + <usize>m, 1);
    const isFull = load<u32>(header, OPEN_COUNT) > load<u32>(header, OPEN_ROOM);
    if (load<u32>(s, 16) != load<u32>(s, 20) && !isFull) testCoarse(header, load<u32>(s, 16), load<u32>(s, 20));
  }
  store<u32>(header, load<u32>(header, LEFT) + left, LEFT);
}

/** Of the front, in a range of segments. */
export function countPairs(header: usize, from: u32, to: u32): u32 {
  let sum: u32 = 0;
  let s = <usize>load<u32>(header, SEGMENTS) + (<usize>from) * SEGMENT;
  for (let k = from; k < to; k++, s += SEGMENT) {
    sum += load<u32>(s, 4) - load<u32>(s) + (load<u32>(s, 12) - load<u32>(s, 8));
  }
  return sum;
}

function addRange(header: usize, list: usize, countAt: usize, from: u32, to: u32): u32 {
  if (from == to) return 0;
  const count = load<u32>(header + countAt);
  const end = <usize>load<u32>(header + list) + ((<usize>count) << 3);
  if (count != 0 && load<u32>(end - 4) == from) store<u32>(end - 4, to);
  else {
    store<u32>(end, from), store<u32>(end, to, 4);
    store<u32>(header + countAt, count + 1);
  }
  return to - from;
}

/** True when boxes overlap, also somewhere between the two ends of a motion as far as can be told. */
// @ts-ignore: decorator
@inline
function overlap(boxes: usize, stride: usize, n: u32, m: u32): bool {
  const a = boxes + ((<usize>n) << 4), b = boxes + ((<usize>m) << 4);
  const start = i16x8.add(v128.load(a), swapped(b)), end = i16x8.add(v128.load(a + stride), swapped(b + stride));
  return (i8x16.bitmask(v128.and(start, end)) & 0xaaaa) == 0;
}

// @ts-ignore: decorator
@inline
function swapped(p: usize): v128 {
  const box = v128.load(p);
  return v128.shuffle<i64>(box, box, 1, 0);
}

/** Pairs [from, to) of the coarse list, and what is below them down to small patches. */
function testCoarse(header: usize, from: u32, to: u32): void {
  const pairs = <usize>load<u32>(header, COARSE), boxes = <usize>load<u32>(header, NODE_BOXES);
  const stride = <usize>load<u32>(header, STRIDE), stack = <usize>load<u32>(header, STACK);
  let tests = to - from;
  for (let p = pairs + ((<usize>from) << 3), end = pairs + ((<usize>to) << 3); p < end; p += 8) {
    if (!overlap(boxes, stride, load<u32>(p), load<u32>(p, 4))) continue;
    store<u64>(stack, load<u64>(p));
    tests += descend(header, stack, boxes, stride);
  }
  store<u32>(header, load<u32>(header, COARSE_TESTS) + tests, COARSE_TESTS);
}

/** From one pair on the stack, whose boxes overlap. Of two nodes above small patches the one higher up is opened. */
function descend(header: usize, stack: usize, boxes: usize, stride: usize): u32 {
  const links = <usize>load<u32>(header, LINK), patchOf = <usize>load<u32>(header, PATCH_OF);
  let top = stack + 8, tests: u32 = 0;
  while (top > stack) {
    top -= 8;
    const n = load<u32>(top), m = load<u32>(top, 4);
    const patchN = load<u32>(at(patchOf, n)), patchM = load<u32>(at(patchOf, m));
    if (patchN != NONE && patchM != NONE) {
      addOpen(header, n, m, patchN, patchM);
      continue;
    }
    tests += 2;
    if (patchM != NONE || (patchN == NONE && n < m)) {
      const child = load<u32>(at(links, n));
      store<u32>(top, child), store<u32>(top, m, 4);
      top += (<usize>overlap(boxes, stride, child, m)) << 3;
      store<u32>(top, child + 1), store<u32>(top, m, 4);
      top += (<usize>overlap(boxes, stride, child + 1, m)) << 3;
    } else {
      const child = load<u32>(at(links, m));
      store<u32>(top, n), store<u32>(top, child, 4);
      top += (<usize>overlap(boxes, stride, n, child)) << 3;
      store<u32>(top, n), store<u32>(top, child + 1, 4);
      top += (<usize>overlap(boxes, stride, n, child + 1)) << 3;
    }
  }
  return tests;
}

/** Counted also where there is no room. Where many are left, a closer look at each takes more than it saves. */
function addOpen(header: usize, n: u32, m: u32, patchN: u32, patchM: u32): void {
  const count = load<u32>(header, OPEN_COUNT);
  if ((count << 2) <= load<u32>(header, SMALL_COUNT) && areApart(header, patchN, patchM)) return;
  store<u32>(header, count + 1, OPEN_COUNT);
  if (count >= load<u32>(header, OPEN_ROOM)) return;
  const out = <usize>load<u32>(header, OPEN) + ((<usize>count) << 3);
  store<u32>(out, n), store<u32>(out, m, 4);
  const marks = <usize>load<u32>(header, MARKS);
  store<u8>(marks + <usize>patchN, 1), store<u8>(marks + <usize>patchM, 1);
}

/** Of a product of a direction and a point, of the sizes of its terms, twice. */
const DOT_BOUND: f64 = 2e-15;
const UNDERFLOW: f64 = 1e-300;

/**
 * True when the points of two small patches are on different sides of a plane across the line of their centres, at both
 * ends of a motion of the same one: patches whose boxes overlap at a corner seldom come closer.
 */
function areApart(header: usize, a: u32, b: u32): bool {
  const ends: usize = load<u32>(header, SWEPT) ? 8 : 4;
  let x: f64 = 0, y: f64 = 0, z: f64 = 0;
  for (let end: usize = 0; end < ends; end += 4) {
    const boxes = <usize>load<u32>(header + end, BOXES);
    const p = boxes + (<usize>a) * 48, q = boxes + (<usize>b) * 48;
    x += load<f64>(q) + load<f64>(q, 24) - (load<f64>(p) + load<f64>(p, 24));
    y += load<f64>(q, 8) + load<f64>(q, 32) - (load<f64>(p, 8) + load<f64>(p, 32));
    z += load<f64>(q, 16) + load<f64>(q, 40) - (load<f64>(p, 16) + load<f64>(p, 40));
  }
  const rows = <usize>load<u32>(header, FIRST_ROWS), counts = <usize>load<u32>(header, ROW_COUNTS);
  const listA = <usize>load<u32>(at(rows, a)), listB = <usize>load<u32>(at(rows, b));
  const endA = listA + ((<usize>load<u32>(at(counts, a))) << 2), endB = listB + ((<usize>load<u32>(at(counts, b))) << 2);
  for (let end: usize = 0; end < ends; end += 4) {
    const points = <usize>load<u32>(header + end, POINTS), boxes = <usize>load<u32>(header + end, BOXES);
    let most: f64 = -Infinity;
    for (let o = listA; o < endA; o += 4) {
      const p = points + <usize>load<u32>(o);
      most = max(most, load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z);
    }
    const p = boxes + (<usize>a) * 48, q = boxes + (<usize>b) * 48;
    const size = abs(x) * largest(p, q) + abs(y) * largest(p + 8, q + 8) + abs(z) * largest(p + 16, q + 16);
    most += size * DOT_BOUND + UNDERFLOW;
    for (let o = listB; o < endB; o += 4) {
      const p = points + <usize>load<u32>(o);
      if (!(load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z > most)) return false;
    }
  }
  return true;
}

/** The largest coordinate of two boxes on one axis. */
// @ts-ignore: decorator
@inline
function largest(p: usize, q: usize): f64 {
  return max(max(abs(load<f64>(p)), abs(load<f64>(p, 24))), max(abs(load<f64>(q)), abs(load<f64>(q, 24))));
}

/** Boxes of all nodes below marked patches. */
export function fitParts(header: usize): void {
  const marks = <usize>load<u32>(header, MARKS), count = load<u32>(header, SMALL_COUNT);
  const rows = <usize>load<u32>(header, FIRST_ROWS), rowCounts = <usize>load<u32>(header, ROW_COUNTS);
  const nodes = <usize>load<u32>(header, SMALL_NODES), links = <usize>load<u32>(header, LINK);
  const corners = <usize>load<u32>(header, CORNERS), vertexBoxes = <usize>load<u32>(header, VERTEX_BOXES);
  const frame = <usize>load<u32>(header, FRAME), stride = <usize>load<u32>(header, STRIDE);
  const stack = <usize>load<u32>(header, STACK);
  for (let end: usize = 0, ends: usize = load<u32>(header, SWEPT) ? 8 : 4; end < ends; end += 4) {
    const points = <usize>load<u32>(header + end, POINTS);
    const out = <usize>load<u32>(header, NODE_BOXES) + (end ? stride : 0);
    for (let k: u32 = 0; k < count; k++) {
      if (!load<u8>(marks + <usize>k)) continue;
      let list = <usize>load<u32>(at(rows, k));
      for (const last = list + ((<usize>load<u32>(at(rowCounts, k))) << 2); list < last; list += 4) {
        const offset = load<u32>(list);
        const q = cells(points + <usize>offset, frame);
        v128.store(vertexBoxes + ((<usize>(offset / 3)) << 1), boxOf(q, q, 64));
      }
      fitBelow(load<u32>(at(nodes, k)), links, corners, vertexBoxes, out, stack);
    }
  }
}

/** A node and all below it. On each level these are a range: nodes are in level order. */
function fitBelow(node: u32, links: usize, corners: usize, vertexBoxes: usize, out: usize, stack: usize): void {
  let top = stack;
  for (let from = node, to = node + 1; from < to;) {
    store<u32>(top, from), store<u32>(top, to, 4);
    top += 8;
    while (from < to && load<u32>(at(links, from)) & 0x80000000) from++;
    if (from == to) break;
    while (load<u32>(at(links, to - 1)) & 0x80000000) to--;
    from = load<u32>(at(links, from)), to = load<u32>(at(links, to - 1)) + 2;
  }
  while (top > stack) {
    top -= 8;
    refitRange(load<u32>(top), load<u32>(top, 4), links, corners, vertexBoxes, out);
  }
}
