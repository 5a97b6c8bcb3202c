import type { Views } from './handle-block.ts';

/** See kernels/planes.ts. Everything is named by word. */
const TREE = { pairs: 0, count: 1, roots: 2, stride: 3, head: 4, rowBytes: 5 } as const;
const RECORD = { gap: 1, spread: 2, first: 3, count: 4 } as const; // behind the row, beginning with the radius
const POSE = { scale: 1, margin: 2, end: 2, planeGauge: 5, rows: 8 } as const;
const WHOLE = 0x80000000;
const TOO_MANY = 0xffffffff;
const TOGETHER = 4;
const { fround } = Math;
/** The pairs that are looked at together: what they put on the list may go where the last of them were. */
const these = new Uint32Array(TOGETHER);

export function listOpen(
  { u32, f32 }: Views,
  tree: number,
  pose: number,
  ends: number,
  most: number,
  room: number,
  queue: number,
  out: number,
  places: number,
): number {
  const pairs = u32[tree + TREE.pairs] >>> 2,
    stride = u32[tree + TREE.stride] >>> 2,
    head = u32[tree + TREE.head] >>> 2;
  const rowWords = u32[tree + TREE.rowBytes] >>> 2,
    roots = u32[tree + TREE.roots];
  const gauge = f32[pose],
    planeGauge = f32[pose + POSE.planeGauge];
  if (roots > room) return TOO_MANY;
  for (let k = 0; k < roots; k++) u32[queue + k] = k;
  let tail = roots,
    found = 0;
  for (let at = 0; at < tail; ) {
    const next = Math.min(tail, at + TOGETHER);
    if (next < at + TOGETHER) u32.fill(u32[tree + TREE.count], queue + tail, queue + tail + TOGETHER);
    for (let k = 0; k < TOGETHER; k++) these[k] = u32[queue + at + k];
    for (let i = 0; i < TOGETHER; i++) {
      const place = these[i];
      const row = pairs + stride * place,
        pair = row + head;
      const first = u32[pair + RECORD.first],
        count = u32[pair + RECORD.count];
      const rest = fround(f32[pair + RECORD.gap] - fround(f32[pair + RECORD.spread] * planeGauge));
      let isApart = true;
      for (let end = 0; end < ends; end++) {
        const sum = fround(product(u32, row, pose + POSE.rows + rowWords * end, rowWords));
        const o = pose + POSE.end * end;
        isApart &&= fround(rest + fround(sum * f32[o + POSE.scale])) > f32[o + POSE.margin];
      }
      const isOpen = !(isApart || gauge < f32[pair]);
      u32[places + found] = place;
      if (isOpen && count >= WHOLE) found++;
      for (let k = 0; k < TOGETHER; k++) u32[queue + tail + k] = first + k;
      if (isOpen && count < WHOLE) tail += count;
    }
    if (tail > room || found > most) return TOO_MANY;
    at = next;
  }
  for (let k = 0; k < found; k++) {
    const pair = pairs + stride * u32[places + k] + head;
    u32[out + 2 * k] = u32[pair + RECORD.first];
    u32[out + 2 * k + 1] = u32[pair + RECORD.count] & ~WHOLE;
  }
  return found;
}

/** Of whole numbers, two to a word; below 2^31, however they are added up. */
function product(u32: Uint32Array, a: number, b: number, words: number): number {
  let sum = 0;
  for (let k = 0; k < words; k++) {
    const x = u32[a + k] | 0,
      y = u32[b + k] | 0;
    sum += ((x << 16) >> 16) * ((y << 16) >> 16) + (x >> 16) * (y >> 16);
  }
  return sum;
}
