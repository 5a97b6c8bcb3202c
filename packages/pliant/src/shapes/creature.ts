import { type Character, type CharacterOptions, type CharacterPlan, createCharacter } from './character.ts';
import type { Part, PartGroup } from './part-surface.ts';
import { ball, chain, ellipsoid, limb, mirror } from './parts.ts';
import { createQuadrupedWalk, type QuadrupedGait, scaleQuadrupedGait } from './quadruped-walk.ts';
import { bothSides, type JointPlan } from './skeleton.ts';

/** A dragon-like animal: four legs, a long neck with a horned head, a long tail. By default about 13600 triangles. */
export function createCreature(options: CharacterOptions = {}): Character {
  return createCharacter(createPlan, options, 13_600, FEWEST);
}

const FEWEST = 2500; // triangles that still show all parts

function createPlan(triangles: number): CharacterPlan {
  const isFine = triangles >= FINE_FROM;
  return {
    name: 'creature',
    joints: JOINTS,
    groups: groupsOf(isFine),
    cell: isFine ? 0.016 : 0.021,
    lenses: [{ centre: [0, 1.93, 1], radius: 0.7, strength: 0.4 }],
    walkDuration: 1.5,
    stride: GAIT.stride,
    createWalk: (rig, build) => createQuadrupedWalk(rig, scaleQuadrupedGait(GAIT, build)),
  };
}

const FINE_FROM = 9000; // triangles; below, claws, spikes and small horns would be thinner than these

const TAIL = ['tail1', 'tail2', 'tail3', 'tail4', 'tail5', 'tail6'];
const NECK = ['neck1', 'neck2', 'neck3', 'head'];

const GAIT: QuadrupedGait = {
  stride: 1.1,
  lift: 0.14,
  crouch: 0.05,
  bounce: 0.02,
  sway: 0.025,
  spineTurn: 5,
  neck: NECK,
  neckWave: 7,
  tail: TAIL,
  tailWave: 9,
};

const JOINTS: readonly JointPlan[] = [
  ['hips', '', 0, 1.08, -0.5],
  ['spine', 'hips', 0, 1.1, -0.18],
  ['chest', 'spine', 0, 1.1, 0.15],
  ['neck1', 'chest', 0, 1.2, 0.48],
  ['neck2', 'neck1', 0, 1.42, 0.7],
  ['neck3', 'neck2', 0, 1.63, 0.76],
  ['head', 'neck3', 0, 1.84, 0.86],
  ['tail1', 'hips', 0, 1.03, -0.74],
  ['tail2', 'tail1', 0, 0.92, -1.0],
  ['tail3', 'tail2', 0, 0.8, -1.27],
  ['tail4', 'tail3', 0, 0.71, -1.54],
  ['tail5', 'tail4', 0, 0.67, -1.8],
  ['tail6', 'tail5', 0, 0.69, -2.06],
  ...bothSides(
    ['arm', 'chest', 0.19, 1.02, 0.32],
    ['forearm', 'arm', 0.235, 0.63, 0.2],
    ['paw', 'forearm', 0.24, 0.24, 0.33],
    ['fingers', 'paw', 0.245, 0.06, 0.37],
    ['thigh', 'hips', 0.18, 1.04, -0.5],
    ['shin', 'thigh', 0.24, 0.66, -0.33],
    ['hock', 'shin', 0.245, 0.36, -0.63],
    ['foot', 'hock', 0.25, 0.06, -0.55],
  ),
];

function groupsOf(isFine: boolean): PartGroup[] {
  const fore = [...foreLeg(), ...toes('fingersL', 0.245, 0.37, isFine)],
    hind = [...hindLeg(), ...toes('footL', 0.25, -0.55, isFine)];
  return [
    { blend: 0.1, parts: trunk() },
    { blend: 0.09, parts: hind },
    { blend: 0.09, parts: mirror(hind) },
    { blend: 0.08, parts: fore },
    { blend: 0.08, parts: mirror(fore) },
    { blend: 0.03, parts: headParts(isFine) },
    ...(isFine ? [{ blend: 0.015, parts: spikes() }] : []),
  ];
}

