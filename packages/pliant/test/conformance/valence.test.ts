import { describe, expect, test } from 'vitest';
import { createEngine, createTriangleMesh, findSelfCollisions, type TriangleMesh } from '../../src/index.ts';
import { foldedPairs, movingSelfPairs, selfPairs } from '../oracles/brute-force.ts';
import { KERNELS } from './scenes.ts';

const METHODS = ['auto', 'batch', 'on-demand', 'depth-first'] as const;

/** Valid meshes in which very many triangles share few vertices, or none although they are in one place. */
const SHAPES: readonly (readonly [string, TriangleMesh])[] = [
  ['a disc', createTriangleMesh(discs(150, [0]))],
  ['two discs through each other', createTriangleMesh(discs(150, [0, 0.3]))],
  ['three discs, mixed in the tree', createTriangleMesh(discs(160, [-1e-3, 0, 1e-3]))],
  ['triangles around one vertex in space, through a sheet', createTriangleMesh(star(150))],
  ['copies of one triangle', createTriangleMesh(copies(60))],
  ['copies of one triangle with vertices of their own', createTriangleMesh({ ...copies(60), weld: false })],
  ['triangles on two edges', createTriangleMesh(books(200))],
];

describe.each(KERNELS)('%s kernels', (kernels) => {
  test.each(SHAPES)('%s: all methods find what brute force finds', async (_, mesh) => {
    const engine = await createEngine({ kernels });
    const body = engine.createFreeBody(mesh);
    const pose = shaken(mesh);
    for (const positions of [mesh.positions, pose]) {
      const expected = selfPairs(mesh, positions);
      body.setPose(toSource(mesh, positions));
      for (const method of METHODS) {
        expect(findSelfCollisions(body, { method }).sortedPairs()).toEqual(expected);
      }
      const folds = [...expected, ...foldedPairs(mesh, positions)].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
      expect(findSelfCollisions(body, { adjacent: true }).sortedPairs()).toEqual(folds);
    }
    engine.dispose();
  });

  test('over a motion', async () => {
    const engine = await createEngine({ kernels });
    const mesh = createTriangleMesh(discs(60, [-1e-3, 0, 1e-3]));
    const body = engine.createFreeBody(mesh);
    const pose = shaken(mesh);
    body.setMotion(toSource(mesh, mesh.positions), toSource(mesh, pose));
    const report = findSelfCollisions(body, { continuous: true });
    const found = report.sortedPairs().map(([i, j], k) => [i, j, report.times![k]]);
    expect(found).toEqual(movingSelfPairs(mesh, mesh.positions, pose));
    engine.dispose();
  });
});

test('some of these have a coarse front', async () => {
  const engine = await createEngine();
  const coarse = SHAPES.filter(([, mesh]) => engine.createFreeBody(mesh).resident.front.isCoarse);
  expect(coarse.map(([name]) => name)).toEqual(['three discs, mixed in the tree', 'triangles on two edges']);
});

type Source = { positions: number[]; triangles: number[] };

/** Discs of `count` triangles around one vertex each, at these heights and slightly tilted against each other. */
function discs(count: number, heights: readonly number[]): Source {
  const positions: number[] = [],
    triangles: number[] = [];
  for (const height of heights) {
    const first = positions.length / 3;
    positions.push(0, 0, height);
    for (let k = 0; k < count; k++) {
      const angle = (2 * Math.PI * k) / count;
      positions.push(Math.cos(angle), Math.sin(angle), height + 3 * height * Math.cos(angle));
      triangles.push(first, first + 1 + k, first + 1 + ((k + 1) % count));
    }
  }
  return { positions, triangles };
}

/** Slivers from one vertex in all directions, and a square that many of them pierce. */
function star(count: number): Source {
  const positions = [0, 0, 0],
    triangles: number[] = [];
  for (let k = 0; k < count; k++) {
    const z = 1 - (2 * k + 1) / count,
      r = Math.sqrt(1 - z * z),
      angle = 2.4 * k;
    positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
    positions.push(r * Math.cos(angle + 0.1), r * Math.sin(angle + 0.1), z);
    triangles.push(0, 2 * k + 1, 2 * k + 2);
  }
  const first = positions.length / 3;
  positions.push(-2, -2, 0.5, 2, -2, 0.5, 2, 2, 0.5, -2, 2, 0.5);
  triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
  return { positions, triangles };
}

function copies(count: number): Source {
  return {
    positions: Array.from({ length: count }, () => [0, 0, 0, 1, 0, 0, 0, 1, 0]).flat(),
    triangles: Array.from({ length: 3 * count }, (_, k) => k),
  };
}

/** Pages of two books, all of one book on one edge; the books stand in each other. */
function books(pages: number): Source {
  const positions = [0, 0, 0, 0, 0, 1, 0.1, 0, 0.2, 0.1, 0, 0.8],
    triangles: number[] = [];
  for (let k = 0; k < 2 * pages; k++) {
    const angle = (2 * Math.PI * k) / (2 * pages);
    positions.push(Math.cos(angle), Math.sin(angle), 0.5);
    triangles.push(2 * (k % 2), 2 * (k % 2) + 1, 4 + k);
  }
  return { positions, triangles };
}

/** Every vertex a little elsewhere: decided by its number. */
function shaken({ positions }: TriangleMesh): Float64Array {
  return positions.map((x, k) => x + 0.1 * Math.sin(12.9898 * (k + 1) * (1 + Math.floor(k / 3))));
}

/** Welded positions as the vertices of the source have them. */
function toSource({ weldedVertex }: TriangleMesh, positions: Float64Array): Float64Array {
  return Float64Array.from({ length: 3 * weldedVertex.length }, (_, k) => {
    return positions[3 * weldedVertex[Math.floor(k / 3)] + (k % 3)];
  });
}
