import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Certificate,
  CollisionReport,
  createEngine,
  createTriangleMesh,
  findAllCollisions,
  findAnySelfCollision,
  findCollisions,
  findSelfCollisions,
  type Tree,
  type TriangleMesh,
} from '../../src/index.ts';
import { gridWithPose, triangleSoup } from '../arbitraries.ts';
import { foldedPairs, pairsBetween, selfPairs } from '../oracles/brute-force.ts';
import { bodyPlan, createBody, KERNELS, METHODS } from './scenes.ts';

const RUNS = process.env.PLIANT_FULL ? 500 : 25;

type Pair = readonly [number, number];

/** Slots under each node, for asking whether a node pair covers a triangle pair. */
class Cover {
  readonly #tree: Tree;
  readonly #slotOf: Uint32Array;

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#slotOf = new Uint32Array(tree.order.length);
    tree.order.forEach((t, slot) => {
      this.#slotOf[t] = slot;
    });
  }

  has(node: number, triangle: number): boolean {
    const slot = this.#slotOf[triangle] - this.#tree.firstSlot[node];
    return slot >= 0 && slot < this.#tree.slotCount[node];
  }
}

/** What a query that was stopped promises: it found nothing false, and hides nothing outside `unresolved`. */
function expectHonest(
  report: CollisionReport,
  truth: readonly Pair[],
  a: Tree,
  b: Tree,
  isSelf: boolean,
): void {
  const found = report.sortedPairs();
  const keys = new Set(truth.map(String));
  for (const pair of found) expect(keys.has(String(pair)), `${pair} was found, but is not true`).toBe(true);
  expect(new Set(found.map(String)).size).toBe(found.length);
  if (report.state === 'complete') {
    expect(found).toEqual(truth);
    expect(report.unresolved.count).toBe(0);
    return;
  }
  const [coverA, coverB] = [new Cover(a), new Cover(b)];
  const { data, count } = report.unresolved;
  const foundKeys = new Set(found.map(String));
  const missing = truth.filter(([i, j]) => {
    if (foundKeys.has(`${i},${j}`)) return false;
    for (let k = 0; k < count; k++) {
      const n = data[2 * k],
        m = data[2 * k + 1];
      if (coverA.has(n, i) && coverB.has(m, j)) return false;
      if (isSelf && coverA.has(n, j) && coverB.has(m, i)) return false;
    }
    return true;
  });
  expect(missing, 'neither found nor unresolved').toEqual([]);
}

const posedMesh = fc.oneof(
  triangleSoup(60).map((source) => ({ source, pose: Float64Array.from(source.positions as number[]) })),
  gridWithPose(7),
);
const nodePairs = fc.oneof(fc.nat(40), fc.nat(5000));

/** Random triangles in a cube, most of which overlap: more leaf pairs than one block of work holds. */
function createCrowd(count: number): TriangleMesh {
  let state = 9;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return createTriangleMesh({
    positions: Array.from({ length: 9 * count }, random),
    triangles: Array.from({ length: 3 * count }, (_, i) => i),
  });
}
const crowd = createCrowd(150);
const crowdTruth = selfPairs(crowd, crowd.positions);

