import fc from 'fast-check';
import { expect, test } from 'vitest';
import { squaredPointTriangleDistance } from '../../src/deform/point-triangle.ts';
import {
  createEngine,
  createTetrahedralMesh,
  createTriangleMesh,
  embedInTetrahedra,
  InputError,
  type TetrahedralMesh,
} from '../../src/index.ts';
import { createBumpyBall } from '../../src/shapes/index.ts';

/** Cubes of six tetrahedra each. */
function tetrahedralBox(n: number, low: number, high: number): TetrahedralMesh {
  const at = (i: number, j: number, k: number) => i + (n + 1) * (j + (n + 1) * k);
  const positions: number[] = [],
    tetrahedra: number[] = [];
  const x = (i: number) => low + ((high - low) * i) / n;
  for (let k = 0; k <= n; k++)
    for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) positions.push(x(i), x(j), x(k));
  for (let k = 0; k < n; k++)
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) {
        for (const [a, b] of [
          [0, 1],
          [1, 0],
          [1, 2],
          [2, 1],
          [2, 0],
          [0, 2],
        ]) {
          const corner = [i, j, k];
          const list = [at(i, j, k)];
          for (const axis of [a, b, 3 - a - b]) {
            corner[axis]++;
            list.push(at(corner[0], corner[1], corner[2]));
          }
          tetrahedra.push(...list);
        }
      }
  return createTetrahedralMesh({ positions, tetrahedra });
}

const mesh = createTriangleMesh(createBumpyBall({ triangles: 500 }).source);

test('every vertex inside gets weights ≥ 0 that give its place, and moves with its tetrahedron', async () => {
  const box = tetrahedralBox(5, -1.5, 1.5);
  const embedding = embedInTetrahedra(mesh, box);
  expect(embedding.outside).toBe(0);
  for (const w of embedding.weights as Float64Array) expect(w).toBeGreaterThanOrEqual(-1e-12);
  const engine = await createEngine();
  const body = engine.createEmbeddedBody(mesh, embedding);
  body.getLocalPositions().forEach((x, k) => void expect(x).toBeCloseTo(mesh.positions[k], 12));
  // An affine map of the tetrahedra is one of the surface.
  const [a, b, c] = [0.5, -1.25, 3];
  body.setPose(
    box.positions.map((x, k) => (k % 3 === 0 ? 2 * x + a * box.positions[k + 1] : x) + [b, c, a][k % 3]),
  );
  body.getLocalPositions().forEach((x, k) => {
    const p = mesh.positions;
    expect(x).toBeCloseTo((k % 3 === 0 ? 2 * p[k] + a * p[k + 1] : p[k]) + [b, c, a][k % 3], 11);
  });
});

test('a vertex outside is bound to the nearest tetrahedron, as trying all of them says', () => {
  const box = tetrahedralBox(3, -0.8, 0.4);
  const embedding = embedInTetrahedra(mesh, box);
  expect(embedding.outside).toBeGreaterThan(100);
  let negative = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    const weights = embedding.weights.slice(4 * v, 4 * v + 4) as Float64Array;
    const controls = embedding.controls.slice(4 * v, 4 * v + 4) as Uint32Array;
    expect(weights.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12);
    for (let k = 0; k < 3; k++) {
      const x = weights.reduce((sum, w, c) => sum + w * box.positions[3 * controls[c] + k], 0);
      expect(x).toBeCloseTo(mesh.positions[3 * v + k], 10);
    }
    if (Math.min(...weights) >= -1e-12) continue;
    negative++;
    const distances = Array.from({ length: box.tetrahedronCount }, (_, t) => distanceTo(box, t, v));
    const nearest = Math.min(...distances);
    expect(distances[embedding.tetrahedron[v]]).toBeCloseTo(nearest, 13);
  }
  expect(negative).toBe(embedding.outside);
});

test('the distance to a triangle is that of its nearest point', () => {
  const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
  const numbers = (length: number) => fc.array(coordinate, { minLength: length, maxLength: length });
  fc.assert(
    fc.property(
      numbers(9),
      numbers(3),
      fc.double({ min: 0, max: 1, noNaN: true }),
      coordinate,
      (t, p, r, s) => {
        const squared = squaredPointTriangleDistance(Float64Array.from(p), 0, Float64Array.from(t), 0, 3, 6);
        const u = r,
          v = (1 - r) * Math.abs(s);
        const q = [0, 1, 2].map((k) => t[k] + u * (t[3 + k] - t[k]) + v * (t[6 + k] - t[k]));
        const other = q.reduce((sum, x, k) => sum + (x - p[k]) ** 2, 0);
        expect(Math.sqrt(squared)).toBeLessThanOrEqual(Math.sqrt(other) + 1e-12);
        const corners = [0, 3, 6].map((o) => Math.hypot(t[o] - p[0], t[o + 1] - p[1], t[o + 2] - p[2]));
        expect(Math.sqrt(squared)).toBeLessThanOrEqual(Math.min(...corners) + 1e-12);
      },
    ),
    { numRuns: 500 },
  );
});

test('a sliver whose plane is lost in rounding is as far as its edges', () => {
  const corners = [-0.9999999998585344, 0.000003311372711356606, -0.00004762080235311527];
  const sliver = Float64Array.of(...corners, 0, 0, 0, 1.665334536937735e-16, 0, 0);
  expect(squaredPointTriangleDistance(new Float64Array(3), 0, sliver, 0, 3, 6)).toBe(0);
});

test('flat tetrahedra take no part, and nothing but flat ones is refused', () => {
  const positions = [-2, -2, -2, 4, -2, -2, -2, 4, -2, -2, -2, 4, 0, 0, 0];
  const both = createTetrahedralMesh({ positions, tetrahedra: [0, 1, 4, 4, 0, 1, 2, 3].with(3, 0) });
  const embedding = embedInTetrahedra(mesh, both);
  expect(new Set(embedding.tetrahedron)).toEqual(new Set([1]));
  const flat = createTetrahedralMesh({ positions, tetrahedra: [0, 1, 2, 2] });
  expect(() => embedInTetrahedra(mesh, flat)).toThrow(InputError);
  expect(() => embedInTetrahedra(mesh, flat)).toThrow(/all tetrahedra are flat/);
});

function distanceTo(box: TetrahedralMesh, t: number, v: number): number {
  const [a, b, c, d] = box.tetrahedra.slice(4 * t, 4 * t + 4).map((corner) => 3 * corner);
  const faces = [
    [a, b, c],
    [a, b, d],
    [a, c, d],
    [b, c, d],
  ];
  return Math.min(
    ...faces.map(([i, j, k]) => squaredPointTriangleDistance(mesh.positions, 3 * v, box.positions, i, j, k)),
  );
}
