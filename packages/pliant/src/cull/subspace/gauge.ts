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

/**
 * Support of −(a − b): how far the poses of gauge 1 reach against the difference of two rows of `count` numbers. For the
 * box, modes are scaled so that b = 1.
 */
export function supportBetween(
  kind: GaugeKind,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  count: number,
): number {
  let sum = 0;
  if (kind === 'ball') {
    for (let m = 0; m < count; m++) {
      const d = a[i + m] - b[j + m];
      sum += d * d;
    }
    return Math.sqrt(sum);
  }
  if (kind === 'one-sided') {
    for (let m = 0; m < count; m++) {
      const d = b[j + m] - a[i + m];
      if (d > 0) sum += d * d;
    }
    return Math.sqrt(sum);
  }
  for (let m = 0; m < count; m++) {
    const d = b[j + m] - a[i + m];
    if (d > 0) sum += d;
  }
  return sum;
}

/** A norm that is nowhere below the support: what a difference of modes may add to it. */
export function supportNorm(kind: GaugeKind, sumOfSquares: number, sumOfSizes: number): number {
  return kind === 'box' ? sumOfSizes : Math.sqrt(sumOfSquares);
}
