import { ceil32, floor32 } from '../../algebra/rounding.ts';
import type { TaskKind } from '../../long-work/task-pool.ts';
import { triangleDistance, triangleDistanceLowerBound } from '../../narrow/triangle-distance.ts';
import { PairBuffer } from '../../report/pair-buffer.ts';
import { isLeaf, type Tree } from '../../tree/tree.ts';
import type { Cage } from '../types.ts';
import { PatchPaths } from './patch-paths.ts';
import { TetrahedronLinks } from './tetrahedron-links.ts';

/** What proofs about patches of a surface in a cage need: plain data. Patches are nodes of its tree. */
export interface CagePatches {
  readonly count: number;
  readonly node: Uint32Array; // children before parents
  readonly patchOfNode: Int32Array; // −1: none
  /** Upper bound of the longest way between corners of two triangles, over their distance; Infinity: no proof. */
  readonly kappa: Float32Array;
  /** Lower bound of the distance of two triangles of the patch that are no exception. */
  readonly least: Float32Array;
  /** The two halves, patches themselves; −1 for the smallest. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Tetrahedra of the smallest patches: start[k] … start[k + 1]. */
  readonly start: Uint32Array;
  readonly tetrahedra: Uint32Array;
  /** Two slots per pair that is always to be tested, the lower one first, sorted. */
  readonly exceptions: Uint32Array;
}

export interface PatchSizes {
  /** Patches have at most so many triangles. */
  readonly largest: number;
  /** Nodes with no more triangles are not divided further. */
  readonly smallest: number;
  /** Pairs with a longer way, over their distance, are exceptions. */
  readonly mostKappa: number;
}

/** What a worker prepares patches from. */
export interface CagePatchesInput {
  readonly cage: Cage;
  readonly tree: Tree;
  readonly sizes: PatchSizes;
}

export const CAGE_PATCHES_TASK: TaskKind<CagePatchesInput, CagePatches> = { name: 'cage-patches' };

/** Closer than this share of the longest side at rest, a pair is always tested. */
const TOUCHING = 1e-6;
/** A patch with more exceptions between its halves than this share of its triangles gets no proof. */
const EXCEPTION_SHARE = 1 / 4;
/** Distances are wrong by about 1e-12, ways by less. */
const DOWN = 1 - 2 ** -30;

/** Yields the share that is done, after every patch. */
export function* prepareCagePatches(
  cage: Cage,
  tree: Tree,
  sizes: PatchSizes,
): Generator<number, CagePatches> {
  return yield* new PatchMaker(cage, tree, sizes).run();
}

class PatchMaker {
  readonly #cage: Cage;
  readonly #tree: Tree;
  readonly #sizes: PatchSizes;
  readonly #paths: PatchPaths;
  readonly #links: TetrahedronLinks;
  readonly #nodes: number[] = [];
  readonly #patchOfNode: Int32Array;
  readonly #exceptions = new PairBuffer();
  readonly #rowOf: Int32Array; // per vertex of the surface, in the table of ways
  readonly #columnOf: Int32Array;
  readonly #witnesses = new Float64Array(6);
  #ways = new Float64Array(0);
  // Of the pairs of slots that were looked at last:
  #kappa = 0;
  #least = Infinity;

  constructor(cage: Cage, tree: Tree, sizes: PatchSizes) {
    this.#cage = cage;
    this.#tree = tree;
    this.#sizes = sizes;
    this.#paths = new PatchPaths(cage);
    this.#links = new TetrahedronLinks(cage);
    this.#patchOfNode = new Int32Array(tree.nodeCount).fill(-1);
    this.#rowOf = new Int32Array(cage.surface.vertexCount);
    this.#columnOf = new Int32Array(cage.surface.vertexCount);
    this.#listNodes();
  }

  /** From the largest patches down, then turned round: children first. */
  #listNodes(): void {
    const { link, slotCount, nodeCount } = this.#tree;
    const { largest, smallest } = this.#sizes;
    const isInside = new Uint8Array(nodeCount); // below a node that is not divided
    for (let node = 0; node < nodeCount; node++) {
      const isEnd = isInside[node] === 1 || isLeaf(this.#tree, node) || slotCount[node] <= smallest;
      if (!isLeaf(this.#tree, node)) isInside[link[node]] = isInside[link[node] + 1] = isEnd ? 1 : 0;
      if (isInside[node] === 0 && slotCount[node] <= largest) this.#nodes.push(node);
    }
    this.#nodes.reverse();
    this.#nodes.forEach((node, k) => {
      this.#patchOfNode[node] = k;
    });
  }

