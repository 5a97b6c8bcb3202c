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

/**
 * How certificates should measure poses: by the energy, and by where bodies go in scenes like the one that is meant.
 * Those are better without self-contact, which would take long before there is a certificate.
 */
export function rehearse(
  energy: ModeScaling,
  scenes: Iterable<Rehearsal>,
  seconds: number,
  framesPerSecond: number,
): Float64Array {
  const poses: Float64Array[] = [];
  for (const rehearsal of scenes) {
    for (let frame = 0; frame < seconds * framesPerSecond; frame++) {
      rehearsal.step(1 / framesPerSecond);
      for (const { q } of rehearsal.scene.bodies) {
        if (q.some((weight) => Math.abs(weight) > AT_REST)) poses.push(q.slice());
      }
    }
    rehearsal.dispose();
  }
  return scaleByPoses(poses, energy).matrix;
}
