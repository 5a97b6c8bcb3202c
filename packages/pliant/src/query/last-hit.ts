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

/** True when the pair that touched the last time does so again: then there is nothing else to do. */
export function triesLastHit(job: Job): boolean {
  const { a, b, isSelf, continuous } = job;
  const { lastHit } = a.body;
  if (isSelf || continuous || lastHit.other?.deref() !== b.body) return false;
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
