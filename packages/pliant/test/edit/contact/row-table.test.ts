import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowTable } from '../../../src/edit/contact/row-table.ts';

/** Vertices, edges as pairs of pairs, and some that meet in one place of a small table. */
const key = fc.oneof(
  fc.nat(2000),
  fc.nat(2 ** 20).map((k) => k * 2 ** 30),
  fc.nat(300).map((k) => k * 2 ** 32 + 7),
);

test('a table of rows is a map, also after it was cleared', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.tuple(key, fc.nat(9999)), { maxLength: 700 }), { maxLength: 3 }),
      (rounds) => {
        const table = new RowTable();
        for (const entries of rounds) {
          const map = new Map<number, number>();
          table.clear();
          for (const [k, row] of entries) {
            expect(table.get(k)).toBe(map.get(k) ?? -1);
            table.set(k, row);
            map.set(k, row);
          }
          for (const [k, row] of map) expect(table.get(k)).toBe(row);
          for (const k of [1, 2, 2 ** 40, 5 * 2 ** 30]) expect(table.get(k)).toBe(map.get(k) ?? -1);
        }
      },
    ),
    { numRuns: process.env.PLIANT_FULL ? 1000 : 60 },
  );
});
