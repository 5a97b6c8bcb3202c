import fc from 'fast-check';
import type { Body, Embedding, Engine, Meshless, TriangleMesh } from '../../src/index.ts';
import { createTriangleMesh } from '../../src/index.ts';
import { createRandom } from '../../src/shapes/random.ts';
import { grid } from '../arbitraries.ts';

/** Bodies whose vertices hang on handles with weights that add up to 1: one row per kind. */
export interface BoundKind {
  readonly kind: 'meshless' | 'embedded';
  readonly data: fc.Arbitrary<BoundData>;
  /** Weights that differ everywhere: no triangles in one plane, where only exact arithmetic decides. */
  readonly uneven: fc.Arbitrary<BoundData>;
  /** Any pose, one of moderate size without whole numbers, and the one at rest. */
  readonly pose: fc.Arbitrary<BoundPose>;
  readonly generic: fc.Arbitrary<BoundPose>;
  readonly rest: (data: BoundData) => BoundPose;
  readonly create: (engine: Engine, mesh: TriangleMesh, data: BoundData) => Body;
  /** The formula, straight: any order of operations, hence only close. */
  readonly evaluate: (data: BoundData, pose: BoundPose) => number[];
}

export interface BoundData {
  readonly handles: number[]; // 3 per handle, at rest
  readonly influences: number;
  readonly indices: number[];
  readonly weights: number[];
}

export interface BoundPose {
  readonly displacements: number[]; // positions for embedded bodies
  readonly gradients: number[];
}

export const HANDLES = 5;
const INFLUENCES = 4;
export const source = grid(6, 5);
const vertexCount = source.positions.length / 3;
export const mesh = createTriangleMesh(source);

const number = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.constantFrom(1e6, -1e-6, 1e-12),
);
const numbers = (length: number) => fc.array(number, { minLength: length, maxLength: length });
const small = fc.double({ min: -3, max: 3, noNaN: true });
const generic = (length: number) =>
  fc.integer().map((seed) => {
    const random = createRandom(seed);
    return Array.from({ length }, () => 2 * random() - 1);
  });

/** Four handles each; weights that vary smoothly, are equal everywhere, or are anything that adds up to 1. */
function bindings(negative: boolean, uneven = false): fc.Arbitrary<BoundData> {
  const anything = fc
    .array(fc.double({ min: negative ? -1 : 0, max: 1, noNaN: true }), {
      minLength: INFLUENCES * vertexCount,
      maxLength: INFLUENCES * vertexCount,
    })
    .map((list) => list.map((w, k) => (k % INFLUENCES === 0 ? w + 6 : w)));
  const smooth = fc.double({ min: 0.5, max: 4, noNaN: true }).map((width) =>
    Array.from({ length: vertexCount }, (_, v) => {
      const x = Math.min(1, Math.max(0, (source.positions[3 * v] - 1) / width));
      return [1 - x, x, 0, 0];
    }).flat(),
  );
  const equal = fc.constant(Array.from({ length: vertexCount }, () => [0.25, 0.5, 0, 0.25]).flat());
  return fc.record({
    handles: uneven
      ? generic(3 * HANDLES)
      : fc.array(small, { minLength: 3 * HANDLES, maxLength: 3 * HANDLES }),
    influences: fc.constant(INFLUENCES),
    indices: fc
      .uniqueArray(fc.nat(HANDLES - 1), { minLength: INFLUENCES, maxLength: INFLUENCES })
      .map((list) => Array.from({ length: vertexCount }, () => list).flat()),
    weights: (uneven
      ? generic(INFLUENCES * vertexCount).map((list) => list.map((w) => (negative ? w / 4 : 0) + w * w + 0.1))
      : fc.oneof(anything, smooth, equal)
    ).map(normalise),
  });
}

function normalise(list: number[]): number[] {
  return list.map((w, k) => {
    const first = k - (k % INFLUENCES);
    return w / list.slice(first, first + INFLUENCES).reduce((sum, x) => sum + x, 0);
  });
}

export const toMeshless = ({ handles, influences, indices, weights }: BoundData): Meshless => ({
  nodePositions: handles,
  influences,
  nodes: indices,
  weights,
});

export const toEmbedding = ({ handles, influences, indices, weights }: BoundData): Embedding => ({
  controlPositions: handles,
  influences,
  controls: indices,
  weights,
});

const meshless: BoundKind = {
  kind: 'meshless',
  data: bindings(false),
  uneven: bindings(false, true),
  pose: fc.record({ displacements: numbers(3 * HANDLES), gradients: numbers(9 * HANDLES) }),
  generic: fc.record({ displacements: generic(3 * HANDLES), gradients: generic(9 * HANDLES) }),
  rest: () => ({
    displacements: new Array(3 * HANDLES).fill(0),
    gradients: new Array(9 * HANDLES).fill(0),
  }),
  create: (engine, m, data) => engine.createMeshlessBody(m, toMeshless(data)),
  // x = v + Σ w (u + ∇uᵀ (v − x_j)), with ∂u_b/∂x_a in entry 3a + b.
  evaluate: ({ handles, indices, weights }, { displacements, gradients }) =>
    source.positions.map((v, i) => {
      const vertex = Math.trunc(i / 3),
        b = i % 3;
      let x = v;
      for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
        const j = indices[k];
        let moved = displacements[3 * j + b];
        for (let a = 0; a < 3; a++) {
          moved += gradients[9 * j + 3 * a + b] * (source.positions[3 * vertex + a] - handles[3 * j + a]);
        }
        x += weights[k] * moved;
      }
      return x;
    }),
};

const embedded: BoundKind = {
  kind: 'embedded',
  data: bindings(true),
  uneven: bindings(true, true),
  pose: numbers(3 * HANDLES).map((displacements) => ({ displacements, gradients: [] })),
  generic: generic(3 * HANDLES).map((displacements) => ({ displacements, gradients: [] })),
  rest: ({ handles }) => ({ displacements: handles, gradients: [] }),
  create: (engine, m, data) => engine.createEmbeddedBody(m, toEmbedding(data)),
  evaluate: ({ indices, weights }, { displacements }) =>
    source.positions.map((_, i) => {
      const vertex = Math.trunc(i / 3);
      let x = 0;
      for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
        x += weights[k] * displacements[3 * indices[k] + (i % 3)];
      }
      return x;
    }),
};

export const BOUND_KINDS: [string, BoundKind][] = [meshless, embedded].map((row) => [row.kind, row]);

/** What `setPose` wants. */
export function poseOf(kind: BoundKind, pose: BoundPose) {
  return kind.kind === 'meshless' ? pose : pose.displacements;
}
