import { SLOT } from '../kernels.ts';
import type { KernelMemory } from '../memory.ts';
import { cell, LEAF_FLAG, minFields } from './boxes.ts';

/** See kernels/parts.ts. Addresses are in units of four bytes. */

const NONE = 0xffffffff;
const TOP = 32767;
const SIGNS = 0x80008000 | 0;

const SWEPT = 9;
const INNER = 11;
const LEAF = 12;
const INNER_COUNT = 14;
const LEAF_COUNT = 15;
const BOXES = 18;
const SEGMENTS = 20;
const POINTS = 22;
const COARSE = 24;
const OPEN = 25;
const OPEN_COUNT = 26;
const OPEN_ROOM = 27;
const MARKS = 28;
const SMALL_COUNT = 29;
const LEFT = 31;
const COARSE_TESTS = 32;
const FIRST_ROWS = 33;
const SMALL_NODES = 34;
const PATCH_OF = 35;
const UPPER = 36;
const UPPER_COUNT = 37;
const LINK = 38;
const CORNERS = 39;
const VERTEX_BOXES = 40;
const NODE_BOXES = 41;
const STRIDE = 42;
const STACK = 43;
const FRAME = 44;
const ROW_COUNTS = 45;

const SEGMENT = 10;

export function fitUpper({ u32, i32, f64 }: KernelMemory, header: number): void {
  const frame = u32[header + FRAME] >>> 3,
    nodes = u32[header + SMALL_NODES] >>> 2,
    links = u32[header + LINK] >>> 2,
    upper = u32[header + UPPER] >>> 2;
  for (let end = 0; end < (u32[header + SWEPT] ? 2 : 1); end++) {
    const out = (u32[header + NODE_BOXES] + end * u32[header + STRIDE]) >>> 2;
    for (let k = 0, box = u32[header + BOXES + end] >>> 3; k < u32[header + SMALL_COUNT]; k++, box += 6) {
      const node = u32[nodes + k];
      const flag = u32[links + node] >= 0x80000000 ? LEAF_FLAG : 0;
      writeBox(i32, f64, frame, box, box + 3, flag, out + 4 * node);
    }
    for (let k = 0; k < u32[header + UPPER_COUNT]; k++) {
      const node = u32[upper + k];
      uniteChildren(i32, out + 4 * u32[links + node], out + 4 * node);
    }
  }
}

function writeBox(
  i32: Int32Array,
  f64: Float64Array,
  frame: number,
  lo: number,
  hi: number,
  flag: number,
  out: number,
): void {
  const at = (p: number, k: number) => cell((f64[p + k] - f64[frame + k]) * f64[frame + 3 + k]);
  i32[out] = at(lo, 0) | (at(lo, 1) << 16);
  i32[out + 1] = at(lo, 2) | flag;
  i32[out + 2] = (TOP - at(hi, 0)) | ((TOP - at(hi, 1)) << 16);
  i32[out + 3] = (TOP - at(hi, 2)) | flag;
}

function uniteChildren(i32: Int32Array, c: number, out: number): void {
  i32[out] = minFields(i32[c], i32[c + 4]);
  i32[out + 1] = minFields(i32[c + 1], i32[c + 5]) & 0xffff;
  i32[out + 2] = minFields(i32[c + 2], i32[c + 6]);
  i32[out + 3] = minFields(i32[c + 3], i32[c + 7]) & 0xffff;
}

export function addSegments(memory: KernelMemory, header: number, from: number, to: number): void {
  const { u8, u32 } = memory;
  const marks = u32[header + MARKS];
  let s = (u32[header + SEGMENTS] >>> 2) + SEGMENT * from;
  for (let k = from; k < to; k++, s += SEGMENT) {
    const left =
      addRange(u32, header, INNER, INNER_COUNT, u32[s], u32[s + 1]) +
      addRange(u32, header, LEAF, LEAF_COUNT, u32[s + 2], u32[s + 3]);
    u32[header + LEFT] += left;
    u8.fill(1, marks + u32[s + 6], marks + u32[s + 7]);
    u8.fill(1, marks + u32[s + 8], marks + u32[s + 9]);
    const isFull = u32[header + OPEN_COUNT] > u32[header + OPEN_ROOM];
    if (u32[s + 4] !== u32[s + 5] && !isFull) testCoarse(memory, header, u32[s + 4], u32[s + 5]);
  }
}

