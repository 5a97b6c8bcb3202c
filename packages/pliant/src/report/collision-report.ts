import { InputError } from '../mesh/input-error.ts';
import { PairBuffer } from './pair-buffer.ts';
import { PairSorter } from './pair-sorter.ts';

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
  /** Triangle pairs that needed exact arithmetic, because floating point left them open, at the start or over a step. */
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
  /** Of a body with itself: why it has the certificates that were tried, see `setCertificates`. */
  culling = '';
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
  /**
   * With several bodies: the body pair of each unresolved node pair. Where millions of pairs of bodies are left, body i
   * with itself stands for i and all bodies from i on.
   */
  readonly unresolvedBodies = new PairBuffer(1);
  /** @internal What a first-hit query answers: the report's own, so that asking allocates nothing. */
  readonly firstPair: [number, number] = [0, 0];

  #mostPairs = Infinity;
  #isCut = false; // pairs have been dropped: from now on only those below the last one count
  #isBusy = false;
  #values: Float64Array = new Float64Array(0); // what `times` or `distances` shows
  #bodyStore: Uint32Array = new Uint32Array(0); // what `bodies` shows
  #valueKind: ValueKind = 'none';
  #bodyA = 0;
  #bodyB = 0;
  readonly #sorter = new PairSorter();

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
    this.#isCut = maxPairs === 0;
    this.state = 'complete';
    this.method = 'batch';
    this.reason = '';
    this.culling = '';
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
    if (this.#isCut && !this.#isBelowLast(i, j)) {
      this.totalCount++;
      return;
    }
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
    this.pairCount = Math.min(this.pairCount, this.#mostPairs);
    if (this.totalCount > this.#mostPairs && this.state === 'complete') this.state = 'truncated';
  }

  #dropHighest(): void {
    this.#sort();
    this.pairCount = this.#mostPairs;
    this.#isCut = true;
  }

  /** Whether a pair of the current bodies comes before the last one that was kept. */
  #isBelowLast(i: number, j: number): boolean {
    const o = 2 * (this.#mostPairs - 1);
    if (o < 0) return false;
    const { bodies, pairs } = this;
    if (bodies && bodies[o] !== this.#bodyA) return this.#bodyA < bodies[o];
    if (bodies && bodies[o + 1] !== this.#bodyB) return this.#bodyB < bodies[o + 1];
    return i < pairs[o] || (i === pairs[o] && j < pairs[o + 1]);
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

  #sort(): void {
    const values = this.#valueKind === 'none' ? undefined : this.#values;
    this.#sorter.sort(this.pairs, this.bodies, values, this.pairCount);
  }
}
