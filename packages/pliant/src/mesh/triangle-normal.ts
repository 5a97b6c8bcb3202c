/** (b − a) × (c − a): as long as twice the area of the triangle whose corners start at p[a], p[b] and p[c]. */
export function writeNormal(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  out: Float64Array,
  o = 0,
): void {
  const ux = p[b] - p[a],
    uy = p[b + 1] - p[a + 1],
    uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a],
    vy = p[c + 1] - p[a + 1],
    vz = p[c + 2] - p[a + 2];
  out[o] = uy * vz - uz * vy;
  out[o + 1] = uz * vx - ux * vz;
  out[o + 2] = ux * vy - uy * vx;
}
