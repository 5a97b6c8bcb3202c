import { expect, test } from 'vitest';
import { GroupMemory } from '../../../src/edit/basis/group-memory.ts';
import { createWasmKernels } from '../../../src/kernels/wasm-kernels.ts';

test('a group is there once, for as long as somebody holds it', async () => {
  const kernels = await createWasmKernels();
  const memory = new GroupMemory(kernels);
  const { bytesInUse } = kernels.memory;
  const rows = Uint32Array.of(3, 5, 8),
    weights = Float32Array.of(1, 2, 3, 4, 5, 6);
  const group = { id: 4, rows, columns: 2, weights };
  const first = memory.hold(group),
    second = memory.hold(group);
  expect(second).toEqual(first);
  expect(kernels.memory.u32.subarray(first.rows >>> 2, (first.rows >>> 2) + 3)).toEqual(rows);
  expect(kernels.memory.f32.subarray(first.weights >>> 2, (first.weights >>> 2) + 6)).toEqual(weights);
  const global = memory.hold({ id: 0, rows: Uint32Array.of(0, 1, 2), columns: 2, weights });
  expect(global.rows).toBe(0); // all of them
  memory.release(4);
  memory.release(0);
  expect(kernels.memory.bytesInUse).toBeGreaterThan(bytesInUse);
  memory.release(4);
  memory.release(4); // nobody holds it
  expect(kernels.memory.bytesInUse).toBe(bytesInUse);
});
