import { floor32 } from '../../algebra/rounding.ts';
import { LEAF } from '../../kernels/kernels.ts';
import { ROOT } from '../../tree/tree.ts';
import { MinHeap } from './min-heap.ts';
import type { NodeSpread } from './node-spread.ts';
import type { PairSearch } from './pair-search.ts';
import { type PairList, PairTreeWriter } from './pair-tree.ts';
import type { SlotTree } from './radius-problem.ts';

/** Stored radii are smaller by this: gauges are rounded, too. */
export const DOWN = 1 - 1e-6;
/** Radii of pairs of nodes need not be as close, but where they decide about a node. */
const COARSE = 0.75;
/** Pairs of nodes with at most so many triangles are not divided any further. */
export const SMALL = 8;
/** Pairs of nodes with at most so many triangles together are done in one step. */
const ONE_STEP = 64;

/** Up to which gauge nothing under a node touches, per node. */
export interface Radii {
  readonly lower: Float64Array;
  readonly upper: Float64Array; // some pose of this gauge does touch; Infinity when none was found
  readonly between: Float32Array; // per first child: the same for pairs between it and its sibling; 0 elsewhere
  readonly nearest: Uint32Array; // the two slots that touch in the pose of gauge `upper`
}

export function createRadii(nodeCount: number): Radii {
  return {
    lower: new Float64Array(nodeCount).fill(Infinity),
    upper: new Float64Array(nodeCount).fill(Infinity),
    between: new Float32Array(nodeCount),
    nearest: new Uint32Array(2 * nodeCount),
  };
}

/** Triangles of a part. */
function slotsOf({ slotCount }: SlotTree, { a, b }: PartPlace): number {
  return a === b ? slotCount[a] : slotCount[a] + slotCount[b];
}

/** Some parts take several times as much work as their triangles would make one think; few do. */
const UNEVEN = 8;

/** The work that is allowed for each group of parts: known beforehand, so that they can be done in any order. */
export function shareOut(
  tree: SlotTree,
  groups: readonly (readonly PartPlace[])[],
  work: number,
): readonly number[] {
  const slots = groups.map((places) => places.reduce((sum, place) => sum + slotsOf(tree, place), 0));
  const total = slots.reduce((sum, count) => sum + count, 0);
  return slots.map((count) => Math.min(1, (UNEVEN * count) / total) * work);
}

/** A node with itself (a = b), or two nodes with each other. */
export interface PartPlace {
  readonly a: number;
  readonly b: number;
}

/** Nodes with at most so many triangles are one part, whatever the body; larger bodies have larger parts. */
const SMALLEST_PART = 256;
const MOST_NODES = 64;

export function partSizeOf({ slotCount }: SlotTree): number {
  return Math.max(SMALLEST_PART, Math.ceil(slotCount[ROOT] / MOST_NODES));
}

/** Nodes of moderate size with themselves, and pairs of such nodes that may touch below `cap`. */
export function listParts(tree: SlotTree, spread: NodeSpread, cap: number): PartPlace[] {
  const { link, slotCount } = tree;
  const size = partSizeOf(tree);
  const parts: PartPlace[] = [];
  const listPair = (a: number, b: number): void => {
    if (spread.bound(a, b) >= cap) return;
    if (slotCount[a] <= size && slotCount[b] <= size) {
      parts.push({ a, b });
      return;
    }
    const half = halvePair(tree, a, b);
    listPair(half.a, half.b);
    listPair(half.c, half.d);
  };
  const listSelf = (node: number): void => {
    if (slotCount[node] <= size) {
      parts.push({ a: node, b: node });
      return;
    }
    listSelf(link[node]);
    listSelf(link[node] + 1);
    listPair(link[node], link[node] + 1);
  };
  listSelf(ROOT);
  return parts;
}

/** The nodes that are parts by themselves, and those above them, children first. */
export function splitTree(tree: SlotTree): { roots: number[]; above: Uint32Array } {
  const { link, slotCount } = tree;
  const size = partSizeOf(tree);
  const roots: number[] = [],
    above: number[] = [];
  const visit = (node: number): void => {
    if (slotCount[node] <= size) {
      roots.push(node);
      return;
    }
    visit(link[node]);
    visit(link[node] + 1);
    above.push(node);
  };
  visit(ROOT);
  return { roots, above: Uint32Array.from(above) };
}

