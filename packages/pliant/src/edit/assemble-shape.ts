import type { SymmetricMatrix } from '../algebra/sparse/symmetric-matrix.ts';
import type { Engine } from '../body/engine.ts';
import { runSlices, type SliceOptions } from '../long-work/in-slices.ts';
import { createEnergy, type EnergyOptions, type ResidentEnergy } from './arap/energy.ts';
import { GroupMemory } from './basis/group-memory.ts';
import type { ShapeBasis } from './basis/shape-basis.ts';
import type { Shape } from './shape.ts';
import type { Cage } from './types.ts';

/** How a shape comes to be. */
export interface ShapeRecipe<S extends Shape> {
  readonly engine: Engine;
  /** Whether the engine is disposed of with the shape, or when there is none. */
  readonly ownsEngine: boolean;
  readonly cage: Cage;
  readonly energyOptions: EnergyOptions;
  readonly slices: Pick<SliceOptions, 'signal' | 'slice'>;
  createBasis(laplacian: SymmetricMatrix, memory: GroupMemory): ShapeBasis | Promise<ShapeBasis>;
  createShape(energy: ResidentEnergy, basis: ShapeBasis): S;
  /** What is done to it first. */
  begin?(shape: S): void;
}

/** One part after another; those that are there go when the next one cannot be made. */
export async function assembleShape<S extends Shape>(recipe: ShapeRecipe<S>): Promise<S> {
  const { engine, ownsEngine, cage, energyOptions, slices } = recipe;
  let energy: ResidentEnergy | undefined, basis: ShapeBasis | undefined, shape: S | undefined;
  try {
    energy = createEnergy(engine.kernels, cage, energyOptions);
    basis = await recipe.createBasis(energy.laplacian, new GroupMemory(engine.kernels));
    warmUp(basis);
    shape = recipe.createShape(energy, basis);
    recipe.begin?.(shape);
    await runSlices(shape.solver.prepareSteps(), slices);
    return shape;
  } catch (error) {
    if (shape) shape.dispose();
    else {
      basis?.dispose();
      energy?.dispose();
      if (ownsEngine) engine.dispose();
    }
    throw error;
  }
}

/** What the first contact would have to wait for otherwise: the operator of local functions, and projections. */
function warmUp(basis: ShapeBasis): void {
  const { groupLevel, groupCount } = basis.hierarchy;
  basis.projection(0, 0);
  for (let id = 1; id < groupCount; id++) {
    if (groupLevel[id] < 2) continue;
    basis.projection(0, id);
    return;
  }
}
