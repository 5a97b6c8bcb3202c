import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Body,
  CollisionReport,
  createEngine,
  createTriangleMesh,
  type Engine,
  findAnyCollision,
  findAnySelfCollision,
  findCollisions,
} from '../../src/index.ts';
import { createBumpyBall } from '../../src/shapes/index.ts';
import { grid } from '../arbitraries.ts';
import { KERNELS } from '../conformance/scenes.ts';
import { pairsBetween } from '../oracles/brute-force.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 12;
const AGAIN = 'the pair that touched last';

/** More triangles than the neighbourhood of a hit holds. */
const source = grid(9, 8);
const wavy = source.positions.map((x, i) => (i % 3 === 2 ? Math.sin(source.positions[i - 2]) / 2 : x));
const SHEET = createTriangleMesh({ positions: wavy, triangles: source.triangles });

interface Step {
  readonly by: readonly [x: number, z: number, turn: number];
  readonly isAway: boolean; // for this frame
  readonly method: 'auto' | 'on-demand' | 'batch' | 'depth-first';
  readonly swap: boolean; // the other body is asked
  readonly renew: 'neither' | 'first' | 'second'; // disposed of before this frame, and made again
}

const rarely = fc.nat(5).map((k) => k === 0);
const within = (size: number) => fc.double({ min: -size, max: size, noNaN: true });

/** A little further each time, now and then somewhere else: hits last, wander and end. */
const track: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    by: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(within(0.02), within(0.02), within(0.02)) },
      fc.tuple(within(4), within(0.1), within(0.1)),
    ),
    isAway: rarely,
    method: fc.constantFrom('auto', 'auto', 'on-demand', 'on-demand', 'batch', 'depth-first'),
    swap: rarely,
    renew: fc.constantFrom('neither', 'neither', 'neither', 'neither', 'first', 'second'),
  }),
  { minLength: 6, maxLength: 12 },
);

type Kind = 'rigid' | 'free';

function createSheet(engine: Engine, kind: Kind): Body {
  return kind === 'rigid' ? engine.createRigidBody(SHEET) : engine.createFreeBody(SHEET);
}

/** Tilted by `turn`, then moved. */
function place(body: Body, kind: Kind, x: number, z: number, turn: number): void {
  const matrix = [1, 0, 0, x, 0, 1, -turn, 0.25, 0, turn, 1, z];
  if (kind === 'rigid') body.setPose(matrix);
  else body.setWorldMatrix(matrix);
}

describe.each(KERNELS)('%s kernels', (kernels) => {
  test.each(['rigid', 'free'] as const)('%s bodies: brute force agrees in every frame', async (kind) => {
    const engine = await createEngine({ kernels });
    const report = new CollisionReport();
    const seen = { again: 0, anew: 0, apart: 0 };
    fc.assert(
      fc.property(track, (steps) => {
        let [a, b] = [createSheet(engine, kind), createSheet(engine, kind)];
        const at: [number, number, number] = [0.5, 0, 0.1];
        for (const { by, isAway, method, swap, renew } of steps) {
          if (renew === 'first') {
            a.dispose();
            a = createSheet(engine, kind);
          } else if (renew === 'second') {
            b.dispose();
            b = createSheet(engine, kind);
          }
          by.forEach((d, k) => void (at[k] += d));
          if (isAway) place(b, kind, 0, 3, 0);
          else place(b, kind, ...at);
          const hit = findAnyCollision(swap ? b : a, swap ? a : b, { method, report });
          const truth = pairsBetween(SHEET, a.getPositions(), SHEET, b.getPositions()); // evaluates all points
          expect(hit !== undefined).toBe(truth.length > 0);
          if (hit) expect(truth).toContainEqual(swap ? [hit[1], hit[0]] : [...hit]);
          seen[hit === undefined ? 'apart' : report.reason === AGAIN ? 'again' : 'anew']++;
        }
        a.dispose();
        b.dispose();
      }),
      { numRuns: RUNS },
    );
    expect(engine.usage.bodies).toBe(0);
    expect(Math.min(seen.again, seen.anew, seen.apart)).toBeGreaterThan(0);
  });
});

test.each(KERNELS)(
  '%s kernels: what lies elsewhere is found after the surroundings of the last hit hold nothing',
  async (kernels) => {
    const engine = await createEngine({ kernels });
    const [a, b] = [engine.createRigidBody(SHEET), engine.createRigidBody(SHEET)];
    place(b, 'rigid', 0.5, 0, 0.1);
    expect(findAnyCollision(a, b, { method: 'batch' })).toBeDefined();
    place(b, 'rigid', 0.5 - 0.5000000000000006, 0, 0.1); // the boxes of the whole sheets must be those of this pose
    expect(findCollisions(a, b, { method: 'brute-force' }).pairCount).toBeGreaterThan(0);
    expect(findAnyCollision(a, b, { method: 'on-demand' })).toBeDefined();
  },
);

