import fc from 'fast-check';
import { type Body, createTriangleMesh, type Engine, type Pose, type TriangleMesh } from '../../src/index.ts';
import type { SplitRule } from '../../src/tree/build-tree.ts';
import { gridWithPose, triangleSoup } from '../arbitraries.ts';
import { splitRule } from '../tree/split-rules.ts';
import { UserDeformer } from './user-deformer.ts';

export const METHODS = ['auto', 'batch', 'on-demand', 'depth-first', 'brute-force'] as const;
export const KERNELS = ['wasm', 'ts'] as const;
/** A row per deformer: the ways in which a body can be posed. */
export const KINDS = ['free', 'rigid', 'free-placed', 'meshless', 'embedded', 'user', 'user-placed'] as const;
export type Kind = (typeof KINDS)[number];

/** A body before it is made, with two poses, and where they put each welded vertex: computed here, not there. */
export interface BodyPlan {
  readonly kind: Kind;
  readonly mesh: TriangleMesh;
  readonly split: SplitRule | undefined;
  readonly poses: readonly [Float64Array, Float64Array]; // per source vertex, node or control; not for rigid ones
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
  const local = [0, 1].map((e) => {
    if (kind === 'rigid') return mesh.positions;
    return isBound(kind) ? blend(plan, poses[e]) : weld(mesh, poses[e]);
  });
  const world = [0, 1].map((e) => (isPlaced(kind) ? move(local[e], matrices[e]) : local[e]));
  return { ...plan, local: [local[0], local[1]], world: [world[0], world[1]] };
}

function isBound(kind: Kind): kind is 'meshless' | 'embedded' {
  return kind === 'meshless' || kind === 'embedded';
}

function isPlaced(kind: Kind): boolean {
  return kind === 'rigid' || kind === 'free-placed' || kind === 'user-placed';
}

function isUser(kind: Kind): boolean {
  return kind === 'user' || kind === 'user-placed';
}

const NEAR = 0.75; // weights that add up to 1 in float64
const FAR = 0.25;

/** Every vertex hangs on a node or control point of its own and on that of the next vertex. */
function handlesOf({ sourceVertex, vertexCount }: TriangleMesh, vertex: number): [number, number] {
  return [sourceVertex[vertex], sourceVertex[(vertex + 1) % vertexCount]];
}

/** In the order of operations of the deformer; adding 0 takes the sign off −0, as it does. */
function blend({ kind, mesh }: Pick<BodyPlan, 'kind' | 'mesh'>, pose: Float64Array): Float64Array {
  const rest = sourcePositions(mesh);
  return mesh.positions.map((x, i) => {
    const [near, far] = handlesOf(mesh, Math.trunc(i / 3)).map((handle) => 3 * handle + (i % 3));
    if (kind === 'embedded') return 0 + NEAR * pose[near] + FAR * pose[far];
    return x + (0 + NEAR * (pose[near] - rest[near]) + FAR * (pose[far] - rest[far]));
  });
}

/** Where each source vertex is at rest. */
function sourcePositions({ positions, weldedVertex }: TriangleMesh): Float64Array {
  return Float64Array.from({ length: 3 * weldedVertex.length }, (_, i) => {
    return positions[3 * weldedVertex[Math.trunc(i / 3)] + (i % 3)];
  });
}

function createBoundBody(engine: Engine, { kind, mesh, split }: BodyPlan): Body {
  const handles = Array.from(mesh.weldedVertex, (v) => handlesOf(mesh, v)).flat();
  const weights = Array.from(mesh.weldedVertex, () => [NEAR, FAR]).flat();
  const at = sourcePositions(mesh);
  return kind === 'meshless'
    ? engine.createMeshlessBody(
        mesh,
        { nodePositions: at, influences: 2, nodes: handles, weights },
        { split },
      )
    : engine.createEmbeddedBody(
        mesh,
        { controlPositions: at, influences: 2, controls: handles, weights },
        { split },
      );
}

function boundPose({ kind, mesh }: BodyPlan, pose: Float64Array): Pose {
  if (kind === 'embedded') return pose;
  const rest = sourcePositions(mesh);
  return { displacements: pose.map((x, i) => x - rest[i]), gradients: new Float64Array(3 * pose.length) };
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
  if (isBound(kind)) {
    const bound = createBoundBody(engine, plan);
    const [start, end] = poses.map((pose) => boundPose(plan, pose));
    if (moving) bound.setMotion(start, end);
    else bound.setPose(start);
    return bound;
  }
  const body = isUser(kind)
    ? engine.createBody(mesh, { split }, (resident) => new UserDeformer(engine.kernels, resident))
    : kind === 'rigid'
      ? engine.createRigidBody(mesh, { split })
      : engine.createFreeBody(mesh, { split });
  if (kind === 'rigid') {
    if (moving) body.setMotion(...matrices);
    else body.setPose(matrices[0]);
    return body;
  }
  if (moving) body.setMotion(...poses);
  else body.setPose(poses[0]);
  if (!isPlaced(kind)) return body;
  if (moving) body.setWorldMotion(...matrices);
  else body.setWorldMatrix(matrices[0]);
  return body;
}
