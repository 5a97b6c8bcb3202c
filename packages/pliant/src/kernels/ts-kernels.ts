import { CELLS, type Kernels, SLOT } from './kernels.ts';
import type { KernelMemory } from './memory.ts';

/** The kernels in TypeScript: where WebAssembly is refused, and as the oracle of the fast ones. */
export function createTsKernels(memory: KernelMemory): Kernels {
  return {
    name: 'ts',
    memory,
    pointBounds: (points, count, out) => pointBounds(memory.f64, points >>> 3, count, out >>> 3),
    quantise: (points, count, frame, boxes) =>
      quantise(memory.f64, points >>> 3, points >>> 3, count, frame >>> 3, memory.i32, boxes >>> 2),
    quantiseSwept: (start, end, count, frame, boxes) =>
      quantise(memory.f64, start >>> 3, end >>> 3, count, frame >>> 3, memory.i32, boxes >>> 2),
    refit: (nodeCount, link, corners, vertexBoxes, nodeBoxes) =>
      refit(memory.i32, nodeCount, link >>> 2, corners >>> 2, vertexBoxes >>> 2, nodeBoxes >>> 2),
    testPairs: (pairs, count, boxesA, boxesB, next, leaves, counts) =>
      testPairs(
        memory.i32,
        pairs >>> 2,
        count,
        boxesA >>> 2,
        boxesB >>> 2,
        next >>> 2,
        leaves >>> 2,
        counts >>> 2,
      ),
    testAlike: (pairs, count, boxesA, boxesB, out) =>
      testAlike(memory.i32, pairs >>> 2, count, boxesA >>> 2, boxesB >>> 2, out >>> 2),
    testSiblings: (from, to, link, boxes, next, leaves, counts) =>
      testSiblings(memory.i32, from, to, link >>> 2, boxes >>> 2, next >>> 2, leaves >>> 2, counts >>> 2),
    expandPairs: (pairs, count, linkA, boxesA, linkB, boxesB, next, leaves, counts) =>
      expandPairs(
        memory.i32,
        pairs >>> 2,
        count,
        linkA >>> 2,
        boxesA >>> 2,
        linkB >>> 2,
        boxesB >>> 2,
        next >>> 2,
        leaves >>> 2,
        counts >>> 2,
      ),
    dropAdjacent: (pairs, count, link, corners) =>
      dropAdjacent(memory.i32, pairs >>> 2, count, link >>> 2, corners >>> 2),
    narrowPairs: (pairs, count, linkA, cornersA, pointsA, linkB, cornersB, pointsB, hits, unsure, counts) =>
      narrowPairs(
        memory.i32,
        memory.f64,
        pairs >>> 2,
        count,
        linkA >>> 2,
        cornersA >>> 2,
        pointsA >>> 3,
        linkB >>> 2,
        cornersB >>> 2,
        pointsB >>> 3,
        hits >>> 2,
        unsure >>> 2,
        counts >>> 2,
      ),
    refitBoxes: (nodeCount, link, corners, points, boxes, grow) =>
      refitBoxes(
        memory.i32,
        memory.f64,
        nodeCount,
        link >>> 2,
        corners >>> 2,
        points >>> 3,
        boxes >>> 3,
        grow,
      ),
    descend: (stack, depth, linkA, boxesA, linkB, boxesB, leaves, room, steps, self, counts) =>
      descend(
        memory.i32,
        memory.f64,
        stack >>> 2,
        depth,
        linkA >>> 2,
        boxesA >>> 3,
        linkB >>> 2,
        boxesB >>> 3,
        leaves >>> 2,
        room,
        steps,
        self,
        counts >>> 2,
      ),
    transformPoints: (rest, count, matrix, out) =>
      transformPoints(memory.f64, rest >>> 3, count, matrix >>> 3, out >>> 3),
    gatherPoints: (points, index, count, out) =>
      gatherPoints(memory.f64, memory.u32, points >>> 3, index >>> 2, count, out >>> 3),
  };
}

