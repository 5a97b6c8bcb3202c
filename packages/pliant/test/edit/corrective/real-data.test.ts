import { describe, expect, test } from 'vitest';
import { createCorrection } from '../../../src/edit/index.ts';
import { readGltf } from '../../../src/gltf/index.ts';
import { hasSharedData, sharedFile } from '../../io/shared-data.ts';
import { touchingPairs } from './tube-gltf.ts';

describe.skipIf(!hasSharedData)('real data', () => {
  test.each([
    ['CesiumMan', '0', 16 / 30, 101],
    ['Fox', 'Run', 1.1, 87],
  ])('%s, clip %s at %d s', async (name, clip, time, pairs) => {
    const bytes = sharedFile(`skinned/${name}.glb`);
    const scene = await readGltf(bytes, name);
    const correction = await createCorrection(scene, clip, time, {
      shape: 'needed',
      cage: { vertices: 4000 },
    });
    expect(correction.before.pairs).toBe(pairs);
    await correction.resolve();
    const index = scene.clips.findIndex(({ name: found }, k) => (found || String(k)) === clip);
    const written = await readGltf(await correction.writeGlb(bytes), name);
    expect(await touchingPairs(written, 0, index, time)).toBe(0);
    correction.dispose();
  });
});
