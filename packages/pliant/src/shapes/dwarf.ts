import { sinTurns } from '../algebra/trigonometry.ts';
import { type BipedGait, createBipedWalk, scaleBipedGait } from './biped-walk.ts';
import {
  type Build,
  type Character,
  type CharacterOptions,
  type CharacterPlan,
  createCharacter,
} from './character.ts';
import type { Part, PartGroup } from './part-surface.ts';
import { ball, chain, ellipsoid, limb, mirror } from './parts.ts';
import { bothSides, type JointPlan, type Rig } from './skeleton.ts';

/** A dwarf of 1.4 m with beard, belly, boots and a pointed hat. By default about 1650 triangles. */
export function createDwarf(options: CharacterOptions = {}): Character {
  return createCharacter(createPlan, options, 1690, FEWEST);
}

const FEWEST = 1000; // triangles that still show all parts

function createPlan(): CharacterPlan {
  return {
    name: 'dwarf',
    joints: JOINTS,
    groups: groupsOf(),
    cell: 0.016,
    lenses: [{ centre: [0, 0.95, 0.15], radius: 0.4, strength: 0.35 }],
    walkDuration: 1,
    stride: GAIT.stride,
    createWalk,
  };
}

/** Hat and beard follow the head a little later. */
function createWalk(rig: Rig, build: Build): (phase: number) => void {
  const walk = createBipedWalk(rig, scaleBipedGait(GAIT, build));
  const beard = rig.joint('beard'),
    hat = rig.joint('hat');
  return (phase) => {
    walk(phase);
    rig.turn(beard, 3 * sinTurns(2 * phase - 0.1), 4 * sinTurns(phase + 0.1), 3 * sinTurns(phase - 0.1));
    rig.turn(hat, -4 * sinTurns(2 * phase - 0.15), 0, 4 * sinTurns(phase + 0.35));
  };
}

const GAIT: BipedGait = {
  stride: 0.6,
  lift: 0.04,
  crouch: 0.024,
  bounce: 0.012,
  sway: 0.03,
  stepWidth: 0.12,
  toesOut: 10,
  armsDown: 8,
  armSwing: 26,
  elbow: 26,
  hipTurn: 8,
  chestTurn: 7,
  lean: 3,
  toesUp: 10,
  heelPush: 30,
  heelZ: -0.1,
  ballZ: 0.1,
};

const JOINTS: readonly JointPlan[] = [
  ['hips', '', 0, 0.42, 0],
  ['spine', 'hips', 0, 0.52, 0],
  ['chest', 'spine', 0, 0.66, 0],
  ['neck', 'chest', 0, 0.82, 0.01],
  ['head', 'neck', 0, 0.9, 0.015],
  ['beard', 'head', 0, 0.87, 0.15],
  ['hat', 'head', 0, 1.19, -0.02],
  ...bothSides(
    ['clavicle', 'chest', 0.05, 0.79, 0],
    ['arm', 'clavicle', 0.21, 0.77, 0],
    ['forearm', 'arm', 0.34, 0.6, -0.005],
    ['hand', 'forearm', 0.445, 0.45, 0.025],
    ['thigh', 'hips', 0.115, 0.39, 0],
    ['shin', 'thigh', 0.13, 0.23, 0.015],
    ['foot', 'shin', 0.135, 0.085, -0.02],
    ['toe', 'foot', 0.145, 0.03, 0.1],
  ),
];

function groupsOf(): PartGroup[] {
  const leg = legParts(),
    arm = armParts();
  return [
    { blend: 0.05, parts: torsoParts() },
    { blend: 0.05, parts: leg },
    { blend: 0.03, parts: mirror(leg) },
    { blend: 0.05, parts: arm },
    { blend: 0.05, parts: mirror(arm) },
    { blend: 0.03, parts: headParts() },
    { blend: 0.02, parts: beardParts() },
  ];
}

function torsoParts(): Part[] {
  return [
    ellipsoid('hips', [0, 0.44, 0], [0.19, 0.14, 0.16], { detail: 1.45 }),
    ellipsoid('spine', [0, 0.52, 0.04], [0.215, 0.175, 0.19], { blend: 0.06, detail: 1.5, softness: 0.08 }),
    ellipsoid('chest', [0, 0.68, -0.01], [0.195, 0.15, 0.145], { blend: 0.08, detail: 1.4 }),
    limb('chest', [-0.15, 0.75, -0.01], [0.15, 0.75, -0.01], 0.08, 0.08, { blend: 0.06, detail: 1.2 }),
  ];
}

