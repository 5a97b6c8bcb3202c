import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CollisionReport,
  createEngine,
  createTriangleMesh,
  findAnyCollision,
  findAnySelfCollision,
  findCollisions,
  findSelfCollisions,
} from '../../src/index.ts';
import { bodyPlan, createBody, METHODS } from '../conformance/scenes.ts';

/** Triangles above a floor that fall through it: each touches it at a time of its own. */
function fallingAt(times: readonly number[]) {
  const positions = times.flatMap((time, k) => [3 * k, 0, time, 3 * k + 1, 0, time, 3 * k, 1, time]);
  return {
    mesh: createTriangleMesh({
      positions,
      triangles: times.flatMap((_, k) => [3 * k, 3 * k + 1, 3 * k + 2]),
    }),
    start: positions,
    end: positions.map((x, i) => (i % 3 === 2 ? x - 1 : x)),
  };
}

test('over a motion: any pair that touches, which need not be the earliest', async () => {
  const engine = await createEngine();
  const floor = engine.createRigidBody(
    createTriangleMesh({ positions: [-9, -9, 0, 40, -9, 0, -9, 40, 0], triangles: [0, 1, 2] }),
  );
  const report = new CollisionReport();
  const times = [0.897, 0.404, 0.6];
  const { mesh, start, end } = fallingAt(times);
  const body = engine.createFreeBody(mesh);
  body.setMotion(start, end);
  for (const method of METHODS) {
    const hit = findAnyCollision(body, floor, { method, report, continuous: true });
    expect(report.times![0]).toBeCloseTo(times[hit![0]], 12); // of the pair that is told
  }
  // Triangle by triangle it is the first of them: the order decides, not the time.
  expect(findAnyCollision(body, floor, { method: 'brute-force', report, continuous: true })).toEqual([0, 0]);
  expect(report.times![0]).toBeCloseTo(0.897, 12);
  const all = findCollisions(body, floor, { continuous: true });
  expect(Math.min(...all.times!.subarray(0, all.pairCount))).toBeCloseTo(0.404, 12);
  engine.dispose();
});

test('its time is the time of that pair, between bodies and within one', async () => {
  const engine = await createEngine();
  const small = { triangles: 4, side: 1 };
  fc.assert(
    fc.property(bodyPlan(small), bodyPlan(small), fc.constantFrom(...METHODS), (first, second, method) => {
      const [a, b] = [createBody(engine, first, true), createBody(engine, second, true)];
      const report = new CollisionReport();
      const options = { method, report, continuous: true };
      const pair = findAnyCollision(a, b, options)?.slice();
      const time = report.times?.[0];
      expect(timeOf(findCollisions(a, b, { continuous: true }), pair)).toEqual(pair && time);
      const self = findAnySelfCollision(a, options)?.slice();
      const selfTime = report.times?.[0];
      expect(timeOf(findSelfCollisions(a, { continuous: true }), self)).toEqual(self && selfTime);
      a.dispose();
      b.dispose();
    }),
    { numRuns: 25 },
  );
  engine.dispose();
});

/** When a pair of a report first touches; undefined without a pair, which must then be nowhere in the report. */
function timeOf(report: CollisionReport, pair: readonly number[] | undefined): number | undefined {
  if (pair === undefined) {
    expect(report.pairCount).toBe(0);
    return undefined;
  }
  const k = report.sortedPairs().findIndex(([i, j]) => i === pair[0] && j === pair[1]);
  expect(k).toBeGreaterThanOrEqual(0);
  return report.times![k];
}
