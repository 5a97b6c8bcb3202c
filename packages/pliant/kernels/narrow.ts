/**
 * Triangle-triangle by signs of orient3d with a forward error bound. A leaf pair is dropped when the signs
 * prove the triangles disjoint, goes to `hits` when they prove that they meet, and to `unsure` otherwise.
 */
import { both, closeSides, UNDERFLOW } from './close';

// The computed determinant is off by less than (7 + 56e)e times the computed permanent (Shewchuk 1997,
// e = 2^-53; 1e-15 leaves a margin of 28 %).
const BOUND: f64 = 1e-15;

/**
 * Sides of three points relative to the plane of p, q, r: two bits each, 2 above, 0 below, 1 when rounding
 * leaves it open.
 */
function sides(p: usize, q: usize, r: usize, x: usize, y: usize, z: usize): i32 {
  const ox = load<f64>(p), oy = load<f64>(p, 8), oz = load<f64>(p, 16);
  const ux = load<f64>(q) - ox, uy = load<f64>(q, 8) - oy, uz = load<f64>(q, 16) - oz;
  const vx = load<f64>(r) - ox, vy = load<f64>(r, 8) - oy, vz = load<f64>(r, 16) - oz;
  const yz = uy * vz, zy = uz * vy, zx = uz * vx, xz = ux * vz, xy = ux * vy, yx = uy * vx;
  const nx = yz - zy, ny = zx - xz, nz = xy - yx;
  const mx = abs(yz) + abs(zy), my = abs(zx) + abs(xz), mz = abs(xy) + abs(yx);
  return side(x, ox, oy, oz, nx, ny, nz, mx, my, mz)
    | (side(y, ox, oy, oz, nx, ny, nz, mx, my, mz) << 2)
    | (side(z, ox, oy, oz, nx, ny, nz, mx, my, mz) << 4);
}

// @ts-ignore: decorator
@inline
function side(
  p: usize, ox: f64, oy: f64, oz: f64, nx: f64, ny: f64, nz: f64, mx: f64, my: f64, mz: f64,
): i32 {
  const wx = load<f64>(p) - ox, wy = load<f64>(p, 8) - oy, wz = load<f64>(p, 16) - oz;
  const d = wx * nx + wy * ny + wz * nz;
  const ax = abs(wx), ay = abs(wy), az = abs(wz);
  const bound = (ax * mx + ay * my + az * mz) * BOUND + (ax + ay + az + 1) * UNDERFLOW;
  return 1 + i32(d > bound) - i32(-d > bound);
}

/** The sign of one determinant, as in `sides`. */
function sideOf(p: usize, q: usize, r: usize, x: usize): i32 {
  const ox = load<f64>(p), oy = load<f64>(p, 8), oz = load<f64>(p, 16);
  const ux = load<f64>(q) - ox, uy = load<f64>(q, 8) - oy, uz = load<f64>(q, 16) - oz;
  const vx = load<f64>(r) - ox, vy = load<f64>(r, 8) - oy, vz = load<f64>(r, 16) - oz;
  const yz = uy * vz, zy = uz * vy, zx = uz * vx, xz = ux * vz, xy = ux * vy, yx = uy * vx;
  return side(x, ox, oy, oz, yz - zy, zx - xz, xy - yx,
    abs(yz) + abs(zy), abs(zx) + abs(xz), abs(xy) + abs(yx));
}

const ABOVE: i32 = 42; // 2 | 2 << 2 | 2 << 4
const BELOW: i32 = 0;
const OPEN: i32 = 21; // some sign is open

/**
 * Most pairs are decided with one error bound for all, two pairs at a time. `bound` is that of `side`, computed from
 * the largest differences of coordinates among the points of A and B. Rounding is monotone, so it is no less than the
 * bound of any point here: what is decided with it would be decided in the same way with a pair's own bounds, which
 * `decide` computes for the rest.
 */
