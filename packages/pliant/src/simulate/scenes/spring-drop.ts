import type { Engine } from '../../body/engine.ts';
import type { SubspaceCertificate } from '../../cull/subspace/subspace-certificate.ts';
import { runInSlices } from '../../long-work/in-slices.ts';
import type { TaskPool } from '../../long-work/task-pool.ts';
import { checkMade, checkObject, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { createTriangleMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { createRandom } from '../../shapes/random.ts';
import { checkCount, checkOption, checkSeed } from '../../shapes/shape.ts';
import { createSpring } from '../../shapes/spring.ts';
import { createLatticeAsync, type Lattice } from '../../solid/index.ts';
import { type LongWork, pickWork, SLICE } from '../long-work.ts';
import { checkMaterial, type Material } from '../material.ts';
import { computeModes, type VibrationModes } from '../modes/compute-modes.ts';
import { reduceSystem } from '../modes/elastic-system.ts';
import { type ModeScaling, scaleByEnergy } from '../modes/mode-scaling.ts';
import { surfaceModes } from '../modes/surface-modes.ts';
import type { ContactEvent } from '../reduced/contact-forces.ts';
import type { RayleighDamping } from '../reduced/damping.ts';
import type { ReducedBody } from '../reduced/reduced-body.ts';
import { createLinearElasticity } from '../reduced/reduced-elasticity.ts';
import { createReducedModelAsync, type ReducedModel } from '../reduced/reduced-model.ts';
import { ReducedScene } from '../reduced/reduced-scene.ts';
import { SceneSound } from '../sound/scene-sound.ts';
import { SoundModel } from '../sound/sound-model.ts';
import { rehearse } from './rehearsal.ts';
import { prepareSceneCertificate } from './scene-certificate.ts';

export interface SpringDropOptions extends LongWork {
  /** About how many triangles the spring has. Default: 16000. */
  triangles?: number;
  /** Full turns of each of its two coils. Default: 6. */
  turns?: number;
  /** About how many vertices carry it. Default: 10000. */
  latticeVertices?: number;
  /** In how many modes it moves. Default: 20. */
  modes?: number;
  /** In how many modes it rings, at most 200; not fewer than `modes`. Default: 200. */
  soundModes?: number;
  /** Stiffness of the material, in pascals; frequencies grow with its square root. Default: 2e10. */
  young?: number;
  /**
   * True: forces grow with the deformation in proportion, as they do while it is small; steps then cost less.
   * Default: false.
   */
  linear?: boolean;
  /** How soon it comes to rest. Default: slow modes ring for a second, those of some kilohertz for a tenth. */
  damping?: RayleighDamping;
  /** Of contacts, see `ReducedSceneOptions`: the softer, the longer coils touch and the less they clang. Default: 1e6. */
  contactStiffness?: number;
  /** How often contacts are looked for: 44100 or a whole part of it. Default: 11025. */
  stepsPerSecond?: number;
  /** True prepares a certificate, which spares looking for contacts of the coils. Default: false. */
  certificate?: boolean;
  /** Prepares in workers. Default: on this thread. */
  pool?: TaskPool;
  /** How far it may be tilted when it is let go, as a share of half a turn at most. Default: 0.35. */
  tilt?: number;
  /** How far it falls, in metres. Default: 0.8. */
  height?: number;
  /** How fast falling becomes faster, in metres per second and second; with 0 it stays where it is. Default: 9.81. */
  gravity?: number;
  /**
   * Called before every step, also of those that are only for the certificate: may add to `body.modalForces`, to shake it.
   * Default: nobody.
   */
  onStep?: (body: ReducedBody) => void;
  /** How long the recording is. Default: 3. */
  seconds?: number;
  /** How it is turned and spins when it is let go. Default: 1. */
  seed?: number;
}

/** Milliseconds of the parts of the preparation. */
export interface SpringDropTimes {
  readonly lattice: number;
  readonly modes: number;
  readonly dynamics: number;
  readonly sound: number;
  readonly certificate: number;
}

/** Samples per second of the sound. */
const SAMPLE_RATE = 44_100;
const STEPS_PER_SECOND = 11_025;

/** Metres per unit of the shape: coils of 5 cm. */
const SCALE = 0.05;
const TUBE_RADIUS = 0.2; // in units of the shape: neighbours are a tenth of the pitch apart
/** As heavy as steel and a tenth as stiff, like a soft metal: coils meet when it falls, and it still rings. */
const STIFFNESS = 2e10;
const DENSITY = 7850;
const POISSON = 0.3;
const DAMPING = { alpha: 2, beta: 2e-8 };
const CONTACT_STIFFNESS = 1e6;
const LEAST_FILL = 1e-3; // of a tetrahedron that the solid hardly enters
const FALL = 0.8; // metres between the lowest point and the floor
const TILT = 0.35; // of the axis, at most, as a component of a quaternion
const GRAVITY = 9.81;
const SPIN = 3; // radians per second, at most, about each axis

/**
 * A spring of two coils falls on the floor, bounces and clatters (after the sound example of SSCC, section 7): the
 * floor and the coils themselves strike it, and a bank of its modes rings. Equal options give equal motions and equal
 * samples, bit by bit.
 */
export class SpringDrop {
  /** To look at; it is stepped by us. */
  readonly scene: ReducedScene;
  readonly body: ReducedBody;
  /** The frequencies it rings at are `sound.frequencies`. */
  readonly sound: SoundModel;
  readonly preparation: SpringDropTimes;
  readonly model: ReducedModel;
  /** qᵀ M q measures poses in the certificate: by the energy, and by how springs move when they fall. */
  readonly metric: Float64Array;
  readonly certificate: SubspaceCertificate | undefined;
  /** Length of the recording in seconds. */
  readonly seconds: number;
  /** How many contacts the floor and the spring itself had with it, counted in every step. */
  floorContacts = 0;
  selfContacts = 0;
  /** When it touched something for the first time. */
  firstContact: number | undefined;
  /** Told of every contact, also after the recording. Default: nobody. */
  onContact: ((event: ContactEvent) => void) | undefined;
  readonly #onStep: ((body: ReducedBody) => void) | undefined;
  readonly #samples: Float32Array;
  readonly #sounds = new SceneSound();
  readonly #samplesPerStep: number;
  #steps = 0;
  #rendered = 0;

  /** Use `createSpringDrop`. */
  constructor(engine: Engine, parts: SpringParts, settings: SpringSettings) {
    const { model, metric, certificate, sound, preparation } = parts;
    const { seconds, seed, samplesPerStep, damping, tilt, height, gravity } = settings;
    const { contactStiffness, onStep, selfContact = true } = settings;
    this.model = model;
    this.metric = metric;
    this.certificate = certificate;
    this.sound = sound;
    this.preparation = preparation;
    this.seconds = seconds;
    this.#onStep = onStep;
    this.#samplesPerStep = samplesPerStep;
    this.#samples = new Float32Array(Math.round(seconds * SAMPLE_RATE));
    this.scene = new ReducedScene(engine, {
      obstacles: [{ kind: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.3 }],
      gravity: [0, -gravity, 0],
      substeps: 1,
      selfContact,
      friction: 0.3,
      contactStiffness,
      contactDamping: 0.1,
      onContact: (event) => this.#note(event),
    });
    this.#sounds.addBody(sound, model.surface);
    const random = createRandom(seed);
    const spin = (SPIN * tilt) / TILT;
    const draw = (most: number) => most * (2 * random() - 1);
    this.body = this.scene.addBody(model, {
      orientation: [1, draw(tilt), draw(tilt), draw(tilt)],
      angularVelocity: [draw(spin), draw(spin), draw(spin)],
      damping,
      tolerance: 1e-6,
      ...(certificate ? { certificate } : {}),
    });
    const { position, orientation } = this.body.frame;
    this.body.place([0, position[1] + height - lowestOf(this.body), 0], orientation);
  }

  /** Seconds since it was let go. */
  get time(): number {
    return this.#steps * this.#step;
  }

  /** Goes on for `seconds`, in whole steps and at least one. */
  step(seconds: number): void {
    checkOption('seconds', seconds, 0, 3600);
    for (let k = Math.max(1, Math.round(seconds / this.#step)); k > 0; k--) this.#advance();
  }

  get #step(): number {
    return this.#samplesPerStep / SAMPLE_RATE;
  }

  /** Goes on to the end of the recording, in slices between which other work can run. */
  async simulate(options: LongWork = {}): Promise<void> {
    await runInSlices(this.#stepsToEnd(), { slice: SLICE, ...options }, (share) =>
      options.onProgress?.('fall', share),
    );
  }

  /**
   * The sound up to now, from when it was let go, at 44.1 kHz; no longer than the recording. Not normalised. What has
   * been rendered is kept, so this may be asked again and again; until then every step with contacts is remembered.
   */
  render(): Float32Array {
    const end = Math.min(this.#samples.length, this.#steps * this.#samplesPerStep);
    if (end > this.#rendered) {
      this.#samples.set(this.#sounds.render((end - this.#rendered) / SAMPLE_RATE), this.#rendered);
      this.#rendered = end;
    }
    return this.#samples.slice(0, end);
  }

  /** Frees what was made in the engine. */
  dispose(): void {
    this.scene.dispose();
  }

  *#stepsToEnd(): Generator<number, void> {
    const count = Math.ceil(this.#samples.length / this.#samplesPerStep);
    while (this.#steps < count) {
      this.#advance();
      yield this.#steps / count;
    }
  }

  #advance(): void {
    this.#onStep?.(this.body);
    this.scene.step(this.#step);
    this.#steps++;
  }

  #note(event: ContactEvent): void {
    this.firstContact ??= event.time;
    if (event.partner < 0) this.floorContacts++;
    else this.selfContacts += 0.5; // told of both sides
    if (this.#steps * this.#samplesPerStep < this.#samples.length) this.#sounds.onContact(event);
    this.onContact?.(event);
  }
}

/** What a spring is made of. */
interface SpringParts {
  readonly model: ReducedModel;
  readonly metric: Float64Array;
  readonly certificate: SubspaceCertificate | undefined;
  readonly sound: SoundModel;
  readonly preparation: SpringDropTimes;
}

interface SpringSettings {
  readonly seconds: number;
  readonly seed: number;
  readonly samplesPerStep: number;
  readonly damping: RayleighDamping;
  readonly tilt: number;
  readonly height: number;
  readonly gravity: number;
  readonly contactStiffness: number;
  readonly onStep: ((body: ReducedBody) => void) | undefined;
  readonly selfContact?: boolean;
}

/** Modes, dynamics and sound of the spring: about a minute with the default sizes. Errors: 'bad-option'. */
export async function createSpringDrop(engine: Engine, options: SpringDropOptions = {}): Promise<SpringDrop> {
  checkMade('engine', engine, 'createEngine', 'kernels', 'createModalBody');
  checkObject('options', options);
  const { triangles = 16_000, turns = 6, latticeVertices = 10_000, seconds = 3, seed = 1 } = options;
  const {
    modes: modeCount = 20,
    soundModes = 200,
    young = STIFFNESS,
    linear = false,
    damping = DAMPING,
    pool,
  } = options;
  const material: Material = { young, poisson: POISSON, density: DENSITY };
  checkMaterial(material);
  checkCount('modes', modeCount, 1, 64);
  checkCount('soundModes', soundModes, modeCount, 200);
  checkOption('seconds', seconds, 0.01, 600);
  checkSeed(seed);
  const { tilt = TILT, height = FALL, gravity = GRAVITY, contactStiffness = CONTACT_STIFFNESS } = options;
  checkOption('tilt', tilt, 0, 1);
  checkOption('height', height, 0, 1000);
  checkOption('gravity', gravity, 0, 1000);
  const samplesPerStep = readSamplesPerStep(options);
  const watch = new Watch();

  const surface = createSurface(triangles, turns);
  const lattice = await createSpringLattice(surface, latticeVertices, options);
  watch.lap('lattice');
  const weights = lattice.fill.map((share) => Math.max(share, LEAST_FILL));
  const modes = await computeModes(lattice.tetrahedra, {
    ...pickWork(options),
    pool,
    material,
    weights,
    count: soundModes,
  });
  watch.lap('modes');
  const vectors = modes.vectors.subarray(0, 3 * lattice.tetrahedra.vertexCount * modeCount);
  const { stiffness } = reduceSystem(modes.system, vectors, modeCount);
  const model = await createReducedModelAsync(
    {
      mesh: lattice.tetrahedra,
      modes: vectors,
      material,
      weights,
      surface,
      surfaceModes: surfaceModes(vectors, lattice.embedding),
      ...(linear ? { elasticity: createLinearElasticity(stiffness, modeCount) } : {}),
    },
    { ...pickWork(options), pool },
  );
  watch.lap('dynamics');
  const sound = createSound(modes, lattice, samplesPerStep, damping);
  watch.lap('sound');
  const energy = scaleByEnergy(stiffness, modeCount);
  const settings = {
    seconds,
    seed,
    samplesPerStep,
    damping,
    tilt,
    height,
    gravity,
    contactStiffness,
    onStep: options.onStep,
  };
  let parts: SpringParts = {
    model,
    metric: energy.matrix,
    certificate: undefined,
    sound,
    preparation: watch.times,
  };
  if (options.certificate) {
    const metric = await rehearseSpring(engine, parts, energy, settings, options);
    const certificate = await prepareSceneCertificate(engine, { model, metric }, options);
    parts = { ...parts, metric, certificate };
  }
  watch.lap('certificate');
  return new SpringDrop(engine, parts, settings);
}

const REHEARSALS = 3;
const FRAMES_PER_SECOND = 300;

/** As springs fall that are turned otherwise: until they have bounced for a while. */
function rehearseSpring(
  engine: Engine,
  parts: SpringParts,
  energy: ModeScaling,
  settings: SpringSettings,
  options: LongWork,
): Promise<Float64Array> {
  const create = (k: number) => {
    const seed = (settings.seed + (k + 1) * 7919) % 2 ** 31;
    return new SpringDrop(engine, parts, { ...settings, seed, seconds: 0.01, selfContact: false });
  };
  const falling = settings.gravity > 0 ? Math.sqrt((2 * settings.height) / settings.gravity) : 0;
  const times = { seconds: falling + 0.5, framesPerSecond: FRAMES_PER_SECOND };
  return rehearse(energy, create, REHEARSALS, times, pickWork(options));
}

function readSamplesPerStep({ stepsPerSecond = STEPS_PER_SECOND }: SpringDropOptions): number {
  const samples = SAMPLE_RATE / stepsPerSecond;
  if (Number.isInteger(samples) && samples >= 1 && samples <= 100) return samples;
  throw new InputError(
    'bad-option',
    `stepsPerSecond must be ${SAMPLE_RATE} divided by a whole number up to 100, not ${describe(stepsPerSecond)}`,
  );
}

function createSurface(triangles: number, turns: number): TriangleMesh {
  const {
    name,
    positions,
    triangles: corners,
  } = createSpring({
    triangles,
    turns,
    tubeRadius: TUBE_RADIUS,
  }).source;
  return createTriangleMesh({ name, positions: positions.map((x) => SCALE * x), triangles: corners });
}

function createSpringLattice(
  surface: TriangleMesh,
  vertices: number,
  { onProgress, signal, slice, pool }: SpringDropOptions,
): Promise<Lattice> {
  return createLatticeAsync(surface, {
    vertices,
    signal,
    slice,
    pool,
    onProgress: (share) => onProgress?.('lattice', share),
  });
}

/**
 * Pressure follows the acceleration of what moves the air, so the velocity of a mode is as loud as its frequency is
 * high; a mode of 1 kHz has the gain 1.
 */
function createSound(
  { vectors, eigenvalues }: VibrationModes,
  { embedding }: Lattice,
  samplesPerStep: number,
  damping: RayleighDamping,
): SoundModel {
  return new SoundModel(surfaceModes(vectors, embedding), eigenvalues, {
    sampleRate: SAMPLE_RATE,
    damping,
    gains: eigenvalues.map((value) => Math.sqrt(value) / (2 * Math.PI * 1000)),
    contactTime: (2 * samplesPerStep) / SAMPLE_RATE,
  });
}

function lowestOf(body: ReducedBody): number {
  const point = new Float64Array(3);
  let lowest = Infinity;
  for (let v = 0; v < body.model.surface.vertexCount; v++) {
    body.getVertex(v, point);
    lowest = Math.min(lowest, point[1]);
  }
  return lowest;
}

class Watch {
  readonly times = { lattice: 0, modes: 0, dynamics: 0, sound: 0, certificate: 0 };
  #last = performance.now();

  lap(part: keyof SpringDropTimes): void {
    const now = performance.now();
    this.times[part] = now - this.#last;
    this.#last = now;
  }
}
