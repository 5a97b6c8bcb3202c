import { SLOT } from '../kernels.ts';

const APART = 0;
const NEXT = 1;
const LEAVES = 2;

const SIGNS = 0x80008000 | 0; // of the two fields of a word, see boxes.ts

/** Which list a pair belongs to. */
function verdict(i32: Int32Array, a: number, b: number): number {
  const z = i32[a + 1] + i32[b + 3];
  const signs = (i32[a] + i32[b + 2]) | z | (i32[a + 2] + i32[b]) | (i32[a + 3] + i32[b + 1]);
  if ((signs & SIGNS) !== 0) return APART;
  return NEXT << (z >>> 23); // the leaf flags add up to 128
}

export function testPairs(
  i32: Int32Array,
  pairs: number,
  count: number,
  boxesA: number,
  boxesB: number,
  next: number,
  leaves: number,
  counts: number,
): void {
  let n = next,
    l = leaves;
  for (let p = pairs, end = pairs + 2 * count; p < end; p += 2) {
    const a = i32[p],
      b = i32[p + 1];
    const v = verdict(i32, boxesA + 4 * a, boxesB + 4 * b);
    i32[n] = i32[l] = a;
    i32[n + 1] = i32[l + 1] = b;
    n += (v & NEXT) << 1;
    l += v & LEAVES;
  }
  i32[counts] = (n - next) >>> 1;
  i32[counts + 1] = (l - leaves) >>> 1;
}

export function testAlike(
  i32: Int32Array,
  pairs: number,
  count: number,
  boxesA: number,
  boxesB: number,
  out: number,
): number {
  let n = out;
  for (let p = pairs, end = pairs + 2 * count; p < end; p += 2) {
    const a = i32[p],
      b = i32[p + 1];
    i32[n] = a;
    i32[n + 1] = b;
    if (verdict(i32, boxesA + 4 * a, boxesB + 4 * b) !== APART) n += 2;
  }
  return (n - out) >>> 1;
}

export function testSiblings(
  i32: Int32Array,
  from: number,
  to: number,
  link: number,
  boxes: number,
  next: number,
  leaves: number,
  counts: number,
): void {
  let n = next,
    l = leaves;
  for (let node = from; node < to; node++) {
    const child = i32[link + node];
    if (child < 0) continue;
    const v = verdict(i32, boxes + 4 * child, boxes + 4 * child + 4);
    i32[n] = i32[l] = child;
    i32[n + 1] = i32[l + 1] = child + 1;
    n += (v & NEXT) << 1;
    l += v & LEAVES;
  }
  i32[counts] = (n - next) >>> 1;
  i32[counts + 1] = (l - leaves) >>> 1;
}

export function expandPairs(
  i32: Int32Array,
  pairs: number,
  count: number,
  linkA: number,
  boxesA: number,
  linkB: number,
  boxesB: number,
  next: number,
  leaves: number,
  counts: number,
): void {
  let n = next,
    l = leaves;
  for (let p = pairs, end = pairs + 2 * count; p < end; p += 2) {
    const a = i32[p],
      b = i32[p + 1];
    const la = i32[linkA + a],
      lb = i32[linkB + b];
    const a0 = la < 0 ? a : la,
      a1 = la < 0 ? a : la + 1;
    const b0 = lb < 0 ? b : lb,
      b1 = lb < 0 ? b : lb + 1;
    if (la >= 0 && lb >= 0) {
      // Nearly always all four children are inner nodes, or all leaves: then each pair is stored once.
      const c = i32[boxesA + 4 * a0 + 1],
        d = i32[boxesA + 4 * a1 + 1],
        e = i32[boxesB + 4 * b0 + 1],
        f = i32[boxesB + 4 * b1 + 1];
      const all = (c & d & e & f) >>> 16;
      if ((c | d | e | f) >>> 16 === all) {
        let o = all !== 0 ? l : n;
        o = storeIfOverlap(i32, o, a0, b0, boxesA, boxesB);
        o = storeIfOverlap(i32, o, a1, b0, boxesA, boxesB);
        o = storeIfOverlap(i32, o, a0, b1, boxesA, boxesB);
        o = storeIfOverlap(i32, o, a1, b1, boxesA, boxesB);
        if (all !== 0) l = o;
        else n = o;
        continue;
      }
    }
    for (let d = b0; d <= b1; d++) {
      for (let c = a0; c <= a1; c++) {
        const v = verdict(i32, boxesA + 4 * c, boxesB + 4 * d);
        i32[n] = i32[l] = c;
        i32[n + 1] = i32[l + 1] = d;
        n += (v & NEXT) << 1;
        l += v & LEAVES;
      }
    }
  }
  i32[counts] = (n - next) >>> 1;
  i32[counts + 1] = (l - leaves) >>> 1;
}

