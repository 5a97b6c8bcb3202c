import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findAllCollisions,
  findCollisions,
  findSelfCollisions,
} from '../../src/index.ts';
import { createRandom } from '../../src/shapes/random.ts';
import { grid } from '../arbitraries.ts';
import { bodyPlan, createBody, KERNELS } from '../conformance/scenes.ts';
import { movingPairsBetween, pairsBetween, selfPairs } from '../oracles/brute-force.ts';

const RUNS = process.env.PLIANT_FULL ? 500 : 40;
const CLASSIC = { method: 'depth-first' } as const;

const SHEET = createTriangleMesh(grid(6, 5));
const NODES = 2 * SHEET.triangleCount - 1;
const at = (x: number, y = 0, z = 0) => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
const SMALL = createTriangleMesh(grid(3, 2));
/** Every vertex somewhere else. */
function crumpled(seed: number, { positions } = SHEET): Float64Array {
  const random = createRandom(seed);
  return positions.map((x) => x + 3 * random() - 1.5);
}

let engine: Engine;
beforeEach(async () => {
  engine = await createEngine();
});

const refittedBy = (query: { counters: { volumesRefitted: number } }) => query.counters.volumesRefitted;

describe('boxes of all nodes are computed once per pose', () => {
  test('of a body and itself', () => {
    const body = engine.createFreeBody(SHEET);
    for (let seed = 1; seed <= 3; seed++) {
      body.setPose(crumpled(seed));
      const truth = selfPairs(SHEET, body.getLocalPositions());
      expect(truth.length).toBeGreaterThan(0);
      for (const expected of [NODES, 0, 0]) {
        const report = findSelfCollisions(body, CLASSIC);
        expect(refittedBy(report)).toBe(expected);
        expect(report.sortedPairs()).toEqual(truth);
      }
    }
  });

  test('of two bodies: of the one that moves', () => {
    const [a, b] = [engine.createRigidBody(SHEET), engine.createRigidBody(SHEET)];
    expect(refittedBy(findCollisions(a, b, CLASSIC))).toBe(2 * NODES);
    expect(refittedBy(findCollisions(b, a, CLASSIC))).toBe(0);
    b.setPose(at(0.5, 0.5));
    const report = findCollisions(a, b, CLASSIC);
    expect(refittedBy(report)).toBe(NODES);
    expect(report.sortedPairs()).toEqual(pairsBetween(SHEET, a.getPositions(), SHEET, b.getPositions()));
    a.setPose(at(0, 0, 1));
    b.setPose(at(0, 0, 3));
    expect(refittedBy(findCollisions(a, b, CLASSIC))).toBe(2 * NODES);
  });

  test('those in the world, in coordinates of the body and over a motion are kept apart', () => {
    const [a, b] = [engine.createFreeBody(SHEET), engine.createFreeBody(SHEET)];
    b.setPose(crumpled(9));
    a.setMotion(crumpled(1), crumpled(2));
    a.setWorldMotion(at(0.25), at(0, 0.5));
    const ask = () =>
      [
        findSelfCollisions(a, CLASSIC),
        findCollisions(a, b, CLASSIC),
        findSelfCollisions(a, { ...CLASSIC, continuous: true }),
        findCollisions(a, b, { ...CLASSIC, continuous: true }),
      ].map(refittedBy);
    const inTurn = ask();
    expect(inTurn.map((count) => count > 0)).toEqual([true, true, true, true]);
    expect(inTurn[0]).toBe(NODES);
  });

  test('a query inside another, in other coordinates, leaves its boxes alone', () => {
    const [a, b] = [engine.createFreeBody(SHEET), engine.createFreeBody(SHEET)];
    a.setPose(crumpled(1));
    b.setPose(crumpled(2));
    a.setWorldMatrix(at(0.25, 0.5, 0.125));
    const between = pairsBetween(SHEET, a.getPositions(), SHEET, b.getPositions());
    const within = selfPairs(SHEET, a.getLocalPositions());
    expect(between.length).toBeGreaterThan(0);
    let asked = 0;
    const outer = findCollisions(a, b, {
      ...CLASSIC,
      onPair: () => {
        if (asked++ < 3) expect(findSelfCollisions(a, CLASSIC).sortedPairs()).toEqual(within);
      },
    });
    expect(outer.sortedPairs()).toEqual(between);
    expect(asked).toBe(between.length);
    expect(refittedBy(findCollisions(a, b, CLASSIC))).toBe(0);
    expect(refittedBy(findSelfCollisions(a, CLASSIC))).toBe(0);
  });

  test('memory does not grow with the number of poses, and goes with the body', () => {
    const [a, b] = [engine.createFreeBody(SHEET), engine.createFreeBody(SHEET)];
    const use = (seed: number) => {
      a.setPose(crumpled(seed));
      b.setWorldMatrix(at(seed / 8));
      findSelfCollisions(a, CLASSIC);
      findCollisions(a, b, CLASSIC);
      return engine.usage.bytes;
    };
    const bytes = use(1);
    for (let seed = 2; seed < 8; seed++) expect(use(seed)).toBe(bytes);
    a.dispose();
    expect(bytes - engine.usage.bytes).toBeGreaterThanOrEqual(48 * NODES);
  });
});

/** What can happen between two queries. */
const step = fc.record({
  who: fc.nat(1),
  what: fc.constantFrom('pose', 'motion', 'place', 'travel', 'nothing'),
  seed: fc.integer({ min: 1, max: 1000 }),
  continuous: fc.constantFrom(false, false, true),
  isSelf: fc.boolean(),
});

