import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createEngine,
  createTriangleMesh,
  findSelfCollisions,
  InputError,
  type Modes,
  type Skin,
} from '../../src/index.ts';
import { grid } from '../arbitraries.ts';
import { movingSelfPairs, selfPairs } from '../oracles/brute-force.ts';
import { evaluateOneByOne } from './one-by-one.ts';

const JOINTS = 3;
const MODES = 2;
const INFLUENCES = 4;
const source = grid(4, 3);
const vertexCount = source.positions.length / 3;

const number = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double({ min: -2, max: 2, noNaN: true }));
const numbers = (length: number) => fc.array(number, { minLength: length, maxLength: length });
const skin: fc.Arbitrary<Skin> = fc.record({
  jointCount: fc.constant(JOINTS),
  influences: fc.constant(INFLUENCES),
  joints: fc.array(fc.nat(JOINTS - 1), {
    minLength: INFLUENCES * vertexCount,
    maxLength: INFLUENCES * vertexCount,
  }),
  weights: numbers(INFLUENCES * vertexCount),
});
const modes: fc.Arbitrary<Modes> = fc.record({
  count: fc.constant(MODES),
  displacements: numbers(MODES * 3 * vertexCount),
});

/** The formula, straight: any order of operations, hence only close. */
function evaluate(s: Skin | undefined, m: Modes | undefined, joints: number[], weights: number[]): number[] {
  const out: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    const p = [0, 1, 2].map(
      (k) =>
        source.positions[3 * v + k] +
        (m
          ? weights.reduce((sum, q, i) => sum + q * m.displacements[i * 3 * vertexCount + 3 * v + k], 0)
          : 0),
    );
    if (!s) out.push(...p);
    else {
      for (let row = 0; row < 3; row++) {
        let x = 0;
        for (let k = v * INFLUENCES; k < (v + 1) * INFLUENCES; k++) {
          const o = 12 * s.joints[k] + 4 * row;
          x +=
            s.weights[k] * (joints[o] * p[0] + joints[o + 1] * p[1] + joints[o + 2] * p[2] + joints[o + 3]);
        }
        out.push(x);
      }
    }
  }
  return out;
}

const kinds = ['skin', 'modes', 'skin-modes'] as const;

describe.each(kinds)('%s', (kind) => {
  const isSkinned = kind !== 'modes',
    isModal = kind !== 'skin';
  const poseOf = (joints: number[], weights: number[]) =>
    kind === 'skin' ? joints : kind === 'modes' ? weights : { joints, modes: weights };

  test('positions follow the formula, with equal bits from both kernels and from single points', async () => {
    const engines = [await createEngine({ kernels: 'wasm' }), await createEngine({ kernels: 'ts' })];
    const mesh = createTriangleMesh(source);
    fc.assert(
      fc.property(skin, modes, numbers(12 * JOINTS), numbers(MODES), (s, m, joints, weights) => {
        const expected = evaluate(isSkinned ? s : undefined, isModal ? m : undefined, joints, weights);
        const results = engines.flatMap((engine) => {
          const body = isSkinned
            ? engine.createSkinnedBody(mesh, s, isModal ? { modes: m } : {})
            : engine.createModalBody(mesh, m);
          body.setPose(poseOf(joints, weights));
          const single = evaluateOneByOne(engine, body);
          body.setPose(poseOf(joints, weights));
          const all = body.getPositions();
          body.dispose();
          return [all, single];
        });
        for (const result of results) expect(result).toEqual(results[0]);
        results[0].forEach((x, k) => void expect(x).toBeCloseTo(expected[k], 9));
      }),
      { numRuns: 60 },
    );
    for (const engine of engines) expect(engine.usage.bodies).toBe(0);
  });

  test('queries see those positions, in one pose and over a motion', async () => {
    const engine = await createEngine();
    const mesh = createTriangleMesh(source);
    fc.assert(
      fc.property(skin, modes, numbers(12 * JOINTS), numbers(MODES), (s, m, joints, weights) => {
        const body = isSkinned
          ? engine.createSkinnedBody(mesh, s, isModal ? { modes: m } : {})
          : engine.createModalBody(mesh, m);
        const start = body.getLocalPositions();
        body.setPose(poseOf(joints, weights));
        const end = body.getLocalPositions();
        for (const method of ['batch', 'on-demand', 'depth-first'] as const) {
          expect(findSelfCollisions(body, { method }).sortedPairs()).toEqual(selfPairs(mesh, end));
        }
        const rest = Array.from({ length: JOINTS }, () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]).flat();
        body.setMotion(poseOf(rest, [0, 0]), poseOf(joints, weights));
        const report = findSelfCollisions(body, { continuous: true });
        const found = report.sortedPairs().map(([i, j], k) => [i, j, report.times![k]]);
        expect(found.map(([i, j]) => [i, j])).toEqual(
          movingSelfPairs(mesh, start, end).map(([i, j]) => [i, j]),
        );
        body.dispose();
      }),
      { numRuns: 12 },
    );
  });
});

