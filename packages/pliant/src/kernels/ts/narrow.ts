import { SLOT } from '../kernels.ts';
import { BOUND, UNDERFLOW } from './bound-of-sides.ts';
import { closeSide, closeSides } from './close.ts';

// See kernels/narrow.ts for the bound and for the order of operations, which is the same here.
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
  const ax = Math.abs(wx),
    ay = Math.abs(wy),
    az = Math.abs(wz);
  const bound = (ax * mx + ay * my + az * mz) * BOUND + (ax + ay + az + 1) * UNDERFLOW;
  return d > bound ? 2 : -d > bound ? 0 : 1;
}

export function narrowPairs(
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
  _bound: number, // decides nothing that the bounds of each pair do not
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
    const v = decide(f64, a0, a1, a2, b0, b1, b2);
    if (v === 0) continue;
    i32[h] = i32[u] = a;
    i32[h + 1] = i32[u + 1] = b;
    h += v & 2;
    u += (v & 1) << 1;
  }
  i32[counts] = (h - hits) >>> 1;
  i32[counts + 1] = (u - unsure) >>> 1;
}

/** 2 meets, 0 apart, 1 unsure. */
function decide(
  f64: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  b0: number,
  b1: number,
  b2: number,
): number {
  let s = sides(f64, a0, a1, a2, b0, b1, b2);
  if (s === ABOVE || s === BELOW) return 0;
  let r = sides(f64, b0, b1, b2, a0, a1, a2);
  if (r === ABOVE || r === BELOW) return 0;
  if (((s | r) & OPEN) !== 0) {
    if (haveCommonCorner(f64, a0, a1, a2, b0, b1, b2)) return 2;
    s = closeSides(f64, a0, a1, a2, b0, b1, b2);
    r = closeSides(f64, b0, b1, b2, a0, a1, a2);
    if (s === ABOVE || s === BELOW || r === ABOVE || r === BELOW) return 0;
  }
  const v = ((s | r) & OPEN) !== 0 ? 1 : crossing(f64, a0, a1, a2, r, b0, b1, b2, s);
  if (v !== 1) return v;
  return beyondBorder(f64, a0, a1, a2, b0, b1, b2) || beyondBorder(f64, b0, b1, b2, a0, a1, a2) ? 0 : 1;
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
  if ((first | second) === 0) return 2;
  const closeFirst = closeSide(f64, p0, p1, q0, q1),
    closeSecond = closeSide(f64, p0, p2, q2, q0);
  if (closeFirst === 2 || closeSecond === 2) return 0;
  return (closeFirst | closeSecond) === 0 ? 2 : 1;
}

function haveCommonCorner(
  f64: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  b0: number,
  b1: number,
  b2: number,
): boolean {
  return isOneOf(f64, a0, b0, b1, b2) || isOneOf(f64, a1, b0, b1, b2) || isOneOf(f64, a2, b0, b1, b2);
}

function isOneOf(f64: Float64Array, p: number, q0: number, q1: number, q2: number): boolean {
  return isAt(f64, p, q0) || isAt(f64, p, q1) || isAt(f64, p, q2);
}

function isAt(f64: Float64Array, p: number, q: number): boolean {
  return f64[p] === f64[q] && f64[p + 1] === f64[q + 1] && f64[p + 2] === f64[q + 2];
}

const DOT_BOUND = 16 * 2 ** -53;

/** For triangles in one plane; see kernels/narrow.ts. */
function beyondBorder(
  f64: Float64Array,
  p: number,
  q: number,
  r: number,
  x: number,
  y: number,
  z: number,
): boolean {
  const ox = f64[p],
    oy = f64[p + 1],
    oz = f64[p + 2];
  const ux = f64[q] - ox,
    uy = f64[q + 1] - oy,
    uz = f64[q + 2] - oz;
  const vx = f64[r] - ox,
    vy = f64[r + 1] - oy,
    vz = f64[r + 2] - oz;
  const nx = uy * vz - uz * vy,
    ny = uz * vx - ux * vz,
    nz = ux * vy - uy * vx;
  const ax = f64[x] - ox,
    ay = f64[x + 1] - oy,
    az = f64[x + 2] - oz;
  const bx = f64[y] - ox,
    by = f64[y + 1] - oy,
    bz = f64[y + 2] - oz;
  const cx = f64[z] - ox,
    cy = f64[z + 1] - oy,
    cz = f64[z + 2] - oz;
  const X = Math.max(Math.abs(ux), Math.abs(vx), Math.abs(ax), Math.abs(bx), Math.abs(cx));
  const Y = Math.max(Math.abs(uy), Math.abs(vy), Math.abs(ay), Math.abs(by), Math.abs(cy));
  const Z = Math.max(Math.abs(uz), Math.abs(vz), Math.abs(az), Math.abs(bz), Math.abs(cz));
  for (let edge = 0; edge < 3; edge++) {
    const ex = edge === 0 ? ux : edge === 1 ? vx - ux : -vx;
    const ey = edge === 0 ? uy : edge === 1 ? vy - uy : -vy;
    const ez = edge === 0 ? uz : edge === 1 ? vz - uz : -vz;
    const dx = ey * nz - ez * ny,
      dy = ez * nx - ex * nz,
      dz = ex * ny - ey * nx;
    const du = dx * ux + dy * uy + dz * uz,
      dv = dx * vx + dy * vy + dz * vz;
    const da = dx * ax + dy * ay + dz * az,
      db = dx * bx + dy * by + dz * bz,
      dc = dx * cx + dy * cy + dz * cz;
    const margin = (Math.abs(dx) * X + Math.abs(dy) * Y + Math.abs(dz) * Z) * DOT_BOUND + UNDERFLOW;
    if (Math.min(da, db, dc) - Math.max(du, dv, 0) > margin) return true;
  }
  return false;
}
