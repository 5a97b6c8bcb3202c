import { morphTwo } from './deform';
import {
  CORNERS, DENSE, ENDS, END_BYTES, EVALUATED, FIRST_END, LOCAL, LOCAL_EPOCH, LOCAL_STAMPS, MODE_VALUE, NEW_POINTS,
  PLACED, RANGES, REST, SKIN_START, SLOT_BOXES, STAMP, WEIGHTS, at,
} from './side';
import { pairOf } from './traverse';
import { ensurePoint, roundDown, roundUp } from './volumes';

/*
 * Pairs of small nodes of one body that are near to each other, as certificates leave them: their boxes overlap nearly
 * always, so all of their points are posed at once and the boxes of their triangles compared.
 */

// A slot: lo.xyz (f32), its leaf (u32), hi.xyz (f32), 4 bytes.
const SLOT_BYTES: usize = 32;
// A node: its first slot, how many it has, the stamp with which their boxes were computed (u32 each).
const RANGE_BYTES: usize = 12, SLOT_COUNT: usize = 4, COMPUTED: usize = 8;

/**
 * Works off a stack of pairs of different nodes, with at most MOST_SLOTS triangles each, see src/refit/small-pairs.ts;
 * more than 32 would not do, for each has a bit. Pairs of leaves whose boxes overlap go to `leaves`; depth, leaf pairs
 * and box tests to `counts`. Stops when `steps` pairs have been taken, or when the leaf list has no room for those of
 * another.
 */
export function testSmallPairs(
  d: usize, stack: usize, depth: u32, leaves: usize, room: u32, steps: u32, counts: usize,
): void {
  let top = stack + (<usize>depth << 3), leaf = leaves, tests: u32 = 0;
  const last = leaves + (<usize>room << 3);
  const ranges = <usize>load<u32>(d, RANGES), boxes = <usize>load<u32>(d, SLOT_BOXES);
  const stamp = load<u32>(d, STAMP);
  for (; steps > 0 && top > stack; steps--) {
    const rangeA = ranges + <usize>load<u32>(top - 8) * RANGE_BYTES;
    const rangeB = ranges + <usize>load<u32>(top - 4) * RANGE_BYTES;
    const countA = load<u32>(rangeA, SLOT_COUNT), countB = load<u32>(rangeB, SLOT_COUNT);
    if (leaf + (<usize>(countA * countB) << 3) > last) break;
    top -= 8;
    if (load<u32>(rangeA, COMPUTED) != stamp) fitRange(d, rangeA, stamp);
    if (load<u32>(rangeB, COMPUTED) != stamp) fitRange(d, rangeB, stamp);
    const a = boxes + <usize>load<u32>(rangeA) * SLOT_BYTES, b = boxes + <usize>load<u32>(rangeB) * SLOT_BYTES;
    // Of each node, those triangles that are near the other one.
    let lo = v128.load(b), hi = v128.load(b, 16);
    for (let box = b + SLOT_BYTES, end = b + <usize>countB * SLOT_BYTES; box < end; box += SLOT_BYTES) {
      lo = f32x4.pmin(lo, v128.load(box)), hi = f32x4.pmax(hi, v128.load(box, 16));
    }
    let nearA: u32 = 0;
    let loA = f32x4.splat(Infinity), hiA = f32x4.splat(-Infinity);
    for (let k: u32 = 0; k < countA; k++) {
      const box = a + <usize>k * SLOT_BYTES;
      const l = v128.load(box), h = v128.load(box, 16);
      const isNear = overlap(l, h, lo, hi);
      nearA |= isNear << k;
      const mask = i32x4.splat(0 - isNear);
      loA = v128.bitselect(f32x4.pmin(loA, l), loA, mask), hiA = v128.bitselect(f32x4.pmax(hiA, h), hiA, mask);
    }
    tests += countA;
    if (nearA == 0) continue;
    let nearB: u32 = 0;
    for (let k: u32 = 0; k < countB; k++) {
      const box = b + <usize>k * SLOT_BYTES;
      nearB |= overlap(v128.load(box), v128.load(box, 16), loA, hiA) << k;
    }
    tests += countB + popcnt(nearA) * popcnt(nearB);
    if (nearB == 0) continue;
    for (; nearA != 0; nearA &= nearA - 1) {
      const box = a + <usize>ctz(nearA) * SLOT_BYTES;
      const l = v128.load(box), h = v128.load(box, 16);
      const n = load<u32>(box, 12);
      for (let left = nearB; left != 0; left &= left - 1) {
        const other = b + <usize>ctz(left) * SLOT_BYTES;
        store<u64>(leaf, pairOf(n, load<u32>(other, 12)));
        leaf += <usize>overlap(l, h, v128.load(other), v128.load(other, 16)) << 3;
      }
    }
  }
  store<u32>(counts, <u32>((top - stack) >> 3)), store<u32>(counts, <u32>((leaf - leaves) >> 3), 4);
  store<u32>(counts, tests, 8);
}

