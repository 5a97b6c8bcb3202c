import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setFrame } from '../../src/refit/quantised-boxes.ts';
import { isLeaf } from '../../src/tree/tree.ts';
import { coordinate, leavesUnder, points, treeCase } from './kernel-cases.ts';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 300;
const twins = await Twins.create();

/** Any frame with scales that are not negative, sensible or not. */
const frame = fc
  .tuple(
    fc.array(fc.oneof(coordinate, fc.constantFrom(Infinity, -Infinity, NaN)), { minLength: 3, maxLength: 3 }),
    fc.array(
      fc.oneof(
        fc.double({ min: 0, max: 1e5, noNaN: true }),
        fc.constantFrom(0, 5e-324, 1e-90, 2 ** -300, 1e300, Infinity, NaN),
      ),
      { minLength: 3, maxLength: 3 },
    ),
  )
  .map(([origin, scale]) => Float64Array.from([...origin, ...scale]));

/** The frame a query would choose for these points. */
function frameOf(list: Float64Array): Float64Array {
  const box = boundsOf(list),
    out = new Float64Array(6);
  setFrame(Float64Array.from(box), out);
  return out;
}

function boundsOf(list: Float64Array): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < list.length; i++) {
    box[i % 3] = Math.min(box[i % 3], list[i]);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], list[i]);
  }
  return box;
}

test('pointBounds: the smallest and the largest of each coordinate', () => {
  fc.assert(
    fc.property(points(9), (any) => {
      twins.reset();
      const list = any.map((x) => x + 0); // one zero; the other has a test of its own
      const address = twins.place(list),
        out = twins.reserve(48);
      twins.run((k) => k.pointBounds(address, list.length / 3, out));
      const found = [...twins.f64(out, 6)];
      expect(found.map((x) => x + 0)).toEqual(boundsOf(list).map((x) => x + 0));
    }),
    { numRuns: RUNS },
  );
});

test('quantise: the same cells in both, never out of order, in any frame', () => {
  fc.assert(
    fc.property(points(12), fc.option(frame), (list, anyFrame) => {
      twins.reset();
      const count = list.length / 3;
      const f = twins.place(anyFrame ?? frameOf(list)),
        address = twins.place(list),
        boxes = twins.reserve(16 * count);
      twins.run((k) => k.quantise(address, count, f, boxes));
      const cells = Array.from({ length: count }, (_, i) => twins.box(boxes + 16 * i));
      for (const { lo, hi, flags } of cells) {
        expect(lo).toEqual(hi);
        expect(Math.min(...lo)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...lo)).toBeLessThanOrEqual(32767);
        expect(flags).toEqual([64, 64]);
      }
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < count; j++) {
          for (let axis = 0; axis < 3; axis++) {
            if (list[3 * i + axis] <= list[3 * j + axis]) {
              expect(cells[i].lo[axis]).toBeLessThanOrEqual(cells[j].lo[axis]);
            }
          }
        }
      }
    }),
    { numRuns: RUNS },
  );
});

test('the frame of a query tells its ends and its outside apart', () => {
  const box = Float64Array.of(-2, 0, 5, 6, 1e-9, 5),
    f = new Float64Array(6);
  setFrame(box, f);
  const list = Float64Array.of(-2, 0, 5, 6, 1e-9, 5, -2.01, -1e-12, 4, 6.01, 1.01e-9, 6);
  twins.reset();
  const at = twins.place(f),
    address = twins.place(list),
    boxes = twins.reserve(16 * 4);
  twins.run((k) => k.quantise(address, 4, at, boxes));
  const [first, last, below, above] = [0, 1, 2, 3].map((i) => twins.box(boxes + 16 * i).lo);
  expect(first.slice(0, 2)).toEqual([1, 1]);
  expect(last.slice(0, 2)).toEqual([32765, 32765]);
  expect(below.slice(0, 2)).toEqual([0, 0]);
  expect(Math.min(above[0], above[1])).toBeGreaterThan(32765);
  expect([first[2], last[2], below[2], above[2]]).toEqual([0, 0, 0, 0]); // no extent: nothing is told apart
});

