import { expect, test } from 'vitest';
import { createEngine } from '../../../src/worker/create-engine.ts';
import { createBar } from './scenes.ts';

test('creation tells how far it is', async () => {
  const shares: number[] = [];
  const shape = await createBar({ onProgress: (share) => shares.push(share), slice: 1 });
  shape.dispose();
  expect(shares.length).toBeGreaterThan(3);
  expect(
    shares.every((share, k) => share >= 0 && share <= 1 && (k === 0 || share >= shares[k - 1] - 1e-9)),
  ).toBe(true);
});

test('creation can be stopped at any time, and leaves nothing behind', async () => {
  const engine = await createEngine();
  const { bytes } = engine.usage;
  for (const limit of [0.1, 0.4, 0.8]) {
    const stop = new AbortController();
    const creation = createBar({
      engine,
      slice: 1,
      signal: stop.signal,
      onProgress: (share) => {
        if (share >= limit) stop.abort(new Error('enough'));
      },
    });
    await expect(creation).rejects.toThrow('enough');
    expect(engine.usage.bytes).toBe(bytes);
  }
  engine.dispose();
});
