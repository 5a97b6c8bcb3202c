/** Sine of an angle below which the plane of a triangle is hardly known, so that its edges are asked as well. */
export const SLIVER = 1e-4;
/** Components of normals below this have lost digits at the end of the range of numbers. */
export const LEAST_NORMAL = 1e-290;

/**
 * The square of the distance from a point to a triangle, as near as float64 gets, for lengths from 1e-140 to 1e150. The
 * point is projected to the plane; where it falls outside, the nearest of the three edges counts.
 *
 * Of thin triangles it may be too large, by 1e-8 of the largest length here, since their planes are lost in rounding;
 * never too small by more than rounding, since then the distance is that of a point of the triangle.
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
  const crossX = uy * vz - uz * vy,
    crossY = uz * vx - ux * vz,
    crossZ = ux * vy - uy * vx;
  const size = Math.max(Math.abs(crossX), Math.abs(crossY), Math.abs(crossZ));
  let onPlane = Infinity;
  if (size > LEAST_NORMAL) {
    const scale = normalScale(size);
    const nx = scale * crossX,
      ny = scale * crossY,
      nz = scale * crossZ;
    const whole = nx * crossX + ny * crossY + nz * crossZ;
    // Barycentric coordinates times `whole`: (w × v)·n and (u × w)·n.
    const s = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz;
    const t = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz;
    if (s >= 0 && t >= 0 && s + t <= whole) {
      const uu = ux * ux + uy * uy + uz * uz,
        vv = vx * vx + vy * vy + vz * vz;
      if (size > SLIVER * Math.sqrt(uu) * Math.sqrt(vv)) {
        const along = wx * nx + wy * ny + wz * nz;
        return (along * along) / (nx * nx + ny * ny + nz * nz);
      }
      const f = s / whole,
        g = t / whole;
      const dx = wx - f * ux - g * vx,
        dy = wy - f * uy - g * vy,
        dz = wz - f * uz - g * vz;
      onPlane = dx * dx + dy * dy + dz * dz;
    }
  }
  return Math.min(
    onPlane,
    squaredPointSegmentDistance(points, p, corners, a, b),
    squaredPointSegmentDistance(points, p, corners, b, c),
    squaredPointSegmentDistance(points, p, corners, c, a),
  );
}

/** What makes normals of very small and very large triangles about 1, whose squares are out of range; 1 for all others. */
export function normalScale(size: number): number {
  return size > 1e-70 && size < 1e70 ? 1 : 2 ** -Math.round(Math.log2(size));
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
