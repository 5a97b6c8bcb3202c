import { describe, expect, test } from 'vitest';
import { createCage, createCageAsync, type ReportedCage } from '../../../src/edit/cage.ts';
import { NO_VERTEX } from '../../../src/edit/types.ts';
import { createTetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import { createTriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { ball, box, meshOf } from '../../solid/meshes.ts';
import { bar, crookedBlock, noise, twoBalls } from './cages.ts';

/** Every promise of the type. */
function expectSound(cage: ReportedCage): void {
  const { tetrahedra, surface, embedding, glue, component, ties } = cage;
  expect(tetrahedra.sign.every((sign) => sign > 0)).toBe(true);
  expect(tetrahedra.defects.unusedVertices).toBe(0);
  expect(surface.sourceVertexCount).toBe(surface.vertexCount);
  expect(embedding.controls).toHaveLength(4 * surface.vertexCount);
  for (let v = 0; v < surface.vertexCount; v++) {
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let e = 4 * v; e < 4 * v + 4; e++) {
        sum += embedding.weights[e] * tetrahedra.positions[3 * embedding.controls[e] + k];
      }
      expect(Math.abs(sum - surface.positions[3 * v + k])).toBeLessThan(1e-12);
    }
    const t = embedding.tetrahedron[v];
    expect(embedding.controls.slice(4 * v, 4 * v + 4)).toEqual(tetrahedra.tetrahedra.slice(4 * t, 4 * t + 4));
  }
  for (let i = 0; i < glue.length; i += 2) expect(component[glue[i]]).toBe(component[glue[i + 1]]);
  const sides = [0, 1, 2].map((k) => {
    const values = Array.from({ length: surface.vertexCount }, (_, v) => surface.positions[3 * v + k]);
    return [Math.min(...values), Math.max(...values)];
  });
  expect(Math.max(...sides.map(([low, high]) => high - low))).toBeCloseTo(1, 12);
  for (const [low, high] of sides) expect(low + high).toBeCloseTo(0, 12);
  for (let k = 1; k < ties.start.length; k++) {
    const sums = [0, 0, 0, 0, 0];
    for (let e = ties.start[k - 1]; e < ties.start[k]; e++) {
      const w = ties.weight[e];
      sums[3] += w;
      sums[4] += w * w;
      for (let x = 0; x < 3; x++) sums[x] += w * tetrahedra.positions[3 * ties.vertex[e] + x];
    }
    for (const sum of sums.slice(0, 4)) expect(Math.abs(sum)).toBeLessThan(1e-13);
    expect(sums[4]).toBeCloseTo(1, 12);
  }
}

describe('a surface', () => {
  test('gets a lattice, in a box of size 1', () => {
    const cage = bar();
    expectSound(cage);
    expect(cage.ties.start).toHaveLength(1);
    expect(cage.report.components).toHaveLength(1);
    expect(cage.spacing).toBeGreaterThan(0.02);
    expect(cage.scale).toBe(2);
  });

  test('goes back to where it was by centre and scale', () => {
    const mesh = meshOf(ball(3, 7, [100, -20, 3]));
    const { surface, centre, scale, surfaceVertex } = createCage(mesh, { vertices: 200 });
    for (let s = 0; s < mesh.sourceVertexCount; s++) {
      const v = surfaceVertex[s];
      for (let k = 0; k < 3; k++) {
        const x = centre[k] + scale * surface.positions[3 * v + k];
        expect(x).toBeCloseTo(mesh.positions[3 * mesh.weldedVertex[s] + k], 10);
      }
    }
  });

  test('of several shells is held together by ties', () => {
    const cage = twoBalls();
    expectSound(cage);
    expect(cage.report.components).toHaveLength(2);
    expect(cage.ties.start.length).toBeGreaterThanOrEqual(5);
    expect(cage.report.repairs.join()).toContain('held by larger ones: 1');
    expect(twoBalls(false).ties.start).toHaveLength(1);
  });

  test('that is open says so, and one without volume is refused', () => {
    const whole = box([-1, -1, -1], [1, 1, 1]);
    const open = createTriangleMesh({ positions: whole.positions, triangles: whole.triangles.slice(6) });
    const cage = createCage(open, { vertices: 300 });
    expectSound(cage);
    expect(cage.report.warnings.join()).toContain('open edges');
    const sheet = createTriangleMesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] });
    expect(() => createCage(sheet)).toThrow(expect.objectContaining({ code: 'singular' }));
  });

  test('gets the same cage in slices', async () => {
    const mesh = meshOf(ball(3, 1));
    const shares: number[] = [];
    const later = await createCageAsync(mesh, { vertices: 200, onProgress: (share) => shares.push(share) });
    expect(later).toEqual(createCage(mesh, { vertices: 200 }));
    expect(shares.at(-1)).toBe(1);
  });
});

