import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/mesh/input-error.ts';
import { createTetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import { createRandom } from '../../../src/shapes/random.ts';
import {
  createReducedElasticity,
  createReducedElasticityAsync,
  ReducedElasticity,
} from '../../../src/simulate/reduced/reduced-elasticity.ts';
import { createBoxMesh, createModalBox, directStVK } from './beam.ts';

const material = { young: 2e5, poisson: 0.3, density: 1000 };
const random = createRandom(5);
const box = createModalBox([3, 1, 2], [1, 0.3, 0.5], 8, material);
const elasticity = createReducedElasticity(box);
const R = elasticity.modeCount;

const displacementOf = (modes: Float64Array, q: ArrayLike<number>) => {
  const u = new Float64Array(modes.length / q.length);
  for (let i = 0; i < q.length; i++)
    for (let o = 0; o < u.length; o++) u[o] += q[i] * modes[i * u.length + o];
  return u;
};

const project = (modes: Float64Array, full: Float64Array, count: number) =>
  Float64Array.from({ length: count }, (_, i) =>
    full.reduce((s, x, o) => s + x * modes[i * full.length + o], 0),
  );

const norm = (a: ArrayLike<number>) => Math.hypot(...Array.from(a));

/** From hardly deformed to torn apart. */
const anyQ = (n: number) =>
  fc
    .tuple(
      fc.array(fc.integer({ min: -64, max: 64 }), { minLength: n, maxLength: n }),
      fc.double({ min: -2, max: 2, noNaN: true }),
    )
    .map(([q, size]) => Float64Array.from(q, (x) => (x / 64) * 10 ** size));

describe('the reduced polynomial', () => {
  test('is the direct sum over the tetrahedra', () => {
    fc.assert(
      fc.property(anyQ(R), (q) => {
        const { energy, gradient } = directStVK(box.mesh, material, displacementOf(box.modes, q));
        const expected = project(box.modes, gradient, R);
        const forces = new Float64Array(R);
        const found = elasticity.evaluate(q, forces);
        expect(Math.abs(found - energy)).toBeLessThanOrEqual(1e-9 * energy);
        expect(norm(forces.map((f, i) => f - expected[i]))).toBeLessThanOrEqual(1e-9 * norm(expected));
        expect(elasticity.energy(q)).toBeCloseTo(found, 15 - Math.ceil(Math.log10(found + 1e-9)));
      }),
    );
  });

  test('also for arbitrary modes, mirrored tetrahedra and weights', () => {
    const plain = createBoxMesh([2, 1, 1], [1, 1, 1]);
    const tetrahedra = plain.tetrahedra.slice();
    for (let o = 0; o < tetrahedra.length; o += 8)
      [tetrahedra[o], tetrahedra[o + 1]] = [tetrahedra[o + 1], tetrahedra[o]];
    const mesh = createTetrahedralMesh({ positions: plain.positions, tetrahedra });
    expect(mesh.defects.invertedTetrahedra).toBeGreaterThan(0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer(), (count, seed) => {
        const random = createRandom(seed);
        const modes = Float64Array.from({ length: count * 3 * mesh.vertexCount }, () => random() - 0.5);
        const weights = Float64Array.from({ length: mesh.tetrahedronCount }, () =>
          Math.max(0, 1.3 * random() - 0.3),
        );
        const q = Float64Array.from({ length: count }, () => 2 * random() - 1);
        const { energy, gradient } = directStVK(mesh, material, displacementOf(modes, q), weights);
        const expected = project(modes, gradient, count);
        const forces = new Float64Array(count);
        const found = createReducedElasticity({ mesh, modes, material, weights }).evaluate(q, forces);
        expect(Math.abs(found - energy)).toBeLessThanOrEqual(1e-9 * energy);
        expect(norm(forces.map((f, i) => f - expected[i]))).toBeLessThanOrEqual(1e-9 * norm(expected));
      }),
      { numRuns: 30 },
    );
  });

  test('forces are the gradient of the energy, stiffness that of the forces', () => {
    fc.assert(
      fc.property(anyQ(R), fc.integer({ min: 0, max: R - 1 }), (q, k) => {
        const stiffness = new Float64Array(R * R),
          forces = new Float64Array(R),
          [before, after] = [new Float64Array(R), new Float64Array(R)];
        elasticity.evaluate(q, forces, stiffness);
        // Differences of polynomials of low degree are exact up to terms in h², which two widths remove.
        const difference = (h: number) => {
          const low = q.slice(),
            high = q.slice();
          low[k] -= h;
          high[k] += h;
          const energy = (elasticity.evaluate(high, after) - elasticity.evaluate(low, before)) / (2 * h);
          return { energy, forces: after.map((f, i) => (f - before[i]) / (2 * h)) };
        };
        const h = 0.25 * (norm(q) + 1e-3);
        const near = difference(h),
          far = difference(2 * h);
        const slope = (4 * near.energy - far.energy) / 3;
        const size = norm(stiffness);
        expect(Math.abs(slope - forces[k])).toBeLessThanOrEqual(1e-9 * (norm(forces) + size * h));
        const row = near.forces.map((f, i) => (4 * f - far.forces[i]) / 3);
        row.forEach(
          (x, i) => void expect(Math.abs(x - stiffness[k * R + i])).toBeLessThanOrEqual(1e-9 * size),
        );
      }),
    );
  });

  test('at rest: no force, and the eigenvalues as stiffness', () => {
    const stiffness = new Float64Array(R * R),
      forces = new Float64Array(R);
    expect(elasticity.evaluate(new Float64Array(R), forces, stiffness)).toBe(0);
    expect([...forces].every((f) => f === 0)).toBe(true);
    const largest = Math.max(...box.eigenvalues);
    stiffness.forEach((k, o) => {
      const expected = o % (R + 1) === 0 ? box.eigenvalues[o / (R + 1)] : 0;
      expect(Math.abs(k - expected)).toBeLessThan(1e-9 * largest);
    });
  });

  test('does not feel a rotation', () => {
    // Modes that span all linear maps: a turned box has no energy.
    const mesh = createBoxMesh([1, 1, 2], [1, 1, 2]);
    const modes = new Float64Array(9 * 3 * mesh.vertexCount);
    for (let m = 0; m < 9; m++) {
      for (let v = 0; v < mesh.vertexCount; v++) {
        modes[3 * (m * mesh.vertexCount + v) + Math.trunc(m / 3)] = mesh.positions[3 * v + (m % 3)];
      }
    }
    const all = createReducedElasticity({ mesh, modes, material });
    const [c, s] = [Math.cos(1), Math.sin(1)];
    const turned = Float64Array.of(c - 1, -s, 0, s, c - 1, 0, 0, 0, 0);
    const forces = new Float64Array(9);
    expect(Math.abs(all.evaluate(turned, forces))).toBeLessThan(1e-9 * material.young);
    expect(norm(forces)).toBeLessThan(1e-9 * material.young);
    expect(
      all.evaluate(
        turned.map((x) => 0.5 * x),
        forces,
      ),
    ).toBeGreaterThan(1e-3 * material.young);
  });
});

