import { type Kernels, LEAF } from '../../kernels/kernels.ts';
import { PairBuffer } from '../../report/pair-buffer.ts';
import type { ResidentFront } from '../../tree/resident-mesh.ts';
import { ROOT, type Tree } from '../../tree/tree.ts';
import type { EnergyData, Limits } from './energy-data.ts';
import { NONE } from './energy-patches.ts';

/*
 * What kernels/calm.ts works on. The header, 96 bytes, see HEADER below; an item, 128 bytes, in the order of the front:
 *   u32: patch, other patch or NONE, address and count of what they share, the next item that is not below this one,
 *     its range of the front (inner from, to, leaf from, to), the stamp from which on it is tried again, how often it
 *     has failed on end, 1 when it has exceptions
 *   f64: √ℰ, rounding of Lx per unit of length, rounding of LX, rounding of Grams, Gram of LX (xx, xy, xz, yy, yz, zz)
 * A patch, 20 bytes: its halves, address and count of what they share, the stamp of its Gram; of a small one NONE, the
 * address of its rows, how many there are, 0 and the stamp.
 */
const ITEM = 128;
const PATCH = 20;
const SLOT = 48; // Lx, LX
const HEADER = {
  items: 0,
  itemCount: 1,
  patches: 2,
  stamp: 3,
  near: 4,
  slots: 5,
  grams: 7,
  swept: 9,
  spare: 10,
  inner: 11,
  leaf: 12,
  cleared: 13,
  innerCount: 14,
  leafCount: 15,
  clearedCount: 16,
  tests: 17,
  reach: 18,
  totals: 20,
  points: 22,
} as const;
const HEADER_BYTES = 96;

/** Fewer pairs of the front are gone through faster than asked about. */
const LEAST_PAIRS = 96;
/** LX is kept as float32. */
const REST_ERROR = 2 ** -23;
/** For each row, of the sizes of what was added up. */
const GRAM_ERROR = 2 ** -50;

/** The patches of a certificate in kernel memory, and the energies of a pose. */
export class EnergyProgram {
  readonly itemCount: number;
  /** Per patch and per pair of patches: its item, or −1. */
  readonly itemOfPatch: Int32Array;
  readonly itemOfPair: Int32Array;
  /** Two nodes per item. */
  readonly nodes: Uint32Array;

  readonly #kernels: Kernels;
  readonly #pieces: number[] = [];
  readonly #header: number;
  readonly #items: number;
  readonly #rows: number;
  readonly #patchCount: number;
  readonly #slotCount: number;
  readonly #slots: [number, number];
  readonly #grams: [number, number];
  #bytes = 0;

