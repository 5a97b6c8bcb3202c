import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isAlignedBeyond,
  isSteeperThan,
  writeNormUpperBound,
  writeRotation,
} from '../../src/algebra/matrix3.ts';

const entry = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.constantFrom(1e-9, 1e9, 1e-170, 0),
);
const matrix3 = fc.array(entry, { minLength: 9, maxLength: 9 }).map((m) => Float64Array.from(m));
/** Rotations times diagonals: their singular values are known. */
const known = fc
  .tuple(
    matrix3,
    matrix3,
    fc.array(fc.double({ min: 0.001, max: 3, noNaN: true }), { minLength: 3, maxLength: 3 }),
  )
  .map(([a, b, sigma]) => {
    const [Q, R] = [orthogonal(a), orthogonal(b)];
    return {
      A: multiply(
        Q.map((x, k) => x * sigma[k % 3]),
        R,
      ),
      sigma: sigma.sort((s, t) => s - t),
    };
  });

/** Gram–Schmidt, with axes where there is nothing to start from. */
function orthogonal(m: Float64Array): Float64Array {
  const rows: number[][] = [];
  for (const candidate of [m.subarray(0, 3), m.subarray(3, 6), [1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
    let v = [...candidate];
    for (let pass = 0; pass < 2; pass++) {
      const length = Math.hypot(...v);
      if (!(length > 1e-3)) break;
      v = v.map((x) => x / length);
      for (const row of rows) {
        const dot = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
        v = v.map((x, k) => x - dot * row[k]);
      }
    }
    const length = Math.hypot(...v);
    if (rows.length < 3 && length > 0.01 && length < 10) rows.push(v.map((x) => x / length));
  }
  return Float64Array.from(rows.flat());
}

function normUpperBound(A: Float64Array, o: number): number {
  const out = new Float64Array(2);
  writeNormUpperBound(A, o, out, 1);
  return out[1];
}

const of = (bound: number) => Float64Array.of(bound);

function multiply(A: Float64Array, B: Float64Array): Float64Array {
  return A.map((_, k) => {
    const r = k - (k % 3),
      c = k % 3;
    return A[r] * B[c] + A[r + 1] * B[3 + c] + A[r + 2] * B[6 + c];
  });
}

test('the norm is bounded from above, and closely for rotations times a scale', () => {
  fc.assert(
    fc.property(known, ({ A, sigma }) => {
      const bound = normUpperBound(A, 0);
      expect(bound).toBeGreaterThanOrEqual(sigma[2] * (1 - 1e-14));
      expect(bound).toBeLessThanOrEqual(sigma[2] * 1.7321);
    }),
  );
  fc.assert(
    fc.property(matrix3, fc.double({ min: 0.1, max: 10, noNaN: true }), (m, s) => {
      expect(
        normUpperBound(
          orthogonal(m).map((x) => s * x),
          0,
        ) / s,
      ).toBeCloseTo(1, 12);
    }),
  );
  expect(normUpperBound(new Float64Array(9).fill(1e-300), 0)).toBeGreaterThan(3e-300);
});

test('“steeper than” is true just below the smallest singular value, and false above', () => {
  fc.assert(
    fc.property(known, ({ A, sigma }) => {
      expect(isSteeperThan(A, 0, of(sigma[0] * (1 + 1e-9)), 0)).toBe(false);
      if (sigma[0] > 0.01 * sigma[2]) expect(isSteeperThan(A, 0, of(sigma[0] * (1 - 1e-8)), 0)).toBe(true);
    }),
  );
  for (const rank of [0, 1, 2]) {
    fc.assert(
      fc.property(matrix3, matrix3, (a, b) => {
        const flat = orthogonal(a).map((x, k) => (k % 3 < rank ? x : 0));
        expect(isSteeperThan(multiply(flat, orthogonal(b)), 0, of(0), 0)).toBe(false);
      }),
    );
  }
  expect(isSteeperThan(new Float64Array(9).fill(Number.NaN), 0, of(0), 0)).toBe(false);
});

test('a rotation has norm 1 at most and aligns what it comes from', () => {
  fc.assert(
    fc.property(known, ({ A, sigma }) => {
      const R = new Float64Array(9);
      if (!writeRotation(A, R)) {
        expect(sigma[0] * sigma[1] * sigma[2]).toBeLessThan(1e-6 * sigma[2] ** 3);
        return;
      }
      for (const v of [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [1, 1, 1],
        [1, -2, 0.5],
      ]) {
        const image = [0, 3, 6].map((r) => R[r] * v[0] + R[r + 1] * v[1] + R[r + 2] * v[2]);
        expect(Math.hypot(...image)).toBeLessThanOrEqual(Math.hypot(...v) * (1 + 1e-15));
      }
      expect(isAlignedBeyond(A, 0, R, of(sigma[0] * (1 + 1e-9)), 0)).toBe(false);
      if (sigma[0] > 0.05 * sigma[2]) expect(isAlignedBeyond(A, 0, R, of(sigma[0] * 0.99), 0)).toBe(true);
    }),
  );
  expect(writeRotation(new Float64Array(9), new Float64Array(9))).toBe(false);
});

test('“aligned beyond” is a claim about every direction', () => {
  fc.assert(
    fc.property(matrix3, matrix3, fc.array(matrix3, { maxLength: 5 }), (a, m, directions) => {
      const R = orthogonal(m).map((x) => x * (1 - 1e-15));
      if (!isAlignedBeyond(a, 0, R, of(0.01), 0)) return;
      for (const d of directions) {
        for (let o = 0; o < 9; o += 3) {
          const v = d.subarray(o, o + 3);
          const image = (M: Float64Array) =>
            [0, 3, 6].map((r) => M[r] * v[0] + M[r + 1] * v[1] + M[r + 2] * v[2]);
          const [x, y] = [image(a), image(R)];
          const dot = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
          expect(dot).toBeGreaterThanOrEqual(0.01 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * (1 - 1e-9));
        }
      }
    }),
  );
});
