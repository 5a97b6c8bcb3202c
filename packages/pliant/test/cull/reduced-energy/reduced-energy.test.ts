import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReducedEnergyCertificate } from '../../../src/cull/index.ts';
import { createEngine, findAnySelfCollision, findSelfCollisions } from '../../../src/index.ts';
import { KERNELS, METHODS } from '../../conformance/scenes.ts';
import { movingSelfPairs, selfPairs } from '../../oracles/brute-force.ts';
import { type BlendPoseNumbers, blendCase, JOINTS, movingCase, poseOf } from '../blend-cases.ts';
import { expectNoHits, lying, property, scale, type Tried } from './held-nodes.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 24;
const MOTIONS = RUNS / 8; // brute force over a motion is slow
const LONG = 1_200_000; // milliseconds
/** A lie has to come out; how small the case can be made is not the question here. */
const CAUGHT = { numRuns: 5000, endOnFailure: true };

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
/** Motions that stay near the rest pose: most of them can be proved, and brute force is quick about them. */
const calmMotion = movingCase.map((of) => ({ ...of, start: calm(of.start, 0.1), end: calm(of.end, 0.2) }));

function calm({ joints, modes }: BlendPoseNumbers, share: number): BlendPoseNumbers {
  const rest = Array.from({ length: JOINTS }, () => IDENTITY).flat();
  return { joints: rest.map((x, k) => x + share * (joints[k] - x)), modes: modes.map((q) => share * q) };
}

/** Lies that make proofs hold which do not. */
const LIES: readonly (readonly [string, (certificate: ReducedEnergyCertificate) => void])[] = [
  ['the ratio is larger', ({ patches }) => scale(patches.least, 3)],
  ['the ratio across is larger', ({ patches }) => scale(patches.leastAcross, 3)],
  [
    'the energy is smaller',
    ({ patches }) => [patches.factor, patches.rest].forEach((f) => void scale(f, 0.3)),
  ],
];

describe('a node that holds', () => {
  const inPose = (tried: Tried) => {
    const { body, of } = tried;
    body.setPose(poseOf(of, of.start));
    return expectNoHits(tried, selfPairs(of.mesh, body.getLocalPositions()), false);
  };

  test('does not touch itself in a pose', { timeout: LONG }, async () => {
    const engine = await createEngine();
    let proofs = 0;
    fc.assert(
      property(engine, blendCase, (tried) => void (proofs += inPose(tried))),
      { numRuns: RUNS },
    );
    expect(proofs).toBeGreaterThan(RUNS / 2);
  });

  /** Brute force over a motion is slow, so it is asked only where there is something to check. */
  const onTheWay = (tried: Tried) => {
    const { body, of } = tried;
    body.setPose(poseOf(of, of.end));
    const end = body.getLocalPositions().slice();
    body.setPose(poseOf(of, of.start));
    const start = body.getLocalPositions().slice();
    body.setMotion(poseOf(of, of.start), poseOf(of, of.end));
    if (expectNoHits(tried, [], true) === 0) return 0;
    const hits = movingSelfPairs(of.mesh, start, end).map(([i, j]) => [i, j] as const);
    return expectNoHits(tried, hits, true);
  };

  test('… nor on the way of a motion', { timeout: LONG }, async () => {
    const engine = await createEngine();
    let proofs = 0;
    fc.assert(
      property(
        engine,
        fc.oneof(calmMotion, calmMotion, movingCase),
        (tried) => void (proofs += onTheWay(tried)),
      ),
      { numRuns: RUNS / 2 },
    );
    expect(proofs).toBeGreaterThan(0);
  });

  test('… which fails when only the start is looked at', { timeout: LONG }, async () => {
    const engine = await createEngine();
    const hasty = lying(({ proof }) => {
      const prove = proof.prove.bind(proof);
      proof.prove = (patch) => prove(patch, false);
    });
    const check = (tried: Tried) => void onTheWay(tried);
    expect(() => fc.assert(property(engine, movingCase, check, hasty), CAUGHT)).toThrow('Counterexample');
  });

  test.each(LIES)('a lie is found out: %s', { timeout: LONG }, async (_, lie) => {
    const engine = await createEngine();
    const check = (tried: Tried) => void inPose(tried);
    expect(() => fc.assert(property(engine, blendCase, check, lying(lie)), CAUGHT)).toThrow('Counterexample');
  });
});

describe.each(KERNELS)('%s kernels: answers are those of brute force', (kernels) => {
  const check = ({ body, certificate, of }: Tried) => {
    const options = { certificates: [certificate] };
    body.setPose(poseOf(of, of.start));
    const expected = selfPairs(of.mesh, body.getLocalPositions());
    for (const method of METHODS) {
      expect(findSelfCollisions(body, { ...options, method }).sortedPairs()).toEqual(expected);
    }
    expect(findAnySelfCollision(body, options) !== undefined).toBe(expected.length > 0);
  };
  const checkMotion = ({ body, certificate, of }: Tried) => {
    const options = { certificates: [certificate], continuous: true };
    body.setMotion(poseOf(of, of.start), poseOf(of, of.end));
    const expected = findSelfCollisions(body, { method: 'brute-force', continuous: true }).sortedPairs();
    for (const method of ['auto', 'batch', 'on-demand'] as const) {
      expect(findSelfCollisions(body, { ...options, method }).sortedPairs()).toEqual(expected);
    }
  };

  test('in a pose', { timeout: LONG }, async () => {
    const engine = await createEngine({ kernels });
    fc.assert(property(engine, blendCase, check), { numRuns: RUNS });
  });

  test('over a motion', { timeout: LONG }, async () => {
    const engine = await createEngine({ kernels });
    fc.assert(property(engine, movingCase, checkMotion), { numRuns: MOTIONS });
  });

  test('a certificate that keeps its exceptions to itself makes that fail', { timeout: LONG }, async () => {
    const engine = await createEngine({ kernels });
    const silent = lying((certificate) => {
      certificate.exceptions = () => {};
    });
    expect(() => fc.assert(property(engine, blendCase, check, silent), CAUGHT)).toThrow('Counterexample');
  });
});
