import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Body, createEngine, createTriangleMesh, findSelfCollisions } from '../../src/index.ts';
import { grid } from '../arbitraries.ts';
import { selfPairs } from '../oracles/brute-force.ts';

const JOINTS = 4;
const MODES = 3;
const source = grid(6, 5);
const vertexCount = source.positions.length / 3;
const RUNS = process.env.PLIANT_FULL ? 10_000 : 400;

const number = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.constantFrom(1e6, -1e-6, 1e-12),
  fc.constantFrom(1e-44, -1e-44, 1e36, -1e40), // beyond float32, in which the boxes are computed
);
const numbers = (length: number) => fc.array(number, { minLength: length, maxLength: length });

/** Smooth, so that nodes have common weights; or anything, sums and signs included. */
const weights = fc.oneof(
  fc.nat(2).map((shift) =>
    Array.from({ length: vertexCount }, (_, v) => {
      const x = Math.min(1, Math.max(0, (source.positions[3 * v] - 1) / 3));
      return Array.from({ length: JOINTS }, (_, j) => (j === shift ? 1 - x : j === shift + 1 ? x : 0));
    }).flat(),
  ),
  fc.constant(Array.from({ length: vertexCount }, () => [0.25, 0.5, 0, 0.25]).flat()),
  numbers(JOINTS * vertexCount),
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: JOINTS * vertexCount,
    maxLength: JOINTS * vertexCount,
  }),
);
const joints = Array.from({ length: vertexCount }, () => [0, 1, 2, 3]).flat();
const poses = fc.record({ joints: numbers(12 * JOINTS), modes: numbers(MODES) });

/** The first vertex that a node's box does not hold, as a message; undefined when all are inside. */
function findEscape(body: Body, swept: boolean): string | undefined {
  const { tree, resident, deformer, engine } = body;
  const bounds = body.getLocalBounds(swept);
  bounds.begin(swept);
  bounds.refitAll();
  for (const end of swept ? ([0, 1] as const) : ([0] as const)) {
    deformer.ensureAll(end);
    const { f64, u32 } = engine.kernels.memory;
    const points = deformer.address(end) >>> 3;
    for (let node = 0; node < bounds.boundedNodes; node++) {
      const first = (resident.corners >>> 2) + 3 * tree.firstSlot[node];
      for (let c = first; c < first + 3 * tree.slotCount[node]; c++) {
        for (let k = 0; k < 3; k++) {
          const x = f64[points + 3 * u32[c] + k];
          if (x < bounds.box[bounds.stride * node + k] || x > bounds.box[bounds.stride * node + 3 + k]) {
            return `node ${node}, axis ${k}: ${x} is outside ${bounds.box.slice(bounds.stride * node, bounds.stride * node + 6)}`;
          }
        }
      }
    }
  }
  return undefined;
}

describe.each(['skin', 'modes', 'skin-modes'] as const)('%s', (kind) => {
  const pick = (pose: { joints: number[]; modes: number[] }) =>
    kind === 'skin' ? pose.joints : kind === 'modes' ? pose.modes : pose;

  test('every node holds every vertex below it, in any pose and over any motion', async () => {
    const engine = await createEngine();
    const mesh = createTriangleMesh(source);
    fc.assert(
      fc.property(weights, numbers(MODES * 3 * vertexCount), poses, poses, (w, displacements, start, end) => {
        const skin = { jointCount: JOINTS, influences: JOINTS, joints, weights: w };
        const modes = { count: MODES, displacements };
        const body =
          kind === 'modes'
            ? engine.createModalBody(mesh, modes)
            : engine.createSkinnedBody(mesh, skin, kind === 'skin' ? {} : { modes });
        body.setPose(pick(start));
        expect(findEscape(body, false)).toBeUndefined();
        body.setMotion(pick(end), pick(start));
        expect(findEscape(body, true)).toBeUndefined();
        body.dispose();
      }),
      { numRuns: RUNS },
    );
  });
});

test('on-demand queries of a skinned body find what brute force finds', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh(source);
  fc.assert(
    fc.property(weights, poses, (w, pose) => {
      const body = engine.createSkinnedBody(mesh, {
        jointCount: JOINTS,
        influences: JOINTS,
        joints,
        weights: w,
      });
      body.setPose(pose.joints);
      const report = findSelfCollisions(body, { method: 'on-demand' });
      expect(report.sortedPairs()).toEqual(selfPairs(mesh, body.getLocalPositions()));
      body.dispose();
    }),
    { numRuns: 60 },
  );
});

test('constant weights give the box of one affine map, and equal handles that of the handle', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh(source);
  const w = Array.from({ length: vertexCount }, () => [0.25, 0.5, 0, 0.25]).flat();
  const body = engine.createSkinnedBody(mesh, { jointCount: JOINTS, influences: JOINTS, joints, weights: w });
  const turn = [0, -1, 0, 3, 1, 0, 0, 4, 0, 0, 1, 5];
  body.setPose([...turn, ...turn, ...new Array(12).fill(9), ...turn]);
  body.getLocalBounds(false).begin(false);
  body.getLocalBounds(false).ensure(0);
  const expected = [-2, 4, 5, 3, 10, 5];
  expected.forEach((x, k) => void expect(body.getLocalBounds(false).box[k]).toBeCloseTo(x, 4));
});
