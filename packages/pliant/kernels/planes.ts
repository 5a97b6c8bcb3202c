/*
 * Pairs of nodes that a pose leaves open, of a tree of pairs that src/cull/subspace/pair-records.ts has placed level by
 * level. A pair is out of the question, with all its parts, when the gauge is below its radius, or when its plane is
 * between the two nodes: when gap + row · pose − spread · gauge of planes is positive, at the start and at the end. Rows
 * and poses are whole numbers, so that their product is exact; what they leave out of the true ones is in the margin of
 * the pose.
 *
 * Four at a time and without jumps: each waits for memory and for the one that has put it on the list.
 */

// A tree of pairs (u32 each): where records are and how many, of which this many are nobody's part; bytes from one to the
// next, from its start to its head, and of the row of a pose. Behind the last record is one that is never open.
const PAIRS: usize = 0, PAIR_COUNT: usize = 4, ROOTS: usize = 8, STRIDE: usize = 12, HEAD: usize = 16, ROW_BYTES: usize = 20;
// A record: the row (i16 each), read in pieces of eight: poses have zeros where it ends. Its head: radius, gap, spread
// (f32); the first part and how many, or the nodes of a pair without parts, the second with a flag (u32).
const FIRST: usize = 12, COUNT: usize = 16;
// A pose: the gauge; per end scale and margin; the gauge of planes (f32); 8 bytes; two rows, of the start and of the end.
const SCALE: usize = 4, MARGIN: usize = 8, END_BYTES: usize = 8, PLANE_GAUGE: usize = 20, POSE_ROWS: usize = 32;

const TOO_MANY: u32 = 0xffffffff;
const NO_FLAG: u64 = 0x7fffffffffffffff;

/**
 * Open pairs that have no parts go to `places`, their nodes to `out`; returns how many. More than `most` of them, or more
 * than `room` pairs to look at: returns 0xffffffff, and nothing counts. Room needed: four more in `places`, 16 more in
 * `queue`.
 *
 * The lines for each of the four are repeated by hand: the ends of the lists must stay in locals.
 */