export function countPairs({ u32 }: KernelMemory, header: number, from: number, to: number): number {
  let sum = 0;
  for (let k = from; k < to; k++) {
    const s = (u32[header + SEGMENTS] >>> 2) + SEGMENT * k;
    sum += u32[s + 1] - u32[s] + (u32[s + 3] - u32[s + 2]);
  }
  return sum;
}

function addRange(
  u32: Uint32Array,
  header: number,
  list: number,
  countAt: number,
  from: number,
  to: number,
): number {
  if (from === to) return 0;
  const count = u32[header + countAt];
  const end = (u32[header + list] >>> 2) + 2 * count;
  if (count !== 0 && u32[end - 1] === from) u32[end - 1] = to;
  else {
    u32[end] = from;
    u32[end + 1] = to;
    u32[header + countAt]++;
  }
  return to - from;
}

function testCoarse(memory: KernelMemory, header: number, from: number, to: number): void {
  const { u32, i32 } = memory;
  const pairs = u32[header + COARSE] >>> 2,
    boxes = u32[header + NODE_BOXES] >>> 2,
    stride = u32[header + STRIDE] >>> 2;
  let tests = to - from;
  for (let p = pairs + 2 * from; p < pairs + 2 * to; p += 2) {
    if (!overlap(i32, boxes, stride, u32[p], u32[p + 1])) continue;
    tests += descend(memory, header, boxes, stride, u32[p], u32[p + 1]);
  }
  u32[header + COARSE_TESTS] += tests;
}

function overlap(i32: Int32Array, boxes: number, stride: number, n: number, m: number): boolean {
  const a = boxes + 4 * n,
    b = boxes + 4 * m;
  let signs = 0;
  for (let k = 0; k < 4; k++) {
    const other = b + (k ^ 2);
    // Fields are below 2^15, so that sums do not carry; words of flags add up to less than a sign.
    signs |= (i32[a + k] + i32[other]) & (i32[a + stride + k] + i32[other + stride]) & SIGNS;
  }
  return signs === 0;
}

function descend(
  memory: KernelMemory,
  header: number,
  boxes: number,
  stride: number,
  c: number,
  d: number,
): number {
  const { u32, i32 } = memory;
  const stack = u32[header + STACK] >>> 2,
    links = u32[header + LINK] >>> 2,
    patchOf = u32[header + PATCH_OF] >>> 2;
  let top = stack,
    tests = 0;
  // The place above the stack is written in any case, as the twin does.
  const push = (n: number, m: number) => {
    u32[top] = n;
    u32[top + 1] = m;
    if (overlap(i32, boxes, stride, n, m)) top += 2;
  };
  u32[top] = c;
  u32[top + 1] = d;
  top += 2;
  while (top > stack) {
    top -= 2;
    const n = u32[top],
      m = u32[top + 1];
    const patchN = u32[patchOf + n],
      patchM = u32[patchOf + m];
    if (patchN !== NONE && patchM !== NONE) {
      addOpen(memory, header, n, m, patchN, patchM);
      continue;
    }
    tests += 2;
    if (patchM !== NONE || (patchN === NONE && n < m)) {
      const child = u32[links + n];
      push(child, m);
      push(child + 1, m);
    } else {
      const child = u32[links + m];
      push(n, child);
      push(n, child + 1);
    }
  }
  return tests;
}

function addOpen(
  memory: KernelMemory,
  header: number,
  n: number,
  m: number,
  patchN: number,
  patchM: number,
): void {
  const { u8, u32 } = memory;
  const isFew = 4 * u32[header + OPEN_COUNT] <= u32[header + SMALL_COUNT];
  if (isFew && areApart(memory, header, patchN, patchM)) return;
  const count = u32[header + OPEN_COUNT]++;
  if (count >= u32[header + OPEN_ROOM]) return;
  const out = (u32[header + OPEN] >>> 2) + 2 * count;
  u32[out] = n;
  u32[out + 1] = m;
  u8[u32[header + MARKS] + patchN] = u8[u32[header + MARKS] + patchM] = 1;
}

