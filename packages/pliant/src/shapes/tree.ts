import { cosTurns, sinTurns } from '../algebra/trigonometry.ts';
import { bendPoint } from './bend.ts';
import { createPartShape } from './part-shape.ts';
import type { Part, PartGroup, Point } from './part-surface.ts';
import { chain, type Knot } from './parts.ts';
import type { MotionOptions, Shape } from './shape.ts';

export interface TreeOptions extends MotionOptions {
  /** About how many triangles; at least some 6000. Default: 24000. */
  triangles?: number;
  /** How the branches grow. Default: 1. */
  seed?: number;
}

/**
 * A bare tree: a trunk on y = 0 with two rings of branches that fork. Closed, about 1.2 high. Motion: it sways; it never
 * touches itself.
 */
export function createTree(options: TreeOptions = {}): Shape {
  const move = (out: Float64Array, depth: number) => {
    for (let o = 0; o < out.length; o += 3) bendPoint(out, o, 0.25 * Math.min(depth, 2));
  };
  return createPartShape({ ...PLAN, createGroups, move }, options);
}

const PLAN = {
  name: 'tree',
  triangles: 24_000,
  size: 0.6,
  cell: 0.03, // finds the twigs
  fewest: 6000,
};

/** Rings of branches: their height on the trunk, how many, where the first one points, how far they reach and rise. */
const RINGS: readonly [height: number, count: number, turn: number, reach: number, rise: number][] = [
  [0.85, 5, 0.05, 0.85, 0.4],
  [1.25, 4, 0.17, 0.62, 0.5],
];

function createGroups(random: () => number): PartGroup[] {
  const around = (value: number, spread: number) => value * (1 + spread * (2 * random() - 1));
  const trunk = chain(
    'trunk',
    [
      [0, -0.1, 0, 0.23],
      [0.01, 0.3, 0, 0.15],
      [-0.01, 0.9, 0.01, 0.12],
      [0.01, 1.4, 0, 0.085],
      [0, 1.95, 0.01, 0.042],
    ],
    { blend: 0.05 },
  );
  const branches = RINGS.flatMap(([height, count, turn, reach, rise]) =>
    Array.from({ length: count }, (_, k) =>
      branch(
        around(height, 0.05),
        turn + k / count + 0.015 * (2 * random() - 1),
        around(reach, 0.08),
        around(rise, 0.1),
      ),
    ),
  );
  return [{ blend: 0.05, parts: trunk }, ...branches.map((parts) => ({ blend: 0.06, parts }))];
}

/** A bough that rises outwards, with a twig to each side. */
function branch(height: number, turn: number, reach: number, rise: number): Part[] {
  const at = (along: number, up: number, beside: number): Point => {
    const [c, s] = [cosTurns(turn), sinTurns(turn)];
    return [along * s + beside * c, height + up, along * c - beside * s];
  };
  const knot = (place: Point, radius: number): Knot => [...place, radius];
  const fork = at(0.55 * reach, 0.42 * rise, 0);
  return [
    ...chain(
      'branch',
      [
        knot(at(0.03, -0.05, 0), 0.08),
        knot(at(0.3 * reach, 0.14 * rise, 0), 0.065),
        knot(fork, 0.055),
        knot(at(0.8 * reach, 0.85 * rise, 0.14 * reach), 0.044),
        knot(at(0.95 * reach, 1.25 * rise, 0.2 * reach), 0.036),
      ],
      { blend: 0.05 },
    ),
    ...chain(
      'branch',
      [
        knot(fork, 0.05),
        knot(at(0.8 * reach, 0.5 * rise, -0.12 * reach), 0.042),
        knot(at(1.05 * reach, 0.62 * rise, -0.24 * reach), 0.034),
      ],
      { blend: 0.03 },
    ),
  ];
}
