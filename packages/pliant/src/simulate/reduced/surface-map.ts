import type { ContactBody } from './contact-body.ts';

/**
 * Where a point of the world would be at rest if it moved with a triangle of the body: the same coordinates in the
 * triangle's plane, the same height above it. False when the triangle is degenerate.
 */
export function mapToRest(
  body: ContactBody,
  triangle: number,
  point: Float64Array,
  out: Float64Array,
): boolean {
  const { positions: rest, triangles } = body.shape.model.surface;
  const a = triangles[3 * triangle],
    b = triangles[3 * triangle + 1],
    c = triangles[3 * triangle + 2];
  body.ensure(a);
  body.ensure(b);
  body.ensure(c);
  const p = body.positions;
  const ux = p[3 * b] - p[3 * a],
    uy = p[3 * b + 1] - p[3 * a + 1],
    uz = p[3 * b + 2] - p[3 * a + 2];
  const vx = p[3 * c] - p[3 * a],
    vy = p[3 * c + 1] - p[3 * a + 1],
    vz = p[3 * c + 2] - p[3 * a + 2];
  const wx = point[0] - p[3 * a],
    wy = point[1] - p[3 * a + 1],
    wz = point[2] - p[3 * a + 2];
  const nx = uy * vz - uz * vy,
    ny = uz * vx - ux * vz,
    nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  if (!(nn > 0)) return false;
  const s = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / nn,
    t = ((uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz) / nn;
  const height = (wx * nx + wy * ny + wz * nz) / Math.sqrt(nn);
  const rux = rest[3 * b] - rest[3 * a],
    ruy = rest[3 * b + 1] - rest[3 * a + 1],
    ruz = rest[3 * b + 2] - rest[3 * a + 2];
  const rvx = rest[3 * c] - rest[3 * a],
    rvy = rest[3 * c + 1] - rest[3 * a + 1],
    rvz = rest[3 * c + 2] - rest[3 * a + 2];
  const mx = ruy * rvz - ruz * rvy,
    my = ruz * rvx - rux * rvz,
    mz = rux * rvy - ruy * rvx;
  const length = Math.sqrt(mx * mx + my * my + mz * mz);
  if (!(length > 0)) return false;
  const up = height / length;
  out[0] = rest[3 * a] + s * rux + t * rvx + up * mx;
  out[1] = rest[3 * a + 1] + s * ruy + t * rvy + up * my;
  out[2] = rest[3 * a + 2] + s * ruz + t * rvz + up * mz;
  return true;
}

/** How far along the segment from p to q it meets a triangle of the body, 0 … 1; −1 when it does not. */
export function crossingShare(
  points: Float64Array,
  p: number,
  q: number,
  body: ContactBody,
  triangle: number,
): number {
  const { triangles } = body.shape.model.surface;
  const a = 3 * triangles[3 * triangle],
    b = 3 * triangles[3 * triangle + 1],
    c = 3 * triangles[3 * triangle + 2];
  body.ensure(a / 3);
  body.ensure(b / 3);
  body.ensure(c / 3);
  const x = body.positions;
  const dx = points[q] - points[p],
    dy = points[q + 1] - points[p + 1],
    dz = points[q + 2] - points[p + 2];
  const ux = x[b] - x[a],
    uy = x[b + 1] - x[a + 1],
    uz = x[b + 2] - x[a + 2];
  const vx = x[c] - x[a],
    vy = x[c + 1] - x[a + 1],
    vz = x[c + 2] - x[a + 2];
  const hx = dy * vz - dz * vy,
    hy = dz * vx - dx * vz,
    hz = dx * vy - dy * vx;
  const determinant = ux * hx + uy * hy + uz * hz;
  if (determinant === 0) return -1;
  const sx = points[p] - x[a],
    sy = points[p + 1] - x[a + 1],
    sz = points[p + 2] - x[a + 2];
  const s = (sx * hx + sy * hy + sz * hz) / determinant;
  if (!(s >= 0 && s <= 1)) return -1;
  const kx = sy * uz - sz * uy,
    ky = sz * ux - sx * uz,
    kz = sx * uy - sy * ux;
  const t = (dx * kx + dy * ky + dz * kz) / determinant;
  if (!(t >= 0 && s + t <= 1)) return -1;
  const along = (vx * kx + vy * ky + vz * kz) / determinant;
  return along >= 0 && along <= 1 ? along : -1;
}
