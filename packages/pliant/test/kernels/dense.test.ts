import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 120;
const twins = await Twins.create();

/** Numbers that look random and are the same each time. */
function numbers(count: number, seed: number): Float64Array {
  let state = seed >>> 0 || 1;
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

const even = (n: number) => n + (n & 1);

/** B Bᵀ and a little on the diagonal, rows `stride` apart. */
function positiveDefinite(size: number, stride: number, seed: number): Float64Array {
  const B = numbers(size * size, seed);
  const A = new Float64Array(size * stride);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      let sum = i === j ? 0.1 : 0;
      for (let k = 0; k < size; k++) sum += B[i * size + k] * B[j * size + k];
      A[i * stride + j] = sum;
    }
  }
  return A;
}

const system = fc.record({
  size: fc.integer({ min: 1, max: 75 }),
  spare: fc.nat(3),
  cut: fc.double({ min: 0, max: 1, noNaN: true }),
  count: fc.integer({ min: 1, max: 37 }),
  seed: fc.integer(),
});

test('a factor made in parts is one, and solves', () => {
  fc.assert(
    fc.property(system, ({ size, spare, cut, count, seed }) => {
      const stride = even(size + spare);
      const matrix = positiveDefinite(size, stride, seed);
      twins.reset();
      const A = twins.place(matrix),
        L = twins.reserve(8 * size * stride),
        x = twins.place(numbers(count * stride, seed + 1));
      const b = twins.f64(x, count * stride);
      const from = Math.floor(cut * size);
      expect(twins.run((k) => k.factorDense(A, L, stride, 0, from, 1e-14))).toBe(-1);
      twins.run((k) => k.solveDense(L, stride, 0, from, x, stride, count));
      expect(twins.run((k) => k.factorDense(A, L, stride, from, size, 1e-14))).toBe(-1);
      twins.run((k) => k.solveDense(L, stride, from, size, x, stride, count));
      twins.run((k) => k.solveDenseTransposed(L, stride, size, x, stride, count));
      const solved = twins.f64(x, count * stride);
      for (let c = 0; c < count; c++) {
        for (let i = 0; i < size; i++) {
          let sum = -b[c * stride + i],
            scale = Math.abs(b[c * stride + i]);
          for (let k = 0; k < size; k++) {
            const term = matrix[i * stride + k] * solved[c * stride + k];
            sum += term;
            scale += Math.abs(term);
          }
          expect(Math.abs(sum)).toBeLessThan(1e-9 * (1 + scale));
        }
      }
    }),
    { numRuns: RUNS },
  );
});

test('a matrix that is not positive definite is refused at its row', () => {
  const size = 40,
    stride = 40;
  const matrix = positiveDefinite(size, stride, 5);
  for (let i = 0; i < size; i++) matrix[i * stride + 37] = matrix[i * stride + 3];
  for (let i = 0; i < size; i++) matrix[37 * stride + i] = matrix[3 * stride + i]; // twice the same column
  twins.reset();
  const A = twins.place(matrix),
    L = twins.reserve(8 * size * stride);
  expect(twins.run((k) => k.factorDense(A, L, stride, 0, size, 1e-12))).toBe(37);
  matrix[12 * stride + 12] = Number.NaN;
  const B = twins.place(matrix);
  expect(twins.run((k) => k.factorDense(B, L, stride, 0, size, 1e-12))).toBe(12);
});

test('products and sums of rows', () => {
  fc.assert(
    fc.property(
      fc.record({
        a: fc.integer({ min: 1, max: 11 }),
        b: fc.integer({ min: 1, max: 11 }),
        length: fc.integer({ min: 1, max: 33 }),
        lower: fc.boolean(),
        seed: fc.integer(),
      }),
      ({ a, b, length, lower, seed }) => {
        const stride = even(length) + 2;
        twins.reset();
        const left = twins.place(numbers(a * stride, seed)),
          right = twins.place(numbers(b * stride, seed + 1)),
          out = twins.reserve(8 * (a + 4) * (b + 4));
        const x = twins.f64(left, a * stride),
          y = twins.f64(right, b * stride);
        twins.run((k) =>
          k.multiplyRows(left, stride, a, right, stride, b, length, Number(lower), out, even(b)),
        );
        const products = twins.f64(out, a * even(b));
        for (let i = 0; i < a; i++) {
          for (let j = 0; j < (lower ? Math.min(i + 1, b) : b); j++) {
            let sum = 0;
            for (let k = 0; k < length; k++) sum += x[i * stride + k] * y[j * stride + k];
            expect(products[i * even(b) + j]).toBeCloseTo(sum, 10);
          }
        }
        const c = twins.place(numbers(a * b, seed + 2));
        const factors = twins.f64(c, a * b);
        twins.run((k) => k.combineRows(c, b, a, right, stride, b, length, left, stride));
        const sums = twins.f64(left, a * stride);
        for (let i = 0; i < a; i++) {
          for (let k = 0; k < stride; k++) {
            let sum = x[i * stride + k];
            for (let j = 0; k < length && j < b; j++) sum += factors[i * b + j] * y[j * stride + k];
            expect(sums[i * stride + k]).toBeCloseTo(sum, 10);
          }
        }
      },
    ),
    { numRuns: RUNS },
  );
});
