import type { Ties } from '../types.ts';

/** ½ Σ |r p|² over rows of ties; the points are three numbers each from an offset on. */
export function tieEnergy({ start, vertex, weight }: Ties, points: Float64Array, offset: number): number {
  let sum = 0;
  for (let k = 1; k < start.length; k++) {
    let x = 0,
      y = 0,
      z = 0;
    for (let e = start[k - 1]; e < start[k]; e++) {
      const o = offset + 3 * vertex[e];
      x += weight[e] * points[o];
      y += weight[e] * points[o + 1];
      z += weight[e] * points[o + 2];
    }
    sum += x * x + y * y + z * z;
  }
  return sum / 2;
}