export function narrowPairs(
  pairs: usize, count: u32, linkA: usize, cornersA: usize, pointsA: usize,
  linkB: usize, cornersB: usize, pointsB: usize, bound: f64, hits: usize, unsure: usize, counts: usize,
): void {
  const above = f64x2.splat(bound), below = f64x2.splat(-bound);
  let h = hits, u = unsure;
  for (let p = pairs, end = pairs + ((<usize>count) << 3); p < end; p += 16) {
    const isLast = p + 8 == end; // of an odd number: twice the same pair
    const pair0 = load<u64>(p), pair1 = load<u64>(isLast ? p : p + 8);
    const c0 = cornersAt(cornersA, linkA, <u32>pair0), c1 = cornersAt(cornersA, linkA, <u32>pair1);
    const e0 = cornersAt(cornersB, linkB, <u32>(pair0 >> 32)), e1 = cornersAt(cornersB, linkB, <u32>(pair1 >> 32));
    const a00 = pointAt(pointsA, c0), a10 = pointAt(pointsA, c1);
    const a01 = pointAt(pointsA, c0 + 4), a11 = pointAt(pointsA, c1 + 4);
    const a02 = pointAt(pointsA, c0 + 8), a12 = pointAt(pointsA, c1 + 8);
    const b00 = pointAt(pointsB, e0), b10 = pointAt(pointsB, e1);
    const b01 = pointAt(pointsB, e0 + 4), b11 = pointAt(pointsB, e1 + 4);
    const b02 = pointAt(pointsB, e0 + 8), b12 = pointAt(pointsB, e1 + 8);
    const ax = both(a00, a10, 0), ay = both(a00, a10, 8), az = both(a00, a10, 16);
    const bx = both(a01, a11, 0), by = both(a01, a11, 8), bz = both(a01, a11, 16);
    const cx = both(a02, a12, 0), cy = both(a02, a12, 8), cz = both(a02, a12, 16);
    const px = both(b00, b10, 0), py = both(b00, b10, 8), pz = both(b00, b10, 16);
    const qx = both(b01, b11, 0), qy = both(b01, b11, 8), qz = both(b01, b11, 16);
    const rx = both(b02, b12, 0), ry = both(b02, b12, 8), rz = both(b02, b12, 16);

    let ux = f64x2.sub(bx, ax), uy = f64x2.sub(by, ay), uz = f64x2.sub(bz, az);
    let vx = f64x2.sub(cx, ax), vy = f64x2.sub(cy, ay), vz = f64x2.sub(cz, az);
    let nx = minor(uy, vz, uz, vy), ny = minor(uz, vx, ux, vz), nz = minor(ux, vy, uy, vx);
    const s0 = dot(px, py, pz, ax, ay, az, nx, ny, nz);
    const s1 = dot(qx, qy, qz, ax, ay, az, nx, ny, nz);
    const s2 = dot(rx, ry, rz, ax, ay, az, nx, ny, nz);
    const clearOfA = v128.or(
      f64x2.gt(f64x2.pmin(f64x2.pmin(s0, s1), s2), above), f64x2.lt(f64x2.pmax(f64x2.pmax(s0, s1), s2), below));
    if (i64x2.all_true(clearOfA)) continue;
    ux = f64x2.sub(qx, px), uy = f64x2.sub(qy, py), uz = f64x2.sub(qz, pz);
    vx = f64x2.sub(rx, px), vy = f64x2.sub(ry, py), vz = f64x2.sub(rz, pz);
    nx = minor(uy, vz, uz, vy), ny = minor(uz, vx, ux, vz), nz = minor(ux, vy, uy, vx);
    const r0 = dot(ax, ay, az, px, py, pz, nx, ny, nz);
    const r1 = dot(bx, by, bz, px, py, pz, nx, ny, nz);
    const r2 = dot(cx, cy, cz, px, py, pz, nx, ny, nz);
    const clearOfB = v128.or(
      f64x2.gt(f64x2.pmin(f64x2.pmin(r0, r1), r2), above), f64x2.lt(f64x2.pmax(f64x2.pmax(r0, r1), r2), below));
    const isApart = i64x2.bitmask(v128.or(clearOfA, clearOfB)) | (i32(isLast) << 1);
    if (isApart == 3) continue;

    const g = signs(s0, s1, s2, r0, r1, r2, above, true), l = signs(s0, s1, s2, r0, r1, r2, below, false);
    if (!(isApart & 1)) {
      const v = decide(a00, a01, a02, b00, b01, b02, codeOf(g, l), codeOf(g >> 6, l >> 6), bound);
      if (v) {
        store<u64>(h, pair0), store<u64>(u, pair0);
        h += <usize>(v & 2) << 2, u += <usize>(v & 1) << 3;
      }
    }
    if (!(isApart & 2)) {
      const v = decide(a10, a11, a12, b10, b11, b12, codeOf(g >> 1, l >> 1), codeOf(g >> 7, l >> 7), bound);
      if (v) {
        store<u64>(h, pair1), store<u64>(u, pair1);
        h += <usize>(v & 2) << 2, u += <usize>(v & 1) << 3;
      }
    }
  }
  store<u32>(counts, <u32>((h - hits) >> 3)), store<u32>(counts, <u32>((u - unsure) >> 3), 4);
}

// @ts-ignore: decorator
@inline
function cornersAt(corners: usize, link: usize, leaf: u32): usize {
  return corners + (<usize>(load<u32>(link + ((<usize>leaf) << 2)) & 0x7fffffff)) * 12;
}

// @ts-ignore: decorator
@inline
function pointAt(points: usize, corner: usize): usize {
  return points + (<usize>load<u32>(corner)) * 24;
}

