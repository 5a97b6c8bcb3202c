import { LEAF } from '../kernels/kernels.ts';
import { SMALL_NODE } from '../refit/aabb-free.ts';
import { HandleBoxes } from '../refit/handle-boxes.ts';
import { MOST_SLOTS } from '../refit/small-pairs.ts';
import { areAdjacent } from '../tree/adjacent-slots.ts';
import { ROOT } from '../tree/tree.ts';
import { isCleared, smallestOpened, smallestProof } from './batch.ts';
import type { Job } from './job.ts';
import { hasLastHit, pushNeighbourhood } from './last-hit.ts';
import { narrowLeaves, testSlots } from './narrow-phase.ts';
import { ensureBox, ensurePoints } from './small-box.ts';

/** Node pairs looked at in one step, so that budgets are noticed. */
const STEPS = 64;
const KERNEL_STEPS = 256;
/** Room in the leaf list when the first hit will do: what is found there is looked at before going on. */
const HASTY_LEAVES = 32;
/** Pairs of small nodes in one step. */
const SMALL_STEPS = 64;
const HASTY_STEPS = 4;

/** Depth first with volumes and positions computed when they are needed: cost follows what happens. */
export function beginOnDemand(job: Job): void {
  beginVolumes(job);
  const { a, b, isSelf } = job;
  const boundsA = a.bounds,
    boundsB = b.bounds;
  if (job.hasOpenList) {
    pushOpen(job);
    return;
  }
  if (!(boundsA instanceof HandleBoxes && boundsB instanceof HandleBoxes)) return;
  for (const { provesPairs } of job.certificates) if (provesPairs !== false) return;
  job.runsInKernel = true;
  const isLocal = hasLastHit(job);
  boundsA.followFront(!isLocal);
  boundsB.followFront(!isLocal);
  if (isSelf) {
    if (job.certificates.length > 0) pushUncleared(job, boundsA);
    return;
  }
  // The kernels expect pairs that overlap, with boxes of this pose: also of the roots, which come after the surroundings
  // of the last hit.
  job.counters.nodePairsTested++;
  if (!boundsA.overlaps(0, boundsB, 0)) job.depth = 0;
  else if (isLocal) pushNeighbourhood(job, boundsA, boundsB);
}

/** The list in `pending`, in place of the root. */
function pushOpen(job: Job): void {
  const { pending, scratch, a } = job;
  scratch.ensureStack(pending.count + job.reserve);
  job.depth = 0;
  if (a.bounds instanceof HandleBoxes) pushInKernel(job, a.bounds);
  else for (let k = 0; k < pending.count; k++) pushOne(job, pending.data[2 * k], pending.data[2 * k + 1]);
  pending.clear();
}

/** Pairs of small nodes at the bottom, others above them, with their boxes. */
function pushInKernel(job: Job, bounds: HandleBoxes): void {
  const { pending, a, counters } = job;
  const { slotCount } = a.mesh.tree;
  job.runsInKernel = true;
  bounds.followFront(false); // only what is on the list is needed
  for (let k = 0; k < pending.count; k++) {
    const n = pending.data[2 * k],
      m = pending.data[2 * k + 1];
    if (areSmall(slotCount, n, m)) pushOne(job, n, m);
  }
  job.smallPairs = job.depth;
  if (job.depth === pending.count) return;
  for (let k = 0; k < pending.count; k++) {
    const n = pending.data[2 * k],
      m = pending.data[2 * k + 1];
    if (areSmall(slotCount, n, m)) continue;
    counters.nodePairsTested++;
    if (bounds.overlaps(n, bounds, m)) pushOne(job, n, m);
  }
}

function areSmall(slotCount: Uint32Array, n: number, m: number): boolean {
  return n !== m && slotCount[n] <= MOST_SLOTS && slotCount[m] <= MOST_SLOTS;
}

/** Nodes that no certificate clears, and pairs of siblings above them, in place of the root. */
function pushUncleared(job: Job, bounds: HandleBoxes): void {
  const { nodeStack, scratch, certificates } = job;
  const { tree } = job.a.mesh;
  const smallest = smallestProof(certificates),
    opened = smallestOpened(certificates);
  scratch.ensureStack(tree.nodeCount + job.reserve);
  job.depth = 0;
  nodeStack.clear();
  nodeStack.push(ROOT, 0);
  while (nodeStack.count > 0) {
    const node = nodeStack.data[2 * --nodeStack.count];
    if (tree.slotCount[node] >= smallest && isCleared(job, node, node)) continue;
    const child = tree.link[node];
    if (tree.slotCount[node] < opened || child >= LEAF) {
      pushOne(job, node, node);
      continue;
    }
    job.counters.nodePairsTested++;
    if (bounds.overlaps(child, bounds, child + 1)) pushOne(job, child, child + 1);
    nodeStack.push(child + 1, 0);
    nodeStack.push(child, 0);
  }
}

