import { morphPoints } from './deform.ts';
import { END, SIDE, type Views } from './handle-block.ts';
import { roundDown, roundUp } from './handle-boxes.ts';
import { ensurePoint, least, most } from './on-demand.ts';

/** Operation order: that of kernels/small-pairs.ts. Everything is named by word. */
const SLOT = { leaf: 3, hi: 4, words: 8 } as const; // lo.xyz, the leaf, hi.xyz
const RANGE = { count: 1, computed: 2, words: 3 } as const; // after the first slot
/** lo.xyz and hi.xyz of the triangles of a node that matter. */
const all = new Float32Array(6);

export function testSmallPairs(
  views: Views,
  d: number,
  stack: number,
  depth: number,
  leaves: number,
  room: number,
  steps: number,
  counts: number,
): void {
  const { u32, f32 } = views;
  let top = stack + 2 * depth,
    leaf = leaves,
    tests = 0;
  const ranges = u32[d + SIDE.ranges] >>> 2,
    boxes = u32[d + SIDE.slotBoxes] >>> 2;
  for (let left = steps; left > 0 && top > stack; left--) {
    const rangeA = ranges + RANGE.words * u32[top - 2],
      rangeB = ranges + RANGE.words * u32[top - 1];
    const countA = u32[rangeA + RANGE.count],
      countB = u32[rangeB + RANGE.count];
    if (leaf + 2 * countA * countB > leaves + 2 * room) break;
    top -= 2;
    ensureRange(views, d, rangeA);
    ensureRange(views, d, rangeB);
    const a = boxes + SLOT.words * u32[rangeA],
      b = boxes + SLOT.words * u32[rangeB];
    // Of each node, those triangles that are near the other one.
    unite(f32, b, countB, ALL);
    const nearA = findNear(f32, a, countA);
    tests += countA;
    if (nearA === 0) continue;
    unite(f32, a, countA, nearA);
    const nearB = findNear(f32, b, countB);
    tests += countB + countBits(nearA) * countBits(nearB);
    for (let i = 0; i < countA; i++) {
      for (let j = 0; j < countB; j++) {
        if (((nearA >>> i) & (nearB >>> j) & 1) === 0) continue;
        const box = a + SLOT.words * i,
          other = b + SLOT.words * j;
        u32[leaf] = u32[box + SLOT.leaf];
        u32[leaf + 1] = u32[other + SLOT.leaf];
        if (overlap(f32, box, f32, other, SLOT.hi)) leaf += 2;
      }
    }
  }
  u32[counts] = (top - stack) >>> 1;
  u32[counts + 1] = (leaf - leaves) >>> 1;
  u32[counts + 2] = tests;
}

const ALL = 0xffffffff;

/** Puts the box of some of `count` slots into `all`. */
function unite(f32: Float32Array, slots: number, count: number, which: number): void {
  all.fill(Infinity, 0, 3).fill(-Infinity, 3);
  for (let k = 0, box = slots; k < count; k++, box += SLOT.words) {
    if (((which >>> k) & 1) === 0) continue;
    for (let axis = 0; axis < 3; axis++) {
      all[axis] = least(all[axis], f32[box + axis]);
      all[3 + axis] = most(all[3 + axis], f32[box + SLOT.hi + axis]);
    }
  }
}

/** A bit for each of `count` slots that overlaps with the box in `all`. */
function findNear(f32: Float32Array, slots: number, count: number): number {
  let near = 0;
  for (let k = 0; k < count; k++) if (overlap(f32, slots + SLOT.words * k, all, 0, 3)) near |= 1 << k;
  return near >>> 0;
}

/** `hi`: from the lo of the second box to its hi. */
function overlap(f32: Float32Array, a: number, other: Float32Array, b: number, hi: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (f32[a + SLOT.hi + axis] < other[b + axis] || other[b + hi + axis] < f32[a + axis]) return false;
  }
  return true;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** Boxes of the triangles of a node, at both ends of the motion, unless they are there. */
function ensureRange(views: Views, d: number, range: number): void {
  const { u32, f32, f64 } = views;
  const stamp = u32[d + SIDE.stamp];
  if (u32[range + RANGE.computed] === stamp) return;
  u32[range + RANGE.computed] = stamp;
  const first = u32[range],
    ends = u32[d + SIDE.ends];
  const corners = (u32[d + SIDE.corners] >>> 2) + 3 * first,
    lastCorner = corners + 3 * u32[range + RANGE.count];
  for (let k = 0; k < ends; k++) ensurePoints(views, d, d + SIDE.end + END.words * k, corners, lastCorner);
  let out = (u32[d + SIDE.slotBoxes] >>> 2) + SLOT.words * first;
  for (let c = corners; c < lastCorner; c += 3, out += SLOT.words) {
    for (let axis = 0; axis < 3; axis++) {
      let lo = Infinity,
        hi = -Infinity;
      for (let e = 0; e < ends; e++) {
        const points = pointsOf(u32, d + SIDE.end + END.words * e);
        for (let k = c; k < c + 3; k++) {
          lo = least(lo, f64[points + 3 * u32[k] + axis]);
          hi = most(hi, f64[points + 3 * u32[k] + axis]);
        }
      }
      f32[out + axis] = roundDown(lo);
      f32[out + SLOT.hi + axis] = roundUp(hi);
    }
  }
}

function pointsOf(u32: Uint32Array, end: number): number {
  const placed = u32[end + END.placed];
  return (placed !== 0 ? placed : u32[end + END.local]) >>> 3;
}

/** Poses those of the points at some corners that were not. */
function ensurePoints(views: Views, d: number, end: number, corners: number, lastCorner: number): void {
  const { u32, f64 } = views;
  const count = u32[d + SIDE.dense];
  if (count === 0 || u32[d + SIDE.skin] !== 0 || u32[end + END.placed] !== 0) {
    for (let c = corners; c < lastCorner; c++) ensurePoint(views, d, end, u32[c]);
    return;
  }
  if (u32[end + END.localStamps] === 0) return;
  const stamps = u32[end + END.localStamps] >>> 2,
    epoch = u32[end + END.localEpoch];
  const list = u32[d + SIDE.newPoints] >>> 2;
  let tail = list;
  for (let c = corners; c < lastCorner; c++) {
    u32[tail] = u32[c];
    if (u32[stamps + u32[c]] !== epoch) tail++;
    u32[stamps + u32[c]] = epoch;
  }
  if (tail === list) return;
  u32[d + SIDE.evaluated] += tail - list;
  u32[tail] = u32[tail - 1];
  const rest = u32[d + SIDE.rest] >>> 3,
    out = u32[end + END.local] >>> 3,
    weights = u32[end + END.weights] >>> 3;
  const start = u32[d + SIDE.modes] >>> 2,
    index = u32[d + SIDE.modes + 1] >>> 2,
    value = u32[d + SIDE.modes + 2] >>> 3;
  for (let k = list; k < tail; k++) {
    const p = u32[k];
    morphPoints(f64, u32, rest + 3 * p, 1, start + p, index, value, weights, out + 3 * p);
  }
}
