import { afterEach, expect, test } from 'vitest';
import { createClusterBlock } from '../../../src/edit/arap/cluster-blocks.ts';
import { chooseRotationSamples, sampleRotations } from '../../../src/edit/arap/cubature.ts';
import { createEnergy } from '../../../src/edit/arap/energy.ts';
import type { SpokeEnergy } from '../../../src/edit/arap/spoke-energy.ts';
import { createWasmKernels } from '../../../src/kernels/wasm-kernels.ts';
import { bar, noise } from './cages.ts';

const kernels = await createWasmKernels();
afterEach(() => {
  expect(kernels.memory.bytesInUse).toBe(0);
});

const cage = bar(500);
const rest = cage.tetrahedra.positions;
const n = cage.tetrahedra.vertexCount;
const COLUMNS = 8;
/** 1, x, y, z and some that bend. */
const group = {
  rows: Uint32Array.from({ length: n }, (_, v) => v),
  columns: COLUMNS,
  weights: Float32Array.from({ length: COLUMNS * n }, (_, i) => {
    const v = Math.trunc(i / COLUMNS);
    const [x, y, z] = rest.subarray(3 * v, 3 * v + 3);
    return [1, x, y, z, 4 * x * x, 8 * x * x * x, 4 * x * y, 4 * x * z][i % COLUMNS];
  }),
};

/** A turned rest shape, bent by so much. */
function shape(seed: number, bend: number): Float64Array {
  const random = noise(seed);
  const angle = 6 * random();
  const c = Math.cos(angle),
    s = Math.sin(angle);
  const v = new Float64Array(3 * COLUMNS);
  [c, -s, 0].forEach((value, k) => {
    v[1 + k] = value;
  });
  [s, c, 0].forEach((value, k) => {
    v[COLUMNS + 1 + k] = value;
  });
  v[2 * COLUMNS + 3] = 1;
  for (let axis = 0; axis < 3; axis++) {
    for (let k = 4; k < COLUMNS; k++) v[axis * COLUMNS + k] = bend * (random() - 0.5);
  }
  return v;
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.hypot(...Array.from(a, (x, i) => x - b[i]));

test('samples are exact for rigid motions, and close for shapes that they have not seen', () => {
  const energy = createEnergy(kernels, cage) as SpokeEnergy;
  const training = Array.from({ length: 12 }, (_, k) => shape(k + 1, 0.6));
  const candidates = Uint32Array.from({ length: 250 }, (_, k) => Math.floor((k * n) / 250));
  const samples = chooseRotationSamples(kernels, energy.spokes, group, { training, candidates, count: 120 });
  expect(samples.vertices.length).toBeLessThanOrEqual(120);
  expect(samples.weights.every((w) => w > 0)).toBe(true);
  const { blocks } = createClusterBlock(energy.spokes, new Uint32Array(n), group); // all in one
  const sum = new Float64Array(blocks.length);
  samples.blocks.forEach((x, i) => {
    sum[i % sum.length] += samples.weights[Math.trunc(i / sum.length)] * x;
  });
  expect(distance(sum, blocks) / Math.hypot(...blocks)).toBeLessThan(1e-7);

  /** By all vertices. */
  const exact = (v: Float64Array) => {
    const p = new Float64Array(3 * n),
      b = new Float64Array(3 * n),
      out = new Float64Array(3 * COLUMNS);
    for (let i = 0; i < 3 * n; i++) {
      const at = COLUMNS * Math.trunc(i / 3);
      for (let c = 0; c < COLUMNS; c++) p[i] += group.weights[at + c] * v[(i % 3) * COLUMNS + c];
    }
    energy.rhs(p, b);
    for (let i = 0; i < 3 * n; i++) {
      const at = COLUMNS * Math.trunc(i / 3);
      for (let c = 0; c < COLUMNS; c++) out[(i % 3) * COLUMNS + c] += group.weights[at + c] * b[i];
    }
    return out;
  };
  for (let seed = 100; seed < 105; seed++) {
    const rigid = shape(seed, 0);
    const size = Math.hypot(...exact(rigid));
    expect(distance(sampleRotations(kernels, samples, rigid), exact(rigid)) / size).toBeLessThan(1e-6);
    const bent = shape(seed, 0.6);
    const change = distance(exact(bent), exact(rigid));
    expect(distance(sampleRotations(kernels, samples, bent), exact(bent)) / change).toBeLessThan(0.1);
  }
  energy.dispose();
});

test('every vertex with weight 1 is no cubature but the sum itself', () => {
  const energy = createEnergy(kernels, cage) as SpokeEnergy;
  const { blocks } = createClusterBlock(energy.spokes, group.rows, group);
  const all = { vertices: group.rows, weights: new Float64Array(n).fill(1), blocks, columns: COLUMNS };
  const v = shape(3, 0.5);
  const p = new Float64Array(3 * n),
    b = new Float64Array(3 * n);
  for (let i = 0; i < 3 * n; i++) {
    const at = COLUMNS * Math.trunc(i / 3);
    for (let c = 0; c < COLUMNS; c++) p[i] += group.weights[at + c] * v[(i % 3) * COLUMNS + c];
  }
  energy.rhs(p, b);
  const found = sampleRotations(kernels, all, v);
  for (let axis = 0; axis < 3; axis++) {
    for (let c = 0; c < COLUMNS; c++) {
      let sum = 0;
      for (let vertex = 0; vertex < n; vertex++)
        sum += group.weights[COLUMNS * vertex + c] * b[3 * vertex + axis];
      expect(found[axis * COLUMNS + c]).toBeCloseTo(sum, 12);
    }
  }
  expect(() =>
    chooseRotationSamples(kernels, energy.spokes, group, { training: [], candidates: group.rows, count: 5 }),
  ).toThrow(expect.objectContaining({ code: 'bad-option' }));
  energy.dispose();
});
