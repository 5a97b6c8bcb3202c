import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { triangleDistance, triangleDistanceLowerBound } from '../../src/narrow/triangle-distance.ts';
import { trianglesIntersect } from '../../src/narrow/triangle-triangle.ts';
import { oracleDistance } from '../oracles/rational.ts';
import { real, type TrianglePair, trianglePair } from './triangle-arbitraries.ts';

const RUNS = process.env.PLIANT_FULL ? 20_000 : 1_500;
const RELATIVE = 2e-12;

type Distance = typeof triangleDistance;

function matchesOracle(distance: Distance, pairs: fc.Arbitrary<TrianglePair>, worst = { error: 0 }) {
  return fc.property(pairs, ({ points }) => {
    const out = new Float64Array(6);
    const a = points.subarray(0, 9),
      b = points.subarray(9);
    const found = distance(points, 0, 3, 6, points, 9, 12, 15, out);
    const expected = oracleDistance(a, b);
    expect(found === 0).toBe(trianglesIntersect(points, 0, 3, 6, points, 9, 12, 15));
    if (expected > 2 ** -1000) {
      const error = Math.abs(found - expected) / expected;
      worst.error = Math.max(worst.error, error);
      expect(error).toBeLessThan(RELATIVE);
    } else expect(Math.abs(found - expected)).toBeLessThanOrEqual(2 ** -1050);
    if (found === 0) expect(Array.from(out.subarray(0, 3))).toEqual(Array.from(out.subarray(3)));
    expectNear(out.subarray(0, 3), a, points);
    expectNear(out.subarray(3), b, points);
    expectLengthOf(out, found, points);
  });
}

describe('triangleDistance', () => {
  test('agrees with rational arithmetic on all classes', () => {
    const worst = { error: 0 };
    fc.assert(matchesOracle(triangleDistance, moderate(trianglePair()), worst), { numRuns: RUNS });
    console.log(`${RUNS} distances agree, largest relative error ${worst.error.toExponential(1)}`);
  });

  test('agrees for pairs at any small distance, and for thin triangles', () => {
    const worst = { error: 0 };
    fc.assert(matchesOracle(triangleDistance, nearPair(), worst), { numRuns: 2 * RUNS });
    console.log(
      `${2 * RUNS} near or thin pairs agree, largest relative error ${worst.error.toExponential(1)}`,
    );
  });

  test('has no opinion on order', () => {
    const out = new Float64Array(6),
      other = new Float64Array(6);
    fc.assert(
      fc.property(fc.oneof(moderate(trianglePair()), nearPair()), ({ points: p }) => {
        const d = triangleDistance(p, 0, 3, 6, p, 9, 12, 15, out);
        const e = triangleDistance(p, 15, 9, 12, p, 3, 0, 6, other);
        expect(Math.abs(d - e)).toBeLessThanOrEqual(RELATIVE * d);
      }),
      { numRuns: RUNS },
    );
  });

  test('scales exactly with powers of two', () => {
    const out = new Float64Array(6);
    fc.assert(
      fc.property(nearPair(), fc.integer({ min: -400, max: 400 }), ({ points: p }, e) => {
        const d = triangleDistance(p, 0, 3, 6, p, 9, 12, 15, out);
        const q = p.map((x) => x * 2 ** e);
        expect(Math.abs(triangleDistance(q, 0, 3, 6, q, 9, 12, 15, out) * 2 ** -e - d)).toBeLessThanOrEqual(
          RELATIVE * d,
        );
      }),
      { numRuns: RUNS / 4 },
    );
  });

  test('is never 0 for triangles that are apart, also where its square would be', () => {
    const tiny = 2 ** -1070;
    const p = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, tiny, 0.25, 0.25, 1, 0.25, 0.3, 1),
      out = new Float64Array(6);
    expect(triangleDistance(p, 0, 3, 6, p, 9, 12, 15, out)).toBe(tiny);
  });

  test('has a lower bound from boxes', () => {
    fc.assert(
      fc.property(fc.oneof(moderate(trianglePair()), nearPair()), ({ points: p }) => {
        const bound = triangleDistanceLowerBound(p, 0, 3, 6, p, 9, 12, 15);
        const exact = oracleDistance(p.subarray(0, 9), p.subarray(9));
        expect(bound).toBeLessThanOrEqual(exact * (1 + 1e-15));
      }),
      { numRuns: RUNS / 4 },
    );
  });

  test.each<[string, Distance]>([
    [
      'a relative error of 1e-11',
      (A, a0, a1, a2, B, b0, b1, b2, out) =>
        triangleDistance(A, a0, a1, a2, B, b0, b1, b2, out) * (1 + 1e-11),
    ],
    [
      'the distance of the rounded witnesses',
      (A, a0, a1, a2, B, b0, b1, b2, out) => {
        triangleDistance(A, a0, a1, a2, B, b0, b1, b2, out);
        return Math.hypot(out[0] - out[3], out[1] - out[4], out[2] - out[5]);
      },
    ],
  ])('the property can fail: %s', (_, wrong) => {
    expect(() => fc.assert(matchesOracle(wrong, nearPair()), { numRuns: 1000 })).toThrow('Counterexample');
  });
});

