import type { Engine } from '../../body/engine.ts';
import { readPool } from '../../long-work/task-pool.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { assembleShape } from '../assemble-shape.ts';
import { createShapeBasis } from '../basis/create-shape-basis.ts';
import { chooseClusters } from '../create-shape.ts';
import type { ShapeContactOptions } from '../shape-options.ts';
import { createPosedCage, type PosedCageOptions } from './posed-cage.ts';
import { PosedShape } from './posed-shape.ts';

export interface PosedShapeOptions extends PosedCageOptions {
  readonly contact?: ShapeContactOptions;
}

/** Shares of the work: both cages, then the functions. */
const CAGE_SHARE = 0.4;
/** Levels whose functions are made at once. */
const PREPARED_LEVELS = 3;

/**
 * A shape that rests at `positions`. Its contacts are looked for, and undone, by the cage of the bind pose. See
 * `createPosedCage`.
 */
export async function createPosedShape(
  engine: Engine,
  mesh: TriangleMesh,
  positions: Float64Array,
  blends: Float64Array,
  options: PosedShapeOptions,
): Promise<PosedShape> {
  const { signal, slice, onProgress, contact = {} } = options;
  const pool = readPool(options);
  const { bind, posed } = await createPosedCage(engine, mesh, positions, blends, {
    ...options,
    onProgress: (share) => onProgress?.(CAGE_SHARE * share),
  });
  const { scale, centre } = posed;
  return assembleShape({
    engine,
    ownsEngine: false,
    cage: posed,
    energyOptions: {},
    slices: { signal, slice },
    createBasis: (laplacian, memory) =>
      createShapeBasis(posed, laplacian, {
        memory,
        prepared: PREPARED_LEVELS,
        signal,
        slice,
        pool,
        onProgress: (share) => onProgress?.(CAGE_SHARE + (1 - CAGE_SHARE) * share),
      }),
    createShape: (energy, basis) =>
      new PosedShape({
        engine,
        ownsEngine: false,
        cage: posed,
        contactCage: { ...bind, scale, centre },
        report: bind.report,
        basis,
        energy,
        energyOptions: {},
        rotationLevel: undefined,
        clusters: chooseClusters(energy, basis, undefined),
        contact,
        settings: {},
        prefetch: pool !== undefined,
      }),
  });
}
