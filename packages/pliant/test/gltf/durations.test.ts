import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readGltf } from '../../src/gltf/index.ts';

const folder =
  process.env.PLIANT_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const path = `${folder}/skinned/KayKit_Knight.glb`;

test.skipIf(!process.env.PLIANT_DATA && !existsSync(path))(
  'a clip ends where the file says, not where float32 keys have been rounded to',
  async () => {
    const { clips } = await readGltf(new Uint8Array(readFileSync(path)), 'KayKit_Knight.glb');
    expect(clips.find(({ name }) => name === 'Interact')?.duration).toBe(1.3);
    const frames = clips.map(({ duration }) => Math.floor(30 * duration + 1e-6) + 1);
    expect(frames.reduce((sum, count) => sum + count, 0)).toBe(2818);
  },
);
