import { LEAST_NORMAL, normalScale, SLIVER } from '../deform/point-triangle.ts';

/** Where on a triangle the closest point lies: 0, 1, 2 at that corner, 3, 4, 5 on the edge that starts there, 6 inside. */
export type Feature = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/**
 * The point of a triangle closest to (x, y, z): its three barycentric coordinates go to `out`. Corners start at a, b
 * and c of `p`. The point is projected to the plane; where it falls outside, and where there is no plane, the nearest
 * of the three edges counts. As near as squaredPointTriangleDistance.
 */
export function closestOnTriangle(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): Feature {
  const ux = p[b] - p[a],
    uy = p[b + 1] - p[a + 1],
    uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a],
    vy = p[c + 1] - p[a + 1],
    vz = p[c + 2] - p[a + 2];
  const wx = x - p[a],
    wy = y - p[a + 1],
    wz = z - p[a + 2];
  const crossX = uy * vz - uz * vy,
    crossY = uz * vx - ux * vz,
    crossZ = ux * vy - uy * vx;
  const size = Math.max(Math.abs(crossX), Math.abs(crossY), Math.abs(crossZ));
  let best = Infinity,
    along = 0,
    edge = 0;
  if (size > LEAST_NORMAL) {
    const scale = normalScale(size);
    const nx = scale * crossX,
      ny = scale * crossY,
      nz = scale * crossZ;
    const whole = nx * crossX + ny * crossY + nz * crossZ;
    // Barycentric coordinates times `whole`: (w × v)·n and (u × w)·n.
    const s = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz;
    const t = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz;
    if (s > 0 && t > 0 && s + t < whole) {
      const f = s / whole,
        g = t / whole;
      out[0] = 1 - (s + t) / whole;
      out[1] = f;
      out[2] = g;
      const uu = ux * ux + uy * uy + uz * uz,
        vv = vx * vx + vy * vy + vz * vz;
      if (size > SLIVER * Math.sqrt(uu) * Math.sqrt(vv)) return 6;
      const dx = wx - f * ux - g * vx,
        dy = wy - f * uy - g * vy,
        dz = wz - f * uz - g * vz;
      best = dx * dx + dy * dy + dz * dz;
      edge = -1;
    }
  }
  for (let k = 0; k < 3; k++) {
    const i = k === 0 ? a : k === 1 ? b : c,
      j = k === 0 ? b : k === 1 ? c : a;
    const ex = p[j] - p[i],
      ey = p[j + 1] - p[i + 1],
      ez = p[j + 2] - p[i + 2];
    const qx = x - p[i],
      qy = y - p[i + 1],
      qz = z - p[i + 2];
    const ee = ex * ex + ey * ey + ez * ez;
    const f = ee > 0 ? Math.min(1, Math.max(0, (qx * ex + qy * ey + qz * ez) / ee)) : 0;
    const dx = qx - f * ex,
      dy = qy - f * ey,
      dz = qz - f * ez;
    const squared = dx * dx + dy * dy + dz * dz;
    if (!(squared < best)) continue;
    best = squared;
    along = f;
    edge = k;
  }
  if (edge < 0) return 6;
  const next = edge === 2 ? 0 : edge + 1;
  out[0] = out[1] = out[2] = 0;
  out[edge] = 1 - along;
  out[next] += along;
  return (along === 0 ? edge : along === 1 ? next : edge + 3) as Feature;
}
