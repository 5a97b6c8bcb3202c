import { describe, expect, test } from 'vitest';
import { type Certificate, createEngine, createTriangleMesh, findCollisions, findSelfCollisions } from '../../src/index.ts';
import { peelFirst, peelLast } from '../tree/split-rules.ts';
import { KERNELS } from './scenes.ts';

/**
 * A chain of triangles in which each meets the next and no other, in a tree as deep as it has triangles. Rules of
 * users may build such trees, and connectivity may leave them no choice.
 */
const COUNT = 40_000; // three pairs per level would need more than a traversal's stack
const chain = createTriangleMesh({
  positions: Array.from({ length: COUNT }, (_, k) =>
    k % 2 ? [k, 0, -1, k + 1.5, 0, 0, k, 0, 1] : [k, -1, 0, k + 1.5, 0, 0, k, 1, 0],
  ).flat(),
  triangles: Array.from({ length: 3 * COUNT }, (_, i) => i),
});

const METHODS = ['auto', 'batch', 'on-demand', 'depth-first'] as const;

function isChain(pairs: [number, number][]): boolean {
  return pairs.length === COUNT - 1 && pairs.every(([i, j], k) => i === k && j === k + 1);
}

describe.each(KERNELS)('%s kernels', (kernels) => {
  describe.each([
    ['the first child is the deep one', peelLast],
    ['the second child is the deep one', peelFirst],
  ])('%s', (_, split) => {
    test.each(METHODS)('self, %s', async (method) => {
      const engine = await createEngine({ kernels });
      const body = engine.createRigidBody(chain, { split });
      expect(isChain(findSelfCollisions(body, { method }).sortedPairs())).toBe(true);
      expect(isChain(findSelfCollisions(body, { method }).sortedPairs())).toBe(true); // nothing was trampled on
    });

    test.each(METHODS)('self with a certificate that proves nothing, %s', async (method) => {
      const engine = await createEngine({ kernels });
      const body = engine.createRigidBody(chain, { split });
      const silent: Certificate = { tree: body.tree, begin: () => {}, clears: () => false };
      expect(isChain(findSelfCollisions(body, { method, certificates: [silent] }).sortedPairs())).toBe(true);
    });

    test.each(METHODS)('pair, %s', async (method) => {
      const engine = await createEngine({ kernels });
      const body = engine.createRigidBody(chain, { split });
      const bar = engine.createRigidBody(
        createTriangleMesh({ positions: [9, 0.25, -1, 9.25, 0.25, 2, 12, 0.25, -1], triangles: [0, 1, 2] }),
      );
      const expected = findCollisions(body, bar, { method: 'brute-force' }).sortedPairs();
      expect(expected.length).toBeGreaterThan(0);
      expect(findCollisions(body, bar, { method }).sortedPairs()).toEqual(expected);
    });
  });
});
