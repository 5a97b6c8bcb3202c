import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createRandom } from '../../src/shapes/random.ts';
import { createTentacleBall } from '../../src/shapes/tentacle-ball.ts';
import { createTorusKnot } from '../../src/shapes/torus-knot.ts';
import { ClosestPoints } from '../../src/solid/closest-point.ts';
import { RayWinding } from '../../src/solid/ray-winding.ts';
import { SurfaceWinding } from '../../src/solid/surface-winding.ts';
import { boxOf } from '../../src/solid/unit-box.ts';
import { WindingNumbers } from '../../src/solid/winding-number.ts';
import { triangleSoup } from '../arbitraries.ts';
import { ball, box, insideOut, meshOf, torus } from './meshes.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 30;

/** Balls with hills and valleys of any height, some of them nested or apart: closed, never touching themselves. */
const closedMesh = fc
  .record({ seed: fc.nat(1e6), frequency: fc.integer({ min: 1, max: 6 }), hollow: fc.boolean() })
  .map(({ seed, frequency, hollow }) => {
    const random = createRandom(seed);
    const outer = ball(frequency, 1);
    for (let v = 0; v < outer.positions.length; v += 3) {
      const size = 0.9 + 2 * random();
      for (let k = 0; k < 3; k++) outer.positions[v + k] *= size;
    }
    return hollow ? meshOf(outer, insideOut(ball(2, 0.3))) : meshOf(outer);
  });
const point = fc.array(
  fc.integer({ min: -3e6, max: 3e6 }).map((i) => i / 1e6),
  { minLength: 3, maxLength: 3 },
);

/** How many triangles a ray in a crooked direction passes, one by one (Möller and Trumbore). */
function parity({ positions: p, triangles, triangleCount }: TriangleMesh, from: readonly number[]): number {
  const d = [0.267_261, 0.534_522_1, 0.801_783_7];
  let count = 0;
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      Array.from(p.subarray(3 * triangles[3 * t + k], 3 * triangles[3 * t + k] + 3)),
    );
    const e = sub(b, a),
      f = sub(c, a),
      s = sub(from, a);
    const h = cross(d, f),
      q = cross(s, e);
    const det = dot(e, h);
    const u = dot(s, h) / det,
      v = dot(d, q) / det;
    if (u >= 0 && v >= 0 && u + v <= 1 && dot(f, q) / det > 0) count++;
  }
  return count % 2;
}

const sub = (a: readonly number[], b: readonly number[]) => a.map((x, k) => x - b[k]);
const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: readonly number[], b: readonly number[]) =>
  [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);

test('closed surfaces: 1 inside, 0 outside, as a ray says', () => {
  fc.assert(
    fc.property(closedMesh, fc.array(point, { minLength: 8, maxLength: 8 }), (mesh, points) => {
      const winding = new WindingNumbers(mesh),
        rays = new RayWinding(mesh);
      for (const [x, y, z] of points) {
        const expected = parity(mesh, [x, y, z]);
        expect(Math.abs(winding.at(x, y, z) - expected)).toBeLessThan(0.0101);
        expect(rays.at(x, y, z)).toBe(expected);
      }
    }),
    { numRuns: RUNS },
  );
});

describe.each([
  ['torus knot', createTorusKnot({ triangles: 6000 }).source],
  ['tentacles', createTentacleBall({ triangles: 8000 }).source],
])('%s', (_, source) => {
  const whole = createTriangleMesh(source);
  const open = createTriangleMesh({
    ...source,
    triangles: source.triangles.subarray(0, source.triangles.length / 2),
  });

  test.each([0.1, 0.01, 0.001])('the expansion keeps its tolerance of %d', (tolerance) => {
    const random = createRandom(7);
    for (const mesh of [whole, open]) {
      const fast = new WindingNumbers(mesh, { tolerance }),
        exact = new WindingNumbers(mesh, { tolerance: 0 });
      for (let i = 0; i < 40; i++) {
        const p = [0, 1, 2].map(() => 3 * random() - 1.5) as [number, number, number];
        expect(Math.abs(fast.at(...p) - exact.at(...p))).toBeLessThan(tolerance + 1e-10);
      }
    }
  });

  test('lines and solid angles agree', () => {
    const random = createRandom(8);
    const rays = new RayWinding(whole),
      exact = new WindingNumbers(whole, { tolerance: 0 });
    for (let i = 0; i < 60; i++) {
      const p = [0, 1, 2].map(() => 3 * random() - 1.5) as [number, number, number];
      expect(rays.at(...p)! - Math.round(exact.at(...p))).toBe(0);
    }
  });
});

test('open surfaces, closed by a cone for a while, wind as much by lines as by solid angles', () => {
  fc.assert(
    fc.property(triangleSoup(), point, (source, [x, y, z]) => {
      const mesh = createTriangleMesh(source);
      if (Math.max(...boxOf(mesh).extent) === 0 || Math.max(...boxOf(mesh).extent) < 1e-6) return;
      const closest = new ClosestPoints(mesh);
      closest.find(x, y, z);
      if (closest.distance < 1e-9) return;
      const exact = new WindingNumbers(mesh, { tolerance: 0 }).at(x, y, z);
      expect(Math.abs(new SurfaceWinding(mesh).at(x, y, z) - exact)).toBeLessThan(0.1001);
    }),
    { numRuns: 10 * RUNS },
  );
});

test('lines through edges and vertices count once', () => {
  const rays = new RayWinding(meshOf(box([0, 0, 0], [1, 1, 1])));
  for (const x of [-0.5, 0.25, 0.5, 0.75, 1.5]) {
    for (const y of [-0.5, 0.25, 0.5, 0.75, 1.5]) {
      const isInside = x > 0 && x < 1 && y > 0 && y < 1;
      expect(rays.at(x, y, 0.5)).toBe(isInside ? 1 : 0);
      expect(rays.at(x, y, 1.5)).toBe(0);
    }
  }
});

test('shells that overlap count twice, inside out counts below 0, open surfaces between', () => {
  const two = new WindingNumbers(meshOf(ball(4, 1), ball(4, 1, [1, 0, 0])));
  expect(two.at(0.5, 0.01, 0.02)).toBeCloseTo(2, 1);
  expect(two.at(-0.5, 0.01, 0.02)).toBeCloseTo(1, 1);
  expect(new WindingNumbers(meshOf(insideOut(ball(4, 1)))).at(0, 0.1, 0)).toBeCloseTo(-1, 1);
  const half = torus(1, 0.3, 24, 12);
  half.triangles.length /= 2;
  const w = new WindingNumbers(meshOf(half)).at(1, 0, 0); // where the cut is
  expect(w).toBeGreaterThan(0.4);
  expect(w).toBeLessThan(0.6);
});

test('coordinates may be very large or small', () => {
  for (const scale of [2 ** -200, 2 ** 200]) {
    const w = new WindingNumbers(meshOf(ball(3, scale)));
    expect(w.at(0.1 * scale, 0, 0)).toBeCloseTo(1, 1);
    expect(w.at(2 * scale, 0, 0)).toBeCloseTo(0, 1);
  }
});

test('a tolerance must be a number from 0 on', () => {
  const mesh = meshOf(ball(1, 1));
  for (const tolerance of [-1, Number.NaN, '1' as unknown as number]) {
    expect(() => new WindingNumbers(mesh, { tolerance })).toThrow('tolerance must be 0 or more');
  }
});
