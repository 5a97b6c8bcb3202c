import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transformPoint } from '../../src/deform/matrix.ts';
import { coordinate, points } from './kernel-cases.ts';
import { Twins } from './twins.ts';

const RUNS = process.env['PLIANT_FULL'] ? 3000 : 300;
const twins = await Twins.create();
const bits = (list: Float64Array) => new BigUint64Array(list.buffer, list.byteOffset, list.length);

test('transformPoints has the bits of transformPoint', () => {
  fc.assert(
    fc.property(points(10), fc.array(coordinate, { minLength: 12, maxLength: 12 }), (list, m) => {
      twins.reset();
      const count = list.length / 3;
      const matrix = Float64Array.from(m);
      const rest = twins.place(list), at = twins.place(matrix), out = twins.reserve(24 * count);
      twins.run((k) => k.transformPoints(rest, count, at, out));
      const expected = new Float64Array(list.length);
      for (let o = 0; o < list.length; o += 3) transformPoint(matrix, list, o, expected, o);
      expect(bits(twins.f64(out, list.length))).toEqual(bits(expected));
    }),
    { numRuns: RUNS },
  );
});

test('gatherPoints copies the points it is told to', () => {
  fc.assert(
    fc.property(points(10), fc.array(fc.nat(), { maxLength: 20 }), (list, picks) => {
      twins.reset();
      const index = Uint32Array.from(picks, (i) => i % (list.length / 3));
      const source = twins.place(list), at = twins.place(index), out = twins.reserve(24 * (index.length + 1));
      twins.run((k) => k.gatherPoints(source, at, index.length, out));
      const expected = Float64Array.from([...index].flatMap((i) => [...list.subarray(3 * i, 3 * i + 3)]));
      expect(bits(twins.f64(out, 3 * index.length))).toEqual(bits(expected));
    }),
    { numRuns: RUNS },
  );
});
