import type { KernelMemory } from '../memory.ts';
import { addLoose, joinEnergies, sumEnergies } from './energy.ts';
import { fitCone, testOutline } from './outline.ts';
import { addSegments, countPairs } from './parts.ts';

/** See kernels/calm.ts. Addresses are in units of four bytes, those of Grams in units of eight. */

const NONE = 0xffffffff;
const RIDGE = 1e-6;
const LOST = 2 ** -100;
const KEEP = 1 - 2 ** -40;

const ITEMS = 0;
const ITEM_COUNT = 1;
const PATCHES = 2;
const STAMP = 3;
const NEAR = 4;
const SLOTS = 5;
const GRAMS = 7;
const SWEPT = 9;
const SPARE = 10;
const CLEARED = 13;
const CLEARED_COUNT = 16;
const OPEN_COUNT = 26;
const TESTS = 17;
const BOXES = 18;
const SEGMENT_COUNT = 21;
const POINTS = 22;
const SMALL_COUNT = 29;
const ALL_ROWS = 30;
const LEFT = 31;
const ROW_COUNTS = 45;
const LOOSE = 46;
const KNOWN = 48;
const NODE_COUNT = 49;
const RESTS = 50;
const FAILED = 51;
const SUM_COUNT = 59;
const PROVED = 60;
const WAYS = 61;

const ITEM = 62;
const PATCH = 6;
// In units of eight bytes.
const LIMITS = 6;
const LOOSE_LIMITS = 16;
const CORNERS = 53;
const PARTS = 56;
const DUE = 9;
const OUTLINE_DUE = 54;
const BY_OUTLINE = 1;
const BY_ENERGY = 2;
const OWN = 8;
const OF_NODES = 60;

const CALM = 1;
const FAR = 0;
const NEARLY = 2;

export function survey(memory: KernelMemory, header: number): void {
  const { u8, u32 } = memory;
  const count = u32[header + SMALL_COUNT],
    proved = u32[header + PROVED],
    ways = u32[header + WAYS];
  let cones = 0;
  for (let k = 0; k < count; k++) {
    const by = u8[proved + k];
    if (by === BY_OUTLINE || by === BY_ENERGY) u8[ways + k] = by & BY_OUTLINE;
    u8[proved + k] = 0;
    cones += u8[ways + k];
  }
  if (cones === 0) {
    sumSmall(memory, header);
    return;
  }
  for (let k = 0; k < count; k++) {
    if (u8[ways + k]) fitCone(memory, header, k);
    else sumPatch(memory, header, k);
  }
}

function sumSmall({ u32, f32, f64 }: KernelMemory, header: number): void {
  const count = u32[header + SMALL_COUNT],
    nodeCount = u32[header + NODE_COUNT],
    table = u32[header + PATCHES] >>> 2;
  let from = u32[header + KNOWN] === NONE ? 0 : 1;
  for (let k = 0; k < nodeCount; k++) if (u32[table + PATCH * k + 5] !== u32[header + KNOWN]) from = 0;
  u32[header + SUM_COUNT] += count;
  for (let end = from; end < (u32[header + SWEPT] ? 2 : 1); end++) {
    const loose = u32[header + LOOSE + end] >>> 3;
    sumEnergies(
      u32,
      f32,
      f64,
      u32[header + ALL_ROWS] >>> 2,
      u32[header + ROW_COUNTS] >>> 2,
      count,
      u32[header + POINTS + end] >>> 3,
      u32[header + NEAR] >>> 2,
      u32[header + SLOTS + end] >>> 2,
      u32[header + GRAMS + end] >>> 3,
      loose,
      u32[header + BOXES + end] >>> 3,
    );
    for (let k = count; k < nodeCount; k++) {
      const entry = table + PATCH * k;
      addLoose(f64, loose + 16 * u32[entry], loose + 16 * u32[entry + 1], loose + 16 * k);
    }
  }
  for (let k = 0; k < nodeCount; k++) {
    if (k < count) u32[table + PATCH * k + 4] = u32[header + STAMP];
    u32[table + PATCH * k + 5] = u32[header + STAMP];
  }
}

const MOST_FAILURES = 2;

