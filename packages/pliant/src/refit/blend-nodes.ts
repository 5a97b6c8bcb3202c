import { ceil32, floor32 } from '../algebra/rounding.ts';
import type { BlendList } from '../deform/blend-data.ts';
import type { Handles } from '../deform/handles.ts';
import type { KernelMemory } from '../kernels/memory.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { countBoundedNodes } from './aabb-free.ts';
import {
  type BoxList,
  DIRECTION_COUNT,
  DIRECTIONS,
  growBySupports,
  HandleReader,
  ModeReader,
} from './blend-readers.ts';

/**
 * Nodes with fewer triangles than this give all handles their own table: what one of them moves is then hardly smaller
 * than what all do. From 4 to 64 the boxes of makehuman grow by 1.5 % and its tables shrink by 40 %.
 */
const LOCAL_NODE = 64;

/** Bytes of the records below; see kernels/side.ts. */
const NODE_BYTES = 32;
const ENTRY_BYTES = 16;
const TABLE_BYTES = 4 * DIRECTION_COUNT;
const MODE_BYTES = 28;

/**
 * What every node has to know of its points to be bounded under any pose (BOUNDS §2, §3): per handle that moves any
 * of them the smallest weight l, how much more it can be, cap = h − l, and a table of how far its points reach in
 * DIRECTIONS; in large nodes and where l = 0, only of those that it moves. Per mode, the box of the displacements. In
 * kernel memory, shared by all bodies of a mesh with the same weights.
 *
 * Numbers are float32. Tables are relative to the centre of the rest box; they and the boxes, centre and half size, are
 * rounded outward; l is rounded down and cap up. R = 1 − Σ l is what is left to distribute.
 */
export interface BlendNodes {
  readonly boundedNodes: number;
  readonly nodes: number; // addresses
  readonly entries: number;
  readonly tables: number;
  readonly modeEntries: number;
  readonly entryCount: number;
  readonly modeEntryCount: number;
  readonly mostEntries: number; // of one node
  /** True when weights do not add up to 1 somewhere: the handle after the last then stands for what is missing, at 0. */
  readonly hasPhantom: boolean;
  readonly centre: Float64Array; // of the rest box
  readonly reach: number; // largest offset from it
  readonly largestCoordinate: number;
  readonly largestDisplacement: Float64Array; // per mode
  /** The largest Σ|w| of a point, and the largest factor of rounding errors of a node. */
  readonly largestWeightSum: number;
  readonly largestFactor: number;
  readonly bytes: number;
}

export interface BlendNodeOptions {
  /** False gives every handle the box of all points of the node, as Steinemann et al. do. */
  readonly isTight: boolean;
}

