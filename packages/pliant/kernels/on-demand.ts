import {
  COMPUTED, FRAME, LINK, SEEN, VOLUMES, VOLUME_BYTES, at,
} from './side';
import { pairOf } from './traverse';
import { ensure, fitNode } from './volumes';

/*
 * Depth-first traversal of two sides, see ./side, with volumes and positions computed when they are needed.
 */

/** Computes the box of a node. */
export function ensureBox(d: usize, node: u32): void {
  ensure(d, node, 0);
}

// @ts-ignore: decorator
@inline
function overlap(a: usize, b: usize): usize {
  const apart = v128.or(f32x4.lt(v128.load(a, 12), v128.load(b)), f32x4.lt(v128.load(b, 12), v128.load(a)));
  return usize((i32x4.bitmask(apart) & 7) == 0);
}

/** 1 when the boxes of two nodes overlap. */
export function testBoxes(a: usize, n: u32, b: usize, m: u32): u32 {
  return <u32>overlap(ensure(a, n, 0), ensure(b, m, 0));
}

// @ts-ignore: decorator
@inline
function extent(box: usize): f32 {
  const e = f32x4.sub(v128.load(box, 12), v128.load(box));
  return f32x4.extract_lane(e, 0) + f32x4.extract_lane(e, 1) + f32x4.extract_lane(e, 2);
}

/** How much two boxes have in common: the extent of the box that is in both. */
// @ts-ignore: decorator
@inline
function shared(a: usize, b: usize): f32 {
  const e = f32x4.sub(f32x4.pmin(v128.load(a, 12), v128.load(b, 12)), f32x4.pmax(v128.load(a), v128.load(b)));
  return f32x4.extract_lane(e, 0) + f32x4.extract_lane(e, 1) + f32x4.extract_lane(e, 2);
}

/** The volume of a node that the traversal looks at. */
// @ts-ignore: decorator
@inline
function look(d: usize, volumes: usize, frame: u32, node: u32): usize {
  const volume = volumes + (<usize>node) * VOLUME_BYTES;
  store<u32>(volume, frame, SEEN);
  if (load<u32>(volume, COMPUTED) != frame) fitNode(d, node, volume, 0);
  return volume;
}

/**
 * Works off a stack of node pairs whose boxes overlap; of each the larger box is opened. Depth, leaf pairs and box tests
 * go to `counts`. Stops when `steps` pairs have been taken, or when the leaf list is full.
 */
export function descendOnDemand(
  a: usize, b: usize, stack: usize, depth: u32, leaves: usize, room: u32, steps: u32, self: u32, counts: usize,
): void {
  let top = stack + ((<usize>depth) << 3), leaf = leaves, tests: u32 = 0;
  const last = leaves + ((<usize>room) << 3);
  const linksA = load<usize>(a, LINK), linksB = load<usize>(b, LINK);
  const volumesA = load<usize>(a, VOLUMES), volumesB = load<usize>(b, VOLUMES);
  const frameA = load<u32>(a, FRAME), frameB = load<u32>(b, FRAME);
  for (; steps > 0 && top > stack && leaf < last; steps--) {
    top -= 8;
    const n = load<u32>(top), m = load<u32>(top, 4);
    const linkA = load<u32>(at(linksA, n)), linkB = load<u32>(at(linksB, m));
    if (self != 0 && n == m) {
      if (linkA & 0x80000000) continue;
      store<u64>(top, pairOf(linkA + 1, linkA + 1)), store<u64>(top, pairOf(linkA, linkA), 8);
      store<u64>(top, pairOf(linkA, linkA + 1), 16);
      const first = look(a, volumesA, frameA, linkA), second = look(a, volumesA, frameA, linkA + 1);
      top += 16 + (overlap(first, second) << 3);
      tests++;
      continue;
    }
    if (linkA & linkB & 0x80000000) {
      store<u64>(leaf, pairOf(n, m));
      leaf += 8;
      continue;
    }
    tests += 2;
    const boxA = volumesA + (<usize>n) * VOLUME_BYTES, boxB = volumesB + (<usize>m) * VOLUME_BYTES;
    if ((linkB & 0x80000000) != 0 || ((linkA & 0x80000000) == 0 && extent(boxA) >= extent(boxB))) {
      const first = look(a, volumesA, frameA, linkA), second = look(a, volumesA, frameA, linkA + 1);
      const turn = u32(shared(first, boxB) > shared(second, boxB)); // the deeper one on top
      store<u64>(top, pairOf(linkA + turn, m));
      top += overlap(turn ? second : first, boxB) << 3;
      store<u64>(top, pairOf(linkA + 1 - turn, m));
      top += overlap(turn ? first : second, boxB) << 3;
    } else {
      const first = look(b, volumesB, frameB, linkB), second = look(b, volumesB, frameB, linkB + 1);
      const turn = u32(shared(first, boxA) > shared(second, boxA));
      store<u64>(top, pairOf(n, linkB + turn));
      top += overlap(turn ? second : first, boxA) << 3;
      store<u64>(top, pairOf(n, linkB + 1 - turn));
      top += overlap(turn ? first : second, boxA) << 3;
    }
  }
  store<u32>(counts, <u32>((top - stack) >> 3)), store<u32>(counts, <u32>((leaf - leaves) >> 3), 4);
  store<u32>(counts, tests, 8);
}
