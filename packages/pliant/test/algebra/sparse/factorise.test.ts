import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factoriseSparse } from '../../../src/algebra/sparse/factorise.ts';
import { SymmetricMatrixBuilder } from '../../../src/algebra/sparse/matrix-builder.ts';
import { NotPositiveDefinite } from '../../../src/algebra/sparse/not-positive-definite.ts';
import {
  diagonalMatrix,
  multiply,
  type SymmetricMatrix,
} from '../../../src/algebra/sparse/symmetric-matrix.ts';
import { factoriseUpLooking, solvePlain } from '../../../src/algebra/sparse/up-looking.ts';
import { definiteMatrix, largest, latticeLaplacian, randomNumbers, solveDense, toDense } from './matrices.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 150;
const kernels = fc.constantFrom('wasm' as const, 'ts' as const);
const ordering = fc.constantFrom('auto' as const, 'nested-dissection' as const, 'natural' as const);

function randomVector(size: number, seed: number): Float64Array {
  const random = randomNumbers(seed);
  return Float64Array.from({ length: size }, () => 2 * random() - 1);
}

/** ‖A x − b‖ relative to ‖A‖ ‖x‖ + ‖b‖, in the largest entry. */
function residual(matrix: SymmetricMatrix, x: Float64Array, b: Float64Array): number {
  const y = new Float64Array(matrix.size);
  multiply(matrix, x, y);
  const scale = largest(matrix.value) * largest(x) + largest(b);
  return largest(y.map((v, i) => v - b[i])) / scale;
}

function secondDifferences(size: number): SymmetricMatrix {
  const builder = new SymmetricMatrixBuilder(size);
  for (let i = 0; i < size; i++) {
    builder.add(i, i, 2);
    if (i > 0) builder.add(i, i - 1, -1);
  }
  return builder.build();
}

