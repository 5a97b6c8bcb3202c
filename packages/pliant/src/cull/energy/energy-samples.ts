import type { Tree } from '../../tree/tree.ts';
import type { EnergyItem, FrontSegment } from './energy-items.ts';

/** Items that are below no other, what share of all these they are, and how many pairs of the front they hold. */
export interface Sample {
  readonly items: readonly number[];
  readonly share: number;
  readonly pairs: number;
}

/** One in so many items is a sample, if that leaves enough of them. */
const MOST_APART = 16;
const LEAST_SAMPLED = 8;
/** One in so many of these is looked at first. */
const EARLY = 4;
/** Larger ones than that share of all triangles are gone through for what is below them. */
const LEAST_TOPS = 16;

/** A few items to begin with, and more of them. */
export function chooseSamples(
  items: readonly EnergyItem[],
  segments: readonly FrontSegment[],
  { slotCount, order }: Tree,
  largestPatch: number,
): [Sample, Sample] {
  const largest = Math.max(largestPatch, order.length / LEAST_TOPS);
  const tops: number[] = [];
  for (let k = 0; k < items.length; ) {
    const isTop = items[k].nodes.every((node) => slotCount[node] <= largest);
    if (isTop) tops.push(k);
    k = isTop ? items[k].next : k + 1;
  }
  const each = Math.max(1, Math.min(MOST_APART, Math.floor(tops.length / LEAST_SAMPLED)));
  const sampled = tops.filter((_, k) => k % each === each >> 1);
  const pairsIn = (k: number) => {
    const within = segments.slice(items[k].firstSegment, items[k].endSegment);
    return within.reduce((count, { range: [a, b, c, d] }) => count + b - a + d - c, 0);
  };
  const sampleOf = (list: readonly number[]): Sample => ({
    items: list,
    share: list.length / Math.max(1, tops.length),
    pairs: list.reduce((sum, k) => sum + pairsIn(k), 0),
  });
  const isEarly = (k: number) => k % EARLY === EARLY >> 1;
  return [sampleOf(sampled.filter((_, k) => isEarly(k))), sampleOf(sampled.filter((_, k) => !isEarly(k)))];
}
