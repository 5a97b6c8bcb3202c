import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { squaredPointTriangleDistance } from '../../src/deform/point-triangle.ts';
import { closestOnTriangle } from '../../src/narrow/closest-on-triangle.ts';
import { oracleDistance } from '../oracles/rational.ts';
import { real } from './triangle-arbitraries.ts';

const RUNS = process.env.PLIANT_FULL ? 50_000 : 2_000;

type Distance = (p: Float64Array) => number;

describe.each<[string, Distance]>([
  ['squaredPointTriangleDistance', (p) => Math.sqrt(squaredPointTriangleDistance(p, 9, p, 0, 3, 6))],
  ['closestOnTriangle', distanceToClosest],
])('%s', (_, distance) => {
  test('is as near as promised, however thin the triangle and whatever its size', () => {
    fc.assert(
      fc.property(triangleAndPoint(), (p) => {
        const error = errorOf(distance, p);
        expect(error).toBeGreaterThan(-1e-11);
        expect(error).toBeLessThan(1e-7);
      }),
      { numRuns: RUNS },
    );
  });

  test('a normal at the end of the range of numbers tells nothing', () => {
    const thin = [0, 0, 2.299270290444841e-6, 0, 6.835767813963907e-157, 0, 0, 0, 0];
    expect(Math.abs(errorOf(distance, Float64Array.of(...thin, 1e-9, 0, 0)))).toBeLessThan(1e-16);
  });
});

function distanceToClosest(p: Float64Array): number {
  const weights = new Float64Array(3);
  closestOnTriangle(p, 0, 3, 6, p[9], p[10], p[11], weights);
  for (const w of weights) expect(w).toBeGreaterThanOrEqual(0);
  const [x, y, z] = [0, 1, 2].map(
    (k) => weights[1] * (p[3 + k] - p[k]) + weights[2] * (p[6 + k] - p[k]) - (p[9 + k] - p[k]),
  );
  return Math.hypot(x, y, z);
}

/** Of the largest length between the first corner and the others, or the point. */
function errorOf(distance: Distance, p: Float64Array): number {
  const point = p.subarray(9);
  const exact = oracleDistance(p.subarray(0, 9), [...point, ...point, ...point]);
  const reach = Math.max(...p.map((x, i) => Math.abs(x - p[i % 3])));
  fc.pre(reach > 1e-140);
  return (distance(p) - exact) / reach;
}

/** Sums of numbers of very different sizes: thin triangles, points close to them, corners that coincide. */
function triangleAndPoint(): fc.Arbitrary<Float64Array> {
  const power = fc.oneof(fc.constant(0), fc.nat(60), fc.nat(700));
  return fc
    .record({
      numbers: fc.array(real(), { minLength: 12, maxLength: 12 }),
      powers: fc.array(power, { minLength: 12, maxLength: 12 }),
      weights: fc.array(fc.constantFrom(0, 0.25, 0.5, 1), { minLength: 4, maxLength: 4 }),
      size: fc.constantFrom(0, -200, -400, -450, 200, 400, 490),
      order: fc.shuffledSubarray([0, 3, 6], { minLength: 3 }),
    })
    .map(({ numbers, powers, weights, size, order }) => {
      const x = numbers.map((n, i) => n * 2 ** (size - powers[i]));
      const out = new Float64Array(12);
      for (let k = 0; k < 3; k++) {
        const a = x[k],
          b = x[3 + k];
        const c = a + weights[0] * (b - a) + weights[1] * x[6 + k];
        out[order[0] + k] = a;
        out[order[1] + k] = b;
        out[order[2] + k] = c;
        out[9 + k] = x[9 + k] + weights[2] * a + weights[3] * c;
      }
      return out;
    });
}
