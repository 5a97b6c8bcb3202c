import { type BipedGait, createBipedWalk, scaleBipedGait } from './biped-walk.ts';
import { type Character, type CharacterOptions, type CharacterPlan, createCharacter } from './character.ts';
import type { Part, PartGroup } from './part-surface.ts';
import { ball, chain, ellipsoid, limb, mirror } from './parts.ts';
import { bothSides, type JointPlan } from './skeleton.ts';

/** A man of 1.8 m in a loose stance, arms away from the body. By default about 8300 triangles. */
export function createMan(options: CharacterOptions = {}): Character {
  return createCharacter(createPlan, options, 8300, FEWEST);
}

const FEWEST = 1000; // triangles that still show all parts

function createPlan(triangles: number): CharacterPlan {
  const hasFingers = triangles >= FINGERS_FROM;
  const lens = { radius: 0.56, strength: 0.79 }; // gaps between fingers are narrow
  return {
    name: 'man',
    joints: JOINTS,
    groups: groupsOf(hasFingers),
    cell: hasFingers ? 0.0135 : 0.016,
    lenses: hasFingers ? [1, -1].map((side) => ({ centre: [0.575 * side, 0.9, 0.01], ...lens })) : [],
    walkDuration: 1.1,
    stride: GAIT.stride,
    createWalk: (rig, build) => createBipedWalk(rig, scaleBipedGait(GAIT, build)),
  };
}

const FINGERS_FROM = 5000; // triangles; below, fingers would be thinner than these, so hands are mittens

const GAIT: BipedGait = {
  stride: 1.42,
  lift: 0.05,
  crouch: 0.03,
  bounce: 0.018,
  sway: 0.02,
  stepWidth: 0.085,
  toesOut: 6,
  armsDown: 21,
  armSwing: 22,
  elbow: 24,
  hipTurn: 6,
  chestTurn: 5,
  lean: 3,
  toesUp: 20,
  heelPush: 38,
  heelZ: -0.075,
  ballZ: 0.12,
};

const JOINTS: readonly JointPlan[] = [
  ['hips', '', 0, 0.97, 0],
  ['spine', 'hips', 0, 1.09, -0.01],
  ['chest', 'spine', 0, 1.24, -0.02],
  ['neck', 'chest', 0, 1.49, -0.025],
  ['head', 'neck', 0, 1.59, -0.005],
  ...bothSides(
    ['clavicle', 'chest', 0.03, 1.44, 0],
    ['arm', 'clavicle', 0.185, 1.425, -0.02],
    ['forearm', 'arm', 0.36, 1.2, -0.025],
    ['hand', 'forearm', 0.518, 0.996, 0.005],
    ['thigh', 'hips', 0.092, 0.93, 0],
    ['shin', 'thigh', 0.1, 0.505, 0.012],
    ['foot', 'shin', 0.105, 0.085, -0.02],
    ['toe', 'foot', 0.108, 0.025, 0.12],
  ),
];

function groupsOf(hasFingers: boolean): PartGroup[] {
  const leg = legParts(),
    arm = [...armParts(), ...(hasFingers ? handParts() : mittenParts())];
  return [
    { blend: 0.05, parts: torsoParts() },
    { blend: 0.035, parts: leg },
    { blend: 0.02, parts: mirror(leg) },
    { blend: 0.035, parts: arm },
    { blend: 0.035, parts: mirror(arm) },
    { blend: 0.03, parts: headParts() },
  ];
}

function torsoParts(): Part[] {
  const side = [
    ellipsoid('chest', [0.078, 1.36, 0.055], [0.095, 0.068, 0.042], { blend: 0.04, turn: [0, 24, -8] }),
    limb('chest', [0.035, 1.505, -0.035], [0.15, 1.435, -0.025], 0.038, 0.045, { blend: 0.05 }),
    ellipsoid('chest', [0.085, 1.31, -0.05], [0.07, 0.13, 0.06], { blend: 0.05, turn: [0, 0, 8] }),
    ellipsoid('hips', [0.07, 0.93, -0.052], [0.085, 0.095, 0.085], { blend: 0.05 }),
  ];
  return [
    ellipsoid('hips', [0, 0.965, 0.005], [0.145, 0.12, 0.105]),
    ellipsoid('spine', [0, 1.1, 0.008], [0.135, 0.15, 0.094], { blend: 0.08 }),
    ellipsoid('chest', [0, 1.295, -0.01], [0.162, 0.19, 0.11], { blend: 0.1 }),
    limb('chest', [-0.115, 1.41, -0.025], [0.115, 1.41, -0.025], 0.07, 0.07, { blend: 0.06 }),
    ...side,
    ...mirror(side),
  ];
}

