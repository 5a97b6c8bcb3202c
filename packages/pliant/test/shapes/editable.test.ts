import { describe, expect, test } from 'vitest';
import { createEngine, createTriangleMesh, findSelfCollisions, type TriangleMesh } from '../../src/index.ts';
import { createHand } from '../../src/shapes/hand.ts';
import { createOctopus } from '../../src/shapes/octopus.ts';
import { createSheet } from '../../src/shapes/sheet.ts';
import { createTree } from '../../src/shapes/tree.ts';

const SHAPES = [
  ['hand', createHand, 3000],
  ['octopus', createOctopus, 6000],
  ['tree', createTree, 6000],
] as const;

/** Vertices − edges + triangles: 2 for what has no handles. */
function euler({ vertexCount, edgeCount, triangleCount }: TriangleMesh): number {
  return vertexCount - edgeCount + triangleCount;
}

describe.each(SHAPES)('%s', (name, create, fewest) => {
  test('is one closed surface like a ball, free of contact at rest and in motion, for every seed', async () => {
    const engine = await createEngine();
    for (const [seed, wished] of [
      [1, fewest],
      [2, fewest],
      [3, fewest],
      [1, 16_000],
    ]) {
      const shape = create({ triangles: wished, seed });
      const mesh = createTriangleMesh(shape.source);
      expect([mesh.isClosed, mesh.componentCount, euler(mesh)], `${name}, seed ${seed}`).toEqual([
        true,
        1,
        2,
      ]);
      expect(mesh.triangleCount / wished).toBeGreaterThan(0.9);
      expect(mesh.triangleCount / wished).toBeLessThan(1.1);
      expect(mesh.defects.degenerateTriangles).toBe(0);
      const body = engine.createFreeBody(mesh);
      const out = shape.source.positions.slice();
      for (const time of [0, 0.5, 1]) {
        shape.deform(time, out);
        body.setPose(out);
        expect(findSelfCollisions(body).pairCount, `${name}, seed ${seed}, time ${time}`).toBe(0);
      }
      body.dispose();
    }
    engine.dispose();
  });

  test('stands on the ground, faces outwards, and is the same for the same options', () => {
    const { positions, triangles } = create({ triangles: fewest }).source;
    const low = positions.reduce((least, y, k) => (k % 3 === 1 ? Math.min(least, y) : least), Infinity);
    expect(Math.abs(low)).toBeLessThan(0.01);
    let volume = 0;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) =>
        positions.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3),
      );
      volume +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) +
          a[1] * (b[2] * c[0] - b[0] * c[2]) +
          a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
    }
    expect(volume).toBeGreaterThan(0.005);
    expect(create({ triangles: fewest }).source.positions).toEqual(positions);
  });
});

test('a sheet is closed, has its thickness, and bends without touching itself', async () => {
  const shape = createSheet({ cells: 10, size: 2, thickness: 0.1 });
  const mesh = createTriangleMesh(shape.source);
  expect([mesh.isClosed, mesh.componentCount, euler(mesh)]).toEqual([true, 1, 2]);
  const xs = [...shape.source.positions].filter((_, k) => k % 3 === 0);
  expect([Math.min(...xs), Math.max(...xs)]).toEqual([-1, 1]);
  const engine = await createEngine();
  const body = engine.createFreeBody(mesh);
  const out = shape.source.positions.slice();
  shape.deform(1, out);
  body.setPose(out);
  expect(findSelfCollisions(body).pairCount).toBe(0);
  expect(out[1]).toBeGreaterThan(0.2);
  engine.dispose();
});
