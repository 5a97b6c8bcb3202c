/**
 * Orientations in twice the precision of f64, for triangles so nearly in one plane that the filter of narrow.ts
 * leaves a sign open. Two determinants at a time, one in each lane.
 *
 * A number is a sum x + x' of two f64 with |x'| <= e|x|, e = 2^-53. Differences of coordinates and products of two
 * f64 are exact in this form (Dekker 1971, Knuth 1969). What is lost, to first order, in units of e^2 times:
 *
 *   u.v, with a = |u v|:        u' v' left out 1, u v' and u' v 2, their sum 2, that with the product's own tail 3: 8
 *   n = u.v - s.t, m = a + b:   8, tails subtracted 3 (each <= 3e), that and the tail of the difference 4:  15, n' <= 4e
 *   w.n, with W = |w| m:        15, w n' 4, w' n 1, their sum 5, that with the product's own tail 6, w' n' 4:  35, tail <= 6e
 *   the sum of three:           35, tails 6 and 6, tails of the sums 2, all tails 8:  57
 *
 * of the permanent, the sum of the three W. CLOSE is 128 e^2: more than twice that, for terms of higher order and the
 * rounding of the permanent. At the upper end of the range splitting gives NaN, which proves nothing.
 */

/** For each product that may underflow, by 2^-1075, before it is multiplied by a third factor. Far more than it takes. */
export const UNDERFLOW: f64 = 1e-290;

const CLOSE: f64 = 1.5777218104420236e-30; // 2^-99
const SPLIT: f64 = 134217729; // 2^27 + 1

/**
 * Sides of x, y, z relative to the planes of p, q, r: lane 0 is about the points with a 0, lane 1 about those with
 * a 1. For x in bits 0 and 1, y in 2 and 3, z in 4 and 5: whether it is certainly above; 8 bits higher: below.
 * Without `all`, only x.
 */
export function closeSides(
  p0: usize, q0: usize, r0: usize, x0: usize, y0: usize, z0: usize,
  p1: usize, q1: usize, r1: usize, x1: usize, y1: usize, z1: usize, all: bool,
): i32 {
  const ox = both(p0, p1, 0), oy = both(p0, p1, 8), oz = both(p0, p1, 16);
  const qx = both(q0, q1, 0), qy = both(q0, q1, 8), qz = both(q0, q1, 16);
  const rx = both(r0, r1, 0), ry = both(r0, r1, 8), rz = both(r0, r1, 16);
  const ux = f64x2.sub(qx, ox), uy = f64x2.sub(qy, oy), uz = f64x2.sub(qz, oz);
  const vx = f64x2.sub(rx, ox), vy = f64x2.sub(ry, oy), vz = f64x2.sub(rz, oz);
  const yz = f64x2.mul(uy, vz), zy = f64x2.mul(uz, vy);
  const zx = f64x2.mul(uz, vx), xz = f64x2.mul(ux, vz);
  const xy = f64x2.mul(ux, vy), yx = f64x2.mul(uy, vx);
  const nx = f64x2.sub(yz, zy), ny = f64x2.sub(zx, xz), nz = f64x2.sub(xy, yx);
  const mx = f64x2.add(f64x2.abs(yz), f64x2.abs(zy));
  const my = f64x2.add(f64x2.abs(zx), f64x2.abs(xz));
  const mz = f64x2.add(f64x2.abs(xy), f64x2.abs(yx));

  const uxTail = differenceTail(qx, ox, ux), uyTail = differenceTail(qy, oy, uy), uzTail = differenceTail(qz, oz, uz);
  const vxTail = differenceTail(rx, ox, vx), vyTail = differenceTail(ry, oy, vy), vzTail = differenceTail(rz, oz, vz);
  const nxTail = minorTail(nx, yz, productTail(yz, uy, uyTail, vz, vzTail), zy, productTail(zy, uz, uzTail, vy, vyTail));
  const nyTail = minorTail(ny, zx, productTail(zx, uz, uzTail, vx, vxTail), xz, productTail(xz, ux, uxTail, vz, vzTail));
  const nzTail = minorTail(nz, xy, productTail(xy, ux, uxTail, vy, vyTail), yx, productTail(yx, uy, uyTail, vx, vxTail));

  let signs = closeSide(x0, x1, ox, oy, oz, nx, ny, nz, nxTail, nyTail, nzTail, mx, my, mz);
  if (all) {
    signs |= closeSide(y0, y1, ox, oy, oz, nx, ny, nz, nxTail, nyTail, nzTail, mx, my, mz) << 2;
    signs |= closeSide(z0, z1, ox, oy, oz, nx, ny, nz, nxTail, nyTail, nzTail, mx, my, mz) << 4;
  }
  return signs;
}

