import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrayStore, KernelMemory } from '../../src/kernels/memory.ts';
import { createTsKernels } from '../../src/kernels/ts-kernels.ts';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { buildTree } from '../../src/tree/build-tree.ts';
import { ResidentMesh } from '../../src/tree/resident-mesh.ts';
import { buildStaticFront } from '../../src/tree/static-front.ts';
import { triangleSoup } from '../arbitraries.ts';
import { splitRule } from './split-rules.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 150;

describe('a mesh in kernel memory', () => {
  test('says the same as the mesh, in tree order, and leaves nothing behind', () => {
    fc.assert(
      fc.property(triangleSoup(), splitRule, (source, split) => {
        const kernels = createTsKernels(new KernelMemory(arrayStore()));
        const { memory } = kernels;
        const mesh = createTriangleMesh(source);
        const tree = buildTree(mesh, { split });
        const resident = new ResidentMesh(kernels, mesh, tree);
        const { front, rest, vertexOfPoint, pointCount, slotOfTriangle } = resident;

        const used = new Set(mesh.triangles);
        expect(pointCount).toBe(used.size);
        expect(new Set(vertexOfPoint)).toEqual(used);
        const corner = (slot: number, k: number) => memory.u32[(resident.corners >>> 2) + 3 * slot + k];
        let next = 0; // points are numbered as the slots meet them
        tree.order.forEach((t, slot) => {
          expect(slotOfTriangle[t]).toBe(slot);
          for (let k = 0; k < 3; k++) {
            const point = corner(slot, k);
            expect(vertexOfPoint[point]).toBe(mesh.triangles[3 * t + k]);
            expect(point).toBeLessThanOrEqual(next);
            next = Math.max(next, point + 1);
          }
        });
        expect(corner(mesh.triangleCount, 0)).toBe(0xffffffff);
        for (let p = 0; p < pointCount; p++) {
          const v = vertexOfPoint[p];
          expect(memory.u32[(resident.sourceOfPoint >>> 2) + p]).toBe(mesh.sourceVertex[v]);
          for (let k = 0; k < 3; k++) {
            expect(memory.f64[(rest >>> 3) + 3 * p + k]).toBe(mesh.positions[3 * v + k]);
          }
        }
        expect(memory.u32.slice(resident.link >>> 2, (resident.link >>> 2) + tree.nodeCount)).toEqual(
          tree.link,
        );

        const expected = buildStaticFront(tree, mesh);
        for (const part of ['inner', 'leaf'] as const) {
          const { address, list } = front[part];
          const { pairs, pairCount, start, end } = expected[part];
          expect(memory.u32.slice(address >>> 2, (address >>> 2) + 2 * pairCount)).toEqual(pairs);
          expect({ pairCount: list.pairCount, start: list.start, end: list.end }).toEqual({
            pairCount,
            start,
            end,
          });
        }
        resident.free();
        expect(memory.bytesInUse).toBe(0);
      }),
      { numRuns: RUNS },
    );
  });
});