describe('refuses', () => {
  const mesh = createTriangleMesh(source);
  const skinWith = (changes: Partial<Skin>): Skin => ({
    jointCount: 1,
    influences: 1,
    joints: new Array(vertexCount).fill(0),
    weights: new Array(vertexCount).fill(1),
    ...changes,
  });

  test.each<[string, Partial<Skin>, string, RegExp]>([
    [
      'a joint that does not exist',
      { joints: new Array(vertexCount).fill(1) },
      'index-out-of-range',
      /vertex \d+ .* joint 1/,
    ],
    ['too few weights', { weights: [1] }, 'wrong-length', /skin\.weights/],
    [
      'a weight that is no number',
      { weights: new Array(vertexCount).fill(Number.NaN) },
      'not-finite',
      /skin\.weights\[0\]/,
    ],
    ['no joints', { jointCount: 0 }, 'bad-option', /jointCount/],
  ])('%s', async (_, changes, code, message) => {
    const engine = await createEngine();
    const before = engine.usage;
    const attempt = () => engine.createSkinnedBody(mesh, skinWith(changes));
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.objectContaining({ code }));
    expect(engine.usage).toEqual(before);
  });

  test('weights that differ on welded vertices', async () => {
    const engine = await createEngine();
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0];
    const seam = createTriangleMesh({ positions, triangles: [0, 1, 2, 3, 5, 4] });
    const weights = [1, 1, 1, 1, 0.5, 1];
    expect(() =>
      engine.createSkinnedBody(seam, { jointCount: 1, influences: 1, joints: [0, 0, 0, 0, 0, 0], weights }),
    ).toThrow(/vertices 2 and 4 were welded but have different skin weights/);
  });

  test('poses of the wrong form', async () => {
    const engine = await createEngine();
    const body = engine.createSkinnedBody(mesh, skinWith({}));
    expect(() => body.setPose([1, 2])).toThrow(/pose has 2 numbers, expected 12/);
    expect(() => body.setPose(new Array(12).fill(Infinity))).toThrow(/pose\[0\] is Infinity/);
    expect(() => body.setPose(new Array(12).fill(1e80))).toThrow(/limit/);
  });
});

describe('bodies of one mesh share equal weights', () => {
  const mesh = createTriangleMesh(grid(4, 3));
  const joints = Array.from({ length: mesh.sourceVertexCount }, () => [0, 1]).flat();
  const weightsOf = (share: number) => joints.map((joint) => (joint === 0 ? share : 1 - share));
  const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  const matrices = [...IDENTITY, 1, 0, 0, 8, 0, 1, 0, 0, 0, 0, 1, 0]; // the second joint is 8 further on

  test('and only equal ones: arrays that were changed make a body of their own', async () => {
    const engine = await createEngine();
    const skin = { jointCount: 2, influences: 2, joints, weights: weightsOf(1) };
    const first = engine.createSkinnedBody(mesh, skin);
    const bytes = engine.usage.bytes;
    const second = engine.createSkinnedBody(mesh, { ...skin, weights: weightsOf(1) });
    const more = engine.usage.bytes - bytes;
    skin.weights.splice(0, skin.weights.length, ...weightsOf(0));
    const third = engine.createSkinnedBody(mesh, skin);
    expect(engine.usage.bytes - bytes - more).toBeGreaterThan(more); // with weights of its own
    for (const body of [first, second, third]) body.setPose(matrices);
    const moved = [first, second, third].map((body) => body.getPositions()[0] - mesh.positions[0]);
    expect(moved).toEqual([0, 0, 8]);
  });

  test('… also of meshless bodies', async () => {
    const engine = await createEngine();
    const meshless = {
      nodePositions: [0, 0, 0, 1, 0, 0],
      influences: 2,
      nodes: joints,
      weights: weightsOf(1),
    };
    const pose = { displacements: [0, 0, 0, 8, 0, 0], gradients: new Array(18).fill(0) };
    const first = engine.createMeshlessBody(mesh, meshless);
    meshless.weights = weightsOf(0);
    const second = engine.createMeshlessBody(mesh, meshless);
    for (const body of [first, second]) body.setPose(pose);
    expect([first, second].map((body) => body.getPositions()[0] - mesh.positions[0])).toEqual([0, 8]);
  });

  test('a joint more, which moves nothing, is another skin', async () => {
    const engine = await createEngine();
    const skin = { jointCount: 2, influences: 2, joints, weights: weightsOf(0.25).map((w) => w / 2) }; // half is missing
    const first = engine.createSkinnedBody(mesh, skin),
      second = engine.createSkinnedBody(mesh, { ...skin, jointCount: 3 });
    first.setPose(matrices);
    second.setPose([...matrices, ...IDENTITY]);
    for (const body of [first, second]) {
      const bounds = body.getLocalBounds(false);
      bounds.begin(false);
      bounds.ensure(0);
      for (const [i, x] of body.getLocalPositions().entries()) {
        expect(x).toBeGreaterThanOrEqual(bounds.box[i % 3]);
        expect(x).toBeLessThanOrEqual(bounds.box[3 + (i % 3)]);
      }
    }
  });
});