test('coefficients can be stored', () => {
  const again = new ReducedElasticity(structuredClone(elasticity.coefficients));
  const q = Float64Array.from({ length: R }, () => random() - 0.5);
  const [a, b] = [new Float64Array(R), new Float64Array(R)];
  expect(again.evaluate(q, a)).toBe(elasticity.evaluate(q, b));
  expect(a).toEqual(b);
});

test('the same in slices, with progress, and it can be stopped', async () => {
  const shares: number[] = [];
  const sliced = await createReducedElasticityAsync(box, {
    slice: 1e-6,
    onProgress: (_, x) => void shares.push(x),
  });
  expect(sliced.coefficients).toEqual(elasticity.coefficients);
  expect(shares.length).toBeGreaterThan(1);
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  const stop = new AbortController();
  const work = createReducedElasticityAsync(box, {
    slice: 1e-6,
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('enough')),
  });
  await expect(work).rejects.toThrow('enough');
});

test('senseless input is refused, with its address', () => {
  const { mesh, modes } = box;
  const flat = createTetrahedralMesh({
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
    tetrahedra: [0, 1, 2, 3],
  });
  const spoiled = modes.slice();
  spoiled[17] = NaN;
  const rows: [() => unknown, string, RegExp][] = [
    [() => createReducedElasticity({ mesh, modes: spoiled, material }), 'not-finite', /modes\[17\]/],
    [() => createReducedElasticity({ mesh, modes: modes.subarray(1), material }), 'wrong-length', /modes/],
    [() => createReducedElasticity({ mesh, modes: [], material }), 'bad-option', /modes/],
    [() => createReducedElasticity({ mesh, modes, material, weights: [1] }), 'wrong-length', /weights/],
    [
      () =>
        createReducedElasticity({ mesh, modes, material, weights: new Float64Array(mesh.tetrahedronCount) }),
      'empty',
      /weights/,
    ],
    [
      () => createReducedElasticity({ mesh: flat, modes: new Array(12).fill(1), material }),
      'singular',
      /tetrahedron 0/,
    ],
    [
      () => createReducedElasticity({ mesh, modes, material: { ...material, poisson: 0.5 } }),
      'out-of-range',
      /poisson/,
    ],
    [() => new ReducedElasticity({ ...elasticity.coefficients, modeCount: 3 }), 'wrong-length', /quadratic/],
  ];
  for (const [attempt, code, where] of rows) {
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(expect.objectContaining({ code, message: expect.stringMatching(where) }));
  }
});
