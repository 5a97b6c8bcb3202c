import type { ResidentMesh } from '../../tree/resident-mesh.ts';
import { type RestSurface, readRestSurface } from '../rest-surface.ts';

/**
 * L = D^(−1/2) S of a surface: cotangents and mixed areas. Both are rounded before anything is made of them, so that certificates and run-time energies are about the same L.
 */
export interface SurfaceWeights extends RestSurface {
  /** Half the cotangents of the angles at the three corners: the weight of the edge across. */
  readonly weight: Float32Array; // 3 per slot
  /** D^(−1/2), with areas in units of the mean area of a point, times a power of two that makes Lx of the order of 1. */
  readonly scale: Float32Array; // per point
  /** The mean area of a point, times the square of the same power: energies are in units of it. 0: none could be used. */
  readonly unit: number;
}

/** Half-cotangents of thin triangles end here; any L is sound, but these would drown all others. */
const LOWEST = -1,
  HIGHEST = 15;
/** Weights are multiples of GRAIN; those of an edge, sums of them, are below MOST: float32 has room for sums of them. */
const GRAIN = 2 ** -10;
const MOST = 31;
/** Areas below this share of the mean count as this much. */
const LEAST_AREA = 1e-4;
/** With larger or smaller areas, points of a patch might leave the range of float32. */
const LARGEST_UNIT = 1e30;

export function computeSurfaceWeights(resident: ResidentMesh): SurfaceWeights {
  const { mesh, tree, pointCount } = resident;
  const { rest, corners } = readRestSurface(resident);
  const slots = tree.order.length;
  const weight = new Float32Array(3 * slots);
  const area = new Float64Array(pointCount);
  const { start } = mesh.adjacency;
  let around = 2; // the most triangles at an edge: no more than at a vertex
  for (let v = 0; v < mesh.vertexCount && mesh.defects.nonManifoldEdges > 0; v++) {
    around = Math.max(around, start[v + 1] - start[v]);
  }
  const most = MOST / around;
  for (let slot = 0; slot < slots; slot++) weighTriangle(rest, corners, 3 * slot, weight, area, most);
  const unit = area.reduce((sum, a) => sum + a, 0) / pointCount;
  const isUsable = unit > 1 / LARGEST_UNIT && unit < LARGEST_UNIT;
  const gain = isUsable ? 2 ** -Math.round(Math.log2(unit) / 2) : 1;
  const scale = Float32Array.from(area, (a) =>
    isUsable ? gain / Math.sqrt(Math.max(a / unit, LEAST_AREA)) : 1,
  );
  return { rest, corners, weight, scale, unit: isUsable ? unit * gain * gain : 0 };
}

/** Adds the parts of a triangle's area that are closest to each corner, or halves and quarters of an obtuse one. */
function weighTriangle(
  rest: Float64Array,
  corners: Uint32Array,
  o: number,
  weight: Float32Array,
  area: Float64Array,
  most: number,
): void {
  const highest = Math.min(HIGHEST, most),
    lowest = Math.max(LOWEST, -most);
  const cot = [0, 0, 0],
    square = [0, 0, 0]; // of the edge across
  let double = 0;
  for (let k = 0; k < 3; k++) {
    const a = 3 * corners[o + k],
      b = 3 * corners[o + ((k + 1) % 3)],
      c = 3 * corners[o + ((k + 2) % 3)];
    const ux = rest[b] - rest[a],
      uy = rest[b + 1] - rest[a + 1],
      uz = rest[b + 2] - rest[a + 2],
      vx = rest[c] - rest[a],
      vy = rest[c + 1] - rest[a + 1],
      vz = rest[c + 2] - rest[a + 2];
    double = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
    const dot = ux * vx + uy * vy + uz * vz;
    cot[k] = dot / double;
    square[k] = (ux - vx) ** 2 + (uy - vy) ** 2 + (uz - vz) ** 2;
    const half = cot[k] / 2;
    const clamped = half < lowest ? lowest : half < highest ? half : highest; // not a number: no angle at all
    weight[o + k] = Math.trunc(clamped / GRAIN) * GRAIN;
  }
  if (!(double > 0)) return;
  const obtuse = cot.findIndex((c) => c < 0);
  for (let k = 0; k < 3; k++) {
    area[corners[o + k]] +=
      obtuse < 0
        ? (square[(k + 1) % 3] * cot[(k + 1) % 3] + square[(k + 2) % 3] * cot[(k + 2) % 3]) / 8
        : double / (k === obtuse ? 4 : 8);
  }
}