describe('tetrahedra', () => {
  const random = noise(1);
  const block = crookedBlock(2, () => 0.2 * (random() - 0.5));

  test('are used as they are, with their boundary', () => {
    const cage = createCage(block);
    expectSound(cage);
    expect(cage.tetrahedra.tetrahedronCount).toBe(block.tetrahedronCount);
    expect(cage.surface.triangleCount).toBe(block.boundaryTriangles.length / 3);
    expect(Array.from(cage.surfaceVertex).filter((v) => v === NO_VERTEX)).toHaveLength(1); // the middle
    expect(cage.glue).toHaveLength(4 * block.tetrahedronCount - cage.surface.triangleCount);
    expect(cage.report.components).toEqual([block.tetrahedronCount]);
  });

  test('carry any surface', async () => {
    const surface = meshOf(ball(3, 0.9, [1, 1, 1]));
    const cage = createCage({ tetrahedra: block, surface });
    expectSound(cage);
    expect(cage.report.warnings).toEqual([]);
    const outside = await createCageAsync({ tetrahedra: block, surface: meshOf(ball(3, 1.5, [1, 1, 1])) });
    expectSound(outside);
    expect(outside.report.warnings.join()).toContain('outside of all tetrahedra');
  });

  test('that are mirrored, flat or unused are repaired, in words', () => {
    const { positions, tetrahedra } = block;
    const mirrored = tetrahedra.map((v, i) => (i === 0 ? tetrahedra[1] : i === 1 ? tetrahedra[0] : v));
    const mesh = createTetrahedralMesh({
      positions: [...positions, 9, 9, 9],
      tetrahedra: [...mirrored, 0, 1, 2, 2],
    });
    const cage = createCage(mesh);
    expectSound(cage);
    const repairs = cage.report.repairs.join();
    expect(repairs).toContain('flat tetrahedra left out: 1');
    expect(repairs).toMatch(/mirrored tetrahedra turned round: \d+/);
    expect(repairs).toContain('vertices in no tetrahedron left out: 1');
    const flat = createTetrahedralMesh({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
      tetrahedra: [0, 1, 2, 3],
    });
    expect(() => createCage(flat)).toThrow(expect.objectContaining({ code: 'singular' }));
  });

  test('two that share no face are tied', () => {
    const mesh = createTetrahedralMesh({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0, 3, 1, 0, 3, 0, 1],
      tetrahedra: [0, 1, 2, 3, 1, 4, 5, 6],
    });
    const cage = createCage(mesh);
    expectSound(cage);
    expect(cage.report.components).toEqual([1, 1]);
    expect(cage.ties.start).toHaveLength(4); // the vertex they share needs none
  });
});

test('what is no mesh is refused', () => {
  const refuse = (source: unknown, code: string) =>
    expect(() => createCage(source as never)).toThrow(expect.objectContaining({ code }));
  refuse(undefined, 'wrong-type');
  refuse([], 'wrong-type');
  refuse({}, 'wrong-type');
  refuse({ tetrahedra: {} }, 'wrong-type');
  refuse({ tetrahedra: crookedBlock(1, () => 0), surface: 3 }, 'wrong-type');
  expect(() => createCage(meshOf(ball(2, 1)), { attach: 1 as never })).toThrow(
    expect.objectContaining({ code: 'bad-option' }),
  );
});
