import { describe, expect, test } from 'vitest';
import { symmetricEigen } from '../../../src/algebra/dense/symmetric-eigen.ts';
import type { SymmetricMatrix } from '../../../src/algebra/sparse/symmetric-matrix.ts';
import { createCageLaplacian } from '../../../src/edit/arap/energy.ts';
import {
  cotangentLaplacian,
  createGradients,
  hasNonNegativeWeights,
} from '../../../src/edit/arap/laplacian.ts';
import { createSpokes } from '../../../src/edit/arap/spokes.ts';
import { createCage } from '../../../src/edit/cage.ts';
import { bar, crookedBlock, noise, twoBalls } from './cages.ts';

function dense({ size, start, row, value }: SymmetricMatrix): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let j = 0; j < size; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) {
      matrix[j * size + row[p]] = matrix[row[p] * size + j] = value[p];
    }
  }
  return matrix;
}

const random = noise(9);
const crooked = createCage(crookedBlock(2, () => 0.3 * (random() - 0.5)));

describe.each([
  ['a lattice', bar(80), 1],
  ['crooked tetrahedra', crooked, 1],
  ['two parts', twoBalls(false), 2],
  ['two parts that are tied', twoBalls(), 1],
])('the Laplacian of %s', (_, cage, nullSpace) => {
  const L = createCageLaplacian(cage);

  test('is positive semidefinite, with constants as its null space', () => {
    const { values } = symmetricEigen(dense(L), L.size);
    const top = values[values.length - 1];
    expect(values[0]).toBeGreaterThan(-1e-13 * top);
    expect(values[nullSpace - 1]).toBeLessThan(1e-13 * top);
    expect(values[nullSpace]).toBeGreaterThan(1e-7 * top);
  });

  test('integrates the products of gradients', () => {
    const { volume, gradient } = createGradients(cage.tetrahedra);
    const { tetrahedra, positions } = cage.tetrahedra;
    const n = L.size;
    // Of a linear function g · x the squared integral is |g|² V; ties do not see it.
    const f = Float64Array.from(
      { length: n },
      (_, v) => positions[3 * v] - 2 * positions[3 * v + 1] + 3 * positions[3 * v + 2],
    );
    const matrix = dense(L);
    let energy = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) energy += f[i] * matrix[i * n + j] * f[j];
    const whole = volume.reduce((sum, v) => sum + v, 0);
    expect(energy / (14 * whole)).toBeCloseTo(1, 11);
    for (let t = 0; t < 5; t++) {
      const g = [0, 0, 0];
      for (let k = 0; k < 12; k++)
        g[k % 3] += gradient[12 * t + k] * f[tetrahedra[4 * t + Math.trunc(k / 3)]];
      [1, -2, 3].forEach((x, k) => {
        expect(g[k]).toBeCloseTo(x, 9);
      });
    }
  });
});

test('a lattice has no negative weights, and eight neighbours inside', () => {
  const { tetrahedra } = bar(400);
  const L = cotangentLaplacian(tetrahedra, createGradients(tetrahedra));
  expect(hasNonNegativeWeights(L)).toBe(true);
  const { start, neighbour } = createSpokes(L, tetrahedra.positions);
  const counts = Array.from({ length: L.size }, (_, v) => start[v + 1] - start[v]);
  const inside = new Set(Array.from({ length: L.size }, (_, v) => v));
  for (const v of tetrahedra.boundaryTriangles) inside.delete(v);
  expect(inside.size).toBeGreaterThan(10);
  for (const v of inside) expect(counts[v]).toBe(8);
  for (let v = 0; v < L.size; v++) {
    for (let k = start[v] + 1; k < start[v + 1]; k++) expect(neighbour[k]).toBeGreaterThan(neighbour[k - 1]);
  }
  expect(
    hasNonNegativeWeights(cotangentLaplacian(crooked.tetrahedra, createGradients(crooked.tetrahedra))),
  ).toBe(false);
});
