import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SLOT } from '../../src/kernels/kernels.ts';
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { buildTree } from '../../src/tree/build-tree.ts';
import { firstChild, isLeaf, type Tree, triangleOfLeaf } from '../../src/tree/tree.ts';
import { grid, triangleSoup } from '../arbitraries.ts';
import { peelFirst, peelLast, randomSplit, splitRule } from './split-rules.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 200;

/** Everything Tree promises, from its arrays alone. */
function expectSound(tree: Tree, mesh: TriangleMesh): void {
  const { nodeCount, link, firstSlot, slotCount, order, levelStart } = tree;
  expect(nodeCount).toBe(2 * mesh.triangleCount - 1);
  for (const list of [link, firstSlot, slotCount]) expect(list.length).toBe(nodeCount);
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: mesh.triangleCount }, (_, t) => t));
  expect([firstSlot[0], slotCount[0]]).toEqual([0, mesh.triangleCount]);

  let nextChild = 1; // children are handed out in the order of their parents, two by two
  const level = new Uint32Array(nodeCount);
  const slotSeen = new Uint8Array(mesh.triangleCount);
  for (let node = 0; node < nodeCount; node++) {
    if (isLeaf(tree, node)) {
      const slot = link[node] & SLOT;
      expect(slotCount[node]).toBe(1);
      expect(slot).toBe(firstSlot[node]);
      expect(triangleOfLeaf(tree, node)).toBe(order[slot]);
      expect(slotSeen[slot]++).toBe(0);
      continue;
    }
    const child = firstChild(tree, node);
    expect(child).toBe(nextChild);
    expect(child).toBeGreaterThan(node);
    nextChild += 2;
    level[child] = level[child + 1] = level[node] + 1;
    expect(slotCount[child]).toBeGreaterThan(0);
    expect(slotCount[child + 1]).toBeGreaterThan(0);
    expect(firstSlot[child]).toBe(firstSlot[node]);
    expect(firstSlot[child + 1]).toBe(firstSlot[node] + slotCount[child]);
    expect(slotCount[child] + slotCount[child + 1]).toBe(slotCount[node]);
  }
  expect(nextChild).toBe(nodeCount);
  expect(slotSeen.every((n) => n === 1)).toBe(true);

  const expectedStarts = [...level.keys()].filter((n) => n === 0 || level[n] !== level[n - 1]);
  expect([...levelStart]).toEqual([...expectedStarts, nodeCount]);
  expect(level.every((l, n) => n === 0 || l >= level[n - 1])).toBe(true);
}

describe('every tree is in level order', () => {
  test('random triangles, any split rule', () => {
    fc.assert(
      fc.property(triangleSoup(40), splitRule, (source, split) => {
        const mesh = createTriangleMesh(source);
        expectSound(buildTree(mesh, { split }), mesh);
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    ['one at a time from the front', peelFirst],
    ['one at a time from the back', peelLast],
    ['anywhere', randomSplit(3)],
    ['at the median', undefined],
  ])('a deep one: %s', (_, split) => {
    const mesh = createTriangleMesh(grid(40, 40));
    const tree = buildTree(mesh, { split });
    expectSound(tree, mesh);
    if (split === peelFirst || split === peelLast)
      expect(tree.levelStart.length - 1).toBe(mesh.triangleCount);
  });

  test('all triangles in one place', () => {
    const mesh = createTriangleMesh({ positions: [1, 2, 3], triangles: new Array(300).fill(0) });
    const tree = buildTree(mesh);
    expectSound(tree, mesh);
    expect(tree.levelStart.length - 1).toBe(8); // 100 triangles: still balanced
  });

  test('the arrays of the mesh are left alone', () => {
    const mesh = createTriangleMesh(grid(5, 5));
    const before = structuredClone({ positions: mesh.positions, triangles: mesh.triangles });
    buildTree(mesh, { split: randomSplit(1) });
    expect({ positions: mesh.positions, triangles: mesh.triangles }).toEqual(before);
  });
});

describe('the median split', () => {
  test('makes a heap: children by arithmetic, as shallow as can be, all inner nodes before all leaves', () => {
    fc.assert(
      fc.property(triangleSoup(60), (source) => {
        const mesh = createTriangleMesh(source);
        const tree = buildTree(mesh);
        for (let node = 0; node < tree.nodeCount; node++) {
          expect(isLeaf(tree, node)).toBe(node >= mesh.triangleCount - 1);
          if (!isLeaf(tree, node)) expect(tree.link[node]).toBe(2 * node + 1);
        }
        expect(tree.levelStart.length - 1).toBe(Math.ceil(Math.log2(mesh.triangleCount)) + 1);
      }),
      { numRuns: RUNS },
    );
  });

  test('puts lower centroids first along the longest side', () => {
    fc.assert(
      fc.property(triangleSoup(40), (source) => {
        const mesh = createTriangleMesh(source);
        const tree = buildTree(mesh);
        const centroid = (t: number) =>
          [0, 1, 2].map((k) =>
            [0, 1, 2].reduce((sum, c) => sum + mesh.positions[3 * mesh.triangles[3 * t + c] + k] / 3, 0),
          );
        for (let node = 0; node < tree.nodeCount; node++) {
          if (isLeaf(tree, node)) continue;
          const first = tree.firstSlot[node],
            split = tree.firstSlot[tree.link[node] + 1];
          const all = [...tree.order.subarray(first, first + tree.slotCount[node])].map(centroid);
          const sides = [0, 1, 2].map((k) => {
            const list = all.map((c) => c[k]);
            return Math.max(...list) - Math.min(...list);
          });
          const axis = sides.indexOf(Math.max(...sides));
          const left = all.slice(0, split - first).map((c) => c[axis]);
          const right = all.slice(split - first).map((c) => c[axis]);
          expect(Math.max(...left)).toBeLessThanOrEqual(Math.min(...right));
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('does not depend on anything but the mesh', () => {
    const mesh = createTriangleMesh(grid(30, 20));
    expect(buildTree(mesh)).toEqual(buildTree(mesh));
  });

  test('takes other positions when told to', () => {
    const mesh = createTriangleMesh(grid(6, 1));
    const turned = mesh.positions.map((_, i) => mesh.positions[3 * Math.floor(i / 3) + [1, 0, 2][i % 3]]);
    const mirrored = mesh.positions.map((x, i) => (i % 3 === 0 ? -x : x));
    expect(buildTree(mesh, { positions: turned }).order).toEqual(buildTree(mesh).order);
    expect(buildTree(mesh, { positions: mirrored }).order).not.toEqual(buildTree(mesh).order);
  });
});
