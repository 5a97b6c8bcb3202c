import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cos, cosc, cosTurns, sin, sinc, sinTurns } from '../../src/shapes/trigonometry.ts';

test('agrees with the engine to a few units in the last place', () => {
  fc.assert(
    fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), (x) => {
      expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThan(4e-16);
      expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThan(4e-16);
      const turns = x - Math.round(x); // where 2π · turns is accurate
      expect(Math.abs(sinTurns(x) - Math.sin(2 * Math.PI * turns))).toBeLessThan(2e-15);
      expect(Math.abs(cosTurns(x) - Math.cos(2 * Math.PI * turns))).toBeLessThan(2e-15);
    }),
    { numRuns: 5000 },
  );
});

test('is exact at quarter turns, however many', () => {
  for (const turns of [0, 1, -1, 7, 1e9, -(2 ** 40)]) {
    expect([sinTurns(turns) + 0, cosTurns(turns)]).toEqual([0, 1]);
    expect([sinTurns(turns + 0.25), cosTurns(turns + 0.25) + 0]).toEqual([1, 0]);
    expect([sinTurns(turns + 0.5) + 0, cosTurns(turns + 0.5)]).toEqual([0, -1]);
  }
});

test('sinc and cosc stay accurate near 0', () => {
  for (const x of [0, 1e-300, 1e-9, 1e-5, 9.9e-5, 1.01e-4, 1e-3, 0.5, 3, -2]) {
    const series = Math.abs(x) < 0.01 ? 1 - (x * x) / 6 + x ** 4 / 120 : Math.sin(x) / x;
    expect(sinc(x)).toBeCloseTo(series, 14);
    const cosine = Math.abs(x) < 0.01 ? x / 2 - x ** 3 / 24 : (1 - Math.cos(x)) / x;
    expect(Math.abs(cosc(x) - cosine)).toBeLessThanOrEqual(1e-13 * Math.abs(x));
  }
});
