import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/mesh/input-error.ts';
import { createTriangleMesh, type TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { closestOnTriangle } from '../../../src/narrow/closest-on-triangle.ts';
import { createBumpyBall } from '../../../src/shapes/bumpy-ball.ts';
import { RestDistance } from '../../../src/simulate/reduced/rest-distance.ts';
import { createBoxMesh } from './beam.ts';

const number = (size: number) => fc.double({ min: -size, max: size, noNaN: true });
const point = (size: number) => fc.tuple(number(size), number(size), number(size));

/** The distance by many trials: a fine net of barycentric coordinates, refined around the best. */
function searchedDistance(p: Float64Array, x: readonly number[]): number {
  const at = (u: number, v: number) => {
    const w = 1 - u - v;
    return Math.hypot(...[0, 1, 2].map((k) => w * p[k] + u * p[3 + k] + v * p[6 + k] - x[k]));
  };
  let [bestU, bestV, best, reach] = [1 / 3, 1 / 3, Infinity, 1];
  for (let round = 0; round < 40; round++, reach *= 0.6) {
    const [centreU, centreV] = [bestU, bestV];
    for (let i = -6; i <= 6; i++) {
      for (let j = -6; j <= 6; j++) {
        const u = Math.min(1, Math.max(0, centreU + (reach * i) / 6));
        const v = Math.min(1 - u, Math.max(0, centreV + (reach * j) / 6));
        if (at(u, v) < best) [bestU, bestV, best] = [u, v, at(u, v)];
      }
    }
  }
  return best;
}

test('the closest point of a triangle is no farther than any other', () => {
  const weights = new Float64Array(3);
  fc.assert(
    fc.property(point(1), point(1), point(1), point(2), (a, b, c, x) => {
      const p = Float64Array.from([...a, ...b, ...c]);
      closestOnTriangle(p, 0, 3, 6, x[0], x[1], x[2], weights);
      const area = Math.hypot(
        (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]),
        (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]),
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
      );
      fc.pre(area > 1e-6);
      const [u, v, w] = weights;
      expect(Math.abs(u + v + w - 1)).toBeLessThan(1e-9);
      expect(Math.min(u, v, w)).toBeGreaterThanOrEqual(0);
      const found = Math.hypot(...[0, 1, 2].map((k) => u * a[k] + v * b[k] + w * c[k] - x[k]));
      expect(found).toBeLessThanOrEqual(searchedDistance(p, x) + 1e-6);
    }),
    { numRuns: 200 },
  );
});

/** Over all triangles; inside by the solid angle. */
function bruteForceDepth({ positions, triangles }: TriangleMesh, x: readonly number[]): number {
  const weights = new Float64Array(3);
  let squared = Infinity,
    angle = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[t + k]);
    closestOnTriangle(positions, a, b, c, x[0], x[1], x[2], weights);
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const y = weights[0] * positions[a + k] + weights[1] * positions[b + k] + weights[2] * positions[c + k];
      sum += (y - x[k]) ** 2;
    }
    squared = Math.min(squared, sum);
    const [u, v, w] = [a, b, c].map((o) => [0, 1, 2].map((k) => positions[o + k] - x[k]));
    const [lu, lv, lw] = [u, v, w].map((d) => Math.hypot(...d));
    const dot = (d: number[], e: number[]) => d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
    const triple =
      u[0] * (v[1] * w[2] - v[2] * w[1]) +
      u[1] * (v[2] * w[0] - v[0] * w[2]) +
      u[2] * (v[0] * w[1] - v[1] * w[0]);
    angle += 2 * Math.atan2(triple, lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv);
  }
  return angle > 2 * Math.PI ? Math.sqrt(squared) : -Math.sqrt(squared);
}

const box = createBoxMesh([4, 3, 5], [2, 1, 1.5]);
const notched = createBoxMesh([4, 3, 3], [2, 1.5, 1.5], (i, j) => !(i === 1 && j > 0));
const ball = createBumpyBall({ triangles: 1500 });
const SURFACES: [string, TriangleMesh][] = [
  ['box', createTriangleMesh({ positions: box.positions, triangles: box.boundaryTriangles })],
  ['notched box', createTriangleMesh({ positions: notched.positions, triangles: notched.boundaryTriangles })],
  ['bumpy ball', createTriangleMesh(ball.source)],
];

describe.each(SURFACES)('distance to a %s', (_, mesh) => {
  const distance = new RestDistance(mesh);

  test('has the right sign, and deep inside is wrong by less than a cell', () => {
    fc.assert(
      fc.property(point(1.2), (x) => {
        const expected = bruteForceDepth(mesh, x);
        distance.find(...x);
        fc.pre(Math.abs(expected) > 1e-9);
        expect(Math.sign(distance.depth)).toBe(Math.sign(expected));
        expect(Math.abs(distance.depth)).toBeGreaterThanOrEqual(Math.abs(expected) - 1e-12);
        expect(Math.abs(distance.depth)).toBeLessThanOrEqual(Math.abs(expected) + 0.1);
      }),
      { numRuns: 300 },
    );
  });

  test('near the surface it is that of the closest of all triangles', () => {
    const corner = fc.nat(mesh.triangles.length - 1);
    fc.assert(
      fc.property(corner, point(0.05), fc.double({ min: 0, max: 1, noNaN: true }), (c, offset, share) => {
        const t = c - (c % 3);
        const [a, b] = [3 * mesh.triangles[c], 3 * mesh.triangles[t + ((c + 1) % 3)]];
        const x = offset.map(
          (d, k) => share * mesh.positions[a + k] + (1 - share) * mesh.positions[b + k] + d,
        );
        const expected = bruteForceDepth(mesh, x);
        distance.find(x[0], x[1], x[2]);
        expect(Math.abs(distance.depth - expected)).toBeLessThanOrEqual(1e-9);
      }),
      { numRuns: 300 },
    );
  });
});

test('an open surface has no inside', () => {
  const open = createTriangleMesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] });
  expect(() => new RestDistance(open)).toThrow(InputError);
});
