/** Where on a triangle the closest point lies: 0, 1, 2 at that corner, 3, 4, 5 on the edge that starts there, 6 inside. */
export type Feature = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/**
 * The point of a triangle closest to (x, y, z): its three barycentric coordinates go to `out`. Corners start at a, b
 * and c of `p`. The regions in which corners, edges or the inside are closest are told apart by signs of products.
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
  const abx = p[b] - p[a],
    aby = p[b + 1] - p[a + 1],
    abz = p[b + 2] - p[a + 2];
  const acx = p[c] - p[a],
    acy = p[c + 1] - p[a + 1],
    acz = p[c + 2] - p[a + 2];
  const apx = x - p[a],
    apy = y - p[a + 1],
    apz = z - p[a + 2];
  const d1 = abx * apx + aby * apy + abz * apz,
    d2 = acx * apx + acy * apy + acz * apz;
  if (d1 <= 0 && d2 <= 0) return set(out, 1, 0, 0, 0);
  const ab2 = abx * abx + aby * aby + abz * abz,
    ac2 = acx * acx + acy * acy + acz * acz,
    abac = abx * acx + aby * acy + abz * acz;
  const d3 = d1 - ab2,
    d4 = d2 - abac; // the same products from corner b
  if (d3 >= 0 && d4 <= d3) return set(out, 0, 1, 0, 1);
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const t = d1 / (d1 - d3);
    return set(out, 1 - t, t, 0, 3);
  }
  const d5 = d1 - abac,
    d6 = d2 - ac2; // … and from corner c
  if (d6 >= 0 && d5 <= d6) return set(out, 0, 0, 1, 2);
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const t = d2 / (d2 - d6);
    return set(out, 1 - t, 0, t, 5);
  }
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const t = (d4 - d3) / (d4 - d3 + (d5 - d6));
    return set(out, 0, 1 - t, t, 4);
  }
  const sum = va + vb + vc;
  return set(out, va / sum, vb / sum, vc / sum, 6);
}

function set(out: Float64Array, u: number, v: number, w: number, feature: Feature): Feature {
  out[0] = u;
  out[1] = v;
  out[2] = w;
  return feature;
}
