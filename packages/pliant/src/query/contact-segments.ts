import { type Body, checkBody } from '../body/body.ts';
import type { PointSource } from '../deform/point-source.ts';
import { InputError } from '../mesh/input-error.ts';
import { intersectionSegment } from '../narrow/intersection-segment.ts';
import type { CollisionReport } from '../report/collision-report.ts';

/** Where the triangles of each pair meet, in the coordinates of the query. */
export interface ContactSegments {
  /** Two points per pair of the report; equal when the triangles meet in one point. */
  segments: Float64Array;
  /** Points that span the intersection: 1 a point, 2 a segment, more a common area, of which two corners are given. */
  pointCounts: Uint8Array;
}

/**
 * Intersection segments of the pairs in a report of `findSelfCollisions` (b left out) or `findCollisions`. The bodies
 * must still have the pose of the query; of a continuous query only pairs that touch at time 0 have a segment.
 */
export function findContactSegments(report: CollisionReport, a: Body, b: Body = a): ContactSegments {
  checkBody('the first body', a);
  checkBody('the second body', b);
  if (report.bodies !== undefined) {
    throw new InputError('unsupported', 'segments are found for one pair of bodies at a time');
  }
  const sourceA = a === b ? a.deformer : a.world;
  for (const source of [sourceA, a === b ? a.deformer : b.world]) {
    source.ensureAll(0); // all before the first view is made: each may allocate
    source.address(0);
  }
  const pointsA = viewPoints(a, sourceA),
    pointsB = a === b ? pointsA : viewPoints(b, b.world);
  const segments = new Float64Array(6 * report.pairCount);
  const pointCounts = new Uint8Array(report.pairCount);
  const out = new Float64Array(18);
  for (let k = 0; k < report.pairCount; k++) {
    const [a0, a1, a2] = cornersOf(a, report.pairs[2 * k]);
    const [b0, b1, b2] = cornersOf(b, report.pairs[2 * k + 1]);
    const count = intersectionSegment(pointsA, a0, a1, a2, pointsB, b0, b1, b2, out);
    pointCounts[k] = count;
    for (let i = 0; i < 6; i++) segments[6 * k + i] = count === 0 ? Number.NaN : out[count === 1 ? i % 3 : i];
  }
  return { segments, pointCounts };
}

function viewPoints(body: Body, source: PointSource): Float64Array {
  source.ensureAll(0);
  const address = source.address(0);
  return new Float64Array(body.engine.kernels.memory.buffer, address, 3 * body.resident.pointCount);
}

function cornersOf({ resident, engine }: Body, triangle: number): [number, number, number] {
  const { u32 } = engine.kernels.memory;
  const c = (resident.corners >>> 2) + 3 * resident.slotOfTriangle[triangle];
  return [3 * u32[c], 3 * u32[c + 1], 3 * u32[c + 2]];
}
