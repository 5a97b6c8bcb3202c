import { ceil32, floor32 } from '../../algebra/rounding.ts';
import { LEAF } from '../../kernels/kernels.ts';
import type { KernelMemory } from '../../kernels/memory.ts';
import { PLANE_HEAD, planeStride } from './pair-planes.ts';
import type { PairTree } from './pair-tree.ts';

/** Words of what comes behind the row of a record, of a pose before its rows, and of the tree; see kernels/planes.ts. */
const RECORD_HEAD = 5;
const POSE_HEAD = 8;
const TREE_WORDS = 6;
/** A record of 20 modes is as large as a line of the cache. */
const LINE = 64;
/** That a pair may have. */
const MOST_PARTS = 4;
/** The largest whole number of a row or a pose, and what those of a row may add up to: products stay below 2^31. */
const LARGEST = 32767;
const LARGEST_SUM = 65536;
/** Times what few operations in single precision lose of a number: less than 2^-22, or 512 of such products. */
const CARE = 2 ** -20;
const LOST_OF_PRODUCTS = 1024;
const SMALLEST_SCALE = 1e-30;

/**
 * A tree of pairs in kernel memory, level by level, the parts of a pair side by side.
 *
 * Rows m and poses q of planes are kept as whole numbers M and Q, with m = ρ (M + e), q = σ (Q + f) and |e|, |f| ≤ ½.
 * Then m·q / ρ is at least σ M·Q − ½ Σ|q| − ½ σ Σ|M|: what is subtracted depends on the pose only, for Σ|M| has a
 * bound. Gap and spread are divided by ρ as well.
 */
export class PairRecords {
  /** Where the kernel finds all about it. */
  readonly tree: number;
  /** Nothing is open below this gauge. */
  readonly leastRadius: number;
  /** Triangle pairs that radii leave out, as slots, and where the pair of nodes is that each is in; ascending. */
  readonly exceptions: Uint32Array;
  readonly exceptionAt: Uint32Array;
  readonly #piece: number;
  readonly #rowBytes: number; // of a pose
  readonly #head: number; // words from the start of a record to what comes behind its row
  readonly #row: Float64Array;

