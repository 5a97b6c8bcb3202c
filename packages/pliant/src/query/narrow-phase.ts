import { boundOfPoints } from '../kernels/bound-of-points.ts';
import { LEAF, SLOT } from '../kernels/kernels.ts';
import { adjacentTrianglesOverlap } from '../narrow/fold-over.ts';
import { findLaterContact } from '../narrow/moving-triangles.ts';
import { filterTriangles, MEET, UNKNOWN } from '../narrow/triangle-filter.ts';
import { trianglesIntersectExactly } from '../narrow/triangle-triangle.ts';
import { areAdjacent } from '../tree/adjacent-slots.ts';
import { leafOfSlot, ROOT } from '../tree/tree.ts';
import type { BatchWork, WorkSide } from './batch.ts';
import type { Job } from './job.ts';

/** Works off the leaf list: proven contacts and the few that need exact arithmetic go into the report. */
export function narrowLeaves(job: BatchWork & Partial<Pick<Job, 'onPair'>>, mayBeAdjacent: boolean): void {
  const { kernels, scratch, a, b, counters } = job;
  let count = job.leafCount;
  job.leafCount = 0;
  if (mayBeAdjacent && count > 0) {
    count = kernels.dropAdjacent(scratch.leaves, count, a.mesh.link, a.mesh.corners);
  }
  if (count === 0) return;
  counters.trianglePairsTested += count;
  if (job.continuous) {
    testLeafPairs(job, scratch.leaves, dropSeparated(job, scratch.leaves, count, a.mesh.link, b.mesh.link));
    return;
  }
  const bound = boundFor(job, count);
  kernels.narrowPairs(
    scratch.leaves,
    count,
    a.mesh.link,
    a.mesh.corners,
    a.source.address(0),
    b.mesh.link,
    b.mesh.corners,
    b.source.address(0),
    bound,
    scratch.hits,
    scratch.unsure,
    scratch.counts,
  );
  let { u32 } = kernels.memory;
  const hits = u32[scratch.counts >>> 2],
    unsure = u32[(scratch.counts >>> 2) + 1];
  for (let k = 0; k < hits; k++) {
    if (job.onPair !== undefined) u32 = kernels.memory.u32; // it may have run a query that grew the memory
    const o = (scratch.hits >>> 2) + 2 * k;
    if (job.isCancelled) job.addUnresolved(u32[o], u32[o + 1]);
    else job.add(slotOf(u32, a, u32[o]), slotOf(u32, b, u32[o + 1]), 0);
  }
  testLeafPairs(job, scratch.unsure, unsure);
}

/** Many triangles that come close in a motion are apart in each half of it, or in each quarter. */
const LEVELS = 2;

function dropSeparated(
  { kernels, scratch, a, b }: BatchWork,
  pairs: number,
  count: number,
  linkA: number,
  linkB: number,
): number {
  return kernels.dropSeparated(
    pairs,
    count,
    linkA,
    a.mesh.corners,
    a.source.address(0),
    a.source.address(1),
    linkB,
    b.mesh.corners,
    b.source.address(0),
    b.source.address(1),
    LEVELS,
    scratch.hits,
  );
}

/** Infinity, which decides nothing, where the bound is not worth its price; the kernels in TypeScript do without. */
function boundFor(job: BatchWork, pairCount: number): number {
  const { kernels, scratch, a, b } = job;
  if (a.start.buffer !== kernels.memory.buffer) job.readPoints(); // views of memory that has grown have no length
  const countA = a.start.length / 3,
    countB = b.start.length / 3;
  if (kernels.name === 'ts' || countA + countB > MOST_POINTS_PER_PAIR * pairCount) return Infinity;
  // The list of unsure pairs is not in use yet.
  return boundOfPoints(kernels, a.source.address(0), countA, b.source.address(0), countB, scratch.unsure);
}

/** Looked at for each pair that is tested: a few nanoseconds. */
const MOST_POINTS_PER_PAIR = 8;

/** What is left of the list when a callback says stop is unresolved. */
function testLeafPairs(job: BatchWork, list: number, count: number): void {
  for (let k = 0; k < count; k++) {
    const { u32 } = job.kernels.memory;
    const o = (list >>> 2) + 2 * k;
    if (job.isCancelled) job.addUnresolved(u32[o], u32[o + 1]);
    else testExactly(job, slotOf(u32, job.a, u32[o]), slotOf(u32, job.b, u32[o + 1]));
  }
}

function slotOf(u32: Uint32Array, side: WorkSide, leaf: number): number {
  return u32[(side.mesh.link >>> 2) + leaf] & SLOT;
}

/** Exact test of two triangles, given as slots, whose points have been ensured. */
export function testSlots(job: BatchWork, slotA: number, slotB: number): void {
  if (job.continuous) {
    const { unsure } = job.scratch;
    const { u32 } = job.kernels.memory;
    const o = unsure >>> 2;
    u32[o] = u32[o + 1] = 0; // a pair of leaves, each the first one of its list
    u32[o + 2] = slotA;
    u32[o + 3] = slotB;
    if (dropSeparated(job, unsure, 1, unsure + 8, unsure + 12) === 0) return;
  }
  testExactly(job, slotA, slotB);
}

