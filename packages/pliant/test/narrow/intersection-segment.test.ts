import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intersectionSegment } from '../../src/narrow/intersection-segment.ts';
import { trianglesIntersect } from '../../src/narrow/triangle-triangle.ts';
import {
  oracleDistance,
  oracleIntersectionPoints,
  type RationalPoint,
  toCommonIntegers,
} from '../oracles/rational.ts';
import { coplanar, perturbed, type TrianglePair, trianglePair } from './triangle-arbitraries.ts';

const RUNS = process.env.PLIANT_FULL ? 20_000 : 1_500;

type Intersection = typeof intersectionSegment;

/** Number, position (1e-11 of the size) and order of the points, against exact vertex enumeration. */
function matchesOracle(intersection: Intersection, pairs: fc.Arbitrary<TrianglePair>, counts: number[] = []) {
  return fc.property(pairs, ({ points }) => {
    const out = new Float64Array(18);
    const count = intersection(points, 0, 3, 6, points, 9, 12, 15, out);
    counts[count] = (counts[count] ?? 0) + 1;
    const [a, b, bits] = toCommonIntegers(points.subarray(0, 9), points.subarray(9));
    const expected = oracleIntersectionPoints(a, b);
    expect(count).toBe(expected.length);
    expect(count > 0).toBe(trianglesIntersect(points, 0, 3, 6, points, 9, 12, 15));

    const tolerance = 1e-11 * points.reduce((size, x) => Math.max(size, Math.abs(x)), 0);
    const order = Array.from({ length: count }, (_, k) => {
      const found = out.subarray(3 * k, 3 * k + 3);
      return expected.findIndex((p) => isNear(p, found, bits, tolerance));
    });
    expect(order).not.toContain(-1);
    const isDistinct = new Set(order).size === count; // rounding may merge points that are closer than that
    if (count > 3 && isDistinct) expect(isConvexOrder(order.map((i) => expected[i]))).toBe(true);
  });
}

describe('intersectionSegment', () => {
  test('agrees with exact vertex enumeration on all classes', () => {
    const counts: number[] = [];
    fc.assert(matchesOracle(intersectionSegment, moderate(trianglePair()), counts), { numRuns: RUNS });
    console.log(
      `${RUNS} intersections agree, by number of points: ${counts.map((n, k) => `${k}: ${n}`).join(', ')}`,
    );
  });

  test('agrees on coplanar pairs, exact and with coordinates of 53 bits', () => {
    const counts: number[] = [];
    const flat = fc.oneof(
      coplanar(),
      fc.tuple(perturbed(coplanar()), fc.nat(2)).map(([p, axis]) => flatten(p, axis)),
    );
    const pairs = flat.map((points) => ({ kind: 'coplanar', points }));
    fc.assert(matchesOracle(intersectionSegment, pairs, counts), { numRuns: RUNS });
    expect(counts.length).toBeGreaterThan(5); // pentagons too
  });

  test('is empty exactly when the triangles are apart', () => {
    const out = new Float64Array(18);
    fc.assert(
      fc.property(trianglePair(), ({ points }) => {
        const count = intersectionSegment(points, 0, 3, 6, points, 9, 12, 15, out);
        return count > 0 === trianglesIntersect(points, 0, 3, 6, points, 9, 12, 15);
      }),
      { numRuns: RUNS },
    );
  });

  test('finds a six-sided overlap in order', () => {
    const star = Float64Array.of(0, 0, 1, 6, 0, 1, 3, 6, 1, 0, 4, 1, 6, 4, 1, 3, -2, 1),
      out = new Float64Array(18);
    expect(intersectionSegment(star, 0, 3, 6, star, 9, 12, 15, out)).toBe(6);
    const angles = Array.from({ length: 6 }, (_, k) => Math.atan2(out[3 * k + 1] - 2, out[3 * k] - 3));
    const steps = angles.map((angle, k) => Math.sin(angles[(k + 1) % 6] - angle));
    expect(steps.every((s) => s > 0) || steps.every((s) => s < 0)).toBe(true);
  });

  test.each<[string, Intersection]>([
    [
      'a point too few',
      (A, a0, a1, a2, B, b0, b1, b2, out) =>
        Math.min(1, intersectionSegment(A, a0, a1, a2, B, b0, b1, b2, out)),
    ],
    [
      'one end moved',
      (A, a0, a1, a2, B, b0, b1, b2, out) => {
        const count = intersectionSegment(A, a0, a1, a2, B, b0, b1, b2, out);
        out[3] += 1e-9;
        return count;
      },
    ],
    [
      'corners out of order',
      (A, a0, a1, a2, B, b0, b1, b2, out) => {
        const count = intersectionSegment(A, a0, a1, a2, B, b0, b1, b2, out);
        if (count > 3) out.set([...out.subarray(3, 6), ...out.subarray(0, 3)]);
        return count;
      },
    ],
  ])('the property can fail: %s', (_, wrong) => {
    expect(() => fc.assert(matchesOracle(wrong, moderate(trianglePair())), { numRuns: 1000 })).toThrow(
      'Counterexample',
    );
  });
});

