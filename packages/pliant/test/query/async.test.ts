import { expect, test } from 'vitest';
import {
  createEngine,
  createTriangleMesh,
  findCollisionsAsync,
  findSelfCollisions,
  findSelfCollisionsAsync,
  InputError,
} from '../../src/index.ts';
import { createTorusKnot } from '../../src/shapes/torus-knot.ts';

async function crumpled() {
  const engine = await createEngine();
  const shape = createTorusKnot({ triangles: 20_000 });
  const body = engine.createFreeBody(createTriangleMesh(shape.source));
  body.setPose(shape.source.positions.map((x, k) => (k % 3 === 2 ? 0 : x)));
  return { engine, body };
}

test('gives the synchronous answer, and others get their turn', async () => {
  const { body } = await crumpled();
  const expected = findSelfCollisions(body);
  expect(expected.pairCount).toBeGreaterThan(1000);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const report = await findSelfCollisionsAsync(body, { slice: 0.01 });
  clearInterval(timer);
  expect(report.sortedPairs()).toEqual(expected.sortedPairs());
  expect(report.state).toBe('complete');
  expect(turns).toBeGreaterThan(0);
});

test('stops when told to, with what it has and what is left', async () => {
  const { body } = await crumpled();
  const all = new Set(findSelfCollisions(body).sortedPairs().map(String));
  const controller = new AbortController();
  const running = findSelfCollisionsAsync(body, { signal: controller.signal, slice: 0.01 });
  setImmediate(() => controller.abort());
  const report = await running;
  expect(report.state).toBe('cancelled');
  expect(report.unresolved.count).toBeGreaterThan(0);
  for (const pair of report.sortedPairs()) expect(all.has(String(pair))).toBe(true);
  const before = await findSelfCollisionsAsync(body, { signal: AbortSignal.abort() });
  expect(before.state).toBe('cancelled');
  expect(before.pairCount).toBe(0);
});

test('holds the body until it is done, and lets other queries run meanwhile', async () => {
  const { engine, body } = await crumpled();
  const running = findSelfCollisionsAsync(body, { slice: 0.01 });
  expect(() => body.setPose(body.mesh.positions)).toThrow(InputError);
  const meanwhile = findSelfCollisions(body);
  const report = await running;
  expect(report.sortedPairs()).toEqual(meanwhile.sortedPairs());
  body.setPose(body.mesh.positions);
  const other = engine.createRigidBody(body.mesh);
  const pairs = await findCollisionsAsync(body, other);
  expect(pairs.pairCount).toBeGreaterThanOrEqual(body.mesh.triangleCount); // it lies on itself
});

test('refuses bad options before it starts', async () => {
  const { body } = await crumpled();
  await expect(findSelfCollisionsAsync(body, { slice: 0 })).rejects.toThrow(/slice/);
  await expect(findSelfCollisionsAsync(body, { signal: {} as AbortSignal })).rejects.toThrow(/signal/);
  body.setPose(body.mesh.positions); // nothing holds it
});
