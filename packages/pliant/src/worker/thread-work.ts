import type { MotionEnd } from '../deform/point-source.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { ScratchLists } from '../kernels/scratch.ts';
import { createContactScratch } from '../narrow/continuous-scratch.ts';
import { type BatchWork, stepBatch, type WorkSide } from '../query/batch.ts';
import type { Counters } from '../report/collision-report.ts';
import { PairBuffer } from '../report/pair-buffer.ts';

/** What all threads of one query need to know: plain numbers, written into shared memory. */
export interface SharedQuery {
  isSelf: boolean;
  continuous: boolean;
  a: SharedSide;
  b: SharedSide;
  innerFront: number;
  leafFront: number;
  isCoarse: boolean; // the front
  reserve: number;
}

export interface SharedSide {
  link: number;
  corners: number;
  boxes: number;
  stride: number;
  pointCount: number;
  start: number;
  end: number;
}

/** Words of a SharedQuery in shared memory. */
export const QUERY_WORDS = 20;

export function writeQuery(u32: Uint32Array, o: number, query: SharedQuery): void {
  u32[o] = query.isSelf ? 1 : 0;
  u32[o + 1] = query.continuous ? 1 : 0;
  u32[o + 2] = query.innerFront;
  u32[o + 3] = query.leafFront;
  u32[o + 18] = query.reserve;
  u32[o + 19] = query.isCoarse ? 1 : 0;
  for (const [k, side] of [query.a, query.b].entries()) {
    const { link, corners, boxes, stride, pointCount, start, end } = side;
    u32.set([link, corners, boxes, pointCount, start, end, stride], o + 4 + 7 * k);
  }
}

export function readQuery(u32: Uint32Array, o: number): SharedQuery {
  const side = (r: number): SharedSide => ({
    link: u32[r],
    corners: u32[r + 1],
    boxes: u32[r + 2],
    pointCount: u32[r + 3],
    start: u32[r + 4],
    end: u32[r + 5],
    stride: u32[r + 6],
  });
  return {
    isSelf: u32[o] === 1,
    continuous: u32[o + 1] === 1,
    innerFront: u32[o + 2],
    leafFront: u32[o + 3],
    reserve: u32[o + 18],
    isCoarse: u32[o + 19] === 1,
    a: side(o + 4),
    b: side(o + 11),
  };
}

/** Where a thread leaves the pairs it found. */
export type FoundPair = (slotA: number, slotB: number, time: number) => void;

/** One thread's share of a query: the batch traversal over pieces of its lists. */
export class ThreadWork implements BatchWork {
  readonly kernels: Kernels;
  readonly scratch: ScratchLists;
  readonly contactScratch = createContactScratch();
  readonly certificates = [];
  readonly exceptions = new PairBuffer(1);
  readonly innerRanges = new PairBuffer(1);
  readonly leafRanges = new PairBuffer(1);
  readonly pending = new PairBuffer();
  readonly stopAtFirst = false;
  reserve = 0;
  readonly isCancelled = false;
  readonly counters: Counters = {
    verticesDeformed: 0,
    volumesRefitted: 0,
    nodePairsTested: 0,
    nodePairsCleared: 0,
    trianglePairsTested: 0,
    exactTests: 0,
  };
  a!: ThreadSide;
  b!: ThreadSide;
  isSelf = false;
  continuous = false;
  phase = 0;
  range = 0;
  cursor = 0;
  depth = 0;
  leafCount = 0;
  readonly add: FoundPair;
  readonly #onStep: () => void;

  /** `onStep` is called between blocks of work; what it throws ends the piece. */
  constructor(kernels: Kernels, scratch: ScratchLists, found: FoundPair, onStep: () => void = doNothing) {
    this.kernels = kernels;
    this.scratch = scratch;
    this.add = found;
    this.#onStep = onStep;
  }

  begin(query: SharedQuery): void {
    this.isSelf = query.isSelf;
    this.continuous = query.continuous;
    this.reserve = query.reserve;
    this.a = new ThreadSide(query.a, query);
    this.b = query.isSelf ? this.a : new ThreadSide(query.b, query);
    const c = this.counters;
    c.nodePairsTested = c.trianglePairsTested = c.exactTests = 0;
    this.readPoints();
  }

  /** A piece of the leaf front, of the inner front, or of a list of node pairs: `kind` is the phase. */
  run(kind: number, from: number, to: number): void {
    this.innerRanges.clear();
    this.leafRanges.clear();
    this.pending.clear();
    this.phase = kind;
    this.range = this.cursor = this.depth = this.leafCount = 0;
    if (kind === 0) this.leafRanges.push(from, to);
    else if (kind === 1) this.innerRanges.push(from, to);
    else this.pending.pushAll(this.kernels.memory.u32, from >>> 2, (to - from) >>> 3);
    this.counters.nodePairsTested -= this.pending.count; // tested before they were dealt out
    while (stepBatch(this)) this.#onStep();
  }

  /** Threads are never stopped in the middle. */
  addUnresolved(): void {}

  readPoints(): void {
    const { buffer } = this.kernels.memory;
    this.a.readPoints(buffer);
    if (this.b !== this.a) this.b.readPoints(buffer);
  }
}

class ThreadSide implements WorkSide {
  readonly mesh: WorkSide['mesh'];
  readonly source: WorkSide['source'];
  readonly boxes: { address: number; stride: number };
  start: Float64Array = new Float64Array(0);
  end: Float64Array = new Float64Array(0);
  readonly #side: SharedSide;

  constructor(side: SharedSide, { innerFront, leafFront, isCoarse }: SharedQuery) {
    this.#side = side;
    const list = { pairCount: 0, pairs: NOTHING, start: NOTHING, end: NOTHING };
    const front = { inner: { address: innerFront, list }, leaf: { address: leafFront, list }, isCoarse };
    this.mesh = { link: side.link, corners: side.corners, front };
    this.source = { address: (end: MotionEnd) => (end === 0 ? side.start : side.end) };
    this.boxes = { address: side.boxes, stride: side.stride };
  }

  readPoints(buffer: ArrayBufferLike): void {
    const { start, end, pointCount } = this.#side;
    this.start = new Float64Array(buffer, start, 3 * pointCount);
    this.end = start === end ? this.start : new Float64Array(buffer, end, 3 * pointCount);
  }
}

function doNothing(): void {}

const NOTHING = new Uint32Array(0);
