/**
 * Level-synchronous traversal: whole lists of node pairs are tested and appended without branches. A pair
 * is two u32 node ids. Output goes to two lists: `next` (overlapping, at least one inner node) and
 * `leaves` (both leaves); their lengths are stored as two u32 at `counts`.
 *
 * The three lines after each `verdict` are repeated by hand: the ends of the lists must stay in locals
 * (wasm globals cost a store and a load per pair).
 */

const NEXT: u32 = 1;
const LEAVES: u32 = 2;
const BOTH_LEAVES: u64 = 0x8000000080000000; // in the links of two children

// @ts-ignore: decorator
@inline
function swapHalves(box: v128): v128 {
  return v128.shuffle<i64>(box, box, 1, 0);
}

/** Which list a pair belongs to: none (0) when the boxes are apart. `swapped` is swapHalves of b's box. */
// @ts-ignore: decorator
@inline
function verdict(box: v128, swapped: v128): u32 {
  const signs = <u32>i8x16.bitmask(i16x8.add(box, swapped));
  const overlap = u32((signs & 0xaaaa) == 0); // the upper byte of each lane
  return overlap << ((signs >> 6) & 1); // two leaf flags set the sign of a lower byte
}

/** A bit for each overlap: of (a0, b0), (a1, b0), (a0, b1), (a1, b1). */
// @ts-ignore: decorator
@inline
function overlaps(a0: v128, a1: v128, swapped0: v128, swapped1: v128): u32 {
  const signs = i8x16.splat(-128), none = i64x2.splat(0);
  const first = i8x16.narrow_i16x8_s(i16x8.add(a0, swapped0), i16x8.add(a1, swapped0));
  const second = i8x16.narrow_i16x8_s(i16x8.add(a0, swapped1), i16x8.add(a1, swapped1));
  const clear0 = i64x2.eq(v128.and(first, signs), none), clear1 = i64x2.eq(v128.and(second, signs), none);
  return <u32>i32x4.bitmask(v128.shuffle<i32>(clear0, clear1, 0, 2, 4, 6));
}

/** For each set of overlaps, what to add to (a0, b0) to get its pairs, closed up: 4 × u64. */
const COMPACTED = memory.data<u64>([
  0, 0, 0, 0,
  0, 0, 0, 0,
  1, 0, 0, 0,
  0, 1, 0, 0,
  0x100000000, 0, 0, 0,
  0, 0x100000000, 0, 0,
  1, 0x100000000, 0, 0,
  0, 1, 0x100000000, 0,
  0x100000001, 0, 0, 0,
  0, 0x100000001, 0, 0,
  1, 0x100000001, 0, 0,
  0, 1, 0x100000001, 0,
  0x100000000, 0x100000001, 0, 0,
  0, 0x100000000, 0x100000001, 0,
  1, 0x100000000, 0x100000001, 0,
  0, 1, 0x100000000, 0x100000001,
]);

// @ts-ignore: decorator
@inline
export function pairOf(a: u32, b: u32): u64 {
  return (<u64>b << 32) | <u64>a;
}

// @ts-ignore: decorator
@inline
function boxAt(boxes: usize, node: u32): usize {
  return boxes + ((<usize>node) << 4);
}

/** Tests pairs that nobody has tested yet. Room needed: `count` in each list, plus one. */
export function testPairs(
  pairs: usize, count: u32, boxesA: usize, boxesB: usize, next: usize, leaves: usize, counts: usize,
): void {
  let n = next, l = leaves;
  for (let p = pairs, end = pairs + ((<usize>count) << 3); p < end; p += 8) {
    const pair = load<u64>(p);
    const v = verdict(
      v128.load(boxAt(boxesA, <u32>pair)), swapHalves(v128.load(boxAt(boxesB, <u32>(pair >> 32)))));
    store<u64>(n, pair), store<u64>(l, pair);
    n += (v & NEXT) << 3, l += (v & LEAVES) << 2;
  }
  store<u32>(counts, <u32>((n - next) >> 3)), store<u32>(counts, <u32>((l - leaves) >> 3), 4);
}

/** Tests pairs that all belong to the same list. Returns how many overlap. Room needed: `count`, plus one. */
export function testAlike(pairs: usize, count: u32, boxesA: usize, boxesB: usize, out: usize): u32 {
  let n = out;
  for (let p = pairs, end = pairs + ((<usize>count) << 3); p < end; p += 8) {
    const pair = load<u64>(p);
    const sum = i16x8.add(
      v128.load(boxAt(boxesA, <u32>pair)), swapHalves(v128.load(boxAt(boxesB, <u32>(pair >> 32)))));
    store<u64>(n, pair);
    n += u32((<u32>i8x16.bitmask(sum) & 0xaaaa) == 0) << 3;
  }
  return <u32>((n - out) >> 3);
}

