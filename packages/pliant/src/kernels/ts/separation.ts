// biome-ignore-all format: the coordinates of a point stay on one line

import { SLOT } from '../kernels.ts';
import type { KernelMemory } from '../memory.ts';

// kernels/separation.ts once more. Nine vectors, and a block: six points, x at the start and at the end, y, z.
const POINT = 6;
const B = 18;
const BLOCK = 36;
const VECTORS = 27;
const DOT_ERROR = 2 ** -49;
const UNDERFLOW = 2 ** -1022;
const LARGEST = 2 ** 1000;
const SMALLEST = 2 ** -1000;

let reachX = 0, reachY = 0, reachZ = 0;
let vectors = 0;

export function dropSeparated(
  { u32, f64 }: KernelMemory,
  pairs: number, count: number, linkA: number, cornersA: number, startA: number, endA: number,
  linkB: number, cornersB: number, startB: number, endB: number, levels: number, room: number,
): number {
  let out = pairs;
  vectors = room;
  const block = room + VECTORS;
  for (let pair = pairs, end = pairs + 2 * count; pair < end; pair += 2) {
    const a = cornersA + 3 * (u32[linkA + u32[pair]] & SLOT), b = cornersB + 3 * (u32[linkB + u32[pair + 1]] & SLOT);
    const o = startA + 3 * u32[a];
    const x = f64[o], y = f64[o + 1], z = f64[o + 2];
    reachX = reachY = reachZ = SMALLEST;
    for (let k = 0; k < 3; k++) {
      place(f64, block + POINT * k, startA + 3 * u32[a + k], endA + 3 * u32[a + k], x, y, z);
      place(f64, block + B + POINT * k, startB + 3 * u32[b + k], endB + 3 * u32[b + k], x, y, z);
    }
    u32[out] = u32[pair];
    u32[out + 1] = u32[pair + 1];
    if (!areApart(f64, block, levels)) out += 2;
  }
  return (out - pairs) / 2;
}

function place(f64: Float64Array, to: number, start: number, end: number, x: number, y: number, z: number): void {
  f64[to] = f64[start] - x;
  f64[to + 1] = f64[end] - x;
  f64[to + 2] = f64[start + 1] - y;
  f64[to + 3] = f64[end + 1] - y;
  f64[to + 4] = f64[start + 2] - z;
  f64[to + 5] = f64[end + 2] - z;
  reachX = Math.max(reachX, Math.abs(f64[to]), Math.abs(f64[to + 1]));
  reachY = Math.max(reachY, Math.abs(f64[to + 2]), Math.abs(f64[to + 3]));
  reachZ = Math.max(reachZ, Math.abs(f64[to + 4]), Math.abs(f64[to + 5]));
}

function areApart(f64: Float64Array, block: number, levels: number): boolean {
  if (hasDirection(f64, block)) return true;
  if (levels === 0) return false;
  const half = block + BLOCK;
  for (let isSecond = 0; isSecond < 2; isSecond++) {
    for (let o = 0; o < BLOCK; o += 2) {
      const start = f64[block + o], end = f64[block + o + 1];
      const middle = (start + end) * 0.5;
      f64[half + o] = isSecond === 1 ? middle : start;
      f64[half + o + 1] = isSecond === 1 ? end : middle;
    }
    if (!areApart(f64, half, levels - 1)) return false;
  }
  return true;
}

function hasDirection(f64: Float64Array, block: number): boolean {
  let x0 = 0, x1 = 0, y0 = 0, y1 = 0, z0 = 0, z1 = 0;
  for (let p = block, q = block + B; p < block + B; p += POINT, q += POINT) {
    x0 += f64[p] - f64[q];
    x1 += f64[p + 1] - f64[q + 1];
    y0 += f64[p + 2] - f64[q + 2];
    y1 += f64[p + 3] - f64[q + 3];
    z0 += f64[p + 4] - f64[q + 4];
    z1 += f64[p + 5] - f64[q + 5];
  }
  if (separates(f64, block, x0 + x1, y0 + y1, z0 + z1)) return true;
  for (let k = 0; k < 6; k++) {
    const p = block + POINT * k, q = k % 3 === 2 ? p - 2 * POINT : p + POINT;
    for (let axis = 0; axis < 3; axis++) {
      const i = p + 2 * axis, j = q + 2 * axis;
      f64[vectors + 3 * k + axis] = f64[j] - f64[i] + (f64[j + 1] - f64[i + 1]);
    }
  }
  const second = vectors + 9, normals = vectors + 18, other = vectors + 24;
  if (crossSeparates(f64, block, vectors, vectors + 3, normals)) return true;
  if (crossSeparates(f64, block, second, second + 3, normals + 3)) return true;
  for (let k = 0; k < 9; k++) {
    const edge = vectors + 3 * Math.floor(k / 3);
    if (crossSeparates(f64, block, edge, second + 3 * (k % 3), other)) return true;
  }
  for (let k = 0; k < 6; k++) {
    const normal = normals + 3 * Math.floor(k / 3);
    if (crossSeparates(f64, block, normal, vectors + 3 * k, other)) return true;
  }
  return false;
}

function crossSeparates(f64: Float64Array, block: number, a: number, b: number, out: number): boolean {
  const ax = f64[a], ay = f64[a + 1], az = f64[a + 2];
  const bx = f64[b], by = f64[b + 1], bz = f64[b + 2];
  f64[out] = ay * bz - az * by;
  f64[out + 1] = az * bx - ax * bz;
  f64[out + 2] = ax * by - ay * bx;
  return separates(f64, block, f64[out], f64[out + 1], f64[out + 2]);
}

function separates(f64: Float64Array, block: number, x: number, y: number, z: number): boolean {
  const size = Math.abs(x) * reachX + Math.abs(y) * reachY + Math.abs(z) * reachZ;
  if (!(size < LARGEST)) return false;
  const margin = DOT_ERROR * size + UNDERFLOW;
  let isAbove = true, isBelow = true;
  for (let p = block; p < block + 2; p++) {
    const a = along(f64, p, x, y, z), b = along(f64, p + 6, x, y, z), c = along(f64, p + 12, x, y, z);
    const d = along(f64, p + 18, x, y, z), e = along(f64, p + 24, x, y, z), f = along(f64, p + 30, x, y, z);
    isAbove = isAbove && Math.min(a, b, c) - Math.max(d, e, f) > margin;
    isBelow = isBelow && Math.min(d, e, f) - Math.max(a, b, c) > margin;
    if (!isAbove && !isBelow) return false;
  }
  return true;
}

function along(f64: Float64Array, p: number, x: number, y: number, z: number): number {
  return x * f64[p] + y * f64[p + 2] + z * f64[p + 4];
}