function headParts(): Part[] {
  const face = { detail: 0.36 };
  const side = [
    ellipsoid('head', [0.077, 1.672, -0.006], [0.01, 0.031, 0.019], {
      ...face,
      blend: 0.008,
      turn: [12, 24, 0],
    }),
    ellipsoid('head', [0.031, 1.655, 0.05], [0.034, 0.03, 0.034], { ...face, blend: 0.03 }),
    ellipsoid('head', [0.032, 1.69, 0.108], [0.022, 0.014, 0.02], { ...face, blend: 0.02, carve: true }),
    ball('head', [0.031, 1.688, 0.071], 0.0155, { ...face, blend: 0.006 }),
  ];
  return [
    limb('neck', [0, 1.44, -0.03], [0, 1.6, -0.008], 0.06, 0.054, { detail: 0.8, softness: 0.05 }),
    ellipsoid('head', [0, 1.702, -0.004], [0.075, 0.094, 0.094], {
      detail: 0.5,
      blend: 0.03,
      softness: 0.04,
    }),
    ellipsoid('head', [0, 1.632, 0.03], [0.054, 0.06, 0.06], { ...face, blend: 0.06, softness: 0.04 }),
    ellipsoid('head', [0, 1.59, 0.062], [0.026, 0.02, 0.024], { ...face, blend: 0.03 }),
    limb('head', [-0.03, 1.712, 0.073], [0.03, 1.712, 0.073], 0.014, 0.014, { ...face, blend: 0.025 }),
    ...side,
    ...mirror(side),
    limb('head', [0, 1.695, 0.082], [0, 1.66, 0.098], 0.008, 0.012, { ...face, blend: 0.016 }),
    ellipsoid('head', [0, 1.627, 0.086], [0.022, 0.006, 0.009], { ...face, blend: 0.008 }),
    ellipsoid('head', [0, 1.615, 0.084], [0.018, 0.007, 0.009], { ...face, blend: 0.008 }),
    // Short hair: a cap a little larger than the skull, further up at the front.
    ellipsoid('head', [0, 1.72, -0.018], [0.081, 0.086, 0.088], {
      detail: 0.45,
      blend: 0.004,
      turn: [-20, 0, 0],
    }),
  ];
}

function armParts(): Part[] {
  return [
    ball('armL', [0.188, 1.418, -0.022], 0.066, { blend: 0.05 }),
    ...chain(
      'armL',
      [
        [0.2, 1.405, -0.022, 0.058],
        [0.27, 1.315, -0.02, 0.052],
        [0.352, 1.21, -0.025, 0.042],
      ],
      {
        blend: 0.03,
        detail: 0.85,
      },
    ),
    ...chain(
      'forearmL',
      [
        [0.358, 1.203, -0.025, 0.041],
        [0.405, 1.14, -0.017, 0.044],
        [0.505, 1.012, 0.003, 0.0285],
      ],
      {
        blend: 0.012,
        detail: 0.75,
      },
    ),
  ];
}

const PALM = { across: [0.79, 0.61, 0] as const, flat: 0.42, softness: 0.02 };

function mittenParts(): Part[] {
  return [
    limb('handL', [0.52, 0.993, 0.006], [0.56, 0.94, 0.012], 0.033, 0.045, {
      ...PALM,
      blend: 0.03,
      detail: 0.6,
    }),
    limb('handL', [0.56, 0.94, 0.012], [0.598, 0.86, 0.012], 0.045, 0.03, {
      ...PALM,
      blend: 0.02,
      detail: 0.55,
    }),
    limb('handL', [0.535, 0.965, 0.03], [0.562, 0.92, 0.075], 0.02, 0.016, { blend: 0.02, detail: 0.5 }),
  ];
}

/**
 * A palm, a thumb and four fingers, a little bent. Neighbouring fingers are almost parallel: between the sides of a
 * narrow wedge the surface would be too sharply bent for any mesh.
 */
function handParts(): Part[] {
  const finger = { detail: 0.27, blend: 0.008, softness: 0.01 };
  const fingers = [0, 1, 2, 3].flatMap((i) => {
    const spread = 1.5 - i,
      long = [0.93, 1, 0.95, 0.78][i];
    const z = 0.004 + 0.0265 * spread,
      open = 0.0025 * spread;
    const knuckle = [0.556 + 0.035 * long, 0.94 - 0.053 * long, z + open] as const;
    const tip = [0.556 + 0.05 * long, 0.94 - 0.096 * long, z + 1.8 * open] as const;
    return [
      limb('handL', [0.556, 0.94, z], knuckle, 0.0096, 0.0094, finger),
      limb('handL', knuckle, tip, 0.0094, 0.0086, { ...finger, blend: 0.003 }),
    ];
  });
  return [
    limb('handL', [0.521, 0.991, 0.004], [0.55, 0.95, 0.004], 0.031, 0.046, {
      ...PALM,
      blend: 0.03,
      detail: 0.36,
    }),
    ...chain(
      'handL',
      [
        [0.531, 0.972, 0.032, 0.019],
        [0.539, 0.955, 0.073, 0.0145],
        [0.546, 0.928, 0.108, 0.011],
      ],
      {
        ...finger,
        blend: 0.02,
      },
    ),
    ...fingers,
  ];
}

function legParts(): Part[] {
  return [
    ...chain(
      'thighL',
      [
        [0.088, 0.92, 0, 0.086],
        [0.098, 0.74, 0.01, 0.079],
        [0.101, 0.54, 0.012, 0.055],
      ],
      { blend: 0.04 },
    ),
    ...chain(
      'shinL',
      [
        [0.101, 0.515, 0.014, 0.053],
        [0.103, 0.37, -0.014, 0.056],
        [0.105, 0.2, -0.022, 0.039],
        [0.105, 0.1, -0.02, 0.036],
      ],
      { blend: 0.02, detail: 0.9 },
    ),
    ball('shinL', [0.1, 0.5, 0.034], 0.036, { blend: 0.025, detail: 0.9 }),
    // A shoe.
    ball('footL', [0.105, 0.04, -0.035], 0.043, { blend: 0.04, detail: 0.65 }),
    limb('footL', [0.105, 0.065, -0.012], [0.109, 0.03, 0.1], 0.043, 0.042, {
      blend: 0.03,
      detail: 0.65,
      softness: 0.02,
    }),
    ...chain(
      'toeL',
      [
        [0.11, 0.026, 0.115, 0.046],
        [0.109, 0.022, 0.162, 0.036],
      ],
      {
        blend: 0.03,
        detail: 0.62,
        across: [0, 1, 0],
        flat: 0.75,
        softness: 0.018,
      },
    ),
  ];
}