export function listCalm(memory: KernelMemory, header: number): void {
  const { u32, f64 } = memory;
  const stamp = u32[header + STAMP],
    count = u32[header + ITEM_COUNT],
    items = u32[header + ITEMS] >>> 2;
  const firstCleared = u32[header + CLEARED] >>> 2;
  let cleared = firstCleared;
  const most = MOST_FAILURES * u32[header + SMALL_COUNT];
  let at = 0,
    tests = 0,
    failed = 0;
  for (let k = 0; k < count && failed <= most; ) {
    const item = items + ITEM * k;
    let isClear = u32[item + OWN] === stamp;
    if (!isClear && hasOutline(memory, header, item) && u32[item + OUTLINE_DUE] <= stamp)
      isClear = tryOutline(memory, header, item, stamp);
    if (!isClear && f64[(item >>> 1) + LIMITS] > 0 && u32[item + DUE] <= stamp) {
      tests++;
      isClear = test(memory, header, item, false) === 1;
      if (!isClear) failed++;
      note(u32, item + DUE, stamp, isClear);
      if (isClear) mark(memory, header, item, BY_ENERGY);
    }
    if (isClear) {
      addSegments(memory, header, at, u32[item + 5]);
      at = u32[item + 6];
      u32[cleared] = k;
      cleared += u32[item + 11];
      k = u32[item + 4];
      continue;
    }
    k++;
  }
  if (failed > most) u32[header + OPEN_COUNT] = NONE;
  else addSegments(memory, header, at, u32[header + SEGMENT_COUNT]);
  u32[header + CLEARED_COUNT] = cleared - firstCleared;
  u32[header + TESTS] = tests;
  u32[header + FAILED] = failed;
}

function tryOutline(memory: KernelMemory, header: number, item: number, stamp: number): boolean {
  const { u32 } = memory;
  const isClear = testOutline(memory, header, item) === 1;
  note(u32, item + OUTLINE_DUE, stamp, isClear);
  if (!isClear) return false;
  mark(memory, header, item, BY_OUTLINE);
  for (const own of [u32[item + OF_NODES], u32[item + OF_NODES + 1]]) {
    if (own !== 0) u32[(own >>> 2) + OWN] = stamp;
  }
  return true;
}

const LARGE = 48;

function hasOutline({ u8, u32 }: KernelMemory, header: number, item: number): boolean {
  if (u32[item + CORNERS] === 0) return false;
  const ways = u32[header + WAYS];
  const [first, end, second, secondEnd] = u32.subarray(item + PARTS, item + PARTS + 4);
  if (end - first + (secondEnd - second) >= LARGE) return true;
  return u8[ways + first] !== 0 && (secondEnd === 0 || u8[ways + second] !== 0);
}

function mark({ u8, u32 }: KernelMemory, header: number, item: number, by: number): void {
  for (const range of [PARTS, PARTS + 2]) {
    for (let k = u32[item + range]; k < u32[item + range + 1]; k++) u8[u32[header + PROVED] + k] |= by;
  }
}

function note(u32: Uint32Array, due: number, stamp: number, isClear: boolean): void {
  const failures = isClear ? 0 : Math.min(5, u32[due + 1] + 1);
  u32[due + 1] = failures;
  if (!isClear) u32[due] = stamp + (1 << failures);
}

export function sampleCalm(memory: KernelMemory, header: number, first: number): void {
  const { u32, f64 } = memory;
  const items = u32[header + ITEMS] >>> 2,
    top = items + ITEM * first;
  let at = u32[top + 5],
    left = 0;
  for (let k = first; k < u32[top + 4]; ) {
    const item = items + ITEM * k;
    k++;
    const isSmooth = hasOutline(memory, header, item);
    let isClear = isSmooth && testOutline(memory, header, item) === 1;
    if (!isClear && f64[(item >>> 1) + LIMITS] > 0) {
      u32[header + TESTS]++;
      isClear = test(memory, header, item, false) === 1;
      if (!isClear) u32[header + FAILED]++;
    }
    if (!isClear && !isSmooth && u32[item + CORNERS] !== 0) isClear = testOutline(memory, header, item) === 1;
    if (!isClear) continue;
    left += countPairs(memory, header, at, u32[item + 5]);
    at = u32[item + 6];
    k = u32[item + 4];
  }
  u32[header + LEFT] += left + countPairs(memory, header, at, u32[top + 6]);
}

export function testCalm(memory: KernelMemory, header: number, item: number): number {
  return test(memory, header, item, true);
}

function test(memory: KernelMemory, header: number, item: number, thorough: boolean): number {
  const { u32, f64 } = memory;
  const other = u32[item + 1],
    spare = u32[header + SPARE],
    last = u32[header + SWEPT] ? 1 : 0;
  let gram = u32[item],
    wide = gram;
  addPatch(memory, header, gram);
  if (other !== NONE) {
    addPatch(memory, header, other);
    addBoth(memory, header, gram, other, spare, 0);
    wide = spare;
  }
  const ws = (u32[header + LOOSE] >>> 3) + 16 * wide,
    wt = (u32[header + LOOSE + last] >>> 3) + 16 * wide;
  if (f64[(item >>> 1) + LOOSE_LIMITS] > 0) {
    const answer = isCalm(f64, item >>> 1, LOOSE_LIMITS, ws, wt, ws, wt);
    if (answer === CALM) return CALM;
    if (!thorough && (answer === FAR || u32[item + 7])) return 0;
  }
  sumPatch(memory, header, gram);
  if (other !== NONE) {
    sumPatch(memory, header, other);
    join(memory, header, gram, other, u32[item + 2], u32[item + 3], spare, 0);
    gram = spare;
  }
  const s = (u32[header + GRAMS] >>> 3) + 16 * gram,
    t = (u32[header + GRAMS + last] >>> 3) + 16 * gram;
  return isCalm(f64, item >>> 1, LIMITS, s, t, ws, wt) === CALM ? 1 : 0;
}

