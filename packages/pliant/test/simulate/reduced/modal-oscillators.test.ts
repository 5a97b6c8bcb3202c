import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/mesh/input-error.ts';
import { ModalOscillators } from '../../../src/simulate/reduced/modal-oscillators.ts';
import { writeOscillatorStep } from '../../../src/simulate/reduced/oscillator-step.ts';

const positive = (low: number, high: number) =>
  fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);

/** The map by many terms of the exponential of [[0, 1], [−λ, −c]] h, scaled and squared. */
function seriesStep(lambda: number, c: number, h: number): number[] {
  // The force is a third state that does not change.
  const A = [0, h, 0, -lambda * h, -c * h, h, 0, 0, 0];
  const size = Math.max(h, (lambda + c + 1) * h);
  const halvings = Math.max(0, Math.ceil(Math.log2(size)) + 4);
  const small = A.map((x) => x / 2 ** halvings);
  let power = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  let sum = [...power];
  for (let n = 1; n < 20; n++) {
    power = multiply(power, small).map((x) => x / n);
    sum = sum.map((x, i) => x + power[i]);
  }
  for (let k = 0; k < halvings; k++) sum = multiply(sum, sum);
  return [sum[0], sum[1], sum[3], sum[4], sum[2], sum[5]];
}

function multiply(a: number[], b: number[]): number[] {
  return a.map((_, i) => {
    const r = 3 * Math.trunc(i / 3),
      c = i % 3;
    return a[r] * b[c] + a[r + 1] * b[c + 3] + a[r + 2] * b[c + 6];
  });
}

describe('the step of an oscillator', () => {
  const out = new Float64Array(6);

  test('is the exponential of its matrix, whatever the damping', () => {
    const lambda = fc.oneof(fc.constant(0), positive(1e-8, 1e5));
    const damping = fc.oneof(fc.constant(0), positive(1e-6, 1e3));
    fc.assert(
      fc.property(lambda, damping, positive(1e-4, 1), fc.boolean(), (l, c, h, isCritical) => {
        const damped = isCritical ? 2 * Math.sqrt(l) : c;
        writeOscillatorStep(l, damped, h, out, 0);
        const expected = seriesStep(l, damped, h);
        const scale = [1, h, 1 + Math.sqrt(l), 1, h * h, h];
        out.forEach((x, i) => void expect(Math.abs(x - expected[i]) / scale[i]).toBeLessThan(1e-9));
      }),
    );
  });

  test('is nearly the same on either side of critical damping and of slow modes', () => {
    const other = new Float64Array(6);
    const rows: [number, number, number, number][] = [
      [1, 2 - 1e-9, 1, 2 + 1e-9],
      [1e6, 2000 - 1e-6, 1e-3, 2000 + 1e-6],
      [1, 0.1 - 1e-12, 1, 0.1 + 1e-12],
    ];
    for (const [lambda, below, h, above] of rows) {
      writeOscillatorStep(lambda, below, h, out, 0);
      writeOscillatorStep(lambda, above, h, other, 0);
      out.forEach((x, i) => void expect(Math.abs(x - other[i])).toBeLessThan(1e-8 * (1 + Math.abs(x))));
    }
  });

  test('stays finite for whatever stiffness and damping', () => {
    for (const lambda of [0, 1e-300, 1, 1e12, 1e30]) {
      for (const c of [0, 1e-300, 1, 1e9, 1e30]) {
        writeOscillatorStep(lambda, c, 1 / 60, out, 0);
        expect(out.every(Number.isFinite)).toBe(true);
        expect(Math.abs(out[0])).toBeLessThanOrEqual(1 + 1e-12);
      }
    }
  });
});

describe('modal oscillators', () => {
  test('follow the analytic solution', () => {
    const [omega, alpha, h] = [2 * Math.PI * 440, 60, 1 / 44100];
    const bank = new ModalOscillators([omega * omega], h, { alpha });
    bank.addImpulses([1]);
    const damped = Math.sqrt(omega * omega - 900);
    for (let n = 1; n <= 44100; n++) {
      bank.step();
      const t = n * h;
      expect(Math.abs(bank.q[0] - (Math.exp(-30 * t) * Math.sin(damped * t)) / damped)).toBeLessThan(1e-13);
    }
    expect(bank.dampedFrequency(0)).toBeCloseTo(damped, 9);
  });

  test('two half steps are one step', () => {
    fc.assert(
      fc.property(
        positive(1, 1e8),
        positive(1e-3, 1e3),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (l, alpha, f) => {
          const whole = new ModalOscillators([l], 1e-2, { alpha }),
            half = new ModalOscillators([l], 5e-3, { alpha });
          for (const bank of [whole, half]) {
            bank.q[0] = 0.5;
            bank.forces[0] = f;
          }
          whole.step();
          half.step();
          half.step();
          expect(half.q[0]).toBeCloseTo(whole.q[0], 10);
          expect(half.velocities[0] / Math.sqrt(l)).toBeCloseTo(whole.velocities[0] / Math.sqrt(l), 10);
        },
      ),
    );
  });

  test.each([1 / 44100, 1 / 1000, 1 / 60])('keep their energy over 100 000 steps of %f s', (h) => {
    const eigenvalues = Array.from({ length: 30 }, (_, k) => (2 * Math.PI * 37 * (k + 1) ** 1.5) ** 2);
    const bank = new ModalOscillators(eigenvalues, h);
    eigenvalues.forEach((l, k) => {
      bank.q[k] = Math.cos(k) / Math.sqrt(l);
      bank.velocities[k] = Math.sin(3 * k);
    });
    const before = bank.energy();
    let worst = 0;
    for (let n = 0; n < 100_000; n++) {
      bank.step();
      if (n % 100 === 0) worst = Math.max(worst, Math.abs(bank.energy() / before - 1));
    }
    expect(worst).toBeLessThan(1e-9); // asked for: 1e-3
  });

  test('come to rest where the force holds them', () => {
    const bank = new ModalOscillators([100, 4e4], 1 / 100, { alpha: 1, beta: 0.05 });
    bank.forces.set([50, -8e4]);
    for (let n = 0; n < 5000; n++) bank.step();
    expect([...bank.q].map((x) => Math.round(1e9 * x) / 1e9)).toEqual([0.5, -2]);
  });

  test('refuse senseless input, with its address', () => {
    const bank = new ModalOscillators([1, 2, 3], 0.1);
    bank.q[0] = 1;
    bank.forces[2] = NaN;
    const rows: [() => unknown, string, RegExp][] = [
      [() => bank.step(), 'not-finite', /forces\[2\]/],
      [() => bank.addImpulses([0, Infinity, 0]), 'not-finite', /impulses\[1\]/],
      [() => bank.addImpulses([0]), 'wrong-length', /impulses/],
      [() => new ModalOscillators([1, -1], 0.1), 'out-of-range', /eigenvalues\[1\]/],
      [() => new ModalOscillators([], 0.1), 'empty', /eigenvalues/],
      [() => new ModalOscillators([1], 0), 'bad-option', /stepLength/],
      [() => new ModalOscillators([1], 1, { beta: -1 }), 'bad-option', /damping.beta/],
    ];
    for (const [attempt, code, where] of rows) {
      expect(attempt).toThrow(InputError);
      expect(attempt).toThrow(expect.objectContaining({ code, message: expect.stringMatching(where) }));
    }
    expect(bank.q[0]).toBe(1); // nothing moved
  });
});
