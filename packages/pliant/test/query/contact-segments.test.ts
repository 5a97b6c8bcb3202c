import { expect, test } from 'vitest';
import {
  createEngine,
  createTriangleMesh,
  findAllCollisions,
  findCollisions,
  findContactSegments,
  findSelfCollisions,
} from '../../src/index.ts';

const floor = createTriangleMesh({ positions: [-9, -9, 0, 9, -9, 0, 0, 9, 0], triangles: [0, 1, 2] });
const fin = createTriangleMesh({ positions: [-1, 0, -1, 1, 0, -1, 0, 0, 1], triangles: [0, 1, 2] });

test('a fin that stands in a floor meets it along a segment', async () => {
  const engine = await createEngine();
  const a = engine.createRigidBody(floor),
    b = engine.createRigidBody(fin);
  const report = findCollisions(a, b);
  const { segments, pointCounts } = findContactSegments(report, a, b);
  expect([...pointCounts]).toEqual([2]);
  const [from, to] = [segments.slice(0, 3), segments.slice(3)].sort((p, q) => p[0] - q[0]);
  expect([...from]).toEqual([-0.5, 0, 0]);
  expect([...to]).toEqual([0.5, 0, 0]);
});

test('… in one point when it only stands on its tip, and where the world puts it', async () => {
  const engine = await createEngine();
  const a = engine.createRigidBody(floor),
    b = engine.createRigidBody(fin);
  b.setPose([1, 0, 0, 2, 0, 1, 0, 1, 0, 0, -1, 1]); // upside down, one up
  const { segments, pointCounts } = findContactSegments(findCollisions(a, b), a, b);
  expect([...pointCounts]).toEqual([1]);
  expect([...segments]).toEqual([2, 1, 0, 2, 1, 0]);
});

test('within a body, and not for several at once', async () => {
  const engine = await createEngine();
  const positions = [...floor.positions, ...fin.positions];
  const body = engine.createFreeBody(createTriangleMesh({ positions, triangles: [0, 1, 2, 3, 4, 5] }));
  body.setWorldMatrix([2, 0, 0, 5, 0, 2, 0, 5, 0, 0, 2, 5]); // does not matter to a self-query
  const { segments } = findContactSegments(findSelfCollisions(body), body);
  expect(Math.abs(segments[0])).toBe(0.5);
  const other = engine.createRigidBody(fin);
  expect(() => findContactSegments(findAllCollisions([body, other]), body, other)).toThrow(
    /one pair of bodies/,
  );
});