function pointBounds(f64: Float64Array, points: number, count: number, out: number): void {
  let lx = Infinity,
    ly = Infinity,
    lz = Infinity;
  let hx = -Infinity,
    hy = -Infinity,
    hz = -Infinity;
  for (let p = points, end = points + 3 * count; p < end; p += 3) {
    const x = f64[p],
      y = f64[p + 1],
      z = f64[p + 2];
    if (x < lx) lx = x;
    if (y < ly) ly = y;
    if (z < lz) lz = z;
    if (x > hx) hx = x;
    if (y > hy) hy = y;
    if (z > hz) hz = z;
  }
  f64[out] = lx;
  f64[out + 1] = ly;
  f64[out + 2] = lz;
  f64[out + 3] = hx;
  f64[out + 4] = hy;
  f64[out + 5] = hz;
}

/** trunc_sat and clamp of the wasm twin; `| 0` alone would wrap. NaN becomes 0 in both. */
function cell(x: number): number {
  return x >= CELLS ? CELLS : x > 0 ? x | 0 : 0;
}

function quantise(
  f64: Float64Array,
  start: number,
  end: number,
  count: number,
  frame: number,
  i32: Int32Array,
  boxes: number,
): void {
  const ox = f64[frame],
    oy = f64[frame + 1],
    oz = f64[frame + 2];
  const sx = f64[frame + 3],
    sy = f64[frame + 4],
    sz = f64[frame + 5];
  for (let i = 0, p = start, r = end, o = boxes; i < count; i++, p += 3, r += 3, o += 4) {
    const x0 = cell((f64[p] - ox) * sx),
      x1 = cell((f64[r] - ox) * sx);
    const y0 = cell((f64[p + 1] - oy) * sy),
      y1 = cell((f64[r + 1] - oy) * sy);
    const z0 = cell((f64[p + 2] - oz) * sz),
      z1 = cell((f64[r + 2] - oz) * sz);
    i32[o] = (x0 < x1 ? x0 : x1) | ((y0 < y1 ? y0 : y1) << 16);
    i32[o + 1] = (z0 < z1 ? z0 : z1) | LEAF_FLAG;
    i32[o + 2] = (CELLS - (x0 > x1 ? x0 : x1)) | ((CELLS - (y0 > y1 ? y0 : y1)) << 16);
    i32[o + 3] = (CELLS - (z0 > z1 ? z0 : z1)) | LEAF_FLAG;
  }
}

// A box is read as four words of two 15-bit fields each; a field never carries into its neighbour.
const LEAF_FLAG = 0x400000;
const SIGNS = 0x80008000 | 0;

/** The smaller of the two fields of a and of b, each. */
function minFields(a: number, b: number): number {
  const borrow = ((a | SIGNS) - b) & SIGNS; // a sign is left where a >= b
  const useB = borrow - (borrow >>> 15); // 0x7fff in those fields
  return (b & useB) | (a & ~useB & ~SIGNS);
}

function refit(
  i32: Int32Array,
  nodeCount: number,
  link: number,
  corners: number,
  vertexBoxes: number,
  nodeBoxes: number,
): void {
  for (let node = nodeCount - 1; node >= 0; node--) {
    const l = i32[link + node];
    const o = nodeBoxes + 4 * node;
    if (l < 0) {
      const c = corners + 3 * (l & SLOT);
      const p = vertexBoxes + 4 * i32[c],
        q = vertexBoxes + 4 * i32[c + 1],
        r = vertexBoxes + 4 * i32[c + 2];
      i32[o] = minFields(minFields(i32[p], i32[q]), i32[r]);
      i32[o + 1] = minFields(minFields(i32[p + 1], i32[q + 1]), i32[r + 1]);
      i32[o + 2] = minFields(minFields(i32[p + 2], i32[q + 2]), i32[r + 2]);
      i32[o + 3] = minFields(minFields(i32[p + 3], i32[q + 3]), i32[r + 3]);
    } else {
      const c = nodeBoxes + 4 * l;
      i32[o] = minFields(i32[c], i32[c + 4]);
      i32[o + 1] = minFields(i32[c + 1], i32[c + 5]) & 0xffff;
      i32[o + 2] = minFields(i32[c + 2], i32[c + 6]);
      i32[o + 3] = minFields(i32[c + 3], i32[c + 7]) & 0xffff;
    }
  }
}

