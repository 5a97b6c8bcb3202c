import { describe, expect, test } from 'vitest';
import { FIRST_ADDRESS } from '../../src/kernels/memory.ts';
import { createSharedKernels, createWasmKernels } from '../../src/kernels/wasm-kernels.ts';
import { forMemory } from '../../src/kernels/wasm-module.ts';
import { withExtra } from '../../src/kernels/with-extra.ts';

describe('the extra kernels', () => {
  test('are made once, on the memory of the others, and leave their tables alone', async () => {
    const kernels = await createWasmKernels();
    const before = kernels.memory.u8.slice(0, FIRST_ADDRESS);
    const all = withExtra(kernels);
    expect(withExtra(kernels)).toBe(all);
    expect(all.memory).toBe(kernels.memory);
    expect(all.narrowPairs).toBe(kernels.narrowPairs);
    const after = kernels.memory.u8.slice(0, FIRST_ADDRESS);
    const used = before.findLastIndex((byte) => byte !== 0);
    expect(used).toBeGreaterThan(1000); // the tables are there
    expect(after.subarray(0, used + 1)).toEqual(before.subarray(0, used + 1));
    expect(kernels.memory.u8.subarray(FIRST_ADDRESS).every((byte) => byte === 0)).toBe(true);
  });

  test('work on shared memory as well', async () => {
    const { kernels } = await createSharedKernels();
    const all = withExtra(kernels);
    const { memory } = all;
    const at = memory.allocate(64);
    memory.f64.set([3, 4, 5, 6, 0, 0], at >>> 3);
    all.multiplyRows(at, 2, 1, at + 16, 2, 1, 2, 0, at + 32, 2);
    expect(memory.f64[(at + 32) >>> 3]).toBe(3 * 5 + 4 * 6);
    expect(memory.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(String(all.multiplyRows)).toContain('native code'); // not the twins in TypeScript
  });

  test('a module is patched for shared memory only', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5);
    const patch = { from: 1, to: 3, bytes: [7, 8, 9] };
    expect(forMemory(new WebAssembly.Memory({ initial: 1 }), bytes, patch)).toBe(bytes);
    const shared = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    expect([...forMemory(shared, bytes, patch)]).toEqual([1, 7, 8, 9, 4, 5]);
  });
});