// @ts-ignore: decorator
@inline
function minor(a: v128, b: v128, c: v128, d: v128): v128 {
  return f64x2.sub(f64x2.mul(a, b), f64x2.mul(c, d));
}

// @ts-ignore: decorator
@inline
function dot(x: v128, y: v128, z: v128, ox: v128, oy: v128, oz: v128, nx: v128, ny: v128, nz: v128): v128 {
  return f64x2.add(
    f64x2.add(f64x2.mul(f64x2.sub(x, ox), nx), f64x2.mul(f64x2.sub(y, oy), ny)), f64x2.mul(f64x2.sub(z, oz), nz));
}

/** Two bits, one for each of the two pairs, for each determinant beyond the bound. */
// @ts-ignore: decorator
@inline
function signs(s0: v128, s1: v128, s2: v128, r0: v128, r1: v128, r2: v128, bound: v128, isUpper: bool): i32 {
  return signsOf(s0, bound, isUpper) | (signsOf(s1, bound, isUpper) << 2) | (signsOf(s2, bound, isUpper) << 4)
    | (signsOf(r0, bound, isUpper) << 6) | (signsOf(r1, bound, isUpper) << 8) | (signsOf(r2, bound, isUpper) << 10);
}

// @ts-ignore: decorator
@inline
function signsOf(d: v128, bound: v128, isUpper: bool): i32 {
  return i64x2.bitmask(isUpper ? f64x2.gt(d, bound) : f64x2.lt(d, bound));
}

/** The sides of three points as `sides` has them, from the lowest, third and fifth bit: above, below. */
// @ts-ignore: decorator
@inline
function codeOf(above: i32, below: i32): i32 {
  return ((above & OPEN) << 1) | (~(above | below) & OPEN);
}

/** 2 meets, 0 apart, 1 unsure; `s` and `r` are what is known of the sides of b's and of a's corners. */
function decide(
  a0: usize, a1: usize, a2: usize, b0: usize, b1: usize, b2: usize, s: i32, r: i32, bound: f64,
): i32 {
  if ((s | r) & OPEN) {
    if (haveCommonCorner(a0, a1, a2, b0, b1, b2)) return 2;
    s = sides(a0, a1, a2, b0, b1, b2);
    if (s == ABOVE || s == BELOW) return 0;
    r = sides(b0, b1, b2, a0, a1, a2);
    if (r == ABOVE || r == BELOW) return 0;
  }
  if ((s | r) & OPEN) {
    const c = closeSides(a0, a1, a2, b0, b1, b2, b0, b1, b2, a0, a1, a2, true);
    s = codeOf(c, c >> 8), r = codeOf(c >> 1, c >> 9);
    if (s == ABOVE || s == BELOW || r == ABOVE || r == BELOW) return 0;
  }
  const v = ((s | r) & OPEN) ? 1 : crossing(a0, a1, a2, r, b0, b1, b2, s, bound);
  if (v != 1) return v;
  return i32(!beyondBorder(a0, a1, a2, b0, b1, b2) && !beyondBorder(b0, b1, b2, a0, a1, a2));
}

/**
 * Both triangles straddle the other's plane and no corner lies on it. Turned so that the first corner of each
 * is alone on its side, and that side is the positive one, they meet exactly when the determinants
 * (a0, a1, b0, b1) and (a0, a2, b2, b0) are both <= 0 (Guigue & Devillers 2003). 2 meets, 0 apart, 1 unsure.
 */
// @ts-ignore: decorator
@inline
function crossing(
  a0: usize, a1: usize, a2: usize, r: i32, b0: usize, b1: usize, b2: usize, s: i32, bound: f64,
): i32 {
  const r0 = r & 2, r1 = (r >> 2) & 2, r2 = (r >> 4) & 2;
  const s0 = s & 2, s1 = (s >> 2) & 2, s2 = (s >> 4) & 2;
  // Which corner is alone cannot be predicted: selects, no branches.
  const isA2 = r0 == r1, isA1 = i32(r0 == r2) & i32(!isA2), isB2 = s0 == s1, isB1 = i32(s0 == s2) & i32(!isB2);
  const aboveB = select(r2, select(r1, r0, isA1), isA2), aboveA = select(s2, select(s1, s0, isB1), isB2);
  const aNext = select(a0, select(a2, a1, isA1), isA2), aLast = select(a1, select(a0, a2, isA1), isA2);
  const bNext = select(b0, select(b2, b1, isB1), isB2), bLast = select(b1, select(b0, b2, isB1), isB2);
  a0 = select(a2, select(a1, a0, isA1), isA2), b0 = select(b2, select(b1, b0, isB1), isB2);
  a1 = select(aNext, aLast, aboveA), a2 = select(aLast, aNext, aboveA);
  b1 = select(bNext, bLast, aboveB), b2 = select(bLast, bNext, aboveB);
  // Both determinants at once; with bounds of their own if the common one is too wide.
  const ox = v128.load64_splat(a0), oy = v128.load64_splat(a0, 8), oz = v128.load64_splat(a0, 16);
  const ux = f64x2.sub(both(a1, a2, 0), ox), uy = f64x2.sub(both(a1, a2, 8), oy), uz = f64x2.sub(both(a1, a2, 16), oz);
  const vx = f64x2.sub(both(b0, b2, 0), ox), vy = f64x2.sub(both(b0, b2, 8), oy), vz = f64x2.sub(both(b0, b2, 16), oz);
  const d = dot(both(b1, b0, 0), both(b1, b0, 8), both(b1, b0, 16), ox, oy, oz,
    minor(uy, vz, uz, vy), minor(uz, vx, ux, vz), minor(ux, vy, uy, vx));
  if (v128.any_true(f64x2.gt(d, f64x2.splat(bound)))) return 0;
  if (i64x2.all_true(f64x2.lt(d, f64x2.splat(-bound)))) return 2;
  const first = sideOf(a0, a1, b0, b1);
  if (first == 2) return 0;
  const second = sideOf(a0, a2, b2, b0);
  if (second == 2) return 0;
  if ((first | second) == 0) return 2;
  const c = closeSides(a0, a1, b0, b1, b1, b1, a0, a2, b2, b0, b0, b0, false);
  return (c & 3) ? 0 : (c >> 8) == 3 ? 2 : 1;
}

