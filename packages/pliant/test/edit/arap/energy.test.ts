import { afterEach, describe, expect, test } from 'vitest';
import { singularValues } from '../../../src/algebra/dense/singular-values.ts';
import { multiply } from '../../../src/algebra/sparse/symmetric-matrix.ts';
import { createEnergy, type EnergyOptions, type ResidentEnergy } from '../../../src/edit/arap/energy.ts';
import { createGradients } from '../../../src/edit/arap/laplacian.ts';
import type { SpokeEnergy } from '../../../src/edit/arap/spoke-energy.ts';
import { createCage } from '../../../src/edit/cage.ts';
import type { Cage } from '../../../src/edit/types.ts';
import type { Kernels } from '../../../src/kernels/kernels.ts';
import { arrayStore, KernelMemory } from '../../../src/kernels/memory.ts';
import { createTsKernels } from '../../../src/kernels/ts-kernels.ts';
import { createWasmKernels } from '../../../src/kernels/wasm-kernels.ts';
import { bar, crookedBlock, noise, posed, twoBalls } from './cages.ts';

const wasm = await createWasmKernels();
const ts = createTsKernels(new KernelMemory(arrayStore(1 << 20)));
afterEach(() => {
  expect(wasm.memory.bytesInUse).toBe(0);
  expect(ts.memory.bytesInUse).toBe(0);
});

const random = noise(7);
const crooked = createCage(crookedBlock(3, () => 0.3 * (random() - 0.5)));
const CASES: [string, Cage, EnergyOptions][] = [
  ['spokes', bar(), {}],
  ['spokes with ties', twoBalls(), {}],
  ['elements', bar(), { rotations: 'elements' }],
  ['elements where cotangents are negative', crooked, {}],
  ['strain', crooked, { energy: 'strain', strain: [0.9, 1.1] }],
  ['strain with ties', twoBalls(), { energy: 'strain' }],
];

function withEnergy<T>(
  kernels: Kernels,
  cage: Cage,
  options: EnergyOptions,
  use: (energy: ResidentEnergy) => T,
): T {
  const energy = createEnergy(kernels, cage, options);
  try {
    return use(energy);
  } finally {
    energy.dispose();
  }
}

/** L p, three columns in rows. */
function times({ laplacian }: ResidentEnergy, p: Float64Array): Float64Array {
  const n = p.length / 3;
  const columns = new Float64Array(p.length),
    product = new Float64Array(p.length);
  for (let i = 0; i < p.length; i++) columns[(i % 3) * n + Math.trunc(i / 3)] = p[i];
  multiply(laplacian, columns, product, 3);
  return p.map((_, i) => product[(i % 3) * n + Math.trunc(i / 3)]);
}

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const largest = (a: Float64Array) => a.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

