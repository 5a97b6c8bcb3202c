import fc from 'fast-check';
import {
  CholeskyDecomposition,
  EigenvalueDecomposition,
  Matrix,
  QrDecomposition,
  SingularValueDecomposition,
} from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { denseCholesky, solveDense } from '../../src/algebra/dense/cholesky.ts';
import { householderQr } from '../../src/algebra/dense/qr.ts';
import { singularValues } from '../../src/algebra/dense/singular-values.ts';
import { symmetricEigen } from '../../src/algebra/dense/symmetric-eigen.ts';
import { factoriseSparse } from '../../src/algebra/sparse/index.ts';
import { definiteMatrix, toDense } from './sparse/matrices.ts';

/** Against a library that others wrote and use. */
const RUNS = process.env.PLIANT_FULL ? 1000 : 60;
const entry = fc.double({ min: -2, max: 2, noNaN: true }).map((x) => Math.round(1e3 * x) / 1e3);

const tall = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 12 }))
  .chain(([columns, more]) =>
    fc.record({
      rows: fc.constant(columns + more),
      columns: fc.constant(columns),
      values: fc.array(entry, {
        minLength: (columns + more) * columns,
        maxLength: (columns + more) * columns,
      }),
    }),
  );

/** Ours are stored column after column, theirs row after row. */
function theirs(values: ArrayLike<number>, rows: number, columns: number): Matrix {
  return Matrix.from1DArray(columns, rows, Array.from(values)).transpose();
}

function expectClose(a: ArrayLike<number>, b: ArrayLike<number>, tolerance: number): void {
  expect(a.length).toBe(b.length);
  for (let k = 0; k < a.length; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(tolerance);
}

describe('dense', () => {
  test('singular values', () => {
    fc.assert(
      fc.property(tall, ({ rows, columns, values }) => {
        const { diagonal } = new SingularValueDecomposition(theirs(values, rows, columns), {
          autoTranspose: true,
        });
        const ours = singularValues(Float64Array.from(values), rows, columns).values;
        expectClose(ours, [...diagonal].sort((a, b) => b - a).slice(0, ours.length), 1e-9);
      }),
      { numRuns: RUNS },
    );
  });

  test('eigenvalues of symmetric matrices', () => {
    fc.assert(
      fc.property(tall, ({ rows, columns, values }) => {
        const A = theirs(values, rows, columns);
        const gram = A.transpose().mmul(A);
        const found = symmetricEigen(Float64Array.from(gram.to1DArray()), columns).values;
        const expected = new EigenvalueDecomposition(gram, { assumeSymmetric: true }).realEigenvalues;
        expectClose(
          [...found].sort((a, b) => a - b),
          expected.sort((a, b) => a - b),
          1e-9,
        );
      }),
      { numRuns: RUNS },
    );
  });

  test('least squares by QR, and Cholesky of the normal equations', () => {
    fc.assert(
      fc.property(tall, ({ rows, columns, values }) => {
        const A = theirs(values, rows, columns);
        for (let k = 0; k < columns; k++) A.set(k, k, A.get(k, k) + 8); // well conditioned
        const R = new QrDecomposition(A).upperTriangularMatrix;
        const ours = householderQr(Float64Array.from(A.transpose().to1DArray()), rows, columns);
        for (let j = 0; j < columns; j++) {
          for (let i = 0; i <= j; i++) {
            expect(Math.abs(Math.abs(ours.r[j * columns + i]) - Math.abs(R.get(i, j)))).toBeLessThan(1e-9);
          }
        }
        const gram = A.transpose().mmul(A);
        const b = Float64Array.from({ length: columns }, (_, k) => Math.sin(k + 1));
        const expected = new CholeskyDecomposition(gram).solve(Matrix.columnVector([...b])).to1DArray();
        solveDense(denseCholesky(Float64Array.from(gram.to1DArray()), columns)!, b);
        expectClose(b, expected, 1e-9);
      }),
      { numRuns: RUNS },
    );
  });
});

test('sparse: solutions are those of a dense factor', async () => {
  await fc.assert(
    fc.asyncProperty(definiteMatrix(30), async (matrix) => {
      const { size } = matrix;
      const b = Float64Array.from({ length: size }, (_, k) => Math.cos(3 * k));
      const dense = Matrix.from1DArray(size, size, Array.from(toDense(matrix)));
      const expected = new CholeskyDecomposition(dense).solve(Matrix.columnVector([...b])).to1DArray();
      const scale = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
      const factor = await factoriseSparse(matrix, {});
      factor.solve(b);
      factor.dispose();
      expectClose(b, expected, 1e-8 * scale);
    }),
    { numRuns: RUNS },
  );
});
