import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adjacentTrianglesOverlap } from '../../src/narrow/fold-over.ts';
import { trianglesIntersect } from '../../src/narrow/triangle-triangle.ts';
import {
  isInHull,
  oracleHullsIntersect,
  oracleIntersectionPoints,
  type Point,
  toIntegers,
} from '../oracles/rational.ts';
import { anyExponent, coplanar, perturbed, real, touching } from './triangle-arbitraries.ts';

const RUNS = process.env.PLIANT_FULL ? 50_000 : 4_000;

type Overlap = typeof adjacentTrianglesOverlap;

interface Neighbours {
  points: Float64Array; // six vertices
  a: number[]; // vertex numbers
  b: number[];
}

/** Two triangles over six vertices, so that sharing one, two or three is common; some repeat a vertex. */
function neighbours(): fc.Arbitrary<Neighbours> {
  const eighteen = (x: fc.Arbitrary<number>) =>
    fc.array(x, { minLength: 18, maxLength: 18 }).map((v) => Float64Array.from(v));
  const points = fc.oneof(
    eighteen(fc.integer({ min: 0, max: 2 })),
    eighteen(real()),
    coplanar(),
    touching(),
    perturbed(fc.oneof(coplanar(), touching())),
    { weight: 1, arbitrary: eighteen(fc.oneof(fc.integer({ min: 0, max: 1 }), anyExponent())) },
  );
  const proper = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 3, maxLength: 3 });
  const anyCorners = fc.array(fc.nat(4), { minLength: 3, maxLength: 3 });
  const corners = fc.oneof({ weight: 4, arbitrary: proper }, { weight: 1, arbitrary: anyCorners });
  return fc.record({ points, a: corners, b: corners });
}

/** The rule, literally: some way to give each shared vertex to one side makes the two sides' hulls meet. */
function oracleOverlap({ points, a, b }: Neighbours): boolean {
  const [p] = toIntegers(points);
  const setA = [...new Set(a)],
    setB = [...new Set(b)];
  const shared = setA.filter((v) => setB.includes(v));
  if (shared.length === 3) return true;
  for (let mask = 0; mask < 1 << shared.length; mask++) {
    const toA = (v: number) => !shared.includes(v) || Boolean((mask >> shared.indexOf(v)) & 1);
    const toB = (v: number) => !shared.includes(v) || !((mask >> shared.indexOf(v)) & 1);
    const sideA = setA.filter(toA).map((v) => p[v]),
      sideB = setB.filter(toB).map((v) => p[v]);
    if (sideA.length > 0 && sideB.length > 0 && oracleHullsIntersect(sideA, sideB)) return true;
  }
  return false;
}

function agreesWithOracle(overlap: Overlap, seen: (shared: number, answer: boolean) => void = () => {}) {
  return fc.property(neighbours(), (n) => {
    const [a0, a1, a2] = n.a.map((v) => 3 * v),
      [b0, b1, b2] = n.b.map((v) => 3 * v);
    const expected = oracleOverlap(n);
    seen(new Set(n.a.filter((v) => n.b.includes(v))).size, expected);
    return overlap(n.points, a0, a1, a2, b0, b1, b2) === expected;
  });
}

describe('adjacentTrianglesOverlap', () => {
  test('agrees with rational arithmetic', () => {
    const counts = [
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ];
    fc.assert(
      agreesWithOracle(adjacentTrianglesOverlap, (shared, answer) => counts[shared][answer ? 0 : 1]++),
      { numRuns: RUNS },
    );
    const list = counts.map(([overlap, clean], k) => `${k} shared ${overlap}+${clean}`);
    console.log(`${RUNS} neighbours agree (overlap+clean): ${list.join(', ')}`);
  });

  test('means: for triangles with an area, more in common than the shared vertices and edge', () => {
    fc.assert(
      fc.property(neighbours(), ({ points, a, b }) => {
        const [p] = toIntegers(points);
        fc.pre(hasArea(a.map((v) => p[v])) && hasArea(b.map((v) => p[v])));
        const shared = a.filter((v) => b.includes(v));
        fc.pre(
          shared.length < 3 &&
            Math.max(...points.map(Math.abs)) < 1e6 &&
            points.every((x) => x === 0 || Math.abs(x) > 1e-30),
        );
        const hull = shared.map((v) => [p[v][0], p[v][1], p[v][2], 1n] as const);
        const common = oracleIntersectionPoints(
          a.map((v) => p[v]),
          b.map((v) => p[v]),
        );
        const more = common.some((q) => !isInHull(q, hull));
        const [a0, a1, a2] = a.map((v) => 3 * v),
          [b0, b1, b2] = b.map((v) => 3 * v);
        expect(adjacentTrianglesOverlap(points, a0, a1, a2, b0, b1, b2)).toBe(more);
      }),
      { numRuns: RUNS / 4 },
    );
  });

  test('a corner at the place of a shared vertex, with another index, counts', () => {
    const p = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1, -1, 0);
    expect(adjacentTrianglesOverlap(p, 0, 3, 6, 0, 9, 15)).toBe(false);
    expect(adjacentTrianglesOverlap(p, 0, 3, 6, 0, 12, 15)).toBe(true); // vertex 4 lies on vertex 0
  });

  test.each<[string, Overlap]>([
    ['never', () => false],
    ['plain intersection', (P, a0, a1, a2, b0, b1, b2) => trianglesIntersect(P, a0, a1, a2, P, b0, b1, b2)],
    ['duplicates only', (_, a0, a1, a2, b0, b1, b2) => a0 + a1 + a2 === b0 + b1 + b2],
  ])('the property can fail: %s', (_, wrong) => {
    expect(() => fc.assert(agreesWithOracle(wrong), { numRuns: 1000 })).toThrow('Counterexample');
  });
});

function hasArea([a, b, c]: readonly Point[]): boolean {
  const u = b.map((x, k) => x - a[k]),
    v = c.map((x, k) => x - a[k]);
  return [0, 1, 2].some((k) => u[k] * v[(k + 1) % 3] !== u[(k + 1) % 3] * v[k]);
}