/** Children first, each node from its two children; nodes with unbounded children from their points. */
export function prepareBlendNodes(
  memory: KernelMemory,
  mesh: ResidentMesh,
  skin: BlendList | undefined,
  modes: BlendList | undefined,
  handleCount: number,
  modeCount: number,
  { isTight }: BlendNodeOptions,
): BlendNodes {
  const { tree, rest, pointCount } = mesh; // `rest` may allocate, so before the views are read
  const boundedNodes = countBoundedNodes(mesh);
  const handles = new HandleReader(memory, mesh, skin, handleCount),
    displacements = new ModeReader(memory, mesh, modes);
  const entryStart = new Uint32Array(boundedNodes + 1),
    modeStart = new Uint32Array(boundedNodes + 1);
  const entryEnd = new Uint32Array(boundedNodes),
    modeEnd = new Uint32Array(boundedNodes);
  let mostEntries = 1;
  for (let node = boundedNodes - 1; node >= 0; node--) {
    const child = tree.link[node];
    const isMerge = child + 1 < boundedNodes;
    entryStart[node] = handles.list.length;
    modeStart[node] = displacements.list.length;
    if (isMerge) {
      handles.merge(entryStart[child], entryEnd[child], entryStart[child + 1], entryEnd[child + 1]);
      displacements.merge(modeStart[child], modeEnd[child], modeStart[child + 1], modeEnd[child + 1]);
    } else {
      handles.read(tree.firstSlot[node], tree.slotCount[node]);
      displacements.read(tree.firstSlot[node], tree.slotCount[node]);
    }
    entryEnd[node] = handles.list.length;
    modeEnd[node] = displacements.list.length;
    mostEntries = Math.max(mostEntries, entryEnd[node] - entryStart[node]);
  }
  const isLocal = (node: number, k: number) =>
    isTight && tree.slotCount[node] >= LOCAL_NODE && handles.low[k] === 0;
  let tableCount = boundedNodes;
  for (let node = 0; node < boundedNodes; node++)
    for (let k = entryStart[node]; k < entryEnd[node]; k++) if (isLocal(node, k)) tableCount++;
  const box = boxOf(memory.f64, rest >>> 3, pointCount);
  const centre = Float64Array.of((box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2);
  const [nodes, entries, tables, modeEntries] = memory.allocateAll(
    NODE_BYTES * boundedNodes,
    ENTRY_BYTES * handles.list.length,
    TABLE_BYTES * tableCount,
    MODE_BYTES * displacements.list.length + 4,
  );
  const writer = new NodeWriter(memory, { nodes, entries, tables, modeEntries }, centre);
  for (let node = 0; node < boundedNodes; node++) {
    writer.writeNode(tree.slotCount[node], node);
    const ownTable = writer.writeNodeTable(handles, entryStart[node], entryEnd[node], !isTight);
    writer.writeEntries(handles, entryStart[node], entryEnd[node], ownTable, (k) => isLocal(node, k));
    writer.writeModes(displacements.list, modeStart[node], modeEnd[node]);
    writer.finishNode(node);
  }
  return {
    boundedNodes,
    nodes,
    entries,
    tables,
    modeEntries,
    entryCount: handles.list.length,
    modeEntryCount: displacements.list.length,
    mostEntries,
    hasPhantom: handles.hasPhantom,
    centre,
    reach: reachOf(box, centre),
    largestCoordinate: Math.max(...box.map(Math.abs)),
    largestDisplacement: displacements.largest(modeCount),
    largestWeightSum: handles.largestWeightSum,
    largestFactor: writer.largestFactor,
    bytes:
      NODE_BYTES * boundedNodes +
      ENTRY_BYTES * handles.list.length +
      TABLE_BYTES * tableCount +
      MODE_BYTES * displacements.list.length,
  };
}

/** The nodes of a mesh with these handles, or with one handle for all points; made once for bodies that share the lists. */
export function shareBlendNodes(
  memory: KernelMemory,
  mesh: ResidentMesh,
  { lists, skinList, modeList, jointCount, modeCount }: Handles,
  isTight: boolean,
): BlendNodes {
  const owner = lists ?? mesh;
  const key = isTight ? 'tight nodes' : 'nodes';
  let part = owner.parts.get(key) as NodePart | undefined;
  if (part === undefined) {
    const nodes = prepareBlendNodes(memory, mesh, skinList, modeList, lists ? jointCount : 1, modeCount, {
      isTight,
    });
    part = { nodes, free: () => freeBlendNodes(memory, nodes) };
    owner.parts.set(key, part);
  }
  return part.nodes;
}

interface NodePart {
  readonly nodes: BlendNodes;
  free(): void;
}

export function freeBlendNodes(memory: KernelMemory, parts: BlendNodes): void {
  const { nodes, entries, tables, modeEntries } = parts;
  for (const address of [nodes, entries, tables, modeEntries]) memory.free(address);
}

function boxOf(f64: Float64Array, points: number, count: number): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let p = points; p < points + 3 * count; p += 3) {
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], f64[p + k]);
      box[3 + k] = Math.max(box[3 + k], f64[p + k]);
    }
  }
  return box;
}

function reachOf(box: readonly number[], centre: Float64Array): number {
  let reach = 0;
  for (let k = 0; k < 3; k++) reach = Math.max(reach, box[3 + k] - centre[k], centre[k] - box[k]);
  return reach * (1 + 2 ** -50);
}

/** Fills the records in kernel memory, one node after the other. */
class NodeWriter {
  largestFactor = 0;
  readonly #f32: Float32Array;
  readonly #u32: Uint32Array;
  readonly #nodes: number; // words
  readonly #centreReach: Float64Array;
  readonly #nodeTable = new Float64Array(DIRECTION_COUNT);
  readonly #tables: number;
  #tableCount = 0;
  #entry: number;
  #mode: number;
  readonly #firstEntry: number;
  readonly #firstMode: number;
  #rest = 0; // of the node being written: R, and Σ|l| + |R| + 2 Σ cap
  #weights = 0;

