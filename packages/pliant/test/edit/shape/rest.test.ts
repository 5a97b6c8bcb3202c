import { expect, test } from 'vitest';
import { createShape } from '../../../src/edit/create-shape.ts';
import type { Shape } from '../../../src/edit/shape.ts';
import { createTriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { createRabbit } from '../../../src/shapes/rabbit.ts';
import { barMesh, createBar, largestDifference, vertexNear } from './scenes.ts';

/** The largest movement of some steps, in sizes of the shape. */
function restlessness(shape: Shape, steps: number): number {
  let most = 0;
  for (let k = 0; k < steps; k++) most = Math.max(most, shape.step().movement / shape.cage.scale);
  return most;
}

test('an ear that is sent to where the other one is held circles around it, then comes to rest', async () => {
  const mesh = createTriangleMesh(createRabbit({ triangles: 2000 }).source);
  const { positions: p, sourceVertex } = mesh;
  const place = (v: number) => [...p.subarray(3 * v, 3 * v + 3)];
  const byHeight = Array.from({ length: mesh.vertexCount }, (_, v) => v).sort(
    (a, b) => p[3 * b + 1] - p[3 * a + 1],
  );
  const first = byHeight[0],
    second = byHeight.find((v) => Math.hypot(...place(v).map((x, a) => x - p[3 * first + a])) > 0.25)!;
  const shape = await createShape(mesh, { cage: { vertices: 600 } });
  const [ear, other] = [first, second, byHeight.at(-1)!].map((v) => shape.addHandle(sourceVertex[v]));
  const from = place(first),
    to = place(second);
  for (let k = 1; k <= 60; k++) {
    ear.moveTo(from.map((x, a) => x + (k / 60) * (to[a] - x)));
    shape.step();
  }
  expect(restlessness(shape, 60)).toBeGreaterThan(1e-2);
  restlessness(shape, 180);
  expect(restlessness(shape, 40)).toBeLessThan(1e-4);
  const held = ear.held;
  expect(largestDifference(held, to)).toBeGreaterThan(1e-2);
  other.moveTo([to[0], to[1] + 0.2, to[2]]); // out of the way: the ear goes on
  restlessness(shape, 60);
  expect(largestDifference(ear.held, to)).toBeLessThan(1e-6);
  shape.dispose();
});

test('what has rested for long goes on when there is another goal or another obstacle', async () => {
  const mesh = barMesh();
  const plane = (offset: number) => [{ kind: 'plane', normal: [0, 1, 0], offset } as const];
  const shape = await createBar({ contact: { self: false, obstacles: plane(-0.3) } });
  const region = shape.addRegionHandle([vertexNear(mesh, -1, 0, 0), vertexNear(mesh, -1, 0.2, 0)]);
  const tip = shape.addHandle(vertexNear(mesh, 1, -0.2, 0));
  tip.moveTo([1, -1, 0]);
  restlessness(shape, 150);
  expect(tip.held[1]).toBeGreaterThan(-0.3);
  shape.setObstacles(plane(-2));
  restlessness(shape, 60);
  expect(tip.held[1]).toBeCloseTo(-1, 6);
  restlessness(shape, 150);
  const before = shape.positions.slice();
  region.moveTo([1, 0, 0, -0.3, 0, 1, 0, 0, 0, 0, 1, 0]);
  restlessness(shape, 60);
  expect(shape.positions[3 * region.vertices[0]]).toBeCloseTo(before[3 * region.vertices[0]] - 0.3, 1);
  shape.dispose();
});