const DOT_BOUND = 2e-15;
const UNDERFLOW = 1e-300;

function areApart({ u32, f64 }: KernelMemory, header: number, a: number, b: number): boolean {
  const ends = u32[header + SWEPT] ? 2 : 1;
  let x = 0,
    y = 0,
    z = 0;
  for (let end = 0; end < ends; end++) {
    const boxes = u32[header + BOXES + end] >>> 3;
    const p = boxes + 6 * a,
      q = boxes + 6 * b;
    x += f64[q] + f64[q + 3] - (f64[p] + f64[p + 3]);
    y += f64[q + 1] + f64[q + 4] - (f64[p + 1] + f64[p + 4]);
    z += f64[q + 2] + f64[q + 5] - (f64[p + 2] + f64[p + 5]);
  }
  const rows = u32[header + FIRST_ROWS] >>> 2,
    counts = u32[header + ROW_COUNTS] >>> 2;
  const listA = u32[rows + a] >>> 2,
    listB = u32[rows + b] >>> 2;
  for (let end = 0; end < ends; end++) {
    const points = u32[header + POINTS + end] >>> 3,
      boxes = u32[header + BOXES + end] >>> 3;
    const along = (o: number) => {
      const p = points + (u32[o] >>> 3);
      return f64[p] * x + f64[p + 1] * y + f64[p + 2] * z;
    };
    const largest = (k: number) => {
      const p = boxes + 6 * a + k,
        q = boxes + 6 * b + k;
      return Math.max(Math.abs(f64[p]), Math.abs(f64[p + 3]), Math.abs(f64[q]), Math.abs(f64[q + 3]));
    };
    let most = -Infinity;
    for (let o = listA; o < listA + u32[counts + a]; o++) most = Math.max(most, along(o));
    const size = Math.abs(x) * largest(0) + Math.abs(y) * largest(1) + Math.abs(z) * largest(2);
    most += size * DOT_BOUND + UNDERFLOW;
    for (let o = listB; o < listB + u32[counts + b]; o++) if (!(along(o) > most)) return false;
  }
  return true;
}

export function fitParts({ u8, u32, i32, f64 }: KernelMemory, header: number): void {
  const marks = u32[header + MARKS],
    rows = u32[header + FIRST_ROWS] >>> 2,
    rowCounts = u32[header + ROW_COUNTS] >>> 2,
    nodes = u32[header + SMALL_NODES] >>> 2,
    links = u32[header + LINK] >>> 2,
    corners = u32[header + CORNERS] >>> 2,
    vertexBoxes = u32[header + VERTEX_BOXES] >>> 2,
    frame = u32[header + FRAME] >>> 3;
  for (let end = 0; end < (u32[header + SWEPT] ? 2 : 1); end++) {
    const points = u32[header + POINTS + end] >>> 3,
      out = (u32[header + NODE_BOXES] + end * u32[header + STRIDE]) >>> 2;
    const fit = (node: number): void => {
      const l = u32[links + node],
        o = out + 4 * node;
      if (l < 0x80000000) {
        fit(l);
        fit(l + 1);
        uniteChildren(i32, out + 4 * l, o);
        return;
      }
      const c = corners + 3 * (l & SLOT);
      for (let k = 0; k < 4; k++) {
        const p = vertexBoxes + k;
        const first = minFields(i32[p + 4 * u32[c]], i32[p + 4 * u32[c + 1]]);
        i32[o + k] = minFields(first, i32[p + 4 * u32[c + 2]]);
      }
    };
    for (let k = 0; k < u32[header + SMALL_COUNT]; k++) {
      if (u8[marks + k] === 0) continue;
      const list = u32[rows + k] >>> 2;
      for (let i = list; i < list + u32[rowCounts + k]; i++) {
        const p = points + (u32[i] >>> 3);
        writeBox(i32, f64, frame, p, p, LEAF_FLAG, vertexBoxes + 4 * (u32[i] / 24));
      }
      fit(u32[nodes + k]);
    }
  }
}
