import type { Engine } from '../../body/engine.ts';
import type { SubspaceCertificate } from '../../cull/subspace/subspace-certificate.ts';
import type { TaskPool } from '../../long-work/task-pool.ts';
import { checkMade, checkObject, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { createTriangleMesh } from '../../mesh/triangle-mesh.ts';
import { createDragon } from '../../shapes/dragon.ts';
import { createRabbit } from '../../shapes/rabbit.ts';
import { createRandom } from '../../shapes/random.ts';
import { checkCount, checkOption, checkSeed } from '../../shapes/shape.ts';
import { createLatticeAsync, type Lattice } from '../../solid/index.ts';
import { type LongWork, pickWork } from '../long-work.ts';
import { checkMaterial, type Material } from '../material.ts';
import { computeModes, type VibrationModes } from '../modes/compute-modes.ts';
import { reduceSystem } from '../modes/elastic-system.ts';
import { systemMass } from '../modes/mass-basis.ts';
import { modalDerivatives, nonlinearBasis } from '../modes/modal-derivatives.ts';
import { type ModeScaling, scaleByEnergy } from '../modes/mode-scaling.ts';
import { polynomialModes } from '../modes/polynomial-modes.ts';
import { surfaceModes } from '../modes/surface-modes.ts';
import { createReducedModelAsync, type ReducedModel } from '../reduced/reduced-model.ts';
import { ReducedScene } from '../reduced/reduced-scene.ts';
import { rehearse } from './rehearsal.ts';
import { prepareSceneCertificate } from './scene-certificate.ts';

export interface BodyDropOptions extends LongWork {
  /** Rabbits that fall on their ears, or dragons with many parts close to each other. Default: rabbit. */
  shape?: 'rabbit' | 'dragon';
  /** How many fall. Default: 16. */
  bodies?: number;
  /** About how many triangles each has. Default: 15000, and 77000 for dragons. */
  triangles?: number;
  /** About how many vertices carry each. Default: 3000. */
  latticeVertices?: number;
  /** Vibration modes with their derivatives, for large deformations, or quadratic polynomials. Default: nonlinear. */
  modes?: 'nonlinear' | 'polynomial';
  /** How many of the former; of the latter there are 24. Default: 30. */
  modeCount?: number;
  /** Stiffness of the material, in pascals. Default: 1.5e7. */
  young?: number;
  /** Parts of a step, see `ReducedSceneOptions`. Default: 16. */
  substeps?: number;
  /** False lets self-queries do without a certificate, which takes most of the preparation. Default: true. */
  certificate?: boolean;
  /** How high the lowest are when they are let go, in sizes of a body. Default: 1.2. */
  height?: number;
  /** How they are turned and spin when they are let go. Default: 1. */
  seed?: number;
  /** Prepares in workers. Default: on this thread. */
  pool?: TaskPool;
}

/** Milliseconds of the parts of the preparation. */
export interface BodyDropTimes {
  readonly lattice: number;
  readonly modes: number;
  readonly dynamics: number;
  readonly certificate: number;
}

const POISSON = 0.4;
const DENSITY = 1000;
const DAMPING = { alpha: 0.5, beta: 2e-3 };
const LEAST_FILL = 1e-3; // of a tetrahedron that the solid hardly enters
const LINEAR_MODES = 10; // whose derivatives are taken
const POLYNOMIAL_MODES = 24;
const SPACING = 1.1; // of the bodies, in sizes, sideways …
const STOREY = 1.2; // … and upwards
const JITTER = 0.05;

/** What all bodies of a drop share. */
export interface DropModel {
  readonly model: ReducedModel;
  /** The strain energy of poses. */
  readonly energy: ModeScaling;
  readonly times: BodyDropTimes;
}

interface DropSettings {
  readonly bodies: number;
  readonly seed: number;
  readonly substeps: number;
  readonly height?: number;
  readonly selfContact?: boolean;
}

/**
 * Soft bodies of one shape fall on the floor and on each other (after the examples of SSCC, section 7). Equal options
 * give equal motions, bit by bit, with and without a certificate.
 */
export class BodyDrop {
  /** To look at; it is stepped by us. */
  readonly scene: ReducedScene;
  readonly model: ReducedModel;
  readonly certificate: SubspaceCertificate | undefined;
  /** qᵀ M q measures poses in the certificate. */
  readonly metric: Float64Array;
  readonly preparation: BodyDropTimes;

  /** Use `createBodyDrop`. */
  constructor(
    engine: Engine,
    { model, energy, times }: DropModel,
    certificate: SubspaceCertificate | undefined,
    { bodies, seed, substeps, height = STOREY, selfContact = true }: DropSettings,
  ) {
    this.model = model;
    this.metric = certificate?.record.metric ?? energy.matrix;
    this.certificate = certificate;
    this.preparation = times;
    this.scene = new ReducedScene(engine, {
      substeps,
      selfContact,
      obstacles: [{ kind: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 }],
    });
    const random = createRandom(seed);
    const draw = (most: number) => most * (2 * random() - 1);
    const side = bodies > 16 ? 4 : bodies > 1 ? 2 : 1; // in a row; storeys are squares
    const spacing = SPACING * model.size;
    for (let i = 0; i < bodies; i++) {
      const place = i % (side * side),
        storey = Math.trunc(i / (side * side));
      this.scene.addBody(model, {
        ...(certificate ? { certificate } : {}),
        damping: DAMPING,
        tolerance: 1e-5,
        // The default height adds exactly 0: how they end depends on the last bit of where they begin.
        position: [
          spacing * (place % side) + draw(JITTER),
          STOREY * model.size * (storey + 1) + (height - STOREY) * model.size,
          spacing * Math.trunc(place / side) + draw(JITTER),
        ],
        // Upside down, more or less.
        orientation: [0.1 + draw(0.1), 1, draw(0.3), draw(0.3)],
        angularVelocity: [draw(1), draw(1), draw(1)],
      });
    }
  }

  /** Seconds since they were let go. */
  get time(): number {
    return this.scene.time;
  }

  /** Goes on for `seconds`, at most 1. */
  step(seconds: number): void {
    this.scene.step(seconds);
  }

  /** Frees what was made in the engine. */
  dispose(): void {
    this.scene.dispose();
  }
}

/** Modes, dynamics and certificate of the shape: about a minute with the default sizes. Errors: 'bad-option'. */
export async function createBodyDrop(engine: Engine, options: BodyDropOptions = {}): Promise<BodyDrop> {
  checkMade('engine', engine, 'createEngine', 'kernels', 'createModalBody');
  checkObject('options', options);
  const { bodies = 16, substeps = 16, height = STOREY, seed = 1, certificate: isWanted = true } = options;
  checkCount('bodies', bodies, 1, 4096);
  checkOption('height', height, 0, 1000);
  checkSeed(seed);
  const prepared = await createDropModel(options);
  const { model } = prepared;
  const settings = { bodies, seed, substeps, height };
  if (!isWanted) return new BodyDrop(engine, prepared, undefined, settings);
  const start = performance.now();
  const metric = await rehearseDrop(engine, prepared, { ...pickWork(options), seed, height });
  const certificate = await prepareSceneCertificate(engine, { model, metric }, options);
  const times = { ...prepared.times, certificate: performance.now() - start };
  return new BodyDrop(engine, { ...prepared, times }, certificate, settings);
}

const REHEARSALS = 4;
const REHEARSAL_SUBSTEPS = 16;
const REHEARSAL_SECONDS = 1.5; // after they have reached the floor

/**
 * How a certificate for such bodies should measure poses, from some that fall alone, otherwise turned than any of the
 * scene: about ten seconds for 30 modes.
 */
export async function rehearseDrop(
  engine: Engine,
  prepared: DropModel,
  options: Pick<BodyDropOptions, 'seed' | 'height'> & LongWork = {},
): Promise<Float64Array> {
  checkMade('engine', engine, 'createEngine', 'kernels', 'createModalBody');
  checkMade('prepared', prepared, 'createDropModel', 'model', 'energy');
  checkObject('options', options);
  const { seed = 1, height = STOREY } = options;
  const create = (k: number) =>
    new BodyDrop(engine, prepared, undefined, {
      bodies: 1,
      seed: (seed + (k + 1) * 7919) % 2 ** 31,
      substeps: REHEARSAL_SUBSTEPS,
      height,
      selfContact: false,
    });
  const falling = Math.sqrt((2 * height * prepared.model.size) / 9.81);
  const times = { seconds: falling + REHEARSAL_SECONDS, framesPerSecond: 60 };
  return rehearse(prepared.energy, create, REHEARSALS, times, pickWork(options));
}

/** The model alone. */
export async function createDropModel(options: BodyDropOptions = {}): Promise<DropModel> {
  checkObject('options', options);
  const { shape = 'rabbit', latticeVertices = 3000, young = 1.5e7 } = options;
  const { modes: kind = 'nonlinear', modeCount = 30, pool } = options;
  if (shape !== 'rabbit' && shape !== 'dragon') {
    throw new InputError('bad-option', `shape must be rabbit or dragon, not ${describe(shape)}`);
  }
  if (kind !== 'nonlinear' && kind !== 'polynomial') {
    throw new InputError('bad-option', `modes must be nonlinear or polynomial, not ${describe(kind)}`);
  }
  checkCount('modeCount', modeCount, 1, 64);
  const material: Material = { young, poisson: POISSON, density: DENSITY };
  checkMaterial(material);
  const { triangles = shape === 'rabbit' ? 15_000 : 77_000 } = options;
  const work = pickWork(options);
  const laps = [performance.now()];
  const source = shape === 'rabbit' ? createRabbit({ triangles }) : createDragon({ triangles });
  const surface = createTriangleMesh(source.source);
  const lattice = await createLatticeAsync(surface, {
    vertices: latticeVertices,
    pool,
    signal: work.signal,
    slice: work.slice,
    onProgress: (share) => work.onProgress?.('lattice', share),
  });
  laps.push(performance.now());
  const weights = lattice.fill.map((share) => Math.max(share, LEAST_FILL));
  const count = kind === 'polynomial' ? 1 : Math.min(LINEAR_MODES, modeCount);
  const linear = await computeModes(lattice.tetrahedra, { ...work, pool, material, weights, count });
  const vectors =
    kind === 'polynomial'
      ? polynomialBasis(linear, lattice)
      : await nonlinearVectors(linear, modeCount, options);
  laps.push(performance.now());
  const model = await createReducedModelAsync(
    {
      mesh: lattice.tetrahedra,
      modes: vectors,
      material,
      weights,
      surface,
      surfaceModes: surfaceModes(vectors, lattice.embedding),
    },
    { ...work, pool },
  );
  laps.push(performance.now());
  const { stiffness } = reduceSystem(linear.system, vectors, model.modeCount);
  const energy = scaleByEnergy(stiffness, model.modeCount);
  const [lattices, modes, dynamics] = laps.slice(1).map((time, k) => time - laps[k]);
  return { model, energy, times: { lattice: lattices, modes, dynamics, certificate: 0 } };
}

async function nonlinearVectors(
  linear: VibrationModes,
  modeCount: number,
  options: BodyDropOptions,
): Promise<Float64Array> {
  if (modeCount <= linear.modeCount) return linear.vectors;
  const derivatives = await modalDerivatives(linear, { ...pickWork(options), pool: options.pool });
  return nonlinearBasis(linear, derivatives, modeCount).vectors;
}

function polynomialBasis({ system }: VibrationModes, { tetrahedra }: Lattice): Float64Array {
  const { modeCount, vectors } = polynomialModes(tetrahedra.positions, systemMass(system));
  if (modeCount === POLYNOMIAL_MODES) return vectors;
  throw new InputError('singular', `only ${modeCount} polynomials are independent`);
}