describe.each(CASES)('%s', (_, cage, options) => {
  const rest = cage.tetrahedra.positions;

  test('costs nothing for a rigid motion, and the right-hand side is L p', () => {
    withEnergy(wasm, cage, options, (energy) => {
      const p = posed(rest, 2, 0),
        b = new Float64Array(p.length);
      expect(Math.abs(energy.rhs(p, b))).toBeLessThan(1e-13);
      const Lp = times(energy, p);
      expect(largest(b.map((x, i) => x - Lp[i]))).toBeLessThan(1e-13);
    });
  });

  test('L p − b is the gradient of the energy', () => {
    withEnergy(wasm, cage, options, (energy) => {
      const p = posed(rest, 1, 0.1),
        b = new Float64Array(p.length),
        spare = new Float64Array(p.length);
      energy.rhs(p, b);
      const Lp = times(energy, p);
      const next = noise(3);
      for (let trial = 0; trial < 5; trial++) {
        const step = p.map(() => 2e-6 * (next() - 0.5));
        const up = energy.rhs(
            p.map((x, i) => x + step[i]),
            spare,
          ),
          down = energy.rhs(
            p.map((x, i) => x - step[i]),
            spare,
          );
        const slope = dot(Lp, step) - dot(b, step);
        expect((up - down) / 2 / slope).toBeCloseTo(1, 4);
      }
    });
  });

  test('both kernels leave the same bits', () => {
    const p = posed(rest, 0.7, 0.3),
      a = new Float64Array(p.length),
      b = new Float64Array(p.length);
    const first = withEnergy(wasm, cage, options, (energy) => energy.rhs(p, a));
    const second = withEnergy(ts, cage, options, (energy) => energy.rhs(p, b));
    expect(first).toBe(second);
    expect(a).toEqual(b);
  });

  test('one step against the best rotations lowers the energy', () => {
    withEnergy(wasm, cage, options, (energy) => {
      const p = posed(rest, 1, 0.2),
        b = new Float64Array(p.length);
      const before = energy.rhs(p, b);
      const Lp = times(energy, p);
      const { start, value } = energy.laplacian;
      const n = p.length / 3;
      let stiffest = 0;
      for (let j = 0; j < n; j++) stiffest = Math.max(stiffest, value[start[j]]);
      const after = energy.rhs(
        p.map((x, i) => x - (Lp[i] - b[i]) / (3 * stiffest)),
        b,
      );
      expect(after).toBeLessThan(before);
    });
  });
});

test('the energy of spokes is the sum of its definition', () => {
  const cage = bar(60);
  const rest = cage.tetrahedra.positions;
  const p = posed(rest, 1, 0.3);
  withEnergy(wasm, cage, {}, (energy) => {
    const { start, neighbour, spoke } = (energy as SpokeEnergy).spokes;
    let sum = 0;
    for (let i = 0; i + 1 < start.length; i++) {
      const S = new Float64Array(9); // by columns
      let squares = 0;
      for (let k = start[i]; k < start[i + 1]; k++) {
        const w = spoke[4 * k + 3];
        for (let r = 0; r < 3; r++) {
          const e = p[3 * i + r] - p[3 * neighbour[k] + r],
            flat = rest[3 * i + r] - rest[3 * neighbour[k] + r];
          squares += w * (e * e + flat * flat);
          for (let c = 0; c < 3; c++) S[3 * c + r] += e * spoke[4 * k + c];
        }
      }
      const { values } = singularValues(S, 3, 3);
      const mirrors =
        S[0] * (S[4] * S[8] - S[7] * S[5]) -
          S[3] * (S[1] * S[8] - S[7] * S[2]) +
          S[6] * (S[1] * S[5] - S[4] * S[2]) <
        0;
      sum += squares / 4 - (values[0] + values[1] + (mirrors ? -values[2] : values[2])) / 2;
    }
    expect(energy.rhs(p, new Float64Array(p.length))).toBeCloseTo(sum, 12);
  });
});

test('strain costs nothing within its range, and is element ARAP when the range is a point', () => {
  const rest = crooked.tetrahedra.positions;
  const b = new Float64Array(rest.length),
    c = new Float64Array(rest.length);
  withEnergy(wasm, crooked, { energy: 'strain', strain: [0.8, 1.2] }, (energy) => {
    const p = posed(rest, 1, 0).map((x, i) => x * [1.1, 0.9, 1.15][i % 3]);
    expect(energy.rhs(p, b)).toBe(0);
    const Lp = times(energy, p);
    expect(largest(b.map((x, i) => x - Lp[i]))).toBeLessThan(1e-14);
  });
  const p = posed(rest, 1, 0.3);
  const arap = withEnergy(wasm, crooked, {}, (energy) => energy.rhs(p, b));
  const strain = withEnergy(wasm, crooked, { energy: 'strain', strain: [1, 1] }, (energy) =>
    energy.rhs(p, c),
  );
  expect(strain).toBeCloseTo(arap, 13);
  expect(largest(b.map((x, i) => x - c[i]))).toBeLessThan(1e-13);
});

