import { cosTurns, sinTurns } from '../algebra/trigonometry.ts';
import type { Build } from './character.ts';
import { Curve } from './curve.ts';
import { footAlong, type Gait, scaleGait } from './gait.ts';
import type { Rig } from './skeleton.ts';

/** How a four-legged figure walks. Lengths in metres, angles in degrees. */
export interface QuadrupedGait extends Gait {
  readonly spineTurn: number;
  readonly neck: readonly string[]; // joints, from the chest on; the last is the head
  readonly neckWave: number;
  readonly tail: readonly string[];
  readonly tailWave: number;
}

/** The same for another build. */
export function scaleQuadrupedGait(gait: QuadrupedGait, build: Build): QuadrupedGait {
  const { swing } = build;
  return {
    ...scaleGait(gait, build),
    neckWave: swing * gait.neckWave,
    tailWave: swing * gait.tailWave,
  };
}

/**
 * Sets a rig with the joints of a figure on four legs (see creature.ts) to a phase of its walk, counted in cycles:
 * feet across from each other step almost together, the fore one a little later.
 */
export function createQuadrupedWalk(rig: Rig, gait: QuadrupedGait): (phase: number) => void {
  const torso = createTorso(rig, gait);
  const legs = [
    createLeg(rig, gait, ['arm', 'forearm', 'paw', 'fingers'], 'L', 1, 0.08, -1),
    createLeg(rig, gait, ['arm', 'forearm', 'paw', 'fingers'], 'R', -1, 0.58, -1),
    createLeg(rig, gait, ['thigh', 'shin', 'hock', 'foot'], 'R', -1, 0, 1),
    createLeg(rig, gait, ['thigh', 'shin', 'hock', 'foot'], 'L', 1, 0.5, 1),
  ];
  return (phase) => {
    torso(phase);
    for (const set of legs) set(phase);
  };
}

const STANCE = 0.6;
const LIFT = new Curve([
  [STANCE, 0],
  [0.78, 1],
  [0.98, 0],
]);
/** How far the long bone of the foot nods: pushing at the end of the stance, folded in the air, reaching out. */
const FOLD = new Curve([
  [0, -0.25],
  [0.25, 0],
  [0.58, 0.75],
  [0.72, 1],
  [0.92, -0.35],
]);
const TOES = new Curve([
  [STANCE, 0],
  [0.76, 1],
  [0.92, -0.15],
  [0.99, 0],
]);

function createTorso(rig: Rig, gait: QuadrupedGait): (phase: number) => void {
  const { bounce, sway, crouch, spineTurn, neckWave, tailWave } = gait;
  const [spine, chest] = ['spine', 'chest'].map((name) => rig.joint(name));
  const neck = gait.neck.map((name) => rig.joint(name)),
    tail = gait.tail.map((name) => rig.joint(name));
  return (phase) => {
    const turn = spineTurn * sinTurns(phase + 0.2);
    const nod = 1.2 * sinTurns(2 * phase + 0.1);
    rig.placeRoot(
      sway * sinTurns(phase + 0.48),
      -crouch - bounce * sinTurns(2 * phase + 0.12),
      0,
      nod,
      -turn,
      0.4 * spineTurn * sinTurns(phase + 0.5),
    );
    rig.turn(spine, -0.5 * nod, turn, -0.3 * spineTurn * sinTurns(phase + 0.5));
    rig.turn(chest, -0.5 * nod, turn, -0.3 * spineTurn * sinTurns(phase + 0.5));
    for (let k = 0; k < neck.length; k++) {
      const last = k === neck.length - 1;
      const sideways = last ? -0.9 * turn : neckWave * 0.45 * sinTurns(phase + 0.2 - 0.09 * k);
      const upDown = neckWave * (last ? 0.75 : -0.35) * sinTurns(2 * phase + 0.1 - 0.08 * k);
      rig.turn(neck[k], upDown, sideways - (k === 0 ? turn : 0), 0);
    }
    for (let k = 0; k < tail.length; k++) {
      const strength = tailWave * (0.5 + (0.8 * k) / tail.length);
      rig.turn(
        tail[k],
        0.22 * strength * sinTurns(2 * phase - 0.11 * k),
        strength * sinTurns(phase - 0.12 * k),
        0,
      );
    }
  };
}

/** The two upper bones reach for the end of the foot's long bone, which stands on the toes. */
function createLeg(
  rig: Rig,
  gait: QuadrupedGait,
  names: readonly [string, string, string, string],
  side: 'L' | 'R',
  sign: number,
  late: number,
  bend: number,
): (phase: number) => void {
  const [upper, lower, long, toes] = names.map((name) => rig.joint(name + side));
  const { places } = rig.skeleton;
  const x = places[3 * toes],
    y = places[3 * toes + 1],
    z = places[3 * toes + 2];
  const ax = places[3 * long] - x,
    ay = places[3 * long + 1] - y,
    az = places[3 * long + 2] - z;
  const pole = [0.1 * sign, 0, bend] as const;
  const fold = bend < 0 ? 42 : 34;
  return (phase) => {
    const p = phase - late;
    const angle = fold * FOLD.at(p);
    const c = cosTurns(angle / 360),
      s = sinTurns(angle / 360);
    const footY = y + gait.lift * LIFT.at(p),
      footZ = z + footAlong(p, gait.stride, STANCE);
    rig.reach(upper, lower, long, x + ax, footY + c * ay - s * az, footZ + s * ay + c * az, pole);
    rig.turnInWorld(long, angle, 0, 0);
    rig.turnInWorld(toes, 30 * TOES.at(p), 0, 0);
  };
}
