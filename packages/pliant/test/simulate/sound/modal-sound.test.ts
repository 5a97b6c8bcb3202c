import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/mesh/input-error.ts';
import { createRandom } from '../../../src/shapes/random.ts';
import { ModalSoundBank } from '../../../src/simulate/sound/modal-sound-bank.ts';
import { SoundModel } from '../../../src/simulate/sound/sound-model.ts';
import { createSoundWorkletSource, SOUND_PROCESSOR } from '../../../src/simulate/sound/sound-worklet.ts';

const VERTICES = 7;

function createModes(count: number, seed = 1) {
  const random = createRandom(seed);
  return { count, displacements: Array.from({ length: 3 * VERTICES * count }, () => random() - 0.5) };
}

const createBank = (...given: ConstructorParameters<typeof SoundModel>) =>
  new ModalSoundBank(new SoundModel(...given));

const eigenvaluesOf = (hertz: readonly number[]) => hertz.map((f) => (2 * Math.PI * f) ** 2);

/** How strong one frequency is in the samples (Goertzel). */
function strengthAt(samples: Float32Array, hertz: number, sampleRate: number): number {
  const turn = (2 * Math.PI * hertz) / sampleRate;
  let a = 0,
    b = 0;
  for (const x of samples) {
    const next = x + 2 * Math.cos(turn) * a - b;
    b = a;
    a = next;
  }
  return Math.sqrt(Math.max(0, a * a + b * b - 2 * Math.cos(turn) * a * b));
}

/** The frequency near `hertz` at which the samples are strongest, to `within`. */
function peakNear(samples: Float32Array, hertz: number, reach: number, within: number): number {
  let [best, strongest] = [0, -1];
  for (let f = hertz - reach; f <= hertz + reach; f += within) {
    const strength = strengthAt(samples, f, 44100);
    if (strength > strongest) [best, strongest] = [f, strength];
  }
  return best;
}

describe('a bank of modal sound', () => {
  test('rings at the damped frequencies, and nowhere else', () => {
    const hertz = [220, 563, 1490, 3111, 7202];
    const damping = { alpha: 200, beta: 4e-8 };
    const modes = { count: 5, displacements: new Array(15).fill(1) };
    const bank = createBank(modes, eigenvaluesOf(hertz), { damping, contactTime: 0 });
    bank.strike(0, 0, 1, 2, -1);
    const samples = bank.render(0.5);
    hertz.forEach((f, k) => {
      const omega = 2 * Math.PI * f,
        d = (damping.alpha + damping.beta * omega * omega) / 2;
      const damped = Math.sqrt(omega * omega - d * d) / (2 * Math.PI);
      expect(bank.model.frequencies[k]).toBeCloseTo(damped, 9);
      expect(Math.abs(peakNear(samples, damped, 60, 1) - damped)).toBeLessThan(3);
      expect(strengthAt(samples, damped, 44100)).toBeGreaterThan(
        3 * strengthAt(samples, 1.3 * damped, 44100),
      );
    });
  });

  test('each sample is the sum of the modes’ analytic velocities', () => {
    const modes = createModes(3),
      hertz = [100, 1000, 10_000];
    const bank = createBank(modes, eigenvaluesOf(hertz), { damping: { alpha: 20 }, contactTime: 0 });
    bank.strike(0.01, 2, 0, 1, 0);
    const samples = bank.render(0.1);
    const start = Math.round(0.01 * 44100);
    for (let i = 0; i < samples.length; i++) {
      const t = (i - start) / 44100;
      let sum = 0;
      for (let k = 0; k < 3 && t >= 0; k++) {
        const omega = Math.sqrt((2 * Math.PI * hertz[k]) ** 2 - 100);
        const push = modes.displacements[3 * (VERTICES * k + 2) + 1];
        sum += push * Math.exp(-10 * t) * (Math.cos(omega * t) - (10 / omega) * Math.sin(omega * t));
      }
      expect(Math.abs(samples[i] - sum)).toBeLessThan(1e-6);
    }
  });

  test('a soft strike leaves high modes silent', () => {
    const play = (contactTime: number) => {
      const bank = createBank(createModes(2), eigenvaluesOf([150, 6000]), { contactTime });
      bank.strike(0, 1, 1, 1, 1);
      const samples = bank.render(0.3);
      return strengthAt(samples, 6000, 44100) / strengthAt(samples, 150, 44100);
    };
    expect(play(0.002)).toBeLessThan(0.05 * play(0));
  });

  test('200 modes stay finite and fall silent; inaudible ones are left out', () => {
    const hertz = Array.from({ length: 200 }, (_, k) => 5 + 130 * k);
    const bank = createBank(createModes(200), eigenvaluesOf(hertz));
    expect([...bank.model.audibleModes]).toEqual(
      [...hertz.keys()].filter((k) => k > 0 && hertz[k] <= 20_000),
    );
    for (let n = 0; n < 100; n++) bank.strike(n / 1000, n % VERTICES, 1, -1, 0.5);
    const samples = bank.render(10);
    expect(samples.every(Number.isFinite)).toBe(true);
    const loudest = (from: number) => samples.subarray(from).reduce((m, x) => Math.max(m, Math.abs(x)), 0);
    expect(loudest(9 * 44100)).toBeLessThan(1e-6 * loudest(0));
    bank.silence();
    expect(bank.render(0.01).every((x) => x === 0)).toBe(true);
  });

  test('is the same sound in pieces', () => {
    const create = () => createBank(createModes(4), eigenvaluesOf([200, 300, 400, 5000]));
    const whole = create(),
      pieces = create();
    for (const bank of [whole, pieces]) {
      bank.strike(0.001, 0, 1, 0, 0);
      bank.strike(0.02, 4, 0, 1, 2);
    }
    const all = whole.render(0.1);
    const parts = [0.03, 0.011, 0.059].map((seconds) => pieces.render(seconds));
    expect(Float32Array.from(parts.flatMap((part) => [...part]))).toEqual(all);
    expect(pieces.time).toBeCloseTo(0.1, 12);
  });

  test('refuses senseless input', () => {
    const modes = createModes(2);
    const bank = createBank(modes, eigenvaluesOf([100, 200]));
    const rows: [() => unknown, string, RegExp][] = [
      [() => bank.strike(0, VERTICES, 1, 0, 0), 'index-out-of-range', /vertex/],
      [() => bank.strike(0, 1, 1, NaN, 0), 'not-finite', /vertex 1/],
      [() => bank.strike(NaN, 1, 1, 0, 0), 'out-of-range', /seconds/],
      [() => createBank(modes, [1]), 'wrong-length', /eigenvalues/],
      [() => createBank(modes, [1, 1]), 'empty', /rings/],
      [() => createBank({ count: 2, displacements: [1] }, [1, 1]), 'wrong-length', /displacements/],
    ];
    for (const [attempt, code, where] of rows) {
      expect(attempt).toThrow(InputError);
      expect(attempt).toThrow(expect.objectContaining({ code, message: expect.stringMatching(where) }));
    }
  });
});

