import type { SurfaceRows } from './reduced/reduced-system.ts';
import type { Cage } from './types.ts';

/** How far the point moved that moved most. */
export function furthestWay(from: Float64Array, to: Float64Array): number {
  let squared = 0;
  for (let i = 0; i < to.length; i += 3) {
    const x = to[i] - from[i],
      y = to[i + 1] - from[i + 1],
      z = to[i + 2] - from[i + 2];
    squared = Math.max(squared, x * x + y * y + z * z);
  }
  return Math.sqrt(squared);
}

/** Every vertex of the surface from the four of the cage that carry it. */
export function writeSurface(
  { controls: corner, weights }: SurfaceRows,
  controls: Float64Array,
  out: Float64Array,
): void {
  for (let i = 0, k = 0; i < out.length; i += 3, k += 4) {
    const a = 3 * corner[k],
      b = 3 * corner[k + 1],
      c = 3 * corner[k + 2],
      d = 3 * corner[k + 3];
    const wa = weights[k],
      wb = weights[k + 1],
      wc = weights[k + 2],
      wd = weights[k + 3];
    out[i] = wa * controls[a] + wb * controls[b] + wc * controls[c] + wd * controls[d];
    out[i + 1] = wa * controls[a + 1] + wb * controls[b + 1] + wc * controls[c + 1] + wd * controls[d + 1];
    out[i + 2] = wa * controls[a + 2] + wb * controls[b + 2] + wc * controls[c + 2] + wd * controls[d + 2];
  }
}

export function createSurfaceRows({ embedding: { influences, controls, weights } }: Cage): SurfaceRows {
  return { influences, controls: Uint32Array.from(controls), weights: Float64Array.from(weights) };
}

/** Moves points back towards where they were, so that a share of the way is left. */
export function mixPoints(points: Float64Array, before: Float64Array, share: number): void {
  for (let i = 0; i < points.length; i++) points[i] = before[i] + share * (points[i] - before[i]);
}