function trunk(): Part[] {
  return [
    ellipsoid('hips', [0, 1.06, -0.5], [0.21, 0.225, 0.31], { softness: 0.14 }),
    ellipsoid('spine', [0, 1.03, -0.15], [0.22, 0.25, 0.35], { blend: 0.15, softness: 0.14 }),
    ellipsoid('chest', [0, 1.02, 0.22], [0.25, 0.3, 0.34], { blend: 0.15, softness: 0.14 }),
    ...chain(
      ['neck1', 'neck1', 'neck2', 'neck3'],
      [
        [0, 1.12, 0.38, 0.215],
        [0, 1.26, 0.6, 0.155],
        [0, 1.42, 0.7, 0.125],
        [0, 1.63, 0.76, 0.103],
        [0, 1.84, 0.86, 0.096],
      ],
      { blend: 0.1, detail: 0.9 },
    ),
    ...chain(
      ['tail1', 'tail2', 'tail3', 'tail4', 'tail5', 'tail6'],
      [
        [0, 1.05, -0.7, 0.2],
        [0, 0.92, -1, 0.145],
        [0, 0.8, -1.27, 0.112],
        [0, 0.71, -1.54, 0.088],
        [0, 0.67, -1.8, 0.068],
        [0, 0.69, -2.06, 0.05],
        [0, 0.78, -2.3, 0.03],
      ],
      { blend: 0.1, detail: 0.85 },
    ),
    // An arrow at its end.
    limb('tail6', [0, 0.775, -2.28], [0, 0.86, -2.48], 0.08, 0.035, {
      blend: 0.02,
      detail: 0.55,
      across: [0, 1, 0.4],
      flat: 0.7,
    }),
  ];
}

function headParts(isFine: boolean): Part[] {
  const head = { detail: 0.5, softness: 0.05 };
  const horn = { ...head, detail: 0.42, blend: 0.015 };
  const side = [
    limb('head', [0.045, 1.985, 1.09], [0.095, 1.99, 0.99], 0.024, 0.032, { ...head, blend: 0.025 }),
    ball('head', [0.082, 1.95, 1.04], 0.03, { ...head, blend: 0.006, detail: 0.4 }),
    ball('head', [0.036, 1.905, 1.315], 0.024, { ...head, blend: 0.02 }),
    ellipsoid('head', [0.085, 1.845, 0.94], [0.045, 0.085, 0.085], { ...head, blend: 0.03 }),
    ...chain(
      'head',
      [
        [0.07, 1.98, 0.9, 0.046],
        [0.115, 2.05, 0.79, 0.04],
        [0.15, 2.1, 0.65, 0.032],
        [0.165, 2.19, 0.54, 0.022],
      ],
      horn,
    ),
  ];
  if (isFine) side.push(limb('head', [0.105, 1.86, 0.88], [0.19, 1.875, 0.73], 0.034, 0.018, horn));
  return [
    ellipsoid('head', [0, 1.905, 0.95], [0.115, 0.112, 0.14], { ...head, blend: 0.04 }),
    limb('head', [0, 1.895, 1.04], [0, 1.872, 1.29], 0.092, 0.062, { ...head, blend: 0.04 }),
    limb('head', [0, 1.8, 0.98], [0, 1.79, 1.25], 0.07, 0.04, { ...head, blend: 0.012 }),
    ...side,
    ...mirror(side),
    limb('head', [0, 1.93, 1.31], [0, 1.975, 1.31], 0.034, 0.022, horn),
  ];
}

