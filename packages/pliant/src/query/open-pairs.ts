import type { Job } from './job.ts';

/** A list with more than this share of the triangles is no shorter than asking about nodes. */
const MOST_SHARE = 0.25;
const ALWAYS = 64;

/** Puts into `pending` what is left to look at, when a certificate can say so at once. */
export function listOpenPairs(job: Job): boolean {
  const { pending, exceptions, certificates, counters } = job;
  const most = Math.max(ALWAYS, Math.floor(MOST_SHARE * job.a.mesh.tree.order.length));
  for (const certificate of certificates) {
    if (certificate.listOpen === undefined) continue;
    pending.clear();
    const before = exceptions.count;
    if (certificate.listOpen(pending, exceptions, most)) {
      counters.nodePairsCleared++;
      return true;
    }
    exceptions.count = before;
  }
  pending.clear();
  return false;
}