function closeSide(
  p0: usize, p1: usize, ox: v128, oy: v128, oz: v128, nx: v128, ny: v128, nz: v128,
  nxTail: v128, nyTail: v128, nzTail: v128, mx: v128, my: v128, mz: v128,
): i32 {
  const px = both(p0, p1, 0), py = both(p0, p1, 8), pz = both(p0, p1, 16);
  const wx = f64x2.sub(px, ox), wy = f64x2.sub(py, oy), wz = f64x2.sub(pz, oz);
  const x = f64x2.mul(wx, nx), y = f64x2.mul(wy, ny), z = f64x2.mul(wz, nz);
  const xTail = productTail(x, wx, differenceTail(px, ox, wx), nx, nxTail);
  const yTail = productTail(y, wy, differenceTail(py, oy, wy), ny, nyTail);
  const zTail = productTail(z, wz, differenceTail(pz, oz, wz), nz, nzTail);
  const sum = f64x2.add(x, y), all = f64x2.add(sum, z);
  const tails = f64x2.add(sumTail(x, y, sum), sumTail(sum, z, all));
  const d = f64x2.add(all, f64x2.add(f64x2.add(f64x2.add(xTail, yTail), zTail), tails));
  const ax = f64x2.abs(wx), ay = f64x2.abs(wy), az = f64x2.abs(wz);
  const permanent = f64x2.add(f64x2.add(f64x2.mul(ax, mx), f64x2.mul(ay, my)), f64x2.mul(az, mz));
  const size = f64x2.add(f64x2.add(f64x2.add(ax, ay), az), f64x2.splat(1));
  const bound = f64x2.add(
    f64x2.mul(permanent, f64x2.splat(CLOSE)), f64x2.mul(size, f64x2.splat(UNDERFLOW)));
  return i64x2.bitmask(f64x2.gt(d, bound)) | (i64x2.bitmask(f64x2.lt(d, f64x2.neg(bound))) << 8);
}

/** The same coordinate of two points. */
// @ts-ignore: decorator
@inline
export function both(p: usize, q: usize, axis: usize): v128 {
  return v128.load64_lane(q + axis, v128.load64_zero(p + axis), 1);
}

/** d = a - b as rounded; with this it is a - b. */
// @ts-ignore: decorator
@inline
function differenceTail(a: v128, b: v128, d: v128): v128 {
  const c = f64x2.sub(a, d);
  return f64x2.add(f64x2.sub(a, f64x2.add(d, c)), f64x2.sub(c, b));
}

// @ts-ignore: decorator
@inline
function sumTail(a: v128, b: v128, s: v128): v128 {
  const c = f64x2.sub(s, a);
  return f64x2.add(f64x2.sub(a, f64x2.sub(s, c)), f64x2.sub(b, c));
}

/** p = ab as rounded; this is what it lacks to (a + a')(b + b'). */
// @ts-ignore: decorator
@inline
function productTail(p: v128, a: v128, aTail: v128, b: v128, bTail: v128): v128 {
  const ah = high(a), bh = high(b);
  const al = f64x2.sub(a, ah), bl = f64x2.sub(b, bh);
  const rest = f64x2.sub(f64x2.sub(f64x2.sub(p, f64x2.mul(ah, bh)), f64x2.mul(al, bh)), f64x2.mul(ah, bl));
  return f64x2.add(f64x2.sub(f64x2.mul(al, bl), rest), f64x2.add(f64x2.mul(a, bTail), f64x2.mul(aTail, b)));
}

/** The upper half of the bits. */
// @ts-ignore: decorator
@inline
function high(a: v128): v128 {
  const c = f64x2.mul(a, f64x2.splat(SPLIT));
  return f64x2.sub(c, f64x2.sub(c, a));
}

/** n = p - q as rounded; this is what it lacks to (p + p') - (q + q'). */
// @ts-ignore: decorator
@inline
function minorTail(n: v128, p: v128, pTail: v128, q: v128, qTail: v128): v128 {
  return f64x2.add(differenceTail(p, q, n), f64x2.sub(pTail, qTail));
}