test.each(KERNELS)('%s kernels: whatever changes in between, brute force agrees', async (kernels) => {
  engine = await createEngine({ kernels });
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
      const bodies = [engine.createFreeBody(SMALL), engine.createFreeBody(SMALL)];
      const [a, b] = bodies;
      for (const { who, what, seed, continuous, isSelf } of steps) {
        const body = bodies[who];
        if (what === 'pose') body.setPose(crumpled(seed, SMALL));
        else if (what === 'motion') body.setMotion(crumpled(seed, SMALL), crumpled(seed + 1, SMALL));
        else if (what === 'place') body.setWorldMatrix(at(Math.sin(seed), 0, Math.cos(seed)));
        else if (what === 'travel') body.setWorldMotion(at(Math.sin(seed)), at(0, 0, Math.cos(seed)));
        const options = { continuous };
        const found = (method: 'depth-first' | 'brute-force') =>
          isSelf
            ? findSelfCollisions(body, { ...options, method }).sortedPairs()
            : findCollisions(a, b, { ...options, method }).sortedPairs();
        expect(found('depth-first')).toEqual(found('brute-force'));
      }
      for (const body of bodies) body.dispose();
    }),
    { numRuns: RUNS },
  );
});

describe('many bodies, classically', () => {
  /** A row of sheets that do not reach each other. */
  const row = (count: number) =>
    Array.from({ length: count }, (_, k) => {
      const body = k % 2 ? engine.createRigidBody(SHEET) : engine.createFreeBody(SHEET);
      body.setWorldMatrix(at(20 * k));
      return body;
    });

  test('all of them are refitted, also those that are far from everybody; and then nothing is left to do', () => {
    const bodies = row(5);
    const report = findAllCollisions(bodies, CLASSIC);
    const { volumesRefitted, verticesDeformed, nodePairsTested, trianglePairsTested } = report.counters;
    expect([volumesRefitted, nodePairsTested, trianglePairsTested]).toEqual([5 * NODES, 0, 0]);
    expect(verticesDeformed).toBe(5 * SHEET.vertexCount);
    expect(refittedBy(findAllCollisions(bodies, CLASSIC))).toBe(0);
  });

  test('one that moves is refitted alone, and once for all its partners', () => {
    const bodies = row(5);
    findAllCollisions(bodies, CLASSIC);
    for (const body of bodies) body.setWorldMatrix(at(0));
    const together = findAllCollisions(bodies, CLASSIC);
    expect(refittedBy(together)).toBe(5 * NODES);
    expect(together.pairCount).toBeGreaterThan(10 * SHEET.triangleCount);
    bodies[3].setWorldMatrix(at(0.5));
    expect(refittedBy(findAllCollisions(bodies, CLASSIC))).toBe(NODES);
  });

  test('other methods do not', () => {
    const bodies = row(5).filter((_, k) => k % 2);
    for (const method of ['auto', 'on-demand', 'batch'] as const) {
      expect(refittedBy(findAllCollisions(bodies, { method }))).toBeLessThan(bodies.length * NODES);
    }
  });

  test('over a motion, bodies that cross each other’s way are partners', () => {
    const [a, b, c] = Array.from({ length: 3 }, () => engine.createFreeBody(SMALL));
    const start = crumpled(1, SMALL).map((x, i) => (i % 3 === 2 ? x - 9 : x)),
      end = start.map((x, i) => (i % 3 === 2 ? x + 18 : x));
    a.setMotion(start, end); // meets b half way, and c never
    b.setPose(crumpled(2, SMALL));
    c.setWorldMatrix(at(40));
    const bodies: Body[] = [a, b, c];
    expect(findAllCollisions(bodies, CLASSIC).pairCount).toBe(0);
    const report = findAllCollisions(bodies, { ...CLASSIC, continuous: true });
    const still = b.getPositions();
    const truth = movingPairsBetween(SMALL, start, end, SMALL, still, still);
    expect(truth.length).toBeGreaterThan(0);
    expect(report.sortedPairs()).toEqual(truth.map(([i, j]) => [i, j]));
    expect(new Set(report.bodies!.subarray(0, 2 * report.pairCount))).toEqual(new Set([0, 1]));
  });

  test.each(KERNELS)('%s kernels: finds exactly what every two bodies alone give', async (kernels) => {
    engine = await createEngine({ kernels });
    const scene = fc.array(bodyPlan({ triangles: 10, side: 3 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(scene, fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 5 }), (plans, shifts) => {
        const bodies = plans.map((plan) => createBody(engine, plan));
        bodies.forEach((body, k) => {
          if (plans[k].kind !== 'rigid') body.setWorldMatrix(at(shifts[k], 0, shifts[4 - k]));
        });
        const expected = bodies.flatMap((a, i) =>
          bodies.slice(i + 1).flatMap((b, k) => {
            const pairs = pairsBetween(a.mesh, a.getPositions(), b.mesh, b.getPositions());
            return pairs.map((pair) => [i, i + 1 + k, ...pair]);
          }),
        );
        const report = findAllCollisions(bodies, CLASSIC);
        const found = report
          .sortedPairs()
          .map((pair, k) => [report.bodies![2 * k], report.bodies![2 * k + 1], ...pair]);
        expect(found).toEqual(expected);
        for (const body of bodies) body.dispose();
      }),
      { numRuns: RUNS },
    );
  });
});