function addPatch(memory: KernelMemory, header: number, patch: number): void {
  const { u32 } = memory;
  const entry = (u32[header + PATCHES] >>> 2) + PATCH * patch;
  if (u32[entry + 5] === u32[header + STAMP]) return;
  const left = u32[entry],
    right = u32[entry + 1];
  if (left === NONE) {
    sumPatch(memory, header, patch);
    return;
  }
  const from = u32[entry + 5] === u32[header + KNOWN] ? 1 : 0;
  u32[entry + 5] = u32[header + STAMP];
  addPatch(memory, header, left);
  addPatch(memory, header, right);
  addBoth(memory, header, left, right, patch, from);
}

function addBoth(
  { u32, f64 }: KernelMemory,
  header: number,
  a: number,
  b: number,
  out: number,
  from: number,
): void {
  for (let end = from; end < (u32[header + SWEPT] ? 2 : 1); end++) {
    const loose = u32[header + LOOSE + end] >>> 3;
    addLoose(f64, loose + 16 * a, loose + 16 * b, loose + 16 * out);
  }
}

function sumPatch(memory: KernelMemory, header: number, patch: number): void {
  const { u32, f32, f64 } = memory;
  const entry = (u32[header + PATCHES] >>> 2) + PATCH * patch;
  if (u32[entry + 4] === u32[header + STAMP]) return;
  const from = u32[entry + 4] === u32[header + KNOWN] ? 1 : 0;
  u32[entry + 4] = u32[header + STAMP];
  const left = u32[entry],
    right = u32[entry + 1];
  if (left === NONE) {
    u32[entry + 5] = u32[header + STAMP];
    u32[header + SUM_COUNT]++;
    for (let end = from; end < (u32[header + SWEPT] ? 2 : 1); end++) {
      const points = u32[header + POINTS + end] >>> 3,
        slots = u32[header + SLOTS + end] >>> 2,
        gram = (u32[header + GRAMS + end] >>> 3) + 16 * patch,
        loose = (u32[header + LOOSE + end] >>> 3) + 16 * patch,
        box = (u32[header + BOXES + end] >>> 3) + 6 * patch,
        near = u32[header + NEAR] >>> 2;
      sumEnergies(u32, f32, f64, right >>> 2, entry + 2, 1, points, near, slots, gram, loose, box);
    }
    return;
  }
  sumPatch(memory, header, left);
  sumPatch(memory, header, right);
  join(memory, header, left, right, u32[entry + 2], u32[entry + 3], patch, from);
}

function join(
  { u32, f32, f64 }: KernelMemory,
  header: number,
  a: number,
  b: number,
  shared: number,
  count: number,
  out: number,
  from: number,
): void {
  for (let end = from; end < (u32[header + SWEPT] ? 2 : 1); end++) {
    const grams = u32[header + GRAMS + end] >>> 3;
    joinEnergies(
      u32,
      f32,
      f64,
      grams + 16 * a,
      grams + 16 * b,
      shared >>> 2,
      count,
      u32[header + SLOTS + end] >>> 2,
      u32[header + RESTS] >>> 3,
      grams + 16 * out,
    );
  }
}

