import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setFrame } from '../../src/refit/quantised-boxes.ts';
import { isLeaf, type Tree } from '../../src/tree/tree.ts';
import { byOrder, type TreeCase, treeCase } from './kernel-cases.ts';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 200;
const twins = await Twins.create();

interface Placed {
  readonly tree: Tree;
  readonly link: number;
  readonly corners: number;
  readonly points: number;
  readonly boxes: number;
}

/** Puts a case into kernel memory with quantised boxes in the frame of the first pose. */
function place({ tree, corners, positions }: TreeCase, frame: Float64Array): Placed {
  const count = positions.length / 3;
  const f = twins.place(frame),
    points = twins.place(positions);
  const link = twins.place(tree.link),
    c = twins.place(corners);
  const vertexBoxes = twins.reserve(16 * count),
    boxes = twins.reserve(16 * tree.nodeCount);
  twins.run((k) => k.quantise(points, count, f, vertexBoxes));
  twins.run((k) => k.refit(tree.nodeCount, link, c, vertexBoxes, boxes));
  return { tree, link, corners: c, points, boxes };
}

function frameOf({ positions }: TreeCase): Float64Array {
  const box = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  positions.forEach((x, i) => {
    box[i % 3] = Math.min(box[i % 3], x);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], x);
  });
  const frame = new Float64Array(6);
  setFrame(box, frame);
  return frame;
}

function overlap(a: Placed, n: number, b: Placed, m: number): boolean {
  const p = twins.box(a.boxes + 16 * n),
    q = twins.box(b.boxes + 16 * m);
  return p.lo.every((x, k) => x <= q.hi[k] && q.lo[k] <= p.hi[k]);
}

/** The exact box of the triangles under a node. */
function exactBox({ corners, positions, tree }: TreeCase, node: number): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let c = 3 * tree.firstSlot[node]; c < 3 * (tree.firstSlot[node] + tree.slotCount[node]); c++) {
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], positions[3 * corners[c] + k]);
      box[3 + k] = Math.max(box[3 + k], positions[3 * corners[c] + k]);
    }
  }
  return box;
}

const pairList = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 40 });

test('nodes whose exact boxes overlap always overlap after quantisation', () => {
  fc.assert(
    fc.property(treeCase(10), treeCase(10), fc.boolean(), (first, second, far) => {
      twins.reset();
      const frame = far ? frameOf(second) : frameOf(first);
      const a = place(first, frame),
        b = place(second, frame);
      for (let n = 0; n < first.tree.nodeCount; n++) {
        const p = exactBox(first, n);
        for (let m = 0; m < second.tree.nodeCount; m++) {
          const q = exactBox(second, m);
          const exact = [0, 1, 2].every((k) => p[k] <= q[3 + k] && q[k] <= p[3 + k]);
          if (exact) expect(overlap(a, n, b, m)).toBe(true);
        }
      }
    }),
    { numRuns: RUNS },
  );
});

test('testPairs and testAlike: exactly the overlapping pairs, leaves apart from the others', () => {
  fc.assert(
    fc.property(treeCase(), treeCase(), pairList, (first, second, list) => {
      twins.reset();
      const frame = frameOf(first);
      const a = place(first, frame),
        b = place(second, frame);
      const pairs = list.map(([n, m]) => [n % a.tree.nodeCount, m % b.tree.nodeCount] as const);
      const at = twins.place(Uint32Array.from(pairs.flat()));
      const [next, leaves, out] = [0, 0, 0].map(() => twins.reserve(8 * (pairs.length + 1)));
      const counts = twins.reserve(16);
      twins.runLists((k) => k.testPairs(at, pairs.length, a.boxes, b.boxes, next, leaves, counts), counts, [
        [next, pairs.length + 1],
        [leaves, pairs.length + 1],
      ]);
      const [innerCount, leafCount] = twins.u32(counts, 2);
      const touching = pairs.filter(([n, m]) => overlap(a, n, b, m));
      const areLeaves = ([n, m]: readonly [number, number]) => isLeaf(a.tree, n) && isLeaf(b.tree, m);
      expect(twins.pairs(next, innerCount)).toEqual(touching.filter((pair) => !areLeaves(pair)));
      expect(twins.pairs(leaves, leafCount)).toEqual(touching.filter(areLeaves));
      const kept = twins.run(
        (k) => k.testAlike(at, pairs.length, a.boxes, b.boxes, out),
        (count) => [[out + 8 * count, out + 8 * (pairs.length + 1)]],
      );
      expect(twins.pairs(out, kept)).toEqual(touching);
    }),
    { numRuns: RUNS },
  );
});