/** Tests the two children of each inner node in [from, to) against each other. */
export function testSiblings(
  from: u32, to: u32, link: usize, boxes: usize, next: usize, leaves: usize, counts: usize,
): void {
  let n = next, l = leaves;
  for (let node = from; node < to; node++) {
    const child = load<u32>(link + ((<usize>node) << 2));
    if (child & 0x80000000) continue;
    const box = boxAt(boxes, child);
    const pair = pairOf(child, child + 1);
    const v = verdict(v128.load(box), swapHalves(v128.load(box, 16)));
    store<u64>(n, pair), store<u64>(l, pair);
    n += (v & NEXT) << 3, l += (v & LEAVES) << 2;
  }
  store<u32>(counts, <u32>((n - next) >> 3)), store<u32>(counts, <u32>((l - leaves) >> 3), 4);
}

/** Replaces overlapping pairs by their overlapping child pairs. Room needed: 4 x `count` + 1 in each list. */
export function expandPairs(
  pairs: usize, count: u32, linkA: usize, boxesA: usize, linkB: usize, boxesB: usize,
  next: usize, leaves: usize, counts: usize,
): void {
  let n = next, l = leaves;
  for (let p = pairs, end = pairs + ((<usize>count) << 3); p < end; p += 8) {
    const a = load<u32>(p), b = load<u32>(p, 4);
    const la = load<u32>(linkA + ((<usize>a) << 2)), lb = load<u32>(linkB + ((<usize>b) << 2));
    const leafA = la >> 31, leafB = lb >> 31;
    if (leafA | leafB) {
      // One of them is a leaf: it stays, the other is replaced by its two children.
      const c = leafA ? a : la, d = leafA ? lb : b;
      let pair = pairOf(c, d);
      let v = verdict(v128.load(boxAt(boxesA, c)), swapHalves(v128.load(boxAt(boxesB, d))));
      store<u64>(n, pair), store<u64>(l, pair);
      n += (v & NEXT) << 3, l += (v & LEAVES) << 2;
      const e = c + (leafA ^ 1), f = d + leafA;
      pair = pairOf(e, f);
      v = verdict(v128.load(boxAt(boxesA, e)), swapHalves(v128.load(boxAt(boxesB, f))));
      store<u64>(n, pair), store<u64>(l, pair);
      n += (v & NEXT) << 3, l += (v & LEAVES) << 2;
      continue;
    }
    const pa = boxAt(boxesA, la), pb = boxAt(boxesB, lb);
    const a0 = v128.load(pa), a1 = v128.load(pa, 16), b0 = v128.load(pb), b1 = v128.load(pb, 16);
    const s0 = swapHalves(b0), s1 = swapHalves(b1);
    const first = pairOf(la, lb);
    // Nearly always all four children are inner nodes, or all leaves: then one list takes all that overlap.
    const fa = load<u64>(linkA + ((<usize>la) << 2)), fb = load<u64>(linkB + ((<usize>lb) << 2));
    const some = (fa | fb) & BOTH_LEAVES, all = fa & fb & BOTH_LEAVES;
    if (some == 0 || all == BOTH_LEAVES) {
      const m = overlaps(a0, a1, s0, s1);
      const o = all ? l : n, entry = COMPACTED + (m << 5), base = i64x2.splat(first);
      v128.store(o, i64x2.add(base, v128.load(entry)));
      v128.store(o, i64x2.add(base, v128.load(entry, 16)), 16);
      const bytes = <usize>popcnt(m) << 3;
      l += all ? bytes : 0, n += all ? 0 : bytes;
    } else {
      let v = verdict(a0, s0);
      store<u64>(n, first), store<u64>(l, first);
      n += (v & NEXT) << 3, l += (v & LEAVES) << 2;
      v = verdict(a1, s0);
      store<u64>(n, first + 1), store<u64>(l, first + 1);
      n += (v & NEXT) << 3, l += (v & LEAVES) << 2;
      v = verdict(a0, s1);
      store<u64>(n, first + 0x100000000), store<u64>(l, first + 0x100000000);
      n += (v & NEXT) << 3, l += (v & LEAVES) << 2;
      v = verdict(a1, s1);
      store<u64>(n, first + 0x100000001), store<u64>(l, first + 0x100000001);
      n += (v & NEXT) << 3, l += (v & LEAVES) << 2;
    }
  }
  store<u32>(counts, <u32>((n - next) >> 3)), store<u32>(counts, <u32>((l - leaves) >> 3), 4);
}