test('strain puts singular values into their range, of mirrored tetrahedra too', () => {
  const rest = crooked.tetrahedra.positions;
  const p = rest.map((x, i) => (i % 3 === 0 ? -0.5 : 1.4) * x);
  const b = new Float64Array(p.length);
  const { volume } = createGradients(crooked.tetrahedra);
  const whole = volume.reduce((sum, v) => sum + v, 0);
  withEnergy(wasm, crooked, { energy: 'strain', strain: [0.9, 1.1] }, (energy) => {
    const expected = (whole / 2) * (1.4 ** 2 + 0.3 ** 2 + 0.3 ** 2); // −0.5 becomes 0.9, 1.4 becomes 1.1
    expect(energy.rhs(p, b)).toBeCloseTo(expected, 12);
  });
});

test('both kernels leave the same bits for clusters', () => {
  const cage = bar();
  const p = posed(cage.tetrahedra.positions, 0.7, 0.3),
    results: Float64Array[] = [];
  for (const kernels of [wasm, ts]) {
    withEnergy(kernels, cage, {}, (energy) => {
      (energy as SpokeEnergy).setClusters(Uint32Array.from({ length: p.length / 3 }, (_, i) => i % 7));
      const b = new Float64Array(p.length);
      results.push(b, Float64Array.of(energy.rhs(p, b)));
    });
  }
  expect(results[0]).toEqual(results[2]);
  expect(results[1]).toEqual(results[3]);
});

describe('clusters', () => {
  const cage = bar();
  const rest = cage.tetrahedra.positions;
  const n = cage.tetrahedra.vertexCount;
  const p = posed(rest, 1, 0.1);

  test('of one vertex each change nothing', () => {
    withEnergy(wasm, cage, {}, (energy) => {
      const a = new Float64Array(p.length),
        b = new Float64Array(p.length);
      const before = energy.rhs(p, a);
      (energy as SpokeEnergy).setClusters(Uint32Array.from({ length: n }, (_, i) => i));
      expect(energy.rhs(p, b)).toBeCloseTo(before, 12);
      expect(largest(b.map((x, i) => x - a[i]))).toBeLessThan(1e-15);
      (energy as SpokeEnergy).setClusters(undefined);
      expect(energy.rhs(p, b)).toBe(before);
    });
  });

  test('cost more than vertices, nothing for rigid motions, and have the gradient L p − b', () => {
    const labels = Uint32Array.from({ length: n }, (_, i) => (rest[3 * i] > 0 ? 1 : 0));
    withEnergy(wasm, cage, {}, (energy) => {
      const b = new Float64Array(p.length);
      const fine = energy.rhs(p, b);
      (energy as SpokeEnergy).setClusters(labels);
      const coarse = energy.rhs(p, b);
      expect(coarse).toBeGreaterThan(fine);
      const Lp = times(energy, p);
      const next = noise(5);
      const step = p.map(() => 2e-6 * (next() - 0.5)),
        spare = new Float64Array(p.length);
      const up = energy.rhs(
          p.map((x, i) => x + step[i]),
          spare,
        ),
        down = energy.rhs(
          p.map((x, i) => x - step[i]),
          spare,
        );
      expect((up - down) / 2 / (dot(Lp, step) - dot(b, step))).toBeCloseTo(1, 4);
      expect(Math.abs(energy.rhs(posed(rest, 2, 0), b))).toBeLessThan(1e-13);
    });
  });
});

test('options that make no sense are refused', () => {
  const cage = bar(60);
  const refuse = (options: unknown) =>
    expect(() => createEnergy(wasm, cage, options as EnergyOptions)).toThrow(
      expect.objectContaining({ code: 'bad-option' }),
    );
  refuse({ energy: 'rubber' });
  refuse({ rotations: 'faces' });
  refuse({ energy: 'strain', strain: [1.1, 1.2] });
  refuse({ energy: 'strain', strain: [0.5, Number.NaN] });
});
