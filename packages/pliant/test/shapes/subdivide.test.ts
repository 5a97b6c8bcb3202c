import { expect, test } from 'vitest';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createBumpyBall } from '../../src/shapes/bumpy-ball.ts';
import { createCloth } from '../../src/shapes/cloth.ts';
import { subdivide } from '../../src/shapes/subdivide.ts';

test('keeps the given vertices, closedness and the order parent · 4 + k', () => {
  const { source } = createBumpyBall({ triangles: 500 });
  const fine = subdivide(source);
  const mesh = createTriangleMesh(fine);
  const edges = createTriangleMesh(source).edgeCount;
  expect(mesh.triangleCount).toBe((4 * source.triangles.length) / 3);
  expect(mesh.vertexCount).toBe(source.positions.length / 3 + edges);
  expect(mesh.isClosed).toBe(true);
  expect(fine.positions.slice(0, source.positions.length)).toEqual(source.positions);

  for (let parent = 0; 3 * parent < source.triangles.length; parent++) {
    const corners = source.triangles.subarray(3 * parent, 3 * parent + 3);
    const children = [0, 1, 2, 3].map((k) => area(fine.positions, fine.triangles, 4 * parent + k));
    const whole = area(source.positions, source.triangles, parent);
    for (const child of children) expect(child).toBeCloseTo(whole / 4, 14);
    for (let k = 0; k < 3; k++) expect(fine.triangles[3 * (4 * parent + k)]).toBe(corners[k]);
  }
});

test('midpoints lie between their ends', () => {
  const { source } = createCloth({ triangles: 50 });
  const { positions, midpointEnds } = subdivide(source);
  for (let i = 0; 2 * i < midpointEnds.length; i++) {
    const [u, v] = [midpointEnds[2 * i], midpointEnds[2 * i + 1]];
    for (let k = 0; k < 3; k++) {
      const middle = (source.positions[3 * u + k] + source.positions[3 * v + k]) / 2;
      expect(positions[source.positions.length + 3 * i + k]).toBe(middle);
    }
  }
});

test('vertices that could be welded still can be afterwards', () => {
  const { source } = createCloth({ triangles: 200 });
  const split = new Float64Array(3 * source.triangles.length);
  for (const [i, v] of source.triangles.entries()) {
    split.set(source.positions.subarray(3 * v, 3 * v + 3), 3 * i);
  }
  const soup = { positions: split, triangles: source.triangles.map((_, i) => i) };
  expect(createTriangleMesh(subdivide(soup)).vertexCount).toBe(
    createTriangleMesh(subdivide(source)).vertexCount,
  );
});

function area(p: Float64Array, triangles: Uint32Array, t: number): number {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * t + k]);
  const u = [0, 1, 2].map((k) => p[b + k] - p[a + k]);
  const v = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
  return Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
}
