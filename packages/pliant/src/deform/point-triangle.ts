/** Squared sine of an angle below which the plane of a triangle is hardly known, so that its edges are asked as well. */
const SLIVER = 1e-8;

/**
 * The square of the distance from a point to a triangle, as near as float64 gets. The point is projected to the
 * plane; where it falls outside, the nearest of the three edges counts.
 */
export function squaredPointTriangleDistance(
  points: Float64Array,
  p: number,
  corners: Float64Array,
  a: number,
  b: number,
  c: number,
): number {
  const ux = corners[b] - corners[a],
    uy = corners[b + 1] - corners[a + 1],
    uz = corners[b + 2] - corners[a + 2];
  const vx = corners[c] - corners[a],
    vy = corners[c + 1] - corners[a + 1],
    vz = corners[c + 2] - corners[a + 2];
  const wx = points[p] - corners[a],
    wy = points[p + 1] - corners[a + 1],
    wz = points[p + 2] - corners[a + 2];
  const nx = uy * vz - uz * vy,
    ny = uz * vx - ux * vz,
    nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  // Barycentric coordinates times |n|²: (w × v)·n and (u × w)·n.
  const s = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz;
  const t = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz;
  let onPlane = Infinity;
  if (nn > 0 && s >= 0 && t >= 0 && s + t <= nn) {
    const along = wx * nx + wy * ny + wz * nz;
    onPlane = (along * along) / nn;
    if (nn > SLIVER * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)) return onPlane;
  }
  return Math.min(
    onPlane,
    squaredPointSegmentDistance(points, p, corners, a, b),
    squaredPointSegmentDistance(points, p, corners, b, c),
    squaredPointSegmentDistance(points, p, corners, c, a),
  );
}

function squaredPointSegmentDistance(
  points: Float64Array,
  p: number,
  ends: Float64Array,
  a: number,
  b: number,
): number {
  const ux = ends[b] - ends[a],
    uy = ends[b + 1] - ends[a + 1],
    uz = ends[b + 2] - ends[a + 2];
  const wx = points[p] - ends[a],
    wy = points[p + 1] - ends[a + 1],
    wz = points[p + 2] - ends[a + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const t = uu === 0 ? 0 : Math.min(1, Math.max(0, (wx * ux + wy * uy + wz * uz) / uu));
  const dx = wx - t * ux,
    dy = wy - t * uy,
    dz = wz - t * uz;
  return dx * dx + dy * dy + dz * dz;
}