/** True when a corner of one lies exactly on a corner of the other: that is a contact, however flat the rest. */
function haveCommonCorner(a0: usize, a1: usize, a2: usize, b0: usize, b1: usize, b2: usize): bool {
  return isAt(a0, b0) || isAt(a0, b1) || isAt(a0, b2) || isAt(a1, b0) || isAt(a1, b1) || isAt(a1, b2)
    || isAt(a2, b0) || isAt(a2, b1) || isAt(a2, b2);
}

// @ts-ignore: decorator
@inline
function isAt(p: usize, q: usize): bool {
  return load<f64>(p) == load<f64>(q) && load<f64>(p, 8) == load<f64>(q, 8) && load<f64>(p, 16) == load<f64>(q, 16);
}

/**
 * For triangles in one plane, where orientations are 0 and exact arithmetic would have to decide: true when one of
 * the three directions in the plane of p, q, r that are perpendicular to an edge has all of x, y, z beyond that edge.
 * Any direction d proves them apart: each d.(point - p) is right to 5 * 2^-53 of the sum of the sizes of its terms,
 * 16 times 2^-53 covers two of them.
 */
function beyondBorder(p: usize, q: usize, r: usize, x: usize, y: usize, z: usize): bool {
  const ox = load<f64>(p), oy = load<f64>(p, 8), oz = load<f64>(p, 16);
  const ux = load<f64>(q) - ox, uy = load<f64>(q, 8) - oy, uz = load<f64>(q, 16) - oz;
  const vx = load<f64>(r) - ox, vy = load<f64>(r, 8) - oy, vz = load<f64>(r, 16) - oz;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const ax = load<f64>(x) - ox, ay = load<f64>(x, 8) - oy, az = load<f64>(x, 16) - oz;
  const bx = load<f64>(y) - ox, by = load<f64>(y, 8) - oy, bz = load<f64>(y, 16) - oz;
  const cx = load<f64>(z) - ox, cy = load<f64>(z, 8) - oy, cz = load<f64>(z, 16) - oz;
  const X = max(max(max(abs(ux), abs(vx)), max(abs(ax), abs(bx))), abs(cx));
  const Y = max(max(max(abs(uy), abs(vy)), max(abs(ay), abs(by))), abs(cy));
  const Z = max(max(max(abs(uz), abs(vz)), max(abs(az), abs(bz))), abs(cz));
  for (let edge = 0; edge < 3; edge++) {
    const ex = edge == 0 ? ux : edge == 1 ? vx - ux : -vx;
    const ey = edge == 0 ? uy : edge == 1 ? vy - uy : -vy;
    const ez = edge == 0 ? uz : edge == 1 ? vz - uz : -vz;
    const dx = ey * nz - ez * ny, dy = ez * nx - ex * nz, dz = ex * ny - ey * nx;
    const du = dx * ux + dy * uy + dz * uz, dv = dx * vx + dy * vy + dz * vz;
    const da = dx * ax + dy * ay + dz * az, db = dx * bx + dy * by + dz * bz, dc = dx * cx + dy * cy + dz * cz;
    const margin = (abs(dx) * X + abs(dy) * Y + abs(dz) * Z) * DOT_BOUND + UNDERFLOW;
    if (min(min(da, db), dc) - max(max(du, dv), 0) > margin) return true;
  }
  return false;
}

const DOT_BOUND: f64 = 1.7763568394002505e-15; // 16 * 2^-53
