import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCorners } from '../../src/refit/weight-corners.ts';
import { dual, enumerateCorners, type Interval, solveGreedily, sum, twoLargest } from './blend-programs.ts';

const RUNS = process.env.PLIANT_FULL ? 20_000 : 500;
/** ⌈n/2⌉ · C(n, ⌈n/2⌉). */
const MOST_CORNERS = [1, 1, 2, 6, 12, 30, 60, 140, 280];

/** Values, and the intervals of the weights of some vertices: attained ones, as a node has them. */
const program = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 5 }), fc.boolean())
  .chain(([n, vertices, isSigned]) =>
    fc.record({
      b: fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -3, max: 3, noNaN: true })), {
        minLength: n,
        maxLength: n,
      }),
      vertices: fc.array(
        fc
          .array(fc.oneof(fc.double({ min: isSigned ? -0.3 : 0, max: 1, noNaN: true }), fc.constant(0)), {
            minLength: n,
            maxLength: n,
          })
          .map((list) => {
            const total = sum(list);
            return total > 0.1 ? list.map((w) => w / total) : list.map((_, k) => (k === 0 ? 1 : 0));
          }),
        { minLength: vertices, maxLength: vertices },
      ),
      lambda: fc.double({ min: -4, max: 4, noNaN: true }),
    }),
  );

function intervalsOf(vertices: readonly number[][]): Interval[] {
  return vertices[0].map((_, j) => {
    const own = vertices.map((w) => w[j]);
    return { low: Math.min(...own), high: Math.max(...own) };
  });
}

test('greedy, the best corner and the best λ are one optimum; any λ is a bound', () => {
  fc.assert(
    fc.property(program, ({ b, vertices, lambda }) => {
      const w = intervalsOf(vertices);
      const best = solveGreedily(b, w);
      const corners = enumerateCorners(w);
      const size = 1e-9 * (1 + sum(b.map(Math.abs)) * (1 + sum(w.map(({ low }) => Math.abs(low)))));
      expect(Math.abs(Math.max(...corners.map((r) => sum(r.map((x, j) => x * b[j])))) - best)).toBeLessThan(
        size,
      );
      expect(Math.abs(Math.min(...b.map((x) => dual(b, w, x))) - best)).toBeLessThan(size);
      expect(dual(b, w, lambda)).toBeGreaterThan(best - size);
      for (const own of vertices) expect(sum(own.map((x, j) => x * b[j]))).toBeLessThan(best + size);
      const second = [...b].sort((x, y) => y - x)[1] ?? b[0];
      expect(Math.abs(dual(b, w, second) - twoLargest(b, w))).toBeLessThan(size);
      if (b.length <= 3) expect(Math.abs(twoLargest(b, w) - best)).toBeLessThan(size);
    }),
    { numRuns: RUNS },
  );
});

test('a λ that lies is found out: caps that are too small', () => {
  expect(() =>
    fc.assert(
      fc.property(program, ({ b, vertices, lambda }) => {
        const w = intervalsOf(vertices);
        const less = w.map(({ low, high }) => ({ low, high: low + 0.5 * (high - low) }));
        return dual(b, less, lambda) > solveGreedily(b, w) - 1e-9;
      }),
      { numRuns: 2000 },
    ),
  ).toThrow('Property failed');
});

test('findCorners lists every corner once, and no more than there can be', () => {
  fc.assert(
    fc.property(program, ({ vertices }) => {
      const w = intervalsOf(vertices);
      const n = w.length;
      const out: number[] = [7];
      const count = findCorners(
        [9, ...w.map(({ low }) => low)],
        [9, ...w.map(({ high }) => high)],
        1,
        n,
        out,
      );
      expect(out.length).toBe(1 + count * n);
      expect(count).toBeLessThanOrEqual(MOST_CORNERS[n]);
      const found = Array.from({ length: count }, (_, i) => out.slice(1 + i * n, 1 + i * n + n));
      const isNear = (p: number[], q: number[]) => p.every((x, j) => Math.abs(x - q[j]) < 1e-10);
      for (const corner of found) {
        expect(Math.abs(sum(corner) - 1)).toBeLessThan(1e-10);
        corner.forEach((x, j) => {
          expect(x).toBeGreaterThan(w[j].low - 1e-9);
          expect(x).toBeLessThan(w[j].high + 1e-9);
        });
      }
      for (const corner of enumerateCorners(w))
        expect(found.some((other) => isNear(other, corner))).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

test('eight free weights have 280 corners', () => {
  const low = new Array(8).fill(0.05),
    high = new Array(8).fill(0.2 + 1e-3);
  expect(findCorners(low, high, 0, 8, [])).toBe(280);
  expect(findCorners([0, 0, 0], [1, 1, 1], 0, 3, [])).toBe(3);
  expect(findCorners([0, 0, 0], [0.6, 1, 1], 0, 3, [])).toBe(4); // figure 3 of the paper
});
