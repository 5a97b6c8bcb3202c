import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Body,
  CollisionReport,
  createEngine,
  Engine,
  findAllCollisions,
  findAnyCollision,
  findAnySelfCollision,
  findCollisions,
  findSelfCollisions,
} from '../../src/index.ts';
import { type ByteStore, KernelMemory } from '../../src/kernels/memory.ts';
import { createTsKernels } from '../../src/kernels/ts-kernels.ts';
import { movingPairsBetween, movingSelfPairs, pairsBetween, selfPairs } from '../oracles/brute-force.ts';
import { type BodyPlan, bodyPlan, createBody, KERNELS, KINDS, METHODS } from './scenes.ts';

const FULL = process.env.PLIANT_FULL !== undefined;
const RUNS = FULL ? 1000 : 12;
/** Few: where lattice triangles move within their plane, only exact arithmetic decides. */
const CONTINUOUS_RUNS = FULL ? 60 : 6;

/** One report for everything: what a query leaves in it must not reach the next. */
const shared = new CollisionReport();

describe.each(KERNELS)('%s kernels', (kernels) => {
  describe.each(KINDS)('%s bodies', (kind) => {
    describe.each(METHODS)('%s', (method) => {
      test('self, pair, many and first hit agree with brute force', async () => {
        const engine = await createEngine({ kernels });
        const scene = fc.tuple(
          bodyPlan({ kind }),
          fc.array(bodyPlan({ triangles: 10, side: 3 }), { minLength: 1, maxLength: 3 }),
        );
        fc.assert(
          fc.property(scene, fc.boolean(), ([first, others], reuse) => {
            const report = reuse ? shared : undefined;
            const plans = [first, ...others];
            withBodies(engine, plans, false, (bodies) => {
              const self = selfPairs(first.mesh, first.local[0]);
              expect(findSelfCollisions(bodies[0], { method, report }).sortedPairs()).toEqual(self);
              expectFirst(findAnySelfCollision(bodies[0], { method, report }), self);

              const pair = pairsBetween(first.mesh, first.world[0], others[0].mesh, others[0].world[0]);
              const found = findCollisions(bodies[0], bodies[1], { method, report });
              expect(found.sortedPairs()).toEqual(pair);
              expect([found.state, found.totalCount, found.unresolved.count]).toEqual([
                'complete',
                pair.length,
                0,
              ]);
              expectFirst(findAnyCollision(bodies[0], bodies[1], { method, report }), pair);
              const turned = pair
                .map(([i, j]): [number, number] => [j, i])
                .sort((p, q) => p[0] - q[0] || p[1] - q[1]);
              expect(findCollisions(bodies[1], bodies[0], { method, report }).sortedPairs()).toEqual(turned);

              for (const within of [false, true]) {
                const all = findAllCollisions(bodies, { method, report, self: within });
                expect(namedPairs(all)).toEqual(expectedAll(plans, within));
              }
            });
          }),
          { numRuns: RUNS },
        );
      });

      test('… and over a motion', async () => {
        const engine = await createEngine({ kernels });
        const scene = fc.tuple(
          bodyPlan({ kind, triangles: 4, side: FULL ? 2 : 1 }),
          bodyPlan({ triangles: 3, side: 1 }),
        );
        fc.assert(
          fc.property(scene, fc.boolean(), (plans, reuse) => {
            const [first, second] = plans;
            const report = reuse ? shared : undefined;
            withBodies(engine, plans, true, (bodies) => {
              const self = movingSelfPairs(first.mesh, ...first.local);
              expectTimed(findSelfCollisions(bodies[0], { method, report, continuous: true }), self);
              expectFirst(findAnySelfCollision(bodies[0], { method, report, continuous: true }), self);

              const pair = movingPairsBetween(first.mesh, ...first.world, second.mesh, ...second.world);
              expectTimed(findCollisions(bodies[0], bodies[1], { method, report, continuous: true }), pair);
              expectFirst(findAnyCollision(bodies[0], bodies[1], { method, report, continuous: true }), pair);

              const all = findAllCollisions(bodies, { method, report, continuous: true, self: true });
              const inside = movingSelfPairs(second.mesh, ...second.local);
              expectTimed(all, [...self, ...pair, ...inside]);
              expect(namedPairs(all)).toEqual([
                ...self.map(([i, j]) => [0, 0, i, j]),
                ...pair.map(([i, j]) => [0, 1, i, j]),
                ...inside.map(([i, j]) => [1, 1, i, j]),
              ]);
              // Without `continuous` a moving body stands where it starts.
              const still = pairsBetween(first.mesh, first.world[0], second.mesh, second.world[0]);
              expect(findCollisions(bodies[0], bodies[1], { method, report }).sortedPairs()).toEqual(still);
            });
          }),
          { numRuns: CONTINUOUS_RUNS },
        );
      });
    });
  });
});

test('a continuous query on bodies without a motion finds what touches, at time 0', async () => {
  const engine = await createEngine();
  fc.assert(
    fc.property(bodyPlan({ triangles: 6, side: 2 }), bodyPlan({ triangles: 4, side: 1 }), (first, second) => {
      withBodies(engine, [first, second], false, ([a, b]) => {
        const pair = pairsBetween(first.mesh, first.world[0], second.mesh, second.world[0]);
        for (const method of METHODS) {
          const report = findCollisions(a, b, { method, continuous: true });
          expect(report.sortedPairs()).toEqual(pair);
          expect([...report.times!.subarray(0, report.pairCount)]).toEqual(pair.map(() => 0));
        }
      });
    }),
    { numRuns: CONTINUOUS_RUNS },
  );
});

