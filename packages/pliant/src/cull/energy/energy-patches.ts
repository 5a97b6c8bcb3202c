import { LEAF } from '../../kernels/kernels.ts';
import { ROOT, type Tree } from '../../tree/tree.ts';
import type { Patch } from './patch.ts';
import type { SurfaceWeights } from './surface-weights.ts';

/** Stands for no slot. */
export const NONE = 0xffffffff;

/**
 * What energies of patches are summed from, see kernels/energy.ts. Patches are nodes: first the smallest ones, whose rows
 * are computed, in the order of their triangles; then those made of two others, which come before them.
 *
 * A point is open in a patch when other patches have triangles around it. Its row is then a part of a sum, kept in a
 * slot; two patches that have it share it.
 */
export interface EnergyPatches {
  readonly count: number;
  readonly smallCount: number;
  readonly node: Uint32Array; // of the first ones; others are made of several nodes
  readonly patchOfNode: Int32Array; // −1: none
  readonly left: Uint32Array; // of patches that are made of two
  readonly right: Uint32Array;
  readonly sharedStart: Uint32Array; // of patch k: sharedStart[k] … sharedStart[k + 1]
  readonly shared: Uint32Array; // three per shared point: two slots, and the slot of the sum
  readonly slotCount: number;
  readonly restSlots: Float64Array; // LX, three per slot
  readonly rowCounts: Uint32Array; // per small patch
  readonly mostRows: Uint32Array; // … of which so many are of one kind
  readonly rowStart: Uint32Array; // … and where they begin, in bytes
  readonly rows: ArrayBuffer;
  /** Per small patch, of its rows as often as loose Grams have them: Σ |L|², and the Gram of LX. */
  readonly looseSquares: Float64Array;
  readonly looseRest: Float64Array;
}

/** Open points of a patch, ascending, and their slots. */
export interface OpenPoints {
  readonly points: Uint32Array;
  readonly slots: Uint32Array;
  readonly around: Uint32Array; // how many triangles of the patch
}

export interface PatchSizes {
  /** Nodes with at most this many triangles are small, if their parents are not. */
  readonly small: number;
  /** Patches have at most this many. */
  readonly largest: number;
}

/** Nodes first, then whatever else is put together of patches. */
export class PatchBuilder {
  readonly smallCount: number;
  /** Of patches that are nodes; those of others are not here. */
  readonly nodes: readonly number[];
  readonly patchOfNode: Int32Array;
  /** Of all patches. */
  readonly open: OpenPoints[] = [];
  readonly #writer: RowWriter;
  readonly #rowCounts: Uint32Array;
  readonly #rowStart: Uint32Array;
  readonly #left: number[] = [];
  readonly #right: number[] = [];
  readonly #sharedStart: number[] = [];
  readonly #shared: number[] = [];