describe.each(KERNELS)('%s kernels', (kernels) => {
  describe.each(METHODS)('%s', (method) => {
    test('with any budget of node pairs: nothing false is found, nothing is hidden', async () => {
      const engine = await createEngine({ kernels });
      let stopped = 0;
      fc.assert(
        fc.property(posedMesh, nodePairs, ({ source, pose }, budget) => {
          const mesh = createTriangleMesh(source);
          const body = engine.createFreeBody(mesh);
          body.setPose(pose);
          const report = findSelfCollisions(body, { method, budget: { nodePairs: budget } });
          expect(['complete', 'out-of-time']).toContain(report.state);
          if (report.state !== 'complete') stopped++;
          expectHonest(report, selfPairs(mesh, body.getLocalPositions()), body.tree, body.tree, true);
          body.dispose();
        }),
        { numRuns: RUNS },
      );
      if (method !== 'brute-force') expect(stopped).toBeGreaterThan(2);
    });

    test('… between two bodies too', async () => {
      const engine = await createEngine({ kernels });
      fc.assert(
        fc.property(bodyPlan({ side: 6 }), bodyPlan({ side: 6 }), nodePairs, (first, second, budget) => {
          const [a, b] = [createBody(engine, first), createBody(engine, second)];
          const report = findCollisions(a, b, { method, budget: { nodePairs: budget } });
          const truth = pairsBetween(first.mesh, first.world[0], second.mesh, second.world[0]);
          expectHonest(report, truth, a.tree, b.tree, false);
          a.dispose();
          b.dispose();
        }),
        { numRuns: RUNS },
      );
    });

    test('… and among many, where each unresolved node pair names its bodies', async () => {
      const engine = await createEngine({ kernels });
      fc.assert(
        fc.property(
          fc.array(bodyPlan({ side: 4 }), { minLength: 2, maxLength: 4 }),
          nodePairs,
          (plans, budget) => {
            const bodies = plans.map((plan) => createBody(engine, plan));
            const report = findAllCollisions(bodies, { method, self: true, budget: { nodePairs: budget } });
            const names = report.bodies!.slice();
            expect(report.unresolvedBodies.count).toBe(report.unresolved.count);
            for (let i = 0; i < plans.length; i++) {
              for (let j = i; j < plans.length; j++) {
                const [p, q] = [plans[i], plans[j]];
                const truth =
                  i === j
                    ? selfPairs(p.mesh, p.local[0])
                    : pairsBetween(p.mesh, p.world[0], q.mesh, q.world[0]);
                const part = new CollisionReport();
                part.begin('none', false, Infinity);
                report.sortedPairs().forEach((pair, k) => {
                  if (names[2 * k] === i && names[2 * k + 1] === j) part.add(...pair, 0);
                });
                for (let k = 0; k < report.unresolved.count; k++) {
                  const { data } = report.unresolvedBodies;
                  if (data[2 * k] === i && data[2 * k + 1] === j) {
                    part.addUnresolved(report.unresolved.data[2 * k], report.unresolved.data[2 * k + 1]);
                  }
                }
                part.finish();
                part.state = report.state;
                expectHonest(part, truth, bodies[i].tree, bodies[j].tree, i === j);
              }
            }
            for (const body of bodies) body.dispose();
          },
        ),
        { numRuns: RUNS },
      );
    });

    test('a callback that says stop: the same promise', async () => {
      const engine = await createEngine({ kernels });
      let stopped = 0;
      fc.assert(
        fc.property(posedMesh, fc.integer({ min: 1, max: 30 }), ({ source, pose }, after) => {
          const mesh = createTriangleMesh(source);
          const body = engine.createFreeBody(mesh);
          body.setPose(pose);
          let told = 0;
          const report = findSelfCollisions(body, { method, onPair: () => ++told < after });
          const truth = selfPairs(mesh, body.getLocalPositions());
          if (truth.length >= after) {
            stopped++;
            expect([report.state, report.pairCount, told]).toEqual(['cancelled', after, after]);
          } else expect(report.state).toBe('complete');
          expectHonest(report, truth, body.tree, body.tree, true);
          body.dispose();
        }),
        { numRuns: RUNS },
      );
      expect(stopped).toBeGreaterThan(2);
    });

    test('a crowd, stopped at any point', async () => {
      const engine = await createEngine({ kernels });
      const body = engine.createRigidBody(crowd);
      expect(findSelfCollisions(body, { method }).sortedPairs()).toEqual(crowdTruth);
      for (const budget of [0, 1, 5000, 12_000]) {
        const report = findSelfCollisions(body, { method, budget: { nodePairs: budget } });
        expectHonest(report, crowdTruth, body.tree, body.tree, true);
      }
      for (const after of [1, 100, crowdTruth.length - 1, crowdTruth.length]) {
        let told = 0;
        const report = findSelfCollisions(body, { method, onPair: () => ++told < after });
        expectHonest(report, crowdTruth, body.tree, body.tree, true);
        expect(report.state).toBe('cancelled');
      }
      for (const milliseconds of [0, 0.5, 1e6]) {
        const report = findSelfCollisions(body, { method, budget: { milliseconds } });
        expectHonest(report, crowdTruth, body.tree, body.tree, true);
        if (milliseconds === 1e6) expect(report.state).toBe('complete');
      }
    });

    test('the pairs a callback is told are those of the report', async () => {
      const engine = await createEngine({ kernels });
      fc.assert(
        fc.property(posedMesh, ({ source, pose }) => {
          const body = engine.createFreeBody(createTriangleMesh(source));
          body.setPose(pose);
          const told: [number, number][] = [];
          const report = findSelfCollisions(body, { method, onPair: (i, j) => void told.push([i, j]) });
          expect(told.sort((p, q) => p[0] - q[0] || p[1] - q[1])).toEqual(report.sortedPairs());
          body.dispose();
        }),
        { numRuns: RUNS },
      );
    });
  });
});

