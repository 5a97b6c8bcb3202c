import { runInSlices } from '../../long-work/in-slices.ts';
import { type LongWork, SLICE } from '../long-work.ts';
import { type ModeScaling, scaleByPoses } from '../modes/mode-scaling.ts';
import type { ReducedScene } from '../reduced/reduced-scene.ts';

/** A scene that can be run for a while. */
export interface Rehearsal {
  readonly scene: ReducedScene;
  step(seconds: number): void;
  dispose(): void;
}

/** Smaller weights are those of a body that falls freely. */
const AT_REST = 1e-9;

/** How long scenes are run, and how often poses are looked at. */
export interface RehearsalTimes {
  readonly seconds: number;
  readonly framesPerSecond: number;
}

/**
 * How certificates should measure poses: by the energy, and by where bodies go in `count` scenes like the one that is
 * meant. Those are better without self-contact, which would take long before there is a certificate.
 */
export async function rehearse(
  energy: ModeScaling,
  create: (k: number) => Rehearsal,
  count: number,
  times: RehearsalTimes,
  options: LongWork,
): Promise<Float64Array> {
  const poses: Float64Array[] = [];
  for (let k = 0; k < count; k++) {
    const rehearsal = create(k);
    try {
      await runInSlices(
        run(rehearsal, times, poses),
        { ...options, slice: options.slice ?? SLICE },
        (share) => options.onProgress?.('rehearsal', (k + share) / count),
      );
    } finally {
      rehearsal.dispose();
    }
  }
  return scaleByPoses(poses, energy).matrix;
}

function* run(
  rehearsal: Rehearsal,
  { seconds, framesPerSecond }: RehearsalTimes,
  poses: Float64Array[],
): Generator<number, void> {
  const frames = Math.ceil(seconds * framesPerSecond);
  for (let frame = 0; frame < frames; frame++) {
    rehearsal.step(1 / framesPerSecond);
    for (const { q } of rehearsal.scene.bodies) {
      if (q.some((weight) => Math.abs(weight) > AT_REST)) poses.push(q.slice());
    }
    yield (frame + 1) / frames;
  }
}
