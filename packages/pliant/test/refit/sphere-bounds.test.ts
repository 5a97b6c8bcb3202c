import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeNormUpperBound } from '../../src/algebra/matrix3.ts';
import type { BlendDeformer } from '../../src/deform/blend.ts';
import { type Body, createEngine, createTriangleMesh, type Engine } from '../../src/index.ts';
import { SphereBounds } from '../../src/refit/sphere-bounds.ts';
import { JointSetBalls } from '../../src/refit/sphere-skin.ts';
import { matrix } from '../arbitraries.ts';
import {
  BLENDS,
  createBlendBody,
  createGridMesh,
  MODES,
  numbers,
  poseOf,
  poses,
  smoothWeights,
  vertexCount,
  weights,
} from './blend-arbitraries.ts';
import { findEscape } from './find-escape.ts';

const RUNS = process.env.PLIANT_FULL ? 10_000 : 150;
const LONG = { timeout: 1_200_000 };

/** The first vertex outside the ball of a node above it, as a message. */
function findBallEscape(
  body: Body,
  bounds: SphereBounds,
  swept: boolean,
  isWorld: boolean,
): string | undefined {
  const { tree, resident, engine } = body;
  const source = isWorld ? body.world : body.deformer;
  bounds.begin(swept);
  bounds.refitAll();
  for (const end of swept ? ([0, 1] as const) : ([0] as const)) {
    source.ensureAll(end);
    const points = source.address(end) >>> 3; // may allocate, so before the views are read
    const { f64, u32 } = engine.kernels.memory;
    for (let node = 0; node < bounds.boundedNodes; node++) {
      const [x, y, z, r] = bounds.ball.subarray(4 * node);
      const first = (resident.corners >>> 2) + 3 * tree.firstSlot[node];
      for (let c = first; c < first + 3 * tree.slotCount[node]; c++) {
        const p = points + 3 * u32[c];
        const distance = Math.hypot(f64[p] - x, f64[p + 1] - y, f64[p + 2] - z);
        if (!(distance <= r * (1 + 2 ** -50)))
          return `node ${node}: ${distance} from the centre, radius ${r}`;
        for (let k = 0; k < 3; k++) {
          const at = f64[p + k];
          if (bounds.box[6 * node + k] <= at && at <= bounds.box[6 * node + 3 + k]) continue;
          return `node ${node}, axis ${k}: outside the box`;
        }
      }
    }
  }
  return undefined;
}

const VARIANTS = BLENDS.flatMap((kind) =>
  (['sphere', 'sphere-skin', 'two-largest'] as const)
    .filter((bounds) => kind !== 'modes' || bounds !== 'sphere-skin')
    .map((bounds) => ({ kind, bounds })),
);

describe.each(VARIANTS)('$bounds, $kind', ({ kind, bounds }) => {
  test(
    'every node holds every vertex below it, in any pose, over any motion and anywhere',
    LONG,
    async () => {
      const engine = await createEngine();
      const mesh = createGridMesh();
      const scene = [weights, numbers(MODES * 3 * vertexCount), poses, poses, matrix, matrix] as const;
      let telling = 0;
      fc.assert(
        fc.property(...scene, (w, displacements, start, end, first, second) => {
          const body = createBlendBody(engine, kind, w, displacements, { bounds }, mesh);
          body.setPose(poseOf(kind, start));
          expectInside(body, false, false);
          if (body.getLocalBounds(false).box[3] < 1e30) telling++;
          body.setMotion(poseOf(kind, end), poseOf(kind, start));
          expectInside(body, true, false);
          body.setWorldMotion(first, second);
          expectInside(body, true, true);
          body.dispose();
        }),
        { numRuns: RUNS },
      );
      expect(telling).toBeGreaterThan(RUNS / 2); // a volume without end holds everything
    },
  );
});

function expectInside(body: Body, swept: boolean, isWorld: boolean): void {
  const bounds = isWorld ? body.getWorldBounds(swept) : body.getLocalBounds(swept);
  if (bounds instanceof SphereBounds) expect(findBallEscape(body, bounds, swept, isWorld)).toBeUndefined();
  else if (!isWorld) expect(findEscape(body, swept)).toBeUndefined();
}

