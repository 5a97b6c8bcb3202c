import type { Boxes64 } from '../body/body.ts';
import type { Job } from './job.ts';
import { narrowLeaves } from './narrow-phase.ts';
import type { Side } from './side.ts';

/** Pairs popped in one kernel call, so that budgets are noticed. */
const STEPS = 1 << 15;

/**
 * The classic method, kept as a fair baseline for the papers' figures: float64 boxes of all nodes, refitted
 * bottom-up, and a depth-first traversal of the two trees. It tries no certificates.
 */
export function beginDepthFirst(job: Job): void {
  refitBoxes(job, job.a);
  if (job.isSelf) job.b.boxes64 = job.a.boxes64;
  else refitBoxes(job, job.b);
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
    a.boxes64!.address,
    b.mesh.link,
    b.boxes64!.address,
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

export function endDepthFirst({ a, b }: Job): void {
  if (b.boxes64 && b.boxes64 !== a.boxes64) b.body.returnBoxes64(b.boxes64);
  if (a.boxes64) a.body.returnBoxes64(a.boxes64);
  a.boxes64 = b.boxes64 = undefined;
}

/** The box of a whole body, from a complete refit: what a classic broad phase begins with. */
export function measureClassically(job: Job, side: Side, box: Float64Array): void {
  const boxes = fitBoxes(job, side);
  const { f64 } = job.kernels.memory;
  for (let k = 0; k < 6; k++) box[k] = f64[(boxes.address >>> 3) + k];
  side.body.returnBoxes64(boxes);
}

function refitBoxes(job: Job, side: Side): void {
  side.boxes64 = fitBoxes(job, side);
}

/** Once per pose; a query inside another, in other coordinates, has boxes of its own. */
function fitBoxes(job: Job, { source, mesh, body }: Side): Boxes64 {
  const { kernels } = job;
  const swept = job.continuous && source.hasMotion;
  const boxes = body.borrowBoxes64(source, swept);
  source.ensureAll(0);
  if (swept) source.ensureAll(1);
  if (boxes.epoch === source.epoch) return boxes;
  const { link, corners, tree } = mesh;
  kernels.refitBoxes(tree.nodeCount, link, corners, source.address(0), boxes.address, 0);
  if (swept) kernels.refitBoxes(tree.nodeCount, link, corners, source.address(1), boxes.address, 1);
  boxes.epoch = source.epoch;
  job.report.counters.volumesRefitted += tree.nodeCount;
  return boxes;
}