function headParts(): Part[] {
  const head = { detail: 0.5 };
  const side = [
    ellipsoid('head', [0.155, 0.965, 0.01], [0.03, 0.058, 0.04], {
      ...head,
      blend: 0.025,
      turn: [10, 30, -14],
    }),
    ellipsoid('head', [0.07, 0.945, 0.125], [0.05, 0.042, 0.04], { ...head, blend: 0.015 }),
    limb('head', [0.025, 1.022, 0.155], [0.095, 1.026, 0.12], 0.027, 0.02, { ...head, blend: 0.01 }),
  ];
  return [
    limb('neck', [0, 0.78, -0.005], [0, 0.92, 0.01], 0.085, 0.095, { blend: 0.05, softness: 0.06 }),
    ball('neck', [0, 0.815, 0.065], 0.06, { blend: 0.04, softness: 0.05 }),
    ellipsoid('head', [0, 0.975, 0.015], [0.143, 0.14, 0.138], { ...head, blend: 0.03, softness: 0.05 }),
    ...side,
    ...mirror(side),
    ellipsoid('head', [0, 0.965, 0.13], [0.07, 0.055, 0.05], { ...head, blend: 0.02 }),
    ellipsoid('head', [0, 0.965, 0.195], [0.05, 0.045, 0.048], { ...head, detail: 0.42, blend: 0.012 }),
    // A pointed hat with a thick brim; its tip leans back.
    ellipsoid('head', [0, 1.085, 0.005], [0.2, 0.048, 0.2], { detail: 0.55, blend: 0.01, turn: [-9, 0, 0] }),
    limb('head', [0, 1.09, 0], [0, 1.18, -0.02], 0.142, 0.108, { blend: 0.01, detail: 0.75 }),
    ...chain(
      'hat',
      [
        [0, 1.18, -0.02, 0.108],
        [0, 1.31, -0.065, 0.068],
        [0, 1.4, -0.135, 0.037],
        [0, 1.42, -0.2, 0.03],
      ],
      {
        blend: 0.015,
        detail: 0.66,
        softness: 0.07,
      },
    ),
  ];
}

/** A full beard down to the belly and a moustache over it. */
function beardParts(): Part[] {
  const flat = { across: [0, 0.35, 1] as const, flat: 0.5, detail: 0.6, softness: 0.05 };
  const side = [
    limb('head', [0.024, 0.917, 0.2], [0.135, 0.862, 0.16], 0.036, 0.022, { blend: 0.01, detail: 0.48 }),
    limb('head', [0.112, 0.94, 0.075], [0.085, 0.87, 0.125], 0.03, 0.05, { blend: 0.03, detail: 0.6 }),
  ];
  return [
    limb('head', [0, 0.875, 0.11], [0, 0.84, 0.17], 0.09, 0.125, { ...flat, blend: 0.03 }),
    ...chain(
      'beard',
      [
        [0, 0.84, 0.173, 0.125],
        [0, 0.77, 0.235, 0.105],
        [0, 0.7, 0.29, 0.062],
        [0, 0.66, 0.325, 0.03],
      ],
      {
        ...flat,
        blend: 0.02,
      },
    ),
    ...side,
    ...mirror(side),
  ];
}

function armParts(): Part[] {
  return [
    ball('armL', [0.2, 0.76, -0.005], 0.086, { blend: 0.05, detail: 1.2 }),
    ...chain(
      'armL',
      [
        [0.215, 0.745, -0.005, 0.078],
        [0.335, 0.605, -0.005, 0.06],
      ],
      { blend: 0.04, detail: 1.2 },
    ),
    ...chain(
      'forearmL',
      [
        [0.34, 0.6, -0.004, 0.059],
        [0.38, 0.545, 0.006, 0.068],
        [0.435, 0.465, 0.022, 0.058],
      ],
      {
        blend: 0.012,
        detail: 0.9,
      },
    ),
    // Mittens.
    ellipsoid('handL', [0.472, 0.41, 0.038], [0.05, 0.078, 0.07], {
      blend: 0.015,
      detail: 0.62,
      turn: [0, 0, 36],
      softness: 0.03,
    }),
    limb('handL', [0.455, 0.44, 0.08], [0.47, 0.385, 0.128], 0.03, 0.026, {
      blend: 0.015,
      detail: 0.5,
      softness: 0.02,
    }),
  ];
}

function legParts(): Part[] {
  return [
    ...chain(
      'thighL',
      [
        [0.108, 0.4, 0, 0.102],
        [0.129, 0.26, 0.012, 0.08],
      ],
      { blend: 0.05, detail: 1.2 },
    ),
    limb('shinL', [0.13, 0.22, 0.012], [0.135, 0.1, -0.012], 0.078, 0.074, { blend: 0.02, detail: 1.1 }),
    // Boots.
    ball('footL', [0.135, 0.06, -0.03], 0.08, { blend: 0.04, detail: 0.8, softness: 0.03 }),
    limb('footL', [0.137, 0.06, 0], [0.146, 0.05, 0.1], 0.076, 0.075, {
      blend: 0.03,
      detail: 0.8,
      softness: 0.03,
    }),
    limb('toeL', [0.148, 0.048, 0.12], [0.154, 0.05, 0.165], 0.075, 0.066, {
      blend: 0.02,
      detail: 0.75,
      softness: 0.025,
    }),
  ];
}
