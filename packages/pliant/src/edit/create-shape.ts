import { Engine } from '../body/engine.ts';
import { chooseKernels } from '../kernels/choose-kernels.ts';
import { checkLongWork } from '../long-work/in-slices.ts';
import { readPool } from '../long-work/task-pool.ts';
import { checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ResidentEnergy } from './arap/energy.ts';
import { SpokeEnergy } from './arap/spoke-energy.ts';
import { assembleShape } from './assemble-shape.ts';
import { createShapeBasis } from './basis/create-shape-basis.ts';
import type { ShapeBasis } from './basis/shape-basis.ts';
import { type CageSource, createCageAsync } from './cage.ts';
import { Shape } from './shape.ts';
import { checkContact, checkWhole, readSettings, type ShapeOptions } from './shape-options.ts';

/** Shares of the work: the cage, then the functions. */
const CAGE_SHARE = 0.25;
/** Levels whose functions are made at once: those below 1 take less time than it, and would be missed in the first contact. */
const PREPARED_LEVELS = 3;
/** Cages with more vertices share rotations by default: in cells of level 2, or 1 where there would be too many. */
const MOST_ROTATIONS = 30_000;
const MOST_CLUSTERS = 4000;

/**
 * A shape that can be edited by handles, with contact. A surface gets a cage of tetrahedra around it; tetrahedra are
 * taken as they are. It takes seconds, on workers of `pool` or in slices on this thread; functions below level 3 are made
 * when they are needed.
 *
 * Errors: those of `createCage`, 'bad-option'.
 */
export async function createShape(source: CageSource, options: ShapeOptions = {}): Promise<Shape> {
  checkShapeOptions(options);
  const { signal, slice, onProgress } = options;
  const pool = readPool(options);
  const cage = await createCageAsync(source, {
    ...options.cage,
    signal,
    slice,
    pool,
    onProgress: (share) => onProgress?.(CAGE_SHARE * share),
  });
  const engine = options.engine ?? new Engine(await chooseKernels());
  const ownsEngine = options.engine === undefined;
  const energyOptions = options.energy ?? {};
  return assembleShape({
    engine,
    ownsEngine,
    cage,
    energyOptions,
    slices: { signal, slice },
    createBasis: (laplacian, memory) =>
      createShapeBasis(cage, laplacian, {
        memory,
        prepared: Math.min(PREPARED_LEVELS, options.maxLevel ?? PREPARED_LEVELS),
        ...options.hierarchy,
        signal,
        slice,
        pool,
        onProgress: (share) => onProgress?.(CAGE_SHARE + (1 - CAGE_SHARE) * share),
      }),
    createShape: (energy, basis) =>
      new Shape({
        engine,
        ownsEngine,
        cage,
        report: cage.report,
        basis,
        energy,
        energyOptions,
        rotationLevel: options.rotationLevel,
        clusters: chooseClusters(energy, basis, options.rotationLevel),
        contact: options.contact ?? {},
        settings: options,
        prefetch: pool !== undefined,
      }),
  });
}

/** The clusters of a level, where rotations are those of vertices. */
export function chooseClusters(
  energy: ResidentEnergy,
  basis: ShapeBasis,
  level: number | false | undefined,
): Uint32Array | undefined {
  const hasClusters = energy instanceof SpokeEnergy;
  if (level === undefined) {
    if (!hasClusters || basis.hierarchy.vertexCount <= MOST_ROTATIONS) return undefined;
    const fine = basis.clusters(2);
    return fine.reduce((most, label) => Math.max(most, label), 0) < MOST_CLUSTERS ? fine : basis.clusters(1);
  }
  if (level === false) return undefined;
  if (hasClusters) return basis.clusters(level);
  throw new InputError('bad-option', 'rotationLevel is for rotations of vertices, which this energy has not');
}

function checkShapeOptions(options: ShapeOptions): void {
  checkLongWork(options);
  const { engine, cage, hierarchy, energy, contact, rotationLevel } = options;
  if (engine !== undefined && !(engine instanceof Engine)) {
    throw new InputError('bad-option', `engine must come from createEngine, not ${describe(engine)}`);
  }
  if (cage !== undefined) checkObject('cage', cage);
  if (hierarchy !== undefined) checkObject('hierarchy', hierarchy);
  if (energy !== undefined) checkObject('energy', energy);
  if (rotationLevel !== undefined && rotationLevel !== false)
    checkWhole('rotationLevel', rotationLevel, 0, 254);
  checkContact(contact);
  readSettings(options, 1);
}
