import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factoriseSparse } from '../../../src/algebra/sparse/factorise.ts';
import { NotPositiveDefinite } from '../../../src/algebra/sparse/not-positive-definite.ts';
import {
  addScaled,
  diagonalMatrix,
  type SymmetricMatrix,
} from '../../../src/algebra/sparse/symmetric-matrix.ts';
import { definiteMatrix, latticeLaplacian } from './matrices.ts';

async function refusal(matrix: SymmetricMatrix, kernels: 'wasm' | 'ts'): Promise<NotPositiveDefinite> {
  const result = await factoriseSparse(matrix, { kernels }).then(
    () => undefined,
    (error) => error,
  );
  expect(result).toBeInstanceOf(NotPositiveDefinite);
  return result;
}

describe.each(['wasm', 'ts'] as const)('with %s kernels', (kernels) => {
  test('a negative or zero diagonal is refused with its row', async () => {
    for (const bad of [0, -2]) {
      const error = await refusal(diagonalMatrix([3, 1, bad, 5]), kernels);
      expect(error.row).toBe(2);
      expect(error.pivot).toBe(bad);
      expect(error.message).toContain(`row 2 has the pivot ${bad}, from a diagonal entry of ${bad}`);
    }
  });

  test('matrices that are indefinite somewhere inside are refused', async () => {
    await fc.assert(
      fc.asyncProperty(definiteMatrix(30), fc.nat(), async (matrix, pick) => {
        const shift = new Float64Array(matrix.size);
        const row = pick % matrix.size;
        shift[row] = 1;
        // More than the diagonal entry: xᵀ A x < 0 for a unit vector x.
        const bad = addScaled(matrix, diagonalMatrix(shift), -1.01 * matrix.value[matrix.start[row]]);
        const error = await refusal(bad, kernels);
        expect(error.pivot).toBeLessThanOrEqual(2 ** -47 * Math.abs(error.diagonal));
      }),
      { numRuns: 60 },
    );
  });

  test('a singular matrix is refused although rounding may leave a positive pivot', async () => {
    for (const n of [3, 6, 9]) {
      const { matrix } = latticeLaplacian(n, 4, n + 1, 0); // constants are in its kernel
      const shift = diagonalMatrix(new Float64Array(matrix.size).fill(1));
      const error = await refusal(matrix, kernels);
      expect(matrix.value[matrix.start[error.row]]).toBe(error.diagonal);
      await refusal(addScaled(matrix, shift, -1e-9), kernels);
      (await factoriseSparse(addScaled(matrix, shift, 1e-9), { kernels })).dispose();
    }
  });
});

describe('bad input', () => {
  const matrix = diagonalMatrix([1, 2, 3]);
  test('is refused at the door', async () => {
    const nan = { ...matrix, value: Float64Array.of(1, Number.NaN, 3) };
    await expect(factoriseSparse(nan)).rejects.toThrow('the entry in row 1, column 1 is NaN');
    await expect(factoriseSparse(matrix, { ordering: 'fastest' as never })).rejects.toThrow(
      'ordering must be',
    );
    await expect(factoriseSparse(matrix, { kernels: 'gpu' as never })).rejects.toThrow('kernels must be');
    await expect(factoriseSparse(matrix, { blockSize: 2 })).rejects.toThrow(
      'blockSize 2 does not divide the size 3',
    );
    await expect(factoriseSparse(matrix, { blockSize: 97 })).rejects.toThrow(
      'blockSize must be a whole number up to 96',
    );
    await expect(factoriseSparse(matrix, { points: new Float64Array(8) })).rejects.toThrow(
      'points has 8 numbers, expected 9',
    );
    await expect(factoriseSparse(matrix, { slice: 0 })).rejects.toThrow('slice');
    await expect(factoriseSparse(matrix, { signal: {} as never })).rejects.toThrow('signal');
    const factor = await factoriseSparse(matrix);
    expect(() => factor.solve(new Float64Array(4))).toThrow('b has 4 numbers, expected 3');
    expect(() => factor.solve(new Float64Array(3), 0.5)).toThrow('columns');
  });

  test('a factor that would not fit is refused with the bytes it needs', async () => {
    const big = latticeLaplacian(6, 6, 6).matrix;
    const { bytes } = await factoriseSparse(big);
    await expect(factoriseSparse(big, { maximumBytes: bytes - 1 })).rejects.toThrow(
      `needs ${bytes} bytes; there may be ${bytes - 1}`,
    );
    await expect(factoriseSparse(big, { maximumBytes: bytes - 1 })).rejects.toMatchObject({
      code: 'too-large',
    });
    (await factoriseSparse(big, { maximumBytes: bytes })).dispose();
  });

  test('a factor larger than any wasm memory is refused before it is allocated', async () => {
    // One unknown beside all others, eliminated first: L is full, 4.6 GB.
    const nodes = 34_000;
    const start = Int32Array.from({ length: nodes + 1 }, (_, j) => (j === 0 ? 0 : nodes + j - 1));
    const row = new Int32Array(2 * nodes - 1),
      value = new Float64Array(2 * nodes - 1);
    for (let i = 0; i < nodes; i++) {
      row[i] = i; // the first column
      value[i] = i === 0 ? 2 * nodes : 1;
      if (i > 0) row[nodes + i - 1] = i;
      if (i > 0) value[nodes + i - 1] = 2;
    }
    const arrow = { size: nodes, start, row, value };
    const natural = Int32Array.from({ length: nodes }, (_, i) => i);
    await expect(factoriseSparse(arrow, { ordering: natural })).rejects.toThrow(
      /needs 4[67]\d{8} bytes; there may be 4294901760/,
    );
    const factor = await factoriseSparse(arrow); // the order that it should have had
    expect(factor.nonZeros).toBe(2 * nodes - 1);
  });
});

describe('a long factorisation', () => {
  const { matrix } = latticeLaplacian(9, 9, 9);
  test('reports its progress', async () => {
    const seen: number[] = [];
    await factoriseSparse(matrix, { slice: 1, kernels: 'ts', onProgress: (fraction) => seen.push(fraction) });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen[seen.length - 1]).toBe(1);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  test('stops when it is told to', async () => {
    const controller = new AbortController();
    const work = factoriseSparse(matrix, {
      slice: 1,
      kernels: 'ts',
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await expect(work).rejects.toThrow('enough');
    await expect(factoriseSparse(matrix, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    );
  });

  test('cannot be used or disposed of meanwhile', async () => {
    const factor = await factoriseSparse(matrix);
    const work = factor.refactor(matrix.value, { slice: 1 });
    expect(() => factor.solve(new Float64Array(matrix.size))).toThrow('being computed');
    expect(() => factor.dispose()).toThrow('being computed');
    await expect(factor.refactor(matrix.value)).rejects.toThrow('being computed');
    await work;
    factor.dispose();
    expect(() => factor.solve(new Float64Array(matrix.size))).toThrow('disposed');
    await expect(factor.refactor(matrix.value)).rejects.toThrow('disposed');
    factor.dispose();
  });
});
