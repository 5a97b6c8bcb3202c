import { ceil32, floor32 } from '../algebra/rounding.ts';
import type { BlendList } from '../deform/blend-data.ts';
import type { KernelMemory } from '../kernels/memory.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { growByBox, growByPoint, setEmpty } from './aabb-free.ts';

/**
 * What every node has to know of its points to be bounded under any pose (BOUNDS §2, §3): the rest box; per handle
 * that moves any of them, the smallest weight l and how much more it can be, cap = h − l; and where l = 0, the box
 * of only those points that it moves. Per mode, the box of the displacements.
 *
 * Boxes are float32, rounded outward. Weights are exact: rounding l would destroy constant weights.
 */
export interface BlendNodes {
  readonly nodeCount: number;
  readonly box: Float32Array; // 6 per node: lo, hi
  readonly firstEntry: Uint32Array; // per node, and one more
  readonly handle: Uint32Array; // per entry
  readonly low: Float64Array; // l
  readonly cap: Float64Array; // h − l, rounded up
  readonly localBox: Int32Array; // offset into `boxes`, −1: the node's own box
  readonly boxes: Float32Array;
  readonly rest: Float64Array; // per node: R = 1 − Σ l, what is left to distribute
  readonly isBlended: Uint8Array; // per node: 0 when all its points have equal weights, so that nothing is left
  readonly firstMode: Uint32Array; // per node, and one more
  readonly mode: Uint32Array;
  readonly modeBox: Float32Array; // 6 per mode entry
  /** True when weights do not add up to 1 somewhere: handle `handleCount` then stands for what is missing, at 0. */
  readonly hasPhantom: boolean;
  /** The largest Σ|w| of a point, and the largest coordinates and displacements: for the rounding margin. */
  readonly largestWeightSum: number;
  readonly largestCoordinate: number;
  readonly largestDisplacement: Float64Array; // per mode
  readonly bytes: number;
}

/** Weights that add up to 1 as well as float64 allows need no phantom; the margin covers the rest. */
const SUM_TOLERANCE = 1e-12;

interface Entry {
  handle: number;
  low: number;
  high: number;
  box: Float64Array; // of the points it moves
}

interface ModeEntry {
  mode: number;
  box: Float64Array; // of displacements, 0 included where a point has none
}

interface Summary {
  count: number; // points, with repetition
  box: Float64Array;
  entries: Entry[]; // by handle
  modes: ModeEntry[]; // by mode
}

/** Children first, each node from its two children; nodes with unbounded children from their points. */
export function prepareBlendNodes(
  memory: KernelMemory,
  mesh: ResidentMesh,
  boundedNodes: number,
  skin: BlendList | undefined,
  modes: BlendList | undefined,
  handleCount: number,
  modeCount: number,
): BlendNodes {
  const reader = new PointReader(memory, mesh, skin, modes, handleCount);
  const writer = new NodeWriter(boundedNodes);
  const summaries = new Map<number, Summary>();
  const { tree } = mesh;
  for (let node = boundedNodes - 1; node >= 0; node--) {
    const child = tree.link[node];
    const first = summaries.get(child),
      second = summaries.get(child + 1);
    const summary = first && second ? mergeSummaries(first, second) : reader.summarise(node);
    summaries.delete(child);
    summaries.delete(child + 1);
    summaries.set(node, summary);
    writer.put(node, summary);
  }
  return writer.finish(reader, modeCount);
}

class PointReader {
  readonly hasPhantom: boolean;
  largestWeightSum = 1;
  largestCoordinate = 0;
  readonly #memory: KernelMemory;
  readonly #mesh: ResidentMesh;
  readonly #skin: BlendList | undefined;
  readonly #modes: BlendList | undefined;
  readonly #phantom: number;

  constructor(
    memory: KernelMemory,
    mesh: ResidentMesh,
    skin: BlendList | undefined,
    modes: BlendList | undefined,
    handleCount: number,
  ) {
    this.#memory = memory;
    this.#mesh = mesh;
    this.#skin = skin;
    this.#modes = modes;
    this.#phantom = handleCount;
    this.hasPhantom = this.#measure();
  }

  get modes(): BlendList | undefined {
    return this.#modes;
  }

  get memory(): KernelMemory {
    return this.#memory;
  }

