import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trianglesIntersect } from '../../src/narrow/triangle-triangle.ts';
import { coordinate } from './kernel-cases.ts';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 20_000 : 1500;
const twins = await Twins.create();

const lattice = fc.integer({ min: 0, max: 3 });
const nudge = fc.constantFrom(0, 2 ** -52, -(2 ** -52), 2 ** -50, 1e-13, 5e-324);
/** On the lattice or a few roundings beside it: signs that a filter may not guess. */
const nearly = fc.tuple(lattice, nudge).map(([x, d]) => x + d);
const offset = fc.constantFrom(0, 1, 1e6, -1e9, 2 ** 52);
const scale = fc.constantFrom(1, 1 / 3, 1e-150, 1e-100, 1e80, 2 ** -1060);

/** Two triangles: 18 numbers. */
const trianglePair = fc
  .tuple(
    fc.constantFrom(lattice, nearly, fc.double({ min: 0, max: 1, noNaN: true }), coordinate),
    scale,
    offset,
  )
  .chain(([kind, s, o]) =>
    fc
      .array(kind, { minLength: 18, maxLength: 18 })
      .map((list) => Float64Array.from(list, (x) => clamp(x * s + o))),
  );

function clamp(x: number): number {
  return Math.max(-(2 ** 300), Math.min(2 ** 300, x));
}

test('narrowPairs is never wrong: hits touch, and what it drops is apart', () => {
  let decided = 0,
    total = 0;
  fc.assert(
    fc.property(fc.array(trianglePair, { minLength: 1, maxLength: 8 }), (list) => {
      twins.reset();
      const count = list.length;
      const pointsA = twins.place(Float64Array.from(list.flatMap((p) => [...p.subarray(0, 9)])));
      const pointsB = twins.place(Float64Array.from(list.flatMap((p) => [...p.subarray(9)])));
      const link = twins.place(Uint32Array.from(list, (_, i) => (0x80000000 | i) >>> 0));
      const corners = twins.place(Uint32Array.from({ length: 3 * count + 1 }, (_, i) => i));
      const pairs = twins.place(Uint32Array.from(list.flatMap((_, i) => [i, i])));
      const hits = twins.reserve(8 * (count + 1)),
        unsure = twins.reserve(8 * (count + 1)),
        counts = twins.reserve(16);
      twins.run((k) =>
        k.narrowPairs(pairs, count, link, corners, pointsA, link, corners, pointsB, hits, unsure, counts),
      );
      const [hitCount, unsureCount] = twins.u32(counts, 2);
      const hit = new Set(twins.pairs(hits, hitCount).map(([i]) => i));
      const open = new Set(twins.pairs(unsure, unsureCount).map(([i]) => i));
      list.forEach((p, i) => {
        total++;
        if (open.has(i)) return;
        decided++;
        expect(hit.has(i)).toBe(trianglesIntersect(p, 0, 3, 6, p, 9, 12, 15));
      });
      expect([...hit].some((i) => open.has(i))).toBe(false);
    }),
    { numRuns: RUNS },
  );
  expect(decided / total).toBeGreaterThan(0.2); // or it would prove nothing
});

test('narrowPairs decides nearly everything in general position, and knows both answers', () => {
  const random = mulberry(7);
  const count = 2000;
  const list = Float64Array.from({ length: 9 * count }, random);
  const other = Float64Array.from({ length: 9 * count }, random);
  twins.reset();
  const a = twins.place(list),
    b = twins.place(other);
  const link = twins.place(Uint32Array.from({ length: count }, (_, i) => (0x80000000 | i) >>> 0));
  const corners = twins.place(Uint32Array.from({ length: 3 * count + 1 }, (_, i) => i));
  const pairs = twins.place(Uint32Array.from({ length: 2 * count }, (_, i) => i >>> 1));
  const hits = twins.reserve(8 * (count + 1)),
    unsure = twins.reserve(8 * (count + 1)),
    counts = twins.reserve(16);
  twins.run((k) => k.narrowPairs(pairs, count, link, corners, a, link, corners, b, hits, unsure, counts));
  const [hitCount, unsureCount] = twins.u32(counts, 2);
  const truth = Array.from({ length: count }, (_, i) => i).filter((i) =>
    trianglesIntersect(list, 9 * i, 9 * i + 3, 9 * i + 6, other, 9 * i, 9 * i + 3, 9 * i + 6),
  );
  expect(unsureCount).toBe(0);
  expect(twins.pairs(hits, hitCount).map(([i]) => i)).toEqual(truth);
  expect(truth.length).toBeGreaterThan(count / 10);
  expect(truth.length).toBeLessThan(count);
});

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