/** A row of flat spikes along the back. */
function spikes(): Part[] {
  const rows: [joint: string, y: number, z: number, size: number][] = [
    ['neck3', 1.83, 0.77, 0.75],
    ['neck2', 1.63, 0.67, 0.85],
    ['neck1', 1.47, 0.58, 0.95],
    ['neck1', 1.36, 0.44, 1.05],
    ['chest', 1.305, 0.22, 1.15],
    ['spine', 1.27, -0.03, 1.2],
    ['spine', 1.265, -0.28, 1.2],
    ['hips', 1.265, -0.52, 1.1],
    ['tail1', 1.2, -0.75, 1],
    ['tail1', 1.1, -0.96, 0.92],
    ['tail2', 0.99, -1.18, 0.84],
    ['tail3', 0.88, -1.4, 0.76],
    ['tail4', 0.79, -1.62, 0.68],
  ];
  return rows.map(([joint, y, z, size]) =>
    limb(joint, [0, y - 0.03, z], [0, y + 0.09 * size, z - 0.085 * size], 0.07 * size, 0.026, {
      blend: 0.015,
      detail: 0.55,
      across: [1, 0, 0],
      flat: 0.62,
      softness: 0.07,
    }),
  );
}

function foreLeg(): Part[] {
  return [
    ellipsoid('armL', [0.18, 1.0, 0.29], [0.11, 0.2, 0.16], {
      blend: 0.06,
      turn: [15, 0, 0],
      softness: 0.09,
    }),
    ...chain(
      'armL',
      [
        [0.2, 0.98, 0.29, 0.125],
        [0.232, 0.66, 0.205, 0.085],
      ],
      { blend: 0.06 },
    ),
    ...chain(
      'forearmL',
      [
        [0.234, 0.64, 0.203, 0.083],
        [0.24, 0.5, 0.25, 0.086],
        [0.241, 0.27, 0.325, 0.058],
      ],
      {
        blend: 0.02,
        detail: 0.85,
      },
    ),
    ...chain(
      'pawL',
      [
        [0.241, 0.25, 0.33, 0.058],
        [0.244, 0.09, 0.365, 0.066],
      ],
      { blend: 0.012, detail: 0.75 },
    ),
  ];
}

function hindLeg(): Part[] {
  return [
    ellipsoid('thighL', [0.175, 0.95, -0.46], [0.125, 0.24, 0.2], {
      blend: 0.07,
      turn: [-20, 0, 0],
      softness: 0.09,
    }),
    ...chain(
      'thighL',
      [
        [0.195, 0.93, -0.44, 0.15],
        [0.238, 0.69, -0.345, 0.1],
      ],
      { blend: 0.06 },
    ),
    ...chain(
      'shinL',
      [
        [0.24, 0.665, -0.338, 0.096],
        [0.243, 0.56, -0.44, 0.092],
        [0.245, 0.385, -0.605, 0.058],
      ],
      {
        blend: 0.02,
        detail: 0.85,
      },
    ),
    ...chain(
      'hockL',
      [
        [0.245, 0.37, -0.62, 0.058],
        [0.249, 0.1, -0.56, 0.064],
      ],
      { blend: 0.012, detail: 0.75 },
    ),
  ];
}

/** A pad and three toes with claws; on coarse animals a paw. */
function toes(joint: string, x: number, z: number, isFine: boolean): Part[] {
  const toe = { detail: 0.55, blend: 0.015, softness: 0.03 },
    claw = { ...toe, detail: 0.38, blend: 0.006 };
  const pad = ellipsoid(joint, [x, 0.06, z + 0.01], [0.085, 0.066, 0.095], {
    ...toe,
    blend: 0.03,
    detail: 0.65,
  });
  if (!isFine)
    return [pad, ellipsoid(joint, [x, 0.045, z + 0.08], [0.105, 0.055, 0.115], { ...toe, blend: 0.04 })];
  const three = [-1, 0, 1].flatMap((k) => {
    const end = z + 0.155 - 0.025 * k * k;
    return [
      limb(joint, [x + 0.042 * k, 0.05, z + 0.06], [x + 0.092 * k, 0.038, end], 0.044, 0.033, toe),
      limb(joint, [x + 0.094 * k, 0.04, end + 0.01], [x + 0.107 * k, 0.025, end + 0.075], 0.027, 0.019, claw),
    ];
  });
  return [pad, ...three];
}
