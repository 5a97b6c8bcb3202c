import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { buildTree, type SplitRule } from '../../src/tree/build-tree.ts';
import { buildStaticFront, type FrontLimits, type FrontList } from '../../src/tree/static-front.ts';
import { isLeaf, type Tree } from '../../src/tree/tree.ts';
import { grid, gridWithPose, triangleSoup } from '../arbitraries.ts';
import { shareVertex } from '../oracles/brute-force.ts';
import { peelFirst, peelLast, randomSplit, splitRule } from './split-rules.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 200;

/** Everything StaticFront promises. Returns whether it is coarse. */
function expectSound(mesh: TriangleMesh, split: SplitRule | undefined, limits?: FrontLimits): boolean {
  const tree = buildTree(mesh, { split });
  const { inner, leaf, isCoarse } = buildStaticFront(tree, mesh, limits);
  const count = mesh.triangleCount;
  const covered = new Uint8Array(count * count);
  for (const list of [inner, leaf]) {
    expect(list.pairs.length).toBe(2 * list.pairCount);
    for (let k = 0; k < list.pairCount; k++) {
      const a = list.pairs[2 * k],
        b = list.pairs[2 * k + 1];
      expect(isLeaf(tree, a) && isLeaf(tree, b)).toBe(list === leaf);
      for (const i of trianglesUnder(tree, a)) {
        for (const j of trianglesUnder(tree, b)) covered[Math.min(i, j) * count + Math.max(i, j)]++;
      }
    }
    expectOwners(tree, list);
  }
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      const times = covered[i * count + j];
      const isRight = shareVertex(mesh, i, j) ? times <= (isCoarse ? 1 : 0) : times === 1;
      if (!isRight) throw new Error(`(${i}, ${j}) is covered ${times} times`);
    }
  }
  return isCoarse;
}

/** A node's range holds what lies between its own children, then the ranges of those, one after the other. */
function expectOwners(tree: Tree, { pairCount, pairs, start, end }: FrontList): void {
  expect([start[0], end[0]]).toEqual([0, pairCount]);
  for (let node = 0; node < tree.nodeCount; node++) {
    expect(start[node]).toBeLessThanOrEqual(end[node]);
    if (isLeaf(tree, node)) {
      expect(start[node]).toBe(end[node]);
      continue;
    }
    const left = tree.link[node],
      right = left + 1;
    expect(start[node]).toBeLessThanOrEqual(start[left]);
    expect(end[left]).toBe(start[right]);
    expect(end[right]).toBe(end[node]);
    for (let k = start[node]; k < start[left]; k++) {
      expect(isUnder(tree, pairs[2 * k], left)).toBe(true);
      expect(isUnder(tree, pairs[2 * k + 1], right)).toBe(true);
    }
  }
}

function isUnder(tree: Tree, node: number, ancestor: number): boolean {
  const first = tree.firstSlot[ancestor];
  return (
    node >= ancestor &&
    tree.firstSlot[node] >= first &&
    tree.firstSlot[node] + tree.slotCount[node] <= first + tree.slotCount[ancestor]
  );
}

function trianglesUnder(tree: Tree, node: number): Uint32Array {
  return tree.order.subarray(tree.firstSlot[node], tree.firstSlot[node] + tree.slotCount[node]);
}

describe('the static front covers each pair of triangles that share no vertex, once', () => {
  test('of random triangles, duplicates and degenerate ones among them', () => {
    fc.assert(
      fc.property(triangleSoup(40), splitRule, (source, split) => {
        const twice = { ...source, triangles: [...source.triangles, ...[...source.triangles].slice(0, 6)] };
        expectSound(createTriangleMesh(twice), split);
      }),
      { numRuns: RUNS },
    );
  });

  test('of grids', () => {
    fc.assert(
      fc.property(gridWithPose(7), splitRule, ({ source }, split) => {
        expectSound(createTriangleMesh(source), split);
      }),
      { numRuns: RUNS },
    );
  });

  test('of a single triangle, of all-equal ones and of all-separate ones', () => {
    expectSound(
      createTriangleMesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] }),
      undefined,
    );
    const same = createTriangleMesh({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
      triangles: new Array(60).fill([0, 1, 2]).flat(),
    });
    expectSound(same, undefined);
    const { inner, leaf } = buildStaticFront(buildTree(same), same);
    expect(inner.pairCount + leaf.pairCount).toBe(0);
    const apart = createTriangleMesh({
      positions: Array.from({ length: 9 * 30 }, (_, i) => i * i),
      triangles: Array.from({ length: 90 }, (_, i) => i),
    });
    expectSound(apart, randomSplit(5));
  });

  test.each([
    ['one at a time from the front', peelFirst],
    ['one at a time from the back', peelLast],
    ['anywhere', randomSplit(11)],
  ])('of trees that are very deep: %s', (_, split) => {
    expectSound(createTriangleMesh(grid(16, 12)), split);
  });

  test('of coarse fronts', () => {
    let coarse = 0;
    fc.assert(
      fc.property(triangleSoup(40), splitRule, fc.nat(3), fc.nat(30), (source, split, perOwner, always) => {
        const limits = { perTriangle: 2, perOwner, always };
        if (expectSound(createTriangleMesh(source), split, limits)) coarse++;
      }),
      { numRuns: RUNS },
    );
    expect(coarse).toBeGreaterThan(RUNS / 10);
  });

  test('of a fan, where every triangle neighbours every other', () => {
    const positions = [0, 0, 0],
      triangles: number[] = [];
    for (let k = 0; k < 40; k++) {
      positions.push(Math.cos(k), Math.sin(k), k);
      if (k > 0) triangles.push(0, k, k + 1);
    }
    expectSound(createTriangleMesh({ positions, triangles }), undefined);
  });
});

test('a front is small: a few pairs per triangle on a sheet', () => {
  const mesh = createTriangleMesh(grid(100, 100));
  const { inner, leaf } = buildStaticFront(buildTree(mesh), mesh);
  expect((inner.pairCount + leaf.pairCount) / mesh.triangleCount).toBeLessThan(14);
});

describe('the front grows with the mesh, not with the square of its valence', () => {
  test('nothing is left of a large fan', () => {
    const mesh = createTriangleMesh(fan(50_000));
    const { inner, leaf, isCoarse } = buildStaticFront(buildTree(mesh), mesh);
    expect([inner.pairCount, leaf.pairCount, isCoarse]).toEqual([0, 0, false]);
  });

  test('two fans mixed in space have a coarse front', () => {
    const mesh = createTriangleMesh(mixedFans(5000));
    const { inner, leaf, isCoarse } = buildStaticFront(buildTree(mesh), mesh);
    expect(isCoarse).toBe(true);
    expect(inner.pairCount + leaf.pairCount).toBeLessThan(70 * mesh.triangleCount);
  });
});

function fan(count: number): { positions: number[]; triangles: number[] } {
  const positions = [0, 0, 0],
    triangles: number[] = [];
  for (let k = 0; k < count; k++) {
    const angle = (2 * Math.PI * k) / count;
    positions.push(Math.cos(angle), Math.sin(angle), 0);
    triangles.push(0, k + 1, ((k + 1) % count) + 1);
  }
  return { positions, triangles };
}

/** Two discs, one close above the other: a node of the tree has triangles of both, down to the smallest. */
function mixedFans(count: number): { positions: number[]; triangles: number[] } {
  const below = fan(count);
  const above = below.positions.map((x, k) => (k % 3 === 2 ? 1e-9 : x));
  return {
    positions: [...below.positions, ...above],
    triangles: [...below.triangles, ...below.triangles.map((v) => v + count + 1)],
  };
}
