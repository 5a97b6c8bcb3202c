import type { CollisionReport } from 'pliant';
import type { SceneMesh } from '../scene/scene.ts';
import type { NameRules } from '../verdict/name-rules.ts';

/** Gathers the pairs of several queries into one sorted list with ids that count over all meshes. */
export class PairList {
  #data = new Uint32Array(256);
  #times = new Float64Array(128);
  #length = 0; // pairs
  #beyond = 0; // pairs that a query counted but did not list
  #hasTimes = false;

  begin(hasTimes: boolean): void {
    this.#length = this.#beyond = 0;
    this.#hasTimes = hasTimes;
  }

  /** `meshOf(k, side)` tells whose triangle that side of pair `k` is. */
  addReport(
    report: CollisionReport,
    meshOf: (k: number, side: 0 | 1) => SceneMesh,
    rules: NameRules,
    isWanted?: (k: number) => boolean,
  ): void {
    const { pairs, pairCount, totalCount, times } = report;
    this.#beyond += totalCount - pairCount;
    for (let k = 0; k < pairCount; k++) {
      if (isWanted && !isWanted(k)) continue;
      const a = meshOf(k, 0).firstTriangle + pairs[2 * k];
      const b = meshOf(k, 1).firstTriangle + pairs[2 * k + 1];
      if (rules.ignores(a, b)) continue;
      this.#push(Math.min(a, b), Math.max(a, b), times ? times[k] : 0);
    }
  }

  finish(idCount: number, maxPairs = Number.POSITIVE_INFINITY) {
    const order = this.#sortedKeys(idCount);
    const kept = Math.min(this.#length, maxPairs);
    const pairs = new Uint32Array(2 * kept);
    const times = this.#hasTimes ? new Float64Array(kept) : undefined;
    for (let k = 0; k < kept; k++) {
      const from = order ? order[k] : k;
      pairs[2 * k] = this.#data[2 * from];
      pairs[2 * k + 1] = this.#data[2 * from + 1];
      if (times) times[k] = this.#times[from];
    }
    return { count: this.#length + this.#beyond, pairs, times };
  }

  /** Positions in sorted order; undefined when the list is sorted already, as that of one mesh is. */
  #sortedKeys(idCount: number): Uint32Array | undefined {
    const keys = new Float64Array(this.#length);
    let isSorted = true;
    for (let k = 0; k < keys.length; k++) {
      keys[k] = this.#data[2 * k] * idCount + this.#data[2 * k + 1]; // below 2^52
      if (k > 0 && keys[k] < keys[k - 1]) isSorted = false;
    }
    if (isSorted) return undefined;
    if (!this.#hasTimes) {
      keys.sort();
      for (let k = 0; k < keys.length; k++) {
        this.#data[2 * k] = Math.floor(keys[k] / idCount);
        this.#data[2 * k + 1] = keys[k] % idCount;
      }
      return undefined;
    }
    return Uint32Array.from(keys.keys()).sort((s, t) => keys[s] - keys[t]);
  }

  #push(a: number, b: number, time: number): void {
    if (2 * this.#length === this.#data.length) {
      const data = new Uint32Array(2 * this.#data.length);
      const times = new Float64Array(this.#data.length);
      data.set(this.#data);
      times.set(this.#times);
      this.#data = data;
      this.#times = times;
    }
    this.#data[2 * this.#length] = a;
    this.#data[2 * this.#length + 1] = b;
    this.#times[this.#length++] = time;
  }
}
