import { growByPoint, SMALL_NODE, setEmpty } from '../refit/aabb-free.ts';
import type { Job } from './job.ts';
import type { Side } from './side.ts';

/**
 * The box of a node on demand: its volume, or, for one that is too small to have a volume, the box of its points.
 * Says where it is: `side.nodeBox`, from element `side.nodeOffset` on.
 */
export function ensureBox(job: Job, side: Side, node: number): void {
  const bounds = side.bounds!;
  if (side.mesh.tree.slotCount[node] >= SMALL_NODE) {
    bounds.ensure(node);
    side.nodeBox = bounds.box;
    side.nodeOffset = bounds.stride * node;
    return;
  }
  ensurePoints(job, side, node);
  if (side.start.buffer !== job.kernels.memory.buffer) job.readPoints();
  const { tree, corners } = side.mesh;
  const { u32 } = job.kernels.memory;
  const first = (corners >>> 2) + 3 * tree.firstSlot[node];
  const { smallBox, start, end } = side;
  setEmpty(smallBox, 0);
  for (let c = first; c < first + 3 * tree.slotCount[node]; c++) {
    growByPoint(smallBox, 0, start, 3 * u32[c]);
    if (job.continuous) growByPoint(smallBox, 0, end, 3 * u32[c]);
  }
  side.nodeBox = smallBox;
  side.nodeOffset = 0;
}

/** Positions of all points under a node. */
export function ensurePoints(job: Job, { source, mesh }: Side, node: number): void {
  const { tree } = mesh;
  const first = (mesh.corners >>> 2) + 3 * tree.firstSlot[node];
  const last = first + 3 * tree.slotCount[node];
  for (let c = first; c < last; c++) {
    const point = job.kernels.memory.u32[c]; // evaluating one may allocate
    source.ensurePoint(0, point);
    if (job.continuous) source.ensurePoint(1, point);
  }
}
