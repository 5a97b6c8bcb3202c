// biome-ignore-all format: the coordinates of a point and the corners of a triangle stay on one line

import { UNDERFLOW } from './bound-of-sides.ts';

/** See kernels/close.ts for the bounds and for the order of operations, which is the same here. */
const CLOSE = 2 ** -99;
const SPLIT = 2 ** 27 + 1;

/** `sides` of narrow.ts in twice the precision: 2 above, 0 below, 1 open, two bits for each of x, y, z. */
export function closeSides(
  f64: Float64Array, p: number, q: number, r: number, x: number, y: number, z: number,
): number {
  return closeSide(f64, p, q, r, x) | (closeSide(f64, p, q, r, y) << 2) | (closeSide(f64, p, q, r, z) << 4);
}

/** The side of one point. */
export function closeSide(f64: Float64Array, p: number, q: number, r: number, w: number): number {
  const ox = f64[p], oy = f64[p + 1], oz = f64[p + 2];
  const ux = f64[q] - ox, uy = f64[q + 1] - oy, uz = f64[q + 2] - oz;
  const vx = f64[r] - ox, vy = f64[r + 1] - oy, vz = f64[r + 2] - oz;
  const wx = f64[w] - ox, wy = f64[w + 1] - oy, wz = f64[w + 2] - oz;
  const yz = uy * vz, zy = uz * vy, zx = uz * vx, xz = ux * vz, xy = ux * vy, yx = uy * vx;
  const nx = yz - zy, ny = zx - xz, nz = xy - yx;

  const uxTail = differenceTail(f64[q], ox, ux), vxTail = differenceTail(f64[r], ox, vx);
  const uyTail = differenceTail(f64[q + 1], oy, uy), vyTail = differenceTail(f64[r + 1], oy, vy);
  const uzTail = differenceTail(f64[q + 2], oz, uz), vzTail = differenceTail(f64[r + 2], oz, vz);
  const nxTail = minorTail(nx, yz, productTail(yz, uy, uyTail, vz, vzTail), zy, productTail(zy, uz, uzTail, vy, vyTail));
  const nyTail = minorTail(ny, zx, productTail(zx, uz, uzTail, vx, vxTail), xz, productTail(xz, ux, uxTail, vz, vzTail));
  const nzTail = minorTail(nz, xy, productTail(xy, ux, uxTail, vy, vyTail), yx, productTail(yx, uy, uyTail, vx, vxTail));

  const x = wx * nx, y = wy * ny, z = wz * nz;
  const xTail = productTail(x, wx, differenceTail(f64[w], ox, wx), nx, nxTail);
  const yTail = productTail(y, wy, differenceTail(f64[w + 1], oy, wy), ny, nyTail);
  const zTail = productTail(z, wz, differenceTail(f64[w + 2], oz, wz), nz, nzTail);
  const sum = x + y, all = sum + z;
  const tails = sumTail(x, y, sum) + sumTail(sum, z, all);
  const d = all + (xTail + yTail + zTail + tails);
  const ax = Math.abs(wx), ay = Math.abs(wy), az = Math.abs(wz);
  const mx = Math.abs(yz) + Math.abs(zy), my = Math.abs(zx) + Math.abs(xz), mz = Math.abs(xy) + Math.abs(yx);
  const bound = (ax * mx + ay * my + az * mz) * CLOSE + (ax + ay + az + 1) * UNDERFLOW;
  return d > bound ? 2 : -d > bound ? 0 : 1;
}

function differenceTail(a: number, b: number, d: number): number {
  const c = a - d;
  return a - (d + c) + (c - b);
}

function sumTail(a: number, b: number, s: number): number {
  const c = s - a;
  return a - (s - c) + (b - c);
}

function productTail(p: number, a: number, aTail: number, b: number, bTail: number): number {
  const ah = high(a), bh = high(b);
  const al = a - ah, bl = b - bh;
  return al * bl - (p - ah * bh - al * bh - ah * bl) + (a * bTail + aTail * b);
}

function high(a: number): number {
  const c = a * SPLIT;
  return c - (c - a);
}

function minorTail(n: number, p: number, pTail: number, q: number, qTail: number): number {
  return differenceTail(p, q, n) + (pTail - qTail);
}
