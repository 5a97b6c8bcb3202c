import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createEngine,
  createTriangleMesh,
  findClosePairs,
  findNearest,
  findSelfClosePairs,
  findSelfNearest,
} from '../../src/index.ts';
import { createTorusKnot } from '../../src/shapes/torus-knot.ts';
import { gridWithPose, matrix, triangleSoup } from '../arbitraries.ts';
import { closestPair, measureAll } from '../oracles/distances.ts';

const reach = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 3, noNaN: true }));

describe('one body', () => {
  test('the nearest pair and the pairs within reach are those of brute force', async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(gridWithPose(4), reach, ({ source, pose }, distance) => {
        const mesh = createTriangleMesh(source);
        const body = engine.createFreeBody(mesh);
        body.setPose(pose);
        const all = measureAll(mesh, pose, mesh, pose);
        const best = closestPair(all);
        const found = findSelfNearest(body);
        expect([...(found.triangles ?? []), found.distance]).toEqual(best ?? [Infinity]);
        const report = findSelfClosePairs(body, distance);
        expect(report.sortedPairs().map(([i, j], k) => [i, j, report.distances![k]])).toEqual(
          all.filter(([, , d]) => d <= distance),
        );
        body.dispose();
      }),
      { numRuns: 60 },
    );
  });
});

describe('two bodies', () => {
  test('… also when one is rigid and placed anywhere', async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(triangleSoup(12), triangleSoup(12), matrix, reach, (first, second, placement, distance) => {
        const a = engine.createFreeBody(createTriangleMesh(first));
        const b = engine.createRigidBody(createTriangleMesh(second));
        b.setPose(placement);
        const all = measureAll(a.mesh, a.getPositions(), b.mesh, b.getPositions());
        const found = findNearest(a, b);
        expect([...found.triangles!, found.distance]).toEqual(closestPair(all));
        const report = findClosePairs(a, b, distance);
        expect(report.sortedPairs().map(([i, j], k) => [i, j, report.distances![k]])).toEqual(
          all.filter(([, , d]) => d <= distance),
        );
        a.dispose();
        b.dispose();
      }),
      { numRuns: 60 },
    );
  });

  test('witness points lie that far apart', async () => {
    const engine = await createEngine();
    const square = createTriangleMesh({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
      triangles: [0, 1, 2, 1, 3, 2],
    });
    const a = engine.createRigidBody(square),
      b = engine.createRigidBody(square);
    b.setPose([1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 4]);
    const { distance, points, state } = findNearest(a, b);
    expect(distance).toBeCloseTo(Math.sqrt(20), 12);
    expect(Math.hypot(...points[0].map((x, k) => x - points[1][k]))).toBeCloseTo(distance, 12);
    expect(state).toBe('complete');
  });

  test('a budget that runs out leaves an upper bound and says so', async () => {
    const engine = await createEngine();
    const mesh = createTriangleMesh(createTorusKnot({ triangles: 4000 }).source);
    const a = engine.createRigidBody(mesh),
      b = engine.createRigidBody(mesh);
    b.setPose([1, 0, 0, 30, 0, 1, 0, 0, 0, 0, 1, 0]);
    const full = findNearest(a, b),
      part = findNearest(a, b, { budget: { nodePairs: 5 } });
    expect(part.state).toBe('out-of-time');
    expect(part.distance).toBeGreaterThanOrEqual(full.distance);
    expect(() => findClosePairs(a, b, -1)).toThrow(/distance/);
    expect(() => findClosePairs(a, b, Number.NaN)).toThrow(/distance/);
  });
});
