import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { MOST_SLOTS } from '../../src/refit/small-pairs.ts';
import { buildTree } from '../../src/tree/build-tree.ts';
import type { Tree } from '../../src/tree/tree.ts';
import { grid } from '../arbitraries.ts';
import { createTreeCase } from './kernel-cases.ts';
import {
  areApart,
  type BodyCase,
  type BodyTwins,
  bodyCase,
  leavesOf,
  type PoseCase,
  poseList,
  twins,
  withBodies,
} from './on-demand-bodies.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 200;
const ROOM = MOST_SLOTS * MOST_SLOTS;
const WORD = { ranges: 84, stamp: 86 }; // of a side

type Pair = readonly [number, number];

/** Small nodes, two different ones each. */
function pairsOf({ slotCount, nodeCount }: Tree, numbers: readonly number[]): Pair[] {
  const small = Array.from({ length: nodeCount }, (_, node) => node).filter(
    (node) => slotCount[node] <= MOST_SLOTS,
  );
  const node = (k: number) => small[k % small.length];
  return numbers.map((k, i) => [node(k), node(k + i + 1)] as const).filter(([n, m]) => n !== m);
}

interface Lists {
  readonly stack: number;
  readonly leaves: number;
  readonly counts: number;
}

/** Last, so that the twins compare everything before. */
function placeLists(body: BodyTwins, pairs: number): Lists {
  twins.run((k) => body.of(k).boxes.beginSmallPairs());
  return {
    stack: twins.reserve(8 * pairs),
    leaves: twins.reserve(8 * ROOM + 8),
    counts: twins.reserve(16),
  };
}

/** Leaf pairs in the order in which pairs are worked off: from the last to the first. */
function testSmallPairs(
  body: BodyTwins,
  pairs: readonly Pair[],
  { stack, leaves, counts }: Lists,
  steps: number,
): Pair[] {
  twins.run(({ memory }) => memory.u32.set(pairs.flat(), stack >>> 2));
  const found: Pair[] = [];
  for (let depth = pairs.length; depth > 0; ) {
    const before = depth;
    twins.run((k) => body.of(k).boxes.beginSmallPairs());
    twins.run((k) => k.testSmallPairs(body.side, stack, before, leaves, ROOM, steps, counts));
    const [after, count] = twins.u32(counts, 2);
    expect(after).toBeLessThan(before);
    expect(count).toBeLessThanOrEqual(ROOM);
    found.push(...twins.pairs(leaves, count));
    depth = after;
  }
  return found;
}

/** Every pair of leaves that has to be found is, for each pair of nodes again, and nothing that is not below them. */
function expectAll(body: BodyTwins, pairs: readonly Pair[], found: readonly Pair[], isSwept: boolean): void {
  const { tree } = body;
  const leaves = leavesOf(tree),
    boxes = body.exactBoxes(leaves, isSwept);
  const below = (node: number) =>
    leaves.filter((leaf) => {
      const slot = tree.firstSlot[leaf];
      return slot >= tree.firstSlot[node] && slot < tree.firstSlot[node] + tree.slotCount[node];
    });
  const boxOf = new Map(leaves.map((leaf, k) => [leaf, boxes[k]]));
  const counted = new Map<string, number>();
  for (const pair of found) counted.set(`${pair}`, (counted.get(`${pair}`) ?? 0) + 1);
  const most = new Map<string, number>(),
    least = new Map<string, number>();
  for (const [n, m] of pairs) {
    for (const i of below(n)) {
      for (const j of below(m)) {
        const key = `${[i, j]}`;
        most.set(key, (most.get(key) ?? 0) + 1);
        if (!areApart(boxOf.get(i)!, boxOf.get(j)!)) least.set(key, (least.get(key) ?? 0) + 1);
      }
    }
  }
  for (const [key, count] of least) expect(counted.get(key), key).toBe(count);
  for (const [key, count] of counted) expect(most.get(key) ?? 0, key).toBeGreaterThanOrEqual(count);
}

test('the same bytes, and every pair of leaves whose triangles may touch', () => {
  const numbers = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(bodyCase, poseList, numbers, fc.constantFrom(1, 3, 100), (it, poses, random, steps) => {
      withBodies([it], (body) => {
        const pairs = pairsOf(body.tree, random);
        const lists = placeLists(body, random.length);
        for (const pose of poses) {
          body.pose(pose);
          expectAll(body, pairs, testSmallPairs(body, pairs, lists, steps), pose.isSwept);
        }
      });
    }),
    { numRuns: RUNS },
  );
});

test('boxes of another pose lose pairs of leaves, and the check above notices', () => {
  const mesh = createTriangleMesh(grid(3, 3));
  const it: BodyCase = {
    shape: createTreeCase(mesh, buildTree(mesh)),
    weights: undefined,
    displacements: [1, 2, 3, 5, 8, 13, 21],
    areNormalised: true,
    isPlaced: false,
    variant: 'best',
    followsFront: false,
  };
  const pose = (size: number): PoseCase => ({
    numbers: Array.from({ length: 12 }, () => size),
    scale: 1,
    isMotion: false,
    isSwept: false,
    ensuresAll: false,
  });
  for (const lies of [false, true]) {
    withBodies([it], (body) => {
      const pairs = pairsOf(body.tree, [1, 2, 3, 4, 5, 6, 7, 8]);
      const lists = placeLists(body, pairs.length);
      body.pose(pose(3));
      testSmallPairs(body, pairs, lists, 100);
      body.pose(pose(0));
      if (lies) {
        twins.run(({ memory: { u32 } }) => {
          const o = body.side >>> 2;
          for (let node = 0; node < body.tree.nodeCount; node++)
            u32[(u32[o + WORD.ranges] >>> 2) + 3 * node + 2] = u32[o + WORD.stamp] + 1;
        });
      }
      const found = testSmallPairs(body, pairs, lists, 100);
      const check = () => expectAll(body, pairs, found, false);
      if (lies) expect(check).toThrow();
      else check();
    });
  }
});
