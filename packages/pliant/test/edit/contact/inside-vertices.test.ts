import fc from 'fast-check';

import { beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../../src/body/engine.ts';
import { InsideVertices } from '../../../src/edit/contact/inside-vertices.ts';
import { MaterialSearch } from '../../../src/edit/contact/material-search.ts';
import { PointHash } from '../../../src/edit/contact/point-hash.ts';
import { SurfaceGeometry } from '../../../src/edit/contact/surface-geometry.ts';
import type { Cage } from '../../../src/edit/types.ts';
import { SignedDistances } from '../../../src/solid/distance-field.ts';
import { createEngine } from '../../../src/worker/create-engine.ts';
import { type CagePose, forkCage, pushedBalls, squeezed, twoBalls } from './scenes.ts';

const RUNS = process.env.PLIANT_FULL ? 60 : 8;

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});

function createInside(cage: Cage) {
  const body = engine.createFreeBody(cage.surface, { split: 'connected' });
  const inside = new InsideVertices(cage, body, new MaterialSearch(cage, new SurfaceGeometry(cage.surface)));
  const hash = new PointHash(cage);
  const list = () => Array.from(inside.vertex.subarray(0, inside.count)).sort((a, b) => a - b);
  return {
    fromCrossings: ({ positions, controls }: CagePose) => {
      body.setPose(positions);
      inside.findFromCrossings(positions, controls);
      return list();
    },
    fromHash: ({ positions, controls }: CagePose) => {
      inside.findFromHash(positions, controls, hash);
      return list();
    },
  };
}

/** All vertices against all tetrahedra, exact distances at rest: those that are clearly inside, and those that may be. */
function bruteForce(cage: Cage, { positions, controls }: CagePose): { surely: number[]; perhaps: number[] } {
  const exact = new SignedDistances(cage.surface);
  const { tetrahedra, positions: rest, tetrahedronCount } = cage.tetrahedra;
  const corners = Array.from({ length: tetrahedronCount }, (_, t) => [
    ...tetrahedra.subarray(4 * t, 4 * t + 4),
  ]);
  const boxes = corners.map((c) =>
    [0, 1, 2].map((k) => c.map((v) => controls[3 * v + k]).sort((a, b) => a - b)),
  );
  const surely: number[] = [],
    perhaps: number[] = [];
  for (let v = 0; v < cage.surface.vertexCount; v++) {
    const own = corners[cage.embedding.tetrahedron[v]];
    const x = positions.subarray(3 * v, 3 * v + 3);
    let most = 0;
    for (let t = 0; t < tetrahedronCount && most < 2; t++) {
      const [i, j, k] = boxes[t];
      if (x[0] < i[0] - SLACK || x[0] > i[3] + SLACK || x[1] < j[0] - SLACK || x[1] > j[3] + SLACK) continue;
      if (x[2] < k[0] - SLACK || x[2] > k[3] + SLACK || corners[t].some((c) => own.includes(c))) continue;
      const b = barycentric(controls, corners[t], x);
      if (b === undefined || Math.min(...b) < -SLACK) continue;
      const at = [0, 1, 2].map((a) => b.reduce((sum, w, c) => sum + w * rest[3 * corners[t][c] + a], 0));
      const depth = -exact.at(at[0], at[1], at[2]);
      if (depth > 1e-5 * cage.spacing) most = Math.max(most, 1);
      if (depth > 2e-4 * cage.spacing && Math.min(...b) > SLACK) most = 2;
    }
    if (most > 0) perhaps.push(v);
    if (most > 1) surely.push(v);
  }
  return { surely, perhaps };
}

const SLACK = 1e-5;

function barycentric(p: Float64Array, c: number[], x: Float64Array): number[] | undefined {
  const edge = (k: number) => [0, 1, 2].map((j) => p[3 * c[k] + j] - p[3 * c[0] + j]);
  const [u, v, w] = [edge(1), edge(2), edge(3)];
  const q = [0, 1, 2].map((j) => x[j] - p[3 * c[0] + j]);
  const volume = determinant(u, v, w);
  if (!(volume > 1e-12)) return undefined;
  const b = [determinant(q, v, w) / volume, determinant(u, q, w) / volume, determinant(u, v, q) / volume];
  return [1 - b[0] - b[1] - b[2], ...b];
}

function expectBetween(found: number[], { surely, perhaps }: ReturnType<typeof bruteForce>): void {
  expect(found).toEqual(expect.arrayContaining(surely));
  expect(perhaps).toEqual(expect.arrayContaining(found));
}

function determinant(u: number[], v: number[], w: number[]): number {
  return (
    u[0] * (v[1] * w[2] - v[2] * w[1]) -
    u[1] * (v[0] * w[2] - v[2] * w[0]) +
    u[2] * (v[0] * w[1] - v[1] * w[0])
  );
}

describe('vertices in the own material', () => {
  test('nothing at rest, and nothing in a pose without contact', () => {
    const cage = forkCage();
    const { fromCrossings, fromHash } = createInside(cage);
    expect(fromCrossings(squeezed(cage, 0))).toEqual([]);
    expect(fromHash(squeezed(cage, 0))).toEqual([]);
    expect(fromCrossings(squeezed(cage, 0.3))).toEqual([]);
  });

  test('are those that brute force finds, for a fork that is pressed together', () => {
    const cage = forkCage();
    const { fromCrossings, fromHash } = createInside(cage);
    for (const amount of [0.6, 0.8, 1, 1.3]) {
      const pose = squeezed(cage, amount);
      const found = fromCrossings(pose);
      expect(fromHash(pose)).toEqual(found);
      expectBetween(found, bruteForce(cage, pose));
      expect(found.length).toBeGreaterThan(0);
    }
  });

  test('are those that brute force finds, for two balls one in the other', () => {
    const cage = twoBalls();
    const { fromCrossings, fromHash } = createInside(cage);
    const sizes: number[] = [];
    fc.assert(
      fc.property(
        fc.tuple(
          fc.double({ min: 0.1, max: 0.6, noNaN: true }),
          fc.double({ min: -0.2, max: 0.2, noNaN: true }),
        ),
        ([dx, dy]) => {
          const moved = pushedBalls(cage, dx, dy);
          const found = fromCrossings(moved);
          sizes.push(found.length);
          expect(fromHash(moved)).toEqual(found);
          expectBetween(found, bruteForce(cage, moved));
        },
      ),
      { numRuns: RUNS },
    );
    expect(Math.max(...sizes)).toBeGreaterThan(20);
  });

  test('material of a neighbour in the same cells is not touched', () => {
    // The gap is narrower than a cell: tetrahedra of both prongs lie in the same places.
    const cage = forkCage(0.04, 0.15);
    const { fromCrossings, fromHash } = createInside(cage);
    expect(fromCrossings(squeezed(cage, 0, 0.04))).toEqual([]);
    expect(fromHash(squeezed(cage, 0, 0.04))).toEqual([]);
  });
});
