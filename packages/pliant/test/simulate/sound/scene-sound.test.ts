import { expect, test } from 'vitest';
import { createEngine } from '../../../src/index.ts';
import { createReducedModel } from '../../../src/simulate/reduced/reduced-model.ts';
import { ReducedScene } from '../../../src/simulate/reduced/reduced-scene.ts';
import { SceneSound } from '../../../src/simulate/sound/scene-sound.ts';
import { SoundModel } from '../../../src/simulate/sound/sound-model.ts';
import { encodeWav, normaliseSound } from '../../../src/simulate/sound/wav.ts';
import { createModalBox } from '../reduced/beam.ts';

const RATE = 22050;
// Soft for the motion; the same shapes ring as if it were a hard plastic.
const box = createModalBox([4, 1, 2], [1, 0.2, 0.4], 12, { young: 5e5, poisson: 0.3, density: 1000 });
const model = createReducedModel(box);
const HARDER = 4000;
const sounding = new SoundModel(
  { count: 12, displacements: box.modes },
  box.eigenvalues.map((x) => HARDER * x),
  { sampleRate: RATE, damping: { alpha: 8, beta: 2e-7 }, contactTime: 2 / 3840 },
);
const engine = await createEngine();

/** A bar falls flat-footed, one end first, and clatters. */
function drop(): Float32Array {
  const sound = new SceneSound();
  const scene = new ReducedScene(engine, {
    substeps: 64,
    obstacles: [{ kind: 'plane', normal: [0, 1, 0], offset: 0 }],
    onContact: sound.onContact,
  });
  const damping = { alpha: 1, beta: 1e-3 };
  scene.addBody(model, { position: [0, 0.4, 0], orientation: [1, 0, 0.1, 0.2], damping, tolerance: 1e-5 });
  sound.addBody(sounding, model.surface);
  for (let frame = 0; frame < 60; frame++) scene.step(1 / 60);
  scene.dispose();
  return sound.render(1.5);
}

function strengthAt(samples: Float32Array, hertz: number): number {
  let [re, im] = [0, 0];
  samples.forEach((x, i) => {
    re += x * Math.cos((2 * Math.PI * hertz * i) / RATE);
    im += x * Math.sin((2 * Math.PI * hertz * i) / RATE);
  });
  return Math.hypot(re, im);
}

test('a fall is heard at the frequencies of the modes, and not before it hits', () => {
  const samples = drop();
  const hit = samples.findIndex((x) => x !== 0);
  expect(hit / RATE).toBeGreaterThan(0.05);
  expect(hit / RATE).toBeLessThan(0.4);
  const { frequencies } = sounding;
  expect(frequencies.length).toBeGreaterThan(8);
  // The strongest frequency of a fine comb is a mode, and the loudest modes stand out.
  const comb = Array.from({ length: 700 }, (_, k) => 150 + 2 * k);
  const strengths = comb.map((f) => strengthAt(samples, f));
  const loudest = comb[strengths.indexOf(Math.max(...strengths))];
  expect(Math.min(...Array.from(frequencies, (f) => Math.abs(f - loudest)))).toBeLessThan(3);
  const median = strengths.toSorted((a, b) => a - b)[350];
  const clear = [...frequencies].filter((f) => f < 1500 && strengthAt(samples, f) > 5 * median);
  expect(clear.length).toBeGreaterThanOrEqual(3);
  normaliseSound(samples);
  expect(encodeWav(samples, { sampleRate: RATE }).length).toBe(44 + 2 * samples.length);
});

test('mismatches are refused', () => {
  const sound = new SceneSound();
  expect(() => sound.render(1)).toThrow(expect.objectContaining({ code: 'empty' }));
  const other = createReducedModel(createModalBox([1, 1, 1], [1, 1, 1], 3, box.material));
  expect(() => sound.addBody(sounding, other.surface)).toThrow(expect.objectContaining({ code: 'mismatch' }));
});
