import fc from 'fast-check';
import { expect, test } from 'vitest';
import { squaredPointTriangleDistance } from '../../src/deform/point-triangle.ts';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { ClosestPoints } from '../../src/solid/closest-point.ts';
import { createDistanceField, SignedDistances } from '../../src/solid/distance-field.ts';
import { triangleSoup } from '../arbitraries.ts';
import { ball, box, meshOf } from './meshes.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 200;
const point = fc.array(fc.double({ min: -2, max: 5, noNaN: true }), { minLength: 3, maxLength: 3 });

test('the closest point is the nearest of all triangles', () => {
  fc.assert(
    fc.property(triangleSoup(), point, (source, p) => {
      const mesh = createTriangleMesh(source);
      const search = new ClosestPoints(mesh);
      const q = Float64Array.from(p);
      const all = Array.from({ length: mesh.triangleCount }, (_, t) => {
        const [a, b, c] = mesh.triangles.subarray(3 * t, 3 * t + 3);
        return Math.sqrt(squaredPointTriangleDistance(q, 0, mesh.positions, 3 * a, 3 * b, 3 * c));
      });
      expect(search.find(q[0], q[1], q[2])).toBe(true);
      expect(Math.abs(search.distance - Math.min(...all))).toBeLessThan(1e-12);
      expect(all[search.triangle]).toBe(search.distance);
      const way = Math.hypot(...search.point.map((x, k) => x - q[k]));
      expect(Math.abs(way - search.distance)).toBeLessThan(1e-6); // thin triangles lose digits
      const { distance } = search;
      expect(search.find(q[0], q[1], q[2], distance * 0.99 - 1e-9)).toBe(false);
      expect(search.find(q[0], q[1], q[2], distance * 1.01 + 1e-9)).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

test('signed distances of a box', () => {
  const exact = new SignedDistances(meshOf(box([0, 0, 0], [2, 2, 2])));
  expect(exact.at(1, 1, 0.25)).toBeCloseTo(-0.25, 12);
  expect(exact.at(3, 3, 1)).toBeCloseTo(Math.SQRT2, 12);
  expect(Array.from(exact.closest.point)).toEqual([2, 2, 1]);
});

test('the middle of a ball is inside, however little it is missed', () => {
  const mesh = meshOf(ball(6, 1));
  const exact = new SignedDistances(mesh);
  const nearly = fc.constantFrom(0, -0, 5e-324, -5e-324, 1e-310, -1e-200, 1e-100, 1e-17);
  fc.assert(fc.property(nearly, nearly, nearly, (x, y, z) => exact.at(x, y, z) < 0));
  // … and of a tiny one, where such numbers are not small.
  const tiny = new SignedDistances({ ...mesh, positions: mesh.positions.map((x) => 1e-60 * x) });
  expect(tiny.isInside(5e-61, 0, 0)).toBe(true);
  expect(tiny.isInside(2e-60, 0, 0)).toBe(false);
});

test('the field follows the distances to a cell, its gradient points outwards', () => {
  const mesh = meshOf(ball(6, 1, [5, 6, 7]));
  const field = createDistanceField(mesh, { resolution: 24 });
  const exact = new SignedDistances(mesh);
  const gradient = new Float64Array(3);
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1.1, max: 1.1, noNaN: true }), { minLength: 3, maxLength: 3 }),
      ([x, y, z]) => {
        const p = [5 + x, 6 + y, 7 + z] as [number, number, number];
        const r = Math.hypot(x, y, z);
        expect(Math.abs(field.at(...p, gradient) - exact.at(...p))).toBeLessThan(field.cell / 2);
        if (r > 0.4) expect((gradient[0] * x + gradient[1] * y + gradient[2] * z) / r).toBeGreaterThan(0.9);
      },
    ),
    { numRuns: RUNS },
  );
});

test('samples are exact, also of an open surface', () => {
  const soup = ball(3, 1);
  const open = meshOf({ ...soup, triangles: soup.triangles.slice(60) });
  for (const mesh of [open, meshOf(soup)]) {
    const field = createDistanceField(mesh, { resolution: 8, margin: 2 });
    const exact = new SignedDistances(mesh);
    const [nx, ny, nz] = field.counts;
    for (let k = 0, o = 0; k < nz; k++) {
      for (let j = 0; j < ny; j++) {
        for (let i = 0; i < nx; i++, o++) {
          const p = [i, j, k].map((n, axis) => field.low[axis] + n * field.cell) as [number, number, number];
          expect(field.values[o]).toBe(exact.at(...p));
        }
      }
    }
  }
});

test('bad options are refused', () => {
  const mesh = meshOf(ball(1, 1));
  expect(() => createDistanceField(mesh, { resolution: 0 })).toThrow('resolution must be');
  expect(() => createDistanceField(mesh, { margin: -1 })).toThrow('margin must be');
  expect(() => createDistanceField(mesh, { resolution: 1000 })).toThrow('the limit is');
});
