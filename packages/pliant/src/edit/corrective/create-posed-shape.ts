import type { Engine } from '../../body/engine.ts';
import { runSlices } from '../../long-work/in-slices.ts';
import { readPool } from '../../long-work/task-pool.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { createEnergy } from '../arap/energy.ts';
import { createShapeBasis } from '../basis/create-shape-basis.ts';
import { GroupMemory } from '../basis/group-memory.ts';
import type { ShapeBasis } from '../basis/shape-basis.ts';
import { chooseClusters, warmUp } from '../create-shape.ts';
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

/** A shape that rests at `positions`, in which contacts are those of the bind pose. See `createPosedCage`. */
export async function createPosedShape(
  engine: Engine,
  mesh: TriangleMesh,
  positions: Float64Array,
  blends: Float64Array,
  options: PosedShapeOptions,
): Promise<PosedShape> {
  const { signal, slice, onProgress, contact = {} } = options;
  const { bind, posed } = await createPosedCage(engine, mesh, positions, blends, {
    ...options,
    onProgress: (share) => onProgress?.(CAGE_SHARE * share),
  });
  const energy = createEnergy(engine.kernels, posed);
  let basis: ShapeBasis | undefined, shape: PosedShape | undefined;
  try {
    const pool = readPool(options);
    basis = await createShapeBasis(posed, energy.laplacian, {
      memory: new GroupMemory(engine.kernels),
      prepared: PREPARED_LEVELS,
      signal,
      slice,
      pool,
      onProgress: (share) => onProgress?.(CAGE_SHARE + (1 - CAGE_SHARE) * share),
    });
    warmUp(basis);
    const parts = {
      engine,
      ownsEngine: false,
      cage: posed,
      report: bind.report,
      basis,
      energy,
      energyOptions: {},
      rotationLevel: undefined,
      clusters: chooseClusters(energy, basis, undefined),
      contact,
      settings: {},
      prefetch: pool !== undefined,
    };
    shape = new PosedShape(parts, bind);
    await runSlices(shape.solver.prepareSteps(), { signal, slice });
    return shape;
  } catch (error) {
    if (shape) shape.dispose();
    else {
      basis?.dispose();
      energy.dispose();
    }
    throw error;
  }
}