  *run(): Generator<number, CagePatches> {
    const { link, slotCount } = this.#tree;
    const nodes = this.#nodes,
      count = nodes.length;
    const kappa = new Float32Array(count),
      least = new Float32Array(count);
    const left = new Int32Array(count).fill(-1),
      right = new Int32Array(count).fill(-1),
      start = new Uint32Array(count + 1);
    const lists: number[] = [];
    const work = nodes.reduce((sum, node) => sum + slotCount[node] ** 2, 0);
    let done = 0;
    for (let k = 0; k < count; k++) {
      const node = nodes[k];
      const before = this.#exceptions.count;
      this.#kappa = 0;
      this.#least = Infinity;
      if (slotCount[node] <= this.#sizes.smallest || isLeaf(this.#tree, node)) {
        const own = this.#tetrahedraOf(node);
        lists.push(...own);
        this.#paths.load(own);
        this.#lookWithin(node);
      } else {
        left[k] = this.#patchOfNode[link[node]];
        right[k] = this.#patchOfNode[link[node] + 1];
        this.#kappa = Math.max(kappa[left[k]], kappa[right[k]]);
        this.#least = Math.min(least[left[k]], least[right[k]]);
        if (this.#kappa < Infinity) this.#lookBetween(node);
      }
      if (this.#exceptions.count - before > 2 + EXCEPTION_SHARE * slotCount[node]) this.#kappa = Infinity;
      if (this.#kappa === Infinity) this.#exceptions.count = before;
      start[k + 1] = lists.length;
      kappa[k] = ceil32(this.#kappa);
      least[k] = Math.max(0, floor32(Math.min(this.#least, 1e30)));
      done += slotCount[node] ** 2;
      yield done / work;
    }
    return {
      count,
      node: Uint32Array.from(nodes),
      patchOfNode: this.#patchOfNode,
      kappa,
      least,
      left,
      right,
      start,
      tetrahedra: Uint32Array.from(lists),
      exceptions: sortPairs(this.#exceptions),
    };
  }

  #lookWithin(node: number): void {
    const { firstSlot, slotCount } = this.#tree;
    const first = firstSlot[node],
      end = first + slotCount[node];
    const points = this.#pointsOf(first, end);
    this.#measure(points, points);
    for (let s = first; s < end; s++) for (let t = s + 1; t < end; t++) this.#look(s, t, points.length);
  }

  /** Ways may go through both halves. */
  #lookBetween(node: number): void {
    const { link, firstSlot, slotCount } = this.#tree;
    const a = link[node],
      b = a + 1;
    this.#paths.load(this.#tetrahedraOf(node));
    const rows = this.#pointsOf(firstSlot[a], firstSlot[a] + slotCount[a]);
    const columns = this.#pointsOf(firstSlot[b], firstSlot[b] + slotCount[b]);
    this.#measure(rows, columns);
    for (let s = firstSlot[a]; s < firstSlot[a] + slotCount[a]; s++) {
      for (let t = firstSlot[b]; t < firstSlot[b] + slotCount[b]; t++) this.#look(s, t, columns.length);
    }
  }

  #measure(rows: readonly number[], columns: readonly number[]): void {
    const size = rows.length * columns.length;
    if (this.#ways.length < size) this.#ways = new Float64Array(size);
    this.#paths.measure(rows, columns, this.#ways);
    for (let i = 0; i < rows.length; i++) this.#rowOf[rows[i]] = i;
    for (let j = 0; j < columns.length; j++) this.#columnOf[columns[j]] = j;
  }

  /** Two triangles: the longest way between corners over their distance. */
  #look(s: number, t: number, columns: number): void {
    const { triangles } = this.#cage.surface;
    const { points } = this.#paths;
    const i = 3 * this.#tree.order[s],
      j = 3 * this.#tree.order[t];
    let longest = 0;
    for (let k = i; k < i + 3; k++) {
      const row = columns * this.#rowOf[triangles[k]];
      for (let l = j; l < j + 3; l++) {
        if (triangles[k] === triangles[l]) return; // neighbours are never asked about
        longest = Math.max(longest, this.#ways[row + this.#columnOf[triangles[l]]]);
      }
    }
    const a = 3 * triangles[i],
      b = 3 * triangles[i + 1],
      c = 3 * triangles[i + 2];
    const d = 3 * triangles[j],
      e = 3 * triangles[j + 1],
      f = 3 * triangles[j + 2];
    const bound = triangleDistanceLowerBound(points, a, b, c, points, d, e, f) * DOWN;
    if (longest <= this.#kappa * bound) {
      this.#least = Math.min(this.#least, bound);
      return;
    }
    const gap = triangleDistance(points, a, b, c, points, d, e, f, this.#witnesses) * DOWN;
    if (longest === Infinity) this.#kappa = Infinity;
    else if (gap > TOUCHING && longest <= this.#sizes.mostKappa * gap) {
      this.#least = Math.min(this.#least, gap);
      this.#kappa = Math.max(this.#kappa, longest / (gap * DOWN));
    } else this.#exceptions.push(Math.min(s, t), Math.max(s, t));
  }

  /** Tetrahedra that hold corners of the node's triangles, and those on the way along its edges. */
  #tetrahedraOf(node: number): number[] {
    const { firstSlot, slotCount, order } = this.#tree;
    const { triangles } = this.#cage.surface;
    const { tetrahedron } = this.#cage.embedding;
    const all = new Set<number>();
    for (let s = firstSlot[node]; s < firstSlot[node] + slotCount[node]; s++) {
      for (let k = 0; k < 3; k++) {
        const a = tetrahedron[triangles[3 * order[s] + k]],
          b = tetrahedron[triangles[3 * order[s] + ((k + 1) % 3)]];
        all.add(a);
        this.#links.addBetween(a, b, all);
      }
    }
    return [...all].sort((p, q) => p - q);
  }

  #pointsOf(first: number, end: number): number[] {
    const { triangles } = this.#cage.surface;
    const points = new Set<number>();
    for (let s = first; s < end; s++) {
      const o = 3 * this.#tree.order[s];
      points
        .add(triangles[o])
        .add(triangles[o + 1])
        .add(triangles[o + 2]);
    }
    return [...points];
  }
}

function sortPairs({ data, count }: PairBuffer): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, k) => k).sort(
    (i, j) => data[2 * i] - data[2 * j] || data[2 * i + 1] - data[2 * j + 1],
  );
  return Uint32Array.from({ length: 2 * count }, (_, k) => data[2 * order[k >> 1] + (k & 1)]);
}
