import { expect, test } from 'vitest';
import { createTetrahedralMesh } from '../../src/mesh/tetrahedral-mesh.ts';
import { createBccTables } from '../../src/solid/bcc-grid.ts';
import { surfaceMassProperties, tetrahedralMassProperties } from '../../src/solid/mass-properties.ts';
import { measureTetrahedra } from '../../src/solid/tetrahedron-quality.ts';
import { ball, box, insideOut, meshOf } from './meshes.ts';

test('a box', () => {
  const { volume, centre, inertia } = surfaceMassProperties(meshOf(box([1, 2, 3], [2, 4, 6])));
  expect(volume).toBeCloseTo(6, 12);
  expect(Array.from(centre, (x) => Number(x.toFixed(12)))).toEqual([1.5, 3, 4.5]);
  const expected = [(4 + 9) / 2, 0, 0, 0, (1 + 9) / 2, 0, 0, 0, (1 + 4) / 2];
  inertia.forEach((x, k) => {
    expect(x).toBeCloseTo(expected[k], 10);
  });
});

test('a ball, far from the origin', () => {
  const { volume, centre, inertia } = surfaceMassProperties(meshOf(ball(24, 2, [1000, 0, 0])));
  const mass = (4 / 3) * Math.PI * 8;
  expect(volume / mass).toBeCloseTo(1, 2);
  expect(centre[0]).toBeCloseTo(1000, 8);
  expect(inertia[0] / (0.4 * mass * 4)).toBeCloseTo(1, 1.9);
});

test('inside out is negative, nothing is refused', () => {
  expect(surfaceMassProperties(meshOf(insideOut(box([0, 0, 0], [1, 1, 1])))).volume).toBeCloseTo(-1, 12);
  const soup = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] };
  expect(() => surfaceMassProperties(meshOf(soup))).toThrow('encloses no volume');
});

test('tetrahedra weigh the same in any order, by their weights', () => {
  const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1];
  const mesh = createTetrahedralMesh({ positions, tetrahedra: [0, 1, 2, 3, 1, 2, 3, 4] });
  const mirrored = createTetrahedralMesh({ positions, tetrahedra: [1, 0, 2, 3, 2, 1, 3, 4] });
  expect(tetrahedralMassProperties(mesh).volume).toBeCloseTo(1 / 6 + 1 / 3, 12);
  expect(tetrahedralMassProperties(mirrored)).toEqual(tetrahedralMassProperties(mesh));
  const { volume, centre } = tetrahedralMassProperties(mesh, [1, 0]);
  expect(volume).toBeCloseTo(1 / 6, 12);
  expect(centre[0]).toBeCloseTo(1 / 4, 12);
  expect(() => tetrahedralMassProperties(mesh, [1])).toThrow('weights has 1 numbers, expected 2');
});

test('angles of known tetrahedra', () => {
  const regular = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1];
  const quality = measureTetrahedra(createTetrahedralMesh({ positions: regular, tetrahedra: [0, 1, 2, 3] }));
  const expected = (Math.acos(1 / 3) * 180) / Math.PI;
  expect(quality.smallestAngle).toBeCloseTo(expected, 8);
  expect(quality.largestAngle).toBeCloseTo(expected, 8);
  expect(quality.volume).toBeCloseTo(8 / 3, 12);
  const flat = createTetrahedralMesh({
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
    tetrahedra: [0, 1, 2, 3],
  });
  expect(measureTetrahedra(flat)).toMatchObject({ smallestAngle: 0, largestAngle: 180, volume: 0 });
});

test('the twelve tetrahedra of a cube', () => {
  const { corner, form, slab, local, face, match, step } = createBccTables();
  const solid = createTetrahedralMesh({
    positions: Array.from(corner, (x) => x / 2),
    tetrahedra: Array.from({ length: 48 }, (_, i) => i),
  });
  expect(solid.sign.every((s) => s > 0)).toBe(true);
  expect(measureTetrahedra(solid)).toMatchObject({ smallestVolume: 1 / 12, largestVolume: 1 / 12 });
  for (let t = 0; t < 12; t++) {
    for (let k = 0; k < 4; k++) {
      const [x, y, z] = corner.subarray(12 * t + 3 * k, 12 * t + 3 * k + 3).map((c) => c);
      const sides = [x + y, y + z, z + x, x - y, y - z, z - x].map((twice, i) => twice / 2 - slab[6 * t + i]);
      for (const side of sides) expect(side === 0 || side === 1).toBe(true); // six slabs of width 1
      for (let j = 0; j < 4; j++) {
        const f = form.subarray(16 * t + 4 * j, 16 * t + 4 * j + 4);
        expect(f[0] + (f[1] * x + f[2] * y + f[3] * z) / 2).toBe(j === k ? 1 : 0);
      }
      const there = 4 * local[4 * t + k] + face[4 * t + k]; // and back again
      expect(4 * local[there] + face[there]).toBe(4 * t + k);
      expect(match.subarray(4 * (4 * t + k), 4 * (4 * t + k) + 4).filter((c) => c < 4)).toHaveLength(3);
      expect(step[3 * there]).toBe(-step[3 * (4 * t + k)] + 0);
    }
  }
});