  constructor(memory: KernelMemory, pairs: PairTree, modeCount: number) {
    this.#row = new Float64Array(modeCount);
    this.#rowBytes = 16 * Math.ceil(modeCount / 8);
    this.#head = Math.ceil(modeCount / 2);
    const stride = 16 * Math.ceil((this.#head + RECORD_HEAD) / 4);
    const { order, first, count, rootCount, placeOf } = levelOrder(pairs.next);
    const { length } = order;
    this.tree = memory.allocate(4 * TREE_WORDS);
    this.#piece = memory.allocate(stride * (length + 1) + LINE);
    const address = Math.ceil(this.#piece / LINE) * LINE;
    this.leastRadius = order
      .slice(0, rootCount)
      .reduce((least, k) => Math.min(least, pairs.radius[k]), Infinity);
    const { u32, f32 } = memory;
    u32.set([address, length, rootCount, stride, 4 * this.#head, this.#rowBytes], this.tree >>> 2);
    u32.fill(0, address >>> 2, (address + stride * (length + 1)) >>> 2);
    for (let place = 0; place <= length; place++) {
      const k = order[place];
      const head = ((address + stride * place) >>> 2) + this.#head;
      f32[head] = place < length ? pairs.radius[k] : Infinity; // behind the last, one that is never open
      f32[head + 1] = -Infinity;
      if (place === length) break;
      u32[head + 3] = count[place] === 0 ? pairs.a[k] : first[place];
      u32[head + 4] = count[place] === 0 ? LEAF | pairs.b[k] : count[place];
      this.#writePlane(memory, head, pairs.planes, k * planeStride(modeCount));
    }
    const exceptions = Array.from(pairs.exceptionAt, (k, e) => ({ at: placeOf[k], e }));
    exceptions.sort((p, q) => p.at - q.at || p.e - q.e);
    this.exceptions = new Uint32Array(pairs.exceptions.length);
    exceptions.forEach(({ e }, i) => {
      this.exceptions.set(pairs.exceptions.subarray(2 * e, 2 * e + 2), 2 * i);
    });
    this.exceptionAt = Uint32Array.from(exceptions, ({ at }) => at);
  }

  /** Bytes that a pose takes. */
  get poseBytes(): number {
    return 4 * POSE_HEAD + 2 * this.#rowBytes;
  }

  /** One end of a pose, in scaled modes around the centre. */
  putPose({ f32, u32 }: KernelMemory, address: number, end: 0 | 1, q: Float64Array): void {
    let largest = 0,
      sum = 0;
    for (let m = 0; m < q.length; m++) {
      const size = Math.abs(q[m]);
      if (size > largest) largest = size;
      sum += size;
    }
    const scale = Math.fround(Math.max((largest / LARGEST) * (1 + CARE), SMALLEST_SCALE));
    const o = (address >>> 2) + 1 + 2 * end;
    f32[o] = scale;
    f32[o + 1] = ceil32((sum / 2 + (LARGEST_SUM / 2 + LOST_OF_PRODUCTS) * scale) * (1 + CARE));
    writeRow(u32, (address + 4 * POSE_HEAD + this.#rowBytes * end) >>> 2, q, scale, this.#rowBytes / 4);
  }

  free(memory: KernelMemory): void {
    memory.free(this.tree);
    memory.free(this.#piece);
  }

  #writePlane({ u32, f32 }: KernelMemory, head: number, planes: Float32Array, o: number): void {
    const row = this.#row,
      gap = planes[o];
    // Rounding to whole numbers may add half of one per mode.
    const most = LARGEST_SUM - row.length / 2;
    if (!(gap > 0 && most > LARGEST)) return;
    let largest = 0,
      sum = 0;
    for (let m = 0; m < row.length; m++) {
      row[m] = planes[o + PLANE_HEAD + m];
      largest = Math.max(largest, Math.abs(row[m]));
      sum += Math.abs(row[m]);
    }
    const spread = planes[o + 1];
    // The last keeps the others in single precision, where modes hardly move anything.
    const scale = Math.max(largest / LARGEST, (sum / most) * (1 + CARE), Math.max(gap, spread) * 2 ** -100);
    f32[head + 1] = floor32((gap / scale) * (1 - CARE));
    f32[head + 2] = ceil32((spread / scale) * (1 + CARE));
    writeRow(u32, head - this.#head, row, scale, this.#head);
  }
}

/** Numbers as multiples of a scale, the nearest whole ones; two to a word. */
function writeRow(u32: Uint32Array, o: number, row: Float64Array, scale: number, words: number): void {
  for (let k = 0; k < words; k++) {
    const low = 2 * k < row.length ? Math.round(row[2 * k] / scale) : 0,
      high = 2 * k + 1 < row.length ? Math.round(row[2 * k + 1] / scale) : 0;
    u32[o + k] = (low & 0xffff) | (high << 16);
  }
}

/**
 * Of pairs that were written in the order in which they are opened: which is where, and the parts of each. One with too
 * many parts for the kernel, which does not happen, has none: whatever is in it is looked at with it.
 */
function levelOrder(next: Uint32Array) {
  const order: number[] = [],
    first: number[] = [],
    count: number[] = [];
  const placeOf = new Uint32Array(next.length);
  for (let k = 0; k < next.length; k = next[k]) order.push(k);
  const rootCount = order.length;
  for (let place = 0; place < order.length; place++) {
    const k = order[place];
    placeOf.fill(place, k, next[k]);
    first.push(order.length);
    for (let part = k + 1; part < next[k]; part = next[part]) order.push(part);
    if (order.length - first[place] > MOST_PARTS) order.length = first[place];
    count.push(order.length - first[place]);
  }
  return { order, first, count, rootCount, placeOf };
}
