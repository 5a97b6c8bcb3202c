import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/**
 * 1 when the segment from p to q passes the triangle from behind to front, −1 the other way, 0 when it misses.
 * Whether the line passes an edge left or right is decided once for both triangles of it, so a segment through an
 * edge is counted once.
 */
export function crossTriangle(
  { positions, triangles }: TriangleMesh,
  t: number,
  p: Float64Array,
  q: Float64Array,
): -1 | 0 | 1 {
  const u = triangles[3 * t],
    v = triangles[3 * t + 1],
    w = triangles[3 * t + 2];
  const a = 3 * u,
    b = 3 * v,
    c = 3 * w;
  const px = p[0],
    py = p[1],
    pz = p[2];
  const ax = positions[a] - px,
    ay = positions[a + 1] - py,
    az = positions[a + 2] - pz;
  const bx = positions[b] - positions[a],
    by = positions[b + 1] - positions[a + 1],
    bz = positions[b + 2] - positions[a + 2];
  const cx = positions[c] - positions[a],
    cy = positions[c + 1] - positions[a + 1],
    cz = positions[c + 2] - positions[a + 2];
  const dx = q[0] - px,
    dy = q[1] - py,
    dz = q[2] - pz;
  const nx = by * cz - bz * cy,
    ny = bz * cx - bx * cz,
    nz = bx * cy - by * cx;
  const height = ax * nx + ay * ny + az * nz; // of the plane over p
  const climb = dx * nx + dy * ny + dz * nz;
  const isBehind = height > 0;
  if (isBehind === height - climb > 0) return 0;
  const side = passesLeft(positions, u, v, px, py, pz, dx, dy, dz);
  if (passesLeft(positions, v, w, px, py, pz, dx, dy, dz) !== side) return 0;
  if (passesLeft(positions, w, u, px, py, pz, dx, dy, dz) !== side) return 0;
  return isBehind ? 1 : -1;
}

/** Never undecided, and opposite for the edge from v to u. */
function passesLeft(
  positions: Float64Array,
  u: number,
  v: number,
  px: number,
  py: number,
  pz: number,
  dx: number,
  dy: number,
  dz: number,
): boolean {
  const a = 3 * (u < v ? u : v),
    b = 3 * (u < v ? v : u);
  const ax = positions[a] - px,
    ay = positions[a + 1] - py,
    az = positions[a + 2] - pz;
  const bx = positions[b] - px,
    by = positions[b + 1] - py,
    bz = positions[b + 2] - pz;
  const value = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx);
  return value > 0 === u < v;
}
