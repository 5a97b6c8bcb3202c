import { describe, expect, test } from 'vitest';
import {
  createEngine,
  createTriangleMesh,
  type Embedding,
  InputError,
  type InputErrorCode,
  type Meshless,
} from '../../src/index.ts';
import { grid } from '../arbitraries.ts';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are what these tests are about
type Any = any;

const mesh = createTriangleMesh(grid(2, 2));
const count = mesh.sourceVertexCount;
const meshless = (changes: object): Meshless => ({
  nodePositions: [0, 0, 0, 1, 0, 0],
  influences: 2,
  nodes: new Array(count).fill([0, 1]).flat(),
  weights: new Array(count).fill([0.25, 0.75]).flat(),
  ...changes,
});
const embedding = (changes: object): Embedding => ({
  controlPositions: [0, 0, 0, 1, 0, 0],
  influences: 2,
  controls: new Array(count).fill([0, 1]).flat(),
  weights: new Array(count).fill([1.5, -0.5]).flat(),
  ...changes,
});
const weightsWith = (k: number, ...values: number[]) => {
  const weights = new Array(count).fill([0.25, 0.75]).flat();
  weights.splice(k, values.length, ...values);
  return weights;
};

type Row = [string, object, InputErrorCode, RegExp];
const SHARED: Row[] = [
  ['no influences', { influences: 0 }, 'bad-option', /influences must be a whole number from 1 to 64/],
  ['too many influences', { influences: 65 }, 'bad-option', /influences/],
  ['too few weights', { weights: [1] }, 'wrong-length', /weights has 1 numbers, expected 18/],
  ['a weight that is no number', { weights: weightsWith(3, NaN) }, 'not-finite', /weights\[3\] is NaN/],
  [
    'weights that miss 1',
    { weights: weightsWith(4, 0.2, 0.7) },
    'out-of-range',
    /weights of vertex 2 add up/,
  ],
];

describe('createMeshlessBody refuses', () => {
  const rows: Row[] = [
    ...SHARED,
    [
      'negative weights',
      { weights: weightsWith(6, -0.25, 1.25) },
      'out-of-range',
      /vertex 3 has the weight -0.25/,
    ],
    [
      'a node that does not exist',
      { nodes: new Array(count).fill([0, 2]).flat() },
      'index-out-of-range',
      /vertex 0 is moved by node 2, but meshless has 2 nodes/,
    ],
    ['no nodes', { nodePositions: [] }, 'empty', /nodePositions is empty/],
    ['half a node', { nodePositions: [0, 0] }, 'wrong-length', /nodePositions/],
    ['too many nodes', { nodePositions: new Float64Array(3 * 65537) }, 'too-large', /65537 nodes/],
    ['a node nowhere', { nodePositions: [0, Infinity, 0, 1, 0, 0] }, 'not-finite', /nodePositions\[1\]/],
  ];
  test.each(rows)('%s', async (_, changes, code, message) => {
    await expectRefusal((engine) => engine.createMeshlessBody(mesh, meshless(changes)), code, message);
  });

  test('what is no object', async () => {
    await expectRefusal((engine) => engine.createMeshlessBody(mesh, null as Any), 'wrong-type', /meshless/);
    await expectRefusal(
      (engine) => engine.createMeshlessBody(mesh, meshless({}), null as Any),
      'wrong-type',
      /options/,
    );
  });
});

describe('createEmbeddedBody refuses', () => {
  const rows: Row[] = [
    ...SHARED,
    [
      'a control that does not exist',
      { controls: new Array(count).fill([0, 1.5]).flat() },
      'index-out-of-range',
      /vertex 0 is moved by control 1.5, but embedding has 2 controls/,
    ],
    ['no controls', { controlPositions: [] }, 'empty', /controlPositions is empty/],
    ['a control far out', { controlPositions: [1e50, 0, 0, 0, 0, 0] }, 'out-of-range', /limit is 2\^150/],
  ];
  test.each(rows)('%s', async (_, changes, code, message) => {
    await expectRefusal((engine) => engine.createEmbeddedBody(mesh, embedding(changes)), code, message);
  });
});

