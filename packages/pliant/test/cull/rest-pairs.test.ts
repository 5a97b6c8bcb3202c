import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RestShapeDistances } from '../../src/cull/rest-pairs.ts';
import { createTriangleMesh } from '../../src/index.ts';
import { buildTree } from '../../src/tree/build-tree.ts';

const RUNS = process.env.PLIANT_FULL ? 5000 : 400;

test('the gap of two boxes is never more than their distance, however small that is', () => {
  const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const power = fc.oneof(between(-1070, 1), between(-540, -500)); // squares of the latter have few digits
  fc.assert(
    fc.property(power, power, (distance, size) => {
      const [d, s] = [2 ** distance, 2 ** size];
      // Along x, where nothing but the distance counts.
      const positions = [0, 0, 0, 0, s, 0, 0, 0, s, d, 0, 0, d, s, 0, d, 0, s];
      const mesh = createTriangleMesh({ positions, triangles: [0, 1, 2, 3, 4, 5] });
      const tree = buildTree(mesh);
      const corners = [...tree.order].flatMap((t) => [...mesh.triangles.subarray(3 * t, 3 * t + 3)]);
      const distances = new RestShapeDistances(tree, mesh.positions, Uint32Array.from(corners));
      const gap = distances.gap(1, 2);
      expect(gap).toBeLessThanOrEqual(d);
      if (d > 1e-140) expect(gap).toBeGreaterThan(0.99 * d);
    }),
    { numRuns: RUNS },
  );
});
