import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CollisionReport, type ValueKind } from '../../src/report/collision-report.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 150;

interface Found {
  readonly bodies: [number, number];
  readonly pair: [number, number];
  readonly time: number;
}

const small = fc.nat(30);
/** Distinct (bodies, pair), as queries find them: a report is never told the same pair twice. */
const found: fc.Arbitrary<Found[]> = fc
  .uniqueArray(fc.tuple(fc.nat(2), fc.nat(2), fc.oneof(small, fc.nat()), fc.oneof(small, fc.nat())), {
    selector: String,
    maxLength: 400,
  })
  .chain((list) =>
    fc
      .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: list.length, maxLength: list.length })
      .map((times) =>
        list.map(([a, b, i, j], k): Found => ({ bodies: [a, b], pair: [i, j], time: times[k] })),
      ),
  );

function fill(
  report: CollisionReport,
  list: readonly Found[],
  values: ValueKind,
  several: boolean,
  maxPairs = Infinity,
) {
  report.begin(values, several, maxPairs);
  for (const { bodies, pair, time } of list) {
    report.setBodies(...bodies);
    report.add(...pair, time);
  }
  report.finish();
  return report;
}

function byOrder(p: Found, q: Found): number {
  const s = [...p.bodies, ...p.pair],
    t = [...q.bodies, ...q.pair];
  const k = s.findIndex((x, i) => x !== t[i]);
  return k < 0 ? 0 : s[k] - t[k];
}

function contents(report: CollisionReport): Found[] {
  return report.sortedPairs().map((pair, k) => ({
    bodies: [report.bodies![2 * k], report.bodies![2 * k + 1]],
    pair,
    time: report.times![k],
  }));
}

describe('a report', () => {
  test('is sorted by bodies, then by triangles, and carries its times along', () => {
    fc.assert(
      fc.property(found, (list) => {
        const report = fill(new CollisionReport(), list, 'times', true);
        expect(contents(report)).toEqual([...list].sort(byOrder));
        expect([report.pairCount, report.totalCount, report.state]).toEqual([
          list.length,
          list.length,
          'complete',
        ]);
      }),
      { numRuns: RUNS },
    );
  });

  test('does not depend on the order in which pairs are found', () => {
    fc.assert(
      fc.property(found, fc.nat(), (list, shift) => {
        const turned = [
          ...list.slice(shift % (list.length + 1)),
          ...list.slice(0, shift % (list.length + 1)),
        ].reverse();
        const [a, b] = [list, turned].map((l) => fill(new CollisionReport(), l, 'times', true, 7));
        expect(contents(a)).toEqual(contents(b));
      }),
      { numRuns: RUNS },
    );
  });

  test.each([0, 1, 5, 100])('keeps the lowest %d and counts all', (maxPairs) => {
    fc.assert(
      fc.property(found, (list) => {
        const report = fill(new CollisionReport(), list, 'times', true, maxPairs);
        expect(contents(report)).toEqual([...list].sort(byOrder).slice(0, maxPairs));
        expect(report.totalCount).toBe(list.length);
        expect(report.state).toBe(list.length > maxPairs ? 'truncated' : 'complete');
      }),
      { numRuns: RUNS },
    );
  });

  test('keeps the lowest of very many in little memory', () => {
    const random = lcg(5);
    const list = Array.from({ length: 100_000 }, (_, k): Found => {
      return { bodies: [0, 1], pair: [Math.floor(random() * 1e9), k], time: random() };
    });
    for (const maxPairs of [0, 1, 3000]) {
      const report = fill(new CollisionReport(), list, 'times', true, maxPairs);
      expect(contents(report)).toEqual([...list].sort(byOrder).slice(0, maxPairs));
      expect([report.totalCount, report.state]).toEqual([100_000, 'truncated']);
      expect(report.pairs.length).toBeLessThanOrEqual(2 * 16_384);
    }
  });

  test.each([
    ['already in order', (k: number) => k],
    ['the other way round', (k: number) => 50_000 - k],
    ['all alike', () => 7],
    ['up and down', (k: number) => Math.min(k, 50_000 - k)],
  ])('sorts %s without running out of stack or time', (_, key) => {
    const report = new CollisionReport();
    report.begin('none', false, Infinity);
    for (let k = 0; k < 50_000; k++) report.add(key(k), k, 0);
    const begin = performance.now();
    report.finish();
    expect(performance.now() - begin).toBeLessThan(2000);
    const { pairs } = report;
    for (let k = 1; k < report.pairCount; k++) {
      const isAfter =
        pairs[2 * k - 2] < pairs[2 * k] ||
        (pairs[2 * k - 2] === pairs[2 * k] && pairs[2 * k - 1] < pairs[2 * k + 1]);
      if (!isAfter) throw new Error(`pair ${k} is out of order`);
    }
  });

  test('forgets everything when it is used again, whatever kind of query comes next', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(found, fc.constantFrom<ValueKind[]>('none', 'times', 'distances'), fc.boolean()), {
          minLength: 2,
          maxLength: 5,
        }),
        (uses) => {
          const report = new CollisionReport();
          for (const [list, values, several] of uses) {
            report.addUnresolved(1, 2);
            report.counters.nodePairsTested = 9;
            const plain = several ? list : uniquePairs(list);
            fill(report, plain, values, several);
            const fresh = fill(new CollisionReport(), plain, values, several);
            expect(report.sortedPairs()).toEqual(fresh.sortedPairs());
            const use = <T extends Uint32Array | Float64Array>(a: T | undefined, n: number) =>
              a ? [...a.subarray(0, n)] : undefined;
            expect(use(report.times, plain.length)).toEqual(use(fresh.times, plain.length));
            expect(use(report.distances, plain.length)).toEqual(use(fresh.distances, plain.length));
            expect([report.times !== undefined, report.distances !== undefined]).toEqual([
              values === 'times',
              values === 'distances',
            ]);
            expect(use(report.bodies, 2 * plain.length)).toEqual(use(fresh.bodies, 2 * plain.length));
            expect([report.unresolved.count, report.unresolvedBodies.count]).toEqual([0, 0]);
            expect(report.counters).toEqual(fresh.counters);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('names the bodies of unresolved node pairs, when there are several', () => {
    const report = new CollisionReport();
    report.begin('none', true, Infinity);
    report.setBodies(3, 4);
    report.addUnresolved(10, 11);
    report.setBodies(5, 6);
    report.addUnresolved(12, 13);
    expect([...report.unresolved.data.subarray(0, 4)]).toEqual([10, 11, 12, 13]);
    expect([...report.unresolvedBodies.data.subarray(0, 4)]).toEqual([3, 4, 5, 6]);
  });
});

function uniquePairs(list: Found[]): Found[] {
  return [...new Map(list.map((f) => [String(f.pair), f])).values()];
}

function lcg(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
