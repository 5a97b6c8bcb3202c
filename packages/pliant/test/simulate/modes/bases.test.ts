import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { symmetricEigen } from '../../../src/algebra/dense/symmetric-eigen.ts';
import { embedInTetrahedra } from '../../../src/deform/embed-in-tetrahedra.ts';
import { createTriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { createElasticSystem, reduceSystem } from '../../../src/simulate/modes/elastic-system.ts';
import { systemMass, vertexMasses } from '../../../src/simulate/modes/mass-basis.ts';
import {
  scaleByDisplacement,
  scaleByEnergy,
  scaleByMass,
  scaleByPoses,
} from '../../../src/simulate/modes/mode-scaling.ts';
import { polynomialModes } from '../../../src/simulate/modes/polynomial-modes.ts';
import { massPca, orthonormaliseModes, sequenceModes } from '../../../src/simulate/modes/principal-modes.ts';
import { surfaceModes } from '../../../src/simulate/modes/surface-modes.ts';
import { createEngine } from '../../../src/worker/create-engine.ts';
import { expectInputError } from '../../io/expect-input-error.ts';
import { createBox } from './boxes.ts';

const material = { young: 5, poisson: 0.3, density: 2 };
const box = createBox({ cells: [3, 4, 2], size: [1, 3, 0.5], offset: [100, 20, 3] });
const system = createElasticSystem(box, { material });

describe('polynomial modes', () => {
  test('a solid body has 24, mass-orthonormal and without rigid motion', () => {
    const { modeCount, vectors } = polynomialModes(box.positions, systemMass(system));
    expect(modeCount).toBe(24);
    const { stiffness, mass } = reduceSystem(system, vectors, 24);
    expectIdentity(mass, 24, 1e-12);
    expect(symmetricEigen(stiffness, 24).values[0]).toBeGreaterThan(1e-3); // no combination is free of strain
  });

  test('any quadratic displacement is a combination of these and rigid motions', () => {
    const product = systemMass(system);
    const { vectors } = polynomialModes(box.positions, product);
    const u = Float64Array.from(box.positions, (_, i) => {
      const o = i - (i % 3);
      const [x, y, z] = [box.positions[o] - 100, box.positions[o + 1] - 20, box.positions[o + 2] - 3];
      return [x * y - z * z + 2 * x, y * y + z - 1, 3 * z * x + y][i % 3];
    });
    const rigid = Float64Array.from({ length: 6 * u.length }, (_, k) => {
      const i = k % u.length,
        o = i - (i % 3);
      const [x, y, z] = [box.positions[o] - 100, box.positions[o + 1] - 20, box.positions[o + 2] - 3];
      const rows = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [0, -z, y],
        [z, 0, -x],
        [-y, x, 0],
      ];
      return rows[Math.trunc(k / u.length)][i % 3];
    });
    const all = new Float64Array(rigid.length + vectors.length + u.length);
    all.set(rigid);
    all.set(vectors, rigid.length);
    all.set(u, rigid.length + vectors.length);
    const { singularValues } = massPca(product, all, 31);
    expect(singularValues.length).toBeLessThan(32);
    expect(singularValues[30] ?? 0).toBeLessThan(1e-10 * singularValues[0]);
  });

  test('a flat body has fewer, a point none', () => {
    const flat = box.positions.map((x, i) => (i % 3 === 2 ? 7 : x));
    const masses = vertexMasses(new Float64Array(box.vertexCount).fill(0.5));
    expect(polynomialModes(flat, masses).modeCount).toBe(3 * 6 - 6); // 1, x, y, x², y², xy: z adds nothing
    expectInputError(
      () => polynomialModes(new Float64Array(6), vertexMasses([1, 1])),
      'singular',
      'one point',
    );
  });
});

