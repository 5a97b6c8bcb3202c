import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Certificate,
  createEngine,
  createTriangleMesh,
  findCollisions,
  findSelfCollisions,
} from '../../src/index.ts';
import { selfPairs } from '../oracles/brute-force.ts';
import { splitRule } from '../tree/split-rules.ts';
import { honest } from './honest-certificate.ts';
import { bodyPlan, createBody, KERNELS } from './scenes.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 100;

describe('the change from on-demand to batch inside a query', () => {
  test.each(KERNELS)('%s kernels: the answer stays the same, and the report says so', async (kernels) => {
    const engine = await createEngine({ kernels });
    let changes = 0;
    fc.assert(
      fc.property(
        bodyPlan({ kind: 'rigid', triangles: 200 }),
        bodyPlan({ kind: 'rigid', triangles: 200 }),
        (first, second) => {
          const [a, b] = [createBody(engine, first), createBody(engine, second)];
          try {
            const report = findCollisions(a, b);
            expect(report.sortedPairs()).toEqual(
              findCollisions(a, b, { method: 'brute-force' }).sortedPairs(),
            );
            if (report.reason === 'this query looked at many nodes') {
              changes++;
              expect(report.method).toBe('batch');
            }
          } finally {
            a.dispose();
            b.dispose();
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(changes).toBeGreaterThan(5);
  });

  test.each(KERNELS)(
    '%s kernels: in a self-query with a certificate that soon falls silent',
    async (kernels) => {
      const engine = await createEngine({ kernels });
      let changes = 0;
      const sheets = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 60, maxLength: 60 });
      fc.assert(
        fc.property(
          sheets,
          fc.integer({ min: 0, max: 4 }),
          fc.boolean(),
          splitRule,
          (noise, answers, listing, split) => {
            const mesh = crumpledGrid(14, noise);
            const body = engine.createRigidBody(mesh, { split });
            try {
              const contacts = selfPairs(mesh, mesh.positions);
              const certificate = honest(body.tree, contacts, {
                exceptions: listing ? 2 : 0,
                filters: listing,
                silence: 0,
              });
              let left = answers;
              const tiring: Certificate = {
                ...certificate,
                clears: (n, m) => certificate.clears(n, m) && left-- > 0,
                filter: undefined,
              };
              const report = findSelfCollisions(body, { certificates: [tiring] });
              expect(report.sortedPairs()).toEqual(contacts);
              if (report.reason === 'this query looked at many nodes') changes++;
            } finally {
              body.dispose();
            }
          },
        ),
        { numRuns: Math.ceil(RUNS / 4) },
      );
      expect(changes).toBeGreaterThan(5);
    },
  );
});

/** A sheet whose vertices are pushed about by less than a cell or so. */
function crumpledGrid(side: number, noise: readonly number[]) {
  const positions: number[] = [],
    triangles: number[] = [];
  for (let y = 0; y <= side; y++) {
    for (let x = 0; x <= side; x++) {
      const k = positions.length;
      positions.push(x + 2 * noise[k % 60], y + 2 * noise[(k + 1) % 60], noise[(k + 2) % 60]);
    }
  }
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const a = (side + 1) * y + x;
      triangles.push(a, a + 1, a + side + 1, a + 1, a + side + 2, a + side + 1);
    }
  }
  return createTriangleMesh({ positions, triangles });
}
