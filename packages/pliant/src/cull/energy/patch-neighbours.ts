import type { OpenPoints, PatchBuilder } from './energy-patches.ts';

/** Small patches around a point. */
export class SmallPatchesAt {
  readonly #start: Uint32Array;
  readonly #list: Uint32Array;

  constructor({ open, smallCount }: PatchBuilder) {
    const small = open.slice(0, smallCount);
    const most = small.reduce((last, { points }) => Math.max(last, points[points.length - 1] ?? 0), 0);
    const start = new Uint32Array(most + 2);
    for (const { points } of small) for (const point of points) start[point + 1]++;
    for (let p = 0; p <= most; p++) start[p + 1] += start[p];
    this.#start = start;
    this.#list = new Uint32Array(start[most + 1]);
    const at = start.slice();
    small.forEach(({ points }, patch) => {
      for (const point of points) this.#list[at[point]++] = patch;
    });
  }

  /** Those at any of these points, ascending. */
  list(points: readonly number[]): number[] {
    const found = new Set<number>();
    for (const point of points) {
      for (let k = this.#start[point]; k < this.#start[point + 1]; k++) found.add(this.#list[k]);
    }
    return [...found].sort((a, b) => a - b);
  }
}

/** That two patches have in common, ascending. */
export function sharedPoints(a: OpenPoints, b: OpenPoints): number[] {
  const points: number[] = [];
  for (let i = 0, j = 0; i < a.points.length && j < b.points.length; ) {
    if (a.points[i] < b.points[j]) i++;
    else if (a.points[i] > b.points[j]) j++;
    else {
      points.push(a.points[i++]);
      j++;
    }
  }
  return points;
}