describe('principal modes', () => {
  const masses = vertexMasses([1, 2, 0.5, 3]);

  test('give the sequence back, and the best of lower rank', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 1e6 }), (frameCount, seed) => {
        const rest = Float64Array.from({ length: 12 }, (_, i) => Math.cos(i));
        const frames = Array.from({ length: frameCount }, (_, f) =>
          rest.map((x, i) => x + Math.sin(seed * 0.01 + 3.1 * f * i + f * f + i)),
        );
        const { modeCount, vectors, weights } = sequenceModes(masses, frames, { rest });
        frames.forEach((frame, f) => {
          const back = rest.slice();
          for (let m = 0; m < modeCount; m++) {
            for (let i = 0; i < 12; i++) back[i] += weights[f * modeCount + m] * vectors[12 * m + i];
          }
          back.forEach((x, i) => {
            expect(Math.abs(x - frame[i])).toBeLessThan(1e-8);
          });
        });
        const gram = scaleByMass(masses, vectors, modeCount).matrix;
        expectIdentity(gram, modeCount, 1e-12);
      }),
    );
  });

  test('find the rank of a motion made of two displacements, and keep a weak one', () => {
    const [a, b] = [0.3, 1.7].map((phase) =>
      Float64Array.from({ length: 12 }, (_, i) => Math.sin(i + phase)),
    );
    const rest = new Float64Array(12);
    const frames = Array.from({ length: 20 }, (_, f) =>
      rest.map((_, i) => Math.cos(f) * a[i] + 1e-6 * f * b[i]),
    );
    const { modeCount, singularValues } = sequenceModes(masses, frames, { rest });
    expect(modeCount).toBe(2);
    expect(singularValues[1]).toBeGreaterThan(1e-6);
    expect(sequenceModes(masses, frames, { rest, count: 1 }).modeCount).toBe(1);
    expect(sequenceModes(masses, frames, { rest, tolerance: 1e-3 }).modeCount).toBe(1);
  });

  test('refuse what holds nothing', () => {
    const rest = new Float64Array(12);
    expectInputError(() => sequenceModes(masses, [], { rest }), 'empty', 'no frames');
    expectInputError(() => sequenceModes(masses, [rest], { rest }), 'singular', 'zero');
    expectInputError(
      () => sequenceModes(masses, [new Float64Array(3)], { rest }),
      'wrong-length',
      'frames[0]',
    );
    expectInputError(() => vertexMasses([1, -1]), 'out-of-range', 'masses[1]');
  });

  test('morph targets: the same poses in orthonormal coordinates', () => {
    const displacements = Float64Array.from({ length: 48 }, (_, i) => Math.sin(i * i));
    displacements.copyWithin(24, 0, 12); // the third target is the first once more
    const { modeCount, vectors, transform } = orthonormaliseModes(masses, { count: 4, displacements });
    expect(modeCount).toBe(3);
    for (let target = 0; target < 4; target++) {
      for (let i = 0; i < 12; i++) {
        let sum = 0;
        for (let m = 0; m < 3; m++) sum += transform[3 * target + m] * vectors[12 * m + i];
        expect(Math.abs(sum - displacements[12 * target + i])).toBeLessThan(1e-13);
      }
    }
  });
});

test('surface modes move the surface as the tetrahedra do', async () => {
  const mesh = createTriangleMesh({
    positions: [100.2, 21, 3.1, 100.9, 22, 3.3, 100.4, 22.9, 3.45],
    triangles: [0, 1, 2],
  });
  const embedding = embedInTetrahedra(mesh, box);
  const A = [0.1, 0.2, -0.3, 0.4, -0.5, 0.6, 0.7, 0.1, 0.9];
  const move = (p: ArrayLike<number>, factor: number) =>
    Float64Array.from({ length: p.length }, (_, i) => {
      const o = i - (i % 3);
      return factor * (A[3 * (i % 3)] * p[o] + A[3 * (i % 3) + 1] * p[o + 1] + A[3 * (i % 3) + 2] * p[o + 2]);
    });
  const modes = surfaceModes(
    Float64Array.of(...move(box.positions, 1), ...move(box.positions, 2)),
    embedding,
  );
  expect(modes.count).toBe(2);
  const expected = [...move(mesh.positions, 1), ...move(mesh.positions, 2)];
  Array.from(modes.displacements).forEach((x, i) => {
    expect(Math.abs(x - expected[i])).toBeLessThan(1e-10);
  });
  const engine = await createEngine({ kernels: 'ts' });
  expect(() => engine.createModalBody(mesh, modes)).not.toThrow();
  engine.dispose();
  expectInputError(() => surfaceModes([1, 2, 3], embedding), 'wrong-length', 'control points');
});

