import type { CollisionReport } from 'pliant';
import type { SceneMesh } from '../scene/scene.ts';
import type { NameRules } from '../verdict/name-rules.ts';

/** Gathers the pairs of several queries into one sorted list with ids that count over all meshes. */
export class PairList {
  #data = new Uint32Array(256);
  #times = new Float64Array(128);
  #starts = new Uint32Array(0);
  #length = 0; // pairs
  #beyond = 0; // pairs that a query counted but did not list
  #hasTimes = false;

  begin(hasTimes: boolean): void {
    this.#length = this.#beyond = 0;
    this.#hasTimes = hasTimes;
  }

  /** The pairs [from, to) of a report: triangles of `a` on one side, of `b` on the other. */
  add(
    report: CollisionReport,
    a: SceneMesh,
    b: SceneMesh,
    rules: NameRules,
    from = 0,
    to = report.pairCount,
  ): void {
    const { pairs, times } = report;
    this.#reserve(this.#length + to - from);
    const data = this.#data;
    let length = this.#length;
    for (let k = from; k < to; k++) {
      const i = a.firstTriangle + pairs[2 * k],
        j = b.firstTriangle + pairs[2 * k + 1];
      if (rules.ignores(i, j)) continue;
      data[2 * length] = i < j ? i : j;
      data[2 * length + 1] = i < j ? j : i;
      if (times) this.#times[length] = times[k];
      length++;
    }
    this.#length = length;
  }

  /** Pairs that are counted but not listed. */
  addBeyond(count: number): void {
    this.#beyond += count;
  }

  finish(idCount: number, maxPairs = Number.POSITIVE_INFINITY) {
    const length = this.#length;
    const all = {
      pairs: this.#data.slice(0, 2 * length),
      times: this.#hasTimes ? this.#times.slice(0, length) : undefined,
    };
    if (!isSorted(this.#data, length)) this.#sortInto(all, idCount);
    const isCut = length > maxPairs;
    return {
      count: length + this.#beyond,
      pairs: isCut ? all.pairs.slice(0, 2 * maxPairs) : all.pairs,
      times: isCut ? all.times?.slice(0, maxPairs) : all.times,
    };
  }

  /**
   * Meshes come in order, and so do the pairs of two of them: for one triangle, those it touches are in order, and it
   * is enough to bring the first ids into order and to leave the rest as it is.
   */
  #sortInto(all: SortedPairs, idCount: number): void {
    if (idCount <= MOST_IDS_PER_PAIR * this.#length) {
      this.#distribute(all, idCount);
      if (isSorted(all.pairs, this.#length)) return;
    }
    const data = this.#data;
    const order = Uint32Array.from({ length: this.#length }, (_, k) => k);
    order.sort((s, t) => data[2 * s] - data[2 * t] || data[2 * s + 1] - data[2 * t + 1]);
    for (let k = 0; k < order.length; k++) this.#copy(order[k], all, k);
  }

  #distribute(all: SortedPairs, idCount: number): void {
    if (this.#starts.length < idCount + 1) this.#starts = new Uint32Array(idCount + 1);
    const starts = this.#starts,
      data = this.#data,
      length = this.#length;
    starts.fill(0);
    for (let k = 0; k < length; k++) starts[data[2 * k] + 1]++;
    for (let id = 0; id < idCount; id++) starts[id + 1] += starts[id];
    for (let k = 0; k < length; k++) this.#copy(k, all, starts[data[2 * k]]++);
  }

  #copy(from: number, { pairs, times }: SortedPairs, to: number): void {
    pairs[2 * to] = this.#data[2 * from];
    pairs[2 * to + 1] = this.#data[2 * from + 1];
    if (times) times[to] = this.#times[from];
  }

  #reserve(length: number): void {
    if (2 * length <= this.#data.length) return;
    const data = new Uint32Array(Math.max(2 * this.#data.length, 2 * length));
    const times = new Float64Array(data.length / 2);
    data.set(this.#data);
    times.set(this.#times);
    this.#data = data;
    this.#times = times;
  }
}

interface SortedPairs {
  readonly pairs: Uint32Array;
  readonly times: Float64Array | undefined;
}

/** With more triangles than this for a pair, counting pairs per triangle costs more than sorting them. */
const MOST_IDS_PER_PAIR = 16;

function isSorted(pairs: Uint32Array, length: number): boolean {
  for (let o = 2; o < 2 * length; o += 2) {
    if (pairs[o] < pairs[o - 2] || (pairs[o] === pairs[o - 2] && pairs[o + 1] < pairs[o - 1])) return false;
  }
  return true;
}
