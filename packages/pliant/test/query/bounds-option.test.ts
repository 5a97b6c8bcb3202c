import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HandledDeformer } from '../../src/deform/point-source.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  findAnyCollision,
  findClosePairs,
  findCollisions,
  findSelfCollisions,
  type Tree,
} from '../../src/index.ts';
import { HandleBoxes } from '../../src/refit/handle-boxes.ts';
import { SphereBounds } from '../../src/refit/sphere-bounds.ts';
import { grid } from '../arbitraries.ts';
import { pairsBetween, selfPairs } from '../oracles/brute-force.ts';
import {
  convexWeights,
  createBlendBody,
  createGridMesh,
  fileWeights,
  smoothWeights,
  tamePoses,
} from '../refit/blend-arbitraries.ts';

const RUNS = process.env.PLIANT_FULL ? 500 : 10;
const BOUNDS = ['boxes', 'two-largest', 'sphere', 'sphere-skin'] as const;

const weights = fc.oneof(smoothWeights, convexWeights, fileWeights);
const track = fc.array(tamePoses, { minLength: 1, maxLength: 4 });
const other = fc.constantFrom(...BOUNDS);

type Pair = [number, number];

describe.each(BOUNDS)('%s', (bounds) => {
  test('finds what brute force finds, pose after pose, whatever was asked before', async () => {
    const engine = await createEngine();
    const mesh = createGridMesh();
    fc.assert(
      fc.property(weights, track, other, fc.nat(200), (w, poses, otherBounds, budget) => {
        const a = createBlendBody(engine, 'skin', w, [], { bounds }, mesh),
          b = createBlendBody(engine, 'skin', w, [], { bounds: otherBounds }, mesh);
        b.setWorldMatrix([1, 0, 0, 0.5, 0, 1, 0, 0.25, 0, 0, 1, 0.125]);
        for (const { joints } of poses) {
          a.setPose(joints);
          b.setPose(joints.toReversed());
          const truth = pairsBetween(mesh, a.getPositions(), mesh, b.getPositions());
          const stopped = findCollisions(a, b, { method: 'on-demand', budget: { nodePairs: budget } });
          expectHonest(stopped, truth, a.tree, b.tree);
          expect(findCollisions(a, b, { method: 'on-demand' }).sortedPairs()).toEqual(truth);
          const turned = findCollisions(b, a, { method: 'on-demand' }).sortedPairs();
          expect(turned.map(([i, j]) => [j, i]).sort(byOrder)).toEqual(truth);
          expect(findAnyCollision(a, b, { method: 'on-demand' }) === undefined).toBe(truth.length === 0);
          const self = findSelfCollisions(a, { method: 'on-demand' });
          expect(self.sortedPairs()).toEqual(selfPairs(mesh, a.getLocalPositions()));
        }
        a.dispose();
        b.dispose();
      }),
      { numRuns: RUNS },
    );
  });

  test('moves with the joints: nothing of the last pose is left', async () => {
    const engine = await createEngine();
    const mesh = createGridMesh();
    const w = new Array(4 * mesh.vertexCount).fill(0.25);
    const [a, b] = [0, 1].map(() => createBlendBody(engine, 'skin', w, [], { bounds }, mesh));
    const at = (x: number) => [...identity(0), ...identity(0), ...identity(0), ...identity(x)];
    const count = () => findCollisions(a, b, { method: 'on-demand' }).pairCount;
    const together = count();
    expect(together).toBeGreaterThan(0);
    b.setPose(at(1000)); // one joint takes a quarter of every vertex along
    expect(count()).toBe(0);
    expect(findClosePairs(a, b, 1).pairCount).toBe(0);
    b.setPose(at(0));
    expect(count()).toBe(together);
  });
});

function identity(x: number): number[] {
  return [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0];
}

function byOrder(p: readonly number[], q: readonly number[]): number {
  return p[0] - q[0] || p[1] - q[1];
}

/** Found pairs are true, and every other true one is below an unresolved pair of nodes. */
function expectHonest(
  report: ReturnType<typeof findCollisions>,
  truth: readonly Pair[],
  treeA: Tree,
  treeB: Tree,
): void {
  const found = new Set(report.sortedPairs().map(String));
  const true_ = new Set(truth.map(String));
  for (const pair of found) expect(true_.has(pair)).toBe(true);
  const { data, count } = report.unresolved;
  const isBelow = ({ firstSlot, slotCount, order }: Tree, node: number, triangle: number) => {
    const slot = order.indexOf(triangle);
    return slot >= firstSlot[node] && slot < firstSlot[node] + slotCount[node];
  };
  for (const [i, j] of truth) {
    let isCovered = found.has(`${i},${j}`);
    for (let k = 0; k < count && !isCovered; k++)
      isCovered = isBelow(treeA, data[2 * k], i) && isBelow(treeB, data[2 * k + 1], j);
    expect(isCovered, `${i},${j} is neither found nor unresolved`).toBe(true);
  }
}

