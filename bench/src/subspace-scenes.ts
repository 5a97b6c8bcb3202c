import type { SubspaceCertificate } from '../../packages/pliant/src/cull/index.ts';
import type { Engine } from '../../packages/pliant/src/index.ts';
import {
  type BodyDropOptions,
  type BodyDropTimes,
  createBodyDrop,
  createSpringDrop,
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

/** The clattering spring with linear dynamics, every fiftieth sample of it. */
export async function createSpringTrack(
  engine: Engine,
  { quick, log }: { quick: boolean; log: (line: string) => void },
): Promise<SimulatedTrack> {
  const drop = await createSpringDrop(engine, {
    ...(quick ? QUICK_SPRING : { soundModes: 20, seconds: 2 }),
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

function stages(log: ((line: string) => void) | undefined): (stage: string, share: number) => void {
  let last = '';
  return (stage) => {
    if (stage !== last) log?.(`  ${stage}`);
    last = stage;
  };
}
