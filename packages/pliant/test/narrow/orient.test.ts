import fc from 'fast-check';
import { orient3d } from 'robust-predicates';
import { describe, expect, test } from 'vitest';
import {
  orient2dFilter,
  orient2dSign,
  orient3dExactSign,
  orient3dFilter,
  orient3dSign,
} from '../../src/narrow/orient.ts';
import { oracleOrient3d } from '../oracles/rational.ts';
import { anyExponent, coplanar, perturbed, real, touching, trianglePair } from './triangle-arbitraries.ts';

const RUNS = process.env.PLIANT_FULL ? 100_000 : 5_000;

/** Four points, 12 numbers: in general position, nearly or exactly coplanar, of all magnitudes. */
function fourPoints(): fc.Arbitrary<Float64Array> {
  const twelve = (x: fc.Arbitrary<number>) =>
    fc.array(x, { minLength: 12, maxLength: 12 }).map((v) => Float64Array.from(v));
  return fc.oneof(
    twelve(fc.integer({ min: -2, max: 2 })),
    twelve(real()),
    twelve(anyExponent()),
    fc.oneof(perturbed(coplanar()), perturbed(touching())).map((v) => v.slice(0, 12)),
    trianglePair().map(({ points }) => points.slice(6, 18)),
  );
}

function agreesWithOracle(sign: (p: Float64Array) => number) {
  return fc.property(fourPoints(), (p) => sign(p) === oracleOrient3d(p));
}

describe('orient3dSign', () => {
  test('agrees with rational arithmetic', () => {
    fc.assert(
      agreesWithOracle((p) => orient3dSign(p, 0, p, 3, p, 6, p, 9)),
      { numRuns: RUNS },
    );
  });

  test('agrees with rational arithmetic without its filter', () => {
    fc.assert(
      agreesWithOracle((p) => orient3dExactSign(p, 0, p, 3, p, 6, p, 9)),
      { numRuns: RUNS },
    );
  });

  test('is 1 where the triangle is seen counter-clockwise', () => {
    const p = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    expect(orient3dSign(p, 0, p, 3, p, 6, p, 9)).toBe(1);
    expect(orient3dSign(p, 0, p, 6, p, 3, p, 9)).toBe(-1);
    expect(orient3dSign(p, 0, p, 3, p, 6, p, 6)).toBe(0);
  });

  test('the filter is never wrong', () => {
    fc.assert(
      fc.property(fourPoints(), (p) => {
        const sign = orient3dFilter(p, 0, p, 3, p, 6, p, 9);
        return sign === 0 || sign === oracleOrient3d(p);
      }),
      { numRuns: RUNS },
    );
  });

  test.each<[string, (p: Float64Array) => number]>([
    ['no error bound', (p) => Math.sign(determinant(p))],
    [
      'expansions outside their range',
      (p) =>
        -Math.sign(orient3d(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11])) || 0,
    ],
    ['undecided taken for zero', (p) => orient3dFilter(p, 0, p, 3, p, 6, p, 9)],
  ])('the property can fail: %s', (_, wrong) => {
    expect(() => fc.assert(agreesWithOracle(wrong), { numRuns: 5000 })).toThrow('Counterexample');
  });
});

describe('orient2dSign', () => {
  test.each([
    [0, 1],
    [1, 2],
    [2, 0],
    [1, 0],
  ])('agrees with rational arithmetic on axes %i, %i', (x, y) => {
    fc.assert(
      fc.property(fourPoints(), (p) => {
        const expected = oracleOrient2d(p, x, y);
        expect(orient2dSign(p, 0, p, 3, p, 6, x, y)).toBe(expected);
        const filtered = orient2dFilter(p[x], p[y], p[3 + x], p[3 + y], p[6 + x], p[6 + y]);
        expect(filtered === 0 || filtered === expected).toBe(true);
      }),
      { numRuns: RUNS / 4 },
    );
  });

  test('the property can fail: no error bound', () => {
    const wrong = (p: Float64Array) =>
      Math.sign((p[3] - p[0]) * (p[7] - p[1]) - (p[4] - p[1]) * (p[6] - p[0]));
    const property = fc.property(fourPoints(), (p) => wrong(p) === oracleOrient2d(p, 0, 1));
    expect(() => fc.assert(property, { numRuns: 5000 })).toThrow('Counterexample');
  });
});

/** A plane figure as a volume: the fourth point is above the first. */
function oracleOrient2d(p: Float64Array, x: number, y: number): number {
  const flat = [0, 3, 6].flatMap((o) => [p[o + x], p[o + y], 0]);
  return oracleOrient3d([...flat, p[x], p[y], 1]);
}

function determinant(p: Float64Array): number {
  const [ux, uy, uz, vx, vy, vz, wx, wy, wz] = [3, 4, 5, 6, 7, 8, 9, 10, 11].map((i) => p[i] - p[i % 3]);
  return wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
}
