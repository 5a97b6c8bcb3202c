import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transformPoint } from '../../src/deform/matrix.ts';
import { coordinate, points } from './kernel-cases.ts';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 300;
const twins = await Twins.create();
const bits = (list: Float64Array) => new BigUint64Array(list.buffer, list.byteOffset, list.length);

test('transformPoints has the bits of transformPoint', () => {
  fc.assert(
    fc.property(points(10), fc.array(coordinate, { minLength: 12, maxLength: 12 }), (list, m) => {
      twins.reset();
      const count = list.length / 3;
      const matrix = Float64Array.from(m);
      const rest = twins.place(list),
        at = twins.place(matrix),
        out = twins.reserve(24 * count);
      twins.run((k) => k.transformPoints(rest, count, at, out));
      const expected = new Float64Array(list.length);
      for (let o = 0; o < list.length; o += 3) transformPoint(matrix, list, o, expected, o);
      expect(bits(twins.f64(out, list.length))).toEqual(bits(expected));
    }),
    { numRuns: RUNS },
  );
});

test('gatherPoints takes points in any order, and knows when one is wrong', () => {
  const odd = fc.constantFrom(Number.NaN, Infinity, -Infinity, 2 ** 300, -(2 ** 301));
  fc.assert(
    fc.property(
      points(9),
      fc.array(fc.nat(), { maxLength: 12 }),
      fc.option(fc.tuple(fc.nat(), odd)),
      fc.boolean(),
      (list, picks, wrong, looksAtAll) => {
        const fromCount = list.length / 3;
        if (wrong) list[wrong[0] % list.length] = wrong[1];
        twins.reset();
        const from = twins.place(list),
          source = twins.place(Uint32Array.from(picks, (pick) => pick % fromCount)),
          out = twins.reserve(24 * (picks.length + 1));
        const looksAt = looksAtAll ? fromCount : 0;
        const isGood = twins.run((k) => k.gatherPoints(from, looksAt, source, picks.length, out));
        const taken = picks.flatMap((pick) => [...list.subarray(3 * (pick % fromCount)).slice(0, 3)]);
        const isWrong = [...taken, ...(looksAtAll ? list : [])].some((x) => !(Math.abs(x) < 2 ** 300));
        expect(isGood).toBe(isWrong ? 0 : 1);
        if (!isWrong) expect(bits(twins.f64(out, taken.length))).toEqual(bits(Float64Array.from(taken)));
      },
    ),
    { numRuns: RUNS },
  );
});

/** Up to four entries per point, each with an id below `ids`: how influences and displacements are stored. */
function entries(ids: number): fc.Arbitrary<[number, number, number, number][][]> {
  const entry = fc.tuple(fc.nat(ids - 1), coordinate, coordinate, coordinate);
  return fc.array(fc.array(entry, { maxLength: 4 }), { minLength: 1, maxLength: 10 });
}

function startsOf(list: readonly unknown[][]): Uint32Array {
  const starts = new Uint32Array(list.length + 1);
  list.forEach((of, i) => {
    starts[i + 1] = starts[i] + of.length;
  });
  return starts;
}

test('morphPoints adds the weighted displacements of each point, in order', () => {
  const weights = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(points(10), entries(3), weights, (some, list, q) => {
      twins.reset();
      const rest = Float64Array.from({ length: 3 * list.length }, (_, i) => some[i % some.length]);
      const at = twins.place(rest),
        start = twins.place(startsOf(list)),
        mode = twins.place(Uint32Array.from(list.flat(), ([m]) => m)),
        delta = twins.place(Float64Array.from(list.flat().flatMap(([, ...d]) => d))),
        weight = twins.place(Float64Array.from(q)),
        out = twins.reserve(24 * list.length);
      twins.run((k) => k.morphPoints(at, list.length, start, mode, delta, weight, out));
      const expected = rest.map((x, i) =>
        list[Math.floor(i / 3)].reduce((sum, entry) => sum + q[entry[0]] * entry[1 + (i % 3)], x),
      );
      expect(bits(twins.f64(out, rest.length))).toEqual(bits(expected));
    }),
    { numRuns: RUNS },
  );
});

test('skinPoints moves each point by its blended matrix', () => {
  const matrices = fc.array(coordinate, { minLength: 36, maxLength: 36 });
  fc.assert(
    fc.property(points(10), entries(3), matrices, (some, list, m) => {
      twins.reset();
      const rest = Float64Array.from({ length: 3 * list.length }, (_, i) => some[i % some.length]);
      const influences = list.map((of) => of.map(([joint], k): [number, number] => [joint, (k + 1) / 7]));
      const at = twins.place(rest),
        start = twins.place(startsOf(list)),
        joint = twins.place(Uint32Array.from(influences.flat(), ([j]) => j)),
        weight = twins.place(Float64Array.from(influences.flat(), ([, w]) => w)),
        matrix = twins.place(Float64Array.from(m)),
        out = twins.reserve(24 * list.length);
      twins.run((k) => k.skinPoints(at, list.length, start, joint, weight, matrix, out));
      const found = twins.f64(out, rest.length);
      influences.forEach((of, i) => {
        const blended = Array.from({ length: 12 }, (_, e) =>
          of.reduce((sum, [j, w]) => sum + w * m[12 * j + e], 0),
        );
        for (let r = 0; r < 3; r++) {
          const terms = [0, 1, 2].map((c) => blended[4 * r + c] * rest[3 * i + c]);
          const size = terms.reduce((sum, x) => sum + Math.abs(x), Math.abs(blended[4 * r + 3]));
          const expected = terms.reduce((sum, x) => sum + x, blended[4 * r + 3]);
          expect(Math.abs(found[3 * i + r] - expected)).toBeLessThanOrEqual(size * 2 ** -50 + 1e-300);
        }
      });
    }),
    { numRuns: RUNS },
  );
});
