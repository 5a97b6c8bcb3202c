import { ceil32, floor32 } from '../algebra/rounding.ts';
import type { BlendDeformer } from '../deform/blend.ts';
import type { BlendList } from '../deform/blend-data.ts';
import type { KernelMemory } from '../kernels/memory.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { countBoundedNodes, setEmpty } from './aabb-free.ts';
import { type BoxList, HandleReader, ModeReader } from './blend-readers.ts';

/** Bytes of the records below; see kernels/on-demand.ts. */
const NODE_BYTES = 32;
const ENTRY_BYTES = 36;
const MODE_BYTES = 28;

/**
 * What every node has to know of its points to be bounded under any pose (BOUNDS §2, §3): per handle that moves any
 * of them the smallest weight l, how much more it can be, cap = h − l, and the box of its points; where l = 0, only
 * of those that it moves. Per mode, the box of the displacements. In kernel memory, shared by all bodies of a mesh
 * with the same weights.
 *
 * Numbers are float32. Boxes are centre and half size, relative to the centre of the rest box, rounded outward; l is
 * rounded down and cap up. R = 1 − Σ l is what is left to distribute.
 */
export interface BlendNodes {
  readonly boundedNodes: number;
  readonly nodes: number; // addresses
  readonly entries: number;
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
  readonly localBoxes: boolean;
}