test('testSiblings: the children of inner nodes that overlap', () => {
  fc.assert(
    fc.property(treeCase(), fc.nat(), fc.nat(), (first, i, j) => {
      twins.reset();
      const a = place(first, frameOf(first));
      const { tree } = a;
      const from = Math.min(i % tree.nodeCount, j % tree.nodeCount),
        to = Math.max(i % tree.nodeCount, j % tree.nodeCount);
      const [next, leaves] = [0, 0].map(() => twins.reserve(8 * (tree.nodeCount + 1)));
      const counts = twins.reserve(16);
      twins.runLists((k) => k.testSiblings(from, to, a.link, a.boxes, next, leaves, counts), counts, [
        [next, tree.nodeCount + 1],
        [leaves, tree.nodeCount + 1],
      ]);
      const [innerCount, leafCount] = twins.u32(counts, 2);
      const expected = { inner: [] as number[][], leaf: [] as number[][] };
      for (let node = from; node < to; node++) {
        if (isLeaf(tree, node)) continue;
        const c = tree.link[node];
        if (!overlap(a, c, a, c + 1)) continue;
        (isLeaf(tree, c) && isLeaf(tree, c + 1) ? expected.leaf : expected.inner).push([c, c + 1]);
      }
      expect(twins.pairs(next, innerCount)).toEqual(expected.inner);
      expect(twins.pairs(leaves, leafCount)).toEqual(expected.leaf);
    }),
    { numRuns: RUNS },
  );
});

