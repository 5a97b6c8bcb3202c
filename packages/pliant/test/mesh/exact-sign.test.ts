import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areCollinear, tetrahedronSign } from '../../src/mesh/exact-sign.ts';

/*
 * The oracle: points on an integer lattice, where products fit a double, scaled by a power of two. Scaling
 * is exact and changes no sign, but sends naive products below 2^-1074 or above 2^1023.
 */
const EXPONENTS = [-1074, -1060, -700, -400, -300, -120, 0, 100, 289, 299, 700, 1010];
const points = (count: number) =>
  fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 3 * count, maxLength: 3 * count });
const scaled = (lattice: readonly number[], exponent: number) =>
  Float64Array.from(
    lattice,
    (x) => x * 2 ** Math.trunc(exponent / 2) * 2 ** (exponent - Math.trunc(exponent / 2)),
  );

test('collinear exactly when the integers are, at every scale', () => {
  fc.assert(
    fc.property(points(3), fc.integer({ min: -3, max: 3 }), fc.boolean(), (drawn, factor, onLine) => {
      const lattice = [...drawn];
      if (onLine)
        for (let k = 0; k < 3; k++) lattice[6 + k] = lattice[k] + factor * (lattice[3 + k] - lattice[k]);
      const [u, v] = [3, 6].map((p) => [0, 1, 2].map((k) => lattice[p + k] - lattice[k]));
      const expected =
        u[0] * v[1] === u[1] * v[0] && u[1] * v[2] === u[2] * v[1] && u[2] * v[0] === u[0] * v[2];
      for (const exponent of EXPONENTS)
        expect(areCollinear(scaled(lattice, exponent), 0, 3, 6)).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

test('the sign of a tetrahedron is that of the integers, at every scale', () => {
  fc.assert(
    fc.property(points(4), fc.boolean(), (drawn, flat) => {
      const lattice = [...drawn];
      if (flat) for (let k = 0; k < 3; k++) lattice[9 + k] = lattice[k] + lattice[3 + k] - lattice[6 + k];
      const [u, v, w] = [3, 6, 9].map((p) => [0, 1, 2].map((k) => lattice[p + k] - lattice[k]));
      const det =
        u[0] * (v[1] * w[2] - v[2] * w[1]) +
        u[1] * (v[2] * w[0] - v[0] * w[2]) +
        u[2] * (v[0] * w[1] - v[1] * w[0]);
      for (const exponent of EXPONENTS) {
        expect(tetrahedronSign(scaled(lattice, exponent), 0, 3, 6, 9)).toBe(Math.sign(det) + 0);
      }
    }),
    { numRuns: 300 },
  );
});

test('one bit off the line is off the line, where a product in doubles sees nothing', () => {
  const p = Float64Array.of(0.1, 0.1, 0.1, 1.1, 1.1, 1.1, 12, 12, 12 + 2 ** -49);
  expect(areCollinear(p, 0, 3, 6)).toBe(false);
  p[8] = 12;
  expect(areCollinear(p, 0, 3, 6)).toBe(true);
});

test('very large beside very small', () => {
  expect(areCollinear(Float64Array.of(0, 0, 0, 1e300, 0, 0, 2e300, 5e-324, 0), 0, 3, 6)).toBe(false);
  expect(tetrahedronSign(Float64Array.of(0, 0, 0, 1e300, 0, 0, 0, 1e300, 0, 1, 1, 5e-324), 0, 3, 6, 9)).toBe(
    1,
  );
  expect(tetrahedronSign(Float64Array.of(0, 0, 0, 1e300, 0, 0, 0, 1e300, 0, 1, 1, -5e-324), 0, 3, 6, 9)).toBe(
    -1,
  );
});
