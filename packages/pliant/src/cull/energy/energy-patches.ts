import { LEAF } from '../../kernels/kernels.ts';
import { ROOT, type Tree } from '../../tree/tree.ts';
import type { Patch } from './patch.ts';
import { GRAIN, type SurfaceWeights } from './surface-weights.ts';

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
  readonly node: Uint32Array;
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
  /** Open points of each patch, ascending, and their slots. */
  readonly open: readonly OpenPoints[];
}

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

export function createEnergyPatches(
  tree: Tree,
  surface: SurfaceWeights,
  patch: Patch,
  sizes: PatchSizes,
): EnergyPatches {
  const { nodes, smallCount } = listPatches(tree, sizes);
  const patchOfNode = new Int32Array(tree.nodeCount).fill(-1);
  nodes.forEach((node, k) => {
    patchOfNode[node] = k;
  });
  const writer = new RowWriter(surface);
  const open: OpenPoints[] = [];
  const rowCounts = new Uint32Array(smallCount),
    rowStart = new Uint32Array(smallCount);
  for (let k = 0; k < smallCount; k++) {
    patch.load(tree.firstSlot[nodes[k]], tree.slotCount[nodes[k]]);
    rowCounts[k] = patch.vertexCount;
    rowStart[k] = writer.bytes;
    open.push(writer.write(patch, tree.firstSlot[nodes[k]], tree.slotCount[nodes[k]]));
  }
  const left = new Uint32Array(nodes.length),
    right = new Uint32Array(nodes.length),
    sharedStart = new Uint32Array(nodes.length + 1);
  const shared: number[] = [];
  for (let k = smallCount; k < nodes.length; k++) {
    const child = tree.link[nodes[k]];
    left[k] = patchOfNode[child];
    right[k] = patchOfNode[child + 1];
    sharedStart[k] = shared.length / 3;
    open.push(writer.join(open[left[k]], open[right[k]], shared));
  }
  sharedStart[nodes.length] = shared.length / 3;
  const { slotCount, restSlots, rows } = writer;
  return {
    count: nodes.length,
    smallCount,
    node: Uint32Array.from(nodes),
    patchOfNode,
    left,
    right,
    sharedStart,
    shared: Uint32Array.from(shared),
    slotCount,
    restSlots,
    rowCounts,
    rowStart,
    rows,
    open,
  };
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

/** Writes rows, and hands out slots. */
class RowWriter {
  slotCount = 0;
  readonly #surface: SurfaceWeights;
  readonly #total: Uint32Array; // triangles around each point
  readonly #around: Uint32Array;
  #bytes = 0;
  #buffer = new ArrayBuffer(1 << 16);
  #restSlots = new Float64Array(1 << 10);

  constructor(surface: SurfaceWeights) {
    this.#surface = surface;
    this.#total = new Uint32Array(surface.scale.length);
    this.#around = new Uint32Array(surface.scale.length);
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

  write(patch: Patch, first: number, count: number): OpenPoints {
    const { scale } = this.#surface;
    for (let slot = first; slot < first + count; slot++) this.#count(this.#around, slot, 1);
    const open: { point: number; slot: number; around: number }[] = [];
    const X = [0, 0, 0];
    const list = this.#reserve(4 * patch.vertexCount);
    for (let v = 0; v < patch.vertexCount; v++) list.setUint32(4 * v, 24 * patch.points[v], true);
    for (let v = 0; v < patch.vertexCount; v++) {
      const point = patch.points[v];
      const around = this.#around[point];
      this.#around[point] = 0;
      this.#laplacian(patch, v, X);
      let slot = NONE;
      if (around < this.#total[point]) {
        slot = this.#newSlot(X[0], X[1], X[2]);
        open.push({ point, slot, around });
      }
      this.#writeRow(patch, v, scale[point], slot, X);
    }
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

  /** As the kernels compute it. */
  #laplacian({ points, start, neighbour, weight }: Patch, v: number, out: number[]): void {
    const { rest, scale } = this.#surface;
    const o = 3 * points[v];
    out.fill(0);
    for (let e = start[v]; e < start[v + 1]; e++) {
      const q = 3 * points[neighbour[e]];
      for (let k = 0; k < 3; k++) out[k] += weight[e] * (rest[q + k] - rest[o + k]);
    }
    for (let k = 0; k < 3; k++) out[k] *= scale[points[v]];
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

  #writeRow({ start, neighbour, weight }: Patch, v: number, scale: number, slot: number, X: number[]): void {
    const count = start[v + 1] - start[v];
    const view = this.#reserve(24 + 4 * count);
    view.setUint32(0, count, true);
    view.setFloat32(4, scale, true);
    view.setUint32(8, slot, true);
    for (let k = 0; k < 3; k++) view.setFloat32(12 + 4 * k, X[k], true);
    for (let e = start[v], o = 24; e < start[v + 1]; e++, o += 4) {
      view.setUint16(o, neighbour[e], true);
      view.setInt16(o + 2, weight[e] / GRAIN, true);
    }
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
