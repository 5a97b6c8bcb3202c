import type { CollisionReport } from 'pliant';
import type { SceneMesh } from '../scene/scene.ts';
import type { NameRules } from '../verdict/name-rules.ts';

/**
 * Gathers the pairs of several queries into one sorted list with ids that count over all meshes. Keeps the lowest
 * `maxPairs` of them, in memory that grows with `maxPairs` alone, and counts all.
 */
export class PairList {
  #data = new Uint32Array(256);
  #times = new Float64Array(128);
  #starts = new Uint32Array(0);
  #length = 0; // pairs
  #count = 0; // of all pairs, listed or not
  #hasTimes = false;
  #idCount = 0;
  #maxPairs = Number.POSITIVE_INFINITY;
  #isCut = false; // pairs have been dropped: from now on only those below the last one are listed

  begin(hasTimes: boolean, idCount: number, maxPairs = Number.POSITIVE_INFINITY): void {
    this.#length = this.#count = 0;
    this.#hasTimes = hasTimes;
    this.#idCount = idCount;
    this.#maxPairs = maxPairs;
    this.#isCut = maxPairs === 0;
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
    for (let k = from; k < to; k++) {
      const i = a.firstTriangle + pairs[2 * k],
        j = b.firstTriangle + pairs[2 * k + 1];
      if (!rules.ignores(i, j)) this.addPair(i, j, times ? times[k] : 0);
    }
  }

  /** Ids over all meshes, in any order; time of first touch. */
  addPair(i: number, j: number, time: number): void {
    this.#count++;
    const low = i < j ? i : j,
      high = i < j ? j : i;
    if (this.#isCut && !this.#isBelowLast(low, high)) return;
    const length = this.#length;
    if (2 * length === this.#data.length) this.#reserve(2 * length);
    this.#data[2 * length] = low;
    this.#data[2 * length + 1] = high;
    if (this.#hasTimes) this.#times[length] = time;
    this.#length++;
    if (length >= 2 * this.#maxPairs + SPARE) this.#cut();
  }

  /** Pairs that are counted but not listed. */
  addBeyond(count: number): void {
    this.#count += count;
  }

  finish(): SortedPairs & { readonly count: number } {
    const kept = Math.min(this.#length, this.#maxPairs);
    const { pairs, times } = this.#sorted();
    const isCut = this.#length > kept;
    return {
      count: this.#count,
      pairs: isCut ? pairs.slice(0, 2 * kept) : pairs,
      times: isCut ? times?.slice(0, kept) : times,
    };
  }

  #cut(): void {
    const { pairs, times } = this.#sorted();
    this.#length = this.#maxPairs;
    this.#data.set(pairs.subarray(0, 2 * this.#length));
    if (times) this.#times.set(times.subarray(0, this.#length));
    this.#isCut = true;
  }

  #isBelowLast(i: number, j: number): boolean {
    const o = 2 * (this.#maxPairs - 1);
    if (o < 0) return false;
    return i < this.#data[o] || (i === this.#data[o] && j < this.#data[o + 1]);
  }

  #sorted(): SortedPairs {
    const length = this.#length;
    const all = {
      pairs: this.#data.slice(0, 2 * length),
      times: this.#hasTimes ? this.#times.slice(0, length) : undefined,
    };
    if (!isSorted(all.pairs, length)) this.#sortInto(all, this.#idCount);
    return all;
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
    if (all.times === undefined && idCount ** 2 <= Number.MAX_SAFE_INTEGER) this.#sortKeys(all, idCount);
    else this.#sortOrder(all);
  }

  /** Both ids in one number. */
  #sortKeys({ pairs }: SortedPairs, idCount: number): void {
    const keys = new Float64Array(this.#length);
    for (let k = 0; k < keys.length; k++) keys[k] = this.#data[2 * k] * idCount + this.#data[2 * k + 1];
    keys.sort();
    for (let k = 0; k < keys.length; k++) {
      pairs[2 * k] = Math.floor(keys[k] / idCount);
      pairs[2 * k + 1] = keys[k] % idCount;
    }
  }

  #sortOrder(all: SortedPairs): void {
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
    const data = new Uint32Array(2 * length);
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

/** Pairs beyond twice as many as are kept, before the highest are dropped. */
const SPARE = 4096;

/** With more triangles than this for a pair, counting pairs per triangle costs more than sorting them. */
const MOST_IDS_PER_PAIR = 16;

function isSorted(pairs: Uint32Array, length: number): boolean {
  for (let o = 2; o < 2 * length; o += 2) {
    if (pairs[o] < pairs[o - 2] || (pairs[o] === pairs[o - 2] && pairs[o + 1] < pairs[o - 1])) return false;
  }
  return true;
}