test('expandPairs: the overlapping children, and level by level every overlapping pair of leaves', () => {
  fc.assert(
    fc.property(treeCase(12), treeCase(12), (first, second) => {
      twins.reset();
      const frame = frameOf(first);
      const a = place(first, frame),
        b = place(second, frame);
      const room = a.tree.nodeCount * b.tree.nodeCount + 1;
      let pairs = twins.reserve(8 * (room + 1)),
        next = twins.reserve(8 * (room + 1)); // pairs are distinct
      const leaves = twins.reserve(8 * (room + 1)),
        counts = twins.reserve(16);
      let count = 1; // the two roots, whose addresses are zero already
      const found: [number, number][] = [];
      if (isLeaf(a.tree, 0) && isLeaf(b.tree, 0)) return;
      while (count > 0) {
        const parents = twins.pairs(pairs, count);
        const [from, n, to] = [pairs, count, next];
        twins.runLists(
          (k) => k.expandPairs(from, n, a.link, a.boxes, b.link, b.boxes, to, leaves, counts),
          counts,
          [
            [to, room + 1],
            [leaves, room + 1],
          ],
        );
        const [innerCount, leafCount] = twins.u32(counts, 2);
        const inner = twins.pairs(next, innerCount),
          leaf = twins.pairs(leaves, leafCount);
        expect([...inner, ...leaf].sort(byOrder)).toEqual(naiveChildren(a, b, parents).sort(byOrder));
        for (const [n, m] of leaf) expect(isLeaf(a.tree, n) && isLeaf(b.tree, m)).toBe(true);
        for (const [n, m] of inner) expect(isLeaf(a.tree, n) && isLeaf(b.tree, m)).toBe(false);
        found.push(...leaf);
        count = innerCount;
        [pairs, next] = [next, pairs];
      }
      const expected: [number, number][] = [];
      for (let n = 0; n < a.tree.nodeCount; n++) {
        for (let m = 0; m < b.tree.nodeCount; m++) {
          if (isLeaf(a.tree, n) && isLeaf(b.tree, m) && overlap(a, n, b, m)) expected.push([n, m]);
        }
      }
      expect(found.sort(byOrder)).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

/** A case with a second pose, its boxes behind those of the first. */
interface Moving extends Placed {
  readonly stride: number;
}

function placeMoving(it: TreeCase, end: Float64Array | undefined, frame: Float64Array): Moving {
  const { tree, corners, positions } = it;
  const f = twins.place(frame),
    link = twins.place(tree.link),
    c = twins.place(corners);
  const stride = 16 * tree.nodeCount;
  const boxes = twins.reserve(2 * stride),
    vertexBoxes = twins.reserve(16 * (positions.length / 3));
  const poses = end ? [positions, end] : [positions];
  poses.forEach((pose, k) => {
    const at = twins.place(pose);
    twins.run((kernels) => kernels.quantise(at, pose.length / 3, f, vertexBoxes));
    twins.run((kernels) => kernels.refit(tree.nodeCount, link, c, vertexBoxes, boxes + k * stride));
  });
  return { tree, link, corners: c, points: 0, boxes, stride: end ? stride : 0 };
}

/** False when one axis separates the cells on the same side at both ends. */
function overlapOnTheWay(a: Moving, n: number, b: Moving, m: number): boolean {
  const [p, q] = [a.boxes + 16 * n, b.boxes + 16 * m];
  const [p0, p1, q0, q1] = [p, p + a.stride, q, q + b.stride].map((address) => twins.box(address));
  return [0, 1, 2].every(
    (k) => !(p0.lo[k] > q0.hi[k] && p1.lo[k] > q1.hi[k]) && !(q0.lo[k] > p0.hi[k] && q1.lo[k] > p1.hi[k]),
  );
}

/** The same of the exact boxes. */
function exactOnTheWay(
  first: TreeCase,
  n: number,
  endA: Float64Array,
  second: TreeCase,
  m: number,
  endB: Float64Array,
): boolean {
  const p0 = exactBox(first, n),
    p1 = exactBox({ ...first, positions: endA }, n);
  const q0 = exactBox(second, m),
    q1 = exactBox({ ...second, positions: endB }, m);
  return [0, 1, 2].every(
    (k) => !(p0[k] > q0[3 + k] && p1[k] > q1[3 + k]) && !(q0[k] > p0[3 + k] && q1[k] > p1[3 + k]),
  );
}

const shift = fc.array(
  fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -3, max: 3, noNaN: true })),
  {
    minLength: 3,
    maxLength: 12,
  },
);

test('testMovingPairs and expandMovingPairs: what no axis keeps apart throughout, and never less', () => {
  fc.assert(
    fc.property(treeCase(8), treeCase(8), shift, fc.option(shift), (first, second, s, t) => {
      twins.reset();
      const endA = first.positions.map((x, i) => x + s[i % s.length]);
      const endB = t ? second.positions.map((x, i) => x + t[i % t.length]) : undefined;
      const frame = frameOf(first);
      const a = placeMoving(first, endA, frame),
        b = placeMoving(second, endB, frame);
      const all: [number, number][] = [];
      for (let n = 0; n < a.tree.nodeCount; n++) for (let m = 0; m < b.tree.nodeCount; m++) all.push([n, m]);
      const at = twins.place(Uint32Array.from(all.flat()));
      const room = 4 * all.length + 1;
      const next = twins.reserve(8 * room),
        leaves = twins.reserve(8 * room),
        counts = twins.reserve(16);
      const lists: [number, number][] = [
        [next, room],
        [leaves, room],
      ];
      const areLeaves = ([n, m]: [number, number]) => isLeaf(a.tree, n) && isLeaf(b.tree, m);
      const meeting = all.filter(([n, m]) => overlapOnTheWay(a, n, b, m));
      for (const [n, m] of all) {
        if (exactOnTheWay(first, n, endA, second, m, endB ?? second.positions)) {
          expect(meeting.some(([p, q]) => p === n && q === m)).toBe(true);
        }
      }
      twins.runLists(
        (k) => k.testMovingPairs(at, all.length, a.boxes, a.stride, b.boxes, b.stride, next, leaves, counts),
        counts,
        lists,
      );
      const [innerCount, leafCount] = twins.u32(counts, 2);
      expect(twins.pairs(next, innerCount)).toEqual(meeting.filter((pair) => !areLeaves(pair)));
      expect(twins.pairs(leaves, leafCount)).toEqual(meeting.filter(areLeaves));

      const parents = all.filter((pair) => !areLeaves(pair));
      const from = twins.place(Uint32Array.from(parents.flat()));
      const { link: linkA } = a,
        { link: linkB } = b;
      twins.runLists(
        (k) =>
          k.expandMovingPairs(
            from,
            parents.length,
            linkA,
            a.boxes,
            a.stride,
            linkB,
            b.boxes,
            b.stride,
            next,
            leaves,
            counts,
          ),
        counts,
        lists,
      );
      const [n, l] = twins.u32(counts, 2);
      const found = [...twins.pairs(next, n), ...twins.pairs(leaves, l)];
      const expected = naiveChildren(a, b, parents, overlapOnTheWay as typeof overlap);
      expect(found.sort(byOrder)).toEqual(expected.sort(byOrder));
      expect(twins.pairs(leaves, l).every(areLeaves)).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

function naiveChildren(
  a: Placed,
  b: Placed,
  parents: [number, number][],
  test = overlap,
): [number, number][] {
  const childrenOf = (tree: Tree, n: number) => (isLeaf(tree, n) ? [n] : [tree.link[n], tree.link[n] + 1]);
  return parents.flatMap(([n, m]) =>
    childrenOf(a.tree, n).flatMap((c) =>
      childrenOf(b.tree, m)
        .filter((d) => test(a, c, b, d))
        .map((d): [number, number] => [c, d]),
    ),
  );
}

test('dropAdjacent: exactly the leaf pairs that share no vertex, in order', () => {
  fc.assert(
    fc.property(treeCase(), pairList, (first, list) => {
      twins.reset();
      const { tree, corners } = first;
      const a = place(first, frameOf(first));
      const leaves = [...tree.link.keys()].filter((n) => isLeaf(tree, n));
      const pairs = list.map(([n, m]): [number, number] => [
        leaves[n % leaves.length],
        leaves[m % leaves.length],
      ]);
      const at = twins.place(Uint32Array.from(pairs.flat()));
      const kept = twins.run(
        (k) => k.dropAdjacent(at, pairs.length, a.link, a.corners),
        (count) => [[at + 8 * count, at + 8 * pairs.length]],
      );
      const cornersOf = (leaf: number) => [
        ...corners.subarray(3 * tree.firstSlot[leaf], 3 * tree.firstSlot[leaf] + 3),
      ];
      const expected = pairs.filter(([n, m]) => !cornersOf(n).some((v) => cornersOf(m).includes(v)));
      expect(twins.pairs(at, kept)).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

test('descend: every overlapping pair of leaves once, however often it is interrupted', () => {
  fc.assert(
    fc.property(
      treeCase(14),
      treeCase(14),
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      (first, second, self, room, steps) => {
        twins.reset();
        const a = placeBoxes64(first),
          b = self ? a : placeBoxes64(second);
        const other = self ? first : second;
        const stack = twins.reserve(8 * 4096),
          leaves = twins.reserve(8 * (room + 1)),
          counts = twins.reserve(16);
        let depth = 1;
        const found: [number, number][] = [];
        for (let guard = 0; depth > 0; guard++) {
          expect(guard).toBeLessThan(20_000);
          const before = depth;
          twins.run((k) =>
            k.descend(
              stack,
              before,
              a.link,
              a.boxes,
              b.link,
              b.boxes,
              leaves,
              room,
              steps,
              self ? 1 : 0,
              counts,
            ),
          );
          const [newDepth, leafCount, taken] = twins.u32(counts, 3);
          expect(leafCount).toBeLessThanOrEqual(room);
          expect(taken).toBeLessThanOrEqual(steps);
          expect(taken).toBeGreaterThan(0);
          found.push(...twins.pairs(leaves, leafCount));
          depth = newDepth;
        }
        const expected: [number, number][] = [];
        for (let n = 0; n < first.tree.nodeCount; n++) {
          for (let m = 0; m < other.tree.nodeCount; m++) {
            if (!isLeaf(first.tree, n) || !isLeaf(other.tree, m)) continue;
            if (self && first.tree.firstSlot[n] >= first.tree.firstSlot[m]) continue;
            const p = exactBox(first, n),
              q = exactBox(other, m);
            if ([0, 1, 2].every((k) => p[k] <= q[3 + k] && q[k] <= p[3 + k])) expected.push([n, m]);
          }
        }
        expect(found.sort(byOrder)).toEqual(expected.sort(byOrder));
      },
    ),
    { numRuns: RUNS },
  );
});

function placeBoxes64({ tree, corners, positions }: TreeCase): { link: number; boxes: number } {
  const link = twins.place(tree.link),
    c = twins.place(corners),
    points = twins.place(positions.map((x) => x + 0)); // one zero: see boxes.test.ts
  const boxes = twins.reserve(48 * tree.nodeCount);
  twins.run((k) => k.refitBoxes(tree.nodeCount, link, c, points, boxes, 0));
  return { link, boxes };
}
