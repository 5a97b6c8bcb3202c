import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepareSubspaceCertificate } from '../../../src/cull/index.ts';
import { pullInside } from '../../../src/cull/subspace/pull-inside.ts';
import { createEngine, findSelfCollisions, InputError } from '../../../src/index.ts';
import { modalCase } from './modal-cases.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 20;
const engine = await createEngine();
const value = fc.double({ min: -3, max: 3, noNaN: true });
const kinds = fc.constantFrom('ball' as const, 'one-sided' as const, 'box' as const);

test('is inside, and no pose inside is nearer', () => {
  fc.assert(
    fc.property(
      kinds,
      fc.array(value, { minLength: 1, maxLength: 6 }),
      fc.array(value, { minLength: 6, maxLength: 6 }),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
      (kind, numbers, others, radius) => {
        const from = Float64Array.from(numbers);
        const q = from.slice();
        const moved = pullInside(kind, q, radius);
        const gauge = (p: Float64Array) => (kind === 'box' ? Math.max(...p) : Math.hypot(...p));
        expect(gauge(q)).toBeLessThan(radius);
        if (kind !== 'ball') expect(q.every((x) => x >= 0)).toBe(true);
        expect(Math.hypot(...from.map((x, m) => x - q[m]))).toBeCloseTo(moved, 9);
        const other = from.map((_, m) => (kind === 'ball' ? others[m] : Math.abs(others[m])));
        const share = Math.min(1, (0.999 * radius) / Math.max(1e-9, gauge(other)));
        const far = Math.hypot(...from.map((x, m) => x - share * other[m]));
        expect(moved).toBeLessThanOrEqual(far + 1e-6 * radius + 1e-9);
      },
    ),
    { numRuns: 1000 },
  );
});

test('nothing touches there, and what is clear stays where it is', () => {
  fc.assert(
    fc.property(
      modalCase,
      kinds,
      fc.array(value, { minLength: 6, maxLength: 6 }),
      ({ mesh, modes }, gauge, numbers) => {
        const body = engine.createModalBody(mesh, modes);
        const certificate = prepareSubspaceCertificate(body, { gauge, reach: 2 });
        const q = certificate.closestClear(numbers.slice(0, modes.count));
        if (certificate.balls[0].lower[0] === 0) expect(q).toBeUndefined();
        else {
          body.setPose(q!);
          expect(certificate.gaugeOfPose()).toBeLessThan(certificate.balls[0].lower[0]);
          expect(findSelfCollisions(body, { method: 'brute-force' }).pairCount).toBe(0);
          const half = q!.map((x) => x / 2);
          expect(certificate.closestClear(half)).toEqual(half);
        }
        body.dispose();
      },
    ),
    { numRuns: RUNS },
  );
});

test('refuses a pose of another length', () => {
  const [{ mesh, modes }] = fc.sample(modalCase, { numRuns: 1, seed: 1 });
  const body = engine.createModalBody(mesh, modes);
  const certificate = prepareSubspaceCertificate(body, { reach: 1 });
  expect(() => certificate.closestClear(new Float64Array(modes.count + 1))).toThrow(InputError);
});
