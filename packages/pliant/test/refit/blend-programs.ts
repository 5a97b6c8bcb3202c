/*
 * The largest Σ w_j b_j with l ≤ w ≤ h and Σ w = 1, in float64 and in the plainest ways; and bounds of it that papers
 * use. BOUNDS §2.
 */

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What is left goes to the largest first. */
export function solveGreedily(b: readonly number[], w: readonly Interval[]): number {
  let left = 1 - sum(w.map(({ low }) => low));
  let value = sum(w.map(({ low }, j) => low * b[j]));
  for (const j of byDescending(b)) {
    const share = Math.min(left, w[j].high - w[j].low);
    value += share * b[j];
    left -= share;
  }
  return value;
}

/** All corners: every weight at an end of its interval but one, which takes what is left. */
export function enumerateCorners(w: readonly Interval[], tolerance = 1e-12): number[][] {
  const corners: number[][] = [];
  w.forEach(({ low, high }, free) => {
    for (let ends = 0; ends < 1 << w.length; ends++) {
      if ((ends >>> free) & 1) continue;
      const corner = w.map((interval, j) => ((ends >>> j) & 1 ? interval.high : interval.low));
      corner[free] = 0;
      corner[free] = 1 - sum(corner);
      if (corner[free] >= low - tolerance && corner[free] <= high + tolerance) corners.push(corner);
    }
  });
  return corners;
}

/** λR + Σ l_j b_j + Σ cap_j max(b_j − λ, 0): an upper bound for any λ. */
export function dual(b: readonly number[], w: readonly Interval[], lambda: number): number {
  const left = 1 - sum(w.map(({ low }) => low));
  return (
    lambda * left + sum(w.map(({ low, high }, j) => low * b[j] + (high - low) * Math.max(b[j] - lambda, 0)))
  );
}

/** Eq. 11 of Steinemann et al.: h₁ of the largest, the least of all others, what is left of the second largest. */
export function twoLargest(b: readonly number[], w: readonly Interval[]): number {
  const [first, second, ...others] = byDescending(b);
  if (second === undefined) return b[first];
  const least = sum(others.map((j) => w[j].low));
  return (
    w[first].high * b[first] +
    (1 - w[first].high - least) * b[second] +
    sum(others.map((j) => w[j].low * b[j]))
  );
}

function byDescending(b: readonly number[]): number[] {
  return b.map((_, j) => j).sort((i, j) => b[j] - b[i]);
}

export function sum(list: readonly number[]): number {
  return list.reduce((total, x) => total + x, 0);
}