/** What a part of the work found. Nothing in it depends on other parts, so parts can be done anywhere, in any order. */
export interface RadiusPart {
  /** Between the two nodes; of a node with itself, its `lower`. */
  readonly radius: number;
  /** Of a node with itself: for all nodes under it, in the order of `nodesUnder`. Otherwise empty. */
  readonly radii: Radii;
  readonly pairs: PairList;
  readonly evaluations: number;
  readonly cappedPairs: number;
  readonly givenUp: number;
}

/** A node and all below it, each before what is under it, first children first. */
export function nodesUnder({ link, slotCount }: SlotTree, root: number): Uint32Array {
  const nodes = new Uint32Array(2 * slotCount[root] - 1); // one triangle per leaf
  const stack = [root];
  for (let k = 0; k < nodes.length; k++) {
    const node = stack.pop()!;
    nodes[k] = node;
    if (link[node] < LEAF) stack.push(link[node] + 1, link[node]);
  }
  return nodes;
}

/** The same, each after what is under it. */
export function childrenFirst(tree: SlotTree, root: number): Uint32Array {
  return nodesUnder(tree, root).reverse();
}

interface Halves {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** A pair of nodes becomes two when the larger one is opened: a with b, and c with d. */
export function halvePair({ link, slotCount }: SlotTree, a: number, b: number): Halves {
  return slotCount[a] >= slotCount[b]
    ? { a: link[a], b, c: link[a] + 1, d: b }
    : { a, b: link[b], c: a, d: link[b] + 1 };
}

/**
 * Radii of nodes and of pairs of nodes (CERTIFICATES §1.2). Small pairs are searched best first, larger ones have the
 * least radius of their parts. Lower and upper bounds are carried separately: nothing is given away twice.
 */
export class RadiusBuilder {
  readonly tree: SlotTree;
  readonly search: PairSearch;
  /** Gauges beyond are of no interest: what is known of everything that is left out. */
  readonly cap: number;
  /** Of all nodes; those under parts that were not built here are for the caller to fill in. */
  readonly radii: Radii;
  /** Where pairs are written. */
  writer = new PairTreeWriter();
  readonly #least: number;
  readonly #limit: number;
  readonly #candidates = new MinHeap();

  constructor(tree: SlotTree, search: PairSearch, cap: number, tolerance: number) {
    this.tree = tree;
    this.search = search;
    this.cap = cap;
    this.radii = createRadii(tree.nodeCount);
    this.#least = Math.sqrt(1 - tolerance);
    this.#limit = cap / COARSE; // searches end when they have come so close
  }

  /** One part, for `work` at most. Steps yield the share of it that is done, as far as one can tell. */
  *build({ a, b }: PartPlace, work: number): Generator<number, RadiusPart> {
    const { evaluations, capped, givenUp } = this.search;
    this.search.allow(work);
    this.writer = new PairTreeWriter();
    const nodes = a === b ? nodesUnder(this.tree, a) : new Uint32Array(0);
    const done = { count: 0, all: nodes.length / 2 };
    const radius = a === b ? yield* this.#buildSelf(a, done) : yield* this.#buildPairInSteps(a, b);
    return {
      radius,
      radii: gatherRadii(this.radii, nodes),
      pairs: this.writer.list(),
      evaluations: this.search.evaluations - evaluations,
      cappedPairs: this.search.capped - capped,
      givenUp: this.search.givenUp - givenUp,
    };
  }

  /** A node with itself: its children with themselves, and with each other. */
  *#buildSelf(node: number, done: { count: number; all: number }): Generator<number, number> {
    const child = this.tree.link[node];
    if (child >= LEAF) return Infinity;
    const place = this.writer.open(node, node);
    yield* this.#buildSelf(child, done);
    yield* this.#buildSelf(child + 1, done);
    const first = this.writer.count;
    this.#buildPair(child, child + 1);
    this.finishSelf(node, place, first);
    yield ++done.count / done.all;
    return this.radii.lower[node];
  }

