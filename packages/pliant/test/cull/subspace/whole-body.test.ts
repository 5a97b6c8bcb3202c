import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareSubspaceCertificate, prepareSubspaceCertificateAsync } from '../../../src/cull/index.ts';
import {
  createEngine,
  createTaskPool,
  createTriangleMesh,
  findSelfCollisions,
  type TriangleMesh,
} from '../../../src/index.ts';
import { readSubspaceCertificate, writeSubspaceCertificate } from '../../../src/io/index.ts';
import { createBumpyBall, createSpring } from '../../../src/shapes/index.ts';
import { expectInputError } from '../../io/expect-input-error.ts';
import { inlineWorkers } from '../../worker/inline-worker.ts';

const RUNS = process.env.PLIANT_FULL ? 400 : 16;
const engine = await createEngine();
const mesh = createTriangleMesh(createBumpyBall({ triangles: 1000 }).source);
const body = engine.createModalBody(mesh, stretchModes(mesh));
const weights = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });

/** Longer or shorter along each axis: at −1 the body is flat, and everything meets everything at once. */
function stretchModes({ positions }: TriangleMesh) {
  const displacements = new Float64Array(3 * positions.length);
  for (let m = 0; m < 3; m++) {
    for (let o = m; o < positions.length; o += 3) displacements[m * positions.length + o] = positions[o];
  }
  return { count: 3, displacements };
}

/** In the given direction, with the given length. */
function poseOf(direction: readonly number[], length: number): number[] {
  const size = Math.hypot(...direction) || 1;
  return direction.map((x) => (length * x) / size);
}

describe('modes that can flatten the body', () => {
  const certificate = prepareSubspaceCertificate(body);
  const [{ lower, limit, pairs }] = certificate.balls;

  test('only the body as a whole has a radius, close to the true one', () => {
    expect([pairs.a.length, limit]).toEqual([1, lower[0]]);
    expect(new Set(lower).size).toBe(1);
    // Nothing shorter than −1 along one axis flattens it.
    expect(lower[0]).toBeGreaterThan(0.94);
    expect(lower[0]).toBeLessThan(1);
  });

  test('below it nothing touches, and answers are the same everywhere', () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 3, noNaN: true }), (direction, share) => {
        body.setPose(poseOf(direction, share * lower[0]));
        const plain = findSelfCollisions(body, { certificates: [] }).sortedPairs();
        expect(findSelfCollisions(body, { certificates: [certificate] }).sortedPairs()).toEqual(plain);
        if (share < 0.9999) expect(plain).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    const flat = poseOf([1, 0, 0], -1);
    body.setPose(flat);
    expect(findSelfCollisions(body, { certificates: [certificate] }).pairCount).toBeGreaterThan(0);
    expect(findSelfCollisions(body, { certificates: [certificate] }).sortedPairs()).toEqual(
      findSelfCollisions(body, { method: 'brute-force' }).sortedPairs(),
    );
  });

  test('the same from workers, from stored parts and from a file', async () => {
    const parts: Uint8Array[] = [];
    const pool = await createTaskPool({ threads: 2, createWorker: inlineWorkers().createWorker });
    const together = await prepareSubspaceCertificateAsync(body, {
      pool,
      onPart: (part) => parts.push(part),
    });
    pool.dispose();
    expect(together.record).toEqual(certificate.record);
    expect(parts.length).toBe(1); // how far to look, and that there is nothing else
    expect(prepareSubspaceCertificate(body, { parts }).record).toEqual(certificate.record);
    const stored = readSubspaceCertificate(writeSubspaceCertificate(certificate), 'stored', body);
    expect(stored.balls).toEqual(certificate.balls);
  });
});

test('a body whose parts come together one after the other is looked into beyond its radius, not without end', () => {
  const spring = createTriangleMesh(createSpring({ triangles: 160, turns: 2 }).source);
  const own = engine.createModalBody(spring, stretchModes(spring));
  const [{ lower, limit, pairs }] = prepareSubspaceCertificate(own).balls;
  expect(limit / lower[0]).toBeGreaterThan(1.2);
  expect(limit / lower[0]).toBeLessThan(16.1);
  expect(pairs.a.length).toBeGreaterThan(1);
  const [hasty] = prepareSubspaceCertificate(own, { effort: 2 }).balls;
  expect([hasty.lower[0], hasty.limit < limit]).toEqual([lower[0], true]);
  expectInputError(() => prepareSubspaceCertificate(own, { effort: 0 }), 'bad-option', 'effort');
});
