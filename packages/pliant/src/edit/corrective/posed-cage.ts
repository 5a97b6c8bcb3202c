import type { Engine } from '../../body/engine.ts';
import type { SliceOptions } from '../../long-work/in-slices.ts';
import type { PoolOption } from '../../long-work/task-pool.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { type CageOptions, createCageAsync, type ReportedCage } from '../cage.ts';
import type { Cage } from '../types.ts';
import { carryCage } from './carry-cage.ts';

export interface PosedCageOptions extends SliceOptions, PoolOption {
  readonly cage?: CageOptions;
}

export interface PosedCage {
  readonly bind: ReportedCage;
  /** The same tetrahedra around the posed surface. */
  readonly posed: Cage;
}

/**
 * A cage made around the bind pose, where nothing overlaps, and carried along to a posed surface. `positions` has three
 * numbers per vertex of `mesh`, `blends` the twelve of the matrix that took each there.
 *
 * Errors: those of `createCage`; 'singular' when the cage cannot follow.
 */
export async function createPosedCage(
  engine: Engine,
  mesh: TriangleMesh,
  positions: Float64Array,
  blends: Float64Array,
  options: PosedCageOptions,
): Promise<PosedCage> {
  const growth = meanGrowth(blends);
  if (!(growth > 0)) throw new InputError('singular', 'the skin mirrors the mesh, or flattens it');
  const { signal, slice, pool, onProgress } = options;
  const bind = await createCageAsync(mesh, { ...options.cage, signal, slice, pool, onProgress });
  const centre = [0, 1, 2].map((axis) => {
    let sum = 0;
    for (let i = axis; i < positions.length; i += 3) sum += positions[i];
    return sum / (positions.length / 3);
  });
  const scale = bind.scale * growth;
  const toCage = (points: Float64Array) => points.map((x, i) => (x - centre[i % 3]) / scale);
  const guess = toCage(guessControls(bind, blends));
  const carried = await carryCage(engine.kernels, bind, toCage(positions), guess, signal);
  if (!carried) throw new InputError('singular', 'the pose turns tetrahedra of the cage over');
  return { bind, posed: { ...carried.cage, centre, scale } };
}

/** The side of a cube of volume 1 after the mean blend of all vertices; below 0 when most are mirrored. */
function meanGrowth(m: Float64Array): number {
  let sum = 0;
  for (let o = 0; o < m.length; o += 12) {
    sum +=
      m[o] * (m[o + 5] * m[o + 10] - m[o + 6] * m[o + 9]) -
      m[o + 1] * (m[o + 4] * m[o + 10] - m[o + 6] * m[o + 8]) +
      m[o + 2] * (m[o + 4] * m[o + 9] - m[o + 5] * m[o + 8]);
  }
  return Math.cbrt((12 * sum) / m.length);
}

/** Every vertex of the cage by the mean blend of the surface in its tetrahedra; those inside by their neighbours'. */
function guessControls(
  { tetrahedra: mesh, embedding, centre, scale }: Cage,
  blends: Float64Array,
): Float64Array {
  const { tetrahedra, vertexCount, positions } = mesh;
  const { controls } = embedding;
  const mean = new Float64Array(12 * vertexCount);
  const known = new Float64Array(vertexCount);
  for (let i = 0; i < controls.length; i++) {
    known[controls[i]]++;
    for (let k = 0; k < 12; k++) mean[12 * controls[i] + k] += blends[12 * (i >>> 2) + k];
  }
  for (let v = 0; v < vertexCount; v++) {
    if (known[v] > 0) for (let k = 0; k < 12; k++) mean[12 * v + k] /= known[v];
  }
  spread(tetrahedra, known, mean);
  const out = new Float64Array(positions.length);
  for (let v = 0; v < vertexCount; v++) {
    for (let a = 0; a < 3; a++) {
      const o = 12 * v + 4 * a;
      out[3 * v + a] = mean[o + 3];
      for (let b = 0; b < 3; b++) out[3 * v + a] += mean[o + b] * (centre[b] + scale * positions[3 * v + b]);
    }
  }
  return out;
}

/** Fills in unknown matrices, one layer after the other, with means of known ones. */
function spread(tetrahedra: Uint32Array, known: Float64Array, mean: Float64Array): void {
  const sums = new Float64Array(mean.length),
    counts = new Float64Array(known.length);
  for (;;) {
    const reached: number[] = [];
    for (let i = 0; i < tetrahedra.length; i++) {
      const v = tetrahedra[i];
      if (known[v] > 0) continue;
      for (let j = i & ~3; j < (i & ~3) + 4; j++) {
        const w = tetrahedra[j];
        if (known[w] === 0) continue;
        if (counts[v]++ === 0) reached.push(v);
        for (let k = 0; k < 12; k++) sums[12 * v + k] += mean[12 * w + k];
      }
    }
    if (reached.length === 0) return;
    for (const v of reached) {
      known[v] = 1;
      for (let k = 0; k < 12; k++) mean[12 * v + k] = sums[12 * v + k] / counts[v];
    }
  }
}
