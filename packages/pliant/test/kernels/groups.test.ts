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

const EDGES = 40;
const nonZero = number.map((x) => (Math.abs(x) < 1e-3 ? 1 : x));

const pair = fc.record({
  columns: fc.integer({ min: 1, max: 9 }),
  width: fc.integer({ min: 1, max: 19 }),
  rows: fc.uniqueArray(fc.nat(VERTICES - 1), { maxLength: VERTICES }),
  otherRows: fc.uniqueArray(fc.nat(VERTICES - 1), { maxLength: VERTICES }),
  hasAll: fc.boolean(),
  otherHasAll: fc.boolean(),
  entries: fc.array(fc.tuple(fc.nat(VERTICES - 1), fc.nat(VERTICES - 1), nonZero), { maxLength: EDGES }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  seed: fc.array(nonZero, { minLength: 8, maxLength: 8 }),
});

test('functions of two groups with a sparse matrix between them', () => {
  fc.assert(
    fc.property(pair, ({ columns, width, rows, otherRows, hasAll, otherHasAll, entries, share, seed }) => {
      const all = Array.from({ length: VERTICES }, (_, i) => i);
      const listed = hasAll ? all : rows,
        otherListed = otherHasAll ? all : otherRows;
      const sorted = [...entries].sort((a, b) => a[0] - b[0]);
      const start = all.map((v) => sorted.filter(([row]) => row < v).length);
      const W = Float32Array.from({ length: listed.length * columns }, (_, k) => seed[k % 8] + k / 7),
        X = Float32Array.from({ length: otherListed.length * width }, (_, k) => seed[(k + 3) % 8] - k / 5);
      const from = Math.floor(share * listed.length);
      twins.reset();
      const startAt = twins.place(Uint32Array.from([...start, sorted.length])),
        columnAt = twins.place(Uint32Array.from(sorted, ([, column]) => column)),
        valueAt = twins.place(Float64Array.from(sorted, ([, , value]) => value)),
        rowsAt = hasAll ? 0 : twins.place(Uint32Array.from(rows)),
        weightsAt = twins.place(W),
        placeAt = otherHasAll ? 0 : twins.place(Int32Array.from(all, (v) => otherRows.indexOf(v))),
        otherAt = twins.place(X),
        before = Float64Array.from({ length: columns * width }, (_, k) => 1 + k),
        outAt = twins.place(before);
      twins.run((k) =>
        k.coupleGroups(
          startAt,
          columnAt,
          valueAt,
          rowsAt,
          from,
          listed.length,
          weightsAt,
          columns,
          placeAt,
          otherAt,
          width,
          outAt,
        ),
      );
      const expected = before.slice();
      for (const [row, column, value] of sorted) {
        const i = listed.indexOf(row),
          j = otherListed.indexOf(column);
        if (i < from || j < 0) continue;
        for (let r = 0; r < columns; r++) {
          for (let c = 0; c < width; c++) {
            expected[r * width + c] += W[i * columns + r] * value * X[j * width + c];
          }
        }
      }
      twins.f64(outAt, columns * width).forEach((x, k) => {
        expect(x).toBeCloseTo(expected[k], 6);
      });
    }),
    { numRuns: RUNS },
  );
});
