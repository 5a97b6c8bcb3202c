import type { Part, PartGroup, Point } from './part-surface.ts';
import { ball, betweenKnots, chain, ellipsoid, type Knot, limb, mirror } from './parts.ts';
import { bothSides, type JointPlan } from './skeleton.ts';

/* The plan of `createDragon`: it crouches, faces +z, and its tail lies round its left side. */

export const DRAGON_JOINTS: readonly JointPlan[] = [
  ['trunk', '', 0, 0.5, 0],
  ['neck1', 'trunk', 0, 0.66, 0.5],
  ['neck2', 'neck1', 0, 0.95, 0.72],
  ['neck3', 'neck2', 0, 1.22, 0.68],
  ['head', 'neck3', 0, 1.52, 0.66],
  ['tail1', 'trunk', 0, 0.44, -0.72],
  ['tail2', 'tail1', 0.2, 0.22, -1.06],
  ['tail3', 'tail2', 0.56, 0.13, -0.94],
  ['tail4', 'tail3', 0.64, 0.11, -0.5],
  ['tail5', 'tail4', 0.625, 0.09, -0.05],
  ['tail6', 'tail5', 0.6, 0.085, 0.36],
  ...bothSides(['wing', 'trunk', 0.17, 0.7, 0.2]),
];

const NECK: readonly Knot[] = [
  [0, 0.58, 0.36, 0.22],
  [0, 0.72, 0.6, 0.17],
  [0, 0.95, 0.72, 0.135],
  [0, 1.22, 0.68, 0.115],
  [0, 1.45, 0.62, 0.105],
  [0, 1.57, 0.72, 0.1],
];
const NECK_JOINTS = ['trunk', 'neck1', 'neck2', 'neck3', 'head'];

const TAIL: readonly Knot[] = [
  [0, 0.5, -0.5, 0.21],
  [0, 0.42, -0.78, 0.165],
  [0.08, 0.26, -1.02, 0.14],
  [0.32, 0.165, -1.12, 0.122],
  [0.56, 0.13, -0.94, 0.108],
  [0.64, 0.11, -0.6, 0.095],
  [0.63, 0.1, -0.24, 0.083],
  [0.615, 0.09, 0.12, 0.072],
  [0.59, 0.085, 0.46, 0.06],
  [0.52, 0.08, 0.78, 0.05],
  [0.34, 0.08, 1.0, 0.038],
];
const TAIL_JOINTS = [
  'trunk',
  'tail1',
  'tail1',
  'tail2',
  'tail3',
  'tail4',
  'tail4',
  'tail5',
  'tail6',
  'tail6',
];

/** The line on which the spikes of the back stand. */
const BACK: readonly Knot[] = [
  [0, 0.55, 0.32, 0.22],
  [0, 0.51, 0, 0.21],
  [0, 0.5, -0.32, 0.215],
  [0, 0.49, -0.64, 0.195],
];

/** How individuals differ: factors of lengths. */
export interface DragonBuild {
  readonly spike: () => number; // another one for each spike
  readonly horn: number;
  readonly wing: number;
  readonly belly: number;
}

export function dragonGroups(build: DragonBuild): PartGroup[] {
  const fore = foreLeg(),
    hind = hindLeg(),
    wing = wingParts(build.wing);
  return [
    { blend: 0.1, parts: trunk(build.belly) },
    { blend: 0.1, parts: chain(NECK_JOINTS, NECK, { softness: 0.12 }) },
    { blend: 0.1, parts: tailParts() },
    { blend: 0.06, parts: hind },
    { blend: 0.06, parts: mirror(hind) },
    { blend: 0.06, parts: fore },
    { blend: 0.06, parts: mirror(fore) },
    { blend: 0.03, parts: headParts(build.horn) },
    { blend: 0.04, parts: wing },
    { blend: 0.04, parts: mirror(wing) },
    {
      blend: 0.012,
      parts: spikesAlong(
        NECK.slice(1),
        NECK_JOINTS.slice(1),
        6,
        [0, 0.5, -1],
        -1,
        () => 0.75 * build.spike(),
      ),
    },
    { blend: 0.012, parts: spikesAlong(BACK, ['trunk'], 5, [0, 1, 0], 1, build.spike) },
    {
      blend: 0.012,
      parts: spikesAlong(TAIL.slice(1, -1), TAIL_JOINTS.slice(1), 15, [0, 1, 0], 1, build.spike),
    },
  ];
}