test('following the front or not, boxes lead to the same pairs', async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  fc.assert(
    fc.property(weights, track, (w, poses) => {
      const body = createBlendBody(engine, 'skin', w, [], {}, mesh);
      const { resident } = body;
      const deformer = body.deformer as HandledDeformer;
      const found = [true, false].map((followsFront) => {
        const boxes = new HandleBoxes(engine.kernels, resident, deformer, undefined, { followsFront });
        const lists = poses.map(({ joints }) => {
          body.setPose(joints);
          boxes.begin(false);
          return overlapping(body, boxes);
        });
        boxes.free();
        return lists;
      });
      // Boxes that were united of tighter ones may rule out more, never less of what touches.
      poses.forEach(({ joints }, k) => {
        body.setPose(joints);
        const truth = selfPairs(mesh, body.getLocalPositions()).map(String);
        for (const lists of found) for (const pair of truth) expect(lists[k].has(pair)).toBe(true);
      });
      body.dispose();
    }),
    { numRuns: RUNS },
  );
});

/** Triangle pairs that a traversal with these boxes arrives at. */
function overlapping({ tree, engine }: Body, boxes: HandleBoxes): Set<string> {
  const { kernels } = engine;
  const { memory } = kernels;
  const stack = memory.allocate(8 * (4 * tree.nodeCount + 8)),
    leaves = memory.allocate(8 * 4096),
    counts = memory.allocate(16);
  memory.u32.fill(0, stack >>> 2, (stack >>> 2) + 2);
  const pairs = new Set<string>();
  for (let depth = 1; depth > 0; ) {
    kernels.descendOnDemand(boxes.side, boxes.side, stack, depth, leaves, 4096, 512, 1, counts);
    const { u32 } = memory;
    depth = u32[counts >>> 2];
    for (let k = 0; k < u32[(counts >>> 2) + 1]; k++) {
      const [i, j] = [0, 1].map((e) => tree.order[tree.firstSlot[u32[(leaves >>> 2) + 2 * k + e]]]);
      pairs.add(String([Math.min(i, j), Math.max(i, j)]));
    }
  }
  for (const address of [stack, leaves, counts]) memory.free(address);
  return pairs;
}

test('bodies have the volumes they were asked to have', async () => {
  const engine = await createEngine();
  const w = new Array(4 * createGridMesh().vertexCount).fill(0.25);
  const boundsOf = (bounds: (typeof BOUNDS)[number] | undefined) =>
    createBlendBody(engine, 'skin', w, [], { bounds }).getLocalBounds(false);
  for (const name of [undefined, 'boxes', 'two-largest'] as const)
    expect(boundsOf(name)).toBeInstanceOf(HandleBoxes);
  for (const name of ['sphere', 'sphere-skin'] as const) expect(boundsOf(name)).toBeInstanceOf(SphereBounds);
});

test('names that are none, and volumes that a body cannot have, are refused; nothing stays behind', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh(grid(3, 3));
  const before = engine.usage;
  const refuse = (create: () => Body) => {
    let error: unknown;
    try {
      create();
    } catch (thrown) {
      error = thrown;
    }
    expect(engine.usage).toEqual(before);
    return (error as { code?: string }).code;
  };
  // @ts-expect-error: not a name
  expect(refuse(() => engine.createRigidBody(mesh, { bounds: 'cubes' }))).toBe('bad-option');
  // @ts-expect-error: not a name
  expect(refuse(() => engine.createRigidBody(mesh, { bounds: 7 }))).toBe('bad-option');
  expect(refuse(() => engine.createFreeBody(mesh, { bounds: 'boxes' }))).toBe('unsupported');
  expect(refuse(() => engine.createRigidBody(mesh, { bounds: 'sphere-skin' }))).toBe('unsupported');
  const influences = 9;
  const joints = Array.from({ length: influences * mesh.vertexCount }, (_, k) => k % influences);
  const skin = { jointCount: influences, influences, joints, weights: joints.map(() => 1 / influences) };
  expect(refuse(() => engine.createSkinnedBody(mesh, skin, { bounds: 'sphere-skin' }))).toBe('unsupported');
  engine.createSkinnedBody(mesh, skin, { bounds: 'sphere' }).dispose();
});