test('refit: a node has the box of the triangles below it, and only leaves are flagged', () => {
  fc.assert(
    fc.property(treeCase(), fc.option(frame), ({ tree, corners, positions }, anyFrame) => {
      twins.reset();
      const count = positions.length / 3;
      const f = twins.place(anyFrame ?? frameOf(positions)),
        address = twins.place(positions);
      const link = twins.place(tree.link),
        c = twins.place(corners);
      const vertexBoxes = twins.reserve(16 * count),
        boxes = twins.reserve(16 * tree.nodeCount);
      twins.run((k) => k.quantise(address, count, f, vertexBoxes));
      twins.run((k) => k.refit(tree.nodeCount, link, c, vertexBoxes, boxes));
      for (let node = 0; node < tree.nodeCount; node++) {
        const lo = [32767, 32767, 32767],
          hi = [0, 0, 0];
        for (let s = tree.firstSlot[node]; s < tree.firstSlot[node] + tree.slotCount[node]; s++) {
          for (const vertex of corners.subarray(3 * s, 3 * s + 3)) {
            const cell = twins.box(vertexBoxes + 16 * vertex).lo;
            for (let k = 0; k < 3; k++) {
              lo[k] = Math.min(lo[k], cell[k]);
              hi[k] = Math.max(hi[k], cell[k]);
            }
          }
        }
        const flag = isLeaf(tree, node) ? 64 : 0;
        expect(twins.box(boxes + 16 * node)).toEqual({ lo, hi, flags: [flag, flag] });
      }
    }),
    { numRuns: RUNS },
  );
});

test('refitBoxes: the f64 box of the triangles below a node; with grow, of both poses', () => {
  fc.assert(
    fc.property(
      treeCase(),
      fc.array(coordinate, { minLength: 1, maxLength: 20 }),
      ({ tree, corners, positions }, mix) => {
        twins.reset();
        const start = positions.map((x) => x + 0),
          end = positions.map((x, i) => x + mix[i % mix.length] + 0);
        const link = twins.place(tree.link),
          c = twins.place(corners),
          boxes = twins.reserve(48 * tree.nodeCount);
        const from = twins.place(start),
          to = twins.place(end);
        twins.run((k) => k.refitBoxes(tree.nodeCount, link, c, from, boxes, 0));
        expectBoxes([start]);
        twins.run((k) => k.refitBoxes(tree.nodeCount, link, c, to, boxes, 1));
        expectBoxes([start, end]);

        function expectBoxes(poses: Float64Array[]): void {
          for (let node = 0; node < tree.nodeCount; node++) {
            const under = leavesUnder(tree, node).flatMap((leaf) => {
              const s = 3 * tree.firstSlot[leaf];
              return [...corners.subarray(s, s + 3)];
            });
            const expected = boundsOf(
              Float64Array.from(
                poses.flatMap((pose) => under.flatMap((v) => [...pose.subarray(3 * v, 3 * v + 3)])),
              ),
            );
            expect([...twins.f64(boxes + 48 * node, 6)].map((x) => x + 0)).toEqual(
              expected.map((x) => x + 0),
            );
          }
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('both zeros: the twins agree on them too', () => {
  const zeros = Float64Array.of(0, 0, 0, -0, -0, -0, 0, 0, 0);
  twins.reset();
  const at = twins.place(zeros),
    out = twins.reserve(48),
    boxes = twins.reserve(48);
  const link = twins.place(Uint32Array.of(0x80000000)),
    corners = twins.place(Uint32Array.of(0, 1, 2, 0xffffffff));
  twins.run((k) => k.pointBounds(at, 3, out));
  twins.run((k) => k.refitBoxes(1, link, corners, at, boxes, 0));
});
