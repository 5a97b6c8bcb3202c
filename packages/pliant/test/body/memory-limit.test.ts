import { describe, expect, test } from 'vitest';
import { createEngine, createTriangleMesh, findSelfCollisions, InputError } from '../../src/index.ts';
import { grid } from '../arbitraries.ts';

const SMALL = createTriangleMesh(grid(10, 10));
const LARGE = createTriangleMesh(grid(150, 150)); // 45,000 triangles: 0.2 kB each
const KERNELS = ['wasm', 'ts'] as const;

describe.each(KERNELS)('%s kernels: an engine with a memory limit', (kernels) => {
  test('refuses what needs more, says how much, and stays usable', async () => {
    const engine = await createEngine({ kernels, memoryLimit: 6e6 });
    const small = engine.createFreeBody(SMALL);
    const expected = findSelfCollisions(small).sortedPairs();
    const before = engine.usage;
    let refused = 0;
    for (let round = 0; round < 3; round++) {
      const error = errorOf(() => {
        const body = engine.createFreeBody(LARGE);
        try {
          findSelfCollisions(body);
        } finally {
          body.dispose();
        }
      });
      expect(error).toBeInstanceOf(InputError);
      expect(error).toMatchObject({ code: 'out-of-memory' });
      expect(String(error)).toMatch(
        /MB of kernel memory beside the .* MB in use are more than the memory limit of 6\.0 MB/,
      );
      refused++;
      expect(findSelfCollisions(small).sortedPairs()).toEqual(expected);
    }
    expect(refused).toBe(3);
    expect(engine.usage.bodies).toBe(before.bodies);
    expect(engine.usage.bytes).toBeLessThan(before.bytes + 16 * LARGE.vertexCount + 1000); // scratch memory may have grown
    engine.dispose();
  });

  test('has room for what is within it', async () => {
    const engine = await createEngine({ kernels, memoryLimit: 40e6 });
    expect(findSelfCollisions(engine.createFreeBody(LARGE)).state).toBe('complete');
    expect(engine.kernels.memory.buffer.byteLength).toBeLessThanOrEqual(40e6);
  });
});

test('an allocation of several pieces that fails leaves nothing behind', async () => {
  const { memory } = (await createEngine({ memoryLimit: 4e6 })).kernels;
  const before = memory.bytesInUse;
  expect(errorOf(() => memory.allocateAll(1e6, 1e6, 3e6))).toMatchObject({ code: 'out-of-memory' });
  expect(memory.bytesInUse).toBe(before);
});

test.each([0, 1000, -1, Number.NaN, '5e9'])('memoryLimit %s is refused', async (memoryLimit) => {
  const created = createEngine({ memoryLimit: memoryLimit as number });
  await expect(created).rejects.toThrow('memoryLimit must be a number of bytes of at least 4000000');
});

function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