describe('scaling', () => {
  test('by energy: the strain energy without a filter, at most ℓ times the softest with it', () => {
    const { modeCount, vectors } = polynomialModes(box.positions, systemMass(system));
    const { stiffness } = reduceSystem(system, vectors, modeCount);
    const plain = scaleByEnergy(stiffness, modeCount, { filter: Infinity });
    plain.matrix.forEach((x, i) => {
      expect(Math.abs(x - stiffness[i] / 2)).toBeLessThan(1e-10 * stiffness[0]);
    });
    const tamed = scaleByEnergy(stiffness, modeCount);
    const { values } = symmetricEigen(tamed.matrix, modeCount);
    values.forEach((value, k) => {
      expect(Math.abs(value / tamed.values[k] - 1)).toBeLessThan(1e-9);
      const lambda = 2 * plain.values[k],
        least = 2 * plain.values[0];
      expect(value).toBeCloseTo(0.5 / (1 / lambda + 1 / (100 * least)), 9);
    });
    expect(values[modeCount - 1]).toBeLessThan(100 * plain.values[0]);
  });

  test('by energy of vibration modes: ω² / 2 on the diagonal', () => {
    const { matrix, values } = scaleByEnergy([4, 1, 9], 3, { filter: Infinity });
    expect([...matrix].map((x) => Math.round(1e12 * x) / 1e12)).toEqual([2, 0, 0, 0, 0.5, 0, 0, 0, 4.5]);
    expect([...values].map((x) => Math.round(1e12 * x) / 1e12)).toEqual([0.5, 2, 4.5]);
  });

  test('by displacement and by mass', () => {
    const vectors = Float64Array.of(3, 4, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0);
    expect([...scaleByDisplacement(vectors, 2).matrix]).toEqual([25, 0, 0, 4]);
    expect([...scaleByMass(vertexMasses([1, 10]), vectors, 2).matrix]).toEqual([35, 0, 0, 40]);
  });

  test('by poses: where they go counts less, where they do not go what was known counts', () => {
    const energy = scaleByEnergy([8, 2, 2], 3, { filter: Infinity }); // 4, 1, 1 on the diagonal
    const { matrix, values } = scaleByPoses(
      [
        [0, 3, 0],
        [0, -1, 0],
      ],
      energy,
      { prior: 0.5 },
    );
    // Of the mean of q qᵀ, with a squared norm of 3: (0, 3, 0).
    const expected = [1 / (0.5 / 4), 1 / (0.5 + 1.5), 1 / 0.5];
    for (let k = 0; k < 9; k++) expect(matrix[k]).toBeCloseTo(k % 4 === 0 ? expected[k / 4] : 0, 12);
    expect([...values]).toEqual([...expected].sort((a, b) => a - b).map((x) => expect.closeTo(x, 12)));
    expect(scaleByPoses([[0, 0, 0]], energy)).toBe(energy);
    expectInputError(() => scaleByPoses([[1, 2]], energy), 'wrong-length', 'each pose');
    expectInputError(() => scaleByPoses([], energy, { prior: 0 }), 'bad-option', 'prior');
  });

  test('by poses: the same for poses of any length, and whatever the modes are called', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 4, maxLength: 4 }), {
          minLength: 1,
          maxLength: 9,
        }),
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        (poses, factor) => {
          const energy = scaleByEnergy([1, 2, 5, 9], 4);
          const plain = scaleByPoses(poses, energy),
            longer = scaleByPoses(
              poses.map((q) => q.map((x) => factor * x)),
              energy,
            );
          for (const [k, x] of plain.matrix.entries()) {
            expect(Math.abs(x - longer.matrix[k])).toBeLessThan(1e-9 * plain.values[3]);
          }
          expect(plain.values[0]).toBeGreaterThan(0);
          // No direction counts more than without poses, but for the share of what was known.
          for (let k = 0; k < 4; k++)
            expect(plain.matrix[5 * k]).toBeLessThan((energy.matrix[5 * k] / 0.25) * (1 + 1e-9));
        },
      ),
    );
  });

  test('refuse rigid motions and modes that move nothing', () => {
    expectInputError(() => scaleByEnergy([1, 0], 2), 'singular', 'rigid motions');
    expectInputError(() => scaleByEnergy([1, 2], 2, { filter: 0 }), 'bad-option', 'filter');
    expectInputError(() => scaleByDisplacement(new Float64Array(6), 2), 'singular', 'mode 0');
    expectInputError(
      () => scaleByMass(vertexMasses([1]), Float64Array.of(1, 0, 0, 2, 0, 0), 2),
      'singular',
      'depend',
    );
  });
});

function expectIdentity(matrix: Float64Array, size: number, tolerance: number): void {
  matrix.forEach((x, i) => {
    expect(Math.abs(x - (i % (size + 1) === 0 ? 1 : 0))).toBeLessThan(tolerance);
  });
}
