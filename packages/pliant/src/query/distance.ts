import { triangleDistance, triangleDistanceLowerBound } from '../narrow/triangle-distance.ts';
import { SMALL_NODE } from '../refit/aabb-free.ts';
import { areAdjacent } from '../tree/adjacent-slots.ts';
import type { Job } from './job.ts';
import { beginVolumes, noteInterruption, push, pushSelf } from './on-demand.ts';
import { ensureBox, ensurePoints } from './small-box.ts';

/** Node pairs looked at in one step, so that budgets are noticed. */
const STEPS = 64;

/** The closest pair found so far; ties go to the lowest triangle ids, so the answer depends on no order. */
export interface Closest {
  distance: number;
  i: number;
  j: number;
  readonly points: Float64Array; // on i, then on j
}

/** How a job looks for distances. It is told by those who ask for them, so that others do not carry it. */
export interface DistanceSearch {
  begin(job: Job, reach: number): void;
  /** False when nothing is left to do. */
  step(job: Job): boolean;
}

/**
 * Distances by depth-first search with volumes on demand, nearer children first. A node pair is left aside when
 * its boxes are farther apart than `job.reach`: the limit of a "closer than d" query, or the best distance so
 * far of a nearest query, which shrinks.
 */
export const DISTANCES: DistanceSearch = { begin: beginDistance, step: stepDistance };

function beginDistance(job: Job, reach: number): void {
  job.reach = reach;
  const { closest } = job;
  closest.distance = Infinity;
  closest.i = closest.j = -1;
  beginVolumes(job);
}

function stepDistance(job: Job): boolean {
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
    if (isSelf && n === m) {
      if (countN < SMALL_NODE) measureNodes(job, n, n);
      else pushSelf(job, treeA.link[n]);
      continue;
    }
    job.report.counters.nodePairsTested++;
    if (distanceLowerBound(job, n, m) > job.reach) continue;
    if (countN < SMALL_NODE && countM < SMALL_NODE) measureNodes(job, n, m);
    else if (countN >= countM) pushNearerLast(job, treeA.link[n], m, treeA.link[n] + 1, m);
    else pushNearerLast(job, n, treeB.link[m], n, treeB.link[m] + 1);
  }
  return true;
}

/** The nearer pair is looked at first: it makes `reach` shrink early. */
function pushNearerLast(job: Job, a: number, b: number, c: number, d: number): void {
  if (distanceLowerBound(job, a, b) < distanceLowerBound(job, c, d)) push(job, c, d, a, b);
  else push(job, a, b, c, d);
}

/**
 * Distance of two boxes, rounded down by more than the relative error 1e-12 of triangleDistance, so that a pair is
 * never left aside that would have measured within reach.
 */
function distanceLowerBound(job: Job, n: number, m: number): number {
  const { a, b } = job;
  ensureBox(job, a, n);
  ensureBox(job, b, m);
  const { nodeBox: boxA, nodeOffset: o } = a;
  const { nodeBox: boxB, nodeOffset: r } = b;
  const x = Math.max(boxA[o] - boxB[r + 3], boxB[r] - boxA[o + 3], 0);
  const y = Math.max(boxA[o + 1] - boxB[r + 4], boxB[r + 1] - boxA[o + 4], 0);
  const z = Math.max(boxA[o + 2] - boxB[r + 5], boxB[r + 2] - boxA[o + 5], 0);
  return Math.sqrt(x * x + y * y + z * z) * ROUND_DOWN;
}

const ROUND_DOWN = 1 - 1e-11;

function measureNodes(job: Job, n: number, m: number): void {
  const { a, b } = job;
  const treeA = a.mesh.tree,
    treeB = b.mesh.tree;
  const endA = treeA.firstSlot[n] + treeA.slotCount[n],
    endB = treeB.firstSlot[m] + treeB.slotCount[m];
  const isInside = job.isSelf && n === m;
  ensurePoints(job, a, n);
  if (!isInside) ensurePoints(job, b, m);
  for (let s = treeA.firstSlot[n]; s < endA; s++) {
    for (let t = isInside ? s + 1 : treeB.firstSlot[m]; t < endB; t++) measureSlots(job, s, t);
  }
  noteInterruption(job, n, m);
}

function measureSlots(job: Job, slotA: number, slotB: number): void {
  const { a, b, closest, report, witnesses } = job;
  const { u32 } = job.kernels.memory;
  if (job.isCancelled || (job.isSelf && areAdjacent(u32, a.mesh.corners >>> 2, slotA, slotB))) return;
  if (a.start.buffer !== job.kernels.memory.buffer) job.readPoints();
  // Always the lower triangle first: the last bits of a distance may depend on it.
  const isTurned = job.isSelf && a.mesh.tree.order[slotB] < a.mesh.tree.order[slotA];
  const s = isTurned ? slotB : slotA,
    t = isTurned ? slotA : slotB;
  const i = a.mesh.tree.order[s],
    j = b.mesh.tree.order[t];
  const ca = (a.mesh.corners >>> 2) + 3 * s,
    cb = (b.mesh.corners >>> 2) + 3 * t;
  const a0 = 3 * u32[ca],
    a1 = 3 * u32[ca + 1],
    a2 = 3 * u32[ca + 2];
  const b0 = 3 * u32[cb],
    b1 = 3 * u32[cb + 1],
    b2 = 3 * u32[cb + 2];
  if (triangleDistanceLowerBound(a.start, a0, a1, a2, b.start, b0, b1, b2) * ROUND_DOWN > job.reach) return;
  report.counters.trianglePairsTested++;
  const distance = triangleDistance(a.start, a0, a1, a2, b.start, b0, b1, b2, witnesses);
  if (job.isNearest) {
    if (distance > closest.distance) return;
    if (distance === closest.distance && (i > closest.i || (i === closest.i && j > closest.j))) return;
    closest.distance = job.reach = distance;
    closest.i = i;
    closest.j = j;
    for (let k = 0; k < 6; k++) closest.points[k] = witnesses[k];
  } else if (distance <= job.reach) job.addTriangles(i, j, distance);
}