  /** When all under a node is written. It was opened at `place`; pairs between its children stand from `first` on. */
  finishSelf(node: number, place: number, first: number): void {
    const { lower, between } = this.radii;
    const child = this.tree.link[node];
    const inside = Math.min(lower[child], lower[child + 1]);
    this.#takeUpper(node, child);
    const across = this.#refine(first, inside, node);
    between[child] = floor32(Math.min(across, this.cap) * DOWN);
    lower[node] = Math.min(inside, across, this.cap);
    this.closePair(place, lower[node]);
  }

  closePair(place: number, radius: number): void {
    this.writer.close(place, floor32(radius * DOWN), radius >= this.cap);
  }

  /** A coarse radius between two nodes, `cap` when it is not below. */
  #buildPair(a: number, b: number): number {
    if (this.search.spread.bound(a, b) >= this.cap) return this.cap;
    const { slotCount } = this.tree;
    const place = this.writer.open(a, b);
    let radius: number;
    this.search.count();
    if (this.search.isSpent || (slotCount[a] <= SMALL && slotCount[b] <= SMALL)) {
      this.search.search(a, b, this.#limit, COARSE);
      radius = Math.min(this.search.lower, this.cap);
    } else {
      const half = halvePair(this.tree, a, b);
      radius = Math.min(this.#buildPair(half.a, half.b), this.#buildPair(half.c, half.d));
    }
    this.closePair(place, radius);
    return radius;
  }

  *#buildPairInSteps(a: number, b: number): Generator<number, number> {
    const { slotCount } = this.tree;
    if (slotCount[a] + slotCount[b] <= ONE_STEP || this.search.isSpent) return this.#buildPair(a, b);
    if (this.search.spread.bound(a, b) >= this.cap) return this.cap;
    const place = this.writer.open(a, b);
    const half = halvePair(this.tree, a, b);
    yield 0;
    const first = yield* this.#buildPairInSteps(half.a, half.b);
    const radius = Math.min(first, yield* this.#buildPairInSteps(half.c, half.d));
    this.closePair(place, radius);
    return radius;
  }

  /**
   * The least radius of all pairs written from `first` on, closely when it is below `enough`: those that may be the
   * least are searched once more. What touches first is noted for `node`.
   */
  #refine(first: number, enough: number, node: number): number {
    const { upper, nearest } = this.radii;
    const { writer, search } = this;
    const candidates = this.#candidates;
    candidates.clear();
    for (let k = first; k < writer.count; k++) if (writer.isSmall(k)) candidates.push(writer.radiusOf(k), k);
    let radius = this.cap;
    while (candidates.least < Math.min(radius, enough) && candidates.least < this.#least * upper[node]) {
      if (search.isSpent) break; // what is known of each stands
      const k = candidates.pop();
      search.search(writer.firstOf(k), writer.secondOf(k), this.#limit, this.#least);
      const found = Math.min(search.lower, this.cap);
      radius = Math.min(radius, found);
      writer.improve(k, floor32(found * DOWN));
      if (!(search.upper < upper[node])) continue;
      upper[node] = search.upper;
      nearest[2 * node] = search.slotA;
      nearest[2 * node + 1] = search.slotB;
    }
    return Math.min(radius, candidates.least);
  }

  /** From the children, before the pairs between them. */
  #takeUpper(node: number, child: number): void {
    const { upper, nearest } = this.radii;
    const from = upper[child] <= upper[child + 1] ? child : child + 1;
    upper[node] = upper[from];
    nearest[2 * node] = nearest[2 * from];
    nearest[2 * node + 1] = nearest[2 * from + 1];
  }
}

function gatherRadii({ lower, upper, between, nearest }: Radii, nodes: Uint32Array): Radii {
  const some = createRadii(nodes.length);
  nodes.forEach((node, k) => {
    some.lower[k] = lower[node];
    some.upper[k] = upper[node];
    some.between[k] = between[node];
    some.nearest[2 * k] = nearest[2 * node];
    some.nearest[2 * k + 1] = nearest[2 * node + 1];
  });
  return some;
}

/** The other way round. */
export function scatterRadii(to: Radii, { lower, upper, between, nearest }: Radii, nodes: Uint32Array): void {
  nodes.forEach((node, k) => {
    to.lower[node] = lower[k];
    to.upper[node] = upper[k];
    to.between[node] = between[k];
    to.nearest[2 * node] = nearest[2 * k];
    to.nearest[2 * node + 1] = nearest[2 * k + 1];
  });
}
