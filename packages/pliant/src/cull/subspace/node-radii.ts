import { floor32 } from '../../algebra/rounding.ts';
import { isLeaf, ROOT, type Tree } from '../../tree/tree.ts';
import type { GaugeKind } from './gauge.ts';
import { MinHeap } from './min-heap.ts';
import { NodeSpread } from './node-spread.ts';
import { type ModeShapes, PairRadius, THICKNESS } from './pair-radius.ts';
import { type PairTree, PairTreeWriter } from './pair-tree.ts';

/** Up to which gauge nothing under a node touches anything else there, and what each says about its two children. */
export interface NodeRadii {
  readonly lower: Float32Array; // per node, rounded down
  readonly upper: Float64Array; // some pose of this gauge does touch; Infinity when none was found
  readonly between: Float32Array; // per first child: the same for pairs between it and its sibling; 0 elsewhere
  readonly nearest: Uint32Array; // per node: the two slots that touch in the pose of gauge `upper`
  /** The same for pairs of nodes, as far as they matter below `limit`. */
  readonly pairs: PairTree;
  /** From this gauge on nothing is known about what is not in `pairs`. */
  readonly limit: number;
  /** How far apart triangles are kept within these radii. */
  readonly thickness: number;
  readonly evaluations: number;
  /** Pairs of triangles that were not followed to the end: their part of `lower` is a bound, but not a close one. */
  readonly cappedPairs: number;
}

export interface RadiusOptions {
  readonly kind: GaugeKind;
  /** Gauges beyond are of no interest. Default: several times what the whole body has. */
  readonly reach: number | undefined;
  /** Part of the squared radius that may be given away. */
  readonly tolerance: number;
  /** Pairs of slots that are left out, as s · slots + t with s < t. */
  readonly ignored: readonly number[];
}

/** Stored radii are smaller by this: gauges are rounded, too. */
const DOWN = 1 - 1e-6;
/** How far beyond the radius of the whole body it is usually worth knowing more. */
const BEYOND = 4;
/** Radii of pairs of nodes need not be as close, but where they decide about a node. */
const COARSE = 0.75;
/** Pairs of nodes with at most so many triangles are not divided any further. */
const SMALL = 8;

// What is known about a pair in the queue.
const NODES = 0; // their boxes
const ESTIMATED = 1;
const SOLVED = 2; // as whole triangles

/**
 * Radii of nodes and of pairs of nodes (CERTIFICATES §1.2). Small pairs are searched best first, larger ones have the
 * least radius of their parts. Lower and upper bounds are carried separately: nothing is given away twice.
 */
export class RadiusSearch {
  readonly #tree: Tree;
  readonly #shapes: ModeShapes;
  readonly #spread: NodeSpread;
  readonly #pair: PairRadius;
  readonly #ignored: ReadonlySet<number>;
  readonly #least: number;
  readonly #heap = new MinHeap();
  #queue = new Uint32Array(3 * 1024); // two nodes and what is known
  #queued = 0;
  #reach: number;
  #cap = Infinity; // what is known of everything that is left out
  readonly #writer: PairTreeWriter;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #between: Float32Array;
  readonly #nearest: Uint32Array;
  #goal = 1; // share of an upper bound that will do
  readonly #candidates = new MinHeap();
  // Of the search that ended last.
  #ub = Infinity;
  #lb = 0;
  #slotA = 0;
  #slotB = 0;

  constructor(tree: Tree, shapes: ModeShapes, { kind, reach, tolerance, ignored }: RadiusOptions) {
    this.#tree = tree;
    this.#shapes = shapes;
    this.#ignored = new Set(ignored);
    this.#least = Math.sqrt(1 - tolerance);
    this.#reach = reach ?? Infinity;
    this.#spread = new NodeSpread(tree, shapes, kind);
    this.#pair = new PairRadius(shapes, kind);
    this.#writer = new PairTreeWriter(tree, ignored);
    this.#lower = new Float64Array(tree.nodeCount).fill(Infinity);
    this.#upper = new Float64Array(tree.nodeCount).fill(Infinity);
    this.#between = new Float32Array(tree.nodeCount);
    this.#nearest = new Uint32Array(2 * tree.nodeCount);
    if (reach === undefined) this.#chooseReach();
    this.#cap = this.#reach;
    this.#reach /= COARSE; // searches end when they have come so close
  }

