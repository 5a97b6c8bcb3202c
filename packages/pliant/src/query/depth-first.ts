import type { Job, Side } from './job.ts';
import { narrowLeaves } from './narrow-phase.ts';

/** Pairs popped in one kernel call, so that budgets are noticed. */
const STEPS = 1 << 15;

/**
 * The classic method, kept as a fair baseline for the papers' figures: float64 boxes of all nodes, refitted
 * bottom-up, and a depth-first traversal of the two trees. It tries no certificates.
 */
export function beginDepthFirst(job: Job): void {
  refitBoxes(job, job.a);
  if (!job.isSelf) refitBoxes(job, job.b);
  job.readPoints();
  const { u32 } = job.kernels.memory;
  u32[job.scratch.stack >>> 2] = u32[(job.scratch.stack >>> 2) + 1] = 0;
  job.depth = 1;
}

export function stepDepthFirst(job: Job): boolean {
  if (job.depth === 0) return false;
  const { kernels, scratch, a, b, report } = job;
  const { counts } = scratch;
  kernels.descend(
    scratch.stack,
    job.depth,
    a.mesh.link,
    a.body.boxes64,
    b.mesh.link,
    b.body.boxes64,
    scratch.leaves,
    job.stopAtFirst ? 1 : scratch.leafRoom,
    STEPS,
    job.isSelf ? 1 : 0,
    counts,
  );
  const { u32 } = kernels.memory;
  job.depth = u32[counts >>> 2];
  job.leafCount = u32[(counts >>> 2) + 1];
  report.counters.nodePairsTested += u32[(counts >>> 2) + 2];
  narrowLeaves(job, job.isSelf);
  return true;
}

export function leaveDepthFirst(job: Job): void {
  const { u32 } = job.kernels.memory;
  const o = job.scratch.stack >>> 2;
  for (let k = 0; k < job.depth; k++) job.report.addUnresolved(u32[o + 2 * k], u32[o + 2 * k + 1]);
}

function refitBoxes(job: Job, { source, mesh, body }: Side): void {
  const { kernels } = job;
  const { link, corners, tree } = mesh;
  source.ensureAll(0);
  kernels.refitBoxes(tree.nodeCount, link, corners, source.address(0), body.boxes64, 0);
  if (job.continuous && source.hasMotion) {
    source.ensureAll(1);
    kernels.refitBoxes(tree.nodeCount, link, corners, source.address(1), body.boxes64, 1);
  }
  job.report.counters.volumesRefitted += tree.nodeCount;
}
