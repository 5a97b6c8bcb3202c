import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 200;
const twins = await Twins.create();
const NONE = 0xffffffff;
const value = fc.double({ min: -2, max: 2, noNaN: true });

/** A patch of two rows: s, X each. */
const rows = fc.array(fc.array(value, { minLength: 6, maxLength: 6 }), { minLength: 3, maxLength: 8 });

function gramOf(list: readonly number[][]): number[] {
  const sum = (p: number, q: number) => list.reduce((total, r) => total + r[p] * r[q], 0);
  const [x, y, z, X, Y, Z] = [0, 1, 2, 3, 4, 5];
  const pairs = [
    ...[
      [x, x],
      [x, y],
      [x, y],
      [y, y],
      [x, z],
      [y, z],
      [Z, z],
      [z, z],
    ],
    ...[
      [X, z],
      [Y, z],
      [X, x],
      [X, y],
      [Y, x],
      [Y, y],
      [Z, x],
      [Z, y],
    ],
  ];
  return pairs.map(([p, q]) => sum(p, q));
}

interface Program {
  readonly small: readonly number[][][]; // two small patches, and one made of both
  readonly roots: readonly number[];
  readonly swept: boolean;
  readonly stamp: number;
}

const program: fc.Arbitrary<Program> = fc.record({
  small: fc.array(rows, { minLength: 2, maxLength: 2 }),
  roots: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 20, noNaN: true })), {
    minLength: 4,
    maxLength: 4,
  }),
  swept: fc.boolean(),
  stamp: fc.integer({ min: 1, max: 9 }),
});

/** Items: the whole, the pair of its halves, and each half; all of the front is four pairs of each kind. */
function place({ small, roots, swept, stamp }: Program) {
  twins.reset();
  const grams = [...gramOf(small[0]), ...gramOf(small[1]), ...new Array(32).fill(0)];
  const restGram = (list: readonly number[][]) =>
    [
      [3, 3],
      [3, 4],
      [3, 5],
      [4, 4],
      [4, 5],
      [5, 5],
    ].map(([p, q]) => list.reduce((sum, r) => sum + r[p] * r[q], 0));
  const both = [...small[0], ...small[1]];
  const at = {
    slots: twins.reserve(48),
    grams: twins.place(Float64Array.from(grams)),
    end: twins.place(Float64Array.from(grams.map((x) => 1.1 * x))),
    patches: twins.place(Uint32Array.from([NONE, 0, 0, 0, stamp, NONE, 0, 0, 0, stamp, 0, 1, 0, 0, 0])), // small ones are there
    inner: twins.reserve(64),
    leaf: twins.reserve(64),
    cleared: twins.reserve(32),
  };
  const items = twins.reserve(128 * 4);
  const words = new DataView(new ArrayBuffer(512));
  const layout: [number, number, number, number[], readonly number[][]][] = [
    [2, NONE, 4, [0, 4, 0, 4], both],
    [0, 1, 2, [0, 2, 0, 1], both],
    [0, NONE, 3, [2, 3, 1, 3], small[0]],
    [1, NONE, 4, [3, 4, 3, 4], small[1]],
  ];
  layout.forEach(([a, b, next, range, list], k) => {
    const o = 128 * k;
    [a, b, 0, 0, next, ...range, 0, 0, k % 2].forEach((x, c) => {
      words.setUint32(o + 4 * c, x, true);
    });
    [roots[k], 1e-14, 1e-14, 1e-13, ...restGram(list)].forEach((x, c) => {
      words.setFloat64(o + 48 + 8 * c, x, true);
    });
  });
  const header = twins.place(
    Uint32Array.from([
      ...[items, 4, at.patches, stamp, 0, at.slots, at.slots, at.grams, at.end, swept ? 1 : 0, 3],
      ...[at.inner, at.leaf, at.cleared, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0],
    ]),
  );
  for (const { memory } of [twins.wasm, twins.ts]) {
    memory.u8.set(new Uint8Array(words.buffer), items);
    memory.f64[(header + 72) >>> 3] = 1;
  }
  return { ...at, items, header };
}

test('testCalm is the same in both kernels, and rises with the limit', () => {
  fc.assert(
    fc.property(program, (it) => {
      const { header, items } = place(it);
      it.roots.forEach((root, k) => {
        const isCalm = twins.run((kernels) => kernels.testCalm(header, items + 128 * k));
        if (root === 0) expect(isCalm).toBe(0);
        for (const { memory } of [twins.wasm, twins.ts]) memory.f64[((items + 128 * k) >>> 3) + 6] = 1e6;
        const later = twins.run((kernels) => kernels.testCalm(header, items + 128 * k));
        expect(later).toBeGreaterThanOrEqual(isCalm);
      });
    }),
    { numRuns: RUNS },
  );
});

test('listCalm lists what no calm item holds, and lets failures rest', () => {
  fc.assert(
    fc.property(program, (it) => {
      const { header, items, inner, leaf } = place(it);
      const calm = it.roots.map(
        (root, k) => root > 0 && twins.run((kernels) => kernels.testCalm(header, items + 128 * k)) === 1,
      );
      twins.run((kernels) => kernels.listCalm(header));
      const read = (list: number, field: number) => {
        const covered = [0, 0, 0, 0];
        for (const [from, to] of twins.pairs(list, twins.u32(header + field, 1)[0])) {
          expect(from).toBeLessThan(to);
          for (let k = from; k < to; k++) covered[k]++;
        }
        return covered;
      };
      const open = (owners: number[]) => owners.map((item) => (calm[0] || calm[item] ? 0 : 1));
      expect(read(inner, 56)).toEqual(open([1, 1, 2, 3]));
      expect(read(leaf, 60)).toEqual(open([1, 2, 2, 3]));
      it.roots.forEach((root, k) => {
        const [again, failures] = twins.u32(items + 128 * k + 36, 2);
        const wasTried = root > 0 && (k === 0 || !calm[0]);
        expect(failures).toBe(wasTried && !calm[k] ? 1 : 0);
        if (failures === 1) expect(again).toBe(it.stamp + 2);
      });
    }),
    { numRuns: RUNS },
  );
});
