/** Bounds that a corner misses by less than this, relative to the weights, count as met. */
const TOLERANCE = 2 ** -38;

/**
 * The corners of { l ≤ w ≤ h, Σ w = 1 }, whose hull it is: all weights but one are at an end of their interval (Kavan &
 * Žára 2005, §4.1). There are ⌈n/2⌉ · C(n, ⌈n/2⌉) of them at most: 280 for eight weights. Appends n numbers per corner
 * to `out` and returns how many corners there are.
 *
 * Weights of vertices add up to 1 only as well as float64 allows, so corners count that are off by a little; every such
 * vertex is then within n · CORNER_ERROR, relative to the weights, of the hull.
 */
export function findCorners(
  low: ArrayLike<number>,
  high: ArrayLike<number>,
  from: number,
  n: number,
  out: number[],
): number {
  const moving: number[] = [];
  let size = 1;
  for (let k = 0; k < n; k++) {
    if (high[from + k] > low[from + k]) moving.push(k);
    size += Math.max(Math.abs(low[from + k]), Math.abs(high[from + k]));
  }
  const corner = Array.from({ length: n }, (_, k) => low[from + k]);
  if (moving.length === 0) {
    out.push(...corner);
    return 1;
  }
  const start = out.length;
  const tolerance = TOLERANCE * size;
  for (const free of moving) {
    const others = moving.filter((k) => k !== free);
    for (let ends = 0; ends < 1 << others.length; ends++) {
      others.forEach((k, i) => void (corner[k] = (ends >>> i) & 1 ? high[from + k] : low[from + k]));
      corner[free] = 0;
      corner[free] = corner.reduce((left, w) => left - w, 1);
      if (corner[free] < low[from + free] - tolerance || corner[free] > high[from + free] + tolerance)
        continue;
      if (!isListed(out, start, corner, tolerance)) out.push(...corner);
    }
    corner[free] = low[from + free];
  }
  return (out.length - start) / n;
}

/** How far off a weight of a corner may be, relative to the sizes of all: missing an end, and standing for another. */
export const CORNER_ERROR = 4 * TOLERANCE;

function isListed(
  out: readonly number[],
  start: number,
  corner: readonly number[],
  tolerance: number,
): boolean {
  const n = corner.length;
  for (let o = start; o < out.length; o += n) {
    let isSame = true;
    for (let k = 0; k < n && isSame; k++) isSame = Math.abs(out[o + k] - corner[k]) <= tolerance;
    if (isSame) return true;
  }
  return false;
}
