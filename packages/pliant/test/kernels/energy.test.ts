import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 300;
const twins = await Twins.create();
const NONE = 0xffffffff;
const value = fc.double({ min: -4, max: 4, noNaN: true });
const values = (count: number) => fc.array(value, { minLength: count, maxLength: count });

interface Row {
  readonly point: number;
  readonly neighbours: readonly (readonly [number, number])[];
  readonly scale: number;
  readonly slot: number;
  readonly rest: readonly number[];
}

const row: fc.Arbitrary<Row> = fc.record({
  point: fc.nat(7),
  neighbours: fc.array(fc.tuple(fc.nat(7), fc.integer({ min: -32768, max: 32767 })), { maxLength: 8 }),
  scale: value.map(Math.fround),
  slot: fc.constantFrom(NONE, 0, 1, 2, 3),
  rest: values(3).map((list) => list.map(Math.fround)),
});

/** Neighbours are numbered within the patch. */
function bytesOf(patches: readonly (readonly Row[])[]): Uint32Array {
  const words = patches.flat().reduce((sum, { neighbours }) => sum + 7 + neighbours.length, 0);
  const view = new DataView(new ArrayBuffer(4 * words));
  let o = 0;
  for (const rows of patches) {
    for (const { point } of rows) {
      view.setUint32(o, 24 * point, true);
      o += 4;
    }
    for (const { neighbours, scale, slot, rest } of rows) {
      view.setUint32(o, neighbours.length, true);
      view.setFloat32(o + 4, scale, true);
      view.setUint32(o + 8, slot, true);
      rest.forEach((x, k) => {
        view.setFloat32(o + 12 + 4 * k, x, true);
      });
      o += 24;
      for (const [q, weight] of neighbours) {
        view.setUint16(o, q % rows.length, true);
        view.setInt16(o + 2, weight, true);
        o += 4;
      }
    }
  }
  return new Uint32Array(view.buffer);
}

/** The order of products in a Gram: of s, or of X and s. */
const PRODUCTS = [
  'xx',
  'yx',
  'xy',
  'yy',
  'xz',
  'yz',
  'Zz',
  'zz',
  'Xz',
  'Yz',
  'Xx',
  'Xy',
  'Yx',
  'Yy',
  'Zx',
  'Zy',
];
const product = (name: string, s: readonly number[], X: readonly number[], t = s) => {
  const [p, q] = name;
  const first = 'xyz'.includes(p) ? s['xyz'.indexOf(p)] : X['XYZ'.indexOf(p)];
  return first * t['xyz'.indexOf(q)];
};

test('sumEnergies adds up products of Laplacians', () => {
  fc.assert(
    fc.property(
      values(24),
      fc.array(fc.array(row, { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      (x, patches) => {
        twins.reset();
        const points = twins.place(Float64Array.from(x)),
          rows = twins.place(bytesOf(patches)),
          counts = twins.place(Uint32Array.from(patches, (list) => list.length)),
          near = twins.reserve(24 * 8),
          slots = twins.reserve(48 * 4),
          grams = twins.reserve(128 * patches.length);
        twins.run((k) => k.sumEnergies(rows, counts, patches.length, points, near, slots, grams));
        const kept = new Map<number, number[]>();
        patches.forEach((list, patch) => {
          const found = twins.f64(grams + 128 * patch, 16);
          const expected = new Float64Array(16),
            size = new Float64Array(16);
          for (const { point, neighbours, scale, slot, rest } of list) {
            const s = [0, 1, 2].map(
              (k) =>
                scale *
                neighbours.reduce(
                  (sum, [q, w]) =>
                    sum + (w / 1024) * (x[3 * list[q % list.length].point + k] - x[3 * point + k]),
                  0,
                ),
            );
            if (slot !== NONE) kept.set(slot, s);
            PRODUCTS.forEach((name, k) => {
              expected[k] += product(name, s, rest);
              size[k] += Math.abs(product(name, s, rest));
            });
          }
          expected.forEach((sum, k) => {
            expect(Math.abs(found[k] - sum)).toBeLessThanOrEqual(1e-12 * size[k] + 1e-12);
          });
        });
        for (const [slot, s] of kept) {
          s.forEach((v, k) => {
            expect(twins.f64(slots + 48 * slot, 3)[k]).toBeCloseTo(v, 9);
          });
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('joinEnergies is the Gram of the sums of shared rows', () => {
  const entry = fc.record({ s: values(3), t: values(3), X: values(3), Y: values(3), keep: fc.boolean() });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), values(16), values(16), (list, a, b) => {
      twins.reset();
      const n = list.length;
      const slots = twins.place(
          Float64Array.from([
            ...list.flatMap(({ s, X }) => [...s, ...X]),
            ...list.flatMap(({ t, Y }) => [...t, ...Y]),
            ...new Array(6 * n).fill(0),
          ]),
        ),
        shared = twins.place(
          Uint32Array.from(list.flatMap(({ keep }, k) => [k, n + k, keep ? 2 * n + k : NONE])),
        ),
        first = twins.place(Float64Array.from(a)),
        second = twins.place(Float64Array.from(b)),
        out = twins.reserve(128);
      twins.run((k) => k.joinEnergies(first, second, shared, n, slots, out));
      const found = twins.f64(out, 16);
      PRODUCTS.forEach((name, k) => {
        const [more, size] = list.reduce(
          ([sum, total], { s, t, X, Y }) => {
            const st = s.map((v, c) => v + t[c]),
              XY = X.map((v, c) => v + Y[c]);
            const cross = product(name, st, XY) - product(name, s, X) - product(name, t, Y);
            return [
              sum + cross,
              total +
                Math.abs(product(name, st, XY)) +
                Math.abs(product(name, s, X)) +
                Math.abs(product(name, t, Y)),
            ];
          },
          [0, Math.abs(a[k]) + Math.abs(b[k])],
        );
        expect(Math.abs(found[k] - (a[k] + b[k] + more))).toBeLessThanOrEqual(1e-12 * size + 1e-12);
      });
      list.forEach(({ s, t, keep }, k) => {
        expect([...twins.f64(slots + 48 * (2 * n + k), 3)]).toEqual(
          keep ? s.map((v, c) => v + t[c]) : [0, 0, 0],
        );
      });
    }),
    { numRuns: RUNS },
  );
});
