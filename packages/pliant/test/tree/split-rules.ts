import fc from 'fast-check';
import type { SplitInput, SplitRule } from '../../src/tree/build-tree.ts';

/** One triangle to the first child: the deepest tree there is. */
export const peelFirst: SplitRule = () => 1;
/** … and its mirror image, whose first child is the deep one. */
export const peelLast: SplitRule = (_, __, count) => count - 1;

/** Cuts anywhere and shuffles while at it; the same seed gives the same tree. */
export function randomSplit(seed: number): SplitRule {
  let state = seed >>> 0;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return ({ order }: SplitInput, first: number, count: number) => {
    for (let k = count - 1; k > 0; k--) {
      const other = next(k + 1);
      const t = order[first + k];
      order[first + k] = order[first + other];
      order[first + other] = t;
    }
    return 1 + next(count - 1);
  };
}

/** Any split rule: the default (undefined), lopsided ones and random ones. */
export const splitRule: fc.Arbitrary<SplitRule | undefined> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(peelFirst, peelLast) },
  { weight: 3, arbitrary: fc.nat().map(randomSplit) },
);