  summarise(node: number): Summary {
    const { tree, corners } = this.#mesh;
    const { u32 } = this.#memory;
    const first = (corners >>> 2) + 3 * tree.firstSlot[node];
    let summary = this.#summarisePoint(u32[first]);
    for (let c = first + 1; c < first + 3 * tree.slotCount[node]; c++) {
      summary = mergeSummaries(summary, this.#summarisePoint(u32[c]));
    }
    return summary;
  }

  #summarisePoint(point: number): Summary {
    const { f64 } = this.#memory;
    const box = new Float64Array(6);
    setEmpty(box, 0);
    growByPoint(box, 0, f64, (this.#mesh.rest >>> 3) + 3 * point);
    return { count: 1, box, entries: this.#entriesOf(point, box), modes: this.#modesOf(point) };
  }

  /** A joint that is listed twice counts once, with the sum of its weights. */
  #entriesOf(point: number, box: Float64Array): Entry[] {
    if (this.#skin === undefined) return [];
    const { u32, f64 } = this.#memory;
    const { start, index, value } = this.#skin;
    const weights = new Map<number, number>();
    let missing = 1;
    for (let k = u32[(start >>> 2) + point]; k < u32[(start >>> 2) + point + 1]; k++) {
      const handle = u32[(index >>> 2) + k],
        w = f64[(value >>> 3) + k];
      weights.set(handle, (weights.get(handle) ?? 0) + w);
      missing -= w;
    }
    if (this.hasPhantom && missing !== 0) weights.set(this.#phantom, missing);
    return [...weights]
      .filter(([, w]) => w !== 0)
      .sort(([i], [j]) => i - j)
      .map(([handle, w]) => ({ handle, low: w, high: w, box: box.slice() }));
  }

  #modesOf(point: number): ModeEntry[] {
    if (this.#modes === undefined) return [];
    const { u32, f64 } = this.#memory;
    const { start, index, value } = this.#modes;
    const entries: ModeEntry[] = [];
    for (let k = u32[(start >>> 2) + point]; k < u32[(start >>> 2) + point + 1]; k++) {
      const box = new Float64Array(6);
      setEmpty(box, 0);
      growByPoint(box, 0, f64, (value >>> 3) + 3 * k);
      entries.push({ mode: u32[(index >>> 2) + k], box });
    }
    return entries;
  }

  #measure(): boolean {
    const { pointCount, rest } = this.#mesh; // may allocate, so before the views are read
    const { u32, f64 } = this.#memory;
    for (let k = rest >>> 3; k < (rest >>> 3) + 3 * pointCount; k++) {
      this.largestCoordinate = Math.max(this.largestCoordinate, Math.abs(f64[k]));
    }
    if (this.#skin === undefined) return false;
    const { start, value } = this.#skin;
    let isOff = false;
    for (let p = 0; p < pointCount; p++) {
      let sum = 0,
        size = 0;
      for (let k = u32[(start >>> 2) + p]; k < u32[(start >>> 2) + p + 1]; k++) {
        sum += f64[(value >>> 3) + k];
        size += Math.abs(f64[(value >>> 3) + k]);
      }
      isOff ||= Math.abs(sum - 1) > SUM_TOLERANCE;
      this.largestWeightSum = Math.max(this.largestWeightSum, size + Math.abs(1 - sum));
    }
    return isOff;
  }
}

function mergeSummaries(a: Summary, b: Summary): Summary {
  const box = unite(a.box, b.box);
  return {
    count: a.count + b.count,
    box,
    entries: mergeEntries(a.entries, b.entries),
    modes: mergeModes(a.modes, b.modes),
  };
}

/** A handle that one side lacks has weight 0 there. */
function mergeEntries(a: Entry[], b: Entry[]): Entry[] {
  const merged: Entry[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const s = a[i],
      t = b[j];
    if (t === undefined || (s !== undefined && s.handle < t.handle)) {
      merged.push({ handle: s.handle, low: Math.min(s.low, 0), high: Math.max(s.high, 0), box: s.box });
      i++;
    } else if (s === undefined || t.handle < s.handle) {
      merged.push({ handle: t.handle, low: Math.min(t.low, 0), high: Math.max(t.high, 0), box: t.box });
      j++;
    } else {
      const box = unite(s.box, t.box);
      merged.push({ handle: s.handle, low: Math.min(s.low, t.low), high: Math.max(s.high, t.high), box });
      i++;
      j++;
    }
  }
  return merged;
}

/** A point without a displacement has displacement 0. */
function mergeModes(a: ModeEntry[], b: ModeEntry[]): ModeEntry[] {
  const merged: ModeEntry[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const s = a[i],
      t = b[j];
    if (t === undefined || (s !== undefined && s.mode < t.mode)) {
      merged.push({ mode: s.mode, box: unite(s.box, ORIGIN) });
      i++;
    } else if (s === undefined || t.mode < s.mode) {
      merged.push({ mode: t.mode, box: unite(t.box, ORIGIN) });
      j++;
    } else {
      merged.push({ mode: s.mode, box: unite(s.box, t.box) });
      i++;
      j++;
    }
  }
  return merged;
}

const ORIGIN = new Float64Array(6);

function unite(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(12);
  both.set(a);
  both.set(b, 6);
  growByBox(both, 0, 6);
  return both.slice(0, 6);
}

/** Collects the nodes, which come in falling order, into flat arrays. */
class NodeWriter {
  readonly #summaries: (Summary | undefined)[];

  constructor(nodeCount: number) {
    this.#summaries = new Array(nodeCount);
  }

  put(node: number, summary: Summary): void {
    this.#summaries[node] = summary;
  }

  finish(reader: PointReader, modeCount: number): BlendNodes {
    const summaries = this.#summaries as Summary[];
    const nodeCount = summaries.length;
    const entryCount = summaries.reduce((sum, { entries }) => sum + entries.length, 0);
    const modeEntryCount = summaries.reduce((sum, { modes }) => sum + modes.length, 0);
    const localCount = summaries.reduce(
      (sum, { entries }) => sum + entries.filter(({ low }) => low === 0).length,
      0,
    );
    const box = new Float32Array(6 * nodeCount),
      boxes = new Float32Array(6 * localCount);
    const firstEntry = new Uint32Array(nodeCount + 1),
      firstMode = new Uint32Array(nodeCount + 1);
    const handle = new Uint32Array(entryCount),
      mode = new Uint32Array(modeEntryCount);
    const low = new Float64Array(entryCount),
      cap = new Float64Array(entryCount),
      rest = new Float64Array(nodeCount);
    const localBox = new Int32Array(entryCount).fill(-1),
      modeBox = new Float32Array(6 * modeEntryCount);
    const isBlended = new Uint8Array(nodeCount);
    let e = 0,
      m = 0,
      l = 0;
    for (let node = 0; node < nodeCount; node++) {
      const summary = summaries[node];
      storeOutward(summary.box, box, 6 * node);
      let left = 1;
      for (const entry of summary.entries) {
        handle[e] = entry.handle;
        low[e] = entry.low;
        cap[e] = entry.high === entry.low ? 0 : (entry.high - entry.low) * (1 + 2 ** -51);
        left -= entry.low;
        if (entry.low === 0) {
          localBox[e] = 6 * l;
          storeOutward(entry.box, boxes, 6 * l++);
        }
        e++;
      }
      rest[node] = left;
      isBlended[node] = summary.entries.some(({ low: l, high: h }) => l !== h) ? 1 : 0;
      for (const entry of summary.modes) {
        mode[m] = entry.mode;
        storeOutward(entry.box, modeBox, 6 * m++);
      }
      firstEntry[node + 1] = e;
      firstMode[node + 1] = m;
    }
    const largestDisplacement = new Float64Array(modeCount);
    if (nodeCount > 0) {
      for (const entry of summaries[0].modes)
        largestDisplacement[entry.mode] = Math.max(...entry.box.map(Math.abs));
    }
    const arrays = [
      box,
      boxes,
      firstEntry,
      firstMode,
      handle,
      mode,
      low,
      cap,
      rest,
      isBlended,
      localBox,
      modeBox,
    ];
    const { hasPhantom, largestWeightSum, largestCoordinate } = reader;
    return {
      nodeCount,
      box,
      firstEntry,
      handle,
      low,
      cap,
      localBox,
      boxes,
      rest,
      isBlended,
      firstMode,
      mode,
      modeBox,
      hasPhantom,
      largestWeightSum,
      largestCoordinate,
      largestDisplacement,
      bytes: arrays.reduce((sum, { byteLength }) => sum + byteLength, 0),
    };
  }
}

function storeOutward(box: Float64Array, out: Float32Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    out[o + k] = floor32(box[k]);
    out[o + 3 + k] = ceil32(box[3 + k]);
  }
}
