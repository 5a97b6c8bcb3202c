import { LEAF } from '../../kernels/kernels.ts';
import type { ResidentFront } from '../../tree/resident-mesh.ts';
import { ROOT, type Tree } from '../../tree/tree.ts';
import type { EnergyData } from './energy-data.ts';

/** Something with a proof: a patch, or what lies between two. */
export interface EnergyItem {
  readonly nodes: readonly [number, number];
  readonly patch: number; // −1: there is only an outline
  readonly pair: number; // −1: one node with itself
  readonly outline: number; // −1: none
  /** What it clears. */
  readonly firstSegment: number;
  endSegment: number;
  /** The next item that is not below it. */
  next: number;
}

/** A run of the static front that is left or cleared as a whole. */
export interface FrontSegment {
  /** Four numbers: from where to where in the list of inner pairs, and in that of leaf pairs. */
  readonly range: readonly number[];
  /** The same in `coarse`. */
  readonly coarse: readonly [number, number];
  /** Small patches whose boxes its range needs: two ranges of them. */
  readonly patches: readonly number[];
}

export interface EnergyList {
  /** In the order of the front: a node, what lies between its children, and the children. */
  readonly items: readonly EnergyItem[];
  readonly segments: readonly FrontSegment[];
  /** Pairs of the front whose nodes are small patches or above: two nodes each. */
  readonly coarse: readonly number[];
}

/**
 * Goes through the front once. Pairs that hang off large nodes are coarse; what hangs off two nodes of which one is
 * small, and what is inside a small node, is a segment of its own.
 */
export function listEnergyItems(
  tree: Tree,
  front: ResidentFront,
  u32: Uint32Array,
  data: EnergyData,
): EnergyList {
  const { patches, pairs, self, between, jointPatch, outlines } = data;
  const { inner, leaf } = front;
  const items: EnergyItem[] = [];
  const writer = new SegmentWriter(tree, front, u32, data);
  const open = (item: Pick<EnergyItem, 'nodes' | 'patch' | 'pair' | 'outline'>, range: readonly number[]) => {
    writer.passTo(range[0], range[2]);
    items.push({ ...item, firstSegment: writer.segments.length, endSegment: 0, next: 0 });
  };
  const close = (item: EnergyItem, range: readonly number[]) => {
    writer.passTo(range[1], range[3]);
    item.endSegment = writer.segments.length;
    item.next = items.length;
  };
  const rangeOf = (node: number) => [
    inner.list.start[node],
    inner.list.end[node],
    leaf.list.start[node],
    leaf.list.end[node],
  ];
  const stack = [ROOT]; // nodes; or the complement of an item that is done
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node < 0) {
      close(items[~node], rangeOf(items[~node].nodes[0]));
      continue;
    }
    const patch = patches.patchOfNode[node];
    const isSmall = patch >= 0 && patch < patches.smallCount;
    const outline = outlines.ofNode[node];
    const isProved = patch >= 0 && self.root[patch] > 0;
    if (isProved || outline >= 0) {
      stack.push(~items.length);
      open({ nodes: [node, node], patch: isProved ? patch : -1, pair: -1, outline }, rangeOf(node));
    }
    if (isSmall) writer.add(rangeOf(node), node, node);
    if (isSmall || tree.link[node] >= LEAF) continue;
    stack.push(tree.link[node] + 1, tree.link[node]);
    const first = pairs.ofNode[node];
    if (first >= pairs.count) continue;
    const opened: EnergyItem[] = [];
    const closeUpTo = (k: number) => {
      while (opened.length > 0 && pairs.next[opened[opened.length - 1].pair] <= k) {
        const item = opened.pop()!;
        close(item, pairs.range.subarray(4 * item.pair, 4 * item.pair + 4) as unknown as number[]);
      }
    };
    for (let k = first; k < pairs.next[first]; k++) {
      closeUpTo(k);
      const range = [...pairs.range.subarray(4 * k, 4 * k + 4)];
      if (range[0] === range[1] && range[2] === range[3]) continue;
      const a = pairs.a[k],
        b = pairs.b[k];
      const isProved = between.root[k] > 0,
        outline = outlines.ofPair[k];
      if (isProved || outline >= 0) {
        const joint = jointPatch[k] >= 0 ? jointPatch[k] : patches.patchOfNode[a];
        open({ nodes: [a, b], patch: isProved ? joint : -1, pair: k, outline }, range);
        opened.push(items[items.length - 1]);
      }
      if (pairs.next[k] === k + 1) writer.add(range, a, b);
    }
    closeUpTo(Infinity);
  }
  writer.passTo(inner.list.pairCount, leaf.list.pairCount);
  return { items, segments: writer.segments, coarse: writer.coarse };
}

class SegmentWriter {
  readonly segments: FrontSegment[] = [];
  readonly coarse: number[] = [];
  readonly #tree: Tree;
  readonly #front: ResidentFront;
  readonly #u32: Uint32Array;
  readonly #firstSlots: Uint32Array; // of small patches
  #inner = 0; // how much has been written
  #leaf = 0;

  constructor(tree: Tree, front: ResidentFront, u32: Uint32Array, { patches }: EnergyData) {
    this.#tree = tree;
    this.#front = front;
    this.#u32 = u32;
    this.#firstSlots = patches.node.subarray(0, patches.smallCount).map((node) => tree.firstSlot[node]);
  }

  /** What is before these places is coarse. */
  passTo(inner: number, leaf: number): void {
    const first = this.coarse.length / 2;
    this.#copy(this.#front.inner.address, this.#inner, inner);
    this.#copy(this.#front.leaf.address, this.#leaf, leaf);
    const end = this.coarse.length / 2;
    this.#inner = inner;
    this.#leaf = leaf;
    if (end > first) this.segments.push({ range: [0, 0, 0, 0], coarse: [first, end], patches: [0, 0, 0, 0] });
  }

  /** What is inside one node, or between two. */
  add(range: readonly number[], a: number, b: number): void {
    this.passTo(range[0], range[2]);
    if (range[0] < range[1] || range[2] < range[3]) {
      const other = a === b ? [0, 0] : this.#patchesBelow(b);
      this.segments.push({ range, coarse: [0, 0], patches: [...this.#patchesBelow(a), ...other] });
    }
    this.#inner = range[1];
    this.#leaf = range[3];
  }

  #copy(address: number, from: number, to: number): void {
    for (let k = 2 * from; k < 2 * to; k++) this.coarse.push(this.#u32[(address >>> 2) + k]);
  }

  #patchesBelow(node: number): [number, number] {
    const { firstSlot, slotCount } = this.#tree;
    return [this.#firstAt(firstSlot[node]), this.#firstAt(firstSlot[node] + slotCount[node])];
  }

  /** The first small patch that begins at this slot or later. */
  #firstAt(slot: number): number {
    let low = 0,
      high = this.#firstSlots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#firstSlots[middle] < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
