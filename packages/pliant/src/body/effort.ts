import type { Deformer } from '../deform/point-source.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';

/** What queries of a body cost: whole numbers, so that counting allocates nothing. A box test on demand is TEST_EFFORT. */
export interface Effort {
  /** All positions, boxes and the traversal of a batch query. */
  readonly batch: number;
  /** One volume on demand, and one position. */
  readonly volume: number;
  readonly point: number;
}

export const TEST_EFFORT = 16; // about 10 ns
export const LEAST_EFFORT = 200 * TEST_EFFORT;
/** Box tests to expect of a pair that certificates leave open. */
export const OPEN_TESTS = 4;
/** How much longer everything takes outside the kernels. */
export const SLOWNESS = 5;

// Measured, in box tests. Batch: per triangle, and per influence or mode of its points.
const TRIANGLE = 0.4;
const TRIANGLE_INFLUENCE = 0.09;
const TRIANGLE_MODE = 0.035;
// On demand: a volume and a position, and what each of their entries adds.
const VOLUME = 1;
const VOLUME_INFLUENCE = 1.2;
const VOLUME_MODE = 0.2;
const POINT = 1;
const POINT_INFLUENCE = 0.35;
const POINT_MODE = 0.18;

export function effortOf({ pointCount, mesh }: ResidentMesh, { handles }: Deformer): Effort {
  let influences = 0,
    modes = 0; // per point
  if (handles !== undefined) {
    influences = (handles.skinList?.entryCount ?? 0) / pointCount;
    modes = (handles.modeList?.entryCount ?? 0) / pointCount;
  }
  const triangle = TRIANGLE + TRIANGLE_INFLUENCE * influences + TRIANGLE_MODE * modes;
  return {
    batch: Math.round(TEST_EFFORT * mesh.triangleCount * triangle),
    volume: Math.round(
      TEST_EFFORT * (VOLUME + VOLUME_INFLUENCE * Math.max(1, influences) + VOLUME_MODE * modes),
    ),
    point: Math.round(TEST_EFFORT * (POINT + POINT_INFLUENCE * influences + POINT_MODE * modes)),
  };
}
