import { orient2d, orient3d } from '../algebra/orient.ts';

/**
 * Within these magnitudes (or at 0) the expansions of `algebra/orient.ts` neither overflow nor lose bits
 * to underflow: a double above 2^-300 is a multiple of 2^-352, and 3 · 352 < 1074.
 */
const SAFE_LOW = 2 ** -300;
const SAFE_HIGH = 2 ** 300;

/** True when the three points (offsets into `positions`) lie exactly on one line or coincide. */
export function areCollinear(positions: Float64Array, a: number, b: number, c: number): boolean {
  if (!isSafePoint(positions, a) || !isSafePoint(positions, b) || !isSafePoint(positions, c)) {
    return areCollinearBigInt(positions, a, b, c);
  }
  const ax = positions[a],
    ay = positions[a + 1],
    az = positions[a + 2];
  const bx = positions[b],
    by = positions[b + 1],
    bz = positions[b + 2];
  const cx = positions[c],
    cy = positions[c + 1],
    cz = positions[c + 2];
  if (orient2d(ax, ay, bx, by, cx, cy) !== 0) return false;
  if (orient2d(ay, az, by, bz, cy, cz) !== 0) return false;
  return orient2d(az, ax, bz, bx, cz, cx) === 0;
}

/** The exact sign of det(b − a, c − a, d − a): 1, 0 or −1. Offsets into `positions`. */
export function tetrahedronSign(positions: Float64Array, a: number, b: number, c: number, d: number): number {
  const safe =
    isSafePoint(positions, a) &&
    isSafePoint(positions, b) &&
    isSafePoint(positions, c) &&
    isSafePoint(positions, d);
  if (!safe) return tetrahedronSignBigInt(positions, a, b, c, d);
  const ax = positions[a],
    ay = positions[a + 1],
    az = positions[a + 2];
  const bx = positions[b],
    by = positions[b + 1],
    bz = positions[b + 2];
  const cx = positions[c],
    cy = positions[c + 1],
    cz = positions[c + 2];
  const dx = positions[d],
    dy = positions[d + 1],
    dz = positions[d + 2];
  return -Math.sign(orient3d(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz)) + 0; // its sign is the other way
}

function isSafePoint(positions: Float64Array, o: number): boolean {
  return isSafe(positions[o]) && isSafe(positions[o + 1]) && isSafe(positions[o + 2]);
}

function isSafe(x: number): boolean {
  const size = Math.abs(x);
  return (size > SAFE_LOW && size < SAFE_HIGH) || size === 0;
}

function areCollinearBigInt(positions: Float64Array, a: number, b: number, c: number): boolean {
  const u = differenceBigInt(positions, b, a);
  const v = differenceBigInt(positions, c, a);
  return u[0] * v[1] === u[1] * v[0] && u[1] * v[2] === u[2] * v[1] && u[2] * v[0] === u[0] * v[2];
}

function tetrahedronSignBigInt(positions: Float64Array, a: number, b: number, c: number, d: number): number {
  const [ux, uy, uz] = differenceBigInt(positions, b, a);
  const [vx, vy, vz] = differenceBigInt(positions, c, a);
  const [wx, wy, wz] = differenceBigInt(positions, d, a);
  const det = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
  return det > 0n ? 1 : det < 0n ? -1 : 0;
}

/** The difference of two points in units of 2^-1074, of which every double is a multiple. */
function differenceBigInt(positions: Float64Array, to: number, from: number): [bigint, bigint, bigint] {
  return [
    inSmallestUnits(positions[to]) - inSmallestUnits(positions[from]),
    inSmallestUnits(positions[to + 1]) - inSmallestUnits(positions[from + 1]),
    inSmallestUnits(positions[to + 2]) - inSmallestUnits(positions[from + 2]),
  ];
}

function inSmallestUnits(x: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const high = bits.getUint32(0);
  const exponent = (high >>> 20) & 0x7ff;
  let mantissa = (BigInt(high & 0xfffff) << 32n) | BigInt(bits.getUint32(4));
  if (exponent > 0) mantissa = (mantissa | (1n << 52n)) << BigInt(exponent - 1);
  return x < 0 ? -mantissa : mantissa;
}
