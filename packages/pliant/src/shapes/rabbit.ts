import { cos, sin } from '../algebra/trigonometry.ts';
import { bendPoint } from './bend.ts';
import { createPartShape } from './part-shape.ts';
import type { Part, PartGroup } from './part-surface.ts';
import { ball, chain, ellipsoid, limb, mirror } from './parts.ts';
import type { MotionOptions, Shape } from './shape.ts';

export interface RabbitOptions extends MotionOptions {
  /** About how many triangles; at least some 2500. Default: 15000. */
  triangles?: number;
  /** Proportions of body, head and ears. Default: 1. */
  seed?: number;
}

/**
 * A sitting rabbit with two long upright ears, thin at the root; closed, about 1 high. It faces +z, y points up and
 * its feet stand on y = 0. Motion: it lands, flattens, and its ears flap together. At amplitude 1 they touch in
 * about a quarter of the frames, up to 0.75 in none.
 */
export function createRabbit(options: RabbitOptions = {}): Shape {
  const move = (out: Float64Array, depth: number) => {
    for (let o = 0; o < out.length; o += 3) {
      flapEar(out, o, depth);
      flatten(out, o, Math.min(depth, 2));
    }
  };
  return createPartShape({ ...PLAN, createGroups, move }, options);
}

const SIZE = 0.56; // of a unit of the plan below

const PLAN = {
  name: 'rabbit',
  triangles: 15_000,
  size: SIZE,
  cell: 0.026, // finds the ears' rims
  fewest: 2500,
};

const EAR_FOOT = SIZE * 1.08; // above it there is nothing but ears
const EAR_ROOT = SIZE * 0.1; // half of how far apart they stand there
const EAR_HINGE = SIZE * 0.25; // the thin part, which alone bends
const FLAP = 0.37; // angle at depth 1

/** Each ear turns towards the other about its root. */
function flapEar(p: Float64Array, o: number, depth: number): void {
  const height = p[o + 1] - EAR_FOOT;
  if (height <= 0) return;
  const side = p[o] < 0 ? -1 : 1;
  const curvature = (-side * FLAP * depth) / EAR_HINGE,
    bent = Math.min(height, EAR_HINGE);
  scratch[0] = p[o] - side * EAR_ROOT;
  scratch[1] = bent;
  bendPoint(scratch, 0, curvature);
  p[o] = side * EAR_ROOT + scratch[0] + (height - bent) * sin(curvature * bent);
  p[o + 1] = EAR_FOOT + scratch[1] + (height - bent) * cos(curvature * bent);
}

const scratch = new Float64Array(2);

/** Lower and wider, as much as keeps the volume. */
function flatten(p: Float64Array, o: number, depth: number): void {
  const height = 1 - 0.12 * depth,
    width = 1 / Math.sqrt(height);
  p[o] *= width;
  p[o + 1] *= height;
  p[o + 2] *= width;
}

function createGroups(random: () => number): PartGroup[] {
  const around = (value: number, spread: number) => value + spread * (2 * random() - 1);
  const plump = around(1, 0.06),
    head = around(1, 0.05);
  const ear = createEar(around(1, 0.05), around(1, 0.05));
  const hind = hindLeg(plump),
    fore = foreLeg();
  return [
    { blend: 0.1, parts: trunk(plump) },
    { blend: 0.05, parts: hind },
    { blend: 0.05, parts: mirror(hind) },
    { blend: 0.06, parts: fore },
    { blend: 0.06, parts: mirror(fore) },
    { blend: 0.08, parts: headParts(head) },
    { blend: 0.04, parts: ear },
    { blend: 0.04, parts: mirror(ear) },
    { blend: 0.03, parts: [ellipsoid('tail', [0, 0.3, -0.555], [0.125, 0.13, 0.115])] },
  ];
}

function trunk(plump: number): Part[] {
  return [
    ellipsoid('body', [0, 0.34, -0.18], [0.31 * plump, 0.33, 0.38]),
    ellipsoid('body', [0, 0.44, 0.08], [0.23 * plump, 0.3, 0.24], { turn: [20, 0, 0], blend: 0.2 }),
    limb('body', [0, 0.58, 0.14], [0, 0.8, 0.24], 0.17, 0.13, { blend: 0.12 }),
  ];
}

function hindLeg(plump: number): Part[] {
  const x = 0.25 * plump;
  return [
    ellipsoid('leg', [x, 0.25, -0.16], [0.11, 0.21, 0.24], { turn: [-25, 0, 0] }),
    limb('leg', [x + 0.02, 0.07, -0.26], [x + 0.04, 0.055, 0.14], 0.075, 0.075, { blend: 0.05 }),
  ];
}

function foreLeg(): Part[] {
  return [
    ...chain(
      'leg',
      [
        [0.12, 0.46, 0.2, 0.11],
        [0.115, 0.22, 0.28, 0.07],
        [0.115, 0.08, 0.31, 0.06],
      ],
      { blend: 0.06 },
    ),
    ellipsoid('leg', [0.115, 0.05, 0.35], [0.068, 0.055, 0.095], { blend: 0.03 }),
  ];
}

function headParts(size: number): Part[] {
  const s = size;
  const side = [
    ellipsoid('head', [0.095 * s, 0.8, 0.37], [0.1 * s, 0.095, 0.12], { blend: 0.06 }), // cheek
    ball('head', [0.15 * s, 0.91, 0.385], 0.04, { blend: 0.008 }), // eye
    ellipsoid('head', [0.033, 0.785, 0.49], [0.045, 0.042, 0.05], { blend: 0.025 }),
  ];
  return [
    ellipsoid('head', [0, 0.88, 0.26], [0.19 * s, 0.18, 0.22]),
    limb('head', [0, 0.85, 0.33], [0, 0.82, 0.46], 0.125 * s, 0.075, { blend: 0.06 }),
    ...side,
    ...mirror(side),
    ball('head', [0, 0.835, 0.53], 0.026, { blend: 0.012 }), // nose
    ellipsoid('head', [0, 0.745, 0.46], [0.04, 0.035, 0.045], { blend: 0.02 }), // chin
  ];
}

/** Long, thin at the root, flat enough to bend inwards, and hollow towards the outside. */
function createEar(length: number, width: number): Part[] {
  const half = 0.36 * length,
    lean = [-6, EAR_TURN, -8] as const;
  const middle = [0.1 + 0.14 * half, 1.02 + half, 0.15] as const;
  const hollow = [middle[0] + 0.078, middle[1] + 0.03, middle[2] + 0.045] as const;
  return [
    limb('ear', [0.075, 0.97, 0.19], [0.115, 1.2, 0.165], 0.07, 0.05, { across: [0.9, 0, 0.4], flat: 0.7 }),
    ellipsoid('ear', middle, [0.062, half, 0.12 * width], { turn: lean, blend: 0.03 }),
    ellipsoid('ear', hollow, [0.06, 0.8 * half, 0.075 * width], { turn: lean, blend: 0.02, carve: true }),
  ];
}

const EAR_TURN = -30; // degrees by which the hollow looks to the front
