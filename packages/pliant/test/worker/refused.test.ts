import { afterEach, expect, test, vi } from 'vitest';
import { createEngine, createTriangleMesh, findSelfCollisions } from '../../src/index.ts';
import { createCloth } from '../../src/shapes/index.ts';

afterEach(() => vi.restoreAllMocks());

/** As a content security policy does. */
function refuseWebAssembly(): void {
  const refuse = () => Promise.reject(new WebAssembly.CompileError('refused by the policy'));
  vi.spyOn(WebAssembly, 'compile').mockImplementation(refuse);
}

async function pairsOf(options: {
  threads?: number;
}): Promise<{ kernels: string; threads: number; pairs: unknown }> {
  const engine = await createEngine(options);
  const cloth = createCloth({ triangles: 800, motion: 'fold', period: 2 });
  const pose = new Float64Array(cloth.source.positions.length);
  cloth.deform(1, pose);
  const body = engine.createFreeBody(createTriangleMesh(cloth.source));
  body.setPose(pose);
  const pairs = findSelfCollisions(body).sortedPairs();
  const { threads } = engine;
  engine.dispose();
  return { kernels: engine.kernels.name, threads, pairs };
}

test.each([1, 2])(
  'where WebAssembly is refused, kernels in TypeScript give the same pairs: threads %i',
  async (threads) => {
    const usual = await pairsOf({});
    expect(usual.kernels).toBe('wasm');
    refuseWebAssembly();
    const found = await pairsOf({ threads });
    expect(found).toEqual({ ...usual, kernels: 'ts', threads: 1 });
    expect(usual.pairs).not.toEqual([]);
  },
);

test.each([1, 2])('who insists on WebAssembly is told: threads %i', async (threads) => {
  refuseWebAssembly();
  await expect(createEngine({ kernels: 'wasm', threads })).rejects.toThrow(
    /WebAssembly with SIMD is not available/,
  );
});
