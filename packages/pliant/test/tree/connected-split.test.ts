import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEngine, createTriangleMesh, findSelfCollisions, type TriangleMesh } from '../../src/index.ts';
import { createGeodesicSphere } from '../../src/shapes/geodesic-sphere.ts';
import { buildTree } from '../../src/tree/build-tree.ts';
import { heapLeft } from '../../src/tree/median-split.ts';
import { isLeaf, type Tree } from '../../src/tree/tree.ts';
import { grid, triangleSoup } from '../arbitraries.ts';
import { roughSheet, tube } from '../cull/energy/energy-cases.ts';
import { selfPairs } from '../oracles/brute-force.ts';

const RUNS = process.env.PLIANT_FULL ? 500 : 50;

/** Pieces of triangles that share edges. */
function piecesBelow(
  { triangles }: TriangleMesh,
  { order, firstSlot, slotCount }: Tree,
  node: number,
): number {
  const list = [...order.subarray(firstSlot[node], firstSlot[node] + slotCount[node])];
  const edges = new Map<string, number[]>();
  for (const t of list) {
    for (let k = 0; k < 3; k++) {
      const pair = [triangles[3 * t + k], triangles[3 * t + ((k + 1) % 3)]].sort((u, v) => u - v).join(' ');
      edges.set(pair, [...(edges.get(pair) ?? []), t]);
    }
  }
  const parent = new Map(list.map((t) => [t, t]));
  const find = (t: number): number => (parent.get(t) === t ? t : find(parent.get(t)!));
  for (const around of edges.values()) for (const t of around) parent.set(find(t), find(around[0]));
  return list.filter((t) => parent.get(t) === t).length;
}

function expectPatches(mesh: TriangleMesh): Tree {
  const tree = buildTree(mesh, { split: 'connected' });
  expect([...tree.order].sort((a, b) => a - b)).toEqual(
    Array.from({ length: mesh.triangleCount }, (_, t) => t),
  );
  for (let node = 0; node < tree.nodeCount; node++) {
    if (tree.slotCount[node] < 12 || isLeaf(tree, node)) continue;
    const parentIsSmall = tree.slotCount[node] < 24 && node > 0;
    if (!parentIsSmall) expect(piecesBelow(mesh, tree, node)).toBe(1);
  }
  return tree;
}

test('patches of sheets and tubes are in one piece, and about as large as each other', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 14 }),
      fc.integer({ min: 3, max: 14 }),
      fc.nat(),
      fc.boolean(),
      (x, y, seed, isTube) => {
        const mesh = isTube ? tube(x, y, seed) : roughSheet(x, y, 0.2, seed);
        const tree = expectPatches(mesh);
        expect(tree.levelStart.length - 1).toBeLessThanOrEqual(Math.ceil(Math.log2(mesh.triangleCount)) + 4);
      },
    ),
    { numRuns: RUNS },
  );
});

test('… of a regular grid and of a ball, too', () => {
  expectPatches(createTriangleMesh(grid(16, 16)));
  const { positions, triangles } = createGeodesicSphere(6);
  expectPatches(createTriangleMesh({ positions, triangles }));
});

test('… of a star, whose arms have the same distances', () => {
  const positions = [0, 0, 0],
    triangles: number[] = [];
  for (let arm = 0; arm < 5; arm++) {
    const at = positions.length / 3;
    const [c, s] = [Math.cos((2 * Math.PI * arm) / 5), Math.sin((2 * Math.PI * arm) / 5)];
    for (let k = 0; k < 20; k++)
      positions.push(
        (k + 1) * c - 0.1 * s,
        (k + 1) * s + 0.1 * c,
        0,
        (k + 1) * c + 0.1 * s,
        (k + 1) * s - 0.1 * c,
        0,
      );
    triangles.push(0, at + 1, at);
    for (let k = 0; k < 19; k++) {
      const o = at + 2 * k;
      triangles.push(o, o + 1, o + 2, o + 1, o + 3, o + 2);
    }
    if (arm > 0) triangles.push(0, at + 1, at - 40); // arms are joined at the middle
  }
  expectPatches(createTriangleMesh({ positions, triangles }));
});

test('any mesh has such a tree, with the same answers', async () => {
  const engine = await createEngine();
  fc.assert(
    fc.property(triangleSoup(120), (source) => {
      const mesh = createTriangleMesh(source);
      const tree = buildTree(mesh, { split: 'connected' });
      expect(tree.nodeCount).toBe(2 * mesh.triangleCount - 1);
      const body = engine.createFreeBody(mesh, { split: 'connected' });
      expect(body.tree).toEqual(tree);
      expect(findSelfCollisions(body).sortedPairs()).toEqual(selfPairs(mesh, mesh.positions));
      body.dispose();
    }),
    { numRuns: RUNS },
  );
});

test('pieces stay whole as long as they can', () => {
  const sheets = [0, 1, 2, 3].map((k) => {
    const { positions, triangles } = grid(4, 4);
    return {
      positions: positions.map((x, c) => x + (c % 3 === 0 ? 10 * k : 0)),
      triangles: triangles.map((v) => v + 25 * k),
    };
  });
  const mesh = createTriangleMesh({
    positions: sheets.flatMap(({ positions }) => positions),
    triangles: sheets.flatMap(({ triangles }) => triangles),
  });
  const tree = buildTree(mesh, { split: 'connected' });
  for (let node = 3; node < 7; node++) expect(piecesBelow(mesh, tree, node)).toBe(1);
});

test('bodies of one mesh share such a tree', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(5, 5, 0.2, 1);
  const [a, b, c] = [
    engine.createFreeBody(mesh, { split: 'connected' }),
    engine.createFreeBody(mesh, { split: 'connected' }),
    engine.createFreeBody(mesh),
  ];
  expect(a.tree).toBe(b.tree);
  expect(a.tree).not.toBe(c.tree);
});

test('bodies moved by modes have one unless told otherwise', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(9, 9, 0.2, 1);
  const modes = { count: 1, displacements: new Float64Array(mesh.positions.length) };
  expect(engine.createModalBody(mesh, modes).tree).toEqual(buildTree(mesh, { split: 'connected' }));
  expect(engine.createModalBody(mesh, modes, { split: 'median' }).tree).toEqual(buildTree(mesh));
  expect(engine.createFreeBody(mesh).tree).toEqual(buildTree(mesh));
  expect(buildTree(mesh)).not.toEqual(buildTree(mesh, { split: 'connected' }));
});

test('straight cuts are mended: nearly all nodes are divided as in a heap', () => {
  const { positions, triangles } = createGeodesicSphere(12);
  for (const mesh of [
    roughSheet(40, 30, 0.2, 1),
    tube(30, 20, 2),
    createTriangleMesh({ positions, triangles }),
  ]) {
    const { link, slotCount } = expectPatches(mesh);
    const inner = [...link.keys()].filter((node) => slotCount[node] >= 24);
    const others = inner.filter((node) => slotCount[link[node]] !== heapLeft(slotCount[node]));
    expect(others.length).toBeLessThan(0.1 * inner.length);
  }
});
