import { cosTurns, sinTurns } from '../algebra/trigonometry.ts';
import type { Build } from './character.ts';
import { Curve } from './curve.ts';
import { footAlong, type Gait, scaleGait } from './gait.ts';
import type { Rig } from './skeleton.ts';

/** How a two-legged figure walks. Lengths in metres, angles in degrees. */
export interface BipedGait extends Gait {
  readonly stepWidth: number; // distance of each foot from the middle
  readonly toesOut: number;
  readonly armsDown: number; // how far the arms come down from their place at rest
  readonly armSwing: number;
  readonly elbow: number; // bend
  readonly hipTurn: number;
  readonly chestTurn: number;
  readonly lean: number;
  readonly toesUp: number; // when the heel strikes
  readonly heelPush: number; // how far the heel rises before the toes leave the ground
  readonly heelZ: number; // where the foot turns on the ground when its toes are up …
  readonly ballZ: number; // … and when its heel is
}

/** The same for another build. */
export function scaleBipedGait(gait: BipedGait, build: Build): BipedGait {
  const { x, z, swing } = build;
  return {
    ...scaleGait(gait, build),
    stepWidth: x * gait.stepWidth,
    armSwing: swing * gait.armSwing,
    elbow: swing * gait.elbow,
    hipTurn: swing * gait.hipTurn,
    heelZ: z * gait.heelZ,
    ballZ: z * gait.ballZ,
  };
}

/**
 * Sets a rig with the joints of a figure on two legs (see man.ts) to a phase of its walk, counted in cycles. At
 * phase 0 the left heel strikes the ground.
 */
export function createBipedWalk(rig: Rig, gait: BipedGait): (phase: number) => void {
  const torso = createTorso(rig, gait);
  const limbs = (['L', 'R'] as const).flatMap((side, k) => {
    const arm = createArm(rig, gait, side, 1 - 2 * k),
      leg = createLeg(rig, gait, side, 1 - 2 * k);
    return [(phase: number) => arm(phase + 0.5 * k), (phase: number) => leg(phase + 0.5 * k)];
  });
  return (phase) => {
    torso(phase);
    for (const set of limbs) set(phase);
  };
}

const STANCE = 0.6; // share of the cycle in which a foot is on the ground
const STRIKE = new Curve([
  [0, 1],
  [0.1, 0],
  [0.78, 0],
  [0.93, 1.15],
]);
const PUSH = new Curve([
  [0.28, 0],
  [0.61, 1],
  [0.7, 0.75],
  [0.86, 0],
]);
const LIFT = new Curve([
  [STANCE, 0],
  [0.74, 1],
  [0.88, 0.45],
  [0.99, 0],
]);

/** Hips are lowest when both feet are down; the chest turns against them, and the head stays. */
function createTorso(rig: Rig, gait: BipedGait): (phase: number) => void {
  const [spine, chest, neck, head] = ['spine', 'chest', 'neck', 'head'].map((name) => rig.joint(name));
  const { hipTurn, chestTurn, lean, bounce, sway, crouch } = gait;
  return (phase) => {
    const roll = hipTurn * sinTurns(phase + 0.02);
    const turn = hipTurn * sinTurns(phase + 0.25);
    const counter = (hipTurn + chestTurn) * sinTurns(phase + 0.23);
    const left = chestTurn * sinTurns(phase + 0.23); // of the chest, in the world
    rig.placeRoot(
      sway * sinTurns(phase - 0.02),
      -crouch - bounce * sinTurns(2 * phase + 0.17),
      0.25 * bounce * sinTurns(2 * phase),
      0.4 * lean,
      -turn,
      0.45 * roll,
    );
    rig.turn(spine, 0.3 * lean, 0.4 * counter, -0.25 * roll);
    rig.turn(chest, 0.3 * lean, 0.6 * counter, -0.25 * roll);
    rig.turn(neck, -0.3 * lean, -0.4 * left, 0.02 * roll);
    rig.turn(head, -0.7 * lean - 0.8 * sinTurns(2 * phase), -0.5 * left, 0.02 * roll);
  };
}

/** An arm is back when the leg of its side is in front. */
function createArm(rig: Rig, gait: BipedGait, side: 'L' | 'R', sign: number): (phase: number) => void {
  const [clavicle, arm, forearm, hand] = ['clavicle', 'arm', 'forearm', 'hand'].map((n) =>
    rig.joint(n + side),
  );
  const { armsDown, armSwing, elbow } = gait;
  return (phase) => {
    const swing = sinTurns(phase + 0.22),
      late = sinTurns(phase + 0.15);
    rig.turn(clavicle, 0, 2 * sign * swing, -0.12 * sign * armsDown);
    rig.turn(arm, armSwing * (swing + 0.1), sign * (4 - 2 * swing), -0.88 * sign * armsDown);
    rig.turn(forearm, -elbow * (1 - 0.55 * late), -8 * sign, 0);
    rig.turn(hand, -6 + 5 * late, 0, 4 * sign);
  };
}

/** The ankle follows the foot, which turns about its heel, then about its ball, on the moving ground. */
function createLeg(rig: Rig, gait: BipedGait, side: 'L' | 'R', sign: number): (phase: number) => void {
  const [thigh, shin, foot, toe] = ['thigh', 'shin', 'foot', 'toe'].map((name) => rig.joint(name + side));
  const { places } = rig.skeleton;
  const ankleY = places[3 * foot + 1],
    ankleZ = places[3 * foot + 2];
  const { stride, lift, stepWidth, toesOut, toesUp, heelPush, heelZ, ballZ } = gait;
  const pole = [0.12 * sign, 0, 1] as const;
  return (phase) => {
    const strike = toesUp * STRIKE.at(phase),
      push = heelPush * PUSH.at(phase);
    const c1 = cosTurns(strike / 360),
      s1 = -sinTurns(strike / 360);
    const c2 = cosTurns(push / 360),
      s2 = sinTurns(push / 360);
    const fromHeel = ankleZ - heelZ,
      fromBall = ankleZ - ballZ;
    const y = (c1 + c2 - 1) * ankleY - s1 * fromHeel - s2 * fromBall + lift * LIFT.at(phase);
    const z = ankleZ + s1 * ankleY + (c1 - 1) * fromHeel + s2 * ankleY + (c2 - 1) * fromBall;
    rig.reach(thigh, shin, foot, sign * stepWidth, y, z + footAlong(phase, stride, STANCE), pole);
    rig.turnInWorld(foot, push - strike, sign * toesOut, 0);
    rig.turn(toe, -0.9 * push, 0, 0);
  };
}
