import { expect, test } from 'vitest';
import { CASES, createTrack, FRAMES, QUICK_FRAMES, QUICK_SCALE } from '../src/scenes.ts';

test.each(CASES)('%s: the poses are the same as ever', (name) => {
  const options = { scale: QUICK_SCALE, frames: QUICK_FRAMES };
  const track = createTrack(name, options);
  if (track === undefined) return; // recorded data that is not here
  expect(track.storedHash).toBeDefined();
  expect(track.hash).toBe(track.storedHash);
  expect(createTrack(name, options)!.hash).toBe(track.hash);
});

test('spring-16k at full size: the poses are the same as ever', () => {
  const { mesh, poses, hash, storedHash } = createTrack('spring-16k')!;
  expect(mesh.triangleCount).toBe(16_000);
  expect(poses).toHaveLength(FRAMES);
  expect(hash).toBe(storedHash);
});

test('poses hold float32 numbers, so that every contender sees the same', () => {
  const { poses } = createTrack('ball-15k', { scale: 0.01, frames: 2 })!;
  for (const pose of poses) for (const x of pose) expect(Math.fround(x)).toBe(x);
});

test('other lengths and consecutive frames have no stored hash', () => {
  expect(createTrack('ball-15k', { scale: 0.01, frames: 2 })!.storedHash).toBeUndefined();
  const options = { scale: QUICK_SCALE, frames: QUICK_FRAMES, consecutive: true };
  expect(createTrack('ball-15k', options)!.storedHash).toBeUndefined();
});
