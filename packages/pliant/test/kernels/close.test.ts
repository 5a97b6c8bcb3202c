import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeSide } from '../../src/kernels/ts/close.ts';
import { orient3dFilter } from '../../src/narrow/orient.ts';
import { anyExponent, coplanar, perturbed, real, touching } from '../narrow/triangle-arbitraries.ts';
import { oracleOrient3d } from '../oracles/rational.ts';

const RUNS = process.env.PLIANT_FULL ? 100_000 : 5_000;

/** Four points, 12 numbers: in general position, nearly or exactly in one plane, of all magnitudes. */
const fourPoints: fc.Arbitrary<Float64Array> = fc.oneof(
  twelve(real()),
  twelve(anyExponent()),
  fc.oneof(perturbed(coplanar()), perturbed(touching())).map((v) => v.slice(0, 12)),
  fc.oneof(perturbed(coplanar()), perturbed(touching())).map((v) => v.slice(6, 18)),
);

function twelve(x: fc.Arbitrary<number>): fc.Arbitrary<Float64Array> {
  return fc.array(x, { minLength: 12, maxLength: 12 }).map((v) => Float64Array.from(v));
}

/** −1, 0 or 1; 0 is undecided. */
function closeSign(p: Float64Array): number {
  return closeSide(p, 0, 3, 6, 9) - 1;
}

function isNeverWrong(sign: (p: Float64Array) => number) {
  return fc.property(fourPoints, (p) => {
    const found = sign(p);
    return found === 0 || found === oracleOrient3d(p);
  });
}

test('a side in twice the precision is never wrong', () => {
  fc.assert(isNeverWrong(closeSign), { numRuns: RUNS });
});

test('that property can fail: plain float64 without a bound', () => {
  const plain = (p: Float64Array) => {
    const [u, v, w] = [3, 6, 9].map((o) => [p[o] - p[0], p[o + 1] - p[1], p[o + 2] - p[2]]);
    const n = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    return Math.sign(w[0] * n[0] + w[1] * n[1] + w[2] * n[2]) || 0;
  };
  expect(() => fc.assert(isNeverWrong(plain), { numRuns: RUNS })).toThrow('Counterexample');
});

test('it decides what a float64 filter leaves open, unless the sign is 0', () => {
  let open = 0,
    decided = 0;
  fc.assert(
    fc.property(perturbed(fc.oneof(coplanar(), touching())), (v) => {
      const p = v.slice(0, 12);
      if (oracleOrient3d(p) === 0 || orient3dFilter(p, 0, p, 3, p, 6, p, 9) !== 0) return;
      open++;
      if (closeSign(p) !== 0) decided++;
    }),
    { numRuns: RUNS },
  );
  expect(open).toBeGreaterThan(RUNS / 50);
  expect(decided).toBeGreaterThan(0.9 * open);
});