describe('poses of the wrong form are refused, and change nothing', () => {
  const zero = { displacements: new Array(6).fill(0), gradients: new Array(18).fill(0) };
  const poses: Row[] = [
    ['no object', [] as object, 'wrong-type', /pose must be an object/],
    ['no gradients', { displacements: zero.displacements }, 'wrong-type', /pose.gradients/],
    ['too few', { ...zero, displacements: [1] }, 'wrong-length', /displacements has 1 numbers, expected 6/],
    ['NaN', { ...zero, gradients: zero.gradients.with(5, NaN) }, 'not-finite', /gradients\[5\] is NaN/],
    ['too large', { ...zero, gradients: zero.gradients.with(9, 1e50) }, 'out-of-range', /node 1 .* 2\^150/],
  ];
  test.each(poses)('meshless: %s', async (_, pose, code, message) => {
    const engine = await createEngine();
    const body = engine.createMeshlessBody(mesh, meshless({}));
    const before = body.getLocalPositions();
    const attempts = [() => body.setPose(pose as Any), () => body.setMotion(zero, pose as Any)];
    expect(attempts[0]).toThrow(message);
    for (const attempt of attempts) expect(attempt).toThrow(expect.objectContaining({ code }));
    expect(body.deformer.hasMotion).toBe(false);
    expect(body.getLocalPositions()).toEqual(before);
  });

  test('embedded', async () => {
    const engine = await createEngine();
    const body = engine.createEmbeddedBody(mesh, embedding({}));
    const before = body.getLocalPositions();
    expect(() => body.setPose([1, 2])).toThrow(/pose has 2 numbers, expected 6/);
    expect(() => body.setPose([0, 0, NaN, 0, 0, 0])).toThrow(/pose\[2\] \(vertex 0, z\) is NaN/);
    expect(() => body.setPose([0, 0, 0, 0, 0, -1e60])).toThrow(/pose\[5\] is -1e\+60; the limit is 2\^150/);
    expect(body.getLocalPositions()).toEqual(before);
  });
});

test('weights that differ on welded vertices are refused', async () => {
  const engine = await createEngine();
  const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0];
  const seam = createTriangleMesh({ positions, triangles: [0, 1, 2, 3, 5, 4] });
  const nodes = new Array(6).fill([0, 1]).flat();
  const weights = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.25, 0.75, 0.5, 0.5];
  expect(() =>
    engine.createMeshlessBody(seam, { nodePositions: [0, 0, 0, 1, 0, 0], influences: 2, nodes, weights }),
  ).toThrow(/vertices 2 and 4 were welded but have different weights/);
});

test('weights in float32 are made to add up: a translation of the nodes translates the surface', async () => {
  const engine = await createEngine();
  const weights = Float32Array.from(new Array(count).fill([0.1, 0.9]).flat());
  const body = engine.createMeshlessBody(mesh, meshless({ weights }));
  body.setPose({ displacements: new Array(6).fill(1e6), gradients: new Array(18).fill(0) });
  body.getLocalPositions().forEach((x, k) => void expect(x - 1e6).toBeCloseTo(mesh.positions[k], 8));
});

test('bodies of one mesh share what is prepared from equal bindings', async () => {
  const engine = await createEngine();
  const shared = meshless({});
  const first = engine.createMeshlessBody(mesh, shared);
  const { bytes } = engine.usage;
  const second = engine.createMeshlessBody(mesh, shared),
    equal = engine.createMeshlessBody(mesh, meshless({}));
  expect(equal.resident.shared).toHaveLength(1);
  const weights = new Array(count).fill([0.5, 0.5]).flat();
  const own = engine.createMeshlessBody(mesh, meshless({ weights }));
  expect(second.resident.shared).toHaveLength(2);
  for (const body of [second, equal, own]) body.dispose();
  expect(engine.usage.bytes).toBe(bytes);
  first.setPose({ displacements: [1, 0, 0, 1, 0, 0], gradients: new Array(18).fill(0) });
  expect(first.getLocalPositions()[0]).toBe(1);
});

async function expectRefusal(
  create: (engine: Awaited<ReturnType<typeof createEngine>>) => unknown,
  code: InputErrorCode,
  message: RegExp,
): Promise<void> {
  const engine = await createEngine();
  const before = engine.usage;
  const attempt = () => create(engine);
  expect(attempt).toThrow(InputError);
  expect(attempt).toThrow(message);
  expect(attempt).toThrow(expect.objectContaining({ code }));
  expect(engine.usage).toEqual(before);
}
