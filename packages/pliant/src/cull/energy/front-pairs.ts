import { LEAF } from '../../kernels/kernels.ts';
import type { CommonVertices } from '../../tree/common-vertices.ts';
import { ROOT, type Tree } from '../../tree/tree.ts';

/**
 * Pairs of nodes that share vertices, as the static front was made from them: the children of pair k are k + 1 to
 * next[k] − 1, each followed by its own. What lies below a pair is a range of both lists of the front; entries between
 * the ranges of its children are pairs that share no vertex.
 *
 * Pairs are opened until one of their nodes is small.
 */
export interface FrontPairs {
  readonly count: number;
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly next: Uint32Array;
  /** Four per pair: where its range begins and ends in the list of inner pairs, and in that of leaf pairs. */
  readonly range: Uint32Array;
  /** Per inner node: the pair of its two children; NONE when it has none. */
  readonly ofNode: Uint32Array;
}

export const NO_PAIR = 0xffffffff;

/** Goes through the front in its own order: its lists of pairs of nodes, see tree/static-front.ts, and nothing beyond. */
export function listFrontPairs(
  tree: Tree,
  common: CommonVertices,
  inner: Uint32Array,
  leaf: Uint32Array,
  small: number,
): FrontPairs {
  const { link, slotCount, nodeCount } = tree;
  const a: number[] = [],
    b: number[] = [],
    next: number[] = [],
    range: number[] = [];
  const ofNode = new Uint32Array(nodeCount).fill(NO_PAIR);
  let atInner = 0,
    atLeaf = 0;
  const walk = (first: number) => {
    const stack = [first, first + 1]; // two nodes; or the complement of a pair that is done
    while (stack.length > 0) {
      const d = stack.pop()!;
      if (d < 0) {
        next[~d] = a.length;
        range[4 * ~d + 1] = atInner / 2;
        range[4 * ~d + 3] = atLeaf / 2;
        continue;
      }
      const c = stack.pop()!;
      const isLeafC = link[c] >= LEAF,
        isLeafD = link[d] >= LEAF;
      if (isLeafC && isLeafD) {
        if (leaf[atLeaf] === c && leaf[atLeaf + 1] === d) atLeaf += 2;
        continue;
      }
      if (inner[atInner] === c && inner[atInner + 1] === d) {
        atInner += 2;
        continue;
      }
      if (common.isShared(c, d)) continue; // nothing of the front is between them
      // Below small nodes pairs are gone through, but not listed.
      if (!isBelow(c, d)) {
        stack.push(~a.length);
        range.push(atInner / 2, 0, atLeaf / 2, 0);
        a.push(c);
        b.push(d);
        next.push(0);
      }
      const c0 = isLeafC ? c : link[c],
        d0 = isLeafD ? d : link[d];
      if (!isLeafC && !isLeafD) stack.push(c0 + 1, d0 + 1, c0 + 1, d0, c0, d0 + 1);
      else stack.push(isLeafC ? c : c0 + 1, isLeafD ? d : d0 + 1);
      stack.push(c0, d0);
    }
  };
  const parent = new Int32Array(nodeCount).fill(-1);
  for (let node = 0; node < nodeCount; node++) {
    if (link[node] < LEAF) parent[link[node]] = parent[link[node] + 1] = node;
  }
  const isBelow = (c: number, d: number) =>
    (parent[c] >= 0 && slotCount[parent[c]] <= small) || (parent[d] >= 0 && slotCount[parent[d]] <= small);
  const nodes = [ROOT];
  while (nodes.length > 0) {
    const node = nodes.pop()!;
    if (link[node] >= LEAF) continue;
    if (slotCount[node] > small) ofNode[node] = a.length;
    const before = a.length;
    walk(link[node]);
    if (a.length === before) ofNode[node] = NO_PAIR;
    nodes.push(link[node] + 1, link[node]);
  }
  return {
    count: a.length,
    a: Uint32Array.from(a),
    b: Uint32Array.from(b),
    next: Uint32Array.from(next),
    range: Uint32Array.from(range),
    ofNode,
  };
}
