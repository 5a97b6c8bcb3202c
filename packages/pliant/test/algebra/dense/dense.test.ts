import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  denseCholesky,
  solveDense,
  solveLower,
  solveLowerTransposed,
} from '../../../src/algebra/dense/cholesky.ts';
import { gramOf, isTurned, multiplyColumns, projectColumn } from '../../../src/algebra/dense/columns.ts';
import { householderQr } from '../../../src/algebra/dense/qr.ts';
import { singularValues } from '../../../src/algebra/dense/singular-values.ts';
import { symmetricEigen } from '../../../src/algebra/dense/symmetric-eigen.ts';

const RUNS = process.env.PLIANT_FULL ? 20_000 : 300;

const entry = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ min: -3, max: 3, noNaN: true }),
  fc.constantFrom(0, 0, 1e-9, 1e9, 1e-200),
);
const matrixOf = (rows: number, columns: number) =>
  fc.array(entry, { minLength: rows * columns, maxLength: rows * columns }).map((m) => Float64Array.from(m));
const anyMatrix = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  .chain(([rows, columns]) =>
    fc.record({ rows: fc.constant(rows), columns: fc.constant(columns), matrix: matrixOf(rows, columns) }),
  );
const anySymmetric = fc
  .integer({ min: 1, max: 14 })
  .chain((size) => fc.record({ size: fc.constant(size), matrix: matrixOf(size, size) }))
  .map(({ size, matrix }) => {
    for (let j = 0; j < size; j++) for (let i = 0; i < j; i++) matrix[j * size + i] = matrix[i * size + j];
    return { size, matrix };
  });

describe('products of columns', () => {
  test('are those of plain loops, for every number of columns', () => {
    fc.assert(
      fc.property(anyMatrix, ({ rows, columns, matrix }) => {
        const x = Float64Array.from({ length: rows }, (_, i) => Math.sin(i + 1));
        const out = new Float64Array(columns);
        projectColumn(matrix, rows, columns, x, 0, out);
        for (let j = 0; j < columns; j++) {
          let sum = 0,
            size = 0;
          for (let i = 0; i < rows; i++) {
            sum += x[i] * matrix[j * rows + i];
            size += Math.abs(x[i] * matrix[j * rows + i]);
          }
          expect(Math.abs(out[j] - sum)).toBeLessThanOrEqual(1e-14 * size);
        }
        const product = multiplyColumns(matrix, rows, columns, out, 1);
        for (let i = 0; i < rows; i++) {
          let sum = 0,
            size = 0;
          for (let j = 0; j < columns; j++) {
            sum += out[j] * matrix[j * rows + i];
            size += Math.abs(out[j] * matrix[j * rows + i]);
          }
          expect(Math.abs(product[i] - sum)).toBeLessThanOrEqual(1e-14 * size);
        }
      }),
    );
  });

  test('the sign rule takes the first of nearly equal entries', () => {
    expect(isTurned(3, Float64Array.of(0.1, -0.70000001, 0.7), 0)).toBe(true);
    expect(isTurned(3, Float64Array.of(0.1, 0.7, -0.70000001), 0)).toBe(false);
  });
});

