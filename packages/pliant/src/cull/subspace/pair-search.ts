import { LEAF } from '../../kernels/kernels.ts';
import { areAdjacent } from '../../tree/adjacent-slots.ts';
import { MinHeap } from './min-heap.ts';
import { NodeSpread } from './node-spread.ts';
import { PairRadius } from './pair-radius.ts';
import type { SearchProblem, SlotTree } from './radius-problem.ts';

// What is known about a pair in the queue.
const NODES = 0; // their boxes
const ESTIMATED = 1;
const SOLVED = 2; // as whole triangles

/**
 * The least gauge at which anything under one node touches anything under another, best first: what is at the head of
 * the queue bounds everything that is still in it. Each search begins anew, so what it finds depends on nothing but
 * the two nodes.
 */
export class PairSearch {
  /** Of the search that ended last: bounds of the gauge, and the slots that touch in the pose of gauge `upper`. */
  lower = 0;
  upper = Infinity;
  slotA = 0;
  slotB = 0;
  /** Searches that were ended because no more work is allowed: `lower` is then what is known by then. */
  givenUp = 0;
  readonly spread: NodeSpread;
  readonly #tree: SlotTree;
  readonly #problem: SearchProblem;
  readonly #pair: PairRadius;
  readonly #ignored: ReadonlySet<number>;
  readonly #heap = new MinHeap();
  #queue = new Uint32Array(3 * 1024); // two nodes and what is known
  #queued = 0;
  #open = new Uint32Array(1024); // entries of which nothing is known: before all others, in no order
  #openCount = 0;
  #limit = Infinity;
  #goal = 1; // share of an upper bound that will do
  #smallest = 0;
  #steps = 0; // of all searches
  #most = Infinity; // work in all before searches are given up
  readonly #way = new Float64Array(3);

  constructor(problem: SearchProblem) {
    const { tree, shapes, spread, kind, ignored } = problem;
    this.#problem = problem;
    this.#tree = tree;
    this.spread = new NodeSpread(spread, shapes, kind);
    this.#pair = new PairRadius(shapes, kind);
    this.#ignored = new Set(ignored);
  }

  /** Counts instead of times. */
  get evaluations(): number {
    return this.#pair.solver.evaluations;
  }

  /** Pairs of nodes that were looked at, and evaluations: what the work is counted in. */
  get work(): number {
    return this.#steps + this.evaluations;
  }

  /** Further work after which searches are given up. */
  allow(work: number): void {
    this.#most = this.work + work;
  }

  /** True when searches are given up, until more is allowed. */
  get isSpent(): boolean {
    return this.work >= this.#most;
  }

  /** Pairs of triangles that were not followed to the end. */
  get capped(): number {
    return this.#pair.capped;
  }

  /** Until `lower` is `least` times `upper`, or `limit`: what is above is of no interest. Or until work is spent. */
  search(a: number, b: number, limit: number, least: number): void {
    this.begin(a, b, limit, least);
    this.advance(Infinity);
  }

  /** To be advanced. `smallest`: pairs of nodes up to this size of which nothing is known are left out. */
  begin(a: number, b: number, limit: number, least: number, smallest = 0): void {
    this.#goal = least;
    this.#limit = limit;
    this.#smallest = smallest;
    this.#heap.clear();
    this.#queued = this.#openCount = 0;
    this.upper = Infinity;
    this.lower = limit;
    this.#push(a === b ? 0 : this.spread.bound(a, b), a, b, NODES);
  }

  /** At most so many steps; true when it is done. */
  advance(steps: number): boolean {
    const heap = this.#heap;
    for (let step = 0; step < steps; step++) {
      if (this.lower === 0) return true;
      if (this.isSpent) {
        this.#giveUp();
        return true;
      }
      this.#steps++;
      if (this.#openCount > 0) {
        this.#expand(this.#open[--this.#openCount], 0);
        continue;
      }
      const bound = heap.least;
      if (bound >= this.lower) return true;
      if (bound >= this.#goal * Math.min(this.upper, this.#limit)) {
        this.lower = bound;
        return true;
      }
      this.#expand(heap.pop(), bound);
    }
    return false;
  }

