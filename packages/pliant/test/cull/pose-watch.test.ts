import { expect, test } from 'vitest';
import { PoseWatch } from '../../src/cull/pose-watch.ts';
import { createEngine, createTriangleMesh, findSelfCollisions } from '../../src/index.ts';

/** Two triangles that pass through one another. */
const at = Float64Array.from([0, 0, 0, 2, 0, 0, 0, 2, 0, 0.5, 0.5, -1, 0.5, 0.5, 1, 0.6, 2, 0.5]);

async function crossing() {
  const engine = await createEngine();
  return engine.createFreeBody(createTriangleMesh({ positions: at, triangles: [0, 1, 2, 3, 4, 5] }));
}

/** What `ask` tells while a query, about the motion or the pose, is under way. */
function within<T>(body: Awaited<ReturnType<typeof crossing>>, continuous: boolean, ask: () => T): T[] {
  const told: T[] = [];
  findSelfCollisions(body, { continuous, onPair: () => void told.push(ask()) });
  expect(told.length).toBe(1);
  return told;
}

test('each pose is begun once, and begun anew when the motion is asked for', async () => {
  const body = await crossing();
  const watch = new PoseWatch(body);
  body.setMotion(at, at);
  const begin = (continuous: boolean) =>
    within(body, continuous, () => [watch.begin(continuous), watch.swept])[0];
  expect([begin(false), begin(false)]).toEqual([
    [true, false],
    [false, false],
  ]);
  expect([begin(true), begin(true), begin(false)]).toEqual([
    [true, true],
    [false, true],
    [true, false],
  ]);
  body.setMotion(at, at);
  expect(begin(false)).toEqual([true, false]);
});

test('while one query waits, another one does not weaken what it is told', async () => {
  const body = await crossing();
  const watch = new PoseWatch(body);
  body.setMotion(at, at);
  within(body, true, () => {
    expect([watch.begin(true), watch.swept]).toEqual([true, true]);
    within(body, false, () => expect([watch.begin(false), watch.swept]).toEqual([false, true]));
    expect([watch.begin(true), watch.swept]).toEqual([false, true]);
  });
  within(body, false, () => {
    expect([watch.begin(false), watch.swept]).toEqual([true, false]);
    within(body, true, () => expect([watch.begin(true), watch.swept]).toEqual([true, true]));
    expect([watch.begin(false), watch.swept]).toEqual([true, false]); // only this one is left
  });
});
