import type { PairBuffer } from '../../report/pair-buffer.ts';
import type { Tree } from '../../tree/tree.ts';

/**
 * Pairs of nodes that may touch, with the gauge up to which they do not: a tree, written down so that what belongs to
 * pair k is k + 1 to next[k] − 1. Below a self-pair (a = b) come its children with themselves and with each other, below
 * another pair its halves. What is not in here does not matter.
 */
export interface PairTree {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly radius: Float32Array;
  readonly next: Uint32Array;
  /** Triangle pairs that radii leave out, as slots, and per triangle pair the pair of nodes it is in; ascending. */
  readonly exceptions: Uint32Array; // two per triangle pair
  readonly exceptionAt: Uint32Array;
}

/**
 * Pairs of small nodes whose radius is not above the gauge go to `out`, triangle pairs that proofs left out elsewhere to
 * `exceptions`. False when there are more than `most`: then neither is of use.
 */
export function listPairs(
  { a, b, radius, next, exceptions, exceptionAt }: PairTree,
  gauge: number,
  order: Uint32Array,
  most: number,
  out: PairBuffer,
  left: PairBuffer,
): boolean {
  let e = 0,
    k = 0;
  while (k < a.length) {
    const isCleared = gauge < radius[k];
    const isSmall = !isCleared && next[k] === k + 1 && a[k] !== b[k];
    if (isSmall) {
      if (out.count === most) return false;
      out.push(a[k], b[k]);
    }
    k = isCleared ? next[k] : k + 1;
    // Small pairs are looked at whole; in larger ones those are meant that none of their parts holds.
    for (; e < exceptionAt.length && exceptionAt[e] < k; e++) {
      if (!isSmall) left.push(order[exceptions[2 * e]], order[exceptions[2 * e + 1]]);
    }
  }
  for (; e < exceptionAt.length; e++) left.push(order[exceptions[2 * e]], order[exceptions[2 * e + 1]]);
  return true;
}

/** Writes pairs down in the order in which they are opened. */
export class PairTreeWriter {
  count = 0;
  #a = new Uint32Array(1024);
  #b = new Uint32Array(1024);
  #radius = new Float32Array(1024);
  #next = new Uint32Array(1024);
  readonly #tree: Tree;
  readonly #ignored: readonly number[];

  /** `ignored`: pairs of slots that are left out, s · slots + t with s < t. */
  constructor(tree: Tree, ignored: readonly number[]) {
    this.#tree = tree;
    this.#ignored = ignored;
  }

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

  finish(): PairTree {
    const { count } = this;
    for (let k = count - 1; k >= 0; k--) this.#takeLeast(k);
    const tree = {
      a: this.#a.slice(0, count),
      b: this.#b.slice(0, count),
      radius: this.#radius.slice(0, count),
      next: this.#next.slice(0, count),
    };
    const slots = this.#tree.order.length;
    const places = this.#ignored
      .map((key) => ({ s: Math.floor(key / slots), t: key % slots }))
      .map(({ s, t }) => ({ s, t, at: this.#find(tree, s, t) }))
      .sort((p, q) => p.at - q.at || p.s - q.s || p.t - q.t);
    return {
      ...tree,
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

  /** The smallest pair that holds two triangles; 0 when there are no pairs at all. */
  #find({ a, b, next }: Omit<PairTree, 'exceptions' | 'exceptionAt'>, s: number, t: number): number {
    let k = 0;
    for (let child = 1; child < (next[k] ?? 0); ) {
      if (this.#holds(a[child], b[child], s, t)) {
        k = child;
        child = k + 1;
      } else child = next[child];
    }
    return k;
  }

  #holds(a: number, b: number, s: number, t: number): boolean {
    return (this.#isBelow(a, s) && this.#isBelow(b, t)) || (this.#isBelow(a, t) && this.#isBelow(b, s));
  }

  #isBelow(node: number, slot: number): boolean {
    const { firstSlot, slotCount } = this.#tree;
    return slot >= firstSlot[node] && slot < firstSlot[node] + slotCount[node];
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
