import { Engine } from '../body/engine.ts';
import { chooseKernels } from '../kernels/choose-kernels.ts';
import { type PoolOption, readPool } from '../long-work/task-pool.ts';
import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { assembleShape } from './assemble-shape.ts';
import { readShapeBasis } from './basis/basis-file.ts';
import type { ShapeObstacle } from './contact/obstacle.ts';
import { chooseClusters } from './create-shape.ts';
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
  const ownsEngine = options.engine === undefined;
  const { cage, energyOptions, rotationLevel } = stored;
  return assembleShape({
    engine,
    ownsEngine,
    cage,
    energyOptions,
    slices: {},
    createBasis: (laplacian, memory) =>
      readShapeBasis(stored.basis, fileName, cage, laplacian, { pool, memory }),
    createShape: (energy, basis) =>
      new Shape({
        engine,
        ownsEngine,
        cage,
        report: undefined,
        basis,
        energy,
        energyOptions,
        rotationLevel,
        clusters: chooseClusters(energy, basis, rotationLevel),
        contact: stored.contact === false ? false : { ...stored.contact, obstacles },
        settings: stored.settings,
        prefetch: pool !== undefined,
      }),
    begin(shape) {
      shape.basis.prepareProjections().catch(() => {}); // meanwhile they are computed when they are asked for
      shape.restore(stored.state);
    },
  });
}
