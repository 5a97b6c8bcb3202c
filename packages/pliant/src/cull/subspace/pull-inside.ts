import type { GaugeKind } from './gauge.ts';

/** Of a radius: what rounding may add to the gauge of the result. */
const INSIDE = 1 - 1e-9;

/**
 * Moves q, in scaled modes around a centre, to the nearest pose of a gauge below `radius`, in place; returns how far
 * that is. Poses of one gauge are a ball, the part of one without negative weights, or a box: to be nearest, weights
 * are first cut off at 0, and then scaled down, or cut off at the limit.
 */
export function pullInside(kind: GaugeKind, q: Float64Array, radius: number): number {
  const most = radius * INSIDE;
  let moved = 0,
    squares = 0;
  for (let m = 0; m < q.length; m++) {
    const kept = kind === 'ball' ? q[m] : Math.min(Math.max(q[m], 0), kind === 'box' ? most : Infinity);
    moved += (q[m] - kept) ** 2;
    squares += kept * kept;
    q[m] = kept;
  }
  const length = Math.sqrt(squares);
  if (kind !== 'box' && length > most) {
    for (let m = 0; m < q.length; m++) q[m] *= most / length;
    moved += (length - most) ** 2;
  }
  return Math.sqrt(moved);
}
