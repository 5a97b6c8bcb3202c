import type { TetrahedralMesh } from './tetrahedral-mesh.ts';

/**
 * Volume of a tetrahedron, and from `out[o]` on the gradients of its four barycentric coordinates, three numbers each:
 * whichever way its corners turn. 0 when it is flat, and then nothing is written.
 */
export function tetrahedronGradients(
  { positions: p, tetrahedra }: TetrahedralMesh,
  t: number,
  out: Float64Array,
  o = 0,
): number {
  const a = 3 * tetrahedra[4 * t],
    b = 3 * tetrahedra[4 * t + 1],
    c = 3 * tetrahedra[4 * t + 2],
    d = 3 * tetrahedra[4 * t + 3];
  const ux = p[b] - p[a],
    uy = p[b + 1] - p[a + 1],
    uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a],
    vy = p[c + 1] - p[a + 1],
    vz = p[c + 2] - p[a + 2];
  const wx = p[d] - p[a],
    wy = p[d + 1] - p[a + 1],
    wz = p[d + 2] - p[a + 2];
  // Rows of the inverse of (u v w): cross products over the determinant.
  const gx = vy * wz - vz * wy,
    gy = vz * wx - vx * wz,
    gz = vx * wy - vy * wx;
  const six = ux * gx + uy * gy + uz * gz;
  if (six === 0) return 0;
  out[o + 3] = gx / six;
  out[o + 4] = gy / six;
  out[o + 5] = gz / six;
  out[o + 6] = (wy * uz - wz * uy) / six;
  out[o + 7] = (wz * ux - wx * uz) / six;
  out[o + 8] = (wx * uy - wy * ux) / six;
  out[o + 9] = (uy * vz - uz * vy) / six;
  out[o + 10] = (uz * vx - ux * vz) / six;
  out[o + 11] = (ux * vy - uy * vx) / six;
  out[o] = -out[o + 3] - out[o + 6] - out[o + 9];
  out[o + 1] = -out[o + 4] - out[o + 7] - out[o + 10];
  out[o + 2] = -out[o + 5] - out[o + 8] - out[o + 11];
  return Math.abs(six) / 6;
}
