import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngine, findSelfCollisions } from '../../src/index.ts';
import { selfPairs } from '../oracles/brute-force.ts';
import {
  BLENDS,
  createBlendBody,
  createGridMesh,
  JOINTS,
  MODES,
  numbers,
  poseOf,
  poses,
  vertexCount,
  weights,
} from './blend-arbitraries.ts';
import { findEscape } from './find-escape.ts';

const RUNS = process.env.PLIANT_FULL ? 10_000 : 400;

describe.each(BLENDS)('%s', (kind) => {
  test('every node holds every vertex below it, in any pose and over any motion', async () => {
    const engine = await createEngine();
    const mesh = createGridMesh();
    fc.assert(
      fc.property(weights, numbers(MODES * 3 * vertexCount), poses, poses, (w, displacements, start, end) => {
        const body = createBlendBody(engine, kind, w, displacements, {}, mesh);
        body.setPose(poseOf(kind, start));
        expect(findEscape(body, false)).toBeUndefined();
        body.setMotion(poseOf(kind, end), poseOf(kind, start));
        expect(findEscape(body, true)).toBeUndefined();
        body.dispose();
      }),
      { numRuns: RUNS },
    );
  });
});

test('on-demand queries of a skinned body find what brute force finds', async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  fc.assert(
    fc.property(weights, poses, (w, pose) => {
      const body = createBlendBody(engine, 'skin', w, [], {}, mesh);
      body.setPose(pose.joints);
      const report = findSelfCollisions(body, { method: 'on-demand' });
      expect(report.sortedPairs()).toEqual(selfPairs(mesh, body.getLocalPositions()));
      body.dispose();
    }),
    { numRuns: 60 },
  );
});

test('constant weights give the box of one affine map, and equal handles that of the handle', async () => {
  const engine = await createEngine();
  const w = Array.from({ length: vertexCount }, () => [0.25, 0.5, 0, 0.25]).flat();
  const body = createBlendBody(engine, 'skin', w, []);
  const turn = [0, -1, 0, 3, 1, 0, 0, 4, 0, 0, 1, 5];
  body.setPose([...turn, ...turn, ...new Array(12).fill(9), ...turn]);
  body.getLocalBounds(false).begin(false);
  body.getLocalBounds(false).ensure(0);
  const expected = [-3, 4, 5, 3, 12, 5];
  expected.forEach((x, k) => void expect(body.getLocalBounds(false).box[k]).toBeCloseTo(x, 4));
  expect(w.length).toBe(JOINTS * vertexCount);
});