const BALL = createTriangleMesh(createBumpyBall({ triangles: 3000 }).source);

describe('two balls', () => {
  const report = new CollisionReport();
  let engine: Engine;
  let a: Body;
  let b: Body;

  beforeEach(async () => {
    engine = await createEngine();
    a = engine.createRigidBody(BALL);
    b = engine.createRigidBody(BALL);
  });

  const put = (x: number, y = 0) => b.setPose([1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0]);
  const isHit = (first = a, second = b) => findAnyCollision(first, second, { report }) !== undefined;
  const TOUCHING = 1.8,
    APART = 4;

  test('that stand still: one triangle pair is tested, and no volume computed', () => {
    put(TOUCHING);
    expect(isHit()).toBe(true);
    expect(report.reason).not.toBe(AGAIN);
    for (let k = 0; k < 3; k++) {
      expect(isHit()).toBe(true);
      const { trianglePairsTested, nodePairsTested, volumesRefitted } = report.counters;
      expect([report.reason, trianglePairsTested, nodePairsTested, volumesRefitted]).toEqual([
        AGAIN,
        1,
        0,
        0,
      ]);
    }
  });

  test('one of which moves a little from frame to frame: few tests while they touch', () => {
    const countTests = (forgets: boolean) => {
      let tests = 0,
        again = 0;
      for (let frame = 0; frame <= 100; frame++) {
        if (forgets) a.lastHit.other = undefined;
        put(TOUCHING, 0.004 * frame);
        expect(isHit()).toBe(true);
        if (frame === 0) continue;
        tests += report.counters.trianglePairsTested + report.counters.nodePairsTested;
        again += +(report.reason === AGAIN);
      }
      return { tests, again };
    };
    const remembering = countTests(false),
      forgetting = countTests(true);
    expect(forgetting.again).toBe(0);
    expect(remembering.again).toBeGreaterThan(50);
    expect(remembering.tests).toBeLessThan(forgetting.tests / 10);
  });

  test('that come apart: the hit is forgotten', () => {
    put(TOUCHING);
    isHit();
    expect(a.lastHit.other?.deref()).toBe(b);
    put(APART);
    expect(isHit()).toBe(false);
    expect(a.lastHit.other).toBeUndefined();
    expect(isHit()).toBe(false);
    expect(report.counters.trianglePairsTested).toBe(0);
    put(TOUCHING);
    expect(isHit()).toBe(true);
    expect(report.reason).not.toBe(AGAIN);
  });

  test('one of which is disposed of: its successor is asked about anew', () => {
    put(TOUCHING);
    isHit();
    b.dispose();
    expect(() => isHit()).toThrow('disposed');
    b = engine.createRigidBody(BALL);
    put(APART);
    expect(isHit()).toBe(false);
    expect(report.counters.trianglePairsTested).toBe(0);
    put(TOUCHING);
    expect(isHit()).toBe(true);
    expect(report.reason).not.toBe(AGAIN);
    a.dispose();
    a = engine.createRigidBody(BALL);
    expect(isHit()).toBe(true);
    expect(report.reason).not.toBe(AGAIN);
  });

  test('and a third: a hit is that of two bodies, in this order', () => {
    const c = engine.createRigidBody(BALL);
    c.setPose([1, 0, 0, APART, 0, 1, 0, 0, 0, 0, 1, 0]);
    put(TOUCHING);
    isHit();
    expect(isHit(a, c)).toBe(false);
    expect(report.counters.trianglePairsTested).toBe(0);
    isHit();
    expect(report.reason).toBe(AGAIN); // a body that is apart takes nothing away
    isHit(b, a);
    expect(report.reason).not.toBe(AGAIN);
    isHit(b, a);
    expect(report.reason).toBe(AGAIN);
  });

  test('other queries neither use it nor leave one', () => {
    put(TOUCHING);
    findAnySelfCollision(a);
    findAnyCollision(a, b, { continuous: true });
    findCollisions(a, b);
    expect(a.lastHit.other).toBeUndefined();
    isHit();
    put(APART);
    expect(findAnyCollision(a, b, { continuous: true, report })).toBeUndefined();
    expect(report.counters.trianglePairsTested).toBe(0);
  });
});