function trunk(belly: number): Part[] {
  return [
    ellipsoid('trunk', [0, 0.5, -0.42], [0.21, 0.22, 0.3], { softness: 0.12 }),
    ellipsoid('trunk', [0, 0.48, -0.08], [0.21 * belly, 0.22, 0.38], { blend: 0.15, softness: 0.12 }),
    ellipsoid('trunk', [0, 0.52, 0.28], [0.235, 0.27, 0.3], { blend: 0.15, softness: 0.12 }),
  ];
}

/** With an arrow at its end. */
function tailParts(): Part[] {
  return [
    ...chain(TAIL_JOINTS, TAIL, { softness: 0.14 }),
    limb('tail6', [0.35, 0.08, 0.995], [0.16, 0.075, 1.07], 0.08, 0.024, {
      blend: 0.02,
      across: [0, 1, 0],
      flat: 0.6,
    }),
  ];
}

function headParts(horn: number): Part[] {
  const head = { softness: 0.05 };
  const hornOptions = { ...head, blend: 0.015 };
  const side = [
    limb('head', [0.05, 1.71, 0.9], [0.1, 1.715, 0.79], 0.026, 0.036, { ...head, blend: 0.025 }), // brow
    ball('head', [0.09, 1.665, 0.85], 0.034, { ...head, blend: 0.006 }), // eye
    ball('head', [0.042, 1.655, 1.13], 0.028, { ...head, blend: 0.02 }), // nostril
    ellipsoid('head', [0.09, 1.58, 0.76], [0.05, 0.08, 0.09], { ...head, blend: 0.03 }), // jaw
    ...chain(
      'head',
      [
        [0.075, 1.7, 0.72, 0.05],
        [0.13, 1.77, 0.6, 0.042],
        [0.16 + 0.02 * horn, 1.78 + 0.05 * horn, 0.46, 0.033],
        [0.16 + 0.03 * horn, 1.78 + 0.18 * horn, 0.36 - 0.03 * horn, 0.026],
      ],
      hornOptions,
    ),
    limb('head', [0.11, 1.58, 0.7], [0.12 + 0.09 * horn, 1.59, 0.64 - 0.1 * horn], 0.036, 0.022, hornOptions),
  ];
  return [
    ellipsoid('head', [0, 1.63, 0.76], [0.125, 0.12, 0.15], { ...head, blend: 0.05 }),
    limb('head', [0, 1.64, 0.86], [0, 1.62, 1.11], 0.095, 0.064, { ...head, blend: 0.05 }),
    limb('head', [0, 1.535, 0.79], [0, 1.4, 1.03], 0.075, 0.04, { ...head, blend: 0.04 }), // lower jaw
    ...side,
    ...mirror(side),
    limb('head', [0, 1.67, 1.12], [0, 1.68 + 0.06 * horn, 1.13], 0.036, 0.016, hornOptions),
  ];
}

function foreLeg(): Part[] {
  return [
    ellipsoid('trunk', [0.19, 0.5, 0.28], [0.1, 0.19, 0.15], { blend: 0.06, turn: [15, 0, 0] }),
    ...chain(
      'trunk',
      [
        [0.23, 0.48, 0.25, 0.115],
        [0.31, 0.3, 0.14, 0.085],
      ],
      { blend: 0.05 },
    ),
    ...chain(
      'trunk',
      [
        [0.31, 0.29, 0.145, 0.082],
        [0.315, 0.19, 0.3, 0.072],
        [0.315, 0.1, 0.44, 0.06],
      ],
      { blend: 0.06 },
    ),
    ...toes(0.315, 0.47),
  ];
}

function hindLeg(): Part[] {
  return [
    ellipsoid('trunk', [0.205, 0.49, -0.4], [0.115, 0.18, 0.19], { blend: 0.07, turn: [-25, 0, 0] }),
    ...chain(
      'trunk',
      [
        [0.25, 0.48, -0.36, 0.13],
        [0.365, 0.35, -0.14, 0.1],
      ],
      { blend: 0.05 },
    ),
    ...chain(
      'trunk',
      [
        [0.365, 0.34, -0.135, 0.095],
        [0.385, 0.225, -0.34, 0.068],
        [0.385, 0.1, -0.46, 0.06],
      ],
      { blend: 0.06 },
    ),
    limb('trunk', [0.385, 0.09, -0.46], [0.385, 0.065, -0.2], 0.06, 0.06, { blend: 0.05 }),
    ...toes(0.385, -0.15),
  ];
}

