import { expect, test } from 'vitest';
import { createEngine } from '../../../src/index.ts';
import {
  type BodyDrop,
  type BodyDropOptions,
  createBodyDrop,
  createDropModel,
  rehearseDrop,
} from '../../../src/simulate/index.ts';
import { expectIsInputError } from '../../io/expect-input-error.ts';

const SMALL: BodyDropOptions = {
  bodies: 2,
  triangles: 300,
  latticeVertices: 150,
  modeCount: 6,
  young: 2e5,
  substeps: 4,
};
const engine = await createEngine();

function posesAfter(drop: BodyDrop, seconds: number): number[] {
  for (let frame = 0; frame < 60 * seconds; frame++) drop.step(1 / 60);
  const poses = drop.scene.bodies.flatMap(({ q, frame }) => [...q, ...frame.position]);
  drop.dispose();
  return poses;
}

test('falls the same way each time, with and without a certificate, and another way with another seed', async () => {
  const certified = await createBodyDrop(engine, SMALL);
  expect(certified.scene.colliders.map(({ certificates }) => certificates.length)).toEqual([1, 1]);
  const poses = posesAfter(certified, 1.2);
  expect(poses.every(Number.isFinite)).toBe(true);
  const plain = { ...SMALL, certificate: false };
  expect(posesAfter(await createBodyDrop(engine, plain), 1.2)).toEqual(poses);
  expect(posesAfter(await createBodyDrop(engine, { ...plain, seed: 2 }), 1.2)).not.toEqual(poses);
});

test('falls from as high as it is told', async () => {
  const model = await createDropModel(SMALL);
  const low = await createBodyDrop(engine, { ...SMALL, certificate: false }),
    high = await createBodyDrop(engine, { ...SMALL, certificate: false, height: 3.2 });
  const heights = [low, high].map(({ scene }) => scene.bodies[0].frame.position[1] / model.model.size);
  expect(heights).toEqual([1.2, expect.closeTo(3.2, 12)]);
});

test('a rehearsal lets certificates reach further in the poses of the fall', async () => {
  const model = await createDropModel(SMALL);
  const told: [string, number][] = [];
  const onProgress = (stage: string, share: number) => told.push([stage, share]);
  const metric = await rehearseDrop(engine, model, { onProgress, slice: 1 });
  expect(told.every(([stage, share]) => stage === 'rehearsal' && share > 0 && share <= 1)).toBe(true);
  expect(told.at(-1)![1]).toBe(1);
  expect(await rehearseDrop(engine, model)).toEqual(metric);
  expect(await rehearseDrop(engine, model, { seed: 5 })).not.toEqual(metric);

  // Measured in its own units (the whole matrix weighs as much), a fall of another seed is shorter than by the energy.
  const drop = await createBodyDrop(engine, { ...SMALL, certificate: false, seed: 77 });
  const r = model.model.modeCount;
  const lengthIn = (M: Float64Array, q: Float64Array) => {
    let sum = 0;
    for (let i = 0; i < r; i++) for (let j = 0; j < r; j++) sum += q[i] * M[i * r + j] * q[j];
    return sum / M.reduce((trace, x, k) => trace + (k % (r + 1) === 0 ? x / energy[k] : 0), 0);
  };
  const energy = model.energy.matrix;
  let byEnergy = 0,
    byMetric = 0;
  for (let frame = 0; frame < 72; frame++) {
    drop.step(1 / 60);
    byEnergy += lengthIn(energy, drop.scene.bodies[0].q);
    byMetric += lengthIn(metric, drop.scene.bodies[0].q);
  }
  drop.dispose();
  expect(byMetric).toBeLessThan(0.8 * byEnergy);
});

test('can be stopped while it rehearses, and gives back what it took', async () => {
  const model = await createDropModel(SMALL);
  const before = engine.usage;
  const stop = new AbortController();
  const onProgress = () => stop.abort(new Error('enough'));
  const attempt = rehearseDrop(engine, model, { slice: 0.001, signal: stop.signal, onProgress });
  await expect(attempt).rejects.toThrow('enough');
  expect(engine.usage).toEqual(before);
});

test('bad options are named', async () => {
  for (const options of [{ bodies: 0 }, { height: -1 }, { height: Number.NaN }, { modeCount: 99 }]) {
    const error: unknown = await createBodyDrop(engine, options).catch((thrown: unknown) => thrown);
    expectIsInputError(error, 'bad-option', Object.keys(options)[0]);
  }
});
