import { Engine } from '../body/engine.ts';
import { chooseKernels } from '../kernels/choose-kernels.ts';
import { runSlices } from '../long-work/in-slices.ts';
import { type PoolOption, readPool } from '../long-work/task-pool.ts';
import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { createEnergy, type ResidentEnergy } from './arap/energy.ts';
import { readShapeBasis } from './basis/basis-file.ts';
import type { ShapeBasis } from './basis/shape-basis.ts';
import type { ShapeObstacle } from './contact/obstacle.ts';
import { chooseClusters, warmUp } from './create-shape.ts';
import { Shape } from './shape.ts';
import { readShape } from './stored-shape.ts';

export interface RestoreShapeOptions extends PoolOption {
  /** Where it lives. Default: an engine of its own. */
  engine?: Engine;
  /** Obstacles are not stored with a shape. Default: none. */
  obstacles?: readonly ShapeObstacle[];
  /** Appears in messages. Default: 'the stored shape'. */
  fileName?: string;
}

/** A shape from what `serialize` gave, as it was. Errors as in `readStored`. */
export async function restoreShape(bytes: Uint8Array, options: RestoreShapeOptions = {}): Promise<Shape> {
  const pool = readPool(options);
  const { obstacles, fileName = 'the stored shape' } = options;
  if (!(bytes instanceof Uint8Array)) {
    throw new InputError('wrong-type', `a stored shape must be a Uint8Array, not ${describe(bytes)}`);
  }
  if (options.engine !== undefined && !(options.engine instanceof Engine)) {
    throw new InputError('bad-option', `engine must come from createEngine, not ${describe(options.engine)}`);
  }
  const stored = readShape(bytes, fileName);
  const engine = options.engine ?? new Engine(await chooseKernels());
  let energy: ResidentEnergy | undefined, basis: ShapeBasis | undefined, shape: Shape | undefined;
  try {
    energy = createEnergy(engine.kernels, stored.cage, stored.energyOptions);
    basis = readShapeBasis(stored.basis, fileName, stored.cage, energy.laplacian, { pool });
    warmUp(basis);
    basis.prepareProjections().catch(() => {}); // meanwhile they are computed when they are asked for
    shape = new Shape({
      engine,
      ownsEngine: options.engine === undefined,
      cage: stored.cage,
      report: undefined,
      basis,
      energy,
      energyOptions: stored.energyOptions,
      rotationLevel: stored.rotationLevel,
      clusters: chooseClusters(energy, basis, stored.rotationLevel),
      contact: stored.contact === false ? false : { ...stored.contact, obstacles },
      settings: stored.settings,
      prefetch: pool !== undefined,
    });
    shape.restore(stored.state);
    await runSlices(shape.solver.prepareSteps(), {});
    return shape;
  } catch (error) {
    if (shape) shape.dispose();
    else {
      basis?.dispose();
      energy?.dispose();
      if (options.engine === undefined) engine.dispose();
    }
    throw error;
  }
}
