import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPoser, type GltfChannel, readGltf } from '../../src/gltf/index.ts';
import { sampleChannel } from '../../src/gltf/interpolation.ts';
import { expectInputError } from '../io/expect-input-error.ts';
import { worstAgainstThree } from './against-three.ts';
import { RawGltf, skinnedSquare } from './raw-gltf.ts';

const INTERPOLATIONS = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const;

describe('by hand', () => {
  test('LINEAR, STEP and CUBICSPLINE', () => {
    const linear = channel('LINEAR', [1, 3], [10, 20]);
    expect([0, 1, 1.5, 2, 3, 9].map((t) => valueAt(linear, t))).toEqual([10, 10, 12.5, 15, 20, 20]);
    const step = channel('STEP', [1, 3], [10, 20]);
    expect([0, 1, 2.999, 3, 9].map((t) => valueAt(step, t))).toEqual([10, 10, 10, 20, 20]);
    const cubic = channel('CUBICSPLINE', [1, 3], [99, 10, 5, -5, 20, 99]); // in-tangent, value, out-tangent
    expect([0, 1, 2, 3, 9].map((t) => valueAt(cubic, t))).toEqual([10, 10, 15 + (2 * (5 + 5)) / 8, 20, 20]);
  });

  test('of equal times the last key holds', () => {
    const keys = channel('LINEAR', [0, 1, 1, 2], [0, 10, 20, 30]);
    expect([0.5, 1, 1.5].map((t) => valueAt(keys, t))).toEqual([5, 20, 25]);
  });

  test('rotations go the short way round at constant speed', () => {
    const half = Math.SQRT1_2;
    const turn: GltfChannel = {
      ...channel('LINEAR', [0, 1], [0, 0, 0, 1, 0, 0, -half, -half]),
      path: 'rotation',
      size: 4,
    };
    const out = new Float64Array(4);
    sampleChannel(turn, 1 / 3, out, 0); // a third of 90 degrees
    expect([...out].map((x) => Math.round(x * 1e12) / 1e12)).toEqual(
      [0, 0, Math.sin(Math.PI / 12), Math.cos(Math.PI / 12)].map((x) => Math.round(x * 1e12) / 1e12),
    );
  });
});

test('random clips of all paths and interpolations are posed as in three.js', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const raw = randomClips(seed);
      const scene = await readGltf(raw.glb(), 'random.glb');
      expect(scene.clips.map(({ name }) => name)).toEqual([...INTERPOLATIONS]);
      expect(await worstAgainstThree(raw.glb(), scene)).toBeLessThan(1e-6);
    }),
    { numRuns: 30 },
  );
});

describe('the poser', () => {
  test('starts at rest and comes back to it', async () => {
    const scene = await readGltf(skinnedSquare().glb(), 'a.glb');
    const poser = createPoser(scene);
    const [rest, posed, again] = [0, 1, 2].map(() => new Float64Array(24));
    const weights = new Float64Array(1);
    poser.jointMatrices(0, rest);
    poser.pose(0, 1);
    poser.jointMatrices(0, posed);
    poser.morphWeights(0, weights);
    expect(weights[0]).toBe(1);
    expect([...posed.slice(0, 12)]).toEqual([1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3]);
    poser.pose(undefined, 0);
    poser.jointMatrices(0, again);
    poser.morphWeights(0, weights);
    expect(again).toEqual(rest);
    expect(weights[0]).toBe(0);
    expect(posed).not.toEqual(rest);
  });

  test('has the duration of the longest channel, and holds beyond it', async () => {
    const scene = await readGltf(skinnedSquare().glb(), 'a.glb');
    expect(scene.clips[0]).toMatchObject({ name: 'walk', duration: 3 });
    const poser = createPoser(scene);
    const [end, beyond] = [new Float64Array(24), new Float64Array(24)];
    poser.pose(0, 3);
    poser.jointMatrices(0, end);
    poser.pose(0, 1e9);
    poser.jointMatrices(0, beyond);
    expect(beyond).toEqual(end);
  });

  test('a clip that moves a part of a matrix node keeps the rest of it', async () => {
    const raw = skinnedSquare();
    raw.json.nodes[2].matrix = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, -2, 0, 5, 6, 7, 1]; // rotated, mirrored, scaled
    const scene = await readGltf(raw.glb(), 'a.glb');
    expect(await worstAgainstThree(raw.glb(), scene)).toBeLessThan(1e-6);
  });

  test('channels without a node, and of weights without targets, are left out', async () => {
    const raw = skinnedSquare();
    raw.json.animations[0].channels.push(
      { sampler: 0, target: { path: 'pointer' } },
      { sampler: 2, target: { node: 2, path: 'weights' } },
    );
    expect((await readGltf(raw.glb(), 'a.glb')).clips[0].channels.length).toBe(4);
  });

  test('refuses what does not fit', async () => {
    const raw = skinnedSquare();
    raw.json.nodes.push({ mesh: 0 });
    raw.json.scenes[0].nodes.push(4);
    const poser = createPoser(await readGltf(raw.glb(), 'a.glb'));
    const out = new Float64Array(12);
    expectInputError(() => poser.pose(1, 0), 'index-out-of-range', 'clip 1, but the file has 1');
    expectInputError(() => poser.pose(0, Number.NaN), 'wrong-type', 'time must be a number');
    expectInputError(() => poser.worldMatrix(2, out), 'index-out-of-range', 'mesh 2, but the scene has 2');
    expectInputError(
      () => poser.worldMatrix(0, new Float64Array(16)),
      'wrong-length',
      'has 16 numbers, expected 12',
    );
    expectInputError(() => poser.jointMatrices(0, out), 'wrong-length', 'has 12 numbers, expected 24');
    expectInputError(() => poser.jointMatrices(1, out), 'mismatch', 'mesh 1 has no skin');
    expectInputError(() => poser.morphWeights(0, out), 'wrong-length', 'has 12 numbers, expected 1');
  });
});

