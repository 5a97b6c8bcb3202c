/** The point of a triangle nearest to q; corners are offsets into `p`. */
export function setClosestOnTriangle(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  q: Float64Array,
  out: Float64Array,
): void {
  const ux = p[b] - p[a],
    uy = p[b + 1] - p[a + 1],
    uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a],
    vy = p[c + 1] - p[a + 1],
    vz = p[c + 2] - p[a + 2];
  const wx = q[0] - p[a],
    wy = q[1] - p[a + 1],
    wz = q[2] - p[a + 2];
  const nx = uy * vz - uz * vy,
    ny = uz * vx - ux * vz,
    nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const s = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz;
  const t = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz;
  if (nn > 0 && s >= 0 && t >= 0 && s + t <= nn) {
    const height = (wx * nx + wy * ny + wz * nz) / nn;
    out[0] = q[0] - height * nx;
    out[1] = q[1] - height * ny;
    out[2] = q[2] - height * nz;
    return;
  }
  let best = Infinity;
  best = tryEdge(p, a, b, q, best, out);
  best = tryEdge(p, b, c, q, best, out);
  tryEdge(p, c, a, q, best, out);
}

function tryEdge(
  p: Float64Array,
  a: number,
  b: number,
  q: Float64Array,
  best: number,
  out: Float64Array,
): number {
  const ux = p[b] - p[a],
    uy = p[b + 1] - p[a + 1],
    uz = p[b + 2] - p[a + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const along = (q[0] - p[a]) * ux + (q[1] - p[a + 1]) * uy + (q[2] - p[a + 2]) * uz;
  const t = uu === 0 ? 0 : Math.min(1, Math.max(0, along / uu));
  const x = p[a] + t * ux,
    y = p[a + 1] + t * uy,
    z = p[a + 2] + t * uz;
  const squared = (x - q[0]) ** 2 + (y - q[1]) ** 2 + (z - q[2]) ** 2;
  if (squared >= best) return best;
  out[0] = x;
  out[1] = y;
  out[2] = z;
  return squared;
}