function pushOne(job: Job, n: number, m: number): void {
  const { u32 } = job.kernels.memory;
  const o = (job.scratch.stack >>> 2) + 2 * job.depth++;
  u32[o] = n;
  u32[o + 1] = m;
}

/** Volumes and positions on demand, and the two roots on the stack. */
export function beginVolumes(job: Job): void {
  const { a, b, isSelf, continuous, scratch } = job;
  a.bounds = isSelf ? a.body.getLocalBounds(continuous) : a.body.getWorldBounds(continuous);
  b.bounds = isSelf ? a.bounds : b.body.getWorldBounds(continuous);
  a.bounds.begin(continuous);
  if (!isSelf) b.bounds.begin(continuous);
  job.startCountingVolumes();
  job.runsInKernel = false;
  job.smallPairs = 0;
  job.readPoints();
  const { u32 } = job.kernels.memory;
  u32[scratch.stack >>> 2] = u32[(scratch.stack >>> 2) + 1] = 0;
  job.depth = 1;
}

export function stepOnDemand(job: Job): boolean {
  return job.runsInKernel ? stepInKernel(job) : stepHere(job);
}

/** The traversal in one call, until there is enough to look at for the narrow phase. */
function stepInKernel(job: Job): boolean {
  if (job.depth === 0) return false;
  const { a, b } = job;
  const boundsA = a.bounds as HandleBoxes,
    boundsB = b.bounds as HandleBoxes;
  const descends = job.depth > job.smallPairs;
  const isFull = descends ? descend(job, boundsA, boundsB) : testSmallPairs(job, boundsA);
  a.source.evaluated += boundsA.takeEvaluated();
  b.source.evaluated += boundsB.takeEvaluated();
  if (job.depth === 0) {
    narrowLeaves(job, job.isSelf);
    return false;
  }
  if (job.leafCount > 0 && (job.stopAtFirst || isFull)) narrowLeaves(job, job.isSelf);
  // What small pairs cost was known before, from how many they are.
  if (descends && job.isTooMuch && !job.isCancelled) changeOver(job);
  return true;
}

/** True when the leaf list is full. */
function descend(job: Job, boundsA: HandleBoxes, boundsB: HandleBoxes): boolean {
  const { kernels, scratch } = job;
  const leafRoom = job.stopAtFirst ? HASTY_LEAVES : scratch.leafRoom;
  kernels.descendOnDemand(
    boundsA.side,
    boundsB.side,
    scratch.stack + 8 * job.smallPairs,
    job.depth - job.smallPairs,
    scratch.leaves + 8 * job.leafCount,
    leafRoom - job.leafCount,
    KERNEL_STEPS,
    job.isSelf ? 1 : 0,
    scratch.counts,
  );
  job.depth = job.smallPairs + takeCounts(job);
  return job.leafCount === leafRoom;
}

/** The same of pairs of small nodes, where it is full before the next one has no room. */
function testSmallPairs(job: Job, bounds: HandleBoxes): boolean {
  const { kernels, scratch } = job;
  bounds.beginSmallPairs();
  kernels.testSmallPairs(
    bounds.side,
    scratch.stack,
    job.depth,
    scratch.leaves + 8 * job.leafCount,
    scratch.leafRoom - job.leafCount,
    job.stopAtFirst ? HASTY_STEPS : SMALL_STEPS,
    scratch.counts,
  );
  job.depth = job.smallPairs = takeCounts(job);
  return job.leafCount > scratch.leafRoom - MOST_SLOTS * MOST_SLOTS;
}

/** What a kernel has found and done; returns how much is left on its stack. */
function takeCounts(job: Job): number {
  const { u32 } = job.kernels.memory;
  const o = job.scratch.counts >>> 2;
  job.leafCount += u32[o + 1];
  job.counters.nodePairsTested += u32[o + 2];
  return u32[o];
}

function stepHere(job: Job): boolean {
  const { a, b, isSelf } = job;
  const treeA = a.mesh.tree,
    treeB = b.mesh.tree;
  const stack = job.scratch.stack >>> 2;
  for (let step = 0; step < STEPS; step++) {
    if (job.depth === 0) return false;
    if (job.isCancelled) return true;
    job.depth--;
    const { u32 } = job.kernels.memory;
    const n = u32[stack + 2 * job.depth],
      m = u32[stack + 2 * job.depth + 1];
    const countN = treeA.slotCount[n],
      countM = treeB.slotCount[m];
    if (isSelf && isCleared(job, n, m)) continue;
    if (isSelf && n === m) {
      if (countN < SMALL_NODE) testInside(job, n);
      else pushSelf(job, treeA.link[n]);
      continue;
    }
    const skipsN = a.bounds!.skips?.(n) === true;
    if (skipsN || b.bounds!.skips?.(m)) {
      if (skipsN) push(job, treeA.link[n], m, treeA.link[n] + 1, m);
      else push(job, n, treeB.link[m], n, treeB.link[m] + 1);
      continue;
    }
    job.report.counters.nodePairsTested++;
    if (areNodesApart(job, n, m)) continue;
    if (countN < SMALL_NODE && countM < SMALL_NODE) testAcross(job, n, m);
    else if (countN >= countM) push(job, treeA.link[n], m, treeA.link[n] + 1, m);
    else push(job, n, treeB.link[m], n, treeB.link[m] + 1);
  }
  if (job.isTooMuch) changeOver(job);
  return true;
}

