import type { BlendList } from '../deform/blend-data.ts';
import type { KernelMemory } from '../kernels/memory.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';

/** Boxes with an id each, six numbers per box, in a list that grows. */
export class BoxList {
  length = 0;
  id = new Uint32Array(1024);
  data = new Float64Array(6 * 1024);

  /** Adds one box, to be filled by the caller. */
  push(id: number): number {
    if (this.length === this.id.length) {
      this.id = enlarge(this.id, new Uint32Array(2 * this.length));
      this.data = enlarge(this.data, new Float64Array(12 * this.length));
    }
    this.id[this.length] = id;
    return this.length++;
  }

  copy(from: number): number {
    const k = this.push(this.id[from]);
    this.data.copyWithin(6 * k, 6 * from, 6 * from + 6);
    return k;
  }

  pushPoint(id: number, points: Float64Array, p: number): number {
    const k = this.push(id);
    for (let axis = 0; axis < 3; axis++)
      this.data[6 * k + axis] = this.data[6 * k + 3 + axis] = points[p + axis];
    return k;
  }

  grow(k: number, x: number, y: number, z: number): void {
    const { data } = this;
    const o = 6 * k;
    if (x < data[o]) data[o] = x;
    if (y < data[o + 1]) data[o + 1] = y;
    if (z < data[o + 2]) data[o + 2] = z;
    if (x > data[o + 3]) data[o + 3] = x;
    if (y > data[o + 4]) data[o + 4] = y;
    if (z > data[o + 5]) data[o + 5] = z;
  }

  growBy(k: number, other: number): void {
    const { data } = this;
    const r = 6 * other;
    this.grow(k, data[r], data[r + 1], data[r + 2]);
    this.grow(k, data[r + 3], data[r + 4], data[r + 5]);
  }
}

function enlarge<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** From the middle of a cube to its faces, edges and corners: x, y and z from −1 to 1, z fastest, without 0, 0, 0. */
export const DIRECTIONS: readonly (readonly [number, number, number])[] = Array.from(
  { length: 27 },
  (_, k) => {
    const [x, y, z] = [Math.trunc(k / 9), Math.trunc(k / 3) % 3, k % 3];
    return [x - 1, y - 1, z - 1] as const;
  },
).filter(([x, y, z]) => x !== 0 || y !== 0 || z !== 0);
export const DIRECTION_COUNT = 26;
/** The others are opposite to these, in reverse order. */
const HALF = DIRECTION_COUNT / 2;
const FIRST_HALF = Int8Array.from(DIRECTIONS.slice(0, HALF).flat());

/** How far points reach in DIRECTIONS, with an id each, in a list that grows. */
export class SupportList {
  length = 0;
  id = new Uint32Array(1024);
  data = new Float64Array(DIRECTION_COUNT * 1024);

  /** Adds what reaches nowhere. */
  push(id: number): number {
    if (this.length === this.id.length) {
      this.id = enlarge(this.id, new Uint32Array(2 * this.length));
      this.data = enlarge(this.data, new Float64Array(2 * DIRECTION_COUNT * this.length));
    }
    this.id[this.length] = id;
    const o = DIRECTION_COUNT * this.length;
    this.data.fill(-Infinity, o, o + DIRECTION_COUNT);
    return this.length++;
  }

  copy(from: number): number {
    const k = this.push(this.id[from]);
    this.growBy(k, from);
    return k;
  }

  grow(k: number, x: number, y: number, z: number): void {
    const { data } = this;
    const o = DIRECTION_COUNT * k,
      last = o + DIRECTION_COUNT - 1;
    for (let i = 0; i < HALF; i++) {
      const reach = FIRST_HALF[3 * i] * x + FIRST_HALF[3 * i + 1] * y + FIRST_HALF[3 * i + 2] * z;
      if (reach > data[o + i]) data[o + i] = reach;
      if (-reach > data[last - i]) data[last - i] = -reach;
    }
  }

  growBy(k: number, other: number): void {
    growBySupports(this.data, DIRECTION_COUNT * k, this.data, DIRECTION_COUNT * other);
  }

  swap(i: number, j: number): void {
    swap(this.id, i, j);
    for (let k = 0; k < DIRECTION_COUNT; k++)
      swap(this.data, DIRECTION_COUNT * i + k, DIRECTION_COUNT * j + k);
  }
}