  /** The radius of the whole body costs little; it tells which gauges matter. */
  #chooseReach(): void {
    this.#search(ROOT, ROOT, Infinity, this.#least);
    if (this.#lb > 0 && this.#lb < Infinity) this.#reach = BEYOND * this.#lb;
    else if (this.#lb === 0) this.#reach = this.#typicalRadius();
  }

  /** Where something touches in the centre already: of a part that does not. */
  #typicalRadius(): number {
    const { link } = this.#tree;
    for (let node = ROOT; !isLeaf(this.#tree, node); node = link[node]) {
      this.#search(node, node, Infinity, this.#least);
      if (this.#lb > 0 && this.#lb < Infinity) return BEYOND * this.#lb;
    }
    return Infinity;
  }

  /** One step per node with triangles to compare; yields how many of them are done. */
  *run(): Generator<number, NodeRadii> {
    const done = { count: 0 };
    yield* this.#buildSelf(ROOT, done);
    const limit = floor32(this.#cap * DOWN);
    return {
      lower: Float32Array.from(this.#lower, (radius) => floor32(radius * DOWN)),
      upper: this.#upper,
      between: this.#between,
      nearest: this.#nearest,
      pairs: this.#writer.finish(),
      limit,
      thickness: THICKNESS * this.#shapes.largest,
      evaluations: this.#pair.solver.evaluations,
      cappedPairs: this.#pair.capped,
    };
  }

  /** A node with itself: its children with themselves, and with each other. */
  *#buildSelf(node: number, done: { count: number }): Generator<number, void> {
    if (isLeaf(this.#tree, node)) return;
    const child = this.#tree.link[node];
    const place = this.#writer.open(node, node);
    yield* this.#buildSelf(child, done);
    yield* this.#buildSelf(child + 1, done);
    const inside = Math.min(this.#lower[child], this.#lower[child + 1]);
    this.#takeUpper(node, child);
    const first = this.#writer.count;
    this.#buildPair(child, child + 1);
    const across = this.#refine(first, inside, node);
    this.#between[child] = floor32(Math.min(across, this.#cap) * DOWN);
    this.#lower[node] = Math.min(inside, across, this.#cap);
    this.#writer.close(place, floor32(this.#lower[node] * DOWN), this.#lower[node] >= this.#cap);
    yield ++done.count;
  }

  /** A coarse radius between two nodes, `#cap` when it is not below. */
  #buildPair(a: number, b: number): number {
    if (this.#spread.bound(a, b) >= this.#cap) return this.#cap;
    const { link, slotCount } = this.#tree;
    const place = this.#writer.open(a, b);
    let radius: number;
    if (slotCount[a] <= SMALL && slotCount[b] <= SMALL) {
      this.#search(a, b, this.#reach, COARSE);
      radius = Math.min(this.#lb, this.#cap);
    } else if (slotCount[a] >= slotCount[b]) {
      radius = Math.min(this.#buildPair(link[a], b), this.#buildPair(link[a] + 1, b));
    } else radius = Math.min(this.#buildPair(a, link[b]), this.#buildPair(a, link[b] + 1));
    this.#writer.close(place, floor32(radius * DOWN), radius >= this.#cap);
    return radius;
  }

  /**
   * The least radius of all pairs written from `first` on, closely when it is below `enough`: those that may be the
   * least are searched once more. What touches first is noted for `node`.
   */
  #refine(first: number, enough: number, node: number): number {
    const writer = this.#writer,
      candidates = this.#candidates;
    candidates.clear();
    for (let k = first; k < writer.count; k++) if (writer.isSmall(k)) candidates.push(writer.radiusOf(k), k);
    let radius = this.#cap;
    while (
      candidates.least < Math.min(radius, enough) &&
      candidates.least < this.#least * this.#upper[node]
    ) {
      const k = candidates.pop();
      this.#search(writer.firstOf(k), writer.secondOf(k), this.#reach, this.#least);
      const found = Math.min(this.#lb, this.#cap);
      radius = Math.min(radius, found);
      writer.improve(k, floor32(found * DOWN));
      if (!(this.#ub < this.#upper[node])) continue;
      this.#upper[node] = this.#ub;
      this.#nearest[2 * node] = this.#slotA;
      this.#nearest[2 * node + 1] = this.#slotB;
    }
    return Math.min(radius, candidates.least);
  }

  /** From the children, before the pairs between them. */
  #takeUpper(node: number, child: number): void {
    const from = this.#upper[child] <= this.#upper[child + 1] ? child : child + 1;
    this.#upper[node] = this.#upper[from];
    this.#nearest[2 * node] = this.#nearest[2 * from];
    this.#nearest[2 * node + 1] = this.#nearest[2 * from + 1];
  }

  /** Best first: what is at the head of the queue bounds everything that is still in it. */
  #search(a: number, b: number, limit: number, least: number): void {
    const heap = this.#heap;
    this.#goal = least;
    heap.clear();
    this.#queued = 0;
    this.#ub = Infinity;
    this.#lb = limit;
    this.#push(a === b ? 0 : this.#spread.bound(a, b), a, b, NODES);
    while (heap.count > 0) {
      const bound = heap.least;
      if (bound >= this.#lb) return;
      if (bound >= least * Math.min(this.#ub, limit)) {
        this.#lb = bound;
        return;
      }
      this.#expand(heap.pop(), bound, limit);
    }
  }

  #expand(entry: number, bound: number, limit: number): void {
    const tree = this.#tree;
    const a = this.#queue[3 * entry],
      b = this.#queue[3 * entry + 1],
      known = this.#queue[3 * entry + 2];
    if (!isLeaf(tree, a) || !isLeaf(tree, b)) this.#divide(a, b, bound);
    else if (a !== b) this.#look(a, b, known, bound, limit);
  }

  #divide(a: number, b: number, bound: number): void {
    const { link, slotCount } = this.#tree;
    if (a === b) {
      const child = link[a];
      this.#push(bound, child, child, NODES);
      this.#push(bound, child + 1, child + 1, NODES);
      this.#push(Math.max(bound, this.#spread.bound(child, child + 1)), child, child + 1, NODES);
      return;
    }
    const opensA = slotCount[a] >= slotCount[b];
    for (let k = 0; k < 2; k++) {
      const m = opensA ? link[a] + k : a,
        n = opensA ? b : link[b] + k;
      this.#push(Math.max(bound, this.#spread.bound(m, n)), m, n, NODES);
    }
  }

  /** Two triangles: the more is known, the more it takes to know better. */
  #look(a: number, b: number, known: number, bound: number, limit: number): void {
    const s = this.#tree.firstSlot[a],
      t = this.#tree.firstSlot[b];
    if (known === NODES && this.#isLeftOut(s, t)) return;
    const pair = this.#pair;
    pair.load(s, t);
    if (known === NODES) {
      this.#push(Math.max(bound, pair.estimate()), a, b, ESTIMATED);
    } else if (known === ESTIMATED) {
      if (pair.touchAtRest()) {
        this.#lb = 0;
        this.#note(0, s, t);
        return;
      }
      pair.solveWhole(this.#goal * Math.min(this.#ub, limit));
      this.#note(pair.upper, s, t);
      this.#push(Math.max(bound, pair.lower), a, b, SOLVED);
    } else {
      pair.search(Math.min(this.#ub, limit), this.#goal);
      this.#note(pair.upper, s, t);
      this.#lb = Math.min(this.#lb, Math.max(bound, pair.lower));
    }
  }

  #note(upper: number, s: number, t: number): void {
    if (!(upper < this.#ub)) return;
    this.#ub = upper;
    this.#slotA = s;
    this.#slotB = t;
  }

  #push(bound: number, a: number, b: number, known: number): void {
    if (!(bound < this.#lb)) return; // something else decides already
    if (3 * this.#queued === this.#queue.length) {
      const larger = new Uint32Array(2 * this.#queue.length);
      larger.set(this.#queue);
      this.#queue = larger;
    }
    const o = 3 * this.#queued;
    this.#queue[o] = a;
    this.#queue[o + 1] = b;
    this.#queue[o + 2] = known;
    this.#heap.push(bound, this.#queued++);
  }

  /** Neighbours, and what the caller leaves out. */
  #isLeftOut(s: number, t: number): boolean {
    const { corners } = this.#shapes;
    for (let i = 3 * s; i < 3 * s + 3; i++) {
      for (let j = 3 * t; j < 3 * t + 3; j++) if (corners[i] === corners[j]) return true;
    }
    return this.#ignored.has(Math.min(s, t) * (corners.length / 3) + Math.max(s, t));
  }
}