describe('symmetric eigenpairs', () => {
  test('give the matrix back, orthonormal, ascending, with fixed signs', () => {
    fc.assert(
      fc.property(anySymmetric, ({ size, matrix }) => {
        const { values, vectors } = symmetricEigen(matrix, size);
        const norm = Math.max(...matrix.map(Math.abs), 1e-300);
        expect(unitError(vectors, size, size)).toBeLessThan(1e-13);
        const scaled = vectors.map((x, k) => (x * values[Math.trunc(k / size)]) / norm);
        const back = multiplyColumns(scaled, size, size, transpose(vectors, size, size), size);
        expect(
          difference(
            back,
            matrix.map((x) => x / norm),
          ),
        ).toBeLessThan(1e-13 * size);
        for (let k = 1; k < size; k++) expect(values[k]).toBeGreaterThanOrEqual(values[k - 1]);
        for (let k = 0; k < size; k++) expect(isTurned(size, vectors, k * size)).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  test.each([1, 2, 3, 50, 200])('of the second difference, %i rows: 2 − 2 cos(kπ / (n + 1))', (size) => {
    const matrix = new Float64Array(size * size);
    for (let k = 0; k < size; k++) {
      matrix[k * size + k] = 2;
      if (k > 0) matrix[k * size + k - 1] = matrix[(k - 1) * size + k] = -1;
    }
    const { values } = symmetricEigen(matrix, size);
    values.forEach((value, k) => {
      expect(Math.abs(value - (2 - 2 * Math.cos(((k + 1) * Math.PI) / (size + 1))))).toBeLessThan(2e-14);
    });
  });

  test('multiple eigenvalues keep orthonormal vectors', () => {
    const size = 40;
    const matrix = new Float64Array(size * size).fill(1); // rank 1
    for (let k = 0; k < size; k++) matrix[k * size + k] += 3;
    const { values, vectors } = symmetricEigen(matrix, size);
    for (let k = 0; k < size - 1; k++) expect(values[k]).toBeCloseTo(3, 12);
    expect(values[size - 1]).toBeCloseTo(3 + size, 11);
    expect(unitError(vectors, size, size)).toBeLessThan(1e-13);
  });

  test('of matrices near the ends of the number range', () => {
    const steep = new Float64Array(16); // squares of its small entries have hardly a digit left
    steep[3] = steep[12] = 4.715183354107887e-162;
    steep[15] = 1;
    expect([...symmetricEigen(steep, 4).values]).toEqual([0, 0, 0, 1]);
    for (const scale of [1e-300, 1e300]) {
      const { values } = symmetricEigen(Float64Array.of(2 * scale, scale, scale, 2 * scale), 2);
      expect(values[0] / scale).toBeCloseTo(1, 14);
      expect(values[1] / scale).toBeCloseTo(3, 14);
    }
    expect(() => symmetricEigen(Float64Array.of(1, Number.NaN, Number.NaN, 1), 2)).toThrow('not finite');
  });
});

describe('QR', () => {
  test.each([false, true])('gives the matrix back (pivot: %s)', (pivot) => {
    fc.assert(
      fc.property(anyMatrix, ({ rows, columns, matrix }) => {
        const { rank, q, r, order } = householderQr(matrix, rows, columns, { pivot });
        expect(unitError(q, rows, rank)).toBeLessThan(1e-13);
        const back = multiplyColumns(q, rows, rank, r, columns);
        const norm = Math.max(...matrix.map(Math.abs), 1e-300);
        for (let k = 0; k < columns; k++) {
          for (let i = 0; i < rows; i++) {
            expect(Math.abs(back[k * rows + i] - matrix[order[k] * rows + i])).toBeLessThan(1e-12 * norm);
          }
          for (let i = k + 1; i < rank; i++) expect(r[k * rank + i]).toBe(0);
          if (k < rank) expect(r[k * rank + k]).toBeGreaterThanOrEqual(0);
          if (pivot && k > 0 && k < rank) {
            expect(r[k * rank + k]).toBeLessThanOrEqual(r[(k - 1) * rank + k - 1] * (1 + 1e-12));
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('singular values', () => {
  test('give the matrix back, descending, orthonormal even where they are zero', () => {
    fc.assert(
      fc.property(anyMatrix, ({ rows, columns, matrix }) => {
        const { values, left, right } = singularValues(matrix, rows, columns);
        const k = Math.min(rows, columns);
        expect(values.length).toBe(k);
        expect(unitError(left, rows, k)).toBeLessThan(1e-13);
        expect(unitError(right, columns, k)).toBeLessThan(1e-13);
        const scaled = left.map((x, i) => x * values[Math.trunc(i / rows)]);
        const back = multiplyColumns(scaled, rows, k, transpose(right, columns, k), columns);
        expect(difference(back, matrix)).toBeLessThan(1e-13 * Math.max(...matrix.map(Math.abs), 1e-300) * 12);
        for (let i = 1; i < k; i++) expect(values[i]).toBeLessThanOrEqual(values[i - 1]);
      }),
      { numRuns: RUNS },
    );
  });

  test('small ones keep their digits where columns differ in length', () => {
    // Orthogonal columns times a steep diagonal: the singular values are the column lengths.
    const size = 6;
    const q = householderQr(
      Float64Array.from({ length: 60 }, (_, i) => Math.sin(7 * i + 1)),
      10,
      size,
    ).q;
    const scales = [1, 1e-4, 1e-8, 1e-12, 1e-16, 1e-20];
    const { values } = singularValues(
      q.map((x, i) => x * scales[Math.trunc(i / 10)]),
      10,
      size,
    );
    values.forEach((value, k) => {
      expect(Math.abs(value / scales[k] - 1)).toBeLessThan(1e-13);
    });
  });

  test('of 120 columns agree with the roots of the eigenvalues of AᵀA', () => {
    const rows = 150,
      columns = 120;
    const matrix = Float64Array.from({ length: rows * columns }, (_, i) => Math.sin(i * i * 0.37 + i));
    const { values } = singularValues(matrix, rows, columns);
    const squares = symmetricEigen(gramOf(matrix, columns, matrix, columns, rows), columns).values;
    values.forEach((value, k) => {
      expect(Math.abs(value * value - squares[columns - 1 - k])).toBeLessThan(1e-12 * squares[columns - 1]);
    });
  });
});

describe('Cholesky', () => {
  test('solves what AᵀA + I times x gives', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1000 }), (size, seed) => {
        const a = Float64Array.from({ length: size * size }, (_, i) => Math.sin(seed * (i + 1)));
        const matrix = gramOf(a, size, a, size, size);
        for (let k = 0; k < size; k++) matrix[k * size + k] += 1;
        const x = Float64Array.from({ length: 2 * size }, (_, i) => Math.cos(i + seed));
        const b = multiplyColumns(matrix, size, size, x, 2);
        const factor = denseCholesky(matrix, size)!;
        const halves = b.slice();
        solveDense(factor, b, 2);
        expect(difference(b, x)).toBeLessThan(1e-11);
        solveLower(factor, halves, 2);
        solveLowerTransposed(factor, halves, 2);
        expect(difference(halves, b)).toBe(0);
      }),
    );
  });

  test('refuses what is not positive definite', () => {
    expect(denseCholesky(Float64Array.of(1, 2, 2, 1), 2)).toBeUndefined();
    expect(denseCholesky(Float64Array.of(Number.NaN), 1)).toBeUndefined();
    expect(denseCholesky(Float64Array.of(0), 1)).toBeUndefined();
  });
});

function unitError(q: Float64Array, rows: number, columns: number): number {
  const gram = gramOf(q, columns, q, columns, rows);
  for (let k = 0; k < columns; k++) gram[k * columns + k] -= 1;
  return Math.max(0, ...gram.map(Math.abs));
}

function difference(a: Float64Array, b: Float64Array): number {
  return a.reduce((worst, x, i) => Math.max(worst, Math.abs(x - b[i])), 0);
}

function transpose(matrix: Float64Array, rows: number, columns: number): Float64Array {
  return Float64Array.from(
    { length: rows * columns },
    (_, i) => matrix[(i % columns) * rows + Math.trunc(i / columns)],
  );
}