export function growBySupports(to: Float64Array, o: number, from: Float64Array, r: number): void {
  for (let k = 0; k < DIRECTION_COUNT; k++) if (from[r + k] > to[o + k]) to[o + k] = from[r + k];
}

/** Weights that add up to 1 as well as float64 allows need no phantom; the margin covers the rest. */
const SUM_TOLERANCE = 1e-12;

/** Which handles move the points of a node: the range of weights and how far what each moves reaches, by handle. */
export class HandleReader {
  readonly list = new SupportList();
  low = new Float64Array(1024);
  high = new Float64Array(1024);
  readonly hasPhantom: boolean;
  largestWeightSum = 1;

  readonly #memory: KernelMemory;
  readonly #mesh: ResidentMesh;
  readonly #skin: BlendList | undefined;
  readonly #phantom: number;
  /** Entries of the point, and of the node, being read. */
  readonly #weights = new Map<number, number>();
  readonly #entryOf = new Map<number, number>();
  readonly #visits = new Map<number, number>();

  constructor(memory: KernelMemory, mesh: ResidentMesh, skin: BlendList | undefined, handleCount: number) {
    this.#memory = memory;
    this.#mesh = mesh;
    this.#skin = skin;
    this.#phantom = handleCount;
    this.hasPhantom = skin !== undefined && this.#measureSums(skin);
  }

  /** From the points of a range of slots. */
  read(firstSlot: number, slotCount: number): void {
    const { u32, f64 } = this.#memory;
    const { corners, rest } = this.#mesh;
    const entryOf = this.#entryOf,
      visits = this.#visits;
    entryOf.clear();
    visits.clear();
    const first = this.list.length;
    const begin = (corners >>> 2) + 3 * firstSlot;
    for (let c = begin; c < begin + 3 * slotCount; c++) {
      const p = (rest >>> 3) + 3 * u32[c];
      this.#readPoint(u32[c]);
      for (const [handle, w] of this.#weights) {
        if (w === 0) continue;
        visits.set(handle, (visits.get(handle) ?? 0) + 1);
        const k = entryOf.get(handle) ?? this.#push(this.list.push(handle), w, w);
        entryOf.set(handle, k);
        this.list.grow(k, f64[p], f64[p + 1], f64[p + 2]);
        this.low[k] = Math.min(this.low[k], w);
        this.high[k] = Math.max(this.high[k], w);
      }
    }
    for (let k = first; k < this.list.length; k++) {
      if (visits.get(this.list.id[k]) !== 3 * slotCount) this.#includeZero(k);
    }
    this.#sort(first);
  }

  /** From the entries of two children. A handle that one of them lacks has weight 0 there. */
  merge(a: number, endA: number, b: number, endB: number): void {
    const { list } = this;
    for (let i = a, j = b; i < endA || j < endB; ) {
      const order = i === endA ? 1 : j === endB ? -1 : list.id[i] - list.id[j];
      const from = order > 0 ? j : i;
      const k = this.#push(list.copy(from), this.low[from], this.high[from]);
      if (order !== 0) this.#includeZero(k);
      else {
        list.growBy(k, j);
        this.low[k] = Math.min(this.low[k], this.low[j]);
        this.high[k] = Math.max(this.high[k], this.high[j]);
      }
      if (order <= 0) i++;
      if (order >= 0) j++;
    }
  }

