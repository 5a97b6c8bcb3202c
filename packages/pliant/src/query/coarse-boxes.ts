import type { Job } from './job.ts';

/** Triangles that are looked at. */
const SAMPLES = 64;
/** Smaller meshes are quick either way. */
const LEAST_TRIANGLES = 512;
/** In cells of the quantised boxes: smaller triangles share their boxes with too many others. */
const LEAST_CELLS = 0.25;

/**
 * Whether quantised boxes tell most triangles of a self-query apart no longer: 16 bits span the whole mesh, so a few vertices
 * that are far away, such as a stray one at 1e6, make every box of the rest the same. Positions must be there.
 */
export function hasCoarseBoxes({ a, frame, continuous, kernels }: Job): boolean {
  const { mesh } = a.mesh;
  if (mesh.triangleCount < LEAST_TRIANGLES) return false;
  const { u32 } = kernels.memory;
  const corners = a.mesh.corners >>> 2;
  let coarse = 0;
  for (let k = 0; k < SAMPLES; k++) {
    const c = corners + 3 * Math.floor((k * mesh.triangleCount) / SAMPLES);
    const p = 3 * u32[c],
      q = 3 * u32[c + 1],
      r = 3 * u32[c + 2];
    let cells = widest(a.start, p, q, r, frame);
    if (continuous) cells = Math.max(cells, widest(a.end, p, q, r, frame));
    if (cells < LEAST_CELLS) coarse++;
  }
  return 2 * coarse > SAMPLES;
}

/** The longest side of the box of three points, in cells. */
function widest(points: Float64Array, p: number, q: number, r: number, frame: Float64Array): number {
  let cells = 0;
  for (let axis = 0; axis < 3; axis++) {
    const x = points[p + axis],
      y = points[q + axis],
      z = points[r + axis];
    cells = Math.max(cells, (Math.max(x, y, z) - Math.min(x, y, z)) * frame[3 + axis]);
  }
  return cells;
}
