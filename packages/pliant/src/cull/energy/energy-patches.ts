import { LEAF } from '../../kernels/kernels.ts';
import { ROOT, type Tree } from '../../tree/tree.ts';
import type { Patch } from './patch.ts';
import { GRAIN, MOST, type SurfaceWeights } from './surface-weights.ts';

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
    const { slotCount, restSlots, rows, looseSquares, looseRest } = this.#writer;
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

/** A multiple of GRAIN up to this is a float32. */
const LARGEST_PART = GRAIN * 2 ** 23;

/** Of a row with so many neighbours: two entries each, enough for what the vertex itself has. */
function pairsOf(neighbours: number): number {
  const parts = Math.max(1, Math.ceil((MOST * neighbours) / LARGEST_PART));
  return (neighbours + parts + 1) >>> 1;
}

interface PlannedRow {
  readonly v: number;
  readonly pairs: number;
  readonly kind: number; // 0: of three patches or more, 1: of two, 2: of this one alone
  readonly around: number;
}

/** Writes rows, and hands out slots. */
class RowWriter {
  slotCount = 0;
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

  /** Rows that many patches have come first, then those of two, then closed ones; rows with as many entries together. */
  write(patch: Patch, first: number, count: number): OpenPoints {
    for (let slot = first; slot < first + count; slot++) this.#count(this.#around, slot, 1);
    const { points, vertexCount, start, size } = patch;
    const rows: PlannedRow[] = [];
    const list = this.#reserve(4 * vertexCount + 8);
    let most = 2;
    for (let v = 0; v < vertexCount; v++) {
      const point = points[v];
      list.setUint32(4 * v, 24 * point, true);
      const around = this.#around[point];
      this.#around[point] = 0;
      const isOpen = around < this.#total[point];
      const kind = !isOpen ? 2 : this.#patchesAt[point] > 2 ? 0 : 1;
      if (isOpen) most = Math.max(most, this.#patchesAt[point]);
      rows.push({ v, pairs: pairsOf(start[v + 1] - start[v]), kind, around });
    }
    list.setUint32(4 * vertexCount, this.slotCount, true);
    list.setFloat32(4 * vertexCount + 4, most, true);
    rows.sort((a, b) => a.pairs - b.pairs || a.v - b.v);
    const open: { point: number; slot: number; around: number }[] = [];
    let squares = 0;
    const rest = new Float64Array(6);
    for (let kind = 0; kind < 3; kind++) {
      const wanted = rows.filter((row) => row.kind === kind);
      const times = [most, 2, 1][kind];
      for (let k = 0; k < wanted.length; k++) {
        const { v, pairs, around } = wanted[k];
        if (k === 0 || pairs > wanted[k - 1].pairs) {
          const alike = wanted.filter((row) => row.pairs === pairs).length;
          this.#reserve(4).setUint32(0, (alike << 16) | pairs, true);
        }
        const [x, y, z] = this.#writeRow(patch, v, pairs);
        if (kind < 2) open.push({ point: points[v], slot: this.#newSlot(x, y, z), around });
        squares += times * (size[v] * this.#surface.scale[points[v]]) ** 2;
        [x * x, x * y, x * z, y * y, y * z, z * z].forEach((value, c) => {
          rest[c] += times * value;
        });
      }
      this.#reserve(4).setUint32(0, 0, true);
    }
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

  /** The vertex itself has what makes weights add up to 0, in parts that float32 holds exactly. */
  #writeRow(patch: Patch, v: number, pairs: number): [number, number, number] {
    const { start, neighbour, weight, points } = patch;
    const X = this.#laplacian(patch, v);
    const entries: [vertex: number, weight: number][] = [];
    let sum = 0;
    for (let e = start[v]; e < start[v + 1]; e++) {
      entries.push([neighbour[e], weight[e]]);
      sum += weight[e];
    }
    while (entries.length < 2 * pairs) {
      const part = Math.max(-LARGEST_PART, Math.min(LARGEST_PART, -sum));
      entries.push([v, part]);
      sum += part;
    }
    const view = this.#reserve(16 + 12 * pairs);
    for (let k = 0; k < 3; k++) view.setFloat32(4 * k, X[k], true);
    view.setFloat32(12, this.#surface.scale[points[v]], true);
    for (let k = 0; k < pairs; k++) {
      const o = 16 + 12 * k;
      view.setUint16(o, entries[2 * k][0], true);
      view.setUint16(o + 2, entries[2 * k + 1][0], true);
      view.setFloat32(o + 4, entries[2 * k][1], true);
      view.setFloat32(o + 8, entries[2 * k + 1][1], true);
    }
    return X;
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