  constructor(tree: Tree, surface: SurfaceWeights, patch: Patch, sizes: PatchSizes) {
    const { nodes, smallCount } = listPatches(tree, sizes);
    this.nodes = nodes;
    this.smallCount = smallCount;
    this.patchOfNode = new Int32Array(tree.nodeCount).fill(-1);
    nodes.forEach((node, k) => {
      this.patchOfNode[node] = k;
    });
    this.#writer = new RowWriter(surface);
    for (let k = 0; k < smallCount; k++) {
      this.#writer.announce(k, tree.firstSlot[nodes[k]], tree.slotCount[nodes[k]]);
    }
    this.#rowCounts = new Uint32Array(smallCount);
    this.#rowStart = new Uint32Array(smallCount);
    for (let k = 0; k < smallCount; k++) {
      const first = tree.firstSlot[nodes[k]],
        count = tree.slotCount[nodes[k]];
      patch.load(first, count);
      this.#rowCounts[k] = patch.vertexCount;
      this.#rowStart[k] = this.#writer.bytes;
      this.#left.push(0);
      this.#right.push(0);
      this.#sharedStart.push(0);
      this.open.push(this.#writer.write(patch, first, count));
    }
    for (let k = smallCount; k < nodes.length; k++) {
      const child = tree.link[nodes[k]];
      this.unite(this.patchOfNode[child], this.patchOfNode[child + 1]);
    }
  }

  /** Two patches that have no triangle in common, as one. */
  unite(a: number, b: number): number {
    this.#left.push(a);
    this.#right.push(b);
    this.#sharedStart.push(this.#shared.length / 3);
    return this.open.push(this.#writer.join(this.open[a], this.open[b], this.#shared)) - 1;
  }

  finish(): EnergyPatches {
    const { slotCount, restSlots, rows, mostRows, looseSquares, looseRest } = this.#writer;
    return {
      count: this.open.length,
      smallCount: this.smallCount,
      node: Uint32Array.from(this.nodes),
      patchOfNode: this.patchOfNode,
      left: Uint32Array.from(this.#left),
      right: Uint32Array.from(this.#right),
      sharedStart: Uint32Array.from([...this.#sharedStart, this.#shared.length / 3]),
      shared: Uint32Array.from(this.#shared),
      slotCount,
      restSlots,
      rowCounts: this.#rowCounts,
      mostRows: Uint32Array.from(mostRows),
      rowStart: this.#rowStart,
      rows,
      looseSquares: Float64Array.from(looseSquares),
      looseRest: Float64Array.from(looseRest),
    };
  }
}

function listPatches({ link, slotCount, firstSlot }: Tree, { small, largest }: PatchSizes) {
  const smallOnes: number[] = [],
    others: number[] = [];
  const stack = [ROOT];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (slotCount[node] <= small || link[node] >= LEAF) {
      smallOnes.push(node);
      continue;
    }
    if (slotCount[node] <= largest) others.push(node);
    stack.push(link[node], link[node] + 1);
  }
  smallOnes.sort((m, n) => firstSlot[m] - firstSlot[n]);
  others.sort((m, n) => n - m); // children follow their parents in the tree
  return { nodes: [...smallOnes, ...others], smallCount: smallOnes.length };
}

/** Bytes of a point while energies are summed. */
export const NEAR = 32;
/** Small patches have no more triangles than this: numbers of their points, times NEAR, are 16 bits. */
export const MOST_SMALL = 512;

interface Edge {
  readonly a: number;
  readonly b: number;
  readonly weight: number;
}

/** Neighbours in the list have no end in common if that can be helped: each adds to the rows of its ends. */
const APART = 4;

/** Ends are places in `order`. */
function listEdges({ vertexCount, start, neighbour, weight }: Patch, order: readonly number[]): Edge[] {
  const place = new Uint32Array(vertexCount);
  order.forEach((v, k) => {
    place[v] = k;
  });
  const left: Edge[] = [];
  for (let v = 0; v < vertexCount; v++) {
    for (let e = start[v]; e < start[v + 1]; e++) {
      if (v < neighbour[e] && weight[e] !== 0)
        left.push({ a: place[v], b: place[neighbour[e]], weight: weight[e] });
    }
  }
  const lastAt = new Int32Array(vertexCount).fill(-APART);
  const edges: Edge[] = [];
  while (left.length > 0) {
    const isFree = ({ a, b }: Edge) => Math.max(lastAt[a], lastAt[b]) <= edges.length - APART;
    const [edge] = left.splice(Math.max(0, left.findIndex(isFree)), 1);
    lastAt[edge.a] = lastAt[edge.b] = edges.length;
    edges.push(edge);
  }
  return edges;
}

/** Writes rows, and hands out slots. */
class RowWriter {
  slotCount = 0;
  readonly mostRows: number[] = [];
  readonly looseSquares: number[] = [];
  readonly looseRest: number[] = [];
  readonly #surface: SurfaceWeights;
  readonly #total: Uint32Array; // triangles around each point
  readonly #around: Uint32Array;
  readonly #patchesAt: Uint32Array; // small patches around each point
  readonly #lastAt: Int32Array; // the last one that was counted
  #bytes = 0;
  #buffer = new ArrayBuffer(1 << 16);
  #restSlots = new Float64Array(1 << 10);

  constructor(surface: SurfaceWeights) {
    this.#surface = surface;
    this.#total = new Uint32Array(surface.scale.length);
    this.#around = new Uint32Array(surface.scale.length);
    this.#patchesAt = new Uint32Array(surface.scale.length);
    this.#lastAt = new Int32Array(surface.scale.length).fill(-1);
    for (let slot = 0; slot < surface.corners.length / 3; slot++) this.#count(this.#total, slot, 1);
  }

  /** How much has been written. */
  get bytes(): number {
    return this.#bytes;
  }

  get rows(): ArrayBuffer {
    return this.#buffer.slice(0, this.#bytes);
  }

  get restSlots(): Float64Array {
    return this.#restSlots.slice(0, 3 * this.slotCount);
  }

  /** Small patches are made known before any is written. */
  announce(patch: number, first: number, count: number): void {
    const { corners } = this.#surface;
    for (let c = 3 * first; c < 3 * (first + count); c++) {
      if (this.#lastAt[corners[c]] === patch) continue;
      this.#lastAt[corners[c]] = patch;
      this.#patchesAt[corners[c]]++;
    }
  }

  /** Points whose rows many patches have come first, then those of two, then closed ones. */
  write(patch: Patch, first: number, count: number): OpenPoints {
    for (let slot = first; slot < first + count; slot++) this.#count(this.#around, slot, 1);
    const { points, vertexCount, size } = patch;
    const kinds: [number[], number[], number[]] = [[], [], []];
    let most = 2;
    for (let v = 0; v < vertexCount; v++) {
      const point = points[v];
      const isOpen = this.#around[point] < this.#total[point];
      kinds[!isOpen ? 2 : this.#patchesAt[point] > 2 ? 0 : 1].push(v);
      if (isOpen) most = Math.max(most, this.#patchesAt[point]);
    }
    const order = kinds.flat();
    const edges = listEdges(patch, order);
    const head = this.#reserve(4 * vertexCount + 24);
    order.forEach((v, k) => {
      head.setUint32(4 * k, 24 * points[v], true);
    });
    head.setUint32(4 * vertexCount, this.slotCount, true);
    head.setFloat32(4 * vertexCount + 4, most, true);
    [...kinds.map(({ length }) => length), edges.length].forEach((length, k) => {
      head.setUint32(4 * vertexCount + 8 + 4 * k, length, true);
    });
    for (const { a, b, weight } of edges) {
      const view = this.#reserve(8);
      view.setUint16(0, NEAR * a, true);
      view.setUint16(2, NEAR * b, true);
      view.setFloat32(4, weight, true);
    }
    const open: { point: number; slot: number; around: number }[] = [];
    let squares = 0;
    const rest = new Float64Array(6);
    kinds.forEach((list, kind) => {
      const times = [most, 2, 1][kind];
      for (const v of list) {
        const point = points[v];
        const [x, y, z] = this.#laplacian(patch, v);
        const view = this.#reserve(16);
        [x, y, z, this.#surface.scale[point]].forEach((value, k) => {
          view.setFloat32(4 * k, value, true);
        });
        if (kind < 2) open.push({ point, slot: this.#newSlot(x, y, z), around: this.#around[point] });
        squares += times * (size[v] * this.#surface.scale[point]) ** 2;
        [x * x, x * y, x * z, y * y, y * z, z * z].forEach((value, c) => {
          rest[c] += times * value;
        });
      }
    });
    for (let v = 0; v < vertexCount; v++) this.#around[points[v]] = 0;
    this.mostRows.push(Math.max(...kinds.map(({ length }) => length)));
    this.looseSquares.push(squares);
    this.looseRest.push(...rest);
    open.sort((p, q) => p.point - q.point);
    return {
      points: Uint32Array.from(open, ({ point }) => point),
      slots: Uint32Array.from(open, ({ slot }) => slot),
      around: Uint32Array.from(open, ({ around }) => around),
    };
  }

  /** What two patches share goes to `shared`; points that are open in both together are returned. */
  join(a: OpenPoints, b: OpenPoints, shared: number[]): OpenPoints {
    const points: number[] = [],
      slots: number[] = [],
      around: number[] = [];
    const keep = (point: number, slot: number, count: number) => {
      points.push(point);
      slots.push(slot);
      around.push(count);
    };
    let i = 0,
      j = 0;
    while (i < a.points.length || j < b.points.length) {
      const p = i < a.points.length ? a.points[i] : Infinity,
        q = j < b.points.length ? b.points[j] : Infinity;
      if (p < q) {
        keep(p, a.slots[i], a.around[i]);
        i++;
      } else if (q < p) {
        keep(q, b.slots[j], b.around[j]);
        j++;
      } else {
        const s = 3 * a.slots[i],
          t = 3 * b.slots[j];
        const count = a.around[i] + b.around[j];
        let slot = NONE;
        if (count < this.#total[p]) {
          const old = this.#restSlots;
          slot = this.#newSlot(old[s] + old[t], old[s + 1] + old[t + 1], old[s + 2] + old[t + 2]);
          keep(p, slot, count);
        }
        shared.push(a.slots[i], b.slots[j], slot);
        i++;
        j++;
      }
    }
    return {
      points: Uint32Array.from(points),
      slots: Uint32Array.from(slots),
      around: Uint32Array.from(around),
    };
  }

  /** A triangle with a repeated corner counts once there. */
  #count(counts: Uint32Array, slot: number, by: number): void {
    const { corners } = this.#surface;
    const a = corners[3 * slot],
      b = corners[3 * slot + 1],
      c = corners[3 * slot + 2];
    counts[a] += by;
    if (b !== a) counts[b] += by;
    if (c !== a && c !== b) counts[c] += by;
  }

  /** At rest, in float64. */
  #laplacian({ points, start, neighbour, weight }: Patch, v: number): [number, number, number] {
    const { rest, scale } = this.#surface;
    const o = 3 * points[v];
    const out: [number, number, number] = [0, 0, 0];
    for (let e = start[v]; e < start[v + 1]; e++) {
      const q = 3 * points[neighbour[e]];
      for (let k = 0; k < 3; k++) out[k] += weight[e] * (rest[q + k] - rest[o + k]);
    }
    for (let k = 0; k < 3; k++) out[k] *= scale[points[v]];
    return out;
  }

  #newSlot(x: number, y: number, z: number): number {
    if (3 * this.slotCount + 3 > this.#restSlots.length) {
      const larger = new Float64Array(2 * this.#restSlots.length);
      larger.set(this.#restSlots);
      this.#restSlots = larger;
    }
    this.#restSlots.set([x, y, z], 3 * this.slotCount);
    return this.slotCount++;
  }

  /** The next bytes, to be written. */
  #reserve(bytes: number): DataView {
    if (this.#bytes + bytes > this.#buffer.byteLength) {
      const larger = new ArrayBuffer(2 * this.#buffer.byteLength + bytes);
      new Uint8Array(larger).set(new Uint8Array(this.#buffer));
      this.#buffer = larger;
    }
    this.#bytes += bytes;
    return new DataView(this.#buffer, this.#bytes - bytes, bytes);
  }
}
