import type { Crossings } from './crossings.ts';
import type { EaseOptions } from './ease.ts';

/** By how much of the way vertices go back in one round. */
const STEP = 1 / 16;
/** Of how much of their ways neighbours may differ: the surface stays smooth. */
const MOST_SLOPE = 0.4;
/** How often what crosses is let out again before a round is given up. */
const TRIES = 12;

/**
 * Takes back what was eased without need: every vertex returns along its way, from where it is to `before`, until something
 * would cross. What was smoothed only because it was near a crease gets its girth again. Changes `positions`, in which
 * nothing crosses; nothing does afterwards. Yields the share of rounds that are done.
 */
export function* relaxSteps(
  crossings: Crossings,
  before: Float64Array,
  positions: Float64Array,
  { foldsOnly = false, size }: EaseOptions,
): Generator<number, void> {
  const count = positions.length / 3;
  const after = positions.slice();
  const share = new Float64Array(count).fill(1); // of the way that is left
  const next = new Float64Array(count);
  const stays = new Uint8Array(count);
  for (let v = 0; v < count; v++) {
    if (isSame(before, after, 3 * v)) share[v] = 0;
  }
  const find = () => {
    place(before, after, next, positions);
    const found = crossings.findWithMargin(positions, size);
    return foldsOnly ? crossings.folds(found) : found;
  };
  const rounds = Math.round(1 / STEP);
  for (let round = 0; round < 2 * rounds; round++) {
    let goesOn = false;
    for (let v = 0; v < count; v++) {
      const isMoving = stays[v] === 0 && share[v] > 0;
      next[v] = isMoving ? Math.max(0, share[v] - STEP) : share[v];
      goesOn ||= isMoving;
    }
    if (!goesOn) break;
    limitSlopes(crossings, next, share);
    let pairs = find();
    for (let tries = 0; pairs.length > 0 && tries < TRIES; tries++) {
      for (const v of verticesOf(crossings, pairs, 1 + (tries >> 1))) {
        stays[v] = 1;
        next[v] = share[v];
      }
      pairs = find();
    }
    if (pairs.length > 0) break; // `share` is still what nothing crosses with
    share.set(next);
    yield round / (2 * rounds);
  }
  place(before, after, share, positions);
}

/** No vertex goes back much further than its neighbours; none goes on. */
function limitSlopes({ start, neighbours }: Crossings, share: Float64Array, most: Float64Array): void {
  const queue: number[] = [];
  for (let v = 0; v < share.length; v++) if (share[v] > MOST_SLOPE) queue.push(v);
  queue.sort((a, b) => share[b] - share[a]);
  for (let k = 0; k < queue.length; k++) {
    const v = queue[k];
    for (let e = start[v]; e < start[v + 1]; e++) {
      const w = neighbours[e];
      const least = Math.min(most[w], share[v] - MOST_SLOPE);
      if (!(share[w] < least)) continue;
      share[w] = least;
      if (least > MOST_SLOPE) queue.push(w);
    }
  }
}

function place(before: Float64Array, after: Float64Array, share: Float64Array, out: Float64Array): void {
  for (let v = 0; v < share.length; v++) {
    const s = share[v];
    for (let i = 3 * v; i < 3 * v + 3; i++) {
      // Both ends exactly.
      out[i] = s === 1 ? after[i] : s === 0 ? before[i] : before[i] + s * (after[i] - before[i]);
    }
  }
}

/** Of the triangles of pairs, and so many rings around them. */
function verticesOf(
  { mesh, start, neighbours }: Crossings,
  pairs: readonly number[],
  rings: number,
): Set<number> {
  const region = new Set<number>();
  for (const t of pairs) for (let c = 3 * t; c < 3 * t + 3; c++) region.add(mesh.triangles[c]);
  for (let ring = 1; ring < rings; ring++) {
    for (const v of [...region]) for (let e = start[v]; e < start[v + 1]; e++) region.add(neighbours[e]);
  }
  return region;
}

function isSame(a: Float64Array, b: Float64Array, o: number): boolean {
  return a[o] === b[o] && a[o + 1] === b[o + 1] && a[o + 2] === b[o + 2];
}
