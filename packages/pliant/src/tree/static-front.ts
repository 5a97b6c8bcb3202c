import { LEAF } from '../kernels/kernels.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { CommonVertices } from './common-vertices.ts';
import { SharedVertices } from './shared-vertices.ts';
import { isLeaf, type Tree } from './tree.ts';

/** Node pairs, contiguous per owner: an inner node n owns what lies between its two children. */
export interface FrontList {
  readonly pairCount: number;
  /** Two nodes each, the first under the owner's first child. */
  readonly pairs: Uint32Array;
  /** Those of n start at `start[n]`, those of its first child follow; all of n's and below end at `end[n]`. */
  readonly start: Uint32Array;
  readonly end: Uint32Array;
}

/**
 * Node pairs whose triangles share a vertex overlap in every pose, so walking through them every frame is
 * waste. The static front is what hangs off them: the node pairs that share no vertex while their parents do.
 * Together they cover every pair of triangles that share no vertex, each exactly once.
 *
 * Pairs of leaves are kept apart from the others, so that each list is tested without a branch. A proof for a
 * node skips its range in both.
 */
export interface StaticFront {
  readonly inner: FrontList;
  readonly leaf: FrontList;
  /** True: some inner pairs share a vertex, since the front would have become too long. Their leaf pairs may, too. */
  readonly isCoarse: boolean;
}

/** How long a front may become. */
export interface FrontLimits {
  /** Node pairs looked at per triangle, in all. Surfaces need 10 to 30. */
  readonly perTriangle: number;
  /** Node pairs looked at between the two children of a node, per triangle below it. */
  readonly perOwner: number;
  /** Node pairs that any node may look at, however few its triangles are. */
  readonly always: number;
}

const LIMITS: FrontLimits = { perTriangle: 64, perOwner: 32, always: 1024 };

/**
 * Depth first from the root, carrying the vertices that the node pair at hand shares and dealing them out to the
 * children. A child pair that is dealt nothing shares no vertex and joins the front; a pair whose triangles all have
 * one vertex in common holds nothing that anyone asks about and is left out as a whole. Where many triangles meet in
 * few vertices and are mixed in space the front can grow with the square of their number: beyond the limits, pairs
 * join it that still share a vertex.
 */
export function buildStaticFront(tree: Tree, mesh: TriangleMesh, limits: FrontLimits = LIMITS): StaticFront {
  const builder = new FrontBuilder(tree, mesh, limits);
  builder.run();
  return builder.front();
}

class FrontBuilder {
  readonly #tree: Tree;
  readonly #limits: FrontLimits;
  readonly #common: CommonVertices;
  readonly #shared: SharedVertices;
  readonly #inner: ListBuilder;
  readonly #leaf: ListBuilder;
  #left: number; // node pairs that may still be looked at
  #isCoarse = false;

  constructor(tree: Tree, mesh: TriangleMesh, limits: FrontLimits) {
    this.#tree = tree;
    this.#limits = limits;
    this.#common = new CommonVertices(tree, mesh);
    this.#shared = new SharedVertices(tree, mesh);
    this.#inner = new ListBuilder(tree.nodeCount);
    this.#leaf = new ListBuilder(tree.nodeCount);
    this.#left = limits.always + limits.perTriangle * tree.order.length;
  }

  front(): StaticFront {
    return { inner: this.#inner.finish(), leaf: this.#leaf.finish(), isCoarse: this.#isCoarse };
  }

  /** Below one node, in preorder with an explicit stack: a tree may be as deep as it has triangles. */
  run(): void {
    const { link, firstSlot, slotCount } = this.#tree;
    const shared = this.#shared;
    const stack = [0, shared.pushRoot()]; // node, how many vertices are within it; a complement marks the way back
    while (stack.length > 0) {
      const count = stack.pop()!,
        node = stack.pop()!;
      if (node < 0) {
        this.#inner.leave(~node);
        this.#leaf.leave(~node);
        continue;
      }
      this.#inner.enter(node);
      this.#leaf.enter(node);
      if (isLeaf(this.#tree, node)) {
        shared.pop(count);
        continue;
      }
      const left = link[node],
        right = left + 1;
      shared.splitNode(count, firstSlot[right]);
      const { within } = shared; // of the two children; they stay, the right one's below
      const [inLeft, inRight] = [within[0], within[1]];
      const { perOwner, always } = this.#limits;
      const most = Math.min(this.#left, always + perOwner * slotCount[node]);
      this.#left -= this.#cross(left, right, shared.acrossCount, most);
      stack.push(~node, 0);
      stack.push(right, inRight);
      stack.push(left, inLeft);
    }
  }

  /**
   * All front pairs between a and b, which share so many vertices. Looks at about `most` node pairs, or at none, and
   * returns at how many.
   */
  #cross(a: number, b: number, count: number, most: number): number {
    const { link, firstSlot } = this.#tree;
    const shared = this.#shared;
    const stack = [a, b, count];
    let looks = 0;
    while (stack.length > 0) {
      const n = stack.pop()!,
        d = stack.pop()!,
        c = stack.pop()!;
      looks++;
      const leafC = link[c] >= LEAF,
        leafD = link[d] >= LEAF;
      if (n === 0) {
        if (leafC && leafD) this.#leaf.add(c, d);
        else this.#inner.add(c, d);
        continue;
      }
      // All of them share a vertex: none is a pair that anyone asks about.
      if ((leafC && leafD) || this.#common.isShared(c, d)) {
        shared.popAcross(n);
        continue;
      }
      if (looks > most) {
        shared.popAcross(n);
        this.#inner.add(c, d);
        this.#isCoarse = true;
        continue;
      }
      const c0 = leafC ? c : link[c],
        d0 = leafD ? d : link[d];
      shared.splitPair(n, leafC ? ALL_BELOW : firstSlot[c0 + 1], leafD ? ALL_BELOW : firstSlot[d0 + 1]);
      const { dealt } = shared;
      if (!leafC && !leafD) stack.push(c0 + 1, d0 + 1, dealt[3], c0 + 1, d0, dealt[2], c0, d0 + 1, dealt[1]);
      else if (leafC) stack.push(c, d0 + 1, dealt[1]);
      else stack.push(c0 + 1, d, dealt[2]);
      stack.push(c0, d0, dealt[0]);
    }
    return looks;
  }
}

/** A leaf is not split: all of its slots are below this one. */
const ALL_BELOW = 0xffffffff;

class ListBuilder {
  #pairs = new Uint32Array(1 << 12);
  #length = 0;
  readonly #start: Uint32Array;
  readonly #end: Uint32Array;

  constructor(nodeCount: number) {
    this.#start = new Uint32Array(nodeCount);
    this.#end = new Uint32Array(nodeCount);
  }

  enter(node: number): void {
    this.#start[node] = this.#end[node] = this.#length >>> 1;
  }

  leave(node: number): void {
    this.#end[node] = this.#length >>> 1;
  }

  add(a: number, b: number): void {
    if (this.#length === this.#pairs.length) {
      const larger = new Uint32Array(2 * this.#pairs.length);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#length++] = a;
    this.#pairs[this.#length++] = b;
  }

  finish(): FrontList {
    const pairs = this.#pairs.slice(0, this.#length);
    return { pairCount: this.#length >>> 1, pairs, start: this.#start, end: this.#end };
  }
}
