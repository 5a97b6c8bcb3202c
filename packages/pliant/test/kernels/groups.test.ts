import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 200;
const twins = await Twins.create();
const VERTICES = 13;
const STRIDE = 12;

const number = fc.double({ min: -2, max: 2, noNaN: true });
const numbers = (count: number) => fc.array(number, { minLength: count, maxLength: count });

const group = fc.integer({ min: 0, max: 9 }).chain((columns) =>
  fc.uniqueArray(fc.nat(VERTICES - 1), { maxLength: VERTICES }).chain((rows) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.constant(rows),
      hasAll: fc.boolean(),
      weights: numbers(VERTICES * columns),
      v: numbers(3 * STRIDE),
      points: numbers(3 * VERTICES),
      isAdding: fc.boolean(),
    }),
  ),
);

test('functions times coefficients, and their transposes times points', () => {
  fc.assert(
    fc.property(group, ({ columns, rows, hasAll, weights, v, points, isAdding }) => {
      const listed = hasAll ? Array.from({ length: VERTICES }, (_, i) => i) : rows;
      const W = Float32Array.from(weights);
      twins.reset();
      const rowsAt = hasAll ? 0 : twins.place(Uint32Array.from(rows)),
        weightsAt = twins.place(W),
        vAt = twins.place(Float64Array.from(v)),
        pAt = twins.place(Float64Array.from(points)),
        outAt = twins.place(Float64Array.from(v));
      const shared = [rowsAt, listed.length, weightsAt, columns] as const;
      twins.run((k) => k.projectGroup(...shared, pAt, outAt, STRIDE));
      twins.run((k) => k.gatherGroup(...shared, vAt, STRIDE, pAt, Number(isAdding)));
      const p = twins.f64(pAt, 3 * VERTICES),
        out = twins.f64(outAt, 3 * STRIDE);
      for (let vertex = 0; vertex < VERTICES; vertex++) {
        const row = listed.indexOf(vertex);
        for (let axis = 0; axis < 3; axis++) {
          let sum = row >= 0 && !isAdding ? 0 : points[3 * vertex + axis];
          for (let k = 0; row >= 0 && k < columns; k++) sum += W[row * columns + k] * v[axis * STRIDE + k];
          expect(p[3 * vertex + axis]).toBeCloseTo(sum, 10);
        }
      }
      for (let axis = 0; axis < 3; axis++) {
        for (let k = 0; k < STRIDE; k++) {
          let sum = v[axis * STRIDE + k];
          for (let row = 0; k < columns && row < listed.length; row++) {
            sum += W[row * columns + k] * points[3 * listed[row] + axis];
          }
          expect(out[axis * STRIDE + k]).toBeCloseTo(sum, 10);
        }
      }
    }),
    { numRuns: RUNS },
  );
});
