import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  setDifferencePair,
  setLerpPair,
  setProductPair,
  setSumPair,
} from '../../src/algebra/double-double.ts';
import { toCommonIntegers } from '../../src/algebra/exact-number.ts';
import {
  findUnitRoots,
  multiply,
  type Polynomial,
  refineRoot,
  signAtRoot,
} from '../../src/algebra/exact-polynomial.ts';

/** The arithmetic under the exact and the double-double part of continuous contact. */
describe('exact polynomials', () => {
  const small = fc.integer({ min: -12, max: 12 });
  const rational = fc.tuple(small, fc.integer({ min: 1, max: 12 }));
  const withRoots = (roots: readonly (readonly [number, number])[]): Polynomial =>
    roots.map(([n, d]) => [BigInt(-n), BigInt(d)]).reduce<Polynomial>(multiply, [3n]);

  test('find every rational root in [0, 1] once', () => {
    fc.assert(
      fc.property(fc.array(rational, { minLength: 1, maxLength: 3 }), (roots) => {
        const inside = roots.map(([n, d]) => n / d).filter((x) => x >= 0 && x <= 1);
        const expected = [...new Set(inside)].sort((a, b) => a - b);
        const found = findUnitRoots(withRoots(roots)).map((root) => refineRoot(root, 60));
        expect(found.length).toBe(expected.length);
        found.forEach(({ numerator, bits }, i) => {
          expect(Math.abs(Number(numerator) / 2 ** bits - expected[i])).toBeLessThan(2 ** -50);
        });
      }),
      { numRuns: 2000 },
    );
  });

  test('know the sign of another polynomial at a root, zero included', () => {
    const few = fc.array(rational, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(few, few, fc.boolean(), (roots, others, isShared) => {
        const g = isShared ? [roots[0], ...others.slice(1)] : others;
        const inside = roots.filter(([n, d]) => n >= 0 && n <= d).sort((a, b) => a[0] / a[1] - b[0] / b[1]);
        const distinct = inside.filter(
          ([n, d], i) => i === 0 || n * inside[i - 1][1] !== d * inside[i - 1][0],
        );
        const found = findUnitRoots(withRoots(roots));
        found.forEach((root, i) => {
          const [n, d] = distinct[i];
          const expected = g.reduce((sign, [m, e]) => sign * Math.sign(n * e - m * d), 1);
          expect(signAtRoot(withRoots(g), root)).toBe(expected === 0 ? 0 : expected);
        });
      }),
      { numRuns: 2000 },
    );
  });

  test('tell irrational roots from close and from equal ones', () => {
    const sqrtHalf = findUnitRoots([-1n, 0n, 2n])[0]; // 2t² = 1
    expect(signAtRoot([1n, 0n, -2n], sqrtHalf)).toBe(0);
    expect(signAtRoot([-1n, 1n, 2n], sqrtHalf)).toBe(1);
    const k = 10n ** 60n; // t = ⌊√½ 10⁶⁰⌋ / 10⁶⁰ is just below
    const below = 707106781186547524400844362104849039284835937688474036588339n;
    expect(signAtRoot([-below, k], sqrtHalf)).toBe(1);
    expect(signAtRoot([-below - 1n, k], sqrtHalf)).toBe(-1);
  });

  test('separate roots that are 2⁻³⁰⁰⁰ apart', () => {
    const n = 1n << 3000n;
    const roots = findUnitRoots(multiply([-n, 3n * n], [-n - 1n, 3n * n])); // ⅓ and ⅓ + 2⁻³⁰⁰⁰ / 3
    expect(roots.length).toBe(2);
    expect(signAtRoot([-1n, 3n], roots[0])).toBe(0);
    expect(signAtRoot([-1n, 3n], roots[1])).toBe(1);
  });
});

test('toCommonIntegers keeps all ratios', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(finite, { minLength: 2, maxLength: 8 }), (values) => {
      const integers = toCommonIntegers(Float64Array.from(values));
      const exact = values.map(times2To1074);
      for (let i = 1; i < values.length; i++) {
        expect(integers[i] * exact[0]).toBe(integers[0] * exact[i]);
        expect(integers[i] > 0n).toBe(values[i] > 0);
      }
      expect(integers.some((n) => n & 1n) || values.every((x) => x === 0)).toBe(true);
    }),
  );
});

/** The error bounds that the filter relies on, against integers. */
test('double-doubles keep within their bounds', () => {
  const part = fc.integer({ min: -(2 ** 53), max: 2 ** 53 });
  const grid = fc.integer({ min: 0, max: 2 ** 44 });
  fc.assert(
    fc.property(part, part, part, part, grid, (a, b, c, d, g) => {
      const P = new Float64Array(12);
      const input = Float64Array.from([a, b * 2 ** -60, c, d * 2 ** -58]);
      setDifferencePair(P, 0, input, 0, input, 1);
      setDifferencePair(P, 2, input, 2, input, 3);
      const x = exactPair(P, 0);
      const y = exactPair(P, 2);
      expect(x).toBe(times2To1074(input[0]) - times2To1074(input[1]));
      setSumPair(P, 4, 0, 2, -1);
      setProductPair(P, 6, 0, 2);
      setLerpPair(P, 8, 0, 2, Float64Array.of(g / 2 ** 44));
      expect(isWithin(exactPair(P, 4) - (x - y), 3n, magnitude(x) + magnitude(y))).toBe(true);
      expect(isWithin((exactPair(P, 6) << 1074n) - x * y, 8n, magnitude(x * y))).toBe(true);
      const lerp = x * (2n ** 44n - BigInt(g)) + y * BigInt(g);
      const size = magnitude(x) * (2n ** 44n - BigInt(g)) + magnitude(y) * BigInt(g);
      expect(isWithin(exactPair(P, 8) * 2n ** 44n - lerp, 8n, size)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

/** |error| ≤ k · 2⁻¹⁰⁶ · size */
function isWithin(error: bigint, k: bigint, size: bigint): boolean {
  return magnitude(error) << 106n <= k * size;
}

function exactPair(P: Float64Array, o: number): bigint {
  return times2To1074(P[o]) + times2To1074(P[o + 1]);
}

/** x · 2^1074, an integer for every float64; by halving and doubling, which is exact. */
function times2To1074(x: number): bigint {
  let shift = 1074n;
  let scaled = x;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift--;
  }
  return BigInt(scaled) << shift;
}

function magnitude(n: bigint): bigint {
  return n < 0n ? -n : n;
}