  constructor(kernels: Kernels, tree: Tree, front: ResidentFront, data: EnergyData) {
    const { patches, pairs } = data;
    this.#kernels = kernels;
    this.#patchCount = patches.count;
    this.#slotCount = patches.slotCount;
    const list = listItems(tree, front, data);
    this.itemCount = list.length;
    this.itemOfPatch = new Int32Array(patches.count).fill(-1);
    this.itemOfPair = new Int32Array(pairs.count).fill(-1);
    list.forEach(({ patch, pair }, k) => {
      if (pair < 0) this.itemOfPatch[patch] = k;
      else this.itemOfPair[pair] = k;
    });
    this.nodes = Uint32Array.from(list.flatMap(({ nodes }) => nodes));

    const shared = this.#take(4 * patches.shared.length),
      pairShared = this.#take(4 * data.pairShared.length),
      table = this.#take(PATCH * patches.count);
    this.#rows = this.#take(patches.rows.byteLength);
    this.#items = this.#take(ITEM * list.length);
    this.#header = this.#take(HEADER_BYTES);
    this.#slots = [this.#take(SLOT * patches.slotCount), 0];
    this.#grams = [this.#take(128 * (patches.count + 1)), 0];
    const inner = this.#take(8 * (list.length + 2)),
      leaf = this.#take(8 * (list.length + 2)),
      cleared = this.#take(4 * (list.length + 1)),
      near = this.#take(24 * patches.rowCounts.reduce((most, count) => Math.max(most, count), 0));
    const { u8, u32, f64 } = kernels.memory; // nothing is allocated from here on
    u8.set(new Uint8Array(patches.rows), this.#rows);
    u32.set(patches.shared, shared >>> 2);
    u32.set(data.pairShared, pairShared >>> 2);
    for (let k = 0; k < patches.slotCount; k++) {
      f64.set(patches.restSlots.subarray(3 * k, 3 * k + 3), (this.#slots[0] >>> 3) + 6 * k + 3);
    }
    for (let k = 0; k < patches.count; k++) {
      const first = patches.sharedStart[k],
        count = patches.sharedStart[k + 1] - first;
      u32.set(
        k < patches.smallCount
          ? [NONE, this.#rows + patches.rowStart[k], patches.rowCounts[k], 0, 0]
          : [patches.left[k], patches.right[k], shared + 12 * first, count, 0],
        (table + PATCH * k) >>> 2,
      );
    }
    const left = new PairBuffer();
    list.forEach((item, k) => {
      left.clear();
      data.exceptions.list(item.nodes[0], item.nodes[1], left);
      writeItem(u32, f64, (this.#items + ITEM * k) >>> 2, item, data, pairShared, left.count > 0);
    });
    const h = this.#header >>> 2;
    u32.fill(0, h, h + (HEADER_BYTES >>> 2));
    u32[h + HEADER.items] = this.#items;
    u32[h + HEADER.itemCount] = list.length;
    u32[h + HEADER.patches] = table;
    u32[h + HEADER.near] = near;
    u32[h + HEADER.slots] = this.#slots[0];
    u32[h + HEADER.grams] = this.#grams[0];
    u32[h + HEADER.spare] = patches.count;
    u32[h + HEADER.inner] = inner;
    u32[h + HEADER.leaf] = leaf;
    u32[h + HEADER.cleared] = cleared;
    u32[h + HEADER.totals] = front.inner.list.pairCount;
    u32[h + HEADER.totals + 1] = front.leaf.list.pairCount;
  }

  /** Bytes of kernel memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Room for the end of a motion. */
  reserveMotion(): void {
    if (this.#grams[1] !== 0) return;
    this.#slots[1] = this.#take(SLOT * this.#slotCount);
    this.#grams[1] = this.#take(128 * (this.#patchCount + 1));
    const { u8, u32 } = this.#kernels.memory;
    u8.copyWithin(this.#slots[1], this.#slots[0], this.#slots[0] + SLOT * this.#slotCount); // X, which stays
    u32[(this.#header >>> 2) + HEADER.slots + 1] = this.#slots[1];
    u32[(this.#header >>> 2) + HEADER.grams + 1] = this.#grams[1];
  }

  /**
   * A new pose: energies are computed when they are asked for. `reach`: neighbours are never further apart. The same
   * points twice: no motion.
   */
  begin(stamp: number, start: number, end: number, reach: number): void {
    const { u32, f64 } = this.#kernels.memory;
    const h = this.#header >>> 2;
    u32[h + HEADER.stamp] = stamp;
    u32[h + HEADER.swept] = start === end ? 0 : 1;
    u32[h + HEADER.points] = start;
    u32[h + HEADER.points + 1] = end;
    f64[(h + HEADER.reach) >>> 1] = reach;
  }

  /** The box of points: lo.xyz, hi.xyz. `grow` keeps what it held. */
  measure(points: number, count: number, box: Float64Array, grow: boolean): void {
    const spare = this.#grams[0] + 128 * this.#patchCount; // no Gram is there between tests
    this.#kernels.pointBounds(points, count, spare);
    const { f64 } = this.#kernels.memory;
    for (let k = 0; k < 3; k++) {
      const low = f64[(spare >>> 3) + k],
        high = f64[(spare >>> 3) + 3 + k];
      box[k] = grow ? Math.min(box[k], low) : low;
      box[3 + k] = grow ? Math.max(box[3 + k], high) : high;
    }
  }

  /** Stamps begin again at 1. */
  forgetStamps(): void {
    const { u32 } = this.#kernels.memory;
    const table = u32[(this.#header >>> 2) + HEADER.patches] >>> 2;
    for (let k = 0; k < this.#patchCount; k++) u32[table + (PATCH >>> 2) * k + 4] = 0;
    for (let k = 0; k < this.itemCount; k++) u32[((this.#items + ITEM * k) >>> 2) + 9] = 0;
  }

  isCalm(item: number): boolean {
    return this.#kernels.testCalm(this.#header, this.#items + ITEM * item) === 1;
  }

  /** Fills the lists below. */
  list(): void {
    this.#kernels.listCalm(this.#header);
  }

  /** Of the last `list`: two numbers per range in memory.u32, from here on. */
  get innerRanges(): number {
    return this.#read(HEADER.inner) >>> 2;
  }

  get innerCount(): number {
    return this.#read(HEADER.innerCount);
  }

  get leafRanges(): number {
    return this.#read(HEADER.leaf) >>> 2;
  }

  get leafCount(): number {
    return this.#read(HEADER.leafCount);
  }

  /** The share of the pairs of the front that are in no range. */
  measureLeftOut(): number {
    const { u32 } = this.#kernels.memory;
    const h = this.#header >>> 2;
    const total = u32[h + HEADER.totals] + u32[h + HEADER.totals + 1];
    let left = total;
    const inner = this.innerRanges,
      leaf = this.leafRanges;
    for (let k = inner; k < inner + 2 * this.innerCount; k += 2) left -= u32[k + 1] - u32[k];
    for (let k = leaf; k < leaf + 2 * this.leafCount; k += 2) left -= u32[k + 1] - u32[k];
    return total === 0 ? 0 : left / total;
  }

  /** Items that were left out and have exceptions. */
  get cleared(): number {
    return this.#read(HEADER.cleared) >>> 2;
  }

  get clearedCount(): number {
    return this.#read(HEADER.clearedCount);
  }

  get tests(): number {
    return this.#read(HEADER.tests);
  }

  /** @internal For tests: proofs that reach further than they should. */
  scaleLimits(by: number): void {
    const { f64 } = this.#kernels.memory;
    for (let k = 0; k < this.itemCount; k++) f64[((this.#items + ITEM * k) >>> 3) + 6] *= by;
  }

  /** @internal The Gram of a patch in memory.f64, for tests. */
  gramOf(patch: number): number {
    return (this.#grams[0] >>> 3) + 16 * patch;
  }

  /** @internal The Gram of an item that has just been tested. */
  gramOfItem(item: number): number {
    const [patch, other] = this.patchesOf(item);
    return this.gramOf(other === undefined ? patch : this.#patchCount);
  }

  /** @internal One patch, or two. */
  patchesOf(item: number): number[] {
    const { u32 } = this.#kernels.memory;
    const o = (this.#items + ITEM * item) >>> 2;
    return [...u32.subarray(o, o + 2)].filter((patch) => patch !== NONE);
  }

  /** @internal √ℰ of an item. */
  limitOf(item: number): number {
    return this.#kernels.memory.f64[((this.#items + ITEM * item) >>> 3) + 6];
  }

  free(): void {
    for (const address of this.#pieces) this.#kernels.memory.free(address);
    this.#pieces.length = 0;
  }

  #read(field: number): number {
    return this.#kernels.memory.u32[(this.#header >>> 2) + field];
  }

  #take(bytes: number): number {
    const address = this.#kernels.memory.allocate(bytes);
    this.#pieces.push(address);
    this.#bytes += bytes;
    return address;
  }
}

interface Item {
  readonly nodes: readonly [number, number];
  readonly patch: number;
  readonly pair: number; // −1: the patch itself
  readonly range: readonly [number, number, number, number];
  next: number;
}

/** Everything with a proof, in the order of the front: a node, what lies between its children, and the children. */
function listItems(tree: Tree, { inner, leaf }: ResidentFront, data: EnergyData): Item[] {
  const { patches, pairs, self, between, jointPatch } = data;
  const items: Item[] = [];
  const stack = [ROOT]; // nodes; or the complement of an item that is done
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node < 0) {
      items[~node].next = items.length;
      continue;
    }
    const patch = patches.patchOfNode[node];
    const isSmall = patch >= 0 && patch < patches.smallCount;
    if (patch >= 0 && self.root[patch] > 0) {
      stack.push(~items.length);
      const range = [
        inner.list.start[node],
        inner.list.end[node],
        leaf.list.start[node],
        leaf.list.end[node],
      ] as const;
      items.push({ nodes: [node, node], patch, pair: -1, range, next: 0 });
    }
    if (isSmall || tree.link[node] >= LEAF) continue;
    stack.push(tree.link[node] + 1, tree.link[node]);
    const first = pairs.ofNode[node];
    if (first >= pairs.count) continue;
    const opened: number[] = []; // items of pairs, and up to where they go
    for (let k = first; k < pairs.next[first]; k++) {
      while (opened.length > 0 && opened[opened.length - 1] <= k) closeLast(items, opened);
      const [i0, i1, l0, l1] = pairs.range.subarray(4 * k, 4 * k + 4);
      if (!(between.root[k] > 0) || i1 - i0 + l1 - l0 < LEAST_PAIRS) continue;
      opened.push(items.length, pairs.next[k]);
      const joint = jointPatch[k];
      items.push({
        nodes: [pairs.a[k], pairs.b[k]],
        patch: joint >= 0 ? joint : patches.patchOfNode[pairs.a[k]],
        pair: k,
        range: [i0, i1, l0, l1],
        next: 0,
      });
    }
    while (opened.length > 0) closeLast(items, opened);
  }
  return items;
}

function closeLast(items: Item[], opened: number[]): void {
  opened.pop();
  items[opened.pop()!].next = items.length;
}

function writeItem(
  u32: Uint32Array,
  f64: Float64Array,
  o: number,
  item: Item,
  data: EnergyData,
  pairShared: number,
  hasExceptions: boolean,
): void {
  const { patches, self, between, jointPatch, pairSharedStart, pairs, rootUnit, restReach, mostNeighbours } =
    data;
  const { pair, patch, range, next } = item;
  const isJoin = pair >= 0 && jointPatch[pair] < 0;
  const first = isJoin ? pairSharedStart[pair] : 0;
  u32[o] = patch;
  u32[o + 1] = isJoin ? patches.patchOfNode[pairs.b[pair]] : NONE;
  u32[o + 2] = pairShared + 12 * first;
  u32[o + 3] = isJoin ? pairSharedStart[pair + 1] - first : 0;
  u32[o + 4] = next;
  u32.set(range, o + 5);
  u32[o + 9] = u32[o + 10] = 0;
  u32[o + 11] = hasExceptions ? 1 : 0;
  const limits: Limits = pair < 0 ? self : between;
  const k = pair < 0 ? patch : pair;
  const rounding = (mostNeighbours + 32) * 2 ** -52 * limits.norm[k];
  const f = (o >>> 1) + 6;
  f64[f] = limits.root[k] * rootUnit * (1 - 2 ** -50);
  f64[f + 1] = rounding;
  const { restGram } = limits;
  const size = Math.sqrt(restGram[6 * k] + restGram[6 * k + 3] + restGram[6 * k + 5]);
  f64[f + 2] = rounding * restReach + size * REST_ERROR;
  f64[f + 3] = (limits.rows[k] + 64) * GRAM_ERROR;
  for (let c = 0; c < 6; c++) f64[f + 4 + c] = limits.restGram[6 * k + c];
}
