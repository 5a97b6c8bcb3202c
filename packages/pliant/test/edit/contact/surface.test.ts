import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SurfaceGeometry } from '../../../src/edit/contact/surface-geometry.ts';
import { SurfaceWalk } from '../../../src/edit/contact/surface-walk.ts';
import { ClosestPoints } from '../../../src/solid/closest-point.ts';
import { SignedDistances } from '../../../src/solid/distance-field.ts';
import { ball, insideOut, meshOf, torus } from '../../solid/meshes.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 300;
const coordinate = fc.double({ min: -2, max: 2, noNaN: true }).map((x) => Math.round(x * 2 ** 20) / 2 ** 20);
const point = fc.tuple(coordinate, coordinate, coordinate).filter((p) => Math.hypot(...p) > 0.2);

describe('a walk on the surface', () => {
  test('ends at the closest point of a convex surface, wherever it began', () => {
    const mesh = meshOf(ball(6, 1));
    const walk = new SurfaceWalk(mesh);
    const closest = new ClosestPoints(mesh);
    fc.assert(
      fc.property(
        point.filter((p) => Math.hypot(...p) > 1),
        fc.nat(mesh.triangleCount - 1),
        ([x, y, z], from) => {
          expect(walk.find(mesh.positions, from, x, y, z)).toBe(true);
          closest.find(x, y, z);
          expect(Math.sqrt(walk.squared)).toBeCloseTo(closest.distance, 12);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('leaves out the triangles of a vertex', () => {
    const mesh = meshOf(ball(4, 1));
    const walk = new SurfaceWalk(mesh);
    const own = 17;
    const [x, y, z] = mesh.positions.subarray(3 * own, 3 * own + 3);
    expect(walk.find(mesh.positions, mesh.adjacency.list[mesh.adjacency.start[own]], x, y, z, own)).toBe(
      true,
    );
    expect(walk.squared).toBeGreaterThan(0);
    expect([...mesh.triangles.subarray(3 * walk.triangle, 3 * walk.triangle + 3)]).not.toContain(own);
  });
});

describe('normals', () => {
  const ring = torus(1, 0.4, 24, 12);
  test.each([
    ['a ball', ball(5, 1), ball(5, 1)],
    ['a ring', ring, ring],
    ['a ring inside out', insideOut(ring), ring],
  ])('pseudo-normals tell inside from outside: %s', (_, soup, upright) => {
    const mesh = meshOf(soup);
    const geometry = new SurfaceGeometry(mesh);
    const walk = new SurfaceWalk(mesh);
    const exact = new SignedDistances(meshOf(upright));
    const n = new Float64Array(3);
    fc.assert(
      fc.property(point, ([x, y, z]) => {
        const distance = exact.at(x, y, z);
        if (Math.abs(distance) < 1e-9) return;
        walk.find(mesh.positions, exact.closest.triangle, x, y, z);
        geometry.writePseudoNormal(mesh.positions, walk.triangle, walk.feature, n);
        const side = n[0] * (x - walk.point[0]) + n[1] * (y - walk.point[1]) + n[2] * (z - walk.point[2]);
        expect(side > 0).toBe(distance > 0);
      }),
      { numRuns: RUNS },
    );
  });

  test('are smooth, of length 1 and outwards', () => {
    const mesh = meshOf(ball(6, 1));
    const geometry = new SurfaceGeometry(mesh);
    const n = new Float64Array(3),
      weights = Float64Array.from([0.2, 0.3, 0.5]);
    for (let t = 0; t < mesh.triangleCount; t++) {
      expect(geometry.writeNormal(mesh.positions, t, weights, n)).toBe(true);
      expect(Math.hypot(...n)).toBeCloseTo(1, 12);
      let along = 0;
      for (let k = 0; k < 3; k++) {
        const v = 3 * mesh.triangles[3 * t + k];
        along +=
          weights[k] *
          (n[0] * mesh.positions[v] + n[1] * mesh.positions[v + 1] + n[2] * mesh.positions[v + 2]);
      }
      expect(along).toBeGreaterThan(0.95);
    }
  });
});
