import type { HandleBoxes } from '../refit/handle-boxes.ts';
import { ROOT, type Tree } from '../tree/tree.ts';
import type { Job } from './job.ts';
import { testSlots } from './narrow-phase.ts';

/** Notes two touching slots, to be looked at first the next time. */
export function rememberHit({ a, b, isSelf, continuous }: Job, slotA: number, slotB: number): void {
  if (isSelf || continuous) return;
  const { lastHit } = a.body;
  if (lastHit.other?.deref() !== b.body) lastHit.other = new WeakRef(b.body);
  lastHit.slot = slotA;
  lastHit.otherSlot = slotB;
}

/** Nothing touches: there is no place to begin with the next time. */
export function forgetHit({ a, b }: Job): void {
  const { lastHit } = a.body;
  if (lastHit.other?.deref() === b.body) lastHit.other = undefined;
}

/** True when the last query of this kind about these two bodies found something. */
export function hasLastHit({ a, b, isSelf, continuous, stopAtFirst }: Job): boolean {
  return stopAtFirst && !isSelf && !continuous && a.body.lastHit.other?.deref() === b.body;
}

/** Triangles around the last hit that are looked at before the rest. */
const NEIGHBOURHOOD = 64;

/** Puts the surroundings of the last hit on the stack: bodies that move a little touch a little further on. */
export function pushNeighbourhood(job: Job, boundsA: HandleBoxes, boundsB: HandleBoxes): void {
  const { lastHit } = job.a.body;
  const n = nodeAround(job.a.mesh.tree, lastHit.slot),
    m = nodeAround(job.b.mesh.tree, lastHit.otherSlot);
  job.counters.nodePairsTested++;
  if (!boundsA.overlaps(n, boundsB, m)) return;
  const { u32 } = job.kernels.memory;
  const o = (job.scratch.stack >>> 2) + 2 * job.depth++;
  u32[o] = n;
  u32[o + 1] = m;
}

/** The largest node of at most NEIGHBOURHOOD triangles that holds a slot. */
function nodeAround({ link, firstSlot, slotCount }: Tree, slot: number): number {
  let node = ROOT;
  while (slotCount[node] > NEIGHBOURHOOD) node = link[node] + (slot >= firstSlot[link[node] + 1] ? 1 : 0);
  return node;
}

/** True when the pair that touched the last time does so again: then there is nothing else to do. */
export function triesLastHit(job: Job): boolean {
  if (!hasLastHit(job)) return false;
  const { lastHit } = job.a.body;
  ensureSlot(job, 'a', lastHit.slot);
  ensureSlot(job, 'b', lastHit.otherSlot);
  job.readPoints();
  job.counters.trianglePairsTested++;
  testSlots(job, lastHit.slot, lastHit.otherSlot);
  if (!job.isCancelled) return false;
  job.report.reason = 'the pair that touched last';
  job.startCountingVolumes();
  job.runsInKernel = false;
  job.depth = 0;
  return true;
}

function ensureSlot(job: Job, which: 'a' | 'b', slot: number): void {
  const { mesh, source } = job[which];
  for (let k = 0; k < 3; k++)
    source.ensurePoint(0, job.kernels.memory.u32[(mesh.corners >>> 2) + 3 * slot + k]);
}
