/**
 * How far a pose is from the centre of a certificate. With M = I after scaling the modes:
 *
 * - ball: ‖q‖, any q.
 * - one-sided: ‖q‖, for q ≥ 0 only: morph weights are never negative, and a proof that need not speak of negative
 *   ones reaches further.
 * - box: the largest q_i / b_i, for 0 ≤ q_i. What holds up to 1 holds for all weights that are allowed.
 *
 * `support` is max c·q over all q of gauge 1 (CERTIFICATES §0, Lemma 2). It is convex in c.
 */
export type GaugeKind = 'ball' | 'one-sided' | 'box';

/** Support of −z: how far the poses of gauge 1 reach against z. For the box, modes are scaled so that b = 1. */
export function supportAgainst(kind: GaugeKind, z: Float64Array, from: number, count: number): number {
  let sum = 0;
  if (kind === 'ball') {
    for (let m = from; m < from + count; m++) sum += z[m] * z[m];
    return Math.sqrt(sum);
  }
  if (kind === 'one-sided') {
    for (let m = from; m < from + count; m++) if (z[m] < 0) sum += z[m] * z[m];
    return Math.sqrt(sum);
  }
  for (let m = from; m < from + count; m++) if (z[m] < 0) sum -= z[m];
  return sum;
}

/** A norm that is nowhere below the support: what a difference of modes may add to it. */
export function supportNorm(kind: GaugeKind, sumOfSquares: number, sumOfSizes: number): number {
  return kind === 'box' ? sumOfSizes : Math.sqrt(sumOfSquares);
}
