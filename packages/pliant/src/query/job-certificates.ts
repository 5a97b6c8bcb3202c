import type { Body } from '../body/body.ts';
import { type Certificate, checkCertificates, NO_CERTIFICATES } from '../cull/certificate.ts';
import { InputError } from '../mesh/input-error.ts';
import type { Job } from './job.ts';

/** A list with more than this share of the triangles is no shorter than asking about nodes. */
const MOST_SHARE = 0.25;
const ALWAYS = 64;

/**
 * Puts into `pending` what is left to look at, when a certificate can say so at once. One that could but does not has
 * nothing to say about this pose: it is not asked about nodes either.
 */
export function listOpenPairs(job: Job): boolean {
  const { pending, exceptions, certificates, counters } = job;
  const most = Math.max(ALWAYS, Math.floor(MOST_SHARE * job.a.mesh.tree.order.length));
  let silent = 0;
  for (const certificate of certificates) {
    if (certificate.listOpen === undefined) continue;
    pending.clear();
    const before = exceptions.count;
    if (certificate.listOpen(pending, exceptions, most)) {
      counters.nodePairsCleared++;
      return true;
    }
    exceptions.count = before;
    silent++;
  }
  pending.clear();
  if (silent === certificates.length) job.certificates = NO_CERTIFICATES;
  else if (silent > 0) job.certificates = certificates.filter(({ listOpen }) => listOpen === undefined);
  return false;
}

/** Puts into the ranges what is left of the static front, when the only certificate can say so at once. */
export function listOpenFront(job: Job): boolean {
  const { certificates, innerRanges, leafRanges, exceptions, counters } = job;
  if (certificates.length !== 1 || certificates[0].listFront === undefined) return false;
  if (!certificates[0].listFront(innerRanges, leafRanges, exceptions)) return false;
  counters.nodePairsCleared++;
  return true;
}

/** True when the only certificate may know what is left before any box has been fitted. */
export function canFitParts({ isSelf, certificates, region }: Job): boolean {
  return isSelf && region === undefined && certificates.length === 1 && certificates[0].fitOpen !== undefined;
}

/** Lists what it leaves open, with the boxes that this needs, in the cells of `frame`. False when there is no list. */
export function fitOpenParts(job: Job): boolean {
  const { a, b, certificates, continuous, frame, scratch, counters } = job;
  const store = a.body.boxStore;
  if (store.holds(a.source, frame, continuous) || certificates[0].mayFit?.() === false) return false;
  job.boxes = a.boxes = b.boxes = store.acquireBlank(a.source, continuous); // given back at the end of the query
  const answer = certificates[0].fitOpen!(job);
  if (answer === 'nothing') {
    store.release(job.boxes);
    a.boxes = b.boxes = undefined;
    return false;
  }
  if (answer === 'all') {
    store.fit(job.boxes, a.source, frame, continuous, scratch);
    counters.volumesRefitted += a.mesh.tree.nodeCount;
  }
  counters.nodePairsCleared++;
  return true;
}

/** Those that were asked for, or else the body's own; they have been checked. */
export function certificatesFor(
  asked: readonly Certificate[] | undefined,
  body: Body,
  isSelf: boolean,
): readonly Certificate[] {
  if (asked === undefined) return isSelf ? body.certificates : NO_CERTIFICATES;
  if (!isSelf && asked?.length > 0) {
    throw new InputError('bad-option', 'certificates speak of one body touching itself');
  }
  checkCertificates(asked, body);
  return asked;
}