describe('stopping in the last part of a query', () => {
  /** Two flat squares folded onto each other along their diagonal, and a third triangle across both. */
  const folded = createTriangleMesh({
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.9, 0.1, 0, 0.2, 0.2, -1, 0.2, 0.3, 1, 0.3, 0.2, 1],
    triangles: [0, 1, 2, 0, 1, 3, 4, 5, 6],
  });

  test('among folds: the report is not complete', async () => {
    const engine = await createEngine();
    const body = engine.createRigidBody(folded);
    const truth = [...selfPairs(folded, folded.positions), ...foldedPairs(folded, folded.positions)];
    truth.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    expect(findSelfCollisions(body, { adjacent: true }).sortedPairs()).toEqual(truth);
    expect(truth.length).toBeGreaterThan(1);
    for (let after = 1; after <= truth.length; after++) {
      let told = 0;
      const report = findSelfCollisions(body, { adjacent: true, onPair: () => ++told < after });
      expect([after, report.state]).toEqual([after, 'cancelled']);
    }
  });

  test('among the exceptions of a proof: they are not forgotten', async () => {
    const engine = await createEngine();
    const body = engine.createRigidBody(crowd);
    const proof: Certificate = {
      tree: body.tree,
      begin: () => {},
      clears: (a, b) => a === 0 && b === 0,
      exceptions: (_, __, out) => {
        for (const [i, j] of crowdTruth) out.push(i, j);
      },
    };
    for (const method of ['batch', 'on-demand'] as const) {
      const all = findSelfCollisions(body, { method, certificates: [proof] });
      expect(all.sortedPairs()).toEqual(crowdTruth);
      let told = 0;
      const report = findSelfCollisions(body, { method, certificates: [proof], onPair: () => ++told < 5 });
      expect(report.state).toBe('cancelled');
      expectHonest(report, crowdTruth, body.tree, body.tree, true);
    }
  });

  test('before the exceptions of a proof: they are unresolved', async () => {
    const engine = await createEngine();
    const body = engine.createRigidBody(crowd);
    const under = new Cover(body.tree);
    const proof: Certificate = {
      tree: body.tree,
      begin: () => {},
      clears: (a, b) => a === 1 && b === 1, // one half; the other is looked at
      exceptions: (a, _, out) => {
        for (const [i, j] of crowdTruth) if (under.has(a, i) && under.has(a, j)) out.push(i, j);
      },
    };
    for (const method of ['batch', 'on-demand'] as const) {
      const report = findSelfCollisions(body, { method, certificates: [proof], budget: { nodePairs: 1000 } });
      expect(report.state).toBe('out-of-time');
      expectHonest(report, crowdTruth, body.tree, body.tree, true);
    }
  });
});

describe('a first-hit query that runs out of budget', () => {
  test.each(['batch', 'on-demand', 'depth-first'] as const)('%s: says so in its report', async (method) => {
    const engine = await createEngine();
    // Two interleaved combs: boxes overlap everywhere, nothing touches.
    const positions: number[] = [],
      triangles: number[] = [];
    for (let k = 0; k < 400; k++) {
      const z = k / 400;
      positions.push(0, 0, z, 1, 0, z + 0.5, 0, 1, z);
      triangles.push(3 * k, 3 * k + 1, 3 * k + 2);
    }
    const mesh = createTriangleMesh({ positions, triangles });
    const body = engine.createRigidBody(mesh);
    const report = new CollisionReport();
    expect(findAnySelfCollision(body, { method, report })).toBeUndefined();
    expect(report.state).toBe('complete');
    expect(findAnySelfCollision(body, { method, report, budget: { nodePairs: 10 } })).toBeUndefined();
    expect(report.state).toBe('out-of-time');
  });
});

describe('maxPairs', () => {
  test.each(METHODS)('%s: the lowest, and the full count', async (method) => {
    const engine = await createEngine();
    const body = engine.createRigidBody(crowd);
    for (const maxPairs of [0, 1, 17, crowdTruth.length, 10 * crowdTruth.length]) {
      const report = findSelfCollisions(body, { method, maxPairs });
      expect(report.sortedPairs()).toEqual(crowdTruth.slice(0, maxPairs));
      expect(report.totalCount).toBe(crowdTruth.length);
      expect(report.state).toBe(maxPairs < crowdTruth.length ? 'truncated' : 'complete');
    }
  });

  test('many bodies: all of them are counted, however many pairs the first two have', async () => {
    const engine = await createEngine();
    const large = createCrowd(300);
    const [a, b, c] = [0, 1, 2].map(() => engine.createRigidBody(large));
    const pairs = pairsBetween(large, large.positions, large, large.positions).length;
    expect(pairs).toBeGreaterThan(8192); // so many that the report must drop some on the way
    const report = findAllCollisions([a, b, c], { maxPairs: 3 });
    expect([report.totalCount, report.state, report.unresolved.count]).toEqual([3 * pairs, 'truncated', 0]);
    expect(report.sortedPairs()).toEqual(findAllCollisions([a, b, c]).sortedPairs().slice(0, 3));
  });
});
