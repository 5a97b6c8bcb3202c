import { describe, expect, test } from 'vitest';
import { createEngine, createTriangleMesh, findSelfCollisions } from '../../src/index.ts';
import { EXTREME_MESHES } from '../fuzz/extreme-meshes.ts';
import { Random } from '../io/mutate.ts';

const { positions, triangles } = EXTREME_MESHES['far away'](2000, new Random('coarse'));

/** The first three triangles as far away as `distance`, the others in the unit cube. */
function stray(distance: number): Float64Array {
  return positions.map((x, k) => (k < 27 ? (x / 1e30) * distance : x));
}

describe.each([false, true])('continuous: %s', (continuous) => {
  test.each([1e5, 1e30])(
    'triangles at %d leave a self-query of the rest quick, and its answer as it is',
    async (distance) => {
      const engine = await createEngine();
      const start = stray(distance);
      const body = engine.createFreeBody(createTriangleMesh({ positions: start, triangles }));
      if (continuous)
        body.setMotion(
          start,
          start.map((x) => 1.01 * x),
        );
      const quick = findSelfCollisions(body, { continuous });
      const plain = findSelfCollisions(body, { continuous, method: 'brute-force' });
      expect(quick.sortedPairs()).toEqual(plain.sortedPairs());
      expect(quick.pairCount).toBeGreaterThan(0);
      expect(quick.method).toBe('depth-first');
      expect(quick.reason).toContain('far away');
      expect(quick.counters.nodePairsTested).toBeLessThan(40 * 2000); // 2 million pairs otherwise
      engine.dispose();
    },
  );

  test('a mesh without stray triangles is searched in batches', async () => {
    const engine = await createEngine();
    const body = engine.createFreeBody(createTriangleMesh({ positions: stray(1), triangles }));
    if (continuous) body.setMotion(stray(1), stray(1));
    expect(findSelfCollisions(body, { continuous }).method).toBe('batch');
    engine.dispose();
  });
});