/*
 * Motion. Boxes at the start are followed by boxes at the end, `stride` bytes further on. Two nodes stay apart if
 * one axis separates them on the same side at both ends: every point between is then apart as well. That is far
 * sharper than boxes around the whole motion, above all for parts that move together.
 */

// @ts-ignore: decorator
@inline
function movingVerdict(boxA: usize, strideA: usize, boxB: usize, strideB: usize): u32 {
  const start = i16x8.add(v128.load(boxA), swapHalves(v128.load(boxB)));
  const end = i16x8.add(v128.load(boxA + strideA), swapHalves(v128.load(boxB + strideB)));
  const signs = <u32>i8x16.bitmask(v128.and(start, end));
  return u32((signs & 0xaaaa) == 0) << ((signs >> 6) & 1);
}

/** testPairs for a motion. A stride of 0 stands for a body at rest. */
export function testMovingPairs(
  pairs: usize, count: u32, boxesA: usize, strideA: usize, boxesB: usize, strideB: usize,
  next: usize, leaves: usize, counts: usize,
): void {
  let n = next, l = leaves;
  for (let p = pairs, end = pairs + ((<usize>count) << 3); p < end; p += 8) {
    const pair = load<u64>(p);
    const v = movingVerdict(boxAt(boxesA, <u32>pair), strideA, boxAt(boxesB, <u32>(pair >> 32)), strideB);
    store<u64>(n, pair), store<u64>(l, pair);
    n += (v & NEXT) << 3, l += (v & LEAVES) << 2;
  }
  store<u32>(counts, <u32>((n - next) >> 3)), store<u32>(counts, <u32>((l - leaves) >> 3), 4);
}

/** expandPairs for a motion. */
export function expandMovingPairs(
  pairs: usize, count: u32, linkA: usize, boxesA: usize, strideA: usize,
  linkB: usize, boxesB: usize, strideB: usize, next: usize, leaves: usize, counts: usize,
): void {
  let n = next, l = leaves;
  for (let p = pairs, end = pairs + ((<usize>count) << 3); p < end; p += 8) {
    const a = load<u32>(p), b = load<u32>(p, 4);
    const la = load<u32>(linkA + ((<usize>a) << 2)), lb = load<u32>(linkB + ((<usize>b) << 2));
    const leafA = la >> 31, leafB = lb >> 31;
    const a0 = leafA ? a : la, b0 = leafB ? b : lb;
    const a1 = a0 + (leafA ^ 1), b1 = b0 + (leafB ^ 1);
    for (let d = b0; d <= b1; d++) {
      for (let c = a0; c <= a1; c++) {
        const pair = pairOf(c, d);
        const v = movingVerdict(boxAt(boxesA, c), strideA, boxAt(boxesB, d), strideB);
        store<u64>(n, pair), store<u64>(l, pair);
        n += (v & NEXT) << 3, l += (v & LEAVES) << 2;
      }
    }
  }
  store<u32>(counts, <u32>((n - next) >> 3)), store<u32>(counts, <u32>((l - leaves) >> 3), 4);
}

/** Keeps the leaf pairs whose triangles share no vertex, in place. Returns how many. */
export function dropAdjacent(pairs: usize, count: u32, link: usize, corners: usize): u32 {
  let out = pairs;
  for (let p = pairs, end = pairs + ((<usize>count) << 3); p < end; p += 8) {
    const pair = load<u64>(p);
    const a = corners + (<usize>(load<u32>(link + ((<usize>(<u32>pair)) << 2)) & 0x7fffffff)) * 12;
    const b = corners + (<usize>(load<u32>(link + ((<usize>(pair >> 32)) << 2)) & 0x7fffffff)) * 12;
    const vb = v128.load(b); // three corners and one number beyond, ignored below
    const shared = v128.or(
      v128.or(i32x4.eq(v128.load32_splat(a), vb), i32x4.eq(v128.load32_splat(a, 4), vb)),
      i32x4.eq(v128.load32_splat(a, 8), vb));
    store<u64>(out, pair);
    out += u32((i32x4.bitmask(shared) & 7) == 0) << 3;
  }
  return <u32>((out - pairs) >> 3);
}
