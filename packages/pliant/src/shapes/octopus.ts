import { cosTurns, sinTurns } from '../algebra/trigonometry.ts';
import { createPartShape } from './part-shape.ts';
import type { Part, PartGroup } from './part-surface.ts';
import { ball, chain, ellipsoid, type Knot, mirror } from './parts.ts';
import type { MotionOptions, Shape } from './shape.ts';

export interface OctopusOptions extends MotionOptions {
  /** About how many triangles; at least some 6000. Default: 24000. */
  triangles?: number;
  /** How the arms lie, and how long they are. Default: 1. */
  seed?: number;
}

/**
 * An eight-armed creature that sits on y = 0: a tall head with two eyes, and arms that lie around it with their tips up.
 * Closed, about 1 high and 2 wide; it faces +z. Motion: its head bobs; it never touches itself.
 */
export function createOctopus(options: OctopusOptions = {}): Shape {
  const move = (out: Float64Array, depth: number) => {
    const share = 1 - 0.1 * Math.min(depth, 2);
    for (let o = 1; o < out.length; o += 3) out[o] *= share;
  };
  return createPartShape({ ...PLAN, createGroups, move }, options);
}

const PLAN = {
  name: 'octopus',
  triangles: 24_000,
  size: 0.9,
  cell: 0.032, // finds the tips of the arms
  fewest: 6000,
};
const ARMS = 8;

function createGroups(random: () => number): PartGroup[] {
  const around = (value: number, spread: number) => value + spread * (2 * random() - 1);
  const arms = Array.from({ length: ARMS }, (_, k) =>
    createArm((k + 0.5) / ARMS + around(0, 0.006), around(1, 0.07), around(0, 0.02), around(0.24, 0.07)),
  );
  return [{ blend: 0.1, parts: head() }, ...arms.map((parts) => ({ blend: 0.07, parts }))];
}

function head(): Part[] {
  const eye = [
    ellipsoid('head', [0.17, 0.5, 0.2], [0.085, 0.09, 0.08], { blend: 0.05 }),
    ball('head', [0.2, 0.52, 0.26], 0.05, { blend: 0.008 }),
  ];
  return [
    ellipsoid('head', [0, 0.3, 0], [0.29, 0.2, 0.29]),
    ellipsoid('head', [0, 0.48, 0.02], [0.24, 0.24, 0.24], { blend: 0.12 }),
    ellipsoid('head', [0, 0.82, -0.1], [0.3, 0.36, 0.33], { turn: [-20, 0, 0], blend: 0.16 }),
    ...eye,
    ...mirror(eye),
  ];
}

/** Out from under the head, along the ground, and up at the tip; `swerve` in turns. */
function createArm(turns: number, length: number, swerve: number, rise: number): Part[] {
  const at = (reach: number, height: number, radius: number, by: number): Knot => {
    const angle = turns + by;
    return [reach * length * sinTurns(angle), height, reach * length * cosTurns(angle), radius];
  };
  return chain(
    'arm',
    [
      at(0.16, 0.27, 0.1, 0),
      at(0.4, 0.12, 0.095, 0.2 * swerve),
      at(0.68, 0.085, 0.075, 0.7 * swerve),
      at(0.94, 0.11, 0.058, swerve),
      at(1.1, rise, 0.04, 0.8 * swerve),
    ],
    { blend: 0.08 },
  );
}
