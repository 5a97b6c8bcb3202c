import fc from 'fast-check';
import { orient2d as knownOrient2d, orient3d as knownOrient3d } from 'robust-predicates';
import { expect, test } from 'vitest';
import { orient2d, orient3d } from '../../src/algebra/orient.ts';
import { oracleOrient3d } from '../oracles/rational.ts';

type Twelve = [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
type Six = [number, number, number, number, number, number];

const RUNS = process.env.PLIANT_FULL ? 200_000 : 4000;

/** Numbers that leave a determinant of 0 or close to it: few values, decimals, and neighbours of both. */
const coordinate = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -20, max: 20 }).map((k) => k / 10),
  fc
    .tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -2, max: 2 }))
    .map(([k, ulps]) => (k / 7) * (1 + ulps * 2 ** -52)),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -230, max: 230 }))
    .map(([k, power]) => k * 2 ** power),
);

function numbers(length: number): fc.Arbitrary<number[]> {
  return fc.array(coordinate, { minLength: length, maxLength: length });
}

/** A point of the plane of three others, rounded. */
const flat = fc
  .tuple(numbers(9), fc.integer({ min: -8, max: 8 }), fc.integer({ min: -8, max: 8 }))
  .map(([p, s, t]) => [
    ...p,
    ...[0, 1, 2].map((k) => p[k] + (s / 8) * (p[3 + k] - p[k]) + (t / 8) * (p[6 + k] - p[k])),
  ]);

test('signs in space are those of rational arithmetic and of robust-predicates', () => {
  fc.assert(
    fc.property(fc.oneof(numbers(12), flat), (p) => {
      const sign = Math.sign(orient3d(...(p as Twelve)));
      expect(-sign + 0).toBe(oracleOrient3d(p));
      expect(sign).toBe(Math.sign(knownOrient3d(...(p as Twelve))) + 0);
    }),
    { numRuns: RUNS },
  );
});

test('signs in the plane are those of rational arithmetic and of robust-predicates', () => {
  fc.assert(
    fc.property(numbers(6), (p) => {
      const sign = Math.sign(orient2d(...(p as Six))) + 0;
      expect(sign).toBe(Math.sign(knownOrient2d(...(p as Six))) + 0);
      const [ax, ay, bx, by, cx, cy] = p;
      expect(-sign + 0).toBe(oracleOrient3d([ax, ay, 0, bx, by, 0, cx, cy, 0, ax, ay, 1]));
    }),
    { numRuns: RUNS },
  );
});

test('the property can fail: the rounded differences alone', () => {
  const wrong = (p: number[]) => {
    const [x, y, z] = [0, 1, 2].map((k) => p[9 + k]);
    const moved = p.map((value, k) => value - [x, y, z][k % 3]);
    return -Math.sign(orient3d(...(moved as Twelve))) + 0;
  };
  const property = fc.property(fc.oneof(numbers(12), flat), (p) => wrong(p) === oracleOrient3d(p));
  expect(() => fc.assert(property, { numRuns: 20_000 })).toThrow('Counterexample');
});