function isCalm(
  f64: Float64Array,
  item: number,
  which: number,
  s: number,
  t: number,
  ws: number,
  wt: number,
): number {
  const ridge = RIDGE * (f64[s] + f64[s + 3] + f64[s + 7] + (f64[t] + f64[t + 3] + f64[t + 7]));
  const xx = f64[s] + f64[t] + ridge,
    xy = f64[s + 1] + f64[t + 1],
    xz = f64[s + 4] + f64[t + 4],
    yz = f64[s + 5] + f64[t + 5];
  const ix = 1 / xx;
  const l1 = xy * ix,
    l2 = xz * ix;
  const yy = f64[s + 3] + f64[t + 3] + ridge - l1 * xy;
  const m = yz - l1 * xz;
  const iy = 1 / yy;
  const l3 = m * iy;
  const zz = f64[s + 7] + f64[t + 7] + ridge - l2 * xz - l3 * m;
  if (!(xx > 0 && yy > 0 && zz > 0)) {
    const answer = isBelow(f64, item, which, s, ws, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    return answer !== CALM || t === s ? answer : isBelow(f64, item, which, t, wt, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
  const iz = 1 / zz;
  let b0 = f64[s + 10] + f64[t + 10];
  let y1 = f64[s + 11] + f64[t + 11] - l1 * b0;
  const c = (f64[s + 8] + f64[t + 8] - l2 * b0 - l3 * y1) * iz;
  const b = y1 * iy - l3 * c;
  const a = b0 * ix - l1 * b - l2 * c;
  b0 = f64[s + 12] + f64[t + 12];
  y1 = f64[s + 13] + f64[t + 13] - l1 * b0;
  const f = (f64[s + 9] + f64[t + 9] - l2 * b0 - l3 * y1) * iz;
  const e = y1 * iy - l3 * f;
  const d = b0 * ix - l1 * e - l2 * f;
  b0 = f64[s + 14] + f64[t + 14];
  y1 = f64[s + 15] + f64[t + 15] - l1 * b0;
  const j = (f64[s + 6] + f64[t + 6] - l2 * b0 - l3 * y1) * iz;
  const i = y1 * iy - l3 * j;
  const h = b0 * ix - l1 * i - l2 * j;
  const answer = isBelow(f64, item, which, s, ws, a, b, c, d, e, f, h, i, j);
  return answer !== CALM || t === s ? answer : isBelow(f64, item, which, t, wt, a, b, c, d, e, f, h, i, j);
}

function isBelow(
  f64: Float64Array,
  item: number,
  which: number,
  g: number,
  wide: number,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  h: number,
  i: number,
  j: number,
): number {
  const limits = item + which;
  const squares = a * a + b * b + c * c + (d * d + e * e + f * f) + (h * h + i * i + j * j);
  const restError = f64[limits + 2];
  const root = f64[limits] - Math.sqrt(squares) * (f64[limits + 1] * f64[g + 2]) - restError;
  if (!(root > 0)) return NEARLY;
  const xx = f64[g],
    xy = f64[g + 1],
    yy = f64[g + 3],
    xz = f64[g + 4],
    yz = f64[g + 5],
    zz = f64[g + 7];
  const XX = f64[limits + 4],
    YY = f64[limits + 7],
    ZZ = f64[limits + 9];
  const rest = item + LOOSE_LIMITS;
  const sizes =
    f64[rest + 4] +
    f64[rest + 7] +
    f64[rest + 9] +
    LOST +
    squares * (f64[wide] + f64[wide + 3] + f64[wide + 7] + LOST);
  const limit = root * root * KEEP - f64[limits + 3] * sizes - 4 * Math.sqrt(sizes) * restError;
  const m0 = a * xx + b * xy + c * xz - 2 * f64[g + 10],
    m1 = a * xy + b * yy + c * yz - 2 * f64[g + 11],
    m2 = a * xz + b * yz + c * zz - 2 * f64[g + 8];
  const p = limit - XX - (m0 * a + m1 * b + m2 * c);
  if (!(p > 0)) return unlessFar(p, limit);
  const ip = 1 / p;
  const m3 = d * xx + e * xy + f * xz - 2 * f64[g + 12],
    m4 = d * xy + e * yy + f * yz - 2 * f64[g + 13],
    m5 = d * xz + e * yz + f * zz - 2 * f64[g + 9];
  const u = f64[limits + 5] + (m0 * d + m1 * e + m2 * f + (m3 * a + m4 * b + m5 * c)) * 0.5;
  const y = limit - YY - (m3 * d + m4 * e + m5 * f);
  const q = y - u * u * ip;
  if (!(q > 0)) return unlessFar(y, limit);
  const m6 = h * xx + i * xy + j * xz - 2 * f64[g + 14],
    m7 = h * xy + i * yy + j * yz - 2 * f64[g + 15],
    m8 = h * xz + i * yz + j * zz - 2 * f64[g + 6];
  const v = f64[limits + 6] + (m0 * h + m1 * i + m2 * j + (m6 * a + m7 * b + m8 * c)) * 0.5;
  const w = f64[limits + 8] + (m3 * h + m4 * i + m5 * j + (m6 * d + m7 * e + m8 * f)) * 0.5 + u * v * ip;
  const z = limit - ZZ - (m6 * h + m7 * i + m8 * j);
  return z - v * v * ip - (w * w) / q > 0 ? CALM : unlessFar(z, limit);
}

function unlessFar(left: number, limit: number): number {
  return left < -limit ? FAR : NEARLY;
}