test('bodies of one mesh share its tree, and still move apart', async () => {
  const engine = await createEngine();
  fc.assert(
    fc.property(bodyPlan({ kind: 'rigid' }), bodyPlan({ kind: 'rigid' }), (plan, { matrices }) => {
      const [a, b] = [engine.createRigidBody(plan.mesh), engine.createRigidBody(plan.mesh)];
      expect(a.resident).toBe(b.resident);
      a.setPose(plan.matrices[0]);
      b.setPose(matrices[0]);
      const expected = pairsBetween(plan.mesh, a.getPositions(), plan.mesh, b.getPositions());
      for (const method of METHODS) expect(findCollisions(a, b, { method }).sortedPairs()).toEqual(expected);
      a.dispose();
      expect(findSelfCollisions(b).sortedPairs()).toEqual(selfPairs(plan.mesh, plan.mesh.positions));
      b.dispose();
    }),
    { numRuns: RUNS },
  );
});

test('positions are those the poses and matrices say', async () => {
  const engine = await createEngine();
  fc.assert(
    fc.property(bodyPlan(), fc.boolean(), (plan, moving) => {
      withBodies(engine, [plan], moving, ([body]) => {
        const used = new Set(plan.mesh.triangles);
        const [local, world] = [body.getLocalPositions(), body.getPositions()];
        for (let i = 0; i < local.length; i++) {
          const isUsed = used.has(Math.floor(i / 3));
          expect(local[i]).toBe(isUsed ? plan.local[0][i] : plan.mesh.positions[i]);
          expect(world[i]).toBe(isUsed ? plan.world[0][i] : plan.mesh.positions[i]);
        }
      });
    }),
    { numRuns: RUNS },
  );
});

test.each(METHODS)('%s: kernel memory that moves whenever something is allocated', (method) => {
  const scene = fc.array(bodyPlan({ side: 5 }), { minLength: 2, maxLength: 3 });
  fc.assert(
    fc.property(scene, fc.boolean(), (plans, moving) => {
      const engine = new Engine(createTsKernels(new KernelMemory(restlessStore())));
      withBodies(engine, plans, moving, (bodies) => {
        const [first, second] = plans;
        const pair = pairsBetween(first.mesh, first.world[0], second.mesh, second.world[0]);
        expect(findCollisions(bodies[0], bodies[1], { method }).sortedPairs()).toEqual(pair);
        const self = selfPairs(first.mesh, first.local[0]);
        expect(findSelfCollisions(bodies[0], { method }).sortedPairs()).toEqual(self);
        const all = findAllCollisions(bodies, { method, self: true });
        expect(namedPairs(all)).toEqual(expectedAll(plans, true));
      });
    }),
    { numRuns: RUNS },
  );
});

/** Grows by no more than is asked for, and takes the old bytes away, as WebAssembly does. */
function restlessStore(): ByteStore {
  let buffer = new ArrayBuffer(64);
  return {
    get buffer() {
      return buffer;
    },
    grow(_, needed) {
      const larger = new ArrayBuffer(Math.ceil(needed / 16) * 16);
      new Uint8Array(larger).set(new Uint8Array(buffer));
      structuredClone(buffer, { transfer: [buffer] });
      buffer = larger;
      return true;
    },
  };
}

function withBodies(
  engine: Engine,
  plans: readonly BodyPlan[],
  moving: boolean,
  use: (bodies: Body[]) => void,
): void {
  const bodies = plans.map((plan) => createBody(engine, plan, moving));
  try {
    use(bodies);
  } finally {
    for (const body of bodies) body.dispose();
  }
  expect(engine.usage.bodies).toBe(0);
}

function expectFirst(hit: [number, number] | undefined, all: readonly (readonly number[])[]): void {
  expect(hit !== undefined).toBe(all.length > 0);
  if (hit) expect(all.some(([i, j]) => i === hit[0] && j === hit[1])).toBe(true);
}

/** Equal pairs; times may differ by their stated error, since they depend on which triangle comes first. */
function expectTimed(report: CollisionReport, expected: readonly [number, number, number][]): void {
  expect(report.sortedPairs()).toEqual(expected.map(([i, j]) => [i, j]));
  expected.forEach(([, , time], k) => {
    expect(Math.abs(report.times![k] - time)).toBeLessThanOrEqual(2 ** -40);
  });
}

function namedPairs(report: CollisionReport): number[][] {
  return report.sortedPairs().map((pair, k) => [...report.bodies!.subarray(2 * k, 2 * k + 2), ...pair]);
}

function expectedAll(plans: readonly BodyPlan[], within: boolean): number[][] {
  const expected: number[][] = [];
  plans.forEach((a, i) => {
    if (within) for (const pair of selfPairs(a.mesh, a.local[0])) expected.push([i, i, ...pair]);
    for (let j = i + 1; j < plans.length; j++) {
      const b = plans[j];
      for (const pair of pairsBetween(a.mesh, a.world[0], b.mesh, b.world[0])) expected.push([i, j, ...pair]);
    }
  });
  return expected;
}
