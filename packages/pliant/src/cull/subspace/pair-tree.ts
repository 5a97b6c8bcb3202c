import { ROOT } from '../../tree/tree.ts';
import type { SlotTree } from './radius-problem.ts';

/** See `PairTree`. */
export interface PairList {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly radius: Float32Array;
  readonly next: Uint32Array;
}

/**
 * Pairs of nodes that may touch, with the gauge up to which they do not: a tree, written down so that what belongs to
 * pair k is k + 1 to next[k] − 1. Below a self-pair (a = b) come its children with themselves and with each other, below
 * another pair its halves. What is not in here does not matter.
 */
export interface PairTree extends PairList {
  /** Triangle pairs that radii leave out, as slots, and per triangle pair the pair of nodes it is in; ascending. */
  readonly exceptions: Uint32Array; // two per triangle pair
  readonly exceptionAt: Uint32Array;
  /** A plane per pair, see pair-planes.ts. */
  readonly planes: Float32Array;
}

/** Writes pairs down in the order in which they are opened. */
export class PairTreeWriter {
  count = 0;
  #a = new Uint32Array(1024);
  #b = new Uint32Array(1024);
  #radius = new Float32Array(1024);
  #next = new Uint32Array(1024);
  open(a: number, b: number): number {
    if (this.count === this.#a.length) this.#grow();
    this.#a[this.count] = a;
    this.#b[this.count] = b;
    return this.count++;
  }

  /** `isIdle`: nothing in it matters. */
  close(place: number, radius: number, isIdle: boolean): void {
    if (isIdle) {
      this.count = place;
      return;
    }
    this.#radius[place] = radius;
    this.#next[place] = this.count;
  }

  /** A pair that has no parts. */
  isSmall(place: number): boolean {
    return this.#next[place] === place + 1 && this.#a[place] !== this.#b[place];
  }

  firstOf(place: number): number {
    return this.#a[place];
  }

  secondOf(place: number): number {
    return this.#b[place];
  }

  radiusOf(place: number): number {
    return this.#radius[place];
  }

  /** A closer radius of a small pair; those above it follow at the end. */
  improve(place: number, radius: number): void {
    this.#radius[place] = Math.max(this.#radius[place], radius);
  }

  /** Pairs that were written elsewhere, beginning with their first. */
  append({ a, b, radius, next }: PairList): void {
    while (this.count + a.length > this.#a.length) this.#grow();
    this.#a.set(a, this.count);
    this.#b.set(b, this.count);
    this.#radius.set(radius, this.count);
    for (let k = 0; k < next.length; k++) this.#next[this.count + k] = this.count + next[k];
    this.count += a.length;
  }

  /** What has been written. */
  list(): PairList {
    const { count } = this;
    return {
      a: this.#a.slice(0, count),
      b: this.#b.slice(0, count),
      radius: this.#radius.slice(0, count),
      next: this.#next.slice(0, count),
    };
  }

  /** `ignored`: pairs of slots that are left out, s · slots + t with s < t. */
  finish(tree: SlotTree, ignored: ArrayLike<number>): Omit<PairTree, 'planes'> {
    for (let k = this.count - 1; k >= 0; k--) this.#takeLeast(k);
    const pairs = this.list();
    const slots = tree.slotCount[ROOT];
    const places = Array.from(ignored, (key) => ({ s: Math.floor(key / slots), t: key % slots }))
      .map(({ s, t }) => ({ s, t, at: findPair(pairs, tree, s, t) }))
      .sort((p, q) => p.at - q.at || p.s - q.s || p.t - q.t);
    return {
      ...pairs,
      exceptions: Uint32Array.from(places.flatMap(({ s, t }) => [s, t])),
      exceptionAt: Uint32Array.from(places, ({ at }) => at),
    };
  }

  /** What has parts has the least radius of them. Parts that do not matter were left out: they have more. */
  #takeLeast(place: number): void {
    const end = this.#next[place];
    if (end === place + 1) return;
    let least = Infinity;
    for (let k = place + 1; k < end; k = this.#next[k]) least = Math.min(least, this.#radius[k]);
    this.#radius[place] = Math.max(this.#radius[place], least);
  }

  #grow(): void {
    const larger = <T extends Uint32Array | Float32Array>(old: T): T => {
      const array = new (old.constructor as new (length: number) => T)(2 * old.length);
      array.set(old);
      return array;
    };
    this.#a = larger(this.#a);
    this.#b = larger(this.#b);
    this.#radius = larger(this.#radius);
    this.#next = larger(this.#next);
  }
}

/** The smallest pair that holds two triangles; 0 when there are no pairs at all. */
function findPair({ a, b, next }: PairList, tree: SlotTree, s: number, t: number): number {
  let k = 0;
  for (let child = 1; child < (next[k] ?? 0); ) {
    const [i, j] = [a[child], b[child]];
    const holds =
      (isBelow(tree, i, s) && isBelow(tree, j, t)) || (isBelow(tree, i, t) && isBelow(tree, j, s));
    if (holds) k = child;
    child = holds ? k + 1 : next[child];
  }
  return k;
}

function isBelow({ firstSlot, slotCount }: SlotTree, node: number, slot: number): boolean {
  return slot >= firstSlot[node] && slot < firstSlot[node] + slotCount[node];
}