export function leaveOnDemand(job: Job): void {
  const { u32 } = job.kernels.memory;
  const leaves = job.scratch.leaves >>> 2;
  for (let k = 0; k < job.leafCount; k++)
    job.report.addUnresolved(u32[leaves + 2 * k], u32[leaves + 2 * k + 1]);
  const o = job.scratch.stack >>> 2;
  for (let k = 0; k < job.depth; k++) job.report.addUnresolved(u32[o + 2 * k], u32[o + 2 * k + 1]);
}

/** What is on the stack becomes the batch path's list. */
function changeOver(job: Job): void {
  narrowLeaves(job, job.isSelf);
  job.pending.clear();
  job.pending.pushAll(job.kernels.memory.u32, job.scratch.stack >>> 2, job.depth);
  job.depth = job.smallPairs = 0;
  job.changeToBatch('this query looked at many nodes');
}

export function pushSelf(job: Job, child: number): void {
  const { u32 } = job.kernels.memory;
  push(job, child, child + 1, child + 1, child + 1);
  const o = (job.scratch.stack >>> 2) + 2 * job.depth++;
  u32[o] = u32[o + 1] = child;
}

export function push(job: Job, a: number, b: number, c: number, d: number): void {
  const { u32 } = job.kernels.memory;
  const o = (job.scratch.stack >>> 2) + 2 * job.depth;
  u32[o] = a;
  u32[o + 1] = b;
  u32[o + 2] = c;
  u32[o + 3] = d;
  job.depth += 2;
}

function areNodesApart(job: Job, n: number, m: number): boolean {
  const { a, b } = job;
  if (a.mesh.tree.slotCount[n] >= SMALL_NODE && b.mesh.tree.slotCount[m] >= SMALL_NODE) {
    const answer = a.bounds!.areApart?.(n, b.bounds!, m);
    if (answer !== undefined) return answer;
  }
  ensureBox(job, a, n);
  ensureBox(job, b, m);
  return areApart(a.nodeBox, a.nodeOffset, b.nodeBox, b.nodeOffset);
}

function areApart(boxA: Boxes, a: number, boxB: Boxes, b: number): boolean {
  return (
    boxA[a] > boxB[b + 3] ||
    boxB[b] > boxA[a + 3] ||
    boxA[a + 1] > boxB[b + 4] ||
    boxB[b + 1] > boxA[a + 4] ||
    boxA[a + 2] > boxB[b + 5] ||
    boxB[b + 2] > boxA[a + 5]
  );
}

type Boxes = Float32Array | Float64Array;

function testInside(job: Job, node: number): void {
  const { tree } = job.a.mesh;
  const first = tree.firstSlot[node],
    last = first + tree.slotCount[node];
  ensurePoints(job, job.a, node);
  for (let s = first; s < last; s++) for (let t = s + 1; t < last; t++) testPair(job, s, t);
  noteInterruption(job, node, node);
}

function testAcross(job: Job, n: number, m: number): void {
  const { a, b } = job;
  const treeA = a.mesh.tree,
    treeB = b.mesh.tree;
  const endA = treeA.firstSlot[n] + treeA.slotCount[n],
    endB = treeB.firstSlot[m] + treeB.slotCount[m];
  ensurePoints(job, a, n);
  ensurePoints(job, b, m);
  for (let s = treeA.firstSlot[n]; s < endA; s++) {
    for (let t = treeB.firstSlot[m]; t < endB; t++) testPair(job, s, t);
  }
  noteInterruption(job, n, m);
}

function testPair(job: Job, s: number, t: number): void {
  if (job.isCancelled) return;
  if (job.isSelf && areAdjacent(job.kernels.memory.u32, job.a.mesh.corners >>> 2, s, t)) return;
  job.report.counters.trianglePairsTested++;
  testSlots(job, s, t);
}

/** Some triangle pairs of these nodes may not have been looked at. */
export function noteInterruption(job: Job, n: number, m: number): void {
  if (job.isCancelled && !job.stopAtFirst) job.report.addUnresolved(n, m);
}
