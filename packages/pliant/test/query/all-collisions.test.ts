import { describe, expect, test } from 'vitest';
import {
  type AllCollisionsOptions,
  type Body,
  type CollisionReport,
  createEngine,
  createTriangleMesh,
  type Engine,
  findAllCollisions,
  findAllCollisionsAsync,
} from '../../src/index.ts';
import { BodySweep } from '../../src/query/body-sweep.ts';
import { Job } from '../../src/query/job.ts';

const TETRAHEDRON = createTriangleMesh({
  positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
});

/** Bodies in places that their numbers decide: long ones among them. */
function scatter(engine: Engine, count: number, spread: number): Body[] {
  return Array.from({ length: count }, (_, k) => {
    const body = engine.createRigidBody(TETRAHEDRON);
    const place = (step: number) => spread * ((((k + 1) * step) % 1) - 0.5);
    const long = k % 7 === 0 ? 5 : 1;
    body.setPose([long, 0, 0, place(0.618), 0, 1, 0, place(0.755), 0, 0, 1, place(0.569)]);
    return body;
  });
}

function answer(
  { sortedPairs, bodies, pairCount, totalCount, state }: CollisionReport,
  report: CollisionReport,
) {
  return [sortedPairs.call(report), [...bodies!.subarray(0, 2 * pairCount)], totalCount, state];
}

/** With a broad phase that lists so many pairs of bodies at once. */
async function findWith(mostPairs: number, spread: number, options: AllCollisionsOptions = {}) {
  const engine = await createEngine();
  const bodies = scatter(engine, 60, spread);
  const job = new Job(engine.kernels);
  job.sweep = new BodySweep(mostPairs);
  engine.idleJobs.push(job);
  const report = findAllCollisions(bodies, options);
  return { report, hasAll: job.sweep.hasAll, answer: answer(report, report) };
}

describe('pairs of bodies that are too many for a list', () => {
  test.each([0, 1, 3, 6])('bodies spread over %s give the same answer', async (spread) => {
    const whole = await findWith(1e6, spread);
    const parts = await findWith(5, spread);
    expect([whole.hasAll, parts.hasAll]).toEqual([true, false]);
    expect(whole.report.totalCount).toBeGreaterThan(10);
    expect(parts.answer).toEqual(whole.answer);
    const capped = { maxPairs: 7 };
    expect((await findWith(5, spread, capped)).answer).toEqual((await findWith(1e6, spread, capped)).answer);
  });

  test('what was not looked at is unresolved', async () => {
    const { report } = await findWith(5, 1, { budget: { nodePairs: 20 } });
    expect(report.state).toBe('out-of-time');
    const { unresolvedBodies } = report;
    const left = new Set<number>();
    for (let k = 0; k < unresolvedBodies.count; k++) left.add(unresolvedBodies.data[2 * k]);
    const found = new Set(report.bodies!.subarray(0, 2 * report.pairCount));
    for (let i = 0; i < 59; i++) expect(left.has(i) || found.has(i)).toBe(true);
  });
});

describe('in slices', () => {
  test('the answer is the same, and progress is told', async () => {
    const engine = await createEngine();
    const bodies = scatter(engine, 60, 2);
    const whole = findAllCollisions(bodies, { self: true });
    const told: number[] = [];
    const report = await findAllCollisionsAsync(bodies, {
      self: true,
      slice: 1e-6,
      onProgress: (done, all) => {
        expect(all).toBe(60);
        told.push(done);
      },
    });
    expect(answer(report, report)).toEqual(answer(whole, whole));
    expect(told.length).toBeGreaterThan(60);
    engine.dispose(); // no query is under way
  });

  test('a signal stops it: what was not looked at is unresolved, and bodies can be moved again', async () => {
    const engine = await createEngine();
    const bodies = scatter(engine, 60, 2);
    const controller = new AbortController();
    const report = await findAllCollisionsAsync(bodies, {
      slice: 1e-6,
      signal: controller.signal,
      onProgress: (done) => {
        if (done > 3) controller.abort();
      },
    });
    expect(report.state).toBe('cancelled');
    expect(report.unresolved.count).toBeGreaterThan(0);
    bodies[0].setPose([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    expect(findAllCollisions(bodies).state).toBe('complete');
  });

  test('a callback that throws leaves nothing under way', async () => {
    const engine = await createEngine();
    const bodies = scatter(engine, 20, 1);
    const fail = () => {
      throw new Error('no more');
    };
    await expect(findAllCollisionsAsync(bodies, { slice: 1e-6, onProgress: fail })).rejects.toThrow(
      'no more',
    );
    await expect(findAllCollisionsAsync(bodies, { slice: 1e-6, onPair: fail })).rejects.toThrow('no more');
    expect(findAllCollisions(bodies).state).toBe('complete');
    engine.dispose();
  });

  test('bad options are refused', async () => {
    await expect(findAllCollisionsAsync([], { slice: 0 })).rejects.toThrow('slice must be more than 0');
    await expect(findAllCollisionsAsync([], { onProgress: 1 as never })).rejects.toThrow(
      'onProgress must be',
    );
  });
});

test('a callback is told the bodies, and nothing is stored when no pair is asked for', async () => {
  const engine = await createEngine();
  const bodies = scatter(engine, 40, 1);
  const whole = findAllCollisions(bodies);
  const wanted = whole.sortedPairs().map((pair, k) => [...whole.bodies!.subarray(2 * k, 2 * k + 2), ...pair]);
  const found: number[][] = [];
  const report = findAllCollisions(bodies, {
    maxPairs: 0,
    onPair: (i, j, _, a, b) => {
      found.push([a, b, i, j]);
      return true;
    },
  });
  expect([report.pairCount, report.totalCount, report.state]).toEqual([0, whole.totalCount, 'truncated']);
  expect(report.pairs.length).toBe(128);
  expect(found.sort(byNumbers)).toEqual(wanted);
});

test('the lowest pairs are kept, however many there are', async () => {
  const engine = await createEngine();
  const bodies = scatter(engine, 60, 0);
  const whole = findAllCollisions(bodies);
  expect(whole.totalCount).toBeGreaterThan(20_000);
  const [pairs, owners] = answer(whole, whole) as [number[][], number[]];
  for (const maxPairs of [1, 100, 2500]) {
    const report = findAllCollisions([...bodies], { maxPairs });
    const wanted = [pairs.slice(0, maxPairs), owners.slice(0, 2 * maxPairs), whole.totalCount, 'truncated'];
    expect(answer(report, report)).toEqual(wanted);
    expect(report.pairs.length).toBeLessThanOrEqual(4 * (4096 + 2 * maxPairs));
  }
});

function byNumbers(s: readonly number[], t: readonly number[]): number {
  const k = s.findIndex((x, i) => x !== t[i]);
  return k < 0 ? 0 : s[k] - t[k];
}
