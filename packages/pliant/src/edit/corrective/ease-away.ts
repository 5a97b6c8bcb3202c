import type { Crossings } from './crossings.ts';
import { type EaseOptions, easeSteps } from './ease.ts';
import { easeKeepingGirth } from './ease-keeping-girth.ts';
import { relaxSteps } from './relax.ts';

/**
 * Eases what crosses: so that limbs keep their girth where that does, else by smoothing alone; and takes back what was
 * not needed. Changes `positions`, to what has the fewest crossings where some stay. Yields now and then; returns whether
 * none is left.
 */
export function* easeAway(
  crossings: Crossings,
  positions: Float64Array,
  options: EaseOptions,
): Generator<number, boolean> {
  const before = positions.slice();
  let isFree = yield* easeKeepingGirth(crossings, positions, options);
  if (!isFree) isFree = yield* easeSteps(crossings, positions, options);
  if (!isFree) {
    const plain = before.slice(); // what was done so far may be in the way
    isFree = yield* easeSteps(crossings, plain, options);
    if (isFree || crossings.find(plain).length < crossings.find(positions).length) positions.set(plain);
  }
  if (isFree) yield* relaxSteps(crossings, before, positions, options);
  return isFree;
}
