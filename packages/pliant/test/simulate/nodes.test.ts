import { describe, expect, test } from 'vitest';
import { createTriangleMesh, InputError, type TriangleMesh } from '../../src/index.ts';
import {
  createBrain,
  createCloth,
  createFigure,
  createFish,
  createTorusKnot,
} from '../../src/shapes/index.ts';
import { createSurfaceWeights, sampleNodes } from '../../src/simulate/index.ts';
import { findInsideCells } from '../../src/simulate/inside-cells.ts';
import { grid } from '../arbitraries.ts';

const SHAPES: [string, TriangleMesh][] = [
  ['figure', createTriangleMesh(createFigure({ triangles: 5000 }).source)],
  ['fish', createTriangleMesh(createFish({ triangles: 5000 }).source)],
  ['brain', createTriangleMesh(createBrain({ triangles: 3000 }).source)],
  ['torus knot', createTriangleMesh(createTorusKnot({ triangles: 4000 }).source)],
];

describe.each(SHAPES)('nodes in a %s', (_, mesh) => {
  test('lie inside, apart from each other, and share out the volume', () => {
    const { positions, volumes } = sampleNodes(mesh, { count: 65 });
    for (let i = 0; i < 65; i++) {
      expect(windingNumber(mesh, positions.subarray(3 * i, 3 * i + 3))).toBeCloseTo(1, 6);
      expect(volumes[i]).toBeGreaterThan(0);
    }
    const volume = volumeOf(mesh);
    expect(volumes.reduce((sum, v) => sum + v, 0) / volume).toBeCloseTo(1, 1);
    expect(nearestPair(positions)).toBeGreaterThan(0.35 * Math.cbrt(volume / 65));
  });

  test.each([65, 509])('%i come out, the same each time, others for another seed', (count) => {
    const sample = sampleNodes(mesh, { count });
    expect(sample.positions).toHaveLength(3 * count);
    if (count > 65) return;
    expect(sampleNodes(mesh, { count })).toEqual(sample);
    expect(sampleNodes(mesh, { count, seed: 2 })).not.toEqual(sample);
  });

  test('carry every vertex with convex weights that change little from one vertex to the next', () => {
    const { positions } = sampleNodes(mesh, { count: 115 });
    const spacing = nearestPair(positions);
    for (const influences of [1, 4, 8, 16]) {
      const { weights, nodes } = createSurfaceWeights(mesh, positions, { influences });
      const rows = Array.from({ length: mesh.vertexCount }, (_, v) => {
        const row = new Float64Array(115);
        for (let k = influences * v; k < influences * (v + 1); k++) row[nodes[k]] += weights[k];
        return row;
      });
      expect(weights.every((w) => w >= 0)).toBe(true);
      const worst = Math.max(...rows.map((row) => Math.abs(row.reduce((sum, w) => sum + w, 0) - 1)));
      expect(worst).toBeLessThan(1e-12);
      if (influences < 8) continue;
      let steepest = 0;
      for (let t = 0; t < mesh.triangles.length; t += 3) {
        const [a, b] = [mesh.triangles[t], mesh.triangles[t + 1]];
        const change = rows[a].reduce((most, w, j) => Math.max(most, Math.abs(w - rows[b][j])), 0);
        steepest = Math.max(steepest, (change * spacing) / distance(mesh.positions, a, b));
      }
      expect(steepest).toBeLessThan(2);
    }
  });
});

test('cells inside are those that the solid angle says, also where columns run through vertices and edges', () => {
  const cube = createTriangleMesh({
    positions: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1].map((x) => 4 * x)),
    triangles: [
      [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4],
      [2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
    ].flat(),
  });
  expect(cube.isClosed).toBe(true);
  for (const size of [4, 2, 1, 0.5, 0.7]) {
    const { centres } = findInsideCells(cube, size);
    const along = Math.ceil(4 / size);
    const shift = (4 - size * along) / 2;
    const inside = Array.from({ length: along }, (_, i) => shift + (i + 0.5) * size).filter(
      (x) => x > 0 && x < 4,
    );
    expect(centres.length / 3).toBe(inside.length ** 3);
  }
  for (const [, mesh] of SHAPES.slice(0, 2)) {
    const { centres } = findInsideCells(mesh, 0.09);
    expect(centres.length).toBeGreaterThan(300);
    for (let o = 0; o < centres.length; o += 60) {
      expect(windingNumber(mesh, centres.subarray(o, o + 3))).toBeCloseTo(1, 6);
    }
  }
});

test('few nodes, or all in one place, still carry every vertex', () => {
  const sheet = createTriangleMesh(grid(3, 3));
  for (const nodes of [
    [0, 0, 0],
    [1, 1, 0, 1, 1, 0],
    [-1, 0, 0, 1, 0, 0],
    [0, 0, 0, 9, 9, 9, 1e6, 0, 0],
  ]) {
    const { weights, influences } = createSurfaceWeights(sheet, nodes, { influences: 8 });
    expect(influences).toBe(Math.min(8, nodes.length / 3));
    for (let v = 0; v < sheet.vertexCount; v++) {
      const row = Array.from(weights.slice(influences * v, influences * (v + 1)));
      expect(row.every((w) => w >= 0)).toBe(true);
      expect(row.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12);
    }
  }
});

test('senseless requests are refused', () => {
  const fish = SHAPES[1][1];
  const cloth = createTriangleMesh(createCloth({ triangles: 200 }).source);
  const flat = createTriangleMesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2, 0, 2, 1] });
  const rows: [() => unknown, string][] = [
    [() => sampleNodes(cloth), 'unsupported'],
    [() => sampleNodes(flat), 'singular'],
    [() => sampleNodes(fish, { count: 3 }), 'bad-option'],
    [() => sampleNodes(fish, { count: 65.5 }), 'bad-option'],
    [() => sampleNodes(fish, { count: 1e6 }), 'bad-option'],
    [() => sampleNodes(fish, { seed: 0.5 }), 'bad-option'],
    [() => sampleNodes(fish, null as never), 'wrong-type'],
    [() => createSurfaceWeights(fish, [0, 0]), 'wrong-length'],
    [() => createSurfaceWeights(fish, [0, 0, NaN]), 'not-finite'],
    [() => createSurfaceWeights(fish, [0, 0, 0], { influences: 65 }), 'bad-option'],
  ];
  for (const [attempt, code] of rows) {
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(expect.objectContaining({ code }));
  }
});

/** By the solid angles of all triangles: 1 inside, 0 outside. */
function windingNumber({ positions: p, triangles }: TriangleMesh, [x, y, z]: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const o = 3 * triangles[t + k];
      return [p[o] - x, p[o + 1] - y, p[o + 2] - z];
    });
    const [la, lb, lc] = [a, b, c].map((v) => Math.hypot(...v));
    const dot = (u: number[], v: number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const det =
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
    sum += 2 * Math.atan2(det, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (4 * Math.PI);
}

function volumeOf({ positions: p, triangles }: TriangleMesh): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[t + k]);
    sum += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]);
    sum += p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]);
    sum += p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum / 6;
}

function nearestPair(positions: Float64Array): number {
  let nearest = Infinity;
  for (let i = 0; 3 * i < positions.length; i++) {
    for (let j = 0; j < i; j++) nearest = Math.min(nearest, distance(positions, i, j));
  }
  return nearest;
}

function distance(p: Float64Array, a: number, b: number): number {
  return Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]);
}
