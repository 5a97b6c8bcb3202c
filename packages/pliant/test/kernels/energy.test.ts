import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 300;
const twins = await Twins.create();
const NONE = 0xffffffff;
const value = fc.double({ min: -4, max: 4, noNaN: true });
const values = (count: number) => fc.array(value, { minLength: count, maxLength: count });

interface Row {
  readonly entries: readonly (readonly [number, number])[];
  readonly scale: number;
  readonly rest: readonly number[];
}

interface PatchRows {
  readonly points: readonly number[];
  readonly open: readonly Row[];
  readonly closed: readonly Row[];
}

const weight = fc.integer({ min: -32768, max: 32767 }).map((w) => w / 1024);
const row: fc.Arbitrary<Row> = fc.record({
  // An even number, of which the last one makes all add up to 0.
  entries: fc
    .tuple(fc.array(fc.tuple(fc.nat(7), weight), { maxLength: 4 }), fc.nat(7))
    .map(([list, other]) => [...list.flatMap(([k, w]) => [[k, w] as const, [(k + other) % 8, -w] as const])]),
  scale: fc.double({ min: 0.01, max: 100, noNaN: true }).map(Math.fround),
  rest: values(3).map((list) => list.map(Math.fround)),
});
const patchRows: fc.Arbitrary<PatchRows> = fc.record({
  points: fc.array(fc.nat(7), { minLength: 1, maxLength: 8 }),
  open: fc.array(row, { maxLength: 4 }),
  closed: fc.array(row, { maxLength: 4 }),
});

/** How often the first row counts in loose Grams; other open ones do twice. */
const MANY = 5;

/** Entries are numbered within the patch; each row is a group of its own. */
function bytesOf(patches: readonly PatchRows[]): Uint32Array {
  const words: number[] = [];
  const float = new Float32Array(1);
  const push = (x: number) => {
    float[0] = x;
    words.push(new Uint32Array(float.buffer)[0]);
  };
  let slot = 0;
  for (const { points, open, closed } of patches) {
    words.push(...points.map((point) => 24 * point), slot);
    push(MANY);
    slot += open.length;
    for (const rows of [open.slice(0, 1), open.slice(1), closed]) {
      for (const { entries, scale, rest } of rows) {
        words.push((1 << 16) | (entries.length / 2));
        for (const x of [...rest, scale]) push(x);
        for (let k = 0; k < entries.length; k += 2) {
          words.push((entries[k][0] % points.length) | ((entries[k + 1][0] % points.length) << 16));
          push(entries[k][1]);
          push(entries[k + 1][1]);
        }
      }
      words.push(0);
    }
  }
  return Uint32Array.from(words);
}

/** The order of products in a Gram: of s, or of X and s. */
const PRODUCTS = [
  'xx',
  'yx',
  '', // the reach
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
  if (name === '') return 0;
  const [p, q] = name;
  const first = 'xyz'.includes(p) ? s['xyz'.indexOf(p)] : X['XYZ'.indexOf(p)];
  return first * t['xyz'.indexOf(q)];
};

test('sumEnergies adds up products of Laplacians, and knows where points are', () => {
  fc.assert(
    fc.property(
      values(24),
      fc.array(patchRows, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(0, 1e3, 1e9),
      (local, patches, far) => {
        twins.reset();
        const x = local.map((v, k) => v + (k % 3) * far);
        const points = twins.place(Float64Array.from(x)),
          rows = twins.place(bytesOf(patches)),
          counts = twins.place(Uint32Array.from(patches, (patch) => patch.points.length)),
          near = twins.reserve(16 * 8),
          slots = twins.reserve(48 * 16),
          grams = twins.reserve(128 * patches.length),
          loose = twins.reserve(128 * patches.length),
          boxes = twins.reserve(48 * patches.length);
        twins.run((k) =>
          k.sumEnergies(rows, counts, patches.length, points, near, slots, grams, loose, boxes),
        );
        let slot = 0;
        patches.forEach((patch, p) => {
          const found = twins.f64(grams + 128 * p, 16);
          const at = (k: number, c: number) => x[3 * patch.points[k % patch.points.length] + c];
          const reach = Math.max(
            ...patch.points.map((_, k) => Math.hypot(...[0, 1, 2].map((c) => at(k, c) - at(0, c)))),
          );
          expect(found[2]).toBeGreaterThanOrEqual(reach);
          expect(found[2]).toBeLessThan(2 * reach + 1e-20);
          const box = twins.f64(boxes + 48 * p, 6);
          for (let c = 0; c < 3; c++) {
            const low = Math.min(...patch.points.map((_, k) => at(k, c))),
              high = Math.max(...patch.points.map((_, k) => at(k, c)));
            const room = 1e-6 * reach + 1e-14 * Math.abs(high) + 1e-20;
            expect(box[c]).toBeLessThanOrEqual(low);
            expect(box[c]).toBeGreaterThanOrEqual(low - room);
            expect(box[3 + c]).toBeGreaterThanOrEqual(high);
            expect(box[3 + c]).toBeLessThanOrEqual(high + room);
          }
          const expected = new Float64Array(16),
            size = new Float64Array(16),
            wide = new Float64Array(16),
            wideSize = new Float64Array(16);
          for (const [r, { entries, scale, rest }] of [...patch.open, ...patch.closed].entries()) {
            const times = r >= patch.open.length ? 1 : r === 0 ? MANY : 2;
            const s = [0, 1, 2].map(
              (c) => scale * entries.reduce((sum, [k, w]) => sum + w * (at(k, c) - at(0, c)), 0),
            );
            // As the certificates promise it, see energy-program.ts.
            const off =
              16 *
              2 ** -24 *
              Math.abs(scale) *
              entries.reduce((sum, [, w]) => sum + Math.abs(w), 0) *
              (reach + 1e-30);
            if (r < patch.open.length) {
              const kept = twins.f64(slots + 48 * slot++, 3);
              s.forEach((v, c) => {
                expect(Math.abs(kept[c] - v)).toBeLessThanOrEqual(off);
              });
            }
            const most = s.map((v) => Math.abs(v) + off),
              mostRest = rest.map((v) => Math.abs(v) + off);
            PRODUCTS.forEach((name, k) => {
              const exact = product(name, s, rest);
              const error = product(name, most, mostRest) - Math.abs(exact) + 1e-14 * Math.abs(exact);
              expected[k] += exact;
              size[k] += error;
              wide[k] += times * exact;
              wideSize[k] += times * error;
            });
          }
          const foundLoose = twins.f64(loose + 128 * p, 16);
          expect(foundLoose[2]).toBe(found[2]);
          expected.forEach((sum, k) => {
            if (k === 2) return;
            expect(Math.abs(found[k] - sum)).toBeLessThanOrEqual(size[k] + 1e-25);
            expect(Math.abs(foundLoose[k] - wide[k])).toBeLessThanOrEqual(wideSize[k] + 1e-25);
          });
        });
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
      expect(found[2]).toBe(Math.max(a[2], b[2]));
      PRODUCTS.forEach((name, k) => {
        if (name === '') return;
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
