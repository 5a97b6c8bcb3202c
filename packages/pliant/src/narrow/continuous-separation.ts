// biome-ignore-all format: the coordinates of a point stay on one line

import type { ContactScratch } from './continuous-scratch.ts';

/*
 * Two triangles whose corners move linearly stay apart if one fixed direction n separates them at the
 * start and at the end, on the same side: min n·a > max n·b is then kept at every time between.
 *
 * Layout: `relative` the six points minus the first, start xyz then end xyz each, as in `points`
 *         `reach`    the largest |difference| along x, y, z
 *         `direction` n
 */

/** True proves that triangle 0, 1, 2 and triangle 3, 4, 5 of `points` stay apart. False says nothing. */
export function isDirectionSeparating(scratch: ContactScratch): boolean {
  const { points } = scratch;
  if (axisSeparates(points, 0) || axisSeparates(points, 1) || axisSeparates(points, 2)) return true;
  setRelative(scratch);
  return (
    centresSeparate(scratch) ||
    normalSeparates(scratch, 0) ||
    normalSeparates(scratch, B) ||
    edgesSeparate(scratch) ||
    bordersSeparate(scratch, 0) ||
    bordersSeparate(scratch, B)
  );
}

/** Where the second triangle begins in `points` and `relative`. */
const B = 18;

/** Comparisons only, so exact. */
function axisSeparates(P: Float64Array, axis: number): boolean {
  const a = axis, b = B + axis;
  return isBeyond(P, a, b) || isBeyond(P, b, a);
}

function isBeyond(P: Float64Array, a: number, b: number): boolean {
  return (
    Math.min(P[a], P[a + 6], P[a + 12]) > Math.max(P[b], P[b + 6], P[b + 12]) &&
    Math.min(P[a + 3], P[a + 9], P[a + 15]) > Math.max(P[b + 3], P[b + 9], P[b + 15])
  );
}

function setRelative(scratch: ContactScratch): void {
  const { points, relative, reach } = scratch;
  const ox = points[0], oy = points[1], oz = points[2];
  let x = 0, y = 0, z = 0;
  for (let o = 0; o < 36; o += 3) {
    relative[o] = points[o] - ox;
    relative[o + 1] = points[o + 1] - oy;
    relative[o + 2] = points[o + 2] - oz;
    x = Math.max(x, Math.abs(relative[o]));
    y = Math.max(y, Math.abs(relative[o + 1]));
    z = Math.max(z, Math.abs(relative[o + 2]));
  }
  reach[0] = x;
  reach[1] = y;
  reach[2] = z;
}

/** The line between the centres of the two triangles, averaged over the step. */
function centresSeparate(scratch: ContactScratch): boolean {
  const { relative: R, direction } = scratch;
  let x = 0, y = 0, z = 0;
  for (let o = 0; o < B; o += 3) {
    x += R[o] - R[B + o];
    y += R[o + 1] - R[B + o + 1];
    z += R[o + 2] - R[B + o + 2];
  }
  direction[0] = x;
  direction[1] = y;
  direction[2] = z;
  return separates(scratch);
}

/** The normal of the triangle at `t`: half way, at the start, at the end. */
function normalSeparates(scratch: ContactScratch, t: number): boolean {
  const { relative: R, direction } = scratch;
  for (let when = 0; when < 3; when++) {
    const w0 = when === 2 ? 0 : 1, w1 = when === 1 ? 0 : 1; // weights of start and end
    const ax = w0 * (R[t + 6] - R[t]) + w1 * (R[t + 9] - R[t + 3]);
    const ay = w0 * (R[t + 7] - R[t + 1]) + w1 * (R[t + 10] - R[t + 4]);
    const az = w0 * (R[t + 8] - R[t + 2]) + w1 * (R[t + 11] - R[t + 5]);
    const bx = w0 * (R[t + 12] - R[t]) + w1 * (R[t + 15] - R[t + 3]);
    const by = w0 * (R[t + 13] - R[t + 1]) + w1 * (R[t + 16] - R[t + 4]);
    const bz = w0 * (R[t + 14] - R[t + 2]) + w1 * (R[t + 17] - R[t + 5]);
    direction[0] = ay * bz - az * by;
    direction[1] = az * bx - ax * bz;
    direction[2] = ax * by - ay * bx;
    if (separates(scratch)) return true;
  }
  return false;
}

