import {
  prepareSubspaceCertificateAsync,
  type SubspaceCertificate,
} from '../../packages/pliant/src/cull/index.ts';
import type { Engine } from '../../packages/pliant/src/index.ts';
import { createRandom } from '../../packages/pliant/src/shapes/random.ts';
import {
  type BodyDropOptions,
  type BodyDropTimes,
  createBodyDrop,
  createDropModel,
  createSpringDrop,
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
const UPRIGHT = { tilt: 0, height: 0.4, contactStiffness: 2e4, damping: { alpha: 1, beta: 2e-8 } };
const HEAVY = -60; // metres per second, per second

export interface SpringTrackOptions {
  readonly quick: boolean;
  readonly upright?: boolean;
  readonly log: (line: string) => void;
}

/** The clattering spring with linear dynamics, every fiftieth sample of it. */
export async function createSpringTrack(
  engine: Engine,
  { quick, upright, log }: SpringTrackOptions,
): Promise<SimulatedTrack> {
  const drop = await createSpringDrop(engine, {
    ...(quick ? QUICK_SPRING : { soundModes: 20, seconds: 2 }),
    ...(upright ? UPRIGHT : {}),
    linear: true,
    stepsPerSecond: AUDIO_RATE,
    certificate: true,
    onProgress: stages(log),
  });
  const { body, model, metric, certificate, preparation, seconds } = drop;
  if (upright) body.gravity[1] = HEAVY;
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
