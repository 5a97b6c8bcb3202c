import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTetrahedralMesh, type TetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import { lameConstants } from '../../../src/simulate/material.ts';
import {
  createElasticSystem,
  gatherFree,
  reduceSystem,
  spreadToVertices,
} from '../../../src/simulate/modes/elastic-system.ts';
import { rigidMotions } from '../../../src/simulate/modes/rigid-motions.ts';
import { expectInputError } from '../../io/expect-input-error.ts';
import { createBox } from './boxes.ts';

const material = { young: 3, poisson: 0.3, density: 2 };
const box = () => createBox({ cells: [2, 3, 2], size: [1, 2, 1.5], offset: [5, -3, 1] });

describe('assembly', () => {
  test('affine displacements have exactly the energy of their strain', () => {
    const mesh = box();
    const system = createElasticSystem(mesh, { material });
    const { lambda, mu } = lameConstants(material);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }),
        (m) => {
          const u = affine(mesh, m);
          const strain = (r: number, c: number) => (m[3 * r + c] + m[3 * c + r]) / 2;
          const trace = m[0] + m[4] + m[8];
          let squares = 0;
          for (let k = 0; k < 9; k++) squares += strain(Math.trunc(k / 3), k % 3) ** 2;
          const density = (lambda / 2) * trace * trace + mu * squares;
          const { stiffness } = reduceSystem(system, u, 1);
          expect(Math.abs(stiffness[0] / 2 - 3 * density)).toBeLessThan(1e-12); // volume 3
        },
      ),
    );
  });

  test.each(['consistent', 'lumped'] as const)('%s mass: all of it when everything shifts', (mass) => {
    const mesh = box();
    const system = createElasticSystem(mesh, { material, mass });
    const shift = affine(mesh, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    expect(system.totalMass).toBeCloseTo(6, 12);
    expect(reduceSystem(system, shift, 1).mass[0]).toBeCloseTo(6, 12);
  });

  test('consistent mass is the integral of products of linear functions', () => {
    const mesh = box();
    const system = createElasticSystem(mesh, { material });
    const u = affine(mesh, [1, 0, 0, 0, 0, 0, 0, 0, 0, -5, 0, 0]); // (x − 5, 0, 0), x from 5 to 6
    expect(reduceSystem(system, u, 1).mass[0]).toBeCloseTo(6 / 3, 12); // 6 ∫ t² dt
  });

  test('weights scale stiffness and mass, and mirrored corners change nothing', () => {
    const mesh = box();
    const half = createElasticSystem(mesh, {
      material,
      weights: new Float64Array(mesh.tetrahedronCount).fill(0.5),
    });
    const whole = createElasticSystem(mesh, { material });
    half.stiffness.value.forEach((value, k) => {
      expect(value).toBe(whole.stiffness.value[k] / 2);
    });
    half.mass.value.forEach((value, k) => {
      expect(value).toBe(whole.mass.value[k] / 2);
    });
    const corners = mesh.tetrahedra.slice();
    for (let t = 0; t < corners.length; t += 4) [corners[t], corners[t + 1]] = [corners[t + 1], corners[t]];
    const mirrored = createTetrahedralMesh({ positions: mesh.positions, tetrahedra: corners });
    const other = createElasticSystem(mirrored, { material });
    other.stiffness.value.forEach((value, k) => {
      expect(Math.abs(value - whole.stiffness.value[k])).toBeLessThan(1e-13);
    });
  });

  test('fixed vertices and those of no tetrahedron are no unknowns', () => {
    const mesh = createTetrahedralMesh({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 9, 9, 1, 1, 1],
      tetrahedra: [0, 1, 2, 3, 1, 2, 3, 5],
    });
    const system = createElasticSystem(mesh, { material, fixed: [1, 1] });
    expect([...system.freeVertices]).toEqual([0, 2, 3, 5]);
    const u = Float64Array.from({ length: 18 }, (_, k) => k);
    const back = spreadToVertices(system, gatherFree(system, u));
    expect([...back]).toEqual([0, 1, 2, 0, 0, 0, 6, 7, 8, 9, 10, 11, 0, 0, 0, 15, 16, 17]);
  });
});