/** The nine directions perpendicular to an edge of each, half way. */
function edgesSeparate(scratch: ContactScratch): boolean {
  const { relative: R, direction } = scratch;
  for (let i = 0; i < B; i += 6) {
    const i1 = i === 12 ? 0 : i + 6;
    const ax = R[i1] - R[i] + (R[i1 + 3] - R[i + 3]);
    const ay = R[i1 + 1] - R[i + 1] + (R[i1 + 4] - R[i + 4]);
    const az = R[i1 + 2] - R[i + 2] + (R[i1 + 5] - R[i + 5]);
    for (let j = B; j < 2 * B; j += 6) {
      const j1 = j === B + 12 ? B : j + 6;
      const bx = R[j1] - R[j] + (R[j1 + 3] - R[j + 3]);
      const by = R[j1 + 1] - R[j + 1] + (R[j1 + 4] - R[j + 4]);
      const bz = R[j1 + 2] - R[j + 2] + (R[j1 + 5] - R[j + 5]);
      direction[0] = ay * bz - az * by;
      direction[1] = az * bx - ax * bz;
      direction[2] = ax * by - ay * bx;
      if (separates(scratch)) return true;
    }
  }
  return false;
}

/**
 * The three directions in the plane of the triangle at `t`, half way, that are perpendicular to an edge. They part
 * triangles in one plane, which no other direction does and which exact arithmetic would have to decide.
 */
function bordersSeparate(scratch: ContactScratch, t: number): boolean {
  const { relative: R, direction } = scratch;
  const ux = R[t + 6] - R[t] + (R[t + 9] - R[t + 3]), vx = R[t + 12] - R[t] + (R[t + 15] - R[t + 3]);
  const uy = R[t + 7] - R[t + 1] + (R[t + 10] - R[t + 4]), vy = R[t + 13] - R[t + 1] + (R[t + 16] - R[t + 4]);
  const uz = R[t + 8] - R[t + 2] + (R[t + 11] - R[t + 5]), vz = R[t + 14] - R[t + 2] + (R[t + 17] - R[t + 5]);
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  for (let i = t; i < t + B; i += 6) {
    const j = i === t + 12 ? t : i + 6;
    const ex = R[j] - R[i] + (R[j + 3] - R[i + 3]);
    const ey = R[j + 1] - R[i + 1] + (R[j + 4] - R[i + 4]);
    const ez = R[j + 2] - R[i + 2] + (R[j + 5] - R[i + 5]);
    direction[0] = ny * ez - nz * ey;
    direction[1] = nz * ex - nx * ez;
    direction[2] = nx * ey - ny * ex;
    if (separates(scratch)) return true;
  }
  return false;
}

/**
 * Whether `direction` separates with certainty. With u = 2⁻⁵³ and S = |nx|X + |ny|Y + |nz|Z, each n·x is
 * right to 4u S (a difference, a product, two sums): 8u S for two of them, we take 16u S. UNDERFLOW covers
 * six products that underflow. Nothing overflows below LARGEST, and beyond it, or for NaN, the answer is no.
 */
function separates(scratch: ContactScratch): boolean {
  const { relative: R, reach, direction } = scratch;
  const nx = direction[0], ny = direction[1], nz = direction[2];
  const size = Math.abs(nx) * reach[0] + Math.abs(ny) * reach[1] + Math.abs(nz) * reach[2];
  if (!(size < LARGEST)) return false;
  const margin = DOT_ERROR * size + UNDERFLOW;
  let isAbove = true, isBelow = true;
  for (let when = 0; when < 6; when += 3) {
    const a0 = nx * R[when] + ny * R[when + 1] + nz * R[when + 2];
    const a1 = nx * R[when + 6] + ny * R[when + 7] + nz * R[when + 8];
    const a2 = nx * R[when + 12] + ny * R[when + 13] + nz * R[when + 14];
    const b0 = nx * R[when + 18] + ny * R[when + 19] + nz * R[when + 20];
    const b1 = nx * R[when + 24] + ny * R[when + 25] + nz * R[when + 26];
    const b2 = nx * R[when + 30] + ny * R[when + 31] + nz * R[when + 32];
    isAbove = isAbove && Math.min(a0, a1, a2) - Math.max(b0, b1, b2) > margin;
    isBelow = isBelow && Math.min(b0, b1, b2) - Math.max(a0, a1, a2) > margin;
    if (!isAbove && !isBelow) return false;
  }
  return true;
}

const DOT_ERROR = 16 * 2 ** -53;
const UNDERFLOW = 2 ** -1060;
const LARGEST = 2 ** 1000;