describe('a factor', () => {
  test.each([1, 3])('solves as the dense oracle does, blocks of %i', async (b) => {
    await fc.assert(
      fc.asyncProperty(
        definiteMatrix(b === 1 ? 40 : 14, b),
        fc.nat(),
        kernels,
        ordering,
        async (matrix, seed, k, o) => {
          const factor = await factoriseSparse(matrix, { kernels: k, ordering: o });
          const rhs = randomVector(matrix.size, seed);
          const x = rhs.slice();
          factor.solve(x);
          const expected = solveDense(toDense(matrix), matrix.size, rhs);
          for (let i = 0; i < x.length; i++)
            expect(Math.abs(x[i] - expected[i])).toBeLessThan(1e-9 * (1 + largest(expected)));
          expect(residual(matrix, x, rhs)).toBeLessThan(1e-13);
          expect(factor.kernels).toBe(k);
          expect(factor.smallestPivot).toBeGreaterThan(0);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('of another matrix would fail that test', async () => {
    const matrix = latticeLaplacian(2, 2, 2).matrix;
    const other = { ...matrix, value: matrix.value.slice() };
    other.value[0] *= 1 + 1e-9;
    const factor = await factoriseSparse(other);
    const rhs = randomVector(matrix.size, 1),
      x = rhs.slice();
    factor.solve(x);
    expect(residual(matrix, x, rhs)).toBeGreaterThan(1e-13);
  });

  test('has as many entries as the plain one, and its pivots are those of the plain one', async () => {
    await fc.assert(
      fc.asyncProperty(definiteMatrix(40), async (matrix) => {
        const factor = await factoriseSparse(matrix, { blockSize: 1 });
        const plain = factoriseUpLooking(matrix, factor.order);
        expect(factor.nonZeros).toBe(plain.row.length);
        const pivots = Float64Array.from({ length: matrix.size }, (_, j) => plain.value[plain.start[j]] ** 2);
        expect(factor.smallestPivot / Math.min(...pivots)).toBeCloseTo(1, 9);
        expect(factor.conditionHint / (Math.max(...pivots) / Math.min(...pivots))).toBeCloseTo(1, 9);
      }),
      { numRuns: RUNS },
    );
  });

  test('inverts second differences: (i + 1)(n − j) / (n + 1)', async () => {
    const n = 60;
    const factor = await factoriseSparse(secondDifferences(n));
    const inverse = new Float64Array(n * n);
    for (let j = 0; j < n; j++) inverse[j * n + j] = 1;
    factor.solve(inverse, n);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i <= j; i++) expect(inverse[j * n + i]).toBeCloseTo(((i + 1) * (n - j)) / (n + 1), 10);
    }
  });

  test.each([
    ['nothing', 0],
    ['one unknown', 1],
    ['only a diagonal', 500],
  ])('of %s', async (_, size) => {
    const matrix = diagonalMatrix(Float64Array.from({ length: size }, (_, i) => i + 1));
    const factor = await factoriseSparse(matrix, { ordering: 'nested-dissection' });
    const x = new Float64Array(size).fill(1);
    factor.solve(x);
    expect(x).toEqual(Float64Array.from({ length: size }, (_, i) => 1 / Math.sqrt(i + 1) / Math.sqrt(i + 1)));
    expect(factor.nonZeros).toBe(size);
    factor.dispose();
  });

  test('treats several right-hand sides each as if it were alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        definiteMatrix(30, 3),
        fc.integer({ min: 0, max: 19 }),
        fc.nat(),
        kernels,
        async (matrix, columns, seed, k) => {
          const { size } = matrix;
          const factor = await factoriseSparse(matrix, { kernels: k });
          const x = randomVector(size * columns, seed);
          const alone = x.slice();
          factor.solve(x, columns);
          for (let c = 0; c < columns; c++) factor.solve(alone.subarray(c * size, (c + 1) * size));
          expect(x).toEqual(alone);
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each(['minimum-degree', 'nested-dissection'] as const)('of a lattice, by %s', async (by) => {
    const { matrix, points } = latticeLaplacian(10, 9, 12);
    const factor = await factoriseSparse(matrix, { ordering: by, points });
    const rhs = randomVector(matrix.size, 5),
      x = rhs.slice(),
      plain = rhs.slice();
    factor.solve(x);
    solvePlain(factoriseUpLooking(matrix, factor.order), plain);
    expect(residual(matrix, x, rhs)).toBeLessThan(1e-14);
    expect(largest(x.map((v, i) => v - plain[i]))).toBeLessThan(1e-10 * largest(plain));
  });

  test('with a given order uses it', async () => {
    const { matrix } = latticeLaplacian(3, 3, 3);
    const order = Int32Array.from({ length: matrix.size }, (_, i) => matrix.size - 1 - i);
    const factor = await factoriseSparse(matrix, { ordering: order });
    expect(factor.nonZeros).toBe(factoriseUpLooking(matrix, order).row.length);
    await expect(factoriseSparse(matrix, { ordering: order.fill(0) })).rejects.toThrow('not a permutation');
  });
});

describe('refactoring', () => {
  test('leaves what factorising anew would', async () => {
    await fc.assert(
      fc.asyncProperty(definiteMatrix(30), fc.nat(), kernels, async (matrix, seed, k) => {
        const factor = await factoriseSparse(matrix, { kernels: k });
        const random = randomNumbers(seed);
        const value = matrix.value.map((v) => v * (1 + 1e-4 * random()));
        await factor.refactor(value);
        const anew = await factoriseSparse({ ...matrix, value }, { kernels: k });
        const x = randomVector(matrix.size, seed),
          y = x.slice();
        factor.solve(x);
        anew.solve(y);
        expect(x).toEqual(y);
        expect(factor.smallestPivot).toBe(anew.smallestPivot);
      }),
      { numRuns: 60 },
    );
  });

  test('that fails leaves nothing to solve with, and another may succeed', async () => {
    const matrix = secondDifferences(9);
    const factor = await factoriseSparse(matrix);
    await expect(factor.refactor(matrix.value.map((v) => -v))).rejects.toThrow(NotPositiveDefinite);
    expect(() => factor.solve(new Float64Array(9))).toThrow('the last factorisation failed');
    await factor.refactor(matrix.value);
    const x = new Float64Array(9).fill(1);
    factor.solve(x);
    expect(x[4]).toBeCloseTo(12.5, 12);
    await expect(factor.refactor(new Float64Array(3))).rejects.toThrow('value has 3 numbers, expected 17');
    await expect(factor.refactor(matrix.value.map(() => Number.NaN))).rejects.toThrow('value[0] is NaN');
    factor.solve(x); // bad input has changed nothing
  });
});
