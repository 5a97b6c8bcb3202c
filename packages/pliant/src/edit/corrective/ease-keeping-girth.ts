import { writeRotation } from '../../algebra/matrix3.ts';
import type { Crossings } from './crossings.ts';
import { type EaseOptions, easeRounds, grown, smooth } from './ease.ts';

/** Rounds in which all is given back; from then on what still crosses gets so much less in each. */
const PATIENCE = 20;
const LESS = 0.1;
/** … and more around it, too: one ring after so many rounds. */
const ROUNDS_PER_RING = 12;

/**
 * Smooths a surface where it crosses itself, and gives it back what smoothing the bind pose in the same way takes away,
 * turned as the surface has turned: creases go, and limbs keep their girth. What crosses all the same is given back
 * less. See `easeRounds`.
 */
export function easeKeepingGirth(
  crossings: Crossings,
  positions: Float64Array,
  options: EaseOptions,
): Generator<number, boolean> {
  const { positions: bind, vertexCount } = crossings.mesh;
  const { fixed } = options;
  const posed = positions.slice(),
    rest = bind.slice(); // both smoothed
  const growth = meanGrowth(crossings, positions, bind);
  const share = new Float64Array(vertexCount).fill(1); // of what is given back
  const eased = new Set<number>();
  return easeRounds(crossings, positions, options, (region, round) => {
    const all = [...region];
    smooth(crossings, posed, all, fixed);
    smooth(crossings, rest, all, fixed);
    for (const v of all) eased.add(v);
    if (round >= PATIENCE) {
      const wider = grown(crossings, region, Math.floor((round - PATIENCE) / ROUNDS_PER_RING));
      for (const v of wider) share[v] = Math.max(0, share[v] - LESS);
    }
    for (const v of eased) {
      if (fixed?.[v] !== 1) giveBack(crossings, v, { bind, rest, posed }, growth * share[v], positions);
    }
  });
}

interface Surfaces {
  readonly bind: Float64Array;
  readonly rest: Float64Array;
  readonly posed: Float64Array;
}

/** posed + share · R (bind − rest), R the rotation that takes the edges around the vertex from `rest` to `posed`. */
function giveBack(
  { start, neighbours }: Crossings,
  v: number,
  { bind, rest, posed }: Surfaces,
  share: number,
  out: Float64Array,
): void {
  const A = new Float64Array(9),
    R = new Float64Array(9);
  const o = 3 * v;
  for (let e = start[v]; e < start[v + 1]; e++) {
    const w = 3 * neighbours[e];
    for (let a = 0; a < 3; a++) {
      const x = posed[w + a] - posed[o + a];
      for (let b = 0; b < 3; b++) A[3 * a + b] += x * (rest[w + b] - rest[o + b]);
    }
  }
  const isKnown = writeRotation(A, R);
  for (let a = 0; a < 3; a++) {
    out[o + a] = posed[o + a];
    if (!isKnown) continue;
    for (let b = 0; b < 3; b++) out[o + a] += share * R[3 * a + b] * (bind[o + b] - rest[o + b]);
  }
}

/** How much longer edges are than in the bind pose. */
function meanGrowth({ start, neighbours }: Crossings, posed: Float64Array, bind: Float64Array): number {
  let now = 0,
    before = 0;
  for (let v = 0; v + 1 < start.length; v++) {
    for (let e = start[v]; e < start[v + 1]; e++) {
      const w = 3 * neighbours[e];
      now += Math.hypot(
        posed[w] - posed[3 * v],
        posed[w + 1] - posed[3 * v + 1],
        posed[w + 2] - posed[3 * v + 2],
      );
      before += Math.hypot(
        bind[w] - bind[3 * v],
        bind[w + 1] - bind[3 * v + 1],
        bind[w + 2] - bind[3 * v + 2],
      );
    }
  }
  return before > 0 ? now / before : 1;
}