/** The same for those that no direction separates, and for those that share a vertex: whether they meet beyond it. */
function testExactly(job: BatchWork, slot: number, other: number, isFold = false): void {
  if (job.a.start.buffer !== job.kernels.memory.buffer) job.readPoints();
  // Always the lower slot first: the last bits of a time may depend on it.
  const isInOrder = !job.isSelf || slot < other;
  const slotA = isInOrder ? slot : other,
    slotB = isInOrder ? other : slot;
  const { a, b, contactScratch } = job;
  const { u32 } = job.kernels.memory;
  const ca = (a.mesh.corners >>> 2) + 3 * slotA,
    cb = (b.mesh.corners >>> 2) + 3 * slotB;
  const a0 = 3 * u32[ca],
    a1 = 3 * u32[ca + 1],
    a2 = 3 * u32[ca + 2];
  const b0 = 3 * u32[cb],
    b1 = 3 * u32[cb + 1],
    b2 = 3 * u32[cb + 2];
  if (isFold) {
    if (adjacentTrianglesOverlap(a.start, a0, a1, a2, b0, b1, b2)) job.add(slotA, slotB, 0);
    return;
  }
  const filtered = filterTriangles(a.start, a0, a1, a2, b.start, b0, b1, b2);
  const isOpen = filtered === UNKNOWN;
  const isStart = isOpen
    ? trianglesIntersectExactly(a.start, a0, a1, a2, b.start, b0, b1, b2)
    : filtered === MEET;
  const fallbacks = contactScratch.exactFallbacks;
  const isLater =
    !isStart &&
    job.continuous &&
    findLaterContact(a.start, a.end, a0, a1, a2, b.start, b.end, b0, b1, b2, contactScratch);
  if (isOpen || contactScratch.exactFallbacks > fallbacks) job.counters.exactTests++;
  if (isStart || isLater) job.add(slotA, slotB, isStart ? 0 : contactScratch.time[0]);
}

/** Triangle pairs that certificates left to us, when the query did not get to them. */
export function leaveExceptions({ exceptions, a, report }: Job): void {
  const { tree, slotOfTriangle } = a.mesh;
  for (let k = 0; k < exceptions.count; k++) {
    const i = exceptions.data[2 * k],
      j = exceptions.data[2 * k + 1];
    report.addUnresolved(leafOfSlot(tree, slotOfTriangle[i]), leafOfSlot(tree, slotOfTriangle[j]));
  }
}

/** Triangle pairs that certificates left to us. */
export function testExceptions(job: Job): void {
  const { exceptions, a } = job;
  if (exceptions.count === 0) return;
  const slots = a.mesh.slotOfTriangle;
  a.source.ensureAll(0);
  if (job.continuous) a.source.ensureAll(1);
  job.readPoints();
  job.report.counters.trianglePairsTested += exceptions.count;
  for (let k = 0; k < exceptions.count; k++) {
    if (job.isCancelled) {
      if (!job.stopAtFirst) leaveExceptions(job); // all of them: a superset will do
      return;
    }
    const s = slots[exceptions.data[2 * k]],
      t = slots[exceptions.data[2 * k + 1]];
    const { u32 } = job.kernels.memory;
    if (!areAdjacent(u32, a.mesh.corners >>> 2, s, t)) testSlots(job, s, t);
  }
}

/** Triangles that share a vertex and meet beyond it. */
export function testFolds(job: Job): void {
  const { a } = job;
  const { mesh, tree } = a.mesh;
  const { adjacency, triangles } = mesh;
  const slots = a.mesh.slotOfTriangle;
  const labels = labelUnfolded(job);
  a.source.ensureAll(0);
  job.readPoints();
  for (let slot = 0; slot < tree.order.length; slot++) {
    if (job.isCancelled) {
      if (!job.stopAtFirst) job.report.addUnresolved(0, 0);
      return;
    }
    const i = tree.order[slot];
    for (let corner = 0; corner < 3; corner++) {
      const v = triangles[3 * i + corner];
      for (let k = adjacency.start[v]; k < adjacency.start[v + 1]; k++) {
        const j = adjacency.list[k];
        if (labels && labels[slot] !== 0 && labels[slot] === labels[slots[j]]) continue;
        if (j <= i || firstSharedCorner(triangles, i, j) !== corner) continue; // each pair once
        job.report.counters.trianglePairsTested++;
        testExactly(job, slot, slots[j], true);
      }
    }
  }
}

/**
 * Per slot the largest node around it within which nothing is folded, plus 1; 0: none. Undefined when no certificate knows
 * of any.
 */
function labelUnfolded(job: Job): Uint32Array | undefined {
  const prover = job.certificates.find(({ provesFolds }) => provesFolds === true);
  if (prover === undefined) return undefined;
  const { firstSlot, slotCount, link, order } = job.a.mesh.tree;
  if (job.foldLabels.length < order.length) job.foldLabels = new Uint32Array(order.length);
  const labels = job.foldLabels.fill(0, 0, order.length);
  const { nodeStack } = job;
  nodeStack.clear();
  nodeStack.push(ROOT, 0);
  while (nodeStack.count > 0) {
    const node = nodeStack.data[2 * --nodeStack.count];
    if (prover.clearsFolds!(node)) labels.fill(node + 1, firstSlot[node], firstSlot[node] + slotCount[node]);
    else if (link[node] < LEAF && slotCount[node] > (prover.smallest ?? 1)) {
      nodeStack.push(link[node], 0);
      nodeStack.push(link[node] + 1, 0);
    }
  }
  return labels;
}

function firstSharedCorner(triangles: Uint32Array, i: number, j: number): number {
  for (let corner = 0; corner < 3; corner++) {
    const v = triangles[3 * i + corner];
    if (triangles[3 * j] === v || triangles[3 * j + 1] === v || triangles[3 * j + 2] === v) return corner;
  }
  return -1;
}