interface Processor {
  port: { onmessage(event: { data: unknown }): void };
  process(inputs: unknown, outputs: Float32Array[][]): boolean;
}

/** Runs the module as an audio thread would, without anything of ours in reach. */
function startProcessor(processorOptions: unknown): {
  processor: Processor;
  scope: { currentFrame: number };
} {
  let Registered: (new (options: unknown) => Processor) | undefined;
  const scope = {
    currentFrame: 0,
    AudioWorkletProcessor: class {
      port = {};
    },
    registerProcessor(name: string, Processor: new (options: unknown) => Processor) {
      if (Registered !== undefined) throw new Error(`${name} twice`);
      expect(name).toBe(SOUND_PROCESSOR);
      Registered = Processor;
    },
  };
  // Twice, as two banks do; braces stand for a module's own scope.
  for (let k = 0; k < 2; k++) runInNewContext(`{ ${createSoundWorkletSource()} }`, scope);
  return { processor: new Registered!({ processorOptions }), scope };
}

test('the audio thread plays the very samples that are rendered offline', () => {
  const bank = createBank(createModes(30), eigenvaluesOf(Array.from({ length: 30 }, (_, k) => 90 * (k + 1))));
  const { processor, scope } = startProcessor(bank.model.resonatorData);
  scope.currentFrame = 1280;
  const strikes: [number, number][] = [
    [0, 1],
    [300, 2],
    [301, 5],
    [700, 0],
  ];
  for (const [at, vertex] of strikes) {
    bank.strike(at / 44100, vertex, 1, 0.5, -0.25);
    const impulses = new Float64Array(bank.model.audibleModes.length);
    bank.model.project(vertex, 1, 0.5, -0.25, impulses);
    processor.port.onmessage({
      data: { kind: 'strike', at: at + 1280, impulses, length: bank.model.strikeLength },
    });
  }
  const expected = bank.render(2048 / 44100);
  const played = new Float32Array(2048),
    right = new Float32Array(128);
  for (let i = 0; i < played.length; i += 128) {
    expect(processor.process([], [[played.subarray(i, i + 128), right]])).toBe(true);
    expect(right).toEqual(played.subarray(i, i + 128));
    scope.currentFrame += 128;
  }
  expect(played).toEqual(expected);
  processor.port.onmessage({ data: { kind: 'silence' } });
  processor.process([], [[right]]);
  expect(right.every((x) => x === 0)).toBe(true);
  processor.port.onmessage({ data: { kind: 'stop' } });
  expect(processor.process([], [[right]])).toBe(false);
});