test('keeping the radius, as the paper does, loses vertices where joints stretch, and the test notices', async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  const check = (keepsRadius: boolean) =>
    fc.assert(
      fc.property(smoothWeights, poses, (w, pose) => {
        const body = createBlendBody(engine, 'skin', w, [], {}, mesh);
        const skin = body.deformer as BlendDeformer;
        const bounds = new SphereBounds(engine.kernels, body.resident, skin, undefined, (nodes) => {
          const rule = new JointSetBalls(engine.kernels, body.resident, skin, nodes);
          return {
            fit(node, rest, handles, out) {
              if (keepsRadius) handles.stretch.fill(1);
              rule.fit(node, rest, handles, out);
            },
          };
        });
        body.setPose(pose.joints);
        const message = findBallEscape(body, bounds, false, false);
        body.dispose();
        return message === undefined;
      }),
      { numRuns: 100 },
    );
  check(false);
  expect(() => check(true)).toThrow('Property failed');
});

test('a rotation keeps the balls of nodes with one joint, and one vertex stays a point', async () => {
  const engine = await createEngine();
  const turn = [0, -1, 0, 3, 1, 0, 0, 4, 0, 0, 1, 5];
  for (const bounds of ['sphere', 'sphere-skin'] as const) {
    const body = createBlendBody(engine, 'skin', new Array(4 * vertexCount).fill(0.25), [], { bounds });
    body.setPose([...turn, ...turn, ...turn, ...turn]);
    const balls = body.getLocalBounds(false) as SphereBounds;
    balls.begin(false);
    balls.ensure(0);
    // The grid is 8 × 6: its ball stands on its middle.
    [0, 8, 5, 5].forEach((x, k) => void expect(balls.ball[k]).toBeCloseTo(x, 6));
    const point = createPoint(engine, bounds);
    point.setPose([...turn, ...turn]);
    const ball = point.getLocalBounds(false) as SphereBounds;
    ball.begin(false);
    ball.ensure(0);
    [1, 5, 8, 0].forEach((x, k) => void expect(ball.ball[k]).toBeCloseTo(x, 6));
  }
});

/** Five triangles, all of whose corners are at (1, 2, 3). */
function createPoint(engine: Engine, bounds: 'sphere' | 'sphere-skin'): Body {
  const mesh = createTriangleMesh({
    positions: Array.from({ length: 15 }, () => [1, 2, 3]).flat(),
    triangles: Array.from({ length: 15 }, (_, k) => k),
    weld: false,
  });
  const joints = Array.from({ length: 15 }, () => [0, 1]).flat();
  const weights = Array.from({ length: 15 }, (_, k) => [k / 15, 1 - k / 15]).flat();
  return engine.createSkinnedBody(mesh, { jointCount: 2, influences: 2, joints, weights }, { bounds });
}

test('the stretch of products of float32 matrices, shears and reflections is never too small', () => {
  const entry = fc.double({ min: -2, max: 2, noNaN: true }).map(Math.fround);
  const nine = fc.array(entry, { minLength: 9, maxLength: 9 });
  const special = fc.constantFrom(
    [1, 0.7, 0, 0, 1, 0, 0, 0, 1],
    [-1, 0, 0, 0, 1, 0, 0, 0, 1],
    [0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
  );
  const direction = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.oneof(nine, special), fc.oneof(nine, special), direction, (a, b, d) => {
      const product = Float64Array.from({ length: 9 }, (_, k) => {
        const r = 3 * Math.trunc(k / 3),
          c = k % 3;
        return Math.fround(a[r] * b[c] + a[r + 1] * b[3 + c] + a[r + 2] * b[6 + c]);
      });
      const out = new Float64Array(1);
      writeNormUpperBound(product, 0, out, 0);
      // Power iteration towards the direction that is stretched most.
      let v = d;
      for (let step = 0; step < 40; step++) {
        const length = Math.hypot(...v);
        if (!(length > 1e-200)) return;
        v = v.map((x) => x / length);
        expect(Math.hypot(...apply(product, v))).toBeLessThanOrEqual(out[0] * (1 + 1e-14));
        v = apply(transpose(product), apply(product, v));
      }
    }),
    { numRuns: 10 * RUNS },
  );
});

function apply(m: Float64Array, v: readonly number[]): number[] {
  return [0, 3, 6].map((r) => m[r] * v[0] + m[r + 1] * v[1] + m[r + 2] * v[2]);
}

function transpose(m: Float64Array): Float64Array {
  return Float64Array.from({ length: 9 }, (_, k) => m[3 * (k % 3) + Math.trunc(k / 3)]);
}
