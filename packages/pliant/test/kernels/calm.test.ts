import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ITEM } from '../../src/cull/energy/energy-layout.ts';
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
  const loose = grams.map((x, k) => (k % 16 === 2 ? x : 1.5 * x));
  const at = {
    slots: twins.reserve(48),
    rests: twins.reserve(72),
    grams: twins.place(Float64Array.from(grams)),
    end: twins.place(Float64Array.from(grams.map((x) => 1.1 * x))),
    loose: twins.place(Float64Array.from([...loose, ...new Array(16).fill(0)])),
    looseEnd: twins.place(Float64Array.from([...loose.map((x) => 1.1 * x), ...new Array(16).fill(0)])),
    // Small ones are there.
    patches: twins.place(
      Uint32Array.from([NONE, 0, 0, 0, stamp, stamp, NONE, 0, 0, 0, stamp, stamp, 0, 1, 0, 0, 0, 0]),
    ),
    segments: twins.place(
      Uint32Array.from([
        ...[0, 2, 0, 1, 0, 0, 0, 1, 1, 2],
        ...[2, 3, 1, 3, 0, 0, 0, 1, 0, 0],
        ...[3, 4, 3, 4, 0, 0, 1, 2, 0, 0],
      ]),
    ),
    inner: twins.reserve(64),
    leaf: twins.reserve(64),
    cleared: twins.reserve(32),
    marks: twins.reserve(16),
    proved: twins.reserve(16),
    ways: twins.reserve(16),
  };
  const items = twins.reserve(ITEM * 4);
  const words = new DataView(new ArrayBuffer(4 * ITEM));
  const layout: [number, number, number, [number, number], readonly number[][]][] = [
    [2, NONE, 4, [0, 3], both],
    [0, 1, 2, [0, 1], both],
    [0, NONE, 3, [1, 2], small[0]],
    [1, NONE, 4, [2, 3], small[1]],
  ];
  layout.forEach(([a, b, next, range, list], k) => {
    const o = ITEM * k;
    [a, b, 0, 0, next, ...range, 0, 0, 0, 0, k % 2].forEach((x, c) => {
      words.setUint32(o + 4 * c, x, true);
    });
    const rest = restGram(list);
    [roots[k], 1e-14, 1e-14, 1e-13, ...rest].forEach((x, c) => {
      words.setFloat64(o + 48 + 8 * c, x, true);
    });
    [k < 2 ? roots[k] : 0, 1e-14, 1e-14, 1e-13, ...rest.map((x) => 1.5 * x)].forEach((x, c) => {
      words.setFloat64(o + 128 + 8 * c, x, true);
    });
  });
  const header = twins.place(
    Uint32Array.from([
      ...[items, 4, at.patches, stamp, 0, at.slots, at.slots, at.grams, at.end, swept ? 1 : 0, 3],
      ...[at.inner, at.leaf, at.cleared, 0, 0, 0, 0, 0, 0, at.segments, 3, 0, 0],
      ...[0, 0, 0, 0, at.marks, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      ...[at.loose, at.looseEnd, NONE, 3, at.rests, 0],
      ...[0, 0, 0, 0, 0, 0, 0, 0, at.proved, at.ways],
    ]),
  );
  for (const { memory } of [twins.wasm, twins.ts]) memory.u8.set(new Uint8Array(words.buffer), items);
  return { ...at, items, header };
}

test('testCalm is the same in both kernels, and rises with the limit', () => {
  fc.assert(
    fc.property(program, (it) => {
      const { header, items } = place(it);
      it.roots.forEach((root, k) => {
        const isCalm = twins.run((kernels) => kernels.testCalm(header, items + ITEM * k));
        if (root === 0) expect(isCalm).toBe(0);
        for (const { memory } of [twins.wasm, twins.ts]) memory.f64[((items + ITEM * k) >>> 3) + 6] = 1e6;
        const later = twins.run((kernels) => kernels.testCalm(header, items + ITEM * k));
        expect(later).toBeGreaterThanOrEqual(isCalm);
      });
    }),
    { numRuns: RUNS },
  );
});

test('listCalm lists what no calm item holds, marks its patches, and lets failures rest', () => {
  fc.assert(
    fc.property(program, (it) => {
      const { header, items, inner, leaf, marks } = place(it);
      const calm = it.roots.map(
        (root, k) => root > 0 && twins.run((kernels) => kernels.testCalm(header, items + ITEM * k)) === 1,
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
      const isLeft = (item: number) => !calm[0] && !calm[item];
      expect([...twins.wasm.memory.u8.subarray(marks, marks + 2)]).toEqual(
        [2, 3].map((half) => (isLeft(1) || isLeft(half) ? 1 : 0)),
      );
      it.roots.forEach((root, k) => {
        const [again, failures] = twins.u32(items + ITEM * k + 36, 2);
        const wasTried = root > 0 && (k === 0 || !calm[0]);
        expect(failures).toBe(wasTried && !calm[k] ? 1 : 0);
        if (failures === 1) expect(again).toBe(it.stamp + 2);
      });
    }),
    { numRuns: RUNS },
  );
});

test('sampleCalm counts what listCalm goes through', () => {
  fc.assert(
    fc.property(program, (it) => {
      const { header } = place(it);
      const counts = () => {
        const words = twins.u32(header, 52);
        return { tests: words[17], failed: words[51], left: words[31] };
      };
      twins.run((kernels) => kernels.sampleCalm(header, 0));
      const sampled = counts();
      for (const { memory } of [twins.wasm, twins.ts]) {
        for (const field of [17, 31, 51]) memory.u32[(header >>> 2) + field] = 0;
      }
      twins.run((kernels) => kernels.listCalm(header));
      expect(sampled).toEqual(counts());
    }),
    { numRuns: RUNS },
  );
});
