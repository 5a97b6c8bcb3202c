import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/mesh/input-error.ts';
import { APART, filterTriangles, MEET, UNKNOWN } from '../../src/narrow/triangle-filter.ts';
import { trianglesIntersect } from '../../src/narrow/triangle-triangle.ts';
import { oracleTrianglesIntersect } from '../oracles/rational.ts';
import { latticePair, type TrianglePair, trianglePair } from './triangle-arbitraries.ts';

const FULL = Boolean(process.env.PLIANT_FULL);
const RUNS = FULL ? 120_000 : 10_000;

type Test = (
  A: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  B: Float64Array,
  b0: number,
  b1: number,
  b2: number,
) => boolean;

/** The property that every implementation is measured by. */
function agreesWithOracle(intersect: Test, seen: (pair: TrianglePair, answer: boolean) => void = () => {}) {
  return fc.property(trianglePair(), (pair) => {
    const { points } = pair;
    const expected = oracleTrianglesIntersect(points.subarray(0, 9), points.subarray(9));
    seen(pair, expected);
    return intersect(points, 0, 3, 6, points, 9, 12, 15) === expected;
  });
}

describe('trianglesIntersect', () => {
  test('agrees with rational arithmetic', () => {
    const counts = new Map<string, [number, number]>();
    let unknown = 0;
    fc.assert(
      agreesWithOracle(trianglesIntersect, ({ kind, points }, answer) => {
        const count = counts.get(kind) ?? [0, 0];
        count[answer ? 0 : 1]++;
        counts.set(kind, count);
        if (filterTriangles(points, 0, 3, 6, points, 9, 12, 15) === UNKNOWN) unknown++;
      }),
      { numRuns: RUNS },
    );
    const list = [...counts].map(([kind, [meet, apart]]) => `${kind} ${meet}+${apart}`).sort();
    console.log(`${RUNS} pairs agree (meet+apart): ${list.join(', ')}; ${unknown} beyond the filter`);
  });

  test('the filter is never wrong', () => {
    fc.assert(
      fc.property(trianglePair(), ({ points }) => {
        const answer = filterTriangles(points, 0, 3, 6, points, 9, 12, 15);
        if (answer === UNKNOWN) return true;
        return (
          answer === (oracleTrianglesIntersect(points.subarray(0, 9), points.subarray(9)) ? MEET : APART)
        );
      }),
      { numRuns: RUNS / 5 },
    );
  });

  test('does not depend on the order of triangles or corners', () => {
    fc.assert(
      fc.property(trianglePair(), fc.nat(5), fc.nat(5), ({ points: p }, i, j) => {
        const [a0, a1, a2] = ORDERS[i],
          [b0, b1, b2] = ORDERS[j].map((c) => 9 + c);
        const answer = trianglesIntersect(p, 0, 3, 6, p, 9, 12, 15);
        expect(trianglesIntersect(p, a0, a1, a2, p, b0, b1, b2)).toBe(answer);
        expect(trianglesIntersect(p, b0, b1, b2, p, a0, a1, a2)).toBe(answer);
      }),
      { numRuns: RUNS / 5 },
    );
  });

  test('does not depend on exact translation, scaling or a change of axes', () => {
    fc.assert(
      fc.property(latticePair(), fc.integer(), fc.integer({ min: -900, max: 900 }), (p, shift, exponent) => {
        const answer = trianglesIntersect(p, 0, 3, 6, p, 9, 12, 15);
        const moved = p.map((x) => x + shift),
          larger = p.map((x) => x * 2 ** exponent);
        const turned = p.map((_, i) => p[i - (i % 3) + ((i + 1) % 3)]);
        for (const q of [moved, larger, turned])
          expect(trianglesIntersect(q, 0, 3, 6, q, 9, 12, 15)).toBe(answer);
      }),
      { numRuns: RUNS / 5 },
    );
  });

  test('reads two arrays at any offset', () => {
    const a = Float64Array.of(9, 9, 0, 0, 0, 2, 0, 0, 0, 2, 0),
      b = Float64Array.of(7, 7, 7, 1, 1, -1, 1, 1, 1, 3, 3, 3);
    expect(trianglesIntersect(a, 2, 5, 8, b, 3, 6, 9)).toBe(true);
    expect(trianglesIntersect(a, 2, 5, 8, b, 9, 9, 9)).toBe(false);
  });
});

test('coordinates that are not finite never hang: NaN meets nothing, Infinity is an InputError', () => {
  const p = Float64Array.of(0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 1, 1, 1, Number.NaN, 1, 0);
  expect(trianglesIntersect(p, 0, 3, 6, p, 9, 12, 15)).toBe(false);
  p[15] = Number.POSITIVE_INFINITY;
  expect(() => trianglesIntersect(p, 0, 3, 6, p, 9, 12, 15)).toThrow(InputError);
});

describe('the property can fail', () => {
  test.each<[string, Test]>([
    ['signs with an epsilon', intersectsWithEpsilon],
    [
      'open instead of closed',
      (A, a0, a1, a2, B, b0, b1, b2) => filterTriangles(A, a0, a1, a2, B, b0, b1, b2) === MEET,
    ],
    [
      'undecided counted as contact',
      (A, a0, a1, a2, B, b0, b1, b2) => filterTriangles(A, a0, a1, a2, B, b0, b1, b2) !== APART,
    ],
  ])('%s', (_, wrong) => {
    expect(() => fc.assert(agreesWithOracle(wrong), { numRuns: 1000 })).toThrow('Counterexample');
  });
});

const ORDERS = [
  [0, 3, 6],
  [3, 6, 0],
  [6, 0, 3],
  [0, 6, 3],
  [3, 0, 6],
  [6, 3, 0],
];

/** The usual float test (Möller & Trumbore's on all six edges), with the usual tolerance. */
function intersectsWithEpsilon(
  A: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  B: Float64Array,
  b0: number,
  b1: number,
  b2: number,
): boolean {
  const a = [a0, a1, a2].map((o) => Array.from(A.subarray(o, o + 3)));
  const b = [b0, b1, b2].map((o) => Array.from(B.subarray(o, o + 3)));
  return [0, 1, 2].some((i) => edgeHits(a[i], a[(i + 1) % 3], b) || edgeHits(b[i], b[(i + 1) % 3], a));
}

function edgeHits(p: number[], q: number[], [a, b, c]: number[][]): boolean {
  const d = minus(q, p),
    e = minus(b, a),
    f = minus(c, a),
    s = minus(p, a);
  const h = cross(d, f),
    k = cross(s, e),
    det = dot(e, h);
  if (Math.abs(det) < 1e-12) return false;
  const u = dot(s, h) / det,
    v = dot(d, k) / det,
    t = dot(f, k) / det;
  return u > -1e-9 && v > -1e-9 && u + v < 1 + 1e-9 && t > -1e-9 && t < 1 + 1e-9;
}

function minus(p: number[], q: number[]): number[] {
  return p.map((x, k) => x - q[k]);
}

function cross(p: number[], q: number[]): number[] {
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
}

function dot(p: number[], q: number[]): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