describe('refusing, with the place', () => {
  const mesh = box();
  const moved = (vertex: number, to: readonly number[]) => {
    const positions = mesh.positions.slice();
    positions.set(to, 3 * vertex);
    return createTetrahedralMesh({ positions, tetrahedra: mesh.tetrahedra });
  };

  test('inverted and flat tetrahedra', () => {
    expectInputError(
      () => createElasticSystem(moved(0, [9, 9, 9]), { material }),
      'singular',
      'tetrahedron 0 is inverted',
    );
    const flat = createTetrahedralMesh({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0.2, 0.2, 1e-14],
      tetrahedra: [0, 1, 2, 3, 0, 1, 2, 5],
    });
    expectInputError(() => createElasticSystem(flat, { material }), 'singular', 'tetrahedron 1 is flat');
    const exact = createTetrahedralMesh({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
      tetrahedra: [0, 1, 2, 3],
    });
    expectInputError(() => createElasticSystem(exact, { material }), 'singular', 'tetrahedron 0 is flat');
  });

  test('materials, weights, vertices', () => {
    const create = (options: object) => () => createElasticSystem(mesh, { material, ...options });
    expectInputError(create({ material: { ...material, poisson: 0.5 } }), 'out-of-range', 'material.poisson');
    expectInputError(create({ material: { ...material, young: 0 } }), 'out-of-range', 'material.young');
    expectInputError(create({ material: { young: 1, poisson: 0 } }), 'wrong-type', 'material.density');
    const weights = new Float64Array(mesh.tetrahedronCount).fill(1);
    weights[7] = 0;
    expectInputError(create({ weights }), 'out-of-range', 'weights[7] is 0');
    expectInputError(create({ weights: [1] }), 'wrong-length', 'weights');
    expectInputError(create({ fixed: [3, 99] }), 'index-out-of-range', 'fixed[1] is 99');
    expectInputError(
      create({ fixed: Array.from({ length: mesh.vertexCount }, (_, v) => v) }),
      'empty',
      'fixed',
    );
    expectInputError(create({ mass: 'none' }), 'bad-option', 'mass');
  });
});

describe('motions without strain', () => {
  const two = () => {
    const [a, b] = [createBox({ cells: [1, 1, 1] }), createBox({ cells: [1, 2, 1], offset: [3, 0, 0] })];
    return createTetrahedralMesh({
      positions: [...a.positions, ...b.positions],
      tetrahedra: [...a.tetrahedra, ...[...b.tetrahedra].map((v) => v + a.vertexCount)],
    });
  };

  test.each([
    ['nothing holds it', box(), [], 6],
    ['one vertex', box(), [4], 3],
    ['an axis', box(), [0, 1, 2], 1],
    ['three vertices', box(), [0, 1, 3], 0],
    ['two parts', two(), [], 12],
    ['two parts, one of them held', two(), [0, 1, 2, 3], 6],
  ])('%s', (_, mesh, fixed, count) => {
    const system = createElasticSystem(mesh, { material, fixed });
    const motions = rigidMotions(system);
    expect(motions.count).toBe(count);
    const all = spreadToVertices(system, motions.vectors, count);
    const { stiffness, mass } = reduceSystem(system, all, count);
    for (let i = 0; i < count * count; i++) {
      expect(Math.abs(stiffness[i])).toBeLessThan(1e-12);
      expect(Math.abs(mass[i] - (i % (count + 1) === 0 ? 1 : 0))).toBeLessThan(1e-13);
    }
  });
});

/** u = A x + b, A row by row in the first nine numbers. */
function affine({ positions }: TetrahedralMesh, m: readonly number[]): Float64Array {
  return Float64Array.from(positions, (_, i) => {
    const o = i - (i % 3),
      r = 3 * (i % 3);
    return m[r] * positions[o] + m[r + 1] * positions[o + 1] + m[r + 2] * positions[o + 2] + m[9 + (i % 3)];
  });
}
