import type { Certificate } from '../cull/certificate.ts';
import type { MotionEnd, PointSource } from '../deform/point-source.ts';
import { type Kernels, LEAF } from '../kernels/kernels.ts';
import { BLOCK, CHUNK, type ScratchLists } from '../kernels/scratch.ts';
import type { ContactScratch } from '../narrow/continuous-scratch.ts';
import { setFrame } from '../refit/quantised-boxes.ts';
import type { Counters } from '../report/collision-report.ts';
import type { PairBuffer } from '../report/pair-buffer.ts';
import type { ResidentFront } from '../tree/resident-mesh.ts';
import type { FrontList } from '../tree/static-front.ts';
import { ROOT } from '../tree/tree.ts';
import type { Job } from './job.ts';
import { canFitParts, fitOpenParts, listOpenFront } from './job-certificates.ts';
import { narrowLeaves } from './narrow-phase.ts';
import type { Side } from './side.ts';

/** What one thread needs to know of a body; addresses are those of kernel memory. */
export interface WorkSide {
  readonly mesh: { readonly link: number; readonly corners: number; readonly front: ResidentFront };
  readonly source: { address(end: MotionEnd): number };
  readonly boxes: { readonly address: number; readonly stride: number } | undefined;
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/** The part of a query that can be dealt out to threads: lists to read, and where found pairs go. */
export interface BatchWork {
  readonly kernels: Kernels;
  readonly scratch: ScratchLists;
  readonly a: WorkSide;
  readonly b: WorkSide;
  readonly contactScratch: ContactScratch;
  readonly counters: Counters;
  readonly certificates: readonly Certificate[];
  readonly exceptions: PairBuffer;
  readonly innerRanges: PairBuffer; // of front pairs
  readonly leafRanges: PairBuffer;
  readonly pending: PairBuffer; // node pairs
  readonly isSelf: boolean;
  readonly continuous: boolean;
  readonly stopAtFirst: boolean;
  readonly isCancelled: boolean;
  phase: number;
  range: number;
  cursor: number;
  depth: number;
  leafCount: number;
  /** Pairs that a purely depth-first traversal can have on the stack. */
  readonly reserve: number;
  /** A node pair that could not be looked at. */
  addUnresolved(a: number, b: number): void;
  /** A touching pair of slots. */
  add(slotA: number, slotB: number, time: number): void;
  /** Reads `start` and `end` of both sides again: kernel memory may have grown. */
  readPoints(): void;
}

// What a batch query reads, in this order; then it works off what is on the stack.
export const LEAF_FRONT = 0;
export const INNER_FRONT = 1;
export const PENDING = 2;

/** Nodes with fewer triangles are not worth asking a certificate about, unless it says so. */
const SMALLEST_PROOF = 16;
/** More triangles than a node can have; a small integer, so that it is not boxed. */
const NO_NODE = 0x3fffffff;

/** Nodes with fewer triangles are not opened to ask about their children. */
export function smallestOpened(certificates: readonly Certificate[]): number {
  let smallest = NO_NODE;
  for (const certificate of certificates) {
    smallest = Math.min(smallest, certificate.smallest ?? SMALLEST_PROOF);
  }
  return smallest;
}

/** The smallest node that any of them may clear. */
export function smallestProof(certificates: readonly Certificate[]): number {
  let smallest = NO_NODE;
  for (const certificate of certificates) smallest = Math.min(smallest, certificate.smallest ?? 1);
  return smallest;
}

/** First-hit queries go down in small blocks: the answer is likely to be in the first one. */
const HASTY_BLOCK = 128;

/**
 * Positions, boxes and the lists to begin with: the static front for a self-query, the two roots for a pair. With
 * `resume`, what an on-demand query left in `pending`.
 */
export function beginBatch(job: Job, resume: boolean): void {
  const { pending, innerRanges, leafRanges, a } = job;
  innerRanges.clear();
  leafRanges.clear();
  if (!resume && !job.hasOpenList) pending.clear();
  job.depth = job.leafCount = job.range = job.cursor = 0;
  job.phase = LEAF_FRONT;
  if (!resume && !job.hasOpenList && canFitParts(job)) {
    measure(job, a, job.box);
    setFrame(job.box, job.frame);
    job.learner = job.certificates[0];
    if (fitOpenParts(job)) {
      job.readPoints();
      return;
    }
  }
  if (!refitSides(job)) {
    pending.clear();
    return;
  }
  job.readPoints();
  if (!job.isSelf) {
    if (!resume) pending.push(0, 0);
    return;
  }
  const { inner, leaf } = a.mesh.front;
  if (!resume && !job.hasOpenList) {
    if (!listOpenFront(job)) addUncleared(job);
    return;
  }
  let kept = 0;
  for (let k = 0; k < pending.count; k++) {
    const n = pending.data[2 * k],
      m = pending.data[2 * k + 1];
    if (n === m) {
      addRange(innerRanges, inner.list.start[n], inner.list.end[n]);
      addRange(leafRanges, leaf.list.start[n], leaf.list.end[n]);
    } else {
      pending.data[2 * kept] = n;
      pending.data[2 * kept++ + 1] = m;
    }
  }
  pending.count = kept;
}

/** One block of work. False when nothing is left. */
export function stepBatch(job: BatchWork): boolean {
  const { scratch } = job;
  if (job.leafCount > 0 && (job.stopAtFirst || job.leafCount + 4 * BLOCK + CHUNK > scratch.leafRoom)) {
    narrowLeaves(job, mayBeAdjacent(job));
    return true;
  }
  if (job.depth > 0) {
    expandBlock(job);
    return true;
  }
  if (readMore(job)) return true;
  narrowLeaves(job, mayBeAdjacent(job));
  return false;
}

/** Front pairs share no vertex, unless the front is coarse. Pending ones may. */
function mayBeAdjacent(job: BatchWork): boolean {
  return job.isSelf && (job.phase === PENDING || job.a.mesh.front.isCoarse);
}

/** What an interrupted query has not looked at. */
export function leaveBatch(job: Job): void {
  const { kernels, scratch, report, a } = job;
  const { u32 } = kernels.memory;
  const addList = (address: number, from: number, to: number) => {
    for (let k = from; k < to; k++) {
      report.addUnresolved(u32[(address >>> 2) + 2 * k], u32[(address >>> 2) + 2 * k + 1]);
    }
  };
  addList(scratch.leaves, 0, job.leafCount);
  addList(scratch.stack, 0, job.depth);
  if (job.isSelf) {
    const { inner, leaf } = a.mesh.front;
    const addRanges = (ranges: PairBuffer, address: number, phase: number) => {
      if (job.phase > phase) return;
      for (let r = job.phase === phase ? job.range : 0; r < ranges.count; r++) {
        const from = ranges.data[2 * r] + (job.phase === phase && r === job.range ? job.cursor : 0);
        addList(address, from, ranges.data[2 * r + 1]);
      }
    };
    addRanges(job.leafRanges, leaf.address, LEAF_FRONT);
    addRanges(job.innerRanges, inner.address, INNER_FRONT);
  }
  const { pending } = job;
  for (let k = job.phase === PENDING ? job.cursor : 0; k < pending.count; k++) {
    report.addUnresolved(pending.data[2 * k], pending.data[2 * k + 1]);
  }
}

export function endBatch({ a, b }: Job): void {
  if (b.boxes && b.boxes !== a.boxes) b.body.boxStore.release(b.boxes);
  if (a.boxes) a.body.boxStore.release(a.boxes);
  a.boxes = b.boxes = undefined;
}

/** Takes pairs from the stack, lets certificates have a look, and expands the rest. */
function expandBlock(job: BatchWork): void {
  const { kernels, scratch, a, b, counters } = job;
  const { counts } = scratch;
  // Single pairs go depth first and need no more than the reserve, so blocks leave that alone.
  const room = Math.floor((scratch.stackRoom - job.reserve - job.depth) / 3);
  let count = Math.min(job.stopAtFirst ? HASTY_BLOCK : BLOCK, job.depth, Math.max(1, room));
  job.depth -= count;
  const from = scratch.stack + 8 * job.depth;
  kernels.memory.u8.copyWithin(scratch.block, from, from + 8 * count);
  if (job.certificates.length > 0) count = filterBlock(job, count);
  const boxesA = a.boxes!,
    boxesB = b.boxes!;
  const leaves = scratch.leaves + 8 * job.leafCount;
  if (job.continuous) {
    kernels.expandMovingPairs(
      scratch.block,
      count,
      a.mesh.link,
      boxesA.address,
      boxesA.stride,
      b.mesh.link,
      boxesB.address,
      boxesB.stride,
      from,
      leaves,
      counts,
    );
  } else {
    kernels.expandPairs(
      scratch.block,
      count,
      a.mesh.link,
      boxesA.address,
      b.mesh.link,
      boxesB.address,
      from,
      leaves,
      counts,
    );
  }
  const { u32 } = kernels.memory;
  job.depth += u32[counts >>> 2];
  job.leafCount += u32[(counts >>> 2) + 1];
  counters.nodePairsTested += 4 * count;
}

function filterBlock(job: BatchWork, count: number): number {
  let kept = count;
  for (const certificate of job.certificates) {
    if (certificate.filter === undefined) continue;
    const { u32 } = job.kernels.memory;
    kept = certificate.filter(u32, job.scratch.block >>> 2, kept, job.exceptions);
  }
  job.counters.nodePairsCleared += count - kept;
  return kept;
}

/** Tests the next chunk of pairs that nobody has tested yet. False when there are none. */
function readMore(job: BatchWork): boolean {
  if (job.phase === LEAF_FRONT) {
    if (!job.isSelf || !readRange(job, job.leafRanges, job.a.mesh.front.leaf.address, true)) {
      job.phase = INNER_FRONT;
      job.range = job.cursor = 0;
    }
    return true;
  }
  if (job.phase === INNER_FRONT) {
    if (!job.isSelf || !readRange(job, job.innerRanges, job.a.mesh.front.inner.address, false)) {
      // The leaf list does not mix pairs that may share a vertex with others.
      narrowLeaves(job, mayBeAdjacent(job));
      job.phase = PENDING;
      job.range = job.cursor = 0;
    }
    return true;
  }
  return readPending(job);
}

/** A chunk of pairs: of one range, or of as many short ones. */
function readRange(job: BatchWork, ranges: PairBuffer, list: number, areLeaves: boolean): boolean {
  if (job.range >= ranges.count) return false;
  const { kernels, scratch, a } = job;
  const { counts, leaves } = scratch;
  const { address, stride } = a.boxes!;
  const { data } = ranges;
  let room = CHUNK;
  while (room > 0 && job.range < ranges.count) {
    const from = data[2 * job.range] + job.cursor;
    const count = Math.min(room, data[2 * job.range + 1] - from);
    const pairs = list + 8 * from,
      next = scratch.stack + 8 * job.depth,
      out = leaves + 8 * job.leafCount;
    if (job.continuous) {
      kernels.testMovingPairs(pairs, count, address, stride, address, stride, next, out, counts);
      job.depth += kernels.memory.u32[counts >>> 2];
      job.leafCount += kernels.memory.u32[(counts >>> 2) + 1];
    } else if (areLeaves) job.leafCount += kernels.testAlike(pairs, count, address, address, out);
    else job.depth += kernels.testAlike(pairs, count, address, address, next);
    job.cursor += count;
    room -= count;
    if (from + count < data[2 * job.range + 1]) break;
    job.range++;
    job.cursor = 0;
  }
  job.counters.nodePairsTested += CHUNK - room;
  return true;
}

function readPending(job: BatchWork): boolean {
  const { kernels, scratch, a, b, pending } = job;
  const count = Math.min(CHUNK, pending.count - job.cursor);
  if (count === 0) return false;
  const { u32 } = kernels.memory;
  for (let k = 0; k < 2 * count; k++) u32[(scratch.block >>> 2) + k] = pending.data[2 * job.cursor + k];
  // A motion or not: with strides of 0 this is the plain test.
  kernels.testMovingPairs(
    scratch.block,
    count,
    a.boxes!.address,
    a.boxes!.stride,
    b.boxes!.address,
    b.boxes!.stride,
    scratch.stack,
    scratch.leaves + 8 * job.leafCount,
    scratch.counts,
  );
  job.depth = u32[scratch.counts >>> 2];
  job.leafCount += u32[(scratch.counts >>> 2) + 1];
  job.cursor += count;
  job.counters.nodePairsTested += count;
  return true;
}

/** Ranges of the front that no certificate clears, in order and joined. */
function addUncleared(job: Job): void {
  const { certificates, innerRanges, leafRanges, a, nodeStack } = job;
  const { tree } = a.mesh;
  const inner = a.mesh.front.inner.list,
    leaf = a.mesh.front.leaf.list;
  const smallest = smallestProof(certificates),
    opened = smallestOpened(certificates);
  const asksAboutPairs = provesPairs(certificates);
  nodeStack.clear();
  nodeStack.push(ROOT, 0);
  while (nodeStack.count > 0) {
    const node = nodeStack.data[2 * --nodeStack.count];
    if (tree.slotCount[node] >= smallest && isCleared(job, node, node)) continue;
    if (tree.slotCount[node] < opened || tree.link[node] >= LEAF) {
      addRange(innerRanges, inner.start[node], inner.end[node]);
      addRange(leafRanges, leaf.start[node], leaf.end[node]);
      continue;
    }
    const child = tree.link[node];
    if (!asksAboutPairs || !isCleared(job, child, child + 1)) {
      addOwn(innerRanges, inner, node, child);
      addOwn(leafRanges, leaf, node, child);
    }
    nodeStack.push(child + 1, 0);
    nodeStack.push(child, 0);
  }
}

function provesPairs(certificates: readonly Certificate[]): boolean {
  for (const certificate of certificates) if (certificate.provesPairs ?? true) return true;
  return false;
}

/** Asks each certificate in turn; exceptions of a proof are noted. */
export function isCleared(job: Job, a: number, b: number): boolean {
  for (const certificate of job.certificates) {
    if (!certificate.clears(a, b)) continue;
    certificate.exceptions?.(a, b, job.exceptions);
    job.counters.nodePairsCleared++;
    return true;
  }
  return false;
}

function addOwn(ranges: PairBuffer, list: FrontList, node: number, child: number): void {
  addRange(ranges, list.start[node], list.start[child]);
}

function addRange(ranges: PairBuffer, from: number, to: number): void {
  if (from === to) return;
  const last = 2 * ranges.count - 1;
  if (last > 0 && ranges.data[last] === from) ranges.data[last] = to;
  else ranges.push(from, to);
}

/** False when the boxes of the two bodies are apart: then nothing can touch. */
function refitSides(job: Job): boolean {
  const { a, b, scratch, continuous, box, otherBox, frame } = job;
  measure(job, a, box);
  if (!job.isSelf) {
    measure(job, b, otherBox);
    for (let k = 0; k < 3; k++) {
      box[k] = Math.max(box[k], otherBox[k]);
      box[k + 3] = Math.min(box[k + 3], otherBox[k + 3]);
      if (box[k] > box[k + 3]) return false;
    }
  }
  setFrame(job.region ?? box, frame);
  const storeA = a.body.boxStore,
    storeB = b.body.boxStore;
  const before = storeA.refitted + storeB.refitted;
  a.boxes = storeA.acquire(a.source, frame, continuous, scratch);
  b.boxes = job.isSelf ? a.boxes : storeB.acquire(b.source, frame, continuous, scratch);
  const refitted = storeA.refitted + storeB.refitted - before;
  job.counters.volumesRefitted += storeA === storeB ? refitted / 2 : refitted;
  return true;
}

/** The box of all points of a side, in the whole motion if that is asked for. Remembered while the pose stays. */
export function measure(job: Job, { source, mesh, body }: Side, box: Float64Array): void {
  const swept = job.continuous && source.hasMotion;
  const { extent } = body;
  const { ends } = extent;
  if (extent.source !== source || extent.epoch !== source.epoch || extent.swept !== swept) {
    // A motion that goes on from the last one starts where that ended.
    if (swept && extent.swept && extent.source === source && extent.epoch === source.continuedEpoch)
      ends.reverse();
    else measureEnd(job, source, mesh.pointCount, 0, ends[0]);
    if (swept) measureEnd(job, source, mesh.pointCount, 1, ends[1]);
    extent.source = source;
    extent.epoch = source.epoch;
    extent.swept = swept;
  }
  const last = ends[swept ? 1 : 0];
  for (let k = 0; k < 3; k++) {
    box[k] = Math.min(ends[0][k], last[k]);
    box[3 + k] = Math.max(ends[0][3 + k], last[3 + k]);
  }
}

function measureEnd(
  { kernels, scratch }: Job,
  source: PointSource,
  count: number,
  end: MotionEnd,
  box: number[],
): void {
  source.ensureAll(end);
  kernels.pointBounds(source.address(end), count, scratch.bounds);
  const o = scratch.bounds >>> 3;
  for (let k = 0; k < 6; k++) box[k] = kernels.memory.f64[o + k];
}
