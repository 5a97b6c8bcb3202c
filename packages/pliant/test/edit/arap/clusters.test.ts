import { afterEach, expect, test } from 'vitest';
import { createEnergy } from '../../../src/edit/arap/energy.ts';
import { ReducedClusters } from '../../../src/edit/arap/reduced-clusters.ts';
import type { SpokeEnergy } from '../../../src/edit/arap/spoke-energy.ts';
import { createWasmKernels } from '../../../src/kernels/wasm-kernels.ts';
import { bar, noise } from './cages.ts';

const kernels = await createWasmKernels();
afterEach(() => {
  expect(kernels.memory.bytesInUse).toBe(0);
});

const cage = bar();
const rest = cage.tetrahedra.positions;
const n = cage.tetrahedra.vertexCount;
/** Slices across the bar. */
const labels = Uint32Array.from({ length: n }, (_, v) =>
  Math.min(4, Math.max(0, Math.floor(2.5 + 5 * rest[3 * v]))),
);

interface Group {
  rows: Uint32Array;
  columns: number;
  weights: Float32Array;
}

/** 1, x, y, z: rows of weights that make every affine shape, and x² and y². */
const everywhere: Group = {
  rows: Uint32Array.from({ length: n }, (_, v) => v),
  columns: 6,
  weights: Float32Array.from({ length: 6 * n }, (_, i) => {
    const [x, y, z] = rest.subarray(3 * Math.trunc(i / 6), 3 * Math.trunc(i / 6) + 3);
    return [1, x, y, z, x * x, y * y][i % 6];
  }),
};
/** Bumps at one end. */
const end: Group = (() => {
  const rows = everywhere.rows.filter((v) => rest[3 * v] > 0.2);
  const random = noise(4);
  return { rows, columns: 3, weights: Float32Array.from({ length: 3 * rows.length }, () => random() - 0.5) };
})();
const GROUPS = [everywhere, end];
const COLUMNS = 9;

function coefficients(seed: number): Float64Array {
  const random = noise(seed);
  const v = new Float64Array(3 * COLUMNS);
  for (let axis = 0; axis < 3; axis++) {
    v[axis * COLUMNS + 1 + axis] = 1;
    for (let c = 0; c < COLUMNS; c++) v[axis * COLUMNS + c] += 0.6 * (random() - 0.5);
  }
  return v;
}

/** p = U v, and Uᵀ b, one number at a time. */
function shapeOf(v: Float64Array): Float64Array {
  const p = new Float64Array(3 * n);
  eachWeight((vertex, column, weight) => {
    for (let axis = 0; axis < 3; axis++) p[3 * vertex + axis] += weight * v[axis * COLUMNS + column];
  });
  return p;
}

function project(b: Float64Array): Float64Array {
  const out = new Float64Array(3 * COLUMNS);
  eachWeight((vertex, column, weight) => {
    for (let axis = 0; axis < 3; axis++) out[axis * COLUMNS + column] += weight * b[3 * vertex + axis];
  });
  return out;
}

function eachWeight(visit: (vertex: number, column: number, weight: number) => void): void {
  let first = 0;
  for (const { rows, columns, weights } of GROUPS) {
    rows.forEach((vertex, r) => {
      for (let c = 0; c < columns; c++) visit(vertex, first + c, weights[r * columns + c]);
    });
    first += columns;
  }
}

test('what is reduced is what all vertices of the clusters would give', () => {
  const energy = createEnergy(kernels, cage) as SpokeEnergy;
  energy.setClusters(labels);
  const reduced = new ReducedClusters(kernels, energy, labels);
  GROUPS.forEach((group, id) => {
    reduced.add(id, group);
  });
  const at = kernels.memory.allocate(8 * 6 * COLUMNS),
    out = at + 8 * 3 * COLUMNS;
  for (let seed = 1; seed <= 20; seed++) {
    const v = coefficients(seed),
      p = shapeOf(v),
      b = new Float64Array(3 * n);
    energy.rhs(p, b);
    const expected = project(b);
    kernels.memory.f64.set(v, at >>> 3);
    kernels.memory.f64.fill(0, out >>> 3, (out >>> 3) + 3 * COLUMNS);
    reduced.begin();
    reduced.gather(0, at, COLUMNS);
    reduced.gather(1, at + 8 * 6, COLUMNS);
    const trace = reduced.fit();
    reduced.scatter(0, out, COLUMNS);
    reduced.scatter(1, out + 8 * 6, COLUMNS);
    const found = kernels.memory.f64.slice(out >>> 3, (out >>> 3) + 3 * COLUMNS);
    for (let i = 0; i < found.length; i++) expect(Math.abs(found[i] - expected[i])).toBeLessThan(1e-13);
    const product = expected.reduce((sum, x, i) => sum + x * v[i], 0);
    expect(Math.abs(trace - product)).toBeLessThan(1e-13);
  }
  kernels.memory.free(at);
  reduced.dispose();
  energy.dispose();
});

test('groups come and go, and unknown ones are refused', () => {
  const energy = createEnergy(kernels, cage) as SpokeEnergy;
  const reduced = new ReducedClusters(kernels, energy, labels);
  expect(reduced.clusterCount).toBe(5);
  reduced.add(3, end);
  expect(reduced.has(3)).toBe(true);
  expect(() => reduced.add(3, end)).toThrow(expect.objectContaining({ code: 'bad-option' }));
  expect(() => reduced.gather(4, 0, 1)).toThrow(expect.objectContaining({ code: 'index-out-of-range' }));
  reduced.remove(3);
  reduced.remove(3);
  expect(reduced.has(3)).toBe(false);
  reduced.dispose();
  energy.dispose();
});
