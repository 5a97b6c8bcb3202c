import { LEAF } from '../kernels/kernels.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
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
}

/**
 * Depth first from the root, carrying the list of adjacent triangle pairs below the node pair at hand and
 * dealing it out to the children: O(pairs · depth), with no search. A child pair that is dealt nothing shares no
 * vertex and joins the front.
 */
export function buildStaticFront(tree: Tree, mesh: TriangleMesh): StaticFront {
  const builder = new FrontBuilder(tree, adjacentSlots(tree, mesh));
  builder.run();
  return builder.front();
}

class FrontBuilder {
  readonly #tree: Tree;
  #list: Uint32Array; // adjacent slot pairs, dealt in place
  #scratch: Uint32Array;
  readonly #inner: ListBuilder;
  readonly #leaf: ListBuilder;

  constructor(tree: Tree, list: Uint32Array) {
    this.#tree = tree;
    this.#list = list;
    this.#scratch = new Uint32Array(list.length);
    this.#inner = new ListBuilder(tree.nodeCount);
    this.#leaf = new ListBuilder(tree.nodeCount);
  }

  front(): StaticFront {
    return { inner: this.#inner.finish(), leaf: this.#leaf.finish() };
  }

  /** Below one node, in preorder with an explicit stack: a tree may be as deep as it has triangles. */
  run(): void {
    const { link, firstSlot } = this.#tree;
    const stack = [0, 0, this.#list.length]; // node, from, to; a complement marks the way back
    while (stack.length > 0) {
      const to = stack.pop()!,
        from = stack.pop()!,
        node = stack.pop()!;
      if (node < 0) {
        this.#inner.leave(~node);
        this.#leaf.leave(~node);
        continue;
      }
      this.#inner.enter(node);
      this.#leaf.enter(node);
      if (isLeaf(this.#tree, node)) continue;
      const left = link[node],
        right = left + 1;
      // Pairs inside the left child, inside the right one, and across: smaller slots are always left.
      const [both, across] = this.#dealSelf(from, to, firstSlot[right]);
      this.#cross(left, right, from + both, from + both + across);
      stack.push(~node, 0, 0);
      stack.push(right, from + both + across, to);
      stack.push(left, from, from + both);
    }
  }

  /** All front pairs between a and b, which are adjacent through the slot pairs [from, to) of the list. */
  #cross(a: number, b: number, from: number, to: number): void {
    const { link, firstSlot } = this.#tree;
    const stack = [a, b, from, to];
    while (stack.length > 0) {
      const end = stack.pop()!,
        begin = stack.pop()!,
        d = stack.pop()!,
        c = stack.pop()!;
      if (begin === end) {
        if (link[c] >= LEAF && link[d] >= LEAF) this.#leaf.add(c, d);
        else this.#inner.add(c, d);
        continue;
      }
      const leafC = link[c] >= LEAF,
        leafD = link[d] >= LEAF;
      if (leafC && leafD) continue; // they share a vertex: not a pair anyone asks about
      const splitC = leafC ? 0 : firstSlot[link[c] + 1],
        splitD = leafD ? 0 : firstSlot[link[d] + 1];
      const ends = this.#dealCross(begin, end, splitC, leafC, splitD, leafD);
      const c0 = leafC ? c : link[c],
        d0 = leafD ? d : link[d];
      if (!leafC && !leafD) {
        stack.push(c0 + 1, d0 + 1, ends[2], ends[3]);
        stack.push(c0 + 1, d0, ends[1], ends[2]);
        stack.push(c0, d0 + 1, ends[0], ends[1]);
        stack.push(c0, d0, begin, ends[0]);
      } else {
        stack.push(leafC ? c : c0 + 1, leafD ? d : d0 + 1, ends[0], ends[3]);
        stack.push(c0, d0, begin, ends[0]);
      }
    }
  }

  /** [inside left | across | inside right]; returns the first two lengths. */
  #dealSelf(from: number, to: number, split: number): [number, number] {
    const list = this.#list,
      scratch = this.#scratch;
    let left = from,
      across = 0,
      right = to;
    for (let k = from; k < to; k += 2) {
      const i = list[k],
        j = list[k + 1];
      if (j < split) {
        list[left] = i;
        list[left + 1] = j;
        left += 2;
      } else if (i < split) {
        scratch[across++] = i;
        scratch[across++] = j;
      } else {
        right -= 2;
        scratch[right] = i;
        scratch[right + 1] = j;
      }
    }
    // `across` grew from 0 and `right` fell from `to`; they cannot meet, since across + (to - right) <= to - from.
    list.set(scratch.subarray(0, across), left);
    list.set(scratch.subarray(right, to), right);
    return [left - from, across];
  }

  readonly #ends = [0, 0, 0, 0];

  /** Deals to (first, first), (first, second), (second, first), (second, second); returns where each ends. */
  #dealCross(
    from: number,
    to: number,
    splitC: number,
    leafC: boolean,
    splitD: number,
    leafD: boolean,
  ): number[] {
    const list = this.#list,
      scratch = this.#scratch,
      ends = this.#ends;
    let n0 = 0,
      n1 = 0,
      n2 = 0;
    for (let k = from; k < to; k += 2) {
      const upper = !leafC && list[k] >= splitC,
        outer = !leafD && list[k + 1] >= splitD;
      if (upper) {
        if (!outer) n2 += 2;
      } else if (outer) n1 += 2;
      else n0 += 2;
    }
    let o0 = from,
      o1 = from + n0,
      o2 = o1 + n1,
      o3 = o2 + n2;
    ends[0] = o1;
    ends[1] = o2;
    ends[2] = o3;
    ends[3] = to;
    for (let k = from; k < to; k += 2) {
      const i = list[k],
        j = list[k + 1];
      const upper = !leafC && i >= splitC,
        outer = !leafD && j >= splitD;
      const o = upper ? (outer ? o3 : o2) : outer ? o1 : o0;
      scratch[o] = i;
      scratch[o + 1] = j;
      if (upper) {
        if (outer) o3 += 2;
        else o2 += 2;
      } else if (outer) o1 += 2;
      else o0 += 2;
    }
    for (let k = from; k < to; k++) list[k] = scratch[k];
    return ends;
  }
}

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

/** Every pair of slots whose triangles share a vertex, the smaller slot first, each once. */
function adjacentSlots(tree: Tree, mesh: TriangleMesh): Uint32Array {
  const { order } = tree;
  const { triangles, adjacency } = mesh;
  const slotOf = new Uint32Array(order.length);
  for (let s = 0; s < order.length; s++) slotOf[order[s]] = s;
  const seen = new Int32Array(order.length).fill(-1);
  let list = new Uint32Array(16 * order.length);
  let length = 0;
  for (let slot = 0; slot < order.length; slot++) {
    const t = 3 * order[slot];
    for (let corner = 0; corner < 3; corner++) {
      const v = triangles[t + corner];
      for (let k = adjacency.start[v]; k < adjacency.start[v + 1]; k++) {
        const other = slotOf[adjacency.list[k]];
        if (other <= slot || seen[other] === slot) continue;
        seen[other] = slot;
        if (length === list.length) {
          const larger = new Uint32Array(2 * list.length);
          larger.set(list);
          list = larger;
        }
        list[length++] = slot;
        list[length++] = other;
      }
    }
  }
  return list.slice(0, length);
}
