import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createEngine,
  createTriangleMesh,
  findAnySelfCollision,
  findSelfCollisions,
} from '../../src/index.ts';
import { gridWithPose, triangleSoup } from '../arbitraries.ts';
import { foldedPairs, movingSelfPairs, selfPairs } from '../oracles/brute-force.ts';

const METHODS = ['auto', 'batch', 'on-demand', 'depth-first', 'brute-force'] as const;
const RUNS = process.env.PLIANT_FULL ? 2000 : 50;

describe.each(['wasm', 'ts'] as const)('%s kernels', (kernels) => {
  describe.each(METHODS)('%s', (method) => {
    test('finds exactly the pairs that brute force finds in a soup of triangles', async () => {
      const engine = await createEngine({ kernels });
      fc.assert(
        fc.property(triangleSoup(), (source) => {
          const mesh = createTriangleMesh(source);
          const body = engine.createFreeBody(mesh);
          const expected = selfPairs(mesh, mesh.positions);
          expect(findSelfCollisions(body, { method }).sortedPairs()).toEqual(expected);
          expect(findAnySelfCollision(body, { method }) !== undefined).toBe(expected.length > 0);
          body.dispose();
        }),
        { numRuns: RUNS },
      );
    });

    test('… and in a posed grid, folds included when asked for', async () => {
      const engine = await createEngine({ kernels });
      fc.assert(
        fc.property(gridWithPose(), ({ source, pose }) => {
          const mesh = createTriangleMesh(source);
          const body = engine.createFreeBody(mesh);
          body.setPose(pose);
          const expected = selfPairs(mesh, pose);
          expect(findSelfCollisions(body, { method }).sortedPairs()).toEqual(expected);
          const all = [...expected, ...foldedPairs(mesh, pose)].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
          expect(findSelfCollisions(body, { method, adjacent: true }).sortedPairs()).toEqual(all);
          body.dispose();
        }),
        { numRuns: RUNS },
      );
    });

    test('… and over a motion, with the same times', async () => {
      const engine = await createEngine({ kernels });
      fc.assert(
        fc.property(gridWithPose(4), fc.boolean(), ({ source, pose }, fromRest) => {
          const mesh = createTriangleMesh(source);
          const body = engine.createFreeBody(mesh);
          const other = fromRest ? mesh.positions : pose.map((x) => 0.75 * x);
          body.setMotion(other, pose);
          const report = findSelfCollisions(body, { method, continuous: true });
          const found = report.sortedPairs().map(([i, j], k) => [i, j, report.times![k]]);
          expect(found).toEqual(movingSelfPairs(mesh, other, pose));
          body.dispose();
        }),
        { numRuns: Math.ceil(RUNS / 20) },
      );
    });
  });
});
