import { expect, test } from 'vitest';
import { findWeightRanges, spreadOut } from '../../src/certify/weight-range.ts';
import type { PartMesh, PartMoment, ScenePart } from '../../src/scene/scene.ts';

/** A part with one clip of two seconds, whose weights are a function of time. */
function partOf(weights: (time: number) => number[], duration = 2): ScenePart {
  const modes = { count: 2, displacements: [], names: [] };
  return {
    path: 'x.glb',
    meshes: [{ name: 'Face', modes } as unknown as PartMesh, { name: 'Stone' } as PartMesh],
    clips: [{ name: 'Talk', duration }],
    notes: [],
    poses: async ({ clip, time = 0 }: PartMoment) => [
      {
        world: new Float64Array(12),
        weights: Float64Array.from(clip === undefined ? [0, 0] : weights(time)),
      },
      { world: new Float64Array(12) },
    ],
  };
}

test('the largest weight and length of all clips, the last moment included', async () => {
  const [face, stone] = await findWeightRanges(partOf((time) => [time, time / 2]));
  expect(stone).toBeUndefined();
  expect(face).toMatchObject({ hasClips: true, hasNegative: false, largestWeight: 2 });
  expect(face!.largestNorm).toBeCloseTo(Math.sqrt(5), 12);
});

test('negative weights are noticed', async () => {
  const [face] = await findWeightRanges(partOf((time) => [0.3, Math.sin(3 * time) - 0.5]));
  expect(face!.hasNegative).toBe(true);
});

test('a clip of an hour is sampled, not swallowed', async () => {
  const [face] = await findWeightRanges(partOf((time) => [time / 3600, 0], 3600));
  expect(face!.poses.length).toBe(2000);
  expect(face!.largestWeight).toBe(1);
});

test('poses are chosen far from each other and from rest', () => {
  const poses = [
    [0, 0],
    [1, 0],
    [0.99, 0],
    [0, 0.6],
    [0, 0.5],
  ].map((pose) => Float64Array.from(pose));
  expect(spreadOut(poses, 2)).toEqual([poses[1], poses[3]]);
  expect(spreadOut(poses, 99).length).toBe(4); // rest is no pose of its own
  expect(spreadOut([], 3)).toEqual([]);
});
