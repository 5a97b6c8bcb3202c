import type { KernelMemory } from '../memory.ts';
import { localPoints } from './energy.ts';
import { isSimple, projectOutline, rowOf } from './polygon.ts';

/** See kernels/outline.ts. Addresses are in units of four bytes. */

const STAMP = 3;
const NEAR = 4;
const SWEPT = 9;
const BOXES = 18;
const POINTS = 22;
const ROW_COUNTS = 45;
const CONES = 52;
const CONE_STAMPS = 53;
const FIRST_FACES = 54;
const NORMALS = 55;
const PLANE = 56;
const CONE_COUNT = 57;
const CORNER_COUNT = 58;

const OUTLINE = 52;
const CORNERS = 53;
const PARTS = 56;

const SLACK = 2 ** -12;
const ROUNDING = 2 ** -19;
const NORMAL_ERROR = 2 ** -16;
const SMALLEST = 1e-14;
const LARGEST = 1e14;
const NO_CONE = 2;
const { fround } = Math;

export function testOutline(memory: KernelMemory, header: number, item: number): number {
  const { u32, f32, f64 } = memory;
  const cones = u32[header + CONES] >>> 2,
    stamps = u32[header + CONE_STAMPS] >>> 2;
  let x = 0,
    y = 0,
    z = 0;
  for (const range of [item + PARTS, item + PARTS + 2]) {
    for (let k = u32[range]; k < u32[range + 1]; k++) {
      if (u32[stamps + k] !== u32[header + STAMP]) fitCone(memory, header, k);
      const cone = cones + 4 * k;
      if (f32[cone + 3] === NO_CONE) return 0;
      x += f32[cone];
      y += f32[cone + 1];
      z += f32[cone + 2];
    }
  }
  const size = 1 / Math.sqrt(x * x + y * y + z * z);
  x *= size;
  y *= size;
  z *= size;
  for (const range of [item + PARTS, item + PARTS + 2]) {
    for (let k = u32[range]; k < u32[range + 1]; k++) {
      const cone = cones + 4 * k;
      const cosine = f32[cone] * x + f32[cone + 1] * y + f32[cone + 2] * z;
      if (!(cosine > f32[cone + 3] + SLACK)) return 0;
    }
  }
  const count = u32[item + CORNERS];
  u32[header + CORNER_COUNT] += count;
  const plane = u32[header + PLANE] >>> 2,
    outline = u32[item + OUTLINE] >>> 2;
  const project = (end: number, out: number) =>
    projectOutline(u32, f32, f64, outline, count, u32[header + POINTS + end] >>> 3, x, y, z, out);
  let reach = project(0, plane),
    last = plane;
  if (u32[header + SWEPT]) {
    last = plane + 2 * rowOf(count);
    reach = Math.max(reach, project(1, last));
  }
  return isSimple(f32, plane, last, count, reach) ? 1 : 0;
}

export function fitCone({ u32, f32, f64 }: KernelMemory, header: number, patch: number): void {
  u32[(u32[header + CONE_STAMPS] >>> 2) + patch] = u32[header + STAMP];
  u32[header + CONE_COUNT]++;
  const faces = (u32[header + FIRST_FACES] >>> 2) + patch;
  const rows = u32[faces] >>> 2,
    last = u32[faces + 1] >>> 2,
    count = u32[(u32[header + ROW_COUNTS] >>> 2) + patch],
    near = u32[header + NEAR] >>> 2,
    ends = u32[header + SWEPT] ? 2 : 1;
  let reach = 0;
  for (let end = 0; end < ends; end++) {
    const points = u32[header + POINTS + end] >>> 3,
      box = (u32[header + BOXES + end] >>> 3) + 6 * patch;
    reach = Math.max(reach, localPoints(u32, f32, f64, rows, count, points, near + 4 * end, box));
  }
  const normals = u32[header + NORMALS] >>> 2;
  const sums = [0, 1, 2].map(() => new Float32Array(FACES));
  let out = normals;
  const write = (n: number[], lane: number, counts: boolean) => {
    for (let k = 0; k < 3; k++) {
      f32[out++] = n[k];
      if (counts) sums[k][lane] += n[k];
    }
  };
  for (
    let face = rows + 2 * Math.ceil(count / 2), lane = 0;
    face < last;
    face += 2, lane = (lane + 1) % FACES
  ) {
    const corners = [u32[face] & 0xffff, u32[face] >>> 16, u32[face + 1]].map(
      (place) => near + (place >>> 2),
    );
    const edge = (k: 1 | 2, end: number) =>
      [0, 1, 2].map((c) => fround(f32[corners[k] + 4 * end + c] - f32[corners[0] + 4 * end + c]));
    write(cross(edge(1, 0), edge(2, 0)), lane, true);
    if (ends === 1) continue;
    write(cross(edge(1, 1), edge(2, 1)), lane, true);
    const other = cross(edge(1, 1), edge(2, 0));
    const mixed = cross(edge(1, 0), edge(2, 1)).map((value, k) => fround(value + other[k]));
    write(mixed, lane, false);
  }
  const cone = (u32[header + CONES] >>> 2) + 4 * patch;
  f32[cone + 3] = NO_CONE;
  const sum = sums.map((lanes) => lanes[0] + lanes[1] + (lanes[2] + lanes[3]));
  const size = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  if (!(reach > SMALLEST && reach < LARGEST && size > 0)) return;
  const scale = 1 / size;
  const axis = sum.map((value) => fround(value * scale));
  const unit = 1 / (reach * reach),
    usual = fround((size * unit) / ((out - normals) / 3));
  const square = leastSquare(f32, normals, out, axis, fround(unit), usual) - ROUNDING;
  if (!(square > 0)) return;
  f32.set(axis, cone);
  f32[cone + 3] = Math.sqrt(1 - square) + ROUNDING;
}

const FACES = 4; // in a group

function cross(e: readonly number[], f: readonly number[]): number[] {
  return [1, 2, 0].map((k) => fround(fround(e[k] * f[(k + 1) % 3]) - fround(e[(k + 1) % 3] * f[k])));
}

function leastSquare(
  f32: Float32Array,
  from: number,
  to: number,
  axis: number[],
  unit: number,
  usual: number,
): number {
  const times = fround(1 + fround(NORMAL_ERROR / usual)),
    more = fround(fround(NORMAL_ERROR * usual) + fround(NORMAL_ERROR * NORMAL_ERROR));
  let least = 1;
  for (let o = from; o < to; o += 3) {
    const x = fround(f32[o] * unit),
      y = fround(f32[o + 1] * unit),
      z = fround(f32[o + 2] * unit);
    const dot = fround(fround(fround(x * axis[0]) + fround(y * axis[1])) + fround(z * axis[2]));
    const square = fround(fround(fround(x * x) + fround(y * y)) + fround(z * z));
    const along = fround(dot - NORMAL_ERROR);
    const ratio = fround(fround(along * along) / fround(fround(square * times) + more));
    if (!(along > 0 && ratio > 0)) return 0;
    if (ratio < least) least = ratio;
  }
  return least;
}
