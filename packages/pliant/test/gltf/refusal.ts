import { expect } from 'vitest';
import { readGltf } from '../../src/gltf/index.ts';
import { InputError } from '../../src/mesh/input-error.ts';

/** What reading throws; its message starts with the name of the file. */
export async function refusal(bytes: Uint8Array): Promise<unknown> {
  const error = await readGltf(bytes, 'hero.glb').catch((caught: unknown) => caught);
  if (error instanceof InputError) expect(error.message).toMatch(/^hero\.glb: /);
  return error;
}