  /** What is at the head of the queue bounds all that is left. */
  #giveUp(): void {
    const bound = this.#openCount > 0 ? 0 : this.#heap.least;
    if (bound >= this.lower) return; // it is done
    this.lower = bound;
    this.givenUp++;
  }

  #expand(entry: number, bound: number): void {
    const { link } = this.#tree;
    const a = this.#queue[3 * entry],
      b = this.#queue[3 * entry + 1],
      known = this.#queue[3 * entry + 2];
    if (link[a] < LEAF || link[b] < LEAF) this.#divide(a, b, bound);
    else if (a !== b) this.#look(a, b, known, bound);
  }

  /** Counts looking at two nodes elsewhere. */
  count(): void {
    this.#steps++;
  }

  #divide(a: number, b: number, bound: number): void {
    const { link, slotCount } = this.#tree;
    if (a === b) {
      const child = link[a];
      this.#push(bound, child, child, NODES);
      this.#push(bound, child + 1, child + 1, NODES);
      this.#push(Math.max(bound, this.spread.bound(child, child + 1)), child, child + 1, NODES);
      return;
    }
    const opensA = slotCount[a] >= slotCount[b];
    for (let k = 0; k < 2; k++) {
      const m = opensA ? link[a] + k : a,
        n = opensA ? b : link[b] + k;
      this.#push(Math.max(bound, this.spread.bound(m, n)), m, n, NODES);
    }
  }

  /** Two triangles: the more is known, the more it takes to know better. */
  #look(a: number, b: number, known: number, bound: number): void {
    const s = this.#tree.firstSlot[a],
      t = this.#tree.firstSlot[b];
    const pair = this.#pair,
      limit = this.#limit;
    if (known === NODES) {
      if (this.#isLeftOut(s, t)) return;
      this.#setWay(s, t);
      this.spread.direct(a, b, this.#way);
      this.#push(Math.max(bound, pair.estimate(s, t, this.#way)), a, b, ESTIMATED);
      return;
    }
    pair.load(s, t);
    if (known === ESTIMATED) {
      if (pair.touchAtRest()) {
        this.lower = 0;
        this.#note(0, s, t);
        return;
      }
      pair.solveWhole(this.#goal * Math.min(this.upper, limit));
      this.#note(pair.upper, s, t);
      this.#push(Math.max(bound, pair.lower), a, b, SOLVED);
    } else {
      pair.search(Math.min(this.upper, limit), this.#goal);
      this.#note(pair.upper, s, t);
      this.lower = Math.min(this.lower, Math.max(bound, pair.lower));
    }
  }

  #note(upper: number, s: number, t: number): void {
    if (!(upper < this.upper)) return;
    this.upper = upper;
    this.slotA = s;
    this.slotB = t;
  }

  #push(bound: number, a: number, b: number, known: number): void {
    if (!(bound < this.lower)) return; // something else decides already
    if (bound === 0 && known === NODES && this.#slotCount(a, b) <= this.#smallest) return;
    if (3 * this.#queued === this.#queue.length) this.#queue = twice(this.#queue);
    const o = 3 * this.#queued;
    this.#queue[o] = a;
    this.#queue[o + 1] = b;
    this.#queue[o + 2] = known;
    const entry = this.#queued++;
    if (bound > 0 || known !== NODES) {
      this.#heap.push(bound, entry);
      return;
    }
    if (this.#openCount === this.#open.length) this.#open = twice(this.#open);
    this.#open[this.#openCount++] = entry;
  }

  #slotCount(a: number, b: number): number {
    const { slotCount } = this.#tree;
    return Math.max(slotCount[a], slotCount[b]);
  }

  /** Three times the way between the middles of two triangles. */
  #setWay(s: number, t: number): void {
    const { rest, corners } = this.#problem.shapes;
    this.#way.fill(0);
    for (let k = 0; k < 3; k++) {
      const i = 3 * corners[3 * s + k],
        j = 3 * corners[3 * t + k];
      for (let axis = 0; axis < 3; axis++) this.#way[axis] += rest[i + axis] - rest[j + axis];
    }
  }

  /** Neighbours, and what the caller leaves out. */
  #isLeftOut(s: number, t: number): boolean {
    const { corners } = this.#problem.shapes;
    if (areAdjacent(corners, 0, s, t)) return true;
    if (this.#ignored.size === 0) return false;
    return this.#ignored.has(Math.min(s, t) * (corners.length / 3) + Math.max(s, t));
  }
}

function twice(old: Uint32Array): Uint32Array<ArrayBuffer> {
  const array = new Uint32Array(2 * old.length);
  array.set(old);
  return array;
}