export function listOpen(
  tree: usize, pose: usize, ends: u32, most: u32, room: u32, queue: usize, out: usize, places: usize,
): u32 {
  const pairs = <usize>load<u32>(tree, PAIRS), stride = <usize>load<u32>(tree, STRIDE);
  const head = <usize>load<u32>(tree, HEAD), bytes = <usize>load<u32>(tree, ROW_BYTES), none = load<u32>(tree, PAIR_COUNT);
  const roots = load<u32>(tree, ROOTS), full = queue + (<usize>room << 2), enough = places + (<usize>most << 2);
  const gauge = v128.load32_splat(pose), planeGauge = v128.load32_splat(pose, PLANE_GAUGE), rows = pose + POSE_ROWS;
  if (roots > room) return TOO_MANY;
  let tail = queue, open = places;
  for (let k: u32 = 0; k < roots; k++, tail += 4) store<u32>(tail, k);
  for (let at = queue; at < tail;) {
    let next = at + 16;
    if (next > tail) {
      v128.store(tail, i32x4.splat(none));
      next = tail;
    }
    const first = load<u32>(at), second = load<u32>(at, 4), third = load<u32>(at, 8), fourth = load<u32>(at, 12);
    const a = pairs + <usize>first * stride, b = pairs + <usize>second * stride;
    const c = pairs + <usize>third * stride, d = pairs + <usize>fourth * stride;
    // Their heads, transposed.
    const headA = v128.load(a + head), headB = v128.load(b + head), headC = v128.load(c + head), headD = v128.load(d + head);
    const lowAB = v128.shuffle<i32>(headA, headB, 0, 4, 1, 5), lowCD = v128.shuffle<i32>(headC, headD, 0, 4, 1, 5);
    const highAB = v128.shuffle<i32>(headA, headB, 2, 6, 3, 7), highCD = v128.shuffle<i32>(headC, headD, 2, 6, 3, 7);
    const radius = v128.shuffle<i64>(lowAB, lowCD, 0, 2), gap = v128.shuffle<i64>(lowAB, lowCD, 1, 3);
    const spread = v128.shuffle<i64>(highAB, highCD, 0, 2);
    const rest = f32x4.sub(gap, f32x4.mul(spread, planeGauge));
    let isApart = isBeyond(rest, products(a, b, c, d, rows, bytes), pose);
    if (ends == 2) {
      isApart = v128.and(isApart, isBeyond(rest, products(a, b, c, d, rows + bytes, bytes), pose + END_BYTES));
    }
    const isOpen = <u32>i32x4.bitmask(v128.or(isApart, f32x4.lt(gauge, radius))) ^ 15;

    let ids = load<u64>(a + head, FIRST), isWhole = <u32>(ids >> 63);
    let takes = isOpen & isWhole & 1, opens = isOpen & ~isWhole & 1;
    store<u32>(open, first);
    open += <usize>takes << 2;
    v128.store(tail, i32x4.add(i32x4.splat(<u32>ids), i32x4(0, 1, 2, 3)));
    tail += (<usize>(ids >> 32) & (0 - <usize>opens)) << 2;

    ids = load<u64>(b + head, FIRST), isWhole = <u32>(ids >> 63);
    takes = (isOpen >> 1) & isWhole & 1, opens = (isOpen >> 1) & ~isWhole & 1;
    store<u32>(open, second);
    open += <usize>takes << 2;
    v128.store(tail, i32x4.add(i32x4.splat(<u32>ids), i32x4(0, 1, 2, 3)));
    tail += (<usize>(ids >> 32) & (0 - <usize>opens)) << 2;

    ids = load<u64>(c + head, FIRST), isWhole = <u32>(ids >> 63);
    takes = (isOpen >> 2) & isWhole & 1, opens = (isOpen >> 2) & ~isWhole & 1;
    store<u32>(open, third);
    open += <usize>takes << 2;
    v128.store(tail, i32x4.add(i32x4.splat(<u32>ids), i32x4(0, 1, 2, 3)));
    tail += (<usize>(ids >> 32) & (0 - <usize>opens)) << 2;

    ids = load<u64>(d + head, FIRST), isWhole = <u32>(ids >> 63);
    takes = (isOpen >> 3) & isWhole & 1, opens = (isOpen >> 3) & ~isWhole & 1;
    store<u32>(open, fourth);
    open += <usize>takes << 2;
    v128.store(tail, i32x4.add(i32x4.splat(<u32>ids), i32x4(0, 1, 2, 3)));
    tail += (<usize>(ids >> 32) & (0 - <usize>opens)) << 2;
    if (tail > full || open > enough) return TOO_MANY;
    at = next;
  }
  for (let at = places, o = out; at < open; at += 4, o += 8) {
    store<u64>(o, load<u64>(pairs + <usize>load<u32>(at) * stride + head, FIRST) & NO_FLAG);
  }
  return <u32>((open - places) >> 2);
}

// @ts-ignore: decorator
@inline
function isBeyond(rest: v128, products: v128, end: usize): v128 {
  const sum = f32x4.add(rest, f32x4.mul(f32x4.convert_i32x4_s(products), v128.load32_splat(end, SCALE)));
  return f32x4.gt(sum, v128.load32_splat(end, MARGIN));
}

/** Of four rows with that of a pose. */
// @ts-ignore: decorator
@inline
function products(a: usize, b: usize, c: usize, d: usize, row: usize, bytes: usize): v128 {
  let sumA = i32x4.splat(0), sumB = sumA, sumC = sumA, sumD = sumA;
  for (let o: usize = 0; o < bytes; o += 16) {
    const q = v128.load(row + o);
    sumA = i32x4.add(sumA, i32x4.dot_i16x8_s(v128.load(a + o), q));
    sumB = i32x4.add(sumB, i32x4.dot_i16x8_s(v128.load(b + o), q));
    sumC = i32x4.add(sumC, i32x4.dot_i16x8_s(v128.load(c + o), q));
    sumD = i32x4.add(sumD, i32x4.dot_i16x8_s(v128.load(d + o), q));
  }
  const ab = i32x4.add(v128.shuffle<i64>(sumA, sumB, 0, 2), v128.shuffle<i64>(sumA, sumB, 1, 3));
  const cd = i32x4.add(v128.shuffle<i64>(sumC, sumD, 0, 2), v128.shuffle<i64>(sumC, sumD, 1, 3));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 2, 4, 6), v128.shuffle<i32>(ab, cd, 1, 3, 5, 7));
}
