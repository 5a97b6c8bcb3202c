import { InputError } from '../mesh/input-error.ts';
import { PairBuffer } from './pair-buffer.ts';

/**
 * 'complete': these pairs touch and no others. 'truncated': more pairs touch than were asked for; the lowest are
 * here. 'out-of-time' and 'cancelled': these pairs touch, others may, all of them under `unresolved`.
 */
export type ReportState = 'complete' | 'out-of-time' | 'cancelled' | 'truncated';

/** How a query is carried out. All give the same answer. */
export type Method = 'batch' | 'on-demand' | 'depth-first' | 'brute-force';

/** What a query did, as counts: they prove output-sensitivity on any machine. */
export interface Counters {
  /** Vertices whose position was computed. */
  verticesDeformed: number;
  /** Node volumes computed. */
  volumesRefitted: number;
  /** Node pairs whose volumes were compared. */
  nodePairsTested: number;
  /** Node pairs that a certificate proved free of contact. */
  nodePairsCleared: number;
  /** Triangle pairs that reached the narrow phase. */
  trianglePairsTested: number;
  /** … and among them those the floating-point filter left open. */
  exactTests: number;
}

/** The number that goes with each pair. */
export type ValueKind = 'none' | 'times' | 'distances';

/** What a query hands back. Pass last frame's to the next query to reuse its memory. */
export class CollisionReport {
  /** How many pairs are stored. */
  pairCount = 0;
  /** Two triangle ids per pair, sorted; a view that is valid until the report is used again. */
  pairs: Uint32Array = new Uint32Array(128);
  /** For several bodies: the two body indices of each pair; undefined otherwise. */
  bodies: Uint32Array | undefined;
  /** For continuous queries: when each pair first touches; undefined otherwise. */
  times: Float64Array | undefined;
  /** For "closer than" queries: how far apart each pair is; undefined otherwise. */
  distances: Float64Array | undefined;
  /** How many pairs touch: more than pairCount only when truncated. */
  totalCount = 0;
  state: ReportState = 'complete';
  /** Which way the query was carried out, and why. */
  method: Method = 'batch';
  reason = '';
  readonly counters: Counters = {
    verticesDeformed: 0,
    volumesRefitted: 0,
    nodePairsTested: 0,
    nodePairsCleared: 0,
    trianglePairsTested: 0,
    exactTests: 0,
  };
  /** When not complete: node pairs that may still hide contacts. With several bodies: see unresolvedBodies. */
  readonly unresolved = new PairBuffer(1);
  /** With several bodies: the body pair of each unresolved node pair. */
  readonly unresolvedBodies = new PairBuffer(1);

  #mostPairs = Infinity;
  #isBusy = false;
  #values: Float64Array = new Float64Array(0); // what `times` or `distances` shows
  #bodyStore: Uint32Array = new Uint32Array(0); // what `bodies` shows
  #valueKind: ValueKind = 'none';
  #bodyA = 0;
  #bodyB = 0;

  /** A copy of the pairs as tuples, in order. */
  sortedPairs(): [number, number][] {
    return Array.from({ length: this.pairCount }, (_, k) => [this.pairs[2 * k], this.pairs[2 * k + 1]]);
  }

