import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Complementarity } from '../../../src/edit/reduced/complementarity.ts';
import { KernelRows } from '../../../src/edit/reduced/kernel-rows.ts';
import { generator, solvePlainly, wasm } from './random-system.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 200;

/** B Bᵀ of `rank` columns. */
function createMatrix(seed: number, count: number, rank: number): number[][] {
  const random = generator(seed);
  const B = Array.from({ length: count }, () => Array.from({ length: rank }, random));
  return B.map((a) => B.map((b) => a.reduce((sum, x, k) => sum + x * b[k], 0)));
}

function solve(M: number[][], g: number[], compliance?: number) {
  const count = g.length;
  const rows = new KernelRows(wasm.memory);
  rows.reserve(count, count);
  M.forEach((row, i) => {
    rows.f64.set(row, rows.offset(i));
  });
  const lambda = new Float64Array(count);
  const solver = new Complementarity(wasm);
  const result = solver.solve(rows, count, Float64Array.from(g), lambda, compliance);
  solver.dispose();
  rows.dispose();
  return { lambda, ...result };
}

const slacks = (M: number[][], g: number[], lambda: ArrayLike<number>) =>
  g.map((x, i) => x - M[i].reduce((sum, m, j) => sum + m * lambda[j], 0));

test('rows push or are open, never both, and the answer is the only one', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 8 }), (seed, count) => {
      const M = createMatrix(seed, count, count + 2);
      const random = generator(seed + 1);
      const g = Array.from({ length: count }, random);
      const { lambda, isSolved } = solve(M, g);
      expect(isSolved).toBe(true);
      const found = slacks(M, g, lambda);
      found.forEach((slack, i) => {
        expect(lambda[i]).toBeLessThanOrEqual(0);
        expect(slack).toBeGreaterThan(-1e-6);
        expect(Math.abs(lambda[i] * slack)).toBeLessThan(1e-5 * (1 + lambda[i] ** 2));
      });
      // All ways to choose which rows push: one of them fits.
      const fitting = Array.from({ length: 2 ** count }, (_, mask) => {
        const pushing = g.map((_, i) => i).filter((i) => (mask >> i) & 1);
        const part = pushing.map((i) => pushing.map((j) => M[i][j]));
        const x =
          pushing.length > 0
            ? solvePlainly(
                part,
                pushing.map((i) => g[i]),
              )
            : [];
        const all = g.map(() => 0);
        pushing.forEach((i, k) => {
          all[i] = x[k];
        });
        const isOne = all.every((l) => l <= 1e-9) && slacks(M, g, all).every((s) => s >= -1e-9);
        return isOne ? all : undefined;
      }).filter((all) => all !== undefined);
      expect(fitting.length).toBeGreaterThan(0);
      fitting[0].forEach((l, i) => {
        expect(Math.abs(lambda[i] - l)).toBeLessThan(1e-4 * (1 + Math.abs(l))); // compliance gives way a little
      });
    }),
    { numRuns: RUNS },
  );
});

test('rows that say the same more than once, or the opposite, have an answer as well', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: 2, max: 20 }),
      fc.integer({ min: 1, max: 4 }),
      (seed, count, rank) => {
        const M = createMatrix(seed, count, rank);
        const g = Array.from({ length: count }, generator(seed + 1));
        for (const compliance of [0, 1e-3]) {
          const { lambda } = solve(M, g, compliance);
          expect(lambda.every((l) => l <= 0 && Number.isFinite(l))).toBe(true);
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('numbers that are not finite push nothing', () => {
  const { lambda } = solve([[Number.NaN]], [-1]);
  expect(lambda[0]).toBe(0);
});
