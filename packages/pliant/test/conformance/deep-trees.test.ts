import { describe, expect, test } from 'vitest';
import {
  type Certificate,
  createEngine,
  createTriangleMesh,
  findCollisions,
  findSelfCollisions,
} from '../../src/index.ts';
import { peelFirst, peelLast } from '../tree/split-rules.ts';
import { KERNELS } from './scenes.ts';

/**
 * A chain of triangles in which each meets the next and no other, in a tree as deep as it has triangles. Rules of
 * users may build such trees, and connectivity may leave them no choice.
 */
function createChain(count: number) {
  return createTriangleMesh({
    positions: Array.from({ length: count }, (_, k) =>
      k % 2 ? [k, 0, -1, k + 1.5, 0, 0, k, 0, 1] : [k, -1, 0, k + 1.5, 0, 0, k, 1, 0],
    ).flat(),
    triangles: Array.from({ length: 3 * count }, (_, i) => i),
  });
}

const long = createChain(40_000); // two pairs per level are more than a traversal's stack has room for
const short = createChain(2000);

function isChain(pairs: [number, number][], count: number): boolean {
  return pairs.length === count - 1 && pairs.every(([i, j], k) => i === k && j === k + 1);
}

describe.each(KERNELS)('%s kernels', (kernels) => {
  describe.each([
    ['the first child is the deep one', peelLast],
    ['the second child is the deep one', peelFirst],
  ])('%s', (_, split) => {
    test.each([
      ['auto', long],
      ['batch', long],
      ['depth-first', long],
      ['on-demand', short],
    ] as const)('self, %s', async (method, chain) => {
      const engine = await createEngine({ kernels });
      const body = engine.createRigidBody(chain, { split });
      for (let round = 0; round < 2; round++) {
        expect(isChain(findSelfCollisions(body, { method }).sortedPairs(), chain.triangleCount)).toBe(true);
      }
    });

    test.each([
      ['auto', long],
      ['batch', long],
      ['on-demand', short],
    ] as const)('self with a certificate that proves nothing, %s', async (method, chain) => {
      const engine = await createEngine({ kernels });
      const body = engine.createRigidBody(chain, { split });
      const silent: Certificate = { tree: body.tree, begin: () => {}, clears: () => false };
      const report = findSelfCollisions(body, { method, certificates: [silent] });
      expect(isChain(report.sortedPairs(), chain.triangleCount)).toBe(true);
    });

    test.each(['auto', 'batch', 'depth-first', 'on-demand'] as const)('pair, %s', async (method) => {
      const engine = await createEngine({ kernels });
      const body = engine.createRigidBody(long, { split });
      const bar = engine.createRigidBody(
        createTriangleMesh({ positions: [9, 0.25, -1, 9.25, 0.25, 2, 12, 0.25, -1], triangles: [0, 1, 2] }),
      );
      expect(findCollisions(body, bar, { method }).sortedPairs()).toEqual([
        [8, 0],
        [10, 0],
      ]);
    });
  });
});

test('on demand, a small body in a corner of a large one looks at little of it', async () => {
  const engine = await createEngine();
  const body = engine.createRigidBody(long);
  const probe = createTriangleMesh({
    positions: [9, 0.25, -1, 9.25, 0.25, 2, 12, 0.25, -1],
    triangles: [0, 1, 2],
  });
  const report = findCollisions(body, engine.createRigidBody(probe), { method: 'on-demand' });
  expect(report.sortedPairs()).toEqual([
    [8, 0],
    [10, 0],
  ]);
  expect(report.counters.trianglePairsTested).toBeLessThan(100);
  expect(report.counters.nodePairsTested).toBeLessThan(500);
});
