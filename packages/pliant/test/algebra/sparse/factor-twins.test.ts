import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../src/algebra/sparse/analysis.ts';
import { entryTargets } from '../../../src/algebra/sparse/entry-targets.ts';
import { createFactorKernels, type FactorKernels } from '../../../src/algebra/sparse/factor-kernels.ts';
import { HEADER, layOut, writeTables } from '../../../src/algebra/sparse/factor-memory.ts';
import type { FactorOptions } from '../../../src/algebra/sparse/factor-options.ts';
import { SparseFactor } from '../../../src/algebra/sparse/sparse-factor.ts';
import type { SymmetricMatrix } from '../../../src/algebra/sparse/symmetric-matrix.ts';
import { factoriseUpLooking } from '../../../src/algebra/sparse/up-looking.ts';
import { definiteMatrix, latticeLaplacian, randomNumbers } from './matrices.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 100;

/** Factorises with both kernels and compares everything in their memories but the scratch. */
async function expectTwins(matrix: SymmetricMatrix, options: FactorOptions = {}): Promise<void> {
  const analysis = analyse(matrix, options);
  const layout = layOut(analysis);
  const make = async (choice: 'wasm' | 'ts'): Promise<[SparseFactor, FactorKernels]> => {
    const kernels = await createFactorKernels(choice, layout.bytes);
    writeTables(kernels.buffer, layout, analysis);
    const diagonal = matrix.start.slice(0, matrix.size);
    const factor = new SparseFactor(analysis, layout, entryTargets(matrix, analysis), diagonal, kernels);
    await factor.refactor(matrix.value);
    return [factor, kernels];
  };
  const [a, wasm] = await make('wasm');
  const [b, ts] = await make('ts');
  // What is above the diagonal of a triangle is not part of the factor: whole tiles are written there.
  clearAbove(wasm.buffer);
  clearAbove(ts.buffer);
  const bytes = (from: number, to: number) => {
    const x = new Uint8Array(wasm.buffer, from, to - from),
      y = new Uint8Array(ts.buffer, from, to - from);
    expect(Buffer.compare(x, y)).toBe(0);
  };
  bytes(HEADER, layout.scratch);
  bytes(layout.panels, layout.bytes);
  for (const columns of [1, 8, 11]) {
    const random = randomNumbers(columns);
    const x = Float64Array.from({ length: columns * matrix.size }, () => random() - 0.5);
    const y = x.slice();
    a.solve(x, columns);
    b.solve(y, columns);
    expect(x).toEqual(y);
  }

  function clearAbove(buffer: ArrayBuffer): void {
    const { supernodes, blockSize, panelStart } = analysis;
    const numbers = new Float64Array(buffer, layout.panels, panelStart[supernodes.count]);
    for (let s = 0; s < supernodes.count; s++) {
      const width = (supernodes.first[s + 1] - supernodes.first[s]) * blockSize,
        stride = width + (width & 1);
      for (let i = 0; i < width; i++)
        numbers.fill(0, panelStart[s] + i * stride + i + 1, panelStart[s] + i * stride + width);
    }
  }
}

describe('wasm and TypeScript leave the same bytes', () => {
  test.each([1, 2, 3])('for any matrix of blocks of %i', async (b) => {
    await fc.assert(
      fc.asyncProperty(definiteMatrix(30, b), async (matrix) => expectTwins(matrix, { blockSize: b })),
      { numRuns: RUNS },
    );
  });

  test('for a lattice with wide panels', async () => {
    const { matrix, points } = latticeLaplacian(9, 8, 9);
    await expectTwins(matrix, { points, ordering: 'nested-dissection' });
    await expectTwins(matrix, { ordering: 'minimum-degree' });
  });
});

describe('supernodes', () => {
  test('have room for every entry of the plain factor, and for at most as many zeros', () => {
    fc.assert(
      fc.property(definiteMatrix(40), (matrix) => {
        const { supernodes, nonZeros, order } = analyse(matrix, { blockSize: 1 });
        const { count, first, rowStart, row } = supernodes;
        expect(Array.from(order).sort((x, y) => x - y)).toEqual(Array.from(order, (_, i) => i));
        const plain = factoriseUpLooking(matrix, order);
        let stored = 0;
        for (let s = 0; s < count; s++) {
          const width = first[s + 1] - first[s];
          expect(width).toBeGreaterThan(0);
          expect(width).toBeLessThanOrEqual(96);
          stored += (width * (width + 1)) / 2 + width * (rowStart[s + 1] - rowStart[s]);
          const rows = new Set(row.subarray(rowStart[s], rowStart[s + 1]));
          for (let p = plain.start[first[s]]; p < plain.start[first[s + 1]]; p++)
            expect(plain.row[p] < first[s + 1] || rows.has(plain.row[p])).toBe(true);
          for (let p = rowStart[s]; p < rowStart[s + 1]; p++) {
            expect(row[p]).toBeGreaterThanOrEqual(p > rowStart[s] ? row[p - 1] + 1 : first[s + 1]);
          }
        }
        expect(stored).toBeGreaterThanOrEqual(nonZeros);
        expect(stored).toBeLessThanOrEqual(2 * nonZeros);
      }),
      { numRuns: RUNS },
    );
  });
});
