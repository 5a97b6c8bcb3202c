import fc from 'fast-check';
import type { CollisionReport } from 'pliant';
import { expect, test } from 'vitest';
import { PairList } from '../../src/frames/pair-list.ts';
import type { SceneMesh } from '../../src/scene/scene.ts';
import { NameRules } from '../../src/verdict/name-rules.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 200;
const MESHES = 4;

interface Found {
  readonly meshes: [number, number];
  readonly pair: [number, number];
}

/** Mesh sizes, and pairs as queries find them: each mesh with itself, then each with those behind it. */
const scene = fc.constantFrom(3, 12, 500).chain((size) =>
  fc.tuple(
    fc.constant(size),
    fc.uniqueArray(
      fc.tuple(fc.nat(MESHES - 1), fc.nat(MESHES - 1), fc.nat(size - 1), fc.nat(size - 1)).map(
        ([m, n, i, j]): Found => ({
          meshes: m < n ? [m, n] : [n, m],
          pair: m === n && j < i ? [j, i] : [i, j],
        }),
      ),
      { selector: ({ meshes, pair }) => [...meshes, ...pair].join(), maxLength: 200 },
    ),
    fc.boolean(),
  ),
);

/** Only what the list looks at. */
function meshAt(m: number, size: number): SceneMesh {
  return { firstTriangle: m * size } as SceneMesh;
}

function reportOf(list: readonly Found[], times: boolean): CollisionReport {
  const sorted = [...list].sort((s, t) => s.pair[0] - t.pair[0] || s.pair[1] - t.pair[1]);
  const pairs = Uint32Array.from(sorted.flatMap(({ pair }) => pair));
  const timeOf = ({ pair: [i, j] }: Found) => i / (1 + j);
  return {
    pairs,
    pairCount: list.length,
    times: times ? Float64Array.from(sorted, timeOf) : undefined,
  } as CollisionReport;
}

function gather(list: readonly Found[], size: number, times: boolean, maxPairs?: number, reversed = false) {
  const rules = new NameRules([], []);
  const gathered = new PairList();
  gathered.begin(times, MESHES * size, maxPairs);
  const groups: [number, number][] = [];
  for (let m = 0; m < MESHES; m++) groups.push([m, m]);
  for (let m = 0; m < MESHES; m++) for (let n = m + 1; n < MESHES; n++) groups.push([m, n]);
  if (reversed) groups.reverse();
  for (const [m, n] of groups) {
    const part = list.filter(({ meshes }) => meshes[0] === m && meshes[1] === n);
    gathered.add(reportOf(part, times), meshAt(m, size), meshAt(n, size), rules);
  }
  return gathered.finish();
}

function expected(list: readonly Found[], size: number) {
  return list
    .map(({ meshes: [m, n], pair: [i, j] }) => ({ a: m * size + i, b: n * size + j, time: i / (1 + j) }))
    .sort((s, t) => s.a - t.a || s.b - t.b);
}

test('pairs of several queries become one sorted list, times and all, in whatever order they come', () => {
  fc.assert(
    fc.property(scene, fc.boolean(), ([size, list, times], reversed) => {
      const found = gather(list, size, times, undefined, reversed);
      const wanted = expected(list, size);
      expect(found.count).toBe(list.length);
      expect([...found.pairs]).toEqual(wanted.flatMap(({ a, b }) => [a, b]));
      expect(found.times && [...found.times]).toEqual(times ? wanted.map(({ time }) => time) : undefined);
    }),
    { numRuns: RUNS },
  );
});

test('the lowest are kept and all are counted', () => {
  fc.assert(
    fc.property(scene, fc.nat(20), ([size, list, times], most) => {
      const found = gather(list, size, times, most);
      const wanted = expected(list, size).slice(0, most);
      expect(found.count).toBe(list.length);
      expect([...found.pairs]).toEqual(wanted.flatMap(({ a, b }) => [a, b]));
      expect(found.times?.length).toBe(times ? wanted.length : undefined);
    }),
    { numRuns: RUNS },
  );
});

test('memory is bounded by how many are kept, whatever their order', () => {
  const idCount = 1000;
  for (const times of [false, true]) {
    const list = new PairList();
    list.begin(times, idCount, 10);
    const keys: number[] = [];
    for (let k = 0; k < 50_000; k++) {
      const i = (k * 389) % idCount,
        j = (i + 1 + ((k * 17) % (idCount - 1))) % idCount;
      list.addPair(i, j, k);
      keys.push(Math.min(i, j) * idCount + Math.max(i, j));
    }
    const { count, pairs, times: found } = list.finish();
    expect(count).toBe(50_000);
    const lowest = keys
      .map((key, k) => ({ key, k }))
      .sort((s, t) => s.key - t.key)
      .slice(0, 10);
    expect([...pairs]).toEqual(lowest.flatMap(({ key }) => [Math.floor(key / idCount), key % idCount]));
    expect(found?.length).toBe(times ? 10 : undefined);
  }
});
