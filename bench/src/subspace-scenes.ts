import {
  prepareSubspaceCertificateAsync,
  type SubspaceCertificate,
} from '../../packages/pliant/src/cull/index.ts';
import { type Engine, findAnySelfCollision } from '../../packages/pliant/src/index.ts';
import { createRandom } from '../../packages/pliant/src/shapes/random.ts';
import {
  type BodyDropOptions,
  type BodyDropTimes,
  createBodyDrop,
  createDropModel,
  createSpringDrop,
  type ReducedBody,
  type ReducedModel,
  scaleByPoses,
} from '../../packages/pliant/src/simulate/index.ts';
import { timeOf } from './stopwatch.ts';
import type { SubspaceTrack } from './subspace-tracks.ts';

/** A track that was simulated with certificates, and what that took. */
export interface SimulatedTrack {
  readonly track: SubspaceTrack;
  readonly certificate: SubspaceCertificate;
  /** Mean time of one step of the dynamics: all bodies, one query each about itself. */
  readonly stepMs: number;
  readonly preparation: Pick<BodyDropTimes, 'certificate'>;
  /** How deep anything is in anything else during the last second, in percent of the size; undefined: not looked at. */
  readonly deepestPercent?: number;
}

export interface DropTrackOptions extends Omit<BodyDropOptions, 'onProgress'> {
  readonly seconds?: number;
  /** Only every n-th of the 60 frames of a second. */
  readonly every?: number;
  readonly log?: (line: string) => void;
}

/** Frames per second of what is seen. */
const RATE = 60;

export async function createDropTrack(engine: Engine, options: DropTrackOptions): Promise<SimulatedTrack> {
  const { seconds = 5, every = 1, log, substeps = 16, ...rest } = options;
  const drop = await createBodyDrop(engine, { ...rest, substeps, onProgress: stages(log) });
  const { scene, model, metric, certificate, preparation } = drop;
  const count = Math.round(seconds * RATE);
  const frames: Float64Array[][] = [],
    ends: Float64Array[][] = [];
  const pose = () => scene.bodies.map(({ q }) => q.slice());
  let time = 0,
    deepest = 0;
  for (let frame = 0; frame < count; frame++) {
    if (frame % every === 0) frames.push(pose());
    time += timeOf(() => drop.step(1 / RATE));
    if (frame % every === 0) ends.push(pose());
    if (frame >= count - RATE) deepest = Math.max(deepest, scene.deepest);
    if (frame % RATE === RATE - 1) log?.(`  ${(frame + 1) / RATE} s`);
  }
  drop.dispose();
  return {
    track: { mesh: model.surface, modes: model.surfaceModes, metric, frames, ends },
    certificate: certificate!,
    stepMs: time / (count * substeps),
    preparation,
    deepestPercent: (100 * deepest) / model.size,
  };
}

const AUDIO_RATE = 44_100;
const EVERY = 50;
const QUICK_SPRING = {
  triangles: 1600,
  turns: 4,
  latticeVertices: 1000,
  modes: 12,
  soundModes: 60,
  seconds: 0.6,
};

/** Let go so that it lands on its end, and six times as heavy: it is pressed together until coils meet, again and again. */
const UPRIGHT = {
  tilt: 0,
  height: 0.4,
  gravity: 60,
  contactStiffness: 2e4,
  damping: { alpha: 1, beta: 2e-8 },
};

/** Swayed as on a shaker, at the frequency of one bending mode: on the inner side coils meet each time it turns back. */
const SWAYING = { tilt: 0, gravity: 0, contactStiffness: 1e4, damping: { alpha: 20, beta: 2e-8 } };
const BENDING = 3;
/** How far it would bend if coils did not meet, as a share of where they do. */
const BENT = 1.02;

export interface SpringTrackOptions {
  readonly quick: boolean;
  /** By default it falls on the floor, as in the paper. */
  readonly how?: 'upright' | 'swaying';
  readonly log: (line: string) => void;
}

/** The clattering spring with linear dynamics, every fiftieth sample of it. */
export async function createSpringTrack(
  engine: Engine,
  { quick, how, log }: SpringTrackOptions,
): Promise<SimulatedTrack> {
  const drop = await createSpringDrop(engine, {
    ...(quick ? QUICK_SPRING : { soundModes: 20, seconds: 2 }),
    ...(how === 'upright' ? UPRIGHT : {}),
    ...(how === 'swaying' ? { ...SWAYING, onStep: createSway(engine) } : {}),
    linear: true,
    stepsPerSecond: AUDIO_RATE,
    certificate: true,
    onProgress: stages(log),
  });
  const { body, model, metric, certificate, preparation, seconds } = drop;
  const count = Math.round(seconds * AUDIO_RATE);
  const frames: Float64Array[][] = [];
  let time = 0;
  for (let step = 0; step < count; step += EVERY) {
    time += timeOf(() => drop.step(EVERY / AUDIO_RATE));
    frames.push([body.q.slice()]);
    if (step % AUDIO_RATE < EVERY) log(`  ${(step / AUDIO_RATE).toFixed(1)} s`);
  }
  drop.dispose();
  return {
    track: { mesh: model.surface, modes: model.surfaceModes, metric, frames, ends: frames.slice(1) },
    certificate: certificate!,
    stepMs: time / count,
    preparation,
  };
}