function channel(
  interpolation: GltfChannel['interpolation'],
  times: number[],
  values: number[],
): GltfChannel {
  const keys = { times: Float64Array.from(times), values: Float64Array.from(values) };
  return { node: 0, path: 'translation', interpolation, size: 1, ...keys };
}

function valueAt(keys: GltfChannel, time: number): number {
  const out = new Float64Array(1);
  sampleChannel(keys, time, out, 0);
  return out[0];
}

/** A chain of three nodes with a mesh of two targets at its end; one clip per interpolation. */
function randomClips(seed: number): RawGltf {
  const raw = new RawGltf();
  let state = seed | 0;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
  const numbers = (count: number) => Float32Array.from({ length: count }, () => 4 * random() - 2);
  const point = raw.accessor(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 1]), 'VEC3');
  const targets = [0, 1].map(() => ({ POSITION: raw.accessor(numbers(9), 'VEC3') }));
  raw.json.meshes = [{ primitives: [{ attributes: { POSITION: point }, targets }] }];
  raw.json.nodes = [
    { children: [1] },
    { children: [2], rotation: [0.6, 0, 0, 0.8] },
    { mesh: 0, translation: [1, 2, 3] },
  ];
  raw.json.scenes = [{ nodes: [0] }];
  raw.json.animations = INTERPOLATIONS.map((interpolation) => {
    const samplers: object[] = [];
    const channels: object[] = [];
    const add = (node: number, path: string, type: string, perValue: number) => {
      const keys = 1 + Math.floor(4 * random());
      let time = 2 * random();
      const input = raw.accessor(
        Float32Array.from({ length: keys }, () => (time += 0.1 + random())),
        'SCALAR',
      );
      const count = perValue * keys * (interpolation === 'CUBICSPLINE' ? 3 : 1);
      const values = numbers(count);
      if (path === 'rotation' && interpolation !== 'CUBICSPLINE') unitQuaternions(values, random);
      const output = raw.accessor(values, type);
      samplers.push({ input, output, interpolation });
      channels.push({ sampler: samplers.length - 1, target: { node, path } });
    };
    for (const node of [0, 1, 2]) {
      add(node, 'rotation', 'VEC4', 4);
      add(node, 'translation', 'VEC3', 3);
      add(node, 'scale', 'VEC3', 3);
    }
    add(2, 'weights', 'SCALAR', 2);
    return { name: interpolation, samplers, channels };
  });
  return raw;
}

/** Some of them equal to the one before, opposite to it or nearly so. */
function unitQuaternions(values: Float32Array, random: () => number): void {
  for (let o = 0; o < values.length; o += 4) {
    const kind = o === 0 ? 1 : random();
    if (kind < 0.2) values.copyWithin(o, o - 4, o);
    else if (kind < 0.4)
      values.set(
        values.subarray(o - 4, o).map((x) => -x),
        o,
      );
    else if (kind < 0.6)
      values.set(
        values.subarray(o - 4, o).map((x) => x + 0.01 * random()),
        o,
      );
    const length = Math.hypot(...values.subarray(o, o + 4));
    for (let i = o; i < o + 4; i++) values[i] /= length;
  }
}
