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
  readonly scale: number;
  readonly rest: readonly number[];
}

interface TestPatch {
  /** Open ones that many patches have, open ones, closed ones: one for each point. */
  readonly rows: readonly [readonly Row[], readonly Row[], readonly Row[]];
  readonly edges: readonly (readonly [a: number, b: number, weight: number])[];
}

const POINTS = 8;
const row: fc.Arbitrary<Row> = fc.record({
  point: fc.nat(POINTS - 1),
  scale: fc.double({ min: 0.01, max: 100, noNaN: true }).map(Math.fround),
  rest: values(3).map((list) => list.map(Math.fround)),
});
const rowsOf = (least: number) => fc.array(row, { minLength: least, maxLength: 4 });
const weight = fc.integer({ min: -32768, max: 32767 }).map((w) => w / 1024);
const testPatch: fc.Arbitrary<TestPatch> = fc.record({
  rows: fc.tuple(rowsOf(1), rowsOf(0), rowsOf(0)),
  edges: fc.array(fc.tuple(fc.nat(11), fc.nat(11), weight), { maxLength: 20 }),
});

/** How often rows count in loose Grams. */
const TIMES = [5, 2, 1];

/** Ends of an edge, numbered within the patch. */
function endsOf({ rows }: TestPatch, [a, b]: readonly [number, number, number]): [number, number] {
  const count = rows.flat().length;
  return [a % count, b % count];
}

function bytesOf(patches: readonly TestPatch[]): Uint32Array {
  const words: number[] = [];
  const float = new Float32Array(1);
  const push = (x: number) => {
    float[0] = x;
    words.push(new Uint32Array(float.buffer)[0]);
  };
  let slot = 0;
  for (const patch of patches) {
    const { rows, edges } = patch;
    words.push(...rows.flat().map(({ point }) => 24 * point), slot);
    push(TIMES[0]);
    words.push(...rows.map(({ length }) => length), edges.length);
    slot += rows[0].length + rows[1].length;
    for (const edge of edges) {
      const [a, b] = endsOf(patch, edge);
      words.push((32 * a) | ((32 * b) << 16));
      push(edge[2]);
    }
    for (const { rest, scale } of rows.flat()) for (const x of [...rest, scale]) push(x);
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
      values(3 * POINTS),
      fc.array(testPatch, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(0, 1e3, 1e9),
      (local, patches, far) => {
        twins.reset();
        const x = local.map((v, k) => v + (k % 3) * far);
        const points = twins.place(Float64Array.from(x)),
          rows = twins.place(bytesOf(patches)),
          counts = twins.place(Uint32Array.from(patches, (patch) => patch.rows.flat().length)),
          near = twins.reserve(32 * 12),
          slots = twins.reserve(16 * 8 * patches.length),
          grams = twins.reserve(128 * patches.length),
          loose = twins.reserve(128 * patches.length),
          boxes = twins.reserve(48 * patches.length);
        twins.run((k) =>
          k.sumEnergies(rows, counts, patches.length, points, near, slots, grams, loose, boxes),
        );
        let slot = 0;
        patches.forEach((patch, p) => {
          const found = twins.f64(grams + 128 * p, 16);
          const list = patch.rows.flat();
          const at = (k: number, c: number) => x[3 * list[k].point + c];
          const reach = Math.max(
            ...list.map((_, k) => Math.hypot(...[0, 1, 2].map((c) => at(k, c) - at(0, c)))),
          );
          expect(found[2]).toBeGreaterThanOrEqual(reach);
          expect(found[2]).toBeLessThan(2 * reach + 1e-20);
          const box = twins.f64(boxes + 48 * p, 6);
          for (let c = 0; c < 3; c++) {
            const low = Math.min(...list.map((_, k) => at(k, c))),
              high = Math.max(...list.map((_, k) => at(k, c)));
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
          let v = 0;
          patch.rows.forEach((kind, which) => {
            for (const { scale, rest } of kind) {
              const s = [0, 0, 0];
              let weights = 0,
                edges = 0;
              for (const edge of patch.edges) {
                const [a, b] = endsOf(patch, edge);
                if (a === b || (a !== v && b !== v)) continue;
                const other = a === v ? b : a;
                for (let c = 0; c < 3; c++) s[c] += scale * edge[2] * (at(other, c) - at(v, c));
                weights += Math.abs(edge[2]);
                edges++;
              }
              // As the certificates promise it, see energy-layout.ts.
              const off = (edges + 16) * 2 ** -23 * scale * weights * (reach + 1e-30);
              if (which < 2) {
                const kept = twins.f32(slots + 16 * slot++, 4);
                expect(kept[3]).toBe(0);
                s.forEach((value, c) => {
                  expect(Math.abs(kept[c] - value)).toBeLessThanOrEqual(off);
                });
              }
              const most = s.map((value) => Math.abs(value) + off),
                mostRest = rest.map((value) => Math.abs(value) + off);
              PRODUCTS.forEach((name, k) => {
                const exact = product(name, s, rest);
                const largest = product(name, most, mostRest);
                const error = largest - Math.abs(exact) + (4 + 8) * 2 ** -24 * largest;
                expected[k] += exact;
                size[k] += error;
                wide[k] += TIMES[which] * exact;
                wideSize[k] += TIMES[which] * error;
              });
              v++;
            }
          });
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
  const floats = values(3).map((list) => list.map(Math.fround));
  const entry = fc.record({ s: floats, t: floats, X: values(3), Y: values(3), keep: fc.boolean() });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), values(16), values(16), (list, a, b) => {
      twins.reset();
      const n = list.length;
      const slots = twins.place(
          Float32Array.from([
            ...list.flatMap(({ s }) => [...s, 0]),
            ...list.flatMap(({ t }) => [...t, 0]),
            ...new Array(4 * n).fill(7),
          ]),
        ),
        rests = twins.place(
          Float64Array.from([...list.flatMap(({ X }) => X), ...list.flatMap(({ Y }) => Y)]),
        ),
        shared = twins.place(
          Uint32Array.from(list.flatMap(({ keep }, k) => [k, n + k, keep ? 2 * n + k : NONE])),
        ),
        first = twins.place(Float64Array.from(a)),
        second = twins.place(Float64Array.from(b)),
        out = twins.reserve(128);
      twins.run((k) => k.joinEnergies(first, second, shared, n, slots, rests, out));
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
        expect([...twins.f32(slots + 16 * (2 * n + k), 4)]).toEqual(
          keep ? [...s.map((v, c) => Math.fround(v + t[c])), 0] : [7, 7, 7, 7],
        );
      });
    }),
    { numRuns: RUNS },
  );
});
