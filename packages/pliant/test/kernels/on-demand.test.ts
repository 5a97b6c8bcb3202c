import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { buildTree } from '../../src/tree/build-tree.ts';
import { grid } from '../arbitraries.ts';
import { byOrder, createTreeCase } from './kernel-cases.ts';
import {
  areApart,
  type BodyCase,
  type BodyTwins,
  bodyCase,
  leavesOf,
  poseList,
  twins,
  withBodies,
} from './on-demand-bodies.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 150;
const ROOM = 30;

/** Works a whole traversal off in pieces of `steps` pairs; returns its leaf pairs. */
function traverse(a: BodyTwins, b: BodyTwins, lists: Lists, steps: number): [number, number][] {
  const { stack, leaves, counts } = lists;
  const self = a === b ? 1 : 0;
  const found: [number, number][] = [];
  twins.run(({ memory }) => void memory.u32.fill(0, stack >>> 2, (stack >>> 2) + 2));
  let depth = self || twins.run((k) => k.testBoxes(a.side, 0, b.side, 0));
  while (depth > 0) {
    const before = depth;
    twins.run((k) => k.descendOnDemand(a.side, b.side, stack, before, leaves, ROOM, steps, self, counts));
    const [after, count] = twins.u32(counts, 2);
    expect(count).toBeLessThanOrEqual(ROOM);
    found.push(...twins.pairs(leaves, count));
    depth = after;
  }
  return found;
}

interface Lists {
  readonly stack: number;
  readonly leaves: number;
  readonly counts: number;
}

/** Last, so that the twins compare everything before. One pair makes way for three at most. */
function placeLists(...bodies: BodyTwins[]): Lists {
  const nodes = bodies.reduce((sum, { tree }) => sum + tree.nodeCount, 0);
  return {
    leaves: twins.reserve(8 * ROOM),
    counts: twins.reserve(16),
    stack: twins.reserve(8 * (2 * nodes + 3)),
  };
}

/** Leaf pairs that a traversal has to find: those whose triangles' boxes overlap. */
function overlapping(a: BodyTwins, b: BodyTwins, sweptA: boolean, sweptB: boolean): [number, number][] {
  const leavesA = leavesOf(a.tree),
    leavesB = leavesOf(b.tree);
  const boxesA = a.exactBoxes(leavesA, sweptA),
    boxesB = b.exactBoxes(leavesB, sweptB);
  const pairs: [number, number][] = [];
  leavesA.forEach((n, i) => {
    leavesB.forEach((m, j) => {
      if ((a !== b || n < m) && !areApart(boxesA[i], boxesB[j])) pairs.push([n, m]);
    });
  });
  return pairs;
}

/** No pair twice, and none of `expected` missing; order within a pair of leaves of one body is free. */
function expectAll(found: [number, number][], expected: [number, number][], self: boolean): void {
  const key = ([n, m]: [number, number]) => (self && n > m ? `${m} ${n}` : `${n} ${m}`);
  const keys = new Set(found.map(key));
  expect(keys.size).toBe(found.length);
  expect(expected.filter((pair) => !keys.has(key(pair))).sort(byOrder)).toEqual([]);
}

test('placeHandles and ensureBox: the same bytes, around every point below', () => {
  fc.assert(
    fc.property(bodyCase, poseList, fc.array(fc.nat(), { maxLength: 20 }), (it, poses, order) => {
      withBodies([it], (body) => {
        placeLists(body);
        for (const pose of poses) {
          body.pose(pose);
          const nodes = order.map((k) => k % body.tree.nodeCount);
          const boxes = nodes.map((node) => body.ensure(node));
          body.exactBoxes(nodes, pose.isSwept).forEach((exact, i) => {
            for (let k = 0; k < 3; k++) {
              expect(boxes[i][k]).toBeLessThanOrEqual(exact[k]);
              expect(boxes[i][3 + k]).toBeGreaterThanOrEqual(exact[3 + k]);
            }
          });
        }
      });
    }),
    { numRuns: RUNS },
  );
});

const stepCount = fc.constantFrom(5, 20, 100, 1000);

test('descendOnDemand in one body: the same bytes, and every pair of leaves that overlaps once', () => {
  fc.assert(
    fc.property(bodyCase, poseList, stepCount, (it, poses, steps) => {
      withBodies([it], (body) => {
        const lists = placeLists(body);
        for (const pose of poses) {
          body.pose(pose);
          const found = traverse(body, body, lists, steps);
          expectAll(found, overlapping(body, body, pose.isSwept, pose.isSwept), true);
        }
      });
    }),
    { numRuns: RUNS },
  );
});

test('descendOnDemand between two bodies: the same', () => {
  fc.assert(
    fc.property(bodyCase, bodyCase, poseList, poseList, stepCount, (first, second, posesA, posesB, steps) => {
      withBodies([first, second], (a, b) => {
        const lists = placeLists(a, b);
        for (let k = 0; k < Math.max(posesA.length, posesB.length); k++) {
          const poseA = posesA[k % posesA.length],
            poseB = posesB[k % posesB.length];
          a.pose(poseA);
          b.pose(poseB);
          const found = traverse(a, b, lists, steps);
          expectAll(found, overlapping(a, b, poseA.isSwept, poseB.isSwept), false);
        }
      });
    }),
    { numRuns: RUNS },
  );
});

test('boxes that lie lose pairs of leaves, and the checks above notice', () => {
  const mesh = createTriangleMesh(grid(3, 3));
  const it: BodyCase = {
    shape: createTreeCase(mesh, buildTree(mesh)),
    weights: [0.5, 0.25, 0.25, 0, 0],
    displacements: undefined,
    areNormalised: true,
    isPlaced: false,
    variant: 'best',
    followsFront: false,
  };
  const pose = {
    numbers: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
    scale: 1,
    isMotion: false,
    isSwept: false,
    ensuresAll: false,
  };
  withBodies([it, it], (a, b) => {
    const lists = placeLists(a, b);
    for (const origin of [0, 1.5]) {
      a.pose(pose);
      b.pose(pose);
      // The first number of a place, from which the boxes of large nodes are measured.
      twins.run(({ memory }) => void (memory.f64[(a.side >>> 3) + 24] += origin));
      const found = traverse(a, b, lists, 1000);
      const check = () => expectAll(found, overlapping(a, b, false, false), false);
      if (origin === 0) check();
      else expect(check).toThrow();
    }
  });
});