const APART = 0;
const NEXT = 1;
const LEAVES = 2;

/** Which list a pair belongs to. */
function verdict(i32: Int32Array, a: number, b: number): number {
  const z = i32[a + 1] + i32[b + 3];
  const signs = (i32[a] + i32[b + 2]) | z | (i32[a + 2] + i32[b]) | (i32[a + 3] + i32[b + 1]);
  if ((signs & SIGNS) !== 0) return APART;
  return NEXT << (z >>> 23); // the leaf flags add up to 128
}

function testPairs(
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

function testAlike(
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

function testSiblings(
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

function expandPairs(
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

function dropAdjacent(i32: Int32Array, pairs: number, count: number, link: number, corners: number): number {
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

// See kernels/narrow.ts for the bound and for the order of operations, which is the same here.
const BOUND = 1e-15;
const TINY = 1e-290;
const ABOVE = 42;
const BELOW = 0;
const OPEN = 21;

function sides(f64: Float64Array, p: number, q: number, r: number, x: number, y: number, z: number): number {
  const ox = f64[p],
    oy = f64[p + 1],
    oz = f64[p + 2];
  const ux = f64[q] - ox,
    uy = f64[q + 1] - oy,
    uz = f64[q + 2] - oz;
  const vx = f64[r] - ox,
    vy = f64[r + 1] - oy,
    vz = f64[r + 2] - oz;
  const yz = uy * vz,
    zy = uz * vy,
    zx = uz * vx,
    xz = ux * vz,
    xy = ux * vy,
    yx = uy * vx;
  const nx = yz - zy,
    ny = zx - xz,
    nz = xy - yx;
  const mx = Math.abs(yz) + Math.abs(zy),
    my = Math.abs(zx) + Math.abs(xz),
    mz = Math.abs(xy) + Math.abs(yx);
  return (
    side(f64[x] - ox, f64[x + 1] - oy, f64[x + 2] - oz, nx, ny, nz, mx, my, mz) |
    (side(f64[y] - ox, f64[y + 1] - oy, f64[y + 2] - oz, nx, ny, nz, mx, my, mz) << 2) |
    (side(f64[z] - ox, f64[z + 1] - oy, f64[z + 2] - oz, nx, ny, nz, mx, my, mz) << 4)
  );
}

function sideOf(f64: Float64Array, p: number, q: number, r: number, x: number): number {
  const ox = f64[p],
    oy = f64[p + 1],
    oz = f64[p + 2];
  const ux = f64[q] - ox,
    uy = f64[q + 1] - oy,
    uz = f64[q + 2] - oz;
  const vx = f64[r] - ox,
    vy = f64[r + 1] - oy,
    vz = f64[r + 2] - oz;
  const yz = uy * vz,
    zy = uz * vy,
    zx = uz * vx,
    xz = ux * vz,
    xy = ux * vy,
    yx = uy * vx;
  const mx = Math.abs(yz) + Math.abs(zy),
    my = Math.abs(zx) + Math.abs(xz),
    mz = Math.abs(xy) + Math.abs(yx);
  return side(f64[x] - ox, f64[x + 1] - oy, f64[x + 2] - oz, yz - zy, zx - xz, xy - yx, mx, my, mz);
}

function side(
  wx: number,
  wy: number,
  wz: number,
  nx: number,
  ny: number,
  nz: number,
  mx: number,
  my: number,
  mz: number,
): number {
  const d = wx * nx + wy * ny + wz * nz;
  const bound = (Math.abs(wx) * mx + Math.abs(wy) * my + Math.abs(wz) * mz) * BOUND + TINY;
  return d > bound ? 2 : -d > bound ? 0 : 1;
}

function narrowPairs(
  i32: Int32Array,
  f64: Float64Array,
  pairs: number,
  count: number,
  linkA: number,
  cornersA: number,
  pointsA: number,
  linkB: number,
  cornersB: number,
  pointsB: number,
  hits: number,
  unsure: number,
  counts: number,
): void {
  let h = hits,
    u = unsure;
  for (let p = pairs, end = pairs + 2 * count; p < end; p += 2) {
    const a = i32[p],
      b = i32[p + 1];
    const ca = cornersA + 3 * (i32[linkA + a] & SLOT),
      cb = cornersB + 3 * (i32[linkB + b] & SLOT);
    const a0 = pointsA + 3 * i32[ca],
      a1 = pointsA + 3 * i32[ca + 1],
      a2 = pointsA + 3 * i32[ca + 2];
    const b0 = pointsB + 3 * i32[cb],
      b1 = pointsB + 3 * i32[cb + 1],
      b2 = pointsB + 3 * i32[cb + 2];
    const s = sides(f64, a0, a1, a2, b0, b1, b2);
    if (s === ABOVE || s === BELOW) continue;
    const r = sides(f64, b0, b1, b2, a0, a1, a2);
    if (r === ABOVE || r === BELOW) continue;
    const v = ((s | r) & OPEN) !== 0 ? 1 : crossing(f64, a0, a1, a2, r, b0, b1, b2, s);
    i32[h] = i32[u] = a;
    i32[h + 1] = i32[u + 1] = b;
    h += v & 2;
    u += (v & 1) << 1;
  }
  i32[counts] = (h - hits) >>> 1;
  i32[counts + 1] = (u - unsure) >>> 1;
}

/** 2 meets, 0 apart, 1 unsure. */
function crossing(
  f64: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  r: number,
  b0: number,
  b1: number,
  b2: number,
  s: number,
): number {
  const r0 = r & 2,
    r1 = (r >> 2) & 2,
    r2 = (r >> 4) & 2;
  const s0 = s & 2,
    s1 = (s >> 2) & 2,
    s2 = (s >> 4) & 2;
  // The lone corner of each triangle, and whether it is above the other's plane.
  const i = r0 === r1 ? 2 : r0 === r2 ? 1 : 0,
    j = s0 === s1 ? 2 : s0 === s2 ? 1 : 0;
  const aboveB = i === 0 ? r0 : i === 1 ? r1 : r2,
    aboveA = j === 0 ? s0 : j === 1 ? s1 : s2;
  const p0 = i === 0 ? a0 : i === 1 ? a1 : a2,
    q0 = j === 0 ? b0 : j === 1 ? b1 : b2;
  const pNext = i === 0 ? a1 : i === 1 ? a2 : a0,
    pLast = i === 0 ? a2 : i === 1 ? a0 : a1;
  const qNext = j === 0 ? b1 : j === 1 ? b2 : b0,
    qLast = j === 0 ? b2 : j === 1 ? b0 : b1;
  // A triangle is turned over by exchanging the other two.
  const p1 = aboveA ? pNext : pLast,
    p2 = aboveA ? pLast : pNext;
  const q1 = aboveB ? qNext : qLast,
    q2 = aboveB ? qLast : qNext;
  const first = sideOf(f64, p0, p1, q0, q1);
  if (first === 2) return 0;
  const second = sideOf(f64, p0, p2, q2, q0);
  if (second === 2) return 0;
  return (first | second) === 0 ? 2 : 1;
}

function refitBoxes(
  i32: Int32Array,
  f64: Float64Array,
  nodeCount: number,
  link: number,
  corners: number,
  points: number,
  boxes: number,
  grow: number,
): void {
  for (let node = nodeCount - 1; node >= 0; node--) {
    const l = i32[link + node];
    const o = boxes + 6 * node;
    if (l < 0) {
      const c = corners + 3 * (l & SLOT);
      const p = points + 3 * i32[c],
        q = points + 3 * i32[c + 1],
        r = points + 3 * i32[c + 2];
      if (grow !== 0) {
        for (let k = 0; k < 3; k++) {
          f64[o + k] = Math.min(f64[o + k], f64[p + k], f64[q + k], f64[r + k]);
          f64[o + 3 + k] = Math.max(f64[o + 3 + k], f64[p + k], f64[q + k], f64[r + k]);
        }
        continue;
      }
      f64[o] = Math.min(f64[p], f64[q], f64[r]);
      f64[o + 1] = Math.min(f64[p + 1], f64[q + 1], f64[r + 1]);
      f64[o + 2] = Math.min(f64[p + 2], f64[q + 2], f64[r + 2]);
      f64[o + 3] = Math.max(f64[p], f64[q], f64[r]);
      f64[o + 4] = Math.max(f64[p + 1], f64[q + 1], f64[r + 1]);
      f64[o + 5] = Math.max(f64[p + 2], f64[q + 2], f64[r + 2]);
    } else {
      const c = boxes + 6 * l;
      f64[o] = Math.min(f64[c], f64[c + 6]);
      f64[o + 1] = Math.min(f64[c + 1], f64[c + 7]);
      f64[o + 2] = Math.min(f64[c + 2], f64[c + 8]);
      f64[o + 3] = Math.max(f64[c + 3], f64[c + 9]);
      f64[o + 4] = Math.max(f64[c + 4], f64[c + 10]);
      f64[o + 5] = Math.max(f64[c + 5], f64[c + 11]);
    }
  }
}

function apart(f64: Float64Array, a: number, b: number): boolean {
  return (
    f64[a] > f64[b + 3] ||
    f64[b] > f64[a + 3] ||
    f64[a + 1] > f64[b + 4] ||
    f64[b + 1] > f64[a + 4] ||
    f64[a + 2] > f64[b + 5] ||
    f64[b + 2] > f64[a + 5]
  );
}

function descend(
  i32: Int32Array,
  f64: Float64Array,
  stack: number,
  depth: number,
  linkA: number,
  boxesA: number,
  linkB: number,
  boxesB: number,
  leaves: number,
  room: number,
  steps: number,
  self: number,
  counts: number,
): void {
  let top = stack + 2 * depth,
    l = leaves,
    left = steps;
  const full = leaves + 2 * room;
  while (top > stack && l < full && left > 0) {
    top -= 2;
    left--;
    const a = i32[top],
      b = i32[top + 1];
    const la = i32[linkA + a],
      lb = i32[linkB + b];
    if (self !== 0 && a === b) {
      if (la < 0) continue;
      i32[top] = la;
      i32[top + 1] = la + 1;
      i32[top + 2] = i32[top + 3] = la + 1;
      i32[top + 4] = i32[top + 5] = la;
      top += 6;
      continue;
    }
    if (apart(f64, boxesA + 6 * a, boxesB + 6 * b)) continue;
    if (la < 0 && lb < 0) {
      i32[l] = a;
      i32[l + 1] = b;
      l += 2;
      continue;
    }
    const a0 = la < 0 ? a : la,
      a1 = la < 0 ? a : la + 1;
    const b0 = lb < 0 ? b : lb,
      b1 = lb < 0 ? b : lb + 1;
    for (let c = a1; c >= a0; c--) {
      for (let d = b1; d >= b0; d--) {
        i32[top] = c;
        i32[top + 1] = d;
        top += 2;
      }
    }
  }
  i32[counts] = (top - stack) >>> 1;
  i32[counts + 1] = (l - leaves) >>> 1;
  i32[counts + 2] = steps - left;
}

function transformPoints(f64: Float64Array, rest: number, count: number, m: number, out: number): void {
  const m00 = f64[m],
    m01 = f64[m + 1],
    m02 = f64[m + 2],
    m03 = f64[m + 3];
  const m10 = f64[m + 4],
    m11 = f64[m + 5],
    m12 = f64[m + 6],
    m13 = f64[m + 7];
  const m20 = f64[m + 8],
    m21 = f64[m + 9],
    m22 = f64[m + 10],
    m23 = f64[m + 11];
  for (let i = 0, p = rest, o = out; i < count; i++, p += 3, o += 3) {
    const x = f64[p],
      y = f64[p + 1],
      z = f64[p + 2];
    f64[o] = m00 * x + m01 * y + m02 * z + m03;
    f64[o + 1] = m10 * x + m11 * y + m12 * z + m13;
    f64[o + 2] = m20 * x + m21 * y + m22 * z + m23;
  }
}

function gatherPoints(
  f64: Float64Array,
  u32: Uint32Array,
  points: number,
  index: number,
  count: number,
  out: number,
): void {
  for (let i = 0, o = out; i < count; i++, o += 3) {
    const p = points + 3 * u32[index + i];
    f64[o] = f64[p];
    f64[o + 1] = f64[p + 1];
    f64[o + 2] = f64[p + 2];
  }
}
