import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acos, cos, cosc, cosTurns, sin, sinc, sinTurns } from '../../src/algebra/trigonometry.ts';
import { ContentHash } from '../../src/mesh/content-hash.ts';

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

test('the arc cosine agrees with the engine, and with the cosine', () => {
  const share = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.oneof(share, share.map(Math.cos), fc.constantFrom(-1, -0.5, 0, 0.5, 1)), (x) => {
      expect(Math.abs(acos(x) - Math.acos(x))).toBeLessThanOrEqual(4.5e-16 * Math.max(acos(x), Math.acos(x)));
      expect(Math.abs(cos(acos(x)) - x)).toBeLessThan(5e-16);
    }),
    { numRuns: 5000 },
  );
  expect([acos(1), acos(-1), acos(0)]).toEqual([0, Math.PI, Math.PI / 2]);
  expect([acos(1.1), acos(Number.NaN)]).toEqual([Number.NaN, Number.NaN]);
});

test('gives the same bits everywhere', () => {
  const hash = new ContentHash();
  for (const f of [sin, cos, sinTurns, cosTurns, acos]) {
    hash.addNumbers(Float64Array.from({ length: 20_001 }, (_, k) => f((k - 10_000) / 10_000)));
  }
  expect(hash.finish()).toBe('048e3f49a86334a63d8e07efccc682d8');
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