/** Corner or edge of B close above A, at 2⁻¹ to 2⁻⁶⁰; often with one triangle squeezed to a sliver. */
function nearPair(): fc.Arbitrary<TrianglePair> {
  const numbers = fc.array(real(), { minLength: 18, maxLength: 18 });
  return fc
    .tuple(
      numbers,
      fc.nat(60),
      fc.nat(60),
      fc.constantFrom('corner', 'edge', 'parallel'),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([x, near, thin, kind, squeezeA, squeezeB]) => {
      const p = Float64Array.from(x),
        height = 2 ** -near;
      for (const [o, squeeze] of [
        [0, squeezeA],
        [9, squeezeB],
      ] as const) {
        if (!squeeze) continue; // the third corner close to the edge of the others
        for (let k = 0; k < 3; k++)
          p[o + 6 + k] = mix(p[o + k], p[o + 3 + k], 0.4) + p[o + 6 + k] * 2 ** -thin;
      }
      for (let k = 0; k < 3; k++) {
        const inside = mix(mix(p[k], p[3 + k], 0.3), p[6 + k], 0.3);
        const up = height * x[(k + 4) % 18];
        if (kind === 'corner') p[9 + k] = inside + up;
        else if (kind === 'parallel') for (let c = 0; c < 9; c += 3) p[9 + c + k] = p[c + k] + up;
        else p[12 + k] = 2 * (inside + up) - p[9 + k]; // the middle of an edge
      }
      return { kind, points: p };
    });
}

function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}

function moderate(pairs: fc.Arbitrary<TrianglePair>): fc.Arbitrary<TrianglePair> {
  return pairs.filter(({ kind }) => kind !== 'mixed exponents'); // seconds per pair in the oracle
}

function sizeOf(points: Float64Array): number {
  return points.reduce((size, x) => Math.max(size, Math.abs(x)), 0);
}

function expectNear(witness: Float64Array, triangle: Float64Array, points: Float64Array): void {
  const distance = oracleDistance([...witness, ...witness, ...witness], triangle);
  expect(distance).toBeLessThanOrEqual(1e-11 * sizeOf(points) + 2 ** -1060);
}

function expectLengthOf(out: Float64Array, distance: number, points: Float64Array): void {
  const scale = sizeOf(points);
  if (scale < 2 ** -1000) return; // subnormal witnesses have few bits
  const [x, y, z] = [0, 1, 2].map((k) => out[k] / scale - out[3 + k] / scale);
  expect(Math.abs(Math.hypot(x, y, z) - distance / scale)).toBeLessThan(1e-11);
}
