import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PairSorter } from '../../src/report/pair-sorter.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 200;

interface Row {
  readonly owners: [number, number];
  readonly pair: [number, number];
  readonly value: number;
}

const ids = fc.constantFrom(1, 30, 3000, 2 ** 20, 2 ** 31, 2 ** 32 - 1).chain((max) => fc.nat({ max }));
const rows = fc
  .oneof(fc.constant(10), fc.constant(400))
  .chain((maxLength) =>
    fc.array(
      fc.record({ owners: fc.tuple(fc.nat(3), fc.nat(3)), pair: fc.tuple(ids, ids), value: fc.nat() }),
      { maxLength },
    ),
  );

function compare(s: Row, t: Row): number {
  const a = [...s.owners, ...s.pair],
    b = [...t.owners, ...t.pair];
  const k = a.findIndex((x, i) => x !== b[i]);
  return k < 0 ? 0 : a[k] - b[k];
}

function byOwners(s: Row, t: Row): number {
  return s.owners[0] - t.owners[0] || s.owners[1] - t.owners[1];
}

/** Sorts with room to spare behind the list, and expects that to stay as it was. */
function sortRows(sorter: PairSorter, list: readonly Row[], hasOwners: boolean, hasValues: boolean): Row[] {
  const spare = [7, 7];
  const pairs = Uint32Array.from([...list.flatMap((row) => row.pair), ...spare]);
  const owners = hasOwners ? Uint32Array.from([...list.flatMap((row) => row.owners), ...spare]) : undefined;
  const values = hasValues ? Float64Array.from([...list.map((row) => row.value), 7]) : undefined;
  sorter.sort(pairs, owners, values, list.length);
  expect([...pairs.subarray(2 * list.length)]).toEqual(spare);
  return list.map(({ owners: [a, b], value }, k) => ({
    owners: owners ? [owners[2 * k], owners[2 * k + 1]] : [a, b],
    pair: [pairs[2 * k], pairs[2 * k + 1]],
    value: values ? values[k] : value,
  }));
}

describe('a pair sorter', () => {
  test.each([true, false])('sorts by owners, then by ids; values: %s', (hasValues) => {
    const sorter = new PairSorter();
    fc.assert(
      fc.property(rows, (list) => {
        const sorted = [...list].sort(compare); // stable, as ours is
        const found = sortRows(sorter, list, true, hasValues);
        if (hasValues) expect(found).toEqual(sorted);
        else expect(found.map(keyOf)).toEqual(sorted.map(keyOf));
      }),
      { numRuns: RUNS },
    );
  });

  test.each([true, false])('sorts within owners that are in order; values: %s', (hasValues) => {
    const sorter = new PairSorter();
    fc.assert(
      fc.property(rows, (list) => {
        const grouped = [...list].sort(byOwners);
        const found = sortRows(sorter, grouped, true, hasValues);
        expect(found.map(keyOf)).toEqual([...list].sort(compare).map(keyOf));
        if (hasValues) expect(found).toEqual([...grouped].sort(compare));
      }),
      { numRuns: RUNS },
    );
  });

  test.each([true, false])('sorts without owners; values: %s', (hasValues) => {
    const sorter = new PairSorter();
    fc.assert(
      fc.property(rows, (list) => {
        const plain = list.map((row): Row => ({ ...row, owners: [0, 0] }));
        const found = sortRows(sorter, plain, false, hasValues);
        expect(found.map(keyOf)).toEqual([...plain].sort(compare).map(keyOf));
        if (hasValues) expect(found).toEqual([...plain].sort(compare));
      }),
      { numRuns: RUNS },
    );
  });
});

function keyOf({ owners, pair }: Row): string {
  return [...owners, ...pair].join(' ');
}