/** A force at resonance: what damping takes away at the amplitude that is wanted. */
function createSway(engine: Engine): (body: ReducedBody) => void {
  let force: number | undefined,
    turns = 0; // radians per second
  return ({ model, modalForces, time }) => {
    if (force === undefined) {
      const { modeCount, elasticity, inertia } = model;
      const forces = new Float64Array(modeCount);
      elasticity.evaluate(
        forces.map((_, m) => (m === BENDING ? 1 : 0)),
        forces,
      );
      const mass = inertia.massMatrix[BENDING * (modeCount + 1)];
      turns = Math.sqrt(forces[BENDING] / mass);
      const { alpha, beta } = SWAYING.damping;
      force = BENT * findLimit(engine, model, BENDING) * mass * turns * (alpha + beta * turns * turns);
    }
    modalForces[BENDING] += force * Math.sin(turns * time);
  };
}

/** The weight of a mode alone at which the body touches itself, on the side where that is sooner. */
function findLimit(engine: Engine, { surface, surfaceModes, modeCount }: ReducedModel, mode: number): number {
  const body = engine.createModalBody(surface, surfaceModes);
  const pose = new Float64Array(modeCount);
  const touches = (weight: number) =>
    [weight, -weight].some((q) => {
      pose[mode] = q;
      body.setPose(pose);
      return findAnySelfCollision(body) !== undefined;
    });
  let low = 0,
    high = 1e-3;
  while (!touches(high) && high < 1e6) {
    low = high;
    high *= 2;
  }
  for (let k = 0; k < 20; k++) {
    const middle = (low + high) / 2;
    if (touches(middle)) high = middle;
    else low = middle;
  }
  body.dispose();
  return high;
}

export interface DrivenTrackOptions {
  readonly triangles: number;
  readonly latticeVertices: number;
  readonly seconds: number;
  /** As a share of where it touches itself in one mode alone: the larger, the more often it does. */
  readonly amplitude: number;
  readonly log?: (line: string) => void;
}

/** Poses it is brought into: a mode, and its weight at which parts meet that are apart at rest. */
const POSES = [
  { mode: 12, weight: 0.883 },
  { mode: 15, weight: 0.651 },
  { mode: 21, weight: -0.249 },
];
/** Of a pose, in any key. */
const LEAST_SHARE = 0.5;
/** Seconds from key to key. */
const SHORTEST = 0.4;
const LONGEST = 1.2;
const FRAMES_PER_SECOND = 30;
const REHEARSALS = 3;
/** How far poses may be from those of the rehearsals. */
const PRIOR = 0.01;
/** Neighbours hardly come closer than parts far apart do, so that a long reach takes much work. */
const EFFORT = 12;

/**
 * A dragon whose displacements are quadratic polynomials, brought from key to key as an animator would: falling, it
 * either never touches itself or turns inside out. The certificate knows other animations of the same poses.
 */
export async function createDrivenTrack(
  engine: Engine,
  options: DrivenTrackOptions,
): Promise<SimulatedTrack> {
  const { seconds, amplitude, log, ...sizes } = options;
  const { model, energy } = await createDropModel({
    shape: 'dragon',
    modes: 'polynomial',
    ...sizes,
    onProgress: stages(log),
  });
  const count = Math.round(seconds * FRAMES_PER_SECOND);
  const animate = (seed: number) => animatePoses(model.modeCount, amplitude, count, seed);
  log?.('  certificate');
  const rehearsed = Array.from({ length: REHEARSALS }, (_, k) => animate(2 + k)).flat();
  const metric = scaleByPoses(rehearsed, energy, { prior: PRIOR }).matrix;
  const body = engine.createModalBody(model.surface, model.surfaceModes);
  const start = performance.now();
  const certificate = await prepareSubspaceCertificateAsync(body, { metric, fit: true, effort: EFFORT });
  const frames = animate(1).map((q) => [q]);
  return {
    track: { mesh: model.surface, modes: model.surfaceModes, metric, frames },
    certificate,
    stepMs: 0, // nothing is simulated
    preparation: { certificate: performance.now() - start },
  };
}

/** Keys of one pose each, with smooth ways between them. */
function animatePoses(modeCount: number, amplitude: number, count: number, seed: number): Float64Array[] {
  const random = createRandom(seed);
  const frames: Float64Array[] = [];
  let from = new Float64Array(modeCount);
  while (frames.length < count) {
    const { mode, weight } = POSES[Math.floor(random() * POSES.length)];
    const to = new Float64Array(modeCount);
    to[mode] = amplitude * weight * (LEAST_SHARE + (1 - LEAST_SHARE) * random());
    const steps = Math.round(FRAMES_PER_SECOND * (SHORTEST + (LONGEST - SHORTEST) * random()));
    for (let k = 0; k < steps && frames.length < count; k++) {
      const share = (1 - Math.cos((Math.PI * k) / steps)) / 2;
      frames.push(from.map((x, m) => x + share * (to[m] - x)));
    }
    from = to;
  }
  return frames;
}

function stages(log: ((line: string) => void) | undefined): (stage: string, share: number) => void {
  let last = '';
  return (stage) => {
    if (stage !== last) log?.(`  ${stage}`);
    last = stage;
  };
}
