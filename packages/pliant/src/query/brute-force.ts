import { areAdjacent } from '../tree/adjacent-slots.ts';
import type { Job } from './job.ts';
import { testSlots } from './narrow-phase.ts';

/** Every pair of triangles, a row per step. Shares nothing with the other methods but the exact test. */
export function stepBruteForce(job: Job): boolean {
  const { a, b, kernels } = job;
  const row = job.cursor++;
  if (row >= a.mesh.mesh.triangleCount) return false;
  if (row === 0) {
    ensureAll(job);
    job.readPoints();
  }
  for (let slot = job.isSelf ? row + 1 : 0; slot < b.mesh.mesh.triangleCount && !job.isCancelled; slot++) {
    const { u32 } = kernels.memory;
    if (job.isSelf && areAdjacent(u32, a.mesh.corners >>> 2, row, slot)) continue;
    job.report.counters.trianglePairsTested++;
    testSlots(job, row, slot);
  }
  if (job.isCancelled && !job.stopAtFirst) job.addUnresolved(0, 0);
  return true;
}

function ensureAll({ a, b, continuous }: Job): void {
  a.source.ensureAll(0);
  b.source.ensureAll(0);
  if (!continuous) return;
  a.source.ensureAll(1);
  b.source.ensureAll(1);
}
