import fc from 'fast-check';
import {
  type Body,
  type BodyOptions,
  createTriangleMesh,
  type Engine,
  type TriangleMesh,
} from '../../src/index.ts';
import { grid } from '../arbitraries.ts';

export const JOINTS = 4;
export const MODES = 3;
/** Large enough that handles have tables of their own in the root. */
const source = grid(8, 6);
export const vertexCount = source.positions.length / 3;

/** Numbers whose roundings stay small beside the others. */
export const tameNumber = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.double({ min: -2, max: 2, noNaN: true, noDefaultInfinity: true }),
);
const unevenNumber = fc.oneof(tameNumber, tameNumber, fc.constantFrom(1e6, -1e-6, 1e-12));
/** Beyond float32, in which the boxes are computed: most volumes become as large as can be. */
const wildNumber = fc.oneof(unevenNumber, fc.constantFrom(1e-44, -1e-44, 1e36, -1e40));
const arrayOf = (of: fc.Arbitrary<number>, length: number) =>
  fc.array(of, { minLength: length, maxLength: length });
export const tameNumbers = (length: number) => arrayOf(tameNumber, length);
/** Of one sort in an array: among many, a single number beyond float32 would leave nothing to be seen of the others. */
export const numbers = (length: number) =>
  fc.oneof(
    { weight: 5, arbitrary: tameNumbers(length) },
    { weight: 2, arbitrary: arrayOf(unevenNumber, length) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tameNumbers(length), fc.constantFrom(1e-6, 1e6, 1e-20, 1e15))
        .map(([list, size]) => list.map((x) => size * x)),
    },
    { weight: 1, arbitrary: arrayOf(wildNumber, length) },
  );

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const perVertex = (own: (v: number) => number[]) =>
  Array.from({ length: vertexCount }, (_, v) => own(v)).flat();

/** From one joint to the next along x: nodes have common weights. */
export const smoothWeights = fc.nat(2).map((shift) =>
  perVertex((v) => {
    const x = Math.min(1, Math.max(0, (source.positions[3 * v] - 1) / 3));
    return Array.from({ length: JOINTS }, (_, j) => (j === shift ? 1 - x : j === shift + 1 ? x : 0));
  }),
);
/** Not negative, and adding up to 1. */
export const convexWeights = arrayOf(fc.oneof(unit, fc.constantFrom(0, 0, 0.5)), JOINTS * vertexCount).map(
  (list) =>
    perVertex((v) => {
      const own = list.slice(JOINTS * v, JOINTS * v + JOINTS);
      const sum = own.reduce((a, b) => a + b, 0);
      return sum > 1e-3 ? own.map((w) => w / sum) : [1, 0, 0, 0];
    }),
);
export const constantWeights = fc.constant(perVertex(() => [0.25, 0.5, 0, 0.25]));
/** As files have them: bytes or shorts that add up to 0.9 … 1.8 of what they should. */
export const fileWeights = fc
  .record({
    steps: fc.constantFrom(255, 65535),
    list: convexWeights,
    sums: arrayOf(fc.double({ min: 0.9, max: 1.8, noNaN: true }), vertexCount),
  })
  .map(({ steps, list, sums }) =>
    list.map((w, k) => Math.round(w * sums[Math.trunc(k / JOINTS)] * steps) / steps),
  );
export const negativeWeights = tameNumbers(JOINTS * vertexCount);

/** Smooth, so that nodes have common weights; or anything, sums and signs included. */
export const weights = fc.oneof(
  smoothWeights,
  constantWeights,
  convexWeights,
  fileWeights,
  numbers(JOINTS * vertexCount),
  arrayOf(unit, JOINTS * vertexCount),
);

export const poses = fc.record({ joints: numbers(12 * JOINTS), modes: numbers(MODES) });
export const tamePoses = fc.record({ joints: tameNumbers(12 * JOINTS), modes: tameNumbers(MODES) });
export type PoseNumbers = { joints: number[]; modes: number[] };

export const BLENDS = ['skin', 'modes', 'skin-modes'] as const;
export type Blend = (typeof BLENDS)[number];

/** A grid with a skin, with modes, or both. */
export function createBlendBody(
  engine: Engine,
  kind: Blend,
  w: number[],
  displacements: number[],
  options: BodyOptions = {},
  mesh: TriangleMesh = createGridMesh(),
): Body {
  const joints = Array.from({ length: w.length }, (_, k) => k % JOINTS);
  const skin = { jointCount: JOINTS, influences: JOINTS, joints, weights: w };
  const modes = { count: MODES, displacements };
  if (kind === 'modes') return engine.createModalBody(mesh, modes, options);
  return engine.createSkinnedBody(mesh, skin, kind === 'skin' ? options : { ...options, modes });
}

export function createGridMesh(): TriangleMesh {
  return createTriangleMesh(source);
}

/** What `setPose` of such a body wants. */
export function poseOf(kind: Blend, pose: PoseNumbers): number[] | PoseNumbers {
  return kind === 'skin' ? pose.joints : kind === 'modes' ? pose.modes : pose;
}
