import fc from 'fast-check';
import { type Body, createTriangleMesh, type Engine, type TriangleMesh } from '../../src/index.ts';
import type { SplitRule } from '../../src/tree/build-tree.ts';
import { gridWithPose, triangleSoup } from '../arbitraries.ts';
import { splitRule } from '../tree/split-rules.ts';

export const METHODS = ['auto', 'batch', 'on-demand', 'depth-first', 'brute-force'] as const;
export const KERNELS = ['wasm', 'ts'] as const;
/** A row per deformer: the ways in which a body can be posed. */
export const KINDS = ['free', 'rigid', 'free-placed'] as const;
export type Kind = (typeof KINDS)[number];

/** A body before it is made, with two poses, and where they put each welded vertex: computed here, not there. */
export interface BodyPlan {
  readonly kind: Kind;
  readonly mesh: TriangleMesh;
  readonly split: SplitRule | undefined;
  readonly poses: readonly [Float64Array, Float64Array]; // per source vertex; not for rigid ones
  readonly matrices: readonly [number[], number[]]; // not for free ones
  /** In the body's own coordinates. */
  readonly local: readonly [Float64Array, Float64Array];
  readonly world: readonly [Float64Array, Float64Array];
}

export interface PlanOptions {
  readonly kind?: Kind;
  readonly triangles?: number;
  readonly side?: number;
}

/** Bodies that lie about the same place, so that they touch often: on the lattice, beside it, anywhere. */
export function bodyPlan({ kind, triangles = 24, side = 4 }: PlanOptions = {}): fc.Arbitrary<BodyPlan> {
  const shape = fc.oneof(
    triangleSoup(triangles).map((source) => ({
      source,
      pose: Float64Array.from(source.positions as number[]),
    })),
    gridWithPose(side),
  );
  return fc
    .record({
      kind: kind === undefined ? fc.constantFrom(...KINDS) : fc.constant(kind),
      shape,
      split: splitRule,
      first: placement,
      second: placement,
      stretch: fc.constantFrom(0.5, 0.75, 1.25),
    })
    .map(({ shape: { source, pose }, first, second, stretch, ...rest }) => {
      const mesh = createTriangleMesh(source);
      return createPlan({
        ...rest,
        mesh,
        poses: [pose, pose.map((x) => stretch * x)],
        matrices: [first, second],
      });
    });
}

/** A matrix that leaves a body within reach of the others: lattice and real, singular and mirrored ones too. */
const placement = fc.oneof(
  fc
    .tuple(fc.integer({ min: -1, max: 1 }), fc.integer({ min: -1, max: 1 }), fc.integer({ min: -1, max: 1 }))
    .map(([x, y, z]) => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]),
  fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 12, maxLength: 12 }),
  fc.array(fc.double({ min: -1, max: 1, noNaN: true }).map(Math.fround), { minLength: 12, maxLength: 12 }),
);

export function createPlan(plan: Omit<BodyPlan, 'local' | 'world'>): BodyPlan {
  const { kind, mesh, poses, matrices } = plan;
  const local = [0, 1].map((e) => (kind === 'rigid' ? mesh.positions : weld(mesh, poses[e])));
  const world = [0, 1].map((e) => (kind === 'free' ? local[e] : move(local[e], matrices[e])));
  return { ...plan, local: [local[0], local[1]], world: [world[0], world[1]] };
}

function weld(mesh: TriangleMesh, pose: Float64Array): Float64Array {
  const positions = new Float64Array(3 * mesh.vertexCount);
  mesh.sourceVertex.forEach((source, v) => {
    positions.set(pose.subarray(3 * source, 3 * source + 3), 3 * v);
  });
  return positions;
}

function move(positions: Float64Array, m: readonly number[]): Float64Array {
  return positions.map((_, i) => {
    const o = 3 * Math.floor(i / 3),
      r = 4 * (i % 3);
    return m[r] * positions[o] + m[r + 1] * positions[o + 1] + m[r + 2] * positions[o + 2] + m[r + 3];
  });
}

/** The body in its first pose, or moving from the first to the second. */
export function createBody(engine: Engine, plan: BodyPlan, moving = false): Body {
  const { kind, mesh, split, poses, matrices } = plan;
  const body =
    kind === 'rigid' ? engine.createRigidBody(mesh, { split }) : engine.createFreeBody(mesh, { split });
  if (kind === 'rigid') {
    if (moving) body.setMotion(...matrices);
    else body.setPose(matrices[0]);
    return body;
  }
  if (moving) body.setMotion(...poses);
  else body.setPose(poses[0]);
  if (kind === 'free') return body;
  if (moving) body.setWorldMotion(...matrices);
  else body.setWorldMatrix(matrices[0]);
  return body;
}
