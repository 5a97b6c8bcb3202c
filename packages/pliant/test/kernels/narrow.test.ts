import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundOfSides } from '../../src/kernels/ts/bound-of-sides.ts';
import { trianglesIntersect } from '../../src/narrow/triangle-triangle.ts';
import { trianglePair as awkwardPair } from '../narrow/triangle-arbitraries.ts';
import { oracleTrianglesIntersect } from '../oracles/rational.ts';
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

/** What became of each pair: 2 touches, 0 is apart, 1 is left open. */
function narrow(list: readonly Float64Array[], bound: number): number[] {
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
    k.narrowPairs(pairs, count, link, corners, pointsA, link, corners, pointsB, bound, hits, unsure, counts),
  );
  const [hitCount, unsureCount] = twins.u32(counts, 2);
  const verdicts: number[] = list.map(() => 0);
  for (const [i] of twins.pairs(hits, hitCount)) verdicts[i] += 2;
  for (const [i] of twins.pairs(unsure, unsureCount)) verdicts[i] += 1;
  return verdicts;
}

function touch(p: Float64Array): boolean {
  return oracleTrianglesIntersect(p.subarray(0, 9), p.subarray(9));
}

/** As for the points of two bodies. */
function boundOf(list: readonly Float64Array[]): number {
  const span = (axis: number) => {
    const all = list.flatMap((p) => [...p].filter((_, k) => k % 3 === axis));
    return Math.max(...all) - Math.min(...all);
  };
  return boundOfSides(span(0), span(1), span(2));
}

function isNeverWrong(list: readonly Float64Array[], bound: number): boolean {
  return narrow(list, bound).every((verdict, i) => verdict === 1 || (verdict === 2) === touch(list[i]));
}

const awkward = awkwardPair().map(({ points }) => points);
const several = fc.oneof(
  fc.array(trianglePair, { minLength: 1, maxLength: 8 }),
  fc.array(awkward, { minLength: 1, maxLength: 8 }),
);

test('narrowPairs is never wrong: hits touch, and what it drops is apart', () => {
  let decided = 0,
    total = 0;
  fc.assert(
    fc.property(several, (list) => {
      expect(isNeverWrong(list, boundOf(list))).toBe(true);
      const verdicts = narrow(list, boundOf(list));
      total += list.length;
      decided += verdicts.filter((verdict) => verdict !== 1).length;
      expect(narrow(list, Infinity)).toEqual(verdicts); // a common bound decides nothing of its own
    }),
    { numRuns: RUNS },
  );
  expect(decided / total).toBeGreaterThan(0.2); // or it would prove nothing
});

test('a common bound that is too narrow makes that test fail', () => {
  const lying = fc.property(several, (list) => isNeverWrong(list, 0));
  expect(() => fc.assert(lying, { numRuns: RUNS })).toThrow();
});

test('nearly coplanar triangles are decided, unless a corner lies exactly on the other plane', () => {
  const random = mulberry(3);
  const turn = () => random() - 0.5;
  const list = Array.from({ length: 400 }, () => {
    const [o, u, v] = Array.from({ length: 3 }, () => [turn(), turn(), turn()]);
    const corner = () => {
      const s = turn(),
        t = turn();
      return [0, 1, 2].map((k) => o[k] + s * u[k] + t * v[k]); // rounded: beside the plane
    };
    return Float64Array.from(Array.from({ length: 6 }, corner).flat());
  });
  const verdicts = narrow(list, boundOf(list));
  expect(verdicts.filter((verdict) => verdict === 1).length).toBeLessThan(4);
  expect(verdicts.filter((verdict) => verdict === 2).length).toBeGreaterThan(40);
  list.forEach((p, i) => {
    if (verdicts[i] !== 1) expect(verdicts[i] === 2).toBe(touch(p));
  });
});

test('triangles with a corner in common touch, in whatever plane they lie', () => {
  fc.assert(
    fc.property(awkward, fc.nat(2), fc.nat(2), (p, i, j) => {
      const joined = p.slice();
      joined.copyWithin(9 + 3 * j, 3 * i, 3 * i + 3);
      expect(narrow([joined], Infinity)).toEqual([2]);
    }),
    { numRuns: RUNS },
  );
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
  twins.run((k) =>
    k.narrowPairs(pairs, count, link, corners, a, link, corners, b, Infinity, hits, unsure, counts),
  );
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
