import { bendPoint } from './bend.ts';
import { createPartShape } from './part-shape.ts';
import type { Part, PartGroup } from './part-surface.ts';
import { chain, ellipsoid, type Knot, limb } from './parts.ts';
import type { MotionOptions, Shape } from './shape.ts';

export interface HandOptions extends MotionOptions {
  /** About how many triangles; at least some 3000. Default: 15000. */
  triangles?: number;
  /** Lengths and widths of the fingers. Default: 1. */
  seed?: number;
}

/**
 * A right hand, upright and open: five fingers that stand apart, palm to +z, the thumb at +x; closed, about 1 high, cut
 * off flat at the wrist on y = 0. Motion: it waves; it never touches itself.
 */
export function createHand(options: HandOptions = {}): Shape {
  const move = (out: Float64Array, depth: number) => {
    for (let o = 0; o < out.length; o += 3) bendPoint(out, o, 0.4 * Math.min(depth, 2));
  };
  return createPartShape({ ...PLAN, createGroups, move }, options);
}

const PLAN = {
  name: 'hand',
  triangles: 15_000,
  size: 0.5,
  cell: 0.03, // finds the gaps between fingers
  fewest: 3000,
};

/** Where fingers begin, how they lean, how long and how thick they are. */
const FINGERS: readonly [x: number, y: number, lean: number, length: number, radius: number][] = [
  [0.285, 0.94, 0.24, 0.7, 0.08],
  [0.098, 1.0, 0.07, 0.79, 0.084],
  [-0.098, 0.97, -0.12, 0.72, 0.08],
  [-0.275, 0.88, -0.32, 0.56, 0.07],
];

function createGroups(random: () => number): PartGroup[] {
  const around = (value: number, spread: number) => value * (1 + spread * (2 * random() - 1));
  const fingers = FINGERS.map(([x, y, lean, length, radius]) =>
    finger(x, y, lean, around(length, 0.05), around(radius, 0.04)),
  );
  return [
    { blend: 0.1, parts: palm() },
    ...fingers.map((parts) => ({ blend: 0.05, parts })),
    { blend: 0.09, parts: thumb(around(1, 0.04)) },
  ];
}

function palm(): Part[] {
  return [
    limb('palm', [0, -0.1, 0], [0, 0.3, 0], 0.19, 0.2, { flat: 0.72 }),
    limb('palm', [0.03, 0.35, 0], [0.15, 0.8, 0], 0.22, 0.17, { flat: 0.55, blend: 0.15 }),
    limb('palm', [-0.03, 0.35, 0], [-0.15, 0.74, 0], 0.22, 0.16, { flat: 0.55, blend: 0.15 }),
    ellipsoid('palm', [0.2, 0.42, 0.06], [0.15, 0.24, 0.13], { turn: [0, 0, -25], blend: 0.12 }), // ball of the thumb
  ];
}

/** From the knuckle through two joints, a little bent towards the palm. */
function finger(x: number, y: number, lean: number, length: number, radius: number): Part[] {
  const at = (share: number, forward: number, thick: number): Knot => [
    x + lean * length * share,
    y + length * share * (1 - 0.3 * lean * lean),
    forward,
    radius * thick,
  ];
  return chain(
    'finger',
    [at(-0.35, 0, 1.1), at(0.1, 0, 1), at(0.48, 0.012, 0.98), at(0.8, 0.04, 0.86), at(1, 0.07, 0.74)],
    {
      blend: 0.05,
    },
  );
}

function thumb(length: number): Part[] {
  return chain(
    'thumb',
    [
      [0.16, 0.36, 0.05, 0.14],
      [0.36, 0.56, 0.11, 0.115],
      [0.5, 0.74 * length, 0.15, 0.1],
      [0.585, 0.93 * length, 0.17, 0.078],
    ],
    { blend: 0.08 },
  );
}
