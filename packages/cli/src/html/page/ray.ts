import type { Vec3 } from './model.ts';

/** The nearest triangle that a ray meets, from either side; −1 for none. `p`: nine numbers per triangle. */
export function firstTriangleOnRay(p: Float32Array, origin: Vec3, direction: Vec3): number {
  let nearest = Infinity,
    found = -1;
  for (let o = 0, t = 0; o < p.length; o += 9, t++) {
    const distance = rayTriangle(p, o, origin, direction);
    if (distance < nearest) {
      nearest = distance;
      found = t;
    }
  }
  return found;
}

/** How many triangles stand between a point and infinity, counted up to `enough`. */
export function trianglesInFront(p: Float32Array, origin: Vec3, direction: Vec3, enough: number): number {
  let count = 0;
  for (let o = 0; o < p.length && count < enough; o += 9) {
    if (rayTriangle(p, o, origin, direction) < Infinity) count++;
  }
  return count;
}

/** Distance in lengths of `d`, or Infinity. Möller and Trumbore's test, both sides. */
function rayTriangle(p: Float32Array, o: number, from: Vec3, d: Vec3): number {
  const ax = p[o],
    ay = p[o + 1],
    az = p[o + 2];
  const ux = p[o + 3] - ax,
    uy = p[o + 4] - ay,
    uz = p[o + 5] - az;
  const vx = p[o + 6] - ax,
    vy = p[o + 7] - ay,
    vz = p[o + 8] - az;
  const hx = d[1] * vz - d[2] * vy,
    hy = d[2] * vx - d[0] * vz,
    hz = d[0] * vy - d[1] * vx;
  const det = ux * hx + uy * hy + uz * hz;
  if (det === 0) return Infinity;
  const sx = from[0] - ax,
    sy = from[1] - ay,
    sz = from[2] - az;
  const a = (sx * hx + sy * hy + sz * hz) / det;
  if (!(a >= 0 && a <= 1)) return Infinity;
  const qx = sy * uz - sz * uy,
    qy = sz * ux - sx * uz,
    qz = sx * uy - sy * ux;
  const b = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
  if (!(b >= 0 && a + b <= 1)) return Infinity;
  const distance = (vx * qx + vy * qy + vz * qz) / det;
  return distance > 0 ? distance : Infinity;
}