  #push(k: number, low: number, high: number): number {
    if (k >= this.low.length) {
      this.low = enlarge(this.low, new Float64Array(2 * this.low.length));
      this.high = enlarge(this.high, new Float64Array(2 * this.high.length));
    }
    this.low[k] = low;
    this.high[k] = high;
    return k;
  }

  #includeZero(k: number): void {
    this.low[k] = Math.min(this.low[k], 0);
    this.high[k] = Math.max(this.high[k], 0);
  }

  /** A joint that is listed twice counts once, with the sum of its weights. Without a skin there is one handle. */
  #readPoint(point: number): void {
    const weights = this.#weights;
    weights.clear();
    if (this.#skin === undefined) {
      weights.set(0, 1);
      return;
    }
    const { u32, f64 } = this.#memory;
    const { start, index, value } = this.#skin;
    let missing = 1;
    for (let k = u32[(start >>> 2) + point]; k < u32[(start >>> 2) + point + 1]; k++) {
      const handle = u32[(index >>> 2) + k],
        w = f64[(value >>> 3) + k];
      weights.set(handle, (weights.get(handle) ?? 0) + w);
      missing -= w;
    }
    if (this.hasPhantom && missing !== 0) weights.set(this.#phantom, missing);
  }

  /** By handle; the few entries of a small node. */
  #sort(first: number): void {
    const { list, low, high } = this;
    for (let i = first + 1; i < list.length; i++) {
      for (let j = i; j > first && list.id[j] < list.id[j - 1]; j--) {
        list.swap(j, j - 1);
        swap(low, j, j - 1);
        swap(high, j, j - 1);
      }
    }
  }

  /** True when weights do not add up to 1 somewhere. */
  #measureSums({ start, value }: BlendList): boolean {
    const { u32, f64 } = this.#memory;
    let isOff = false;
    for (let p = 0; p < this.#mesh.pointCount; p++) {
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

function swap(list: Uint32Array | Float64Array, i: number, j: number): void {
  const x = list[i];
  list[i] = list[j];
  list[j] = x;
}

/** How modes displace the points of a node: a box per mode, by mode. */
export class ModeReader {
  readonly list = new BoxList();
  readonly #memory: KernelMemory;
  readonly #mesh: ResidentMesh;
  readonly #modes: BlendList | undefined;
  readonly #entryOf = new Map<number, number>();
  readonly #visits = new Map<number, number>();

  constructor(memory: KernelMemory, mesh: ResidentMesh, modes: BlendList | undefined) {
    this.#memory = memory;
    this.#mesh = mesh;
    this.#modes = modes;
  }

  read(firstSlot: number, slotCount: number): void {
    if (this.#modes === undefined) return;
    const { u32, f64 } = this.#memory;
    const { list } = this;
    const { start, index, value } = this.#modes;
    const entryOf = this.#entryOf,
      visits = this.#visits;
    entryOf.clear();
    visits.clear();
    const first = list.length;
    const begin = (this.#mesh.corners >>> 2) + 3 * firstSlot;
    for (let c = begin; c < begin + 3 * slotCount; c++) {
      const end = u32[(start >>> 2) + u32[c] + 1];
      for (let e = u32[(start >>> 2) + u32[c]]; e < end; e++) {
        const mode = u32[(index >>> 2) + e],
          d = (value >>> 3) + 3 * e;
        visits.set(mode, (visits.get(mode) ?? 0) + 1);
        const k = entryOf.get(mode);
        if (k === undefined) entryOf.set(mode, list.pushPoint(mode, f64, d));
        else list.grow(k, f64[d], f64[d + 1], f64[d + 2]);
      }
    }
    // A point without a displacement has displacement 0.
    for (let k = first; k < list.length; k++) {
      if (visits.get(list.id[k]) !== 3 * slotCount) list.grow(k, 0, 0, 0);
    }
    this.#sort(first);
  }

  merge(a: number, endA: number, b: number, endB: number): void {
    const { list } = this;
    for (let i = a, j = b; i < endA || j < endB; ) {
      const order = i === endA ? 1 : j === endB ? -1 : list.id[i] - list.id[j];
      const k = list.copy(order > 0 ? j : i);
      if (order !== 0) list.grow(k, 0, 0, 0);
      else list.growBy(k, j);
      if (order <= 0) i++;
      if (order >= 0) j++;
    }
  }

  /** The largest displacement of any point along an axis, per mode. */
  largest(count: number): Float64Array {
    const largest = new Float64Array(count);
    if (this.#modes === undefined) return largest;
    const { u32, f64 } = this.#memory;
    const { index, value, entryCount } = this.#modes;
    for (let e = 0; e < entryCount; e++) {
      const mode = u32[(index >>> 2) + e],
        d = (value >>> 3) + 3 * e;
      for (let k = 0; k < 3; k++) largest[mode] = Math.max(largest[mode], Math.abs(f64[d + k]));
    }
    return largest;
  }

  #sort(first: number): void {
    const { list } = this;
    for (let i = first + 1; i < list.length; i++) {
      for (let j = i; j > first && list.id[j] < list.id[j - 1]; j--) {
        swap(list.id, j, j - 1);
        for (let k = 0; k < 6; k++) swap(list.data, 6 * j + k, 6 * j - 6 + k);
      }
    }
  }
}