/** Children first, each node from its two children; nodes with unbounded children from their points. */
export function prepareBlendNodes(
  memory: KernelMemory,
  mesh: ResidentMesh,
  skin: BlendList | undefined,
  modes: BlendList | undefined,
  handleCount: number,
  modeCount: number,
  { localBoxes }: BlendNodeOptions,
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
  const box = boxOf(memory.f64, rest >>> 3, pointCount);
  const centre = Float64Array.of((box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2);
  const nodes = memory.allocate(NODE_BYTES * boundedNodes),
    entries = memory.allocate(ENTRY_BYTES * handles.list.length),
    modeEntries = memory.allocate(MODE_BYTES * displacements.list.length + 4);
  const writer = new NodeWriter(memory, nodes, entries, modeEntries, centre);
  for (let node = 0; node < boundedNodes; node++) {
    writer.writeNode(tree.slotCount[node], node);
    writer.writeEntries(handles, entryStart[node], entryEnd[node], localBoxes);
    writer.writeModes(displacements.list, modeStart[node], modeEnd[node]);
    writer.finishNode(node);
  }
  return {
    boundedNodes,
    nodes,
    entries,
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
      NODE_BYTES * boundedNodes + ENTRY_BYTES * handles.list.length + MODE_BYTES * displacements.list.length,
  };
}

/** Those of a deformer, or of one handle for all points; made once for all bodies that share the lists. */
export function shareBlendNodes(
  memory: KernelMemory,
  mesh: ResidentMesh,
  blend: BlendDeformer | undefined,
  localBoxes: boolean,
): BlendNodes {
  const owner = blend?.lists ?? mesh;
  const key = localBoxes ? 'nodes with local boxes' : 'nodes';
  let part = owner.parts.get(key) as NodePart | undefined;
  if (part === undefined) {
    const nodes = prepareBlendNodes(
      memory,
      mesh,
      blend?.skinList,
      blend?.modeList,
      blend?.jointCount ?? 1,
      blend?.modeCount ?? 0,
      { localBoxes },
    );
    part = { nodes, free: () => freeBlendNodes(memory, nodes) };
    owner.parts.set(key, part);
  }
  return part.nodes;
}

interface NodePart {
  readonly nodes: BlendNodes;
  free(): void;
}

export function freeBlendNodes(memory: KernelMemory, { nodes, entries, modeEntries }: BlendNodes): void {
  for (const address of [nodes, entries, modeEntries]) memory.free(address);
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
  readonly #centre: Float64Array;
  readonly #nodeBox = new Float64Array(6);
  #entry: number;
  #mode: number;
  readonly #firstEntry: number;
  readonly #firstMode: number;
  #rest = 0; // of the node being written: R, and Σ|l| + |R| + 2 Σ cap
  #weights = 0;

  constructor(
    memory: KernelMemory,
    nodes: number,
    entries: number,
    modeEntries: number,
    centre: Float64Array,
  ) {
    this.#f32 = memory.f32;
    this.#u32 = memory.u32;
    this.#nodes = nodes >>> 2;
    this.#centre = centre;
    this.#firstEntry = this.#entry = entries >>> 2;
    this.#firstMode = this.#mode = modeEntries >>> 2;
  }

  writeNode(slotCount: number, node: number): void {
    const o = this.#nodes + (NODE_BYTES / 4) * node;
    this.#u32[o] = (this.#entry - this.#firstEntry) / (ENTRY_BYTES / 4);
    this.#u32[o + 2] = (this.#mode - this.#firstMode) / (MODE_BYTES / 4);
    this.#u32[o + 4] = slotCount;
    this.#u32[o + 7] = 0;
  }

  writeEntries({ list, low, high }: HandleReader, from: number, to: number, local: boolean): void {
    const f32 = this.#f32;
    let rest = 1,
      sizes = 0;
    const nodeBox = this.#nodeBox;
    setEmpty(nodeBox, 0);
    for (let k = from; k < to; k++) growByRange(nodeBox, list.data, 6 * k);
    for (let k = from; k < to; k++) {
      const l = floor32(low[k]),
        cap = ceil32(high[k] - l);
      const isLocal = local && low[k] === 0;
      this.#writeBox(isLocal ? list.data : nodeBox, isLocal ? 6 * k : 0, this.#centre, this.#entry);
      f32[this.#entry + 6] = l;
      f32[this.#entry + 7] = cap;
      this.#u32[this.#entry + 8] = list.id[k];
      this.#entry += ENTRY_BYTES / 4;
      rest -= l;
      sizes += Math.abs(l) + 2 * cap;
    }
    this.#rest = Math.fround(rest);
    this.#weights = sizes + Math.abs(rest) + 1;
  }

  writeModes(list: BoxList, from: number, to: number): void {
    for (let k = from; k < to; k++) {
      this.#writeBox(list.data, 6 * k, ORIGIN, this.#mode);
      this.#u32[this.#mode + 6] = list.id[k];
      this.#mode += MODE_BYTES / 4;
    }
  }

  /**
   * In float32, u = 2⁻²⁴, with n entries and m modes: a support is off by less than (m + 12) u of the largest image,
   * a sum of n of them, weighted, by n + 2 more; both relative to the sum of the weights. Taken twice.
   */
  finishNode(node: number): void {
    const o = this.#nodes + (NODE_BYTES / 4) * node;
    const entries = (this.#entry - this.#firstEntry) / (ENTRY_BYTES / 4) - this.#u32[o],
      modes = (this.#mode - this.#firstMode) / (MODE_BYTES / 4) - this.#u32[o + 2];
    this.#u32[o + 1] = entries;
    this.#u32[o + 3] = modes;
    this.#f32[o + 5] = this.#rest;
    this.#f32[o + 6] = ceil32(this.#weights * (entries + modes + 16) * 2 ** -23);
    this.largestFactor = Math.max(this.largestFactor, this.#weights);
  }

  #writeBox(box: Float64Array, b: number, origin: Float64Array, o: number): void {
    for (let k = 0; k < 3; k++) {
      const lo = box[b + k] - origin[k],
        hi = box[b + 3 + k] - origin[k];
      const c = Math.fround((lo + hi) / 2);
      this.#f32[o + k] = c;
      this.#f32[o + 3 + k] = ceil32(Math.max(hi - c, c - lo, 0) * (1 + 2 ** -50));
    }
  }
}

const ORIGIN = new Float64Array(3);

function growByRange(box: Float64Array, from: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    box[k] = Math.min(box[k], from[o + k]);
    box[3 + k] = Math.max(box[3 + k], from[o + 3 + k]);
  }
}
