import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngine, findCollisions, findSelfCollisions } from '../../src/index.ts';
import { movingSelfPairs, pairsBetween, selfPairs } from '../oracles/brute-force.ts';
import { findEscape } from '../refit/find-escape.ts';
import { BOUND_KINDS, mesh, poseOf } from './bound-bodies.ts';
import { evaluateOneByOne } from './one-by-one.ts';

const FULL = process.env.PLIANT_FULL !== undefined;
const POSES = FULL ? 10_000 : 300;
const METHODS = ['auto', 'batch', 'on-demand', 'depth-first', 'brute-force'] as const;

describe.each(BOUND_KINDS)('%s', (name, kind) => {
  test('positions follow the formula, with equal bits from both kernels and from single points', async () => {
    const engines = [await createEngine({ kernels: 'wasm' }), await createEngine({ kernels: 'ts' })];
    fc.assert(
      fc.property(kind.data, kind.pose, (data, pose) => {
        const expected = kind.evaluate(data, pose);
        const size = Math.max(1, ...pose.displacements.map(Math.abs), ...pose.gradients.map(Math.abs));
        const results = engines.flatMap((engine) => {
          const body = kind.create(engine, mesh, data);
          expect(body.deformer.handles?.kind).toBe(name);
          body.setPose(poseOf(kind, pose));
          const single = evaluateOneByOne(engine, body);
          body.setPose(poseOf(kind, pose));
          const all = body.getLocalPositions();
          body.dispose();
          return [all, single];
        });
        for (const result of results) expect(result).toEqual(results[0]);
        results[0].forEach((x, k) => void expect(Math.abs(x - expected[k]) / size).toBeLessThan(1e-11));
      }),
      { numRuns: 40 },
    );
    for (const engine of engines) expect(engine.usage.bodies).toBe(0);
  });

  test('starts at rest, and goes straight from one pose to the other', async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(kind.data, kind.pose, kind.pose, (data, start, end) => {
        const body = kind.create(engine, mesh, data);
        const rest = body.getLocalPositions();
        kind
          .evaluate(data, kind.rest(data))
          .forEach((x, k) => void expect(Math.abs(rest[k] - x)).toBeLessThan(1e-12));
        body.setMotion(poseOf(kind, start), poseOf(kind, end));
        expect(body.deformer.hasMotion).toBe(true);
        const middle = {
          displacements: start.displacements.map((x, k) => (x + end.displacements[k]) / 2),
          gradients: start.gradients.map((x, k) => (x + end.gradients[k]) / 2),
        };
        const [a, b, m] = [start, end, middle].map((pose) => {
          body.setPose(poseOf(kind, pose));
          return body.getLocalPositions();
        });
        const size = Math.max(1, ...a.map(Math.abs), ...b.map(Math.abs));
        m.forEach((x, k) => void expect(Math.abs(x - (a[k] + b[k]) / 2)).toBeLessThan(1e-10 * size));
        body.dispose();
      }),
      { numRuns: 40 },
    );
  });

  test('every node holds every vertex below it, in any pose and over any motion', async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(kind.data, kind.pose, kind.pose, (data, start, end) => {
        const body = kind.create(engine, mesh, data);
        body.setPose(poseOf(kind, start));
        expect(findEscape(body, false)).toBeUndefined();
        body.setMotion(poseOf(kind, end), poseOf(kind, start));
        expect(findEscape(body, true)).toBeUndefined();
        body.dispose();
      }),
      { numRuns: POSES },
    );
  });

  test('a box that is a little too small makes that test fail', async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(kind.data, kind.pose, (data, pose) => {
        const body = kind.create(engine, mesh, data);
        body.setPose(poseOf(kind, pose));
        const bounds = body.getLocalBounds(false);
        const { refitAll } = bounds;
        const low = Math.min(...body.getLocalPositions().filter((_, i) => i % 3 === 0));
        bounds.refitAll = () => {
          refitAll.call(bounds);
          bounds.box[0] = low + 1e-3 * Math.abs(low) + 1e-6;
        };
        expect(findEscape(body, false)).toMatch(/node 0, axis 0/);
        body.dispose();
      }),
      { numRuns: 10 },
    );
  });

  test.each(METHODS)(
    '%s queries find what brute force finds, in own and in world coordinates',
    async (method) => {
      const engine = await createEngine();
      fc.assert(
        fc.property(kind.data, kind.pose, kind.pose, (data, start, end) => {
          const [body, other] = [kind.create(engine, mesh, data), kind.create(engine, mesh, data)];
          body.setPose(poseOf(kind, start));
          other.setPose(poseOf(kind, end));
          const [a, b] = [body.getLocalPositions(), other.getLocalPositions()];
          expect(findSelfCollisions(body, { method }).sortedPairs()).toEqual(selfPairs(mesh, a));
          expect(findCollisions(body, other, { method }).sortedPairs()).toEqual(
            pairsBetween(mesh, a, mesh, b),
          );
          const turn = [0, -1, 0, 0.5, 1, 0, 0, 0.25, 0, 0, 1, 0];
          other.setWorldMatrix(turn);
          const placed = other.getPositions();
          expect(findCollisions(body, other, { method }).sortedPairs()).toEqual(
            pairsBetween(mesh, a, mesh, placed),
          );
          body.dispose();
          other.dispose();
        }),
        { numRuns: FULL ? 100 : 6 },
      );
    },
  );

  test('a continuous query finds what brute force finds', async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(kind.uneven, kind.generic, (data, end) => {
        const body = kind.create(engine, mesh, data);
        const a = body.getLocalPositions();
        body.setPose(poseOf(kind, end));
        const b = body.getLocalPositions();
        body.setMotion(poseOf(kind, kind.rest(data)), poseOf(kind, end));
        const report = findSelfCollisions(body, { continuous: true });
        const expected = movingSelfPairs(mesh, a, b);
        expect(report.sortedPairs()).toEqual(expected.map(([i, j]) => [i, j]));
        body.dispose();
      }),
      { numRuns: FULL ? 30 : 4 },
    );
  });
});
