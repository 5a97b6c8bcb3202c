import { describe, expect, test } from 'vitest';
import { createEngine, createTriangleMesh, findSelfCollisions } from '../../src/index.ts';
import { createRabbit } from '../../src/shapes/rabbit.ts';
import { testBodyShape } from './body-shape.ts';

describe('rabbit', () => {
  testBodyShape({
    create: createRabbit,
    triangles: 14_796,
    fewest: 2500,
    counts: [3000, 6000, 20_000, 60_000],
    seeds: [2, 3, 4, 5, 6, 7, 8],
    gap: 0.022,
    calm: 0.75,
    hash: '3244b2944b8fb1ba',
  });

  test('what touches are its two ears', async () => {
    const shape = createRabbit({ triangles: 8000 });
    const { positions, triangles } = shape.source;
    const engine = await createEngine();
    const body = engine.createFreeBody(createTriangleMesh(shape.source));
    const out = positions.slice();
    shape.deform(1, out);
    body.setPose(out);
    const report = findSelfCollisions(body);
    expect(report.pairCount).toBeGreaterThan(20);
    for (const pair of report.sortedPairs()) {
      const [left, right] = pair.map((t) => 3 * triangles[3 * t]).sort((a, b) => positions[b] - positions[a]);
      expect(Math.min(positions[left + 1], positions[right + 1])).toBeGreaterThan(0.65);
      expect(positions[left]).toBeGreaterThan(0.02);
      expect(positions[right]).toBeLessThan(-0.02);
    }
    engine.dispose();
  });
});
