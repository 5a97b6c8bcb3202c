/**
 * Triangle-triangle by signs of orient3d with a forward error bound. A leaf pair is dropped when the signs
 * prove the triangles disjoint, goes to `hits` when they prove that they meet, and to `unsure` otherwise.
 */

// The computed determinant is off by less than (7 + 56e)e times the computed permanent (Shewchuk 1997,
// e = 2^-53; 1e-15 leaves a margin of 28 %). TINY covers underflow of any product.
const BOUND: f64 = 1e-15;
const TINY: f64 = 1e-290;

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
  const bound = (abs(wx) * mx + abs(wy) * my + abs(wz) * mz) * BOUND + TINY;
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

export function narrowPairs(
  pairs: usize, count: u32, linkA: usize, cornersA: usize, pointsA: usize,
  linkB: usize, cornersB: usize, pointsB: usize, hits: usize, unsure: usize, counts: usize,
): void {
  let h = hits, u = unsure;
  for (let p = pairs, end = pairs + ((<usize>count) << 3); p < end; p += 8) {
    const pair = load<u64>(p);
    const ca = cornersA + (<usize>(load<u32>(linkA + ((<usize>(<u32>pair)) << 2)) & 0x7fffffff)) * 12;
    const cb = cornersB + (<usize>(load<u32>(linkB + ((<usize>(pair >> 32)) << 2)) & 0x7fffffff)) * 12;
    const a0 = pointsA + (<usize>load<u32>(ca)) * 24, a1 = pointsA + (<usize>load<u32>(ca, 4)) * 24;
    const a2 = pointsA + (<usize>load<u32>(ca, 8)) * 24;
    const b0 = pointsB + (<usize>load<u32>(cb)) * 24, b1 = pointsB + (<usize>load<u32>(cb, 4)) * 24;
    const b2 = pointsB + (<usize>load<u32>(cb, 8)) * 24;
    const s = sides(a0, a1, a2, b0, b1, b2);
    if (s == ABOVE || s == BELOW) continue;
    const r = sides(b0, b1, b2, a0, a1, a2);
    if (r == ABOVE || r == BELOW) continue;
    const v = ((s | r) & 21) ? 1 : crossing(a0, a1, a2, r, b0, b1, b2, s); // 21: some sign is open
    if (v == 1 && (beyondBorder(a0, a1, a2, b0, b1, b2) || beyondBorder(b0, b1, b2, a0, a1, a2))) continue;
    store<u64>(h, pair), store<u64>(u, pair);
    h += <usize>(v & 2) << 2, u += <usize>(v & 1) << 3;
  }
  store<u32>(counts, <u32>((h - hits) >> 3)), store<u32>(counts, <u32>((u - unsure) >> 3), 4);
}

/**
 * Both triangles straddle the other's plane and no corner lies on it. Turned so that the first corner of each
 * is alone on its side, and that side is the positive one, they meet exactly when the determinants
 * (a0, a1, b0, b1) and (a0, a2, b2, b0) are both <= 0 (Guigue & Devillers 2003). 2 meets, 0 apart, 1 unsure.
 */
function crossing(
  a0: usize, a1: usize, a2: usize, r: i32, b0: usize, b1: usize, b2: usize, s: i32,
): i32 {
  const r0 = r & 2, r1 = (r >> 2) & 2, r2 = (r >> 4) & 2;
  const s0 = s & 2, s1 = (s >> 2) & 2, s2 = (s >> 4) & 2;
  let t: usize, aboveB = r0, aboveA = s0;
  if (r0 == r1) t = a2, a2 = a1, a1 = a0, a0 = t, aboveB = r2;
  else if (r0 == r2) t = a0, a0 = a1, a1 = a2, a2 = t, aboveB = r1;
  if (s0 == s1) t = b2, b2 = b1, b1 = b0, b0 = t, aboveA = s2;
  else if (s0 == s2) t = b0, b0 = b1, b1 = b2, b2 = t, aboveA = s1;
  if (!aboveB) t = b1, b1 = b2, b2 = t;
  if (!aboveA) t = a1, a1 = a2, a2 = t;
  const first = sideOf(a0, a1, b0, b1);
  if (first == 2) return 0;
  const second = sideOf(a0, a2, b2, b0);
  if (second == 2) return 0;
  return (first | second) == 0 ? 2 : 1;
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
    const margin = (abs(dx) * X + abs(dy) * Y + abs(dz) * Z) * DOT_BOUND + TINY;
    if (min(min(da, db), dc) - max(max(du, dv), 0) > margin) return true;
  }
  return false;
}

const DOT_BOUND: f64 = 1.7763568394002505e-15; // 16 * 2^-53
