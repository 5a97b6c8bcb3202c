// biome-ignore-all format: the coordinates of a point and the corners of a triangle stay on one line

import { pointFractionBits, ratioToNumber, toInteger } from './exact-integers.ts';
import { lastAxis, nextAxis } from './flat-triangles.ts';
import { ORIENT2D_ERROR, ORIENT3D_ERROR } from './orient.ts';

/*
 * Where an edge pq, whose ends are strictly on different sides, crosses a plane or another edge: the
 * mean of p and q with the distances of q and p as weights. The distances come from float64 while they
 * are good to 2⁻⁴⁰ of their sum, and from integers otherwise, so the point is within about 1e-12 of the
 * edge's length of the true one however close to parallel the two are.
 */
const TRUSTED = 2 ** -40;

/** The point of edge pq on the plane abc, given the sides of its ends: an end on the plane, or a crossing. */
export function writeCrossing(
  P: Float64Array, p: number, q: number, sideOfP: number, sideOfQ: number,
  T: Float64Array, a: number, b: number, c: number,
  out: Float64Array, o: number,
): void {
  if (sideOfP !== 0 && sideOfQ !== 0) writePlaneCrossing(P, p, q, T, a, b, c, out, o);
  else copyPoint(P, sideOfP === 0 ? p : q, out, o);
}

export function copyPoint(P: Float64Array, p: number, out: Float64Array, o: number): void {
  out[o] = P[p];
  out[o + 1] = P[p + 1];
  out[o + 2] = P[p + 2];
}

/** Writes the point of the edge pq on the plane abc to out[o], out[o + 1], out[o + 2]. */
function writePlaneCrossing(
  P: Float64Array, p: number, q: number,
  T: Float64Array, a: number, b: number, c: number,
  out: Float64Array, o: number,
): void {
  const x = T[a], y = T[a + 1], z = T[a + 2];
  const ux = T[b] - x, uy = T[b + 1] - y, uz = T[b + 2] - z;
  const vx = T[c] - x, vy = T[c + 1] - y, vz = T[c + 2] - z;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const mx = Math.abs(uy * vz) + Math.abs(uz * vy);
  const my = Math.abs(uz * vx) + Math.abs(ux * vz);
  const mz = Math.abs(ux * vy) + Math.abs(uy * vx);
  const fx = P[p] - x, fy = P[p + 1] - y, fz = P[p + 2] - z;
  const gx = P[q] - x, gy = P[q + 1] - y, gz = P[q + 2] - z;
  const distanceP = Math.abs(fx * nx + fy * ny + fz * nz);
  const distanceQ = Math.abs(gx * nx + gy * ny + gz * nz);
  const permanent =
    (Math.abs(fx) + Math.abs(gx)) * mx + (Math.abs(fy) + Math.abs(gy)) * my + (Math.abs(fz) + Math.abs(gz)) * mz;
  if (isTrusted(distanceP + distanceQ, ORIENT3D_ERROR * permanent)) {
    writeMean(P, p, q, distanceQ, distanceP, out, o);
  } else {
    const bits = commonBits(P, p, q, T, a, b, c);
    const weightP = exactVolume(T, a, b, c, P, q, bits), weightQ = exactVolume(T, a, b, c, P, p, bits);
    writeExactMean(P, p, q, absolute(weightP), absolute(weightQ), bits, out, o);
  }
}

/** Writes the point of the edge pq on the edge rs, all in one plane that `axis` projects one-to-one. */
export function writeEdgeCrossing(
  P: Float64Array, p: number, q: number,
  R: Float64Array, r: number, s: number,
  axis: number,
  out: Float64Array, o: number,
): void {
  const x = nextAxis(axis), y = lastAxis(axis);
  const ux = R[s + x] - R[r + x], uy = R[s + y] - R[r + y];
  const fx = P[p + x] - R[r + x], fy = P[p + y] - R[r + y];
  const gx = P[q + x] - R[r + x], gy = P[q + y] - R[r + y];
  const distanceP = Math.abs(ux * fy - uy * fx), distanceQ = Math.abs(ux * gy - uy * gx);
  const permanent = Math.abs(ux) * (Math.abs(fy) + Math.abs(gy)) + Math.abs(uy) * (Math.abs(fx) + Math.abs(gx));
  if (isTrusted(distanceP + distanceQ, ORIENT2D_ERROR * permanent)) {
    writeMean(P, p, q, distanceQ, distanceP, out, o);
  } else {
    const bits = commonBits(P, p, q, R, r, s, s);
    const weightP = exactArea(R, r, s, P, q, x, y, bits), weightQ = exactArea(R, r, s, P, p, x, y, bits);
    writeExactMean(P, p, q, absolute(weightP), absolute(weightQ), bits, out, o);
  }
}

/** Also keeps away from underflow and overflow, where neither the sum nor its error means anything. */
function isTrusted(sum: number, error: number): boolean {
  return error <= TRUSTED * sum && sum > 2 ** -900 && sum < 2 ** 1000;
}

function writeMean(
  P: Float64Array, p: number, q: number, weightP: number, weightQ: number, out: Float64Array, o: number,
): void {
  const near = weightP >= weightQ ? p : q, far = weightP >= weightQ ? q : p;
  const t = Math.min(weightP, weightQ) / (weightP + weightQ); // at most ½: stays between the ends
  out[o] = P[near] + (P[far] * t - P[near] * t); // far − near might overflow
  out[o + 1] = P[near + 1] + (P[far + 1] * t - P[near + 1] * t);
  out[o + 2] = P[near + 2] + (P[far + 2] * t - P[near + 2] * t);
}

function writeExactMean(
  P: Float64Array, p: number, q: number, weightP: bigint, weightQ: bigint, bits: number, out: Float64Array, o: number,
): void {
  const total = (weightP + weightQ) << BigInt(bits);
  for (let k = 0; k < 3; k++) {
    out[o + k] = ratioToNumber(weightP * toInteger(P[p + k], bits) + weightQ * toInteger(P[q + k], bits), total);
  }
}

function exactVolume(
  T: Float64Array, a: number, b: number, c: number, P: Float64Array, p: number, bits: number,
): bigint {
  const x = toInteger(T[a], bits), y = toInteger(T[a + 1], bits), z = toInteger(T[a + 2], bits);
  const ux = toInteger(T[b], bits) - x, uy = toInteger(T[b + 1], bits) - y, uz = toInteger(T[b + 2], bits) - z;
  const vx = toInteger(T[c], bits) - x, vy = toInteger(T[c + 1], bits) - y, vz = toInteger(T[c + 2], bits) - z;
  const wx = toInteger(P[p], bits) - x, wy = toInteger(P[p + 1], bits) - y, wz = toInteger(P[p + 2], bits) - z;
  return wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
}

function exactArea(
  R: Float64Array, r: number, s: number, P: Float64Array, p: number, x: number, y: number, bits: number,
): bigint {
  const rx = toInteger(R[r + x], bits), ry = toInteger(R[r + y], bits);
  const ux = toInteger(R[s + x], bits) - rx, uy = toInteger(R[s + y], bits) - ry;
  return ux * (toInteger(P[p + y], bits) - ry) - uy * (toInteger(P[p + x], bits) - rx);
}

function commonBits(
  P: Float64Array, p: number, q: number, T: Float64Array, a: number, b: number, c: number,
): number {
  return Math.max(
    pointFractionBits(P, p), pointFractionBits(P, q),
    pointFractionBits(T, a), pointFractionBits(T, b), pointFractionBits(T, c),
  );
}

function absolute(n: bigint): bigint {
  return n < 0n ? -n : n;
}
