import { floor32 } from '../../algebra/rounding.ts';
import { isLeaf, type Tree } from '../../tree/tree.ts';
import type { GaugeKind } from './gauge.ts';
import { MinHeap } from './min-heap.ts';
import { NodeSpread } from './node-spread.ts';
import { type ModeShapes, PairRadius, THICKNESS } from './pair-radius.ts';

/** Up to which gauge nothing under a node touches anything else there, and what each says about its two children. */
export interface NodeRadii {
  readonly lower: Float32Array; // per node, rounded down
  readonly upper: Float64Array; // some pose of this gauge does touch; Infinity when none was found
  readonly between: Float32Array; // per first child: the same for pairs between it and its sibling; 0 elsewhere
  readonly nearest: Uint32Array; // per node: the two slots that touch in the pose of gauge `upper`
  /** How far apart triangles are kept within these radii. */
  readonly thickness: number;
  readonly evaluations: number;
  /** Pairs of triangles that were not followed to the end: their part of `lower` is a bound, but not a close one. */
  readonly cappedPairs: number;
}

export interface RadiusOptions {
  readonly kind: GaugeKind;
  /** Gauges beyond are of no interest. */
  readonly reach: number;
  /** Part of the squared radius that may be given away. */
  readonly tolerance: number;
  /** Pairs of slots that are left out, as s · slots + t with s < t. */
  readonly ignored?: ReadonlySet<number>;
}

/** Stored radii are smaller by this: gauges are rounded, too. */
const DOWN = 1 - 1e-6;
/** Between siblings it is not worth knowing more than this times what holds inside them. */
const BEYOND = 8;

// What is known about a pair in the queue.
const NODES = 0; // their boxes
const ESTIMATED = 1;
const SOLVED = 2; // as whole triangles

/**
 * Branch and bound over the tree, children first (CERTIFICATES §1.2). Lower and upper bounds are carried separately:
 * what one level gives away is not given away again by the next.
 */
export class RadiusSearch {
  readonly #tree: Tree;
  readonly #shapes: ModeShapes;
  readonly #spread: NodeSpread;
  readonly #pair: PairRadius;
  readonly #options: RadiusOptions;
  readonly #least: number;
  readonly #heap = new MinHeap();
  #queue = new Uint32Array(3 * 1024); // two nodes and what is known
  #queued = 0;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #between: Float32Array;
  readonly #nearest: Uint32Array;
  // Of the search between two siblings.
  #ub = Infinity;
  #lb = 0;
  #slotA = 0;
  #slotB = 0;

  constructor(tree: Tree, shapes: ModeShapes, options: RadiusOptions) {
    this.#tree = tree;
    this.#shapes = shapes;
    this.#options = options;
    this.#least = Math.sqrt(1 - options.tolerance);
    this.#spread = new NodeSpread(tree, shapes, options.kind);
    this.#pair = new PairRadius(shapes, options.kind, options.tolerance);
    this.#lower = new Float64Array(tree.nodeCount).fill(Infinity);
    this.#upper = new Float64Array(tree.nodeCount).fill(Infinity);
    this.#between = new Float32Array(tree.nodeCount);
    this.#nearest = new Uint32Array(2 * tree.nodeCount);
  }

  /** One step per inner node, from the last one up to the root. */
  *run(): Generator<number, NodeRadii> {
    const { nodeCount, link } = this.#tree;
    const { reach } = this.#options;
    for (let node = nodeCount - 1; node >= 0; node--) {
      if (isLeaf(this.#tree, node)) continue;
      const child = link[node];
      const inside = Math.min(this.#lower[child], this.#lower[child + 1], reach);
      this.#searchBetween(child, child + 1, Math.min(reach, BEYOND * inside));
      this.#between[child] = floor32(this.#lb * DOWN);
      this.#lower[node] = Math.min(inside, this.#lb);
      this.#takeUpper(node, child);
      yield nodeCount - node;
    }
    return {
      lower: Float32Array.from(this.#lower, (radius) => floor32(radius * DOWN)),
      upper: this.#upper,
      between: this.#between,
      nearest: this.#nearest,
      thickness: THICKNESS * this.#shapes.largest,
      evaluations: this.#pair.solver.evaluations,
      cappedPairs: this.#pair.capped,
    };
  }

  #takeUpper(node: number, child: number): void {
    const nearest = this.#nearest;
    let from = -1,
      upper = this.#ub;
    for (const c of [child, child + 1]) {
      if (!(this.#upper[c] < upper)) continue;
      upper = this.#upper[c];
      from = c;
    }
    this.#upper[node] = upper;
    nearest[2 * node] = from < 0 ? this.#slotA : nearest[2 * from];
    nearest[2 * node + 1] = from < 0 ? this.#slotB : nearest[2 * from + 1];
  }

  /** Best first: what is at the head of the queue bounds everything that is still in it. */
  #searchBetween(a: number, b: number, limit: number): void {
    const heap = this.#heap;
    heap.clear();
    this.#queued = 0;
    this.#ub = Infinity;
    this.#lb = limit;
    this.#push(this.#spread.bound(a, b), a, b, NODES);
    while (heap.count > 0) {
      const bound = heap.least;
      if (bound >= this.#lb) return;
      if (bound >= this.#least * Math.min(this.#ub, limit)) {
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
    if (!isLeaf(tree, a) || !isLeaf(tree, b)) {
      const { link, slotCount } = tree;
      const opensA = slotCount[a] >= slotCount[b];
      for (let k = 0; k < 2; k++) {
        const m = opensA ? link[a] + k : a,
          n = opensA ? b : link[b] + k;
        this.#push(Math.max(bound, this.#spread.bound(m, n)), m, n, NODES);
      }
      return;
    }
    const s = tree.firstSlot[a],
      t = tree.firstSlot[b];
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
      pair.solveWhole(this.#least * Math.min(this.#ub, limit));
      this.#note(pair.upper, s, t);
      this.#push(Math.max(bound, pair.lower), a, b, SOLVED);
    } else {
      pair.search(Math.min(this.#ub, limit));
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
    const { ignored } = this.#options;
    if (ignored === undefined) return false;
    return ignored.has(Math.min(s, t) * (corners.length / 3) + Math.max(s, t));
  }
}
