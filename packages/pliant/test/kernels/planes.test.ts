import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 300;
const twins = await Twins.create();

interface PairCase {
  readonly radius: number[];
  readonly next: number[];
  readonly planes: number[];
  readonly start: number[];
  readonly end: number[];
  readonly gauge: number;
}

const value = fc.float({ min: -2, max: 2, noNaN: true });

/** Pairs in the order in which they are opened: what belongs to each is behind it. */
const pairCase = (stride: number): fc.Arbitrary<PairCase> =>
  fc.integer({ min: 1, max: 60 }).chain((count) =>
    fc
      .record({
        radius: fc.array(fc.float({ min: 0, max: 2, noNaN: true }), { minLength: count, maxLength: count }),
        sizes: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: count, maxLength: count }),
        heads: fc.array(fc.constantFrom(-Infinity, 0.25, 0.5, 1), { minLength: count, maxLength: count }),
        planes: fc.array(value, { minLength: count * stride, maxLength: count * stride }),
        start: fc.array(value, { minLength: stride, maxLength: stride }),
        end: fc.array(value, { minLength: stride, maxLength: stride }),
        gauge: fc.float({ min: 0, max: 2, noNaN: true }),
      })
      .map(({ sizes, heads, planes, ...rest }) => {
        const next = sizes.map((size, k) => Math.min(count, k + size));
        // Nested: nothing goes on beyond the end of what it belongs to.
        for (let k = 0; k < count; k++) {
          for (let i = k + 1; i < next[k]; i++) next[i] = Math.min(next[i], next[k]);
        }
        return { ...rest, next, planes: planes.map((x, i) => (i % stride === 0 ? heads[i / stride] : x)) };
      }),
  );

function listOpen({ radius, next, planes, start, end, gauge }: PairCase, stride: number, most: number) {
  twins.reset();
  const addresses = [
    twins.place(Float32Array.from(radius)),
    twins.place(Uint32Array.from(next)),
    twins.place(Float32Array.from(planes)),
    twins.place(Float32Array.from(start)),
    twins.place(Float32Array.from(end)),
  ] as const;
  const [r, n, p, s, e] = addresses;
  const out = twins.reserve(4 * most);
  const found = twins.run(
    (k) => k.listOpen(radius.length, r, n, p, stride, s, e, Math.fround(gauge), most, 1000, out) >>> 0,
  );
  return { found, places: found === 0xffffffff ? [] : twins.u32(out, found) };
}

test('the same pairs in both, those that neither radius nor plane rules out', () => {
  fc.assert(
    fc.property(fc.constantFrom(4, 8, 12), fc.gen(), (stride, g) => {
      const it = g(pairCase, stride);
      const { found, places } = listOpen(it, stride, 64);
      const expected: number[] = [];
      const product = (k: number, pose: number[]) =>
        pose.reduce((sum, x, m) => sum + Math.fround(x) * Math.fround(it.planes[k * stride + m]), 0);
      for (let k = 0; k < it.next.length; ) {
        const sides = [product(k, it.start), product(k, it.end)];
        fc.pre(sides.every((x) => !(Math.abs(x) < 1e-5)));
        const isApart = it.planes[k * stride] > 0 && sides.every((x) => x > 0);
        if (Math.fround(it.gauge) < Math.fround(it.radius[k]) || isApart) k = it.next[k];
        else {
          if (it.next[k] === k + 1) expected.push(k);
          k++;
        }
      }
      expect(found).toBe(expected.length);
      expect([...places]).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

test('gives up when there are more than it may list', () => {
  const it: PairCase = {
    radius: [0, 0, 0],
    next: [1, 2, 3],
    planes: Array.from({ length: 12 }, (_, i) => (i % 4 === 0 ? -Infinity : 0)),
    start: [1, 0, 0, 0],
    end: [1, 0, 0, 0],
    gauge: 1,
  };
  expect(listOpen(it, 4, 3).found).toBe(3);
  expect(listOpen(it, 4, 2).found).toBe(0xffffffff);
});