  /** @internal Forgets everything but the memory. */
  begin(values: ValueKind, several: boolean, maxPairs: number): void {
    if (this.#isBusy) throw new InputError('busy', 'this report is being filled by another query');
    this.#isBusy = true;
    this.pairCount = this.totalCount = 0;
    this.#mostPairs = maxPairs;
    this.state = 'complete';
    this.method = 'batch';
    this.reason = '';
    this.unresolved.clear();
    this.unresolvedBodies.clear();
    this.#valueKind = values;
    const capacity = this.pairs.length;
    if (values !== 'none' && this.#values.length < capacity / 2)
      this.#values = new Float64Array(capacity / 2);
    if (several && this.#bodyStore.length < capacity) this.#bodyStore = new Uint32Array(capacity);
    this.bodies = several ? this.#bodyStore : undefined;
    this.#showValues();
    const c = this.counters;
    c.verticesDeformed = c.volumesRefitted = c.nodePairsTested = 0;
    c.nodePairsCleared = c.trianglePairsTested = c.exactTests = 0;
  }

  /** @internal Pairs added from now on belong to these bodies. */
  setBodies(a: number, b: number): void {
    this.#bodyA = a;
    this.#bodyB = b;
  }

  /** @internal */
  add(i: number, j: number, value: number): void {
    const k = this.pairCount;
    if (2 * k === this.pairs.length) {
      if (k > this.#mostPairs + 4096 && k > 2 * this.#mostPairs) this.#dropHighest();
      else this.#grow();
      this.add(i, j, value);
      return;
    }
    this.pairs[2 * k] = i;
    this.pairs[2 * k + 1] = j;
    if (this.#valueKind !== 'none') this.#values[k] = value;
    if (this.bodies) {
      this.bodies[2 * k] = this.#bodyA;
      this.bodies[2 * k + 1] = this.#bodyB;
    }
    this.pairCount++;
    this.totalCount++;
  }

  /** @internal A node pair that could not be looked at. */
  addUnresolved(a: number, b: number): void {
    this.unresolved.push(a, b);
    if (this.bodies) this.unresolvedBodies.push(this.#bodyA, this.#bodyB);
  }

  /** @internal Sorts, and keeps what was asked for. */
  finish(): void {
    this.#isBusy = false;
    this.#sort();
    if (this.pairCount <= this.#mostPairs) return;
    this.pairCount = this.#mostPairs;
    if (this.state === 'complete') this.state = 'truncated';
  }

  #dropHighest(): void {
    this.#sort();
    this.pairCount = this.#mostPairs;
    if (this.state === 'complete') this.state = 'truncated';
  }

  #grow(): void {
    const capacity = 2 * this.pairs.length;
    const pairs = new Uint32Array(capacity);
    pairs.set(this.pairs);
    this.pairs = pairs;
    if (this.#valueKind !== 'none') {
      const values = new Float64Array(capacity / 2);
      values.set(this.#values);
      this.#values = values;
      this.#showValues();
    }
    if (this.bodies) {
      this.#bodyStore = new Uint32Array(capacity);
      this.#bodyStore.set(this.bodies);
      this.bodies = this.#bodyStore;
    }
  }

  #showValues(): void {
    this.times = this.#valueKind === 'times' ? this.#values : undefined;
    this.distances = this.#valueKind === 'distances' ? this.#values : undefined;
  }

  /**
   * In place: typed-array sorts would need a copy per query and could not carry the times along. Quicksort, which
   * hands over to heap sort where it makes no headway, so that no order of pairs takes more than n log n steps.
   */
  #sort(): void {
    this.#sortRange(0, this.pairCount - 1, 2 * Math.ceil(Math.log2(this.pairCount + 1)));
  }

  #sortRange(from: number, to: number, patience: number): void {
    let low = from,
      high = to;
    for (let left = patience; high - low > 12; left--) {
      if (left === 0) {
        this.#heapSort(low, high - low + 1);
        return;
      }
      const middle = this.#partition(low, high);
      if (middle - low < high - middle) {
        this.#sortRange(low, middle - 1, left - 1);
        low = middle + 1;
      } else {
        this.#sortRange(middle + 1, high, left - 1);
        high = middle - 1;
      }
    }
    for (let i = low + 1; i <= high; i++) {
      for (let j = i; j > low && this.#isLess(j, j - 1); j--) this.#swap(j, j - 1);
    }
  }

  /** Smaller pairs before the pivot, larger ones behind it; returns where it went. */
  #partition(low: number, high: number): number {
    this.#swap(low, (low + high) >>> 1); // the pivot waits at `low` while the rest is divided
    let i = low + 1,
      j = high;
    while (i <= j) {
      if (this.#isLess(i, low)) i++;
      else if (this.#isLess(low, j)) j--;
      else this.#swap(i++, j--);
    }
    this.#swap(low, j);
    return j;
  }

  #heapSort(first: number, n: number): void {
    for (let k = (n >>> 1) - 1; k >= 0; k--) this.#sink(first, k, n);
    for (let end = n - 1; end > 0; end--) {
      this.#swap(first, first + end);
      this.#sink(first, 0, end);
    }
  }

  /** Lets the pair at `top` sink to its place in a heap of n pairs from `first` on, the largest on top. */
  #sink(first: number, top: number, n: number): void {
    for (let k = top; ; ) {
      let child = 2 * k + 1;
      if (child >= n) return;
      if (child + 1 < n && this.#isLess(first + child, first + child + 1)) child++;
      if (!this.#isLess(first + k, first + child)) return;
      this.#swap(first + k, first + child);
      k = child;
    }
  }

  #isLess(s: number, t: number): boolean {
    const { pairs, bodies } = this;
    if (bodies) {
      if (bodies[2 * s] !== bodies[2 * t]) return bodies[2 * s] < bodies[2 * t];
      if (bodies[2 * s + 1] !== bodies[2 * t + 1]) return bodies[2 * s + 1] < bodies[2 * t + 1];
    }
    if (pairs[2 * s] !== pairs[2 * t]) return pairs[2 * s] < pairs[2 * t];
    return pairs[2 * s + 1] < pairs[2 * t + 1];
  }

  #swap(s: number, t: number): void {
    swapTwo(this.pairs, 2 * s, 2 * t);
    if (this.bodies) swapTwo(this.bodies, 2 * s, 2 * t);
    if (this.#valueKind !== 'none') {
      const value = this.#values[s];
      this.#values[s] = this.#values[t];
      this.#values[t] = value;
    }
  }
}

function swapTwo(array: Uint32Array, s: number, t: number): void {
  const a = array[s],
    b = array[s + 1];
  array[s] = array[t];
  array[s + 1] = array[t + 1];
  array[t] = a;
  array[t + 1] = b;
}
