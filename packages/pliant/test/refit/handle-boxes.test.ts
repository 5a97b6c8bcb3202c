import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngine, findSelfCollisions } from '../../src/index.ts';
import type { HandleBoxes } from '../../src/refit/handle-boxes.ts';
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
const LONG = { timeout: 1_200_000 };

describe.each(BLENDS)('%s', (kind) => {
  test('every node holds every vertex below it, in any pose and over any motion', LONG, async () => {
    const engine = await createEngine();
    const mesh = createGridMesh();
    let telling = 0;
    fc.assert(
      fc.property(weights, numbers(MODES * 3 * vertexCount), poses, poses, (w, displacements, start, end) => {
        const body = createBlendBody(engine, kind, w, displacements, {}, mesh);
        body.setPose(poseOf(kind, start));
        expect(findEscape(body, false)).toBeUndefined();
        if (body.getLocalBounds(false).box[3] < 1e30) telling++;
        body.setMotion(poseOf(kind, end), poseOf(kind, start));
        expect(findEscape(body, true)).toBeUndefined();
        body.dispose();
      }),
      { numRuns: RUNS },
    );
    expect(telling).toBeGreaterThan(RUNS / 2); // a volume without end holds everything
  });

  test('a box that leaves out what weights or modes can add is found out', async () => {
    const engine = await createEngine();
    const mesh = createGridMesh();
    expect(() =>
      fc.assert(
        fc.property(weights, numbers(MODES * 3 * vertexCount), poses, (w, displacements, start) => {
          const body = createBlendBody(engine, kind, w, displacements, {}, mesh);
          const { entries, entryCount, modeEntries, modeEntryCount } = (
            body.getLocalBounds(false) as HandleBoxes
          ).nodes;
          const { f32 } = engine.kernels.memory;
          for (let e = 0; e < entryCount; e++) f32[(entries >>> 2) + 4 * e + 1] *= 0.5; // cap
          for (let e = 0; e < modeEntryCount; e++)
            for (let k = 0; k < 3; k++) f32[(modeEntries >>> 2) + 7 * e + 4 + k] *= 0.5; // half size
          body.setPose(poseOf(kind, start));
          const message = findEscape(body, false);
          body.dispose();
          return message === undefined;
        }),
        { numRuns: 200, endOnFailure: true },
      ),
    ).toThrow('Property failed');
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
