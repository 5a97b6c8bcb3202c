import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { singularValues } from '../../../src/algebra/dense/singular-values.ts';
import { SCRATCH_BYTES } from '../../../src/edit/arap/scratch.ts';
import { Twins } from '../../kernels/twins.ts';

const RUNS = process.env.PLIANT_FULL ? 20_000 : 600;
const twins = await Twins.create();

const real = fc.double({ min: -2, max: 2, noNaN: true });
const nine = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 9, maxLength: 9 });
/** Row-major. Small whole numbers are often singular, mirrored, or have equal singular values. */
const matrix: fc.Arbitrary<number[]> = fc.oneof(
  nine(real),
  nine(fc.integer({ min: -1, max: 1 })),
  nine(fc.integer({ min: -2, max: 2 })),
  fc
    .tuple(nine(real), fc.double({ min: -12, max: 12, noNaN: true }))
    .map(([m, e]) => m.map((x) => x * 10 ** e)),
  // Nearly of rank 1, and nearly mirrored with two equal singular values.
  fc
    .tuple(nine(fc.integer({ min: -1, max: 1 })), nine(real), fc.double({ min: -16, max: -3, noNaN: true }))
    .map(([m, noise, e]) => m.map((x, k) => x + noise[k] * 10 ** e)),
);

/** Places of a row-major matrix in the layout of the kernels. */
const PLACE = [0, 2, 4, 1, 3, 5, 6, 7, 8];
const packed = (m: readonly number[]) => {
  const out = new Float64Array(10);
  m.forEach((x, k) => {
    out[PLACE[k]] = x;
  });
  return out;
};
const unpacked = (m: ArrayLike<number>, o = 0) => PLACE.map((at) => m[o + at]);
const determinant = ([a, b, c, d, e, f, g, h, i]: number[]) =>
  a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g);

/** The largest tr(Rᵀ M): the sum of the singular values, the smallest negative where M mirrors. */
function best(m: readonly number[]): number {
  const columns = Float64Array.from([0, 3, 6, 1, 4, 7, 2, 5, 8], (k) => m[k]);
  const s = Array.from(singularValues(columns, 3, 3).values).sort((a, b) => b - a);
  return s[0] + s[1] + (determinant(m.map((x) => x / s[0])) < 0 ? -s[2] : s[2]);
}

function fit(matrices: readonly number[][], previous = [1, 0, 0, 0, 1, 0, 0, 0, 1]): number[][] {
  twins.reset();
  const count = matrices.length;
  const M = twins.place(Float64Array.from(matrices.flatMap((m) => [...packed(m)])));
  const R = twins.place(Float64Array.from(matrices.flatMap(() => [...packed(previous)])));
  const scratch = twins.reserve(SCRATCH_BYTES);
  // What care leaves behind in scratch memory is compared as well: both work on it in the same way.
  twins.run((kernels) => kernels.fitMatrices(count, M, R, scratch));
  const out = twins.f64(R, 10 * count);
  return matrices.map((_, k) => [...unpacked(out, 10 * k), out[10 * k + 9]]);
}

describe('fitMatrices', () => {
  test('finds the best rotation of any matrix', () => {
    fc.assert(
      fc.property(fc.array(matrix, { minLength: 1, maxLength: 5 }), (matrices) => {
        fit(matrices).forEach(([...r], k) => {
          const trace = r.pop()!;
          const m = matrices[k],
            size = Math.hypot(...m);
          expect(determinant(r)).toBeCloseTo(1, 12);
          for (let i = 0; i < 3; i++) {
            for (let j = 0; j < 3; j++) {
              const product = r[3 * i] * r[3 * j] + r[3 * i + 1] * r[3 * j + 1] + r[3 * i + 2] * r[3 * j + 2];
              expect(product).toBeCloseTo(i === j ? 1 : 0, 12);
            }
          }
          const sum = r.reduce((s, x, i) => s + x * m[i], 0);
          expect(Math.abs(trace - sum)).toBeLessThanOrEqual(1e-14 * size);
          if (size > 1e-140) expect(sum).toBeGreaterThanOrEqual(best(m) - 4e-12 * size);
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('a rotation comes back as it is', () => {
    fc.assert(
      fc.property(fc.tuple(real, real, real, real), ([w, x, y, z]) => {
        const n = w * w + x * x + y * y + z * z;
        fc.pre(n > 0.01);
        const s = 2 / n;
        const r = [
          ...[1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
          ...[s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
          ...[s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
        ];
        fit([r])[0]
          .slice(0, 9)
          .forEach((value, k) => {
            expect(value).toBeCloseTo(r[k], 13);
          });
      }),
      { numRuns: RUNS },
    );
  });

  test('where nothing decides, the previous rotation stays', () => {
    const turned = [0, -1, 0, 1, 0, 0, 0, 0, 1]; // a quarter about z
    expect(fit([new Array(9).fill(0)], turned)[0].slice(0, 9)).toEqual(turned);
    expect(fit([[0, 0, 0, 0, 0, 0, 0, 0, 3]], turned)[0].slice(0, 9)).toEqual(turned);
    // Along x it is wrong, so it changes, though that leaves a circle of rotations open.
    expect(fit([[5, 0, 0, 0, 0, 0, 0, 0, 0]], turned)[0][0]).toBeCloseTo(1, 14);
  });

  test('numbers that overflow leave the previous rotation', () => {
    const turned = [0, -1, 0, 1, 0, 0, 0, 0, 1];
    expect(fit([[1e200, 0, 0, 0, 1e200, 0, 0, 0, 1e200]], turned)[0].slice(0, 9)).toEqual(turned);
  });
});