/** A pad and three toes with claws. */
function toes(x: number, z: number): Part[] {
  const three = [-1, 0, 1].flatMap((k) => {
    const end = z + 0.13 - 0.025 * k * k;
    return [
      limb('trunk', [x + 0.035 * k, 0.05, z + 0.03], [x + 0.08 * k, 0.04, end], 0.045, 0.035, {
        blend: 0.015,
      }),
      limb('trunk', [x + 0.082 * k, 0.045, end + 0.01], [x + 0.095 * k, 0.022, end + 0.07], 0.027, 0.014, {
        blend: 0.006,
      }),
    ];
  });
  return [ellipsoid('trunk', [x, 0.06, z], [0.08, 0.066, 0.09], { blend: 0.03 }), ...three];
}

/** Half folded: an arm up to the wrist, and lobes of skin between fingers that spread from there to the back. */
function wingParts(size: number): Part[] {
  const wrist: Point = [0.46, 1.12 * size, 0.2];
  const tips: Point[] = [
    [0.617, 1.12, -0.78],
    [0.576, 0.9, -0.8],
    [0.518, 0.72, -0.66],
    [0.459, 0.62, -0.42],
  ];
  const skin = { across: [1, -0.2, 0.16], flat: 0.4, softness: 0.08 } as const;
  const parts: Part[] = [
    limb('wingL', [0.13, 0.67, 0.2], [0.31, 0.85, 0.06], 0.075, 0.055, { blend: 0.04 }),
    limb('wingL', [0.31, 0.85, 0.06], wrist, 0.055, 0.05, { blend: 0.03 }),
  ];
  for (const tip of tips) {
    const lobe: Point = [
      wrist[0] + 0.86 * (tip[0] - wrist[0]),
      wrist[1] + 0.86 * (tip[1] - wrist[1]),
      wrist[2] + 0.86 * (tip[2] - wrist[2]),
    ];
    parts.push(limb('wingL', wrist, lobe, 0.075, 0.115, { ...skin, blend: 0.05 }));
    parts.push(limb('wingL', wrist, tip, 0.042, 0.018, { blend: 0.012 })); // a finger
  }
  parts.push(
    limb('wingL', wrist, [wrist[0] + 0.03, wrist[1] + 0.14, wrist[2] + 0.05], 0.04, 0.016, { blend: 0.015 }),
  );
  return parts;
}

/** A row of flat spikes. `out` is where they point, as far as it is across the curve; they lean forwards (1) or backwards (−1) along it. */
function spikesAlong(
  knots: readonly Knot[],
  joints: readonly string[],
  count: number,
  out: Point,
  lean: number,
  vary: () => number,
): Part[] {
  return Array.from({ length: count }, (_, k) => {
    const at = ((k + 0.5) / count) * (knots.length - 1);
    const i = Math.trunc(at),
      t = at - i;
    const [x, y, z, r] = betweenKnots(knots, i, t);
    const from = betweenKnots(knots, i, Math.max(t - 0.05, 0)),
      to = betweenKnots(knots, i, Math.min(t + 0.05, 1));
    const along = unit([to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
    const dot = out[0] * along[0] + out[1] * along[1] + out[2] * along[2];
    const up = unit([out[0] - dot * along[0], out[1] - dot * along[1], out[2] - dot * along[2]]);
    const tall = (0.05 + 0.6 * r) * vary();
    const place = (height: number, forwards: number): Point => [
      x + height * up[0] + forwards * along[0],
      y + height * up[1] + forwards * along[1],
      z + height * up[2] + forwards * along[2],
    ];
    return limb(
      joints[Math.min(i, joints.length - 1)],
      place(0.85 * r, 0),
      place(r + tall, 0.45 * lean * tall),
      0.03 + 0.17 * r,
      0.022,
      {
        blend: 0.012,
        across: cross(along, up),
        flat: 0.8,
        softness: 0.05,
      },
    );
  });
}

function cross([a, b, c]: Point, [x, y, z]: Point): Point {
  return [b * z - c * y, c * x - a * z, a * y - b * x];
}

function unit([x, y, z]: Point): Point {
  const n = 1 / Math.sqrt(x * x + y * y + z * z);
  return [n * x, n * y, n * z];
}
