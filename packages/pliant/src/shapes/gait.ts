import type { Build } from './character.ts';

/** What walks on two and on four legs have in common. Lengths in metres. */
export interface Gait {
  readonly stride: number; // of a whole cycle
  readonly lift: number; // of the foot in its swing
  readonly crouch: number; // how much lower the hips are than at rest
  readonly bounce: number;
  readonly sway: number;
}

/** The same for another build; what else a gait has stays as it is. */
export function scaleGait<T extends Gait>(gait: T, { x, y, z }: Build): T {
  return {
    ...gait,
    stride: z * gait.stride,
    lift: y * gait.lift,
    crouch: y * gait.crouch,
    bounce: y * gait.bounce,
    sway: x * gait.sway,
  };
}

/**
 * Where a foot is on the line it walks. On the ground it goes back with the ground; in the air it comes forward,
 * and begins and ends at the speed of the ground.
 */
export function footAlong(phase: number, stride: number, stance: number): number {
  const p = phase - Math.floor(phase);
  const reach = (stance * stride) / 2;
  if (p < stance) return reach - stride * p;
  const t = (p - stance) / (1 - stance),
    u = 1 - t;
  const slope = -stride * (1 - stance);
  return -reach * u * u * (1 + 2 * t) + reach * t * t * (1 + 2 * u) + slope * t * u * (u - t);
}
