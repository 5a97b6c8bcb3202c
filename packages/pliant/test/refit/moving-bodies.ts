import fc from 'fast-check';
import type { Body, Engine, Pose } from '../../src/index.ts';
import {
  BOUND_KINDS,
  type BoundPose,
  mesh as boundMesh,
  poseOf as boundPoseOf,
} from '../deform/bound-bodies.ts';
import {
  BLENDS,
  createBlendBody,
  createGridMesh,
  JOINTS,
  MODES,
  numbers,
  poseOf,
  tameNumbers,
  vertexCount,
  weights,
} from './blend-arbitraries.ts';

/** A body of any kind whose volumes are computed from its handles, and how to make and pose it. */
export interface MovingKind {
  readonly name: string;
  /** True when vertices move straight where handles and modes do. */
  readonly isLinear: boolean;
  readonly plan: fc.Arbitrary<BodyPlan>;
}

export interface BodyPlan {
  create(engine: Engine): Body;
  /** Poses with matrices of all sorts, and calm ones, which have no large numbers. */
  readonly poses: readonly PosePlan[];
  readonly calm: readonly PosePlan[];
}

/** Numbers of a pose, and how they are handed to `setPose`. */
export interface PosePlan {
  readonly numbers: readonly number[];
  toPose(numbers: readonly number[]): Pose;
}

/** Poses of a plan, of each sort. */
export const POSES = 3;

const coordinate = fc.double({ min: -2, max: 2, noNaN: true });
const vector = fc.array(coordinate, { minLength: 3, maxLength: 3 });
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** About one of the axes. */
function turn(angle: number, axis: number): number[] {
  const m = IDENTITY.slice();
  const i = (axis + 1) % 3,
    j = (axis + 2) % 3;
  m[5 * i] = m[5 * j] = Math.cos(angle);
  m[4 * i + j] = -Math.sin(angle);
  m[4 * j + i] = Math.sin(angle);
  return m;
}

const rotation = fc.tuple(fc.double({ min: -4, max: 4, noNaN: true }), fc.nat(2)).map(([a, x]) => turn(a, x));
const moved = fc
  .tuple(rotation, vector)
  .map(([m, d]) => m.map((x, k) => (k % 4 === 3 ? x + d[Math.trunc(k / 4)] : x)));
/** Rotations, mirrors, planes, lines and points, far away, and anything. */
export const handle = fc.oneof(
  moved,
  moved.map((m) => m.map((x, k) => (k < 4 ? -x : x))),
  fc
    .tuple(moved, fc.nat(2))
    .map(([m, row]) => m.map((x, k) => (Math.trunc(k / 4) === row && k % 4 < 3 ? 0 : x))),
  moved.map((m) => m.map((x, k) => (k % 4 < 3 ? 0 : x))),
  fc
    .tuple(moved, fc.constantFrom(1e5, -1e9, 1e20))
    .map(([m, far]) => m.map((x, k) => (k % 4 === 3 ? x + far : x))),
  numbers(12),
);
const handles = fc.array(handle, { minLength: JOINTS, maxLength: JOINTS }).map((list) => list.flat());
const list = <Item>(of: fc.Arbitrary<Item>) => fc.array(of, { minLength: POSES, maxLength: POSES });

function blendKind(
  kind: (typeof BLENDS)[number],
  bounds: 'boxes' | 'two-largest' | 'sphere' | 'sphere-skin',
) {
  const split = (all: readonly number[]): Pose =>
    poseOf(
      kind,
      kind === 'modes'
        ? { joints: [], modes: [...all] }
        : { joints: all.slice(0, 12 * JOINTS), modes: all.slice(12 * JOINTS) },
    );
  const join = (joints: fc.Arbitrary<number[]>, modes: fc.Arbitrary<number[]>) =>
    list(
      (kind === 'skin'
        ? joints
        : kind === 'modes'
          ? modes
          : fc.tuple(joints, modes).map((two) => two.flat())
      ).map((all): PosePlan => ({ numbers: all, toPose: split })),
    );
  const mesh = createGridMesh();
  const plan = fc
    .record({
      w: weights,
      displacements: numbers(MODES * 3 * vertexCount),
      poses: join(handles, numbers(MODES)),
      calm: join(tameNumbers(12 * JOINTS), tameNumbers(MODES)),
    })
    .map(
      ({ w, displacements, poses, calm }): BodyPlan => ({
        create: (engine) => createBlendBody(engine, kind, w, displacements, { bounds }, mesh),
        poses,
        calm,
      }),
    );
  return { name: `${kind}, ${bounds}`, isLinear: kind !== 'skin-modes', plan };
}

/** Meshless nodes and the controls of cages. */
const boundKinds = BOUND_KINDS.map(([name, kind]): MovingKind => {
  const toPlan = ({ displacements, gradients }: BoundPose): PosePlan => ({
    numbers: [...displacements, ...gradients],
    toPose: (all) =>
      boundPoseOf(kind, {
        displacements: all.slice(0, displacements.length),
        gradients: all.slice(displacements.length),
      }),
  });
  const plan = fc
    .record({ data: kind.data, poses: list(kind.pose.map(toPlan)), calm: list(kind.generic.map(toPlan)) })
    .map(
      ({ data, poses, calm }): BodyPlan => ({
        create: (engine) => kind.create(engine, boundMesh, data),
        poses,
        calm,
      }),
    );
  return { name, isLinear: true, plan };
});

export const MOVING_KINDS: readonly MovingKind[] = [
  ...BLENDS.map((kind) => blendKind(kind, 'boxes')),
  ...boundKinds,
  blendKind('skin', 'two-largest'),
  blendKind('skin-modes', 'sphere'),
  blendKind('skin', 'sphere-skin'),
];