  constructor(
    { f32, u32 }: KernelMemory,
    at: Pick<BlendNodes, 'nodes' | 'entries' | 'tables' | 'modeEntries'>,
    centre: Float64Array,
  ) {
    this.#f32 = f32;
    this.#u32 = u32;
    this.#nodes = at.nodes >>> 2;
    this.#tables = at.tables >>> 2;
    this.#centreReach = Float64Array.from(
      DIRECTIONS,
      ([x, y, z]) => x * centre[0] + y * centre[1] + z * centre[2],
    );
    this.#firstEntry = this.#entry = at.entries >>> 2;
    this.#firstMode = this.#mode = at.modeEntries >>> 2;
  }

  writeNode(slotCount: number, node: number): void {
    const o = this.#nodes + (NODE_BYTES / 4) * node;
    this.#u32[o] = (this.#entry - this.#firstEntry) / (ENTRY_BYTES / 4);
    this.#u32[o + 2] = (this.#mode - this.#firstMode) / (MODE_BYTES / 4);
    this.#u32[o + 4] = slotCount;
    this.#u32[o + 7] = 0;
  }

  /** The table of all points of a node, or of the box around them. Returns how many bytes from the first it is. */
  writeNodeTable({ list }: HandleReader, from: number, to: number, isBox: boolean): number {
    const table = this.#nodeTable;
    table.fill(-Infinity);
    for (let k = from; k < to; k++) growBySupports(table, 0, list.data, DIRECTION_COUNT * k);
    if (isBox) boxSupports(table);
    return this.#writeTable(table, 0);
  }

  writeEntries(
    { list, low, high }: HandleReader,
    from: number,
    to: number,
    ownTable: number,
    isLocal: (k: number) => boolean,
  ): void {
    const f32 = this.#f32,
      u32 = this.#u32;
    let rest = 1,
      sizes = 0;
    for (let k = from; k < to; k++) {
      const l = floor32(low[k]),
        cap = ceil32(high[k] - l);
      f32[this.#entry] = l;
      f32[this.#entry + 1] = cap;
      u32[this.#entry + 2] = list.id[k];
      u32[this.#entry + 3] = isLocal(k) ? this.#writeTable(list.data, DIRECTION_COUNT * k) : ownTable;
      this.#entry += ENTRY_BYTES / 4;
      rest -= l;
      sizes += Math.abs(l) + 2 * cap;
    }
    this.#rest = Math.fround(rest);
    this.#weights = sizes + Math.abs(rest) + 1;
  }

  writeModes(list: BoxList, from: number, to: number): void {
    for (let k = from; k < to; k++) {
      this.#writeBox(list.data, 6 * k, this.#mode);
      this.#u32[this.#mode + 6] = list.id[k];
      this.#mode += MODE_BYTES / 4;
    }
  }

  /**
   * In float32, u = 2⁻²⁴, with n entries and m modes: a support is off by less than (m + 18) u of the largest image,
   * a sum of n of them, weighted, by n + 2 more; both relative to the sum of the weights. Taken twice.
   */
  finishNode(node: number): void {
    const o = this.#nodes + (NODE_BYTES / 4) * node;
    const entries = (this.#entry - this.#firstEntry) / (ENTRY_BYTES / 4) - this.#u32[o],
      modes = (this.#mode - this.#firstMode) / (MODE_BYTES / 4) - this.#u32[o + 2];
    this.#u32[o + 1] = entries;
    this.#u32[o + 3] = modes;
    this.#f32[o + 5] = this.#rest;
    this.#f32[o + 6] = ceil32(this.#weights * (entries + modes + 20) * 2 ** -23);
    this.largestFactor = Math.max(this.largestFactor, this.#weights);
  }

  /** Relative to the centre; what rounding in float64 loses here is in the margin of every pose. */
  #writeTable(table: Float64Array, from: number): number {
    const o = this.#tables + DIRECTION_COUNT * this.#tableCount;
    for (let i = 0; i < DIRECTION_COUNT; i++)
      this.#f32[o + i] = ceil32(table[from + i] - this.#centreReach[i]);
    return TABLE_BYTES * this.#tableCount++;
  }

  #writeBox(box: Float64Array, b: number, o: number): void {
    for (let k = 0; k < 3; k++) {
      const lo = box[b + k],
        hi = box[b + 3 + k];
      const c = Math.fround((lo + hi) / 2);
      this.#f32[o + k] = c;
      this.#f32[o + 3 + k] = ceil32(Math.max(hi - c, c - lo, 0) * (1 + 2 ** -50));
    }
  }
}

/** Makes a table that of the box around what it bounds. */
function boxSupports(table: Float64Array): void {
  const axes = DIRECTIONS.map(([x, y, z]) => Math.abs(x) + Math.abs(y) + Math.abs(z) === 1);
  const reach = (d: number, axis: number) =>
    d === 0 ? 0 : table[DIRECTIONS.findIndex((n, i) => axes[i] && n[axis] === d)];
  table.set(DIRECTIONS.map((n) => reach(n[0], 0) + reach(n[1], 1) + reach(n[2], 2)));
}
