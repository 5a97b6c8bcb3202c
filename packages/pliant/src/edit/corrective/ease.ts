import type { Crossings } from './crossings.ts';

/** How far a vertex goes towards the middle of its neighbours in one round. */
const SHARE = 0.3;
/** Rounds after which smoothing reaches one ring further. */
const PATIENCE = 10;
/** Rounds after which it is given up when nothing improves, and in any case. */
const IDLE_ROUNDS = 60;
const MOST_ROUNDS = 120;

export interface EaseOptions {
  /** Only what is near each other along the surface, too. Default: everything that crosses. */
  foldsOnly?: boolean;
  /** Per vertex: 1 stays. Default: none. */
  fixed?: Uint8Array;
  /** Of the surface: what a margin is measured in. */
  size: number;
}

/**
 * Calls `ease` with the vertices of what crosses, round after round, until nothing does. Changes `positions`, to what has
 * the fewest crossings where some stay. Yields the number of pairs that are left; returns whether there is none, also not
 * after a small movement of any kind.
 */
export function* easeRounds(
  crossings: Crossings,
  positions: Float64Array,
  { foldsOnly = false, size }: EaseOptions,
  ease: (region: Set<number>, round: number) => void,
): Generator<number, boolean> {
  const { triangles } = crossings.mesh;
  const best = positions.slice();
  let fewest = Infinity,
    idle = 0;
  for (let round = 0; ; round++) {
    const found = crossings.findWithMargin(positions, size);
    const pairs = foldsOnly ? crossings.folds(found) : found;
    if (pairs.length === 0) return true;
    idle++;
    if (pairs.length < fewest) {
      fewest = pairs.length;
      best.set(positions);
      idle = 0;
    }
    if (round === MOST_ROUNDS || idle === IDLE_ROUNDS) {
      positions.set(best);
      return false;
    }
    yield pairs.length / 2;
    const region = new Set<number>();
    for (const t of pairs) for (let c = 3 * t; c < 3 * t + 3; c++) region.add(triangles[c]);
    ease(region, round);
  }
}

/**
 * Smooths a surface where it crosses itself, a little at a time and no further than it takes: a crease that skinning
 * has pushed through itself becomes shallower. See `easeRounds`.
 */
export function easeSteps(
  crossings: Crossings,
  positions: Float64Array,
  options: EaseOptions,
): Generator<number, boolean> {
  return easeRounds(crossings, positions, options, (region, round) => {
    const wider = grown(crossings, region, Math.floor(round / PATIENCE));
    smooth(crossings, positions, [...wider], options.fixed);
  });
}

/** A region with so many rings of vertices around it. */
export function grown({ start, neighbours }: Crossings, region: Set<number>, rings: number): Set<number> {
  let out = region;
  for (let ring = 0; ring < rings; ring++) {
    const inner = out;
    out = new Set(inner);
    for (const v of inner) for (let e = start[v]; e < start[v + 1]; e++) out.add(neighbours[e]);
  }
  return out;
}

export function smooth(
  { start, neighbours }: Crossings,
  positions: Float64Array,
  region: readonly number[],
  fixed: Uint8Array | undefined,
): void {
  const next = new Float64Array(3 * region.length);
  region.forEach((v, k) => {
    const count = start[v + 1] - start[v];
    for (let a = 0; a < 3; a++) {
      let middle = 0;
      for (let e = start[v]; e < start[v + 1]; e++) middle += positions[3 * neighbours[e] + a] / count;
      const stays = fixed?.[v] === 1 || count === 0;
      next[3 * k + a] = stays ? positions[3 * v + a] : positions[3 * v + a] * (1 - SHARE) + SHARE * middle;
    }
  });
  region.forEach((v, k) => {
    for (let a = 0; a < 3; a++) positions[3 * v + a] = next[3 * k + a];
  });
}
