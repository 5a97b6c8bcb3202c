import type { Kernels } from './kernels.ts';
import { boundOfSides } from './ts/bound-of-sides.ts';

/** The `bound` of narrowPairs for the points of two bodies. `out` has room for twelve numbers. */
export function boundOfPoints(
  kernels: Kernels,
  pointsA: number,
  countA: number,
  pointsB: number,
  countB: number,
  out: number,
): number {
  kernels.pointBounds(pointsA, countA, out);
  kernels.pointBounds(pointsB, countB, out + 48);
  const { f64 } = kernels.memory;
  const o = out >>> 3;
  const bound = boundOfSides(spanOf(f64, o), spanOf(f64, o + 1), spanOf(f64, o + 2));
  return bound > 0 ? bound : Infinity; // of no points, nothing is known
}

/** How far apart two points can be along one axis. */
function spanOf(f64: Float64Array, o: number): number {
  return Math.max(f64[o + 3], f64[o + 9]) - Math.min(f64[o], f64[o + 6]);
}