/** Enumeration in integers of thousands of bits takes a second; `trianglePair` covers those elsewhere. */
function moderate(pairs: fc.Arbitrary<TrianglePair>): fc.Arbitrary<TrianglePair> {
  return pairs.filter(({ kind }) => kind !== 'mixed exponents');
}

/** All points at the same height. */
function flatten(points: Float64Array, axis: number): Float64Array {
  return points.map((x, i) => (i % 3 === axis ? 0.1 : x));
}

function isNear(p: RationalPoint, found: Float64Array, bits: number, tolerance: number): boolean {
  return [0, 1, 2].every((k) => Math.abs(toNumber(p[k], p[3] << BigInt(bits)) - found[k]) <= tolerance);
}

function toNumber(numerator: bigint, denominator: bigint): number {
  const shift = denominator.toString(2).length + 80;
  const scaled = (numerator << BigInt(shift)) / denominator;
  const extra = Math.max(0, scaled.toString(2).length - 900);
  const k = shift - extra;
  return Number(scaled >> BigInt(extra)) * 2 ** -Math.trunc(k / 2) * 2 ** -(k - Math.trunc(k / 2));
}

/** Every edge has all other corners strictly on one and the same side. */
function isConvexOrder(points: readonly RationalPoint[]): boolean {
  const common = points.reduce((acc, p) => acc * p[3], 1n);
  const p = points.map((q) => [0, 1, 2].map((k) => (q[k] * common) / q[3]));
  const turn = (i: number, j: number, m: number): bigint[] => {
    const u = p[j].map((x, k) => x - p[i][k]),
      v = p[m].map((x, k) => x - p[i][k]);
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  };
  const n = p.length,
    up = turn(0, 1, 2);
  return p.every((_, i) =>
    p.every((__, m) => {
      const j = (i + 1) % n;
      if (m === i || m === j) return true;
      const t = turn(i, j, m);
      return t[0] * up[0] + t[1] * up[1] + t[2] * up[2] > 0n;
    }),
  );
}

test('the oracle itself: the points it finds are on both triangles', () => {
  fc.assert(
    fc.property(
      trianglePair().filter(({ kind }) => kind === 'lattice' || kind === 'touching'),
      ({ points }) => {
        const [a, b, bits] = toCommonIntegers(points.subarray(0, 9), points.subarray(9));
        for (const p of oracleIntersectionPoints(a, b)) {
          const q = [0, 1, 2].map((k) => toNumber(p[k], p[3] << BigInt(bits)));
          expect(oracleDistance([...q, ...q, ...q], points.subarray(0, 9))).toBeLessThan(1e-14);
          expect(oracleDistance([...q, ...q, ...q], points.subarray(9))).toBeLessThan(1e-14);
        }
      },
    ),
  );
});
