import { checkObject, describe } from '../mesh/check-input.ts';
import { checkTriangleMesh } from '../mesh/check-mesh.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { ClosestPoints } from './closest-point.ts';
import { SurfaceWinding } from './surface-winding.ts';
import { boxOf } from './unit-box.ts';

/** Signed distances to a surface: below 0 where its winding number is above 1/2. Exact, point by point. */
export class SignedDistances {
  /** The search for the nearest point; holds triangle and point of the last answer. */
  readonly closest: ClosestPoints;
  readonly #winding: SurfaceWinding;

  constructor(mesh: TriangleMesh) {
    this.closest = new ClosestPoints(mesh);
    this.#winding = new SurfaceWinding(mesh);
  }

  at(x: number, y: number, z: number): number {
    this.closest.find(x, y, z);
    return this.isInside(x, y, z) ? -this.closest.distance : this.closest.distance;
  }

  isInside(x: number, y: number, z: number): boolean {
    return this.#winding.at(x, y, z) > 0.5;
  }
}

export interface DistanceFieldOptions {
  /** Cells along the longest side of the box. Default: 64. */
  resolution?: number;
  /** How far the field reaches beyond the surface's box, in cells. Default: 4. */
  margin?: number;
}

/** The most samples: 512 MB. */
const SAMPLE_LIMIT = 2 ** 26;

/** Samples signed distances on a grid. Between samples off by at most a cell's diagonal, next to smooth parts far less. */
export function createDistanceField(mesh: TriangleMesh, options: DistanceFieldOptions = {}): DistanceField {
  checkTriangleMesh(mesh);
  checkObject('options', options);
  const { resolution = 64, margin = 4 } = options;
  if (!(Number.isInteger(resolution) && resolution >= 1)) {
    throw new InputError(
      'bad-option',
      `resolution must be a whole number from 1 on, not ${describe(resolution)}`,
    );
  }
  if (!(Number.isInteger(margin) && margin >= 0)) {
    throw new InputError('bad-option', `margin must be a whole number from 0 on, not ${describe(margin)}`);
  }
  const { origin, extent } = boxOf(mesh);
  const cell = Math.max(...extent) / resolution;
  if (!(cell > 0)) throw new InputError('singular', 'the surface is a single point');
  const counts = extent.map((side) => Math.ceil(side / cell) + 2 * margin + 1);
  const samples = counts[0] * counts[1] * counts[2];
  if (samples > SAMPLE_LIMIT) {
    throw new InputError(
      'too-large',
      `the field would have ${samples} samples; the limit is ${SAMPLE_LIMIT}`,
    );
  }
  const low = origin.map((x) => x - margin * cell);
  return new DistanceField(low, cell, counts, sample(mesh, low, cell, counts));
}

/**
 * Row by row. The distance changes by no more than the step, which bounds each search; and while it is larger than
 * the step, the surface is not passed, so that a closed one keeps the sign.
 */
function sample(
  mesh: TriangleMesh,
  low: Float64Array,
  cell: number,
  [nx, ny, nz]: Float64Array,
): Float64Array {
  const exact = new SignedDistances(mesh);
  const values = new Float64Array(nx * ny * nz);
  let o = 0;
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      let before = Infinity;
      for (let i = 0; i < nx; i++, o++) {
        const x = low[0] + i * cell,
          y = low[1] + j * cell,
          z = low[2] + k * cell;
        const within = 1.001 * (Math.abs(before) + cell);
        if (!exact.closest.find(x, y, z, within)) exact.closest.find(x, y, z); // far from 0 cells are uneven
        const { distance } = exact.closest;
        const keepsSign = mesh.isClosed && i > 0 && Math.abs(before) > 1.001 * cell;
        const isInside = keepsSign ? before < 0 : exact.isInside(x, y, z);
        before = values[o] = isInside ? -distance : distance;
      }
    }
  }
  return values;
}

/** Distances between the samples, linear in each direction; outside of the grid those at its border. */
export class DistanceField {
  readonly low: Float64Array;
  readonly cell: number;
  readonly counts: Float64Array; // samples per axis
  readonly values: Float64Array; // x fastest

  constructor(low: Float64Array, cell: number, counts: Float64Array, values: Float64Array) {
    this.low = low;
    this.cell = cell;
    this.counts = counts;
    this.values = values;
  }

  /** The distance; its gradient goes to `gradient` if given and points outwards. */
  at(x: number, y: number, z: number, gradient?: Float64Array): number {
    const { low, cell, counts, values: v } = this;
    const [nx, ny, nz] = counts;
    const u = clamp((x - low[0]) / cell, nx),
      w = clamp((y - low[1]) / cell, ny),
      s = clamp((z - low[2]) / cell, nz);
    const i = Math.min(Math.floor(u), Math.max(0, nx - 2)),
      j = Math.min(Math.floor(w), Math.max(0, ny - 2)),
      k = Math.min(Math.floor(s), Math.max(0, nz - 2));
    const fx = u - i,
      fy = w - j,
      fz = s - k;
    const dx = nx > 1 ? 1 : 0,
      dy = ny > 1 ? nx : 0,
      dz = nz > 1 ? nx * ny : 0;
    const o = i + nx * (j + ny * k);
    const v00 = v[o] + fx * (v[o + dx] - v[o]),
      v10 = v[o + dy] + fx * (v[o + dx + dy] - v[o + dy]),
      v01 = v[o + dz] + fx * (v[o + dx + dz] - v[o + dz]),
      v11 = v[o + dy + dz] + fx * (v[o + dx + dy + dz] - v[o + dy + dz]);
    const front = v00 + fy * (v10 - v00),
      back = v01 + fy * (v11 - v01);
    if (gradient !== undefined) {
      const d0 = v[o + dx] - v[o] + fy * (v[o + dx + dy] - v[o + dy] - v[o + dx] + v[o]),
        d1 =
          v[o + dx + dz] -
          v[o + dz] +
          fy * (v[o + dx + dy + dz] - v[o + dy + dz] - v[o + dx + dz] + v[o + dz]);
      gradient[0] = (d0 + fz * (d1 - d0)) / cell;
      gradient[1] = (v10 - v00 + fz * (v11 - v01 - v10 + v00)) / cell;
      gradient[2] = (back - front) / cell;
    }
    return front + fz * (back - front);
  }
}

function clamp(u: number, count: number): number {
  return Math.min(count - 1, Math.max(0, u));
}