/** Writes a pair at o; the place behind it when it overlaps, else o again. */
function storeIfOverlap(
  i32: Int32Array,
  o: number,
  a: number,
  b: number,
  boxesA: number,
  boxesB: number,
): number {
  i32[o] = a;
  i32[o + 1] = b;
  return verdict(i32, boxesA + 4 * a, boxesB + 4 * b) === APART ? o : o + 2;
}

export function dropAdjacent(
  i32: Int32Array,
  pairs: number,
  count: number,
  link: number,
  corners: number,
): number {
  let out = pairs;
  for (let p = pairs, end = pairs + 2 * count; p < end; p += 2) {
    const a = i32[p],
      b = i32[p + 1];
    const ca = corners + 3 * (i32[link + a] & SLOT),
      cb = corners + 3 * (i32[link + b] & SLOT);
    const a0 = i32[ca],
      a1 = i32[ca + 1],
      a2 = i32[ca + 2];
    const b0 = i32[cb],
      b1 = i32[cb + 1],
      b2 = i32[cb + 2];
    if (a0 === b0 || a0 === b1 || a0 === b2 || a1 === b0 || a1 === b1) continue;
    if (a1 === b2 || a2 === b0 || a2 === b1 || a2 === b2) continue;
    i32[out] = a;
    i32[out + 1] = b;
    out += 2;
  }
  return (out - pairs) >>> 1;
}

/** See kernels/traverse.ts: an axis that separates on the same side at both ends separates in between. */
function movingVerdict(i32: Int32Array, a: number, strideA: number, b: number, strideB: number): number {
  const c = a + strideA,
    d = b + strideB;
  const z = (i32[a + 1] + i32[b + 3]) & (i32[c + 1] + i32[d + 3]);
  const signs =
    ((i32[a] + i32[b + 2]) & (i32[c] + i32[d + 2])) |
    z |
    ((i32[a + 2] + i32[b]) & (i32[c + 2] + i32[d])) |
    ((i32[a + 3] + i32[b + 1]) & (i32[c + 3] + i32[d + 1]));
  if ((signs & SIGNS) !== 0) return APART;
  return NEXT << ((z >>> 23) & 1);
}

export function testMovingPairs(
  i32: Int32Array,
  pairs: number,
  count: number,
  boxesA: number,
  strideA: number,
  boxesB: number,
  strideB: number,
  next: number,
  leaves: number,
  counts: number,
): void {
  let n = next,
    l = leaves;
  for (let p = pairs, end = pairs + 2 * count; p < end; p += 2) {
    const a = i32[p],
      b = i32[p + 1];
    const v = movingVerdict(i32, boxesA + 4 * a, strideA, boxesB + 4 * b, strideB);
    i32[n] = i32[l] = a;
    i32[n + 1] = i32[l + 1] = b;
    n += (v & NEXT) << 1;
    l += v & LEAVES;
  }
  i32[counts] = (n - next) >>> 1;
  i32[counts + 1] = (l - leaves) >>> 1;
}

export function expandMovingPairs(
  i32: Int32Array,
  pairs: number,
  count: number,
  linkA: number,
  boxesA: number,
  strideA: number,
  linkB: number,
  boxesB: number,
  strideB: number,
  next: number,
  leaves: number,
  counts: number,
): void {
  let n = next,
    l = leaves;
  for (let p = pairs, end = pairs + 2 * count; p < end; p += 2) {
    const a = i32[p],
      b = i32[p + 1];
    const la = i32[linkA + a],
      lb = i32[linkB + b];
    const a0 = la < 0 ? a : la,
      a1 = la < 0 ? a : la + 1;
    const b0 = lb < 0 ? b : lb,
      b1 = lb < 0 ? b : lb + 1;
    for (let d = b0; d <= b1; d++) {
      for (let c = a0; c <= a1; c++) {
        const v = movingVerdict(i32, boxesA + 4 * c, strideA, boxesB + 4 * d, strideB);
        i32[n] = i32[l] = c;
        i32[n + 1] = i32[l + 1] = d;
        n += (v & NEXT) << 1;
        l += v & LEAVES;
      }
    }
  }
  i32[counts] = (n - next) >>> 1;
  i32[counts + 1] = (l - leaves) >>> 1;
}
