import { describe, expect, test } from 'vitest';
import { createEngine } from '../../../src/index.ts';
import {
  createSpringDrop,
  type SpringDrop,
  type SpringDropOptions,
} from '../../../src/simulate/scenes/spring-drop.ts';
import { createSpectrum, findPeaks, type Peak, shareNear } from '../sound/spectrum.ts';

const RATE = 44_100;
const FULL = process.env.PLIANT_FULL !== undefined;
// Coarse tetrahedra are too stiff: softer material makes up for it, so that coils still meet.
const SMALL: SpringDropOptions = {
  triangles: 1000,
  turns: 4,
  latticeVertices: 900,
  modes: 10,
  soundModes: 60,
  seconds: 0.8,
  young: 3e9,
};
const engine = await createEngine();

async function record(options: SpringDropOptions): Promise<{ drop: SpringDrop; samples: Float32Array }> {
  const drop = await createSpringDrop(engine, options);
  await drop.simulate();
  drop.dispose();
  return { drop, samples: drop.render() };
}

/** The largest peaks, and what the sound tells apart at best. */
function peaksOf(samples: Float32Array, count: number): { peaks: Peak[]; resolution: number } {
  const spectrum = createSpectrum(samples, RATE);
  return { peaks: findPeaks(spectrum, count, 4 * spectrum.resolution), resolution: spectrum.resolution };
}

test('without gravity it stays where it is, and is shaken by whoever is asked before each step', async () => {
  const times: number[] = [];
  const drop = await createSpringDrop(engine, {
    ...SMALL,
    gravity: 0,
    tilt: 0,
    certificate: true,
    onStep({ time, modalForces }) {
      times.push(time);
      modalForces[2] += 10;
    },
  });
  expect(times.filter((time) => time === 0)).toHaveLength(3); // rehearsals
  times.length = 0;
  const start = drop.body.frame.position.slice();
  drop.step(0.01);
  drop.dispose();
  expect(times).toHaveLength(Math.round(0.01 * 11_025));
  expect(times[0]).toBe(0);
  expect(times[1]).toBeCloseTo(1 / 11_025, 12);
  expect(drop.body.frame.position[1]).toBeCloseTo(start[1], 6);
  const [other, shaken] = [1, 2].map((mode) => Math.abs(drop.body.q[mode]));
  expect(shaken).toBeGreaterThan(0);
  expect(other).toBeLessThan(0.05 * shaken);
});

describe('a spring that falls', async () => {
  const { drop, samples } = await record(SMALL);

  test('touches the floor and itself, and stays whole', () => {
    expect(drop.floorContacts).toBeGreaterThan(20);
    expect(drop.selfContacts).toBeGreaterThan(20);
    expect(drop.body.q.every(Number.isFinite)).toBe(true);
    expect(drop.body.frame.position[1]).toBeGreaterThan(0);
    expect(drop.scene.deepest).toBeLessThan(0.01 * drop.body.model.size);
  });

  test('is heard from its first contact on', () => {
    expect(samples).toHaveLength(0.8 * RATE);
    expect(samples.every(Number.isFinite)).toBe(true);
    expect(samples.findIndex((x) => x !== 0)).toBe(Math.round(drop.firstContact! * RATE));
    expect(drop.firstContact).toBeCloseTo(Math.sqrt((2 * 0.8) / 9.81), 1);
    const loudest = samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    expect(loudest).toBeGreaterThan(1e-3);
    expect(samples.subarray(-RATE / 10).some((x) => Math.abs(x) > 1e-3 * loudest)).toBe(true); // still rings
  });

  test('rings at the damped frequencies of its modes', () => {
    const { frequencies } = drop.sound;
    const { peaks, resolution } = peaksOf(samples, 8);
    expect(frequencies).toHaveLength(60);
    expect(shareNear(peaks, frequencies, resolution)).toBe(1);
    for (const { hertz } of peaks)
      expect(shareNear([{ hertz, magnitude: 1 }], frequencies, 0.005 * hertz)).toBe(1);
  });

  test('and that test can fail: frequencies that are a little off are found out', () => {
    const { peaks, resolution } = peaksOf(samples, 8);
    for (const factor of [0.97, 0.99, 1.01, 1.03]) {
      const lying = drop.sound.frequencies.map((hertz) => factor * hertz);
      expect(shareNear(peaks, lying, resolution)).toBeLessThan(0.7);
    }
  });

  test('is the same sound again, also when it is rendered in pieces; another seed falls another way', async () => {
    const again = await createSpringDrop(engine, { ...SMALL, seconds: 0.5 });
    while (again.time < 0.5) {
      again.step(0.1);
      again.render();
    }
    again.dispose();
    expect(again.selfContacts).toBeGreaterThan(0);
    expect(again.render()).toEqual(samples.subarray(0, 0.5 * RATE));
    const other = await createSpringDrop(engine, { ...SMALL, turns: 1, latticeVertices: 200, seed: 2 });
    other.dispose();
    expect([...other.body.frame.orientation]).not.toEqual([...drop.body.frame.orientation]);
    expect(other.render()).toHaveLength(0);
  });
});

test('preparation tells how far it is and can be stopped', async () => {
  const stop = new AbortController();
  const stages = new Set<string>();
  const preparing = createSpringDrop(engine, {
    ...SMALL,
    slice: 1,
    signal: stop.signal,
    onProgress(stage) {
      stages.add(stage);
      if (stage === 'eigenpairs') stop.abort(new Error('enough'));
    },
  });
  await expect(preparing).rejects.toThrow('enough');
  expect([...stages]).toEqual(expect.arrayContaining(['lattice', 'assembly', 'eigenpairs']));
});

test.each([
  [{ soundModes: 300 }, /soundModes/],
  [{ modes: 30, soundModes: 20 }, /soundModes/],
  [{ modes: 2.5 }, /modes/],
  [{ seconds: 0 }, /seconds/],
  [{ young: -1 }, /young/],
])('%j is refused', async (options, message) => {
  await expect(createSpringDrop(engine, { ...SMALL, ...options })).rejects.toThrow(message);
});

test.runIf(FULL)('at full size 40 of the 40 largest peaks are modes', { timeout: 600_000 }, async () => {
  const { drop, samples } = await record({});
  const { peaks, resolution } = peaksOf(samples, 40);
  expect(samples).toHaveLength(3 * RATE);
  expect(drop.sound.frequencies).toHaveLength(200);
  expect(drop.selfContacts).toBeGreaterThan(100);
  expect(shareNear(peaks, drop.sound.frequencies, resolution)).toBe(1);
});