/** Of the fourth lane, nothing counts. */
// @ts-ignore: decorator
@inline
function overlap(loA: v128, hiA: v128, loB: v128, hiB: v128): u32 {
  return u32((i32x4.bitmask(v128.or(f32x4.lt(hiA, loB), f32x4.lt(hiB, loA))) & 7) == 0);
}

/** Boxes of the triangles of a node, at both ends of the motion. */
function fitRange(d: usize, range: usize, stamp: u32): void {
  const first = load<u32>(range), count = load<u32>(range, SLOT_COUNT), ends = load<u32>(d, ENDS);
  const corners = <usize>load<u32>(d, CORNERS) + <usize>first * 12, lastCorner = corners + <usize>count * 12;
  let out = <usize>load<u32>(d, SLOT_BOXES) + <usize>first * SLOT_BYTES;
  for (let k: u32 = 0; k < ends; k++) ensurePoints(d, d + FIRST_END + <usize>k * END_BYTES, corners, lastCorner);
  const start = pointsOf(d + FIRST_END), end = ends == 2 ? pointsOf(d + FIRST_END + END_BYTES) : start;
  for (let c = corners; c < lastCorner; c += 12, out += SLOT_BYTES) {
    const i = <usize>load<u32>(c) * 24, j = <usize>load<u32>(c, 4) * 24, k = <usize>load<u32>(c, 8) * 24;
    const xyI = v128.load(start + i), xyJ = v128.load(start + j), xyK = v128.load(start + k);
    const zI = v128.load64_zero(start + i, 16), zJ = v128.load64_zero(start + j, 16), zK = v128.load64_zero(start + k, 16);
    let loXY = f64x2.pmin(f64x2.pmin(xyI, xyJ), xyK), loZ = f64x2.pmin(f64x2.pmin(zI, zJ), zK);
    let hiXY = f64x2.pmax(f64x2.pmax(xyI, xyJ), xyK), hiZ = f64x2.pmax(f64x2.pmax(zI, zJ), zK);
    if (end != start) {
      for (let corner: usize = 0; corner < 12; corner += 4) {
        const p = end + <usize>load<u32>(c + corner) * 24;
        const xy = v128.load(p), z = v128.load64_zero(p, 16);
        loXY = f64x2.pmin(loXY, xy), loZ = f64x2.pmin(loZ, z), hiXY = f64x2.pmax(hiXY, xy), hiZ = f64x2.pmax(hiZ, z);
      }
    }
    const lo = roundDown(loXY, loZ), hi = roundUp(hiXY, hiZ);
    v128.store64_lane(out, lo, 0), v128.store32_lane(out, lo, 2, 8);
    v128.store64_lane(out, hi, 0, 16), v128.store32_lane(out, hi, 2, 24);
  }
  store<u32>(range, stamp, COMPUTED);
}

// @ts-ignore: decorator
@inline
function pointsOf(end: usize): usize {
  const placed = load<u32>(end, PLACED);
  return <usize>(placed != 0 ? placed : load<u32>(end, LOCAL));
}

/** Poses those of the points at some corners that were not. */
function ensurePoints(d: usize, end: usize, corners: usize, lastCorner: usize): void {
  const count = load<u32>(d, DENSE);
  if (count == 0 || load<u32>(d, SKIN_START) != 0 || load<u32>(end, PLACED) != 0) {
    for (let c = corners; c < lastCorner; c += 4) ensurePoint(d, end, load<u32>(c));
    return;
  }
  const stamps = <usize>load<u32>(end, LOCAL_STAMPS);
  if (stamps == 0) return;
  const epoch = load<u32>(end, LOCAL_EPOCH), list = <usize>load<u32>(d, NEW_POINTS);
  let tail = list;
  for (let c = corners; c < lastCorner; c += 4) {
    const point = load<u32>(c), seen = at(stamps, point);
    store<u32>(tail, point);
    tail += <usize>u32(load<u32>(seen) != epoch) << 2;
    store<u32>(seen, epoch);
  }
  if (tail == list) return;
  store<u32>(d, load<u32>(d, EVALUATED) + <u32>((tail - list) >> 2), EVALUATED);
  store<u32>(tail, load<u32>(tail - 4)); // an odd one has itself for company
  const rest = <usize>load<u32>(d, REST), delta = <usize>load<u32>(d, MODE_VALUE);
  const weights = <usize>load<u32>(end, WEIGHTS), out = <usize>load<u32>(end, LOCAL);
  for (let p = list; p < tail; p += 8) morphTwo(rest, load<u32>(p), load<u32>(p, 4), count, delta, weights, out);
}
