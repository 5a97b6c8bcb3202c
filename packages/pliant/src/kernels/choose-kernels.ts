import { InputError } from '../mesh/input-error.ts';
import type { Kernels } from './kernels.ts';
import { arrayStore, KernelMemory } from './memory.ts';
import { createWasmKernels } from './wasm-kernels.ts';

/** For one thread. Errors: 'unsupported' when WebAssembly is wanted and refused. */
export async function chooseKernels(wanted: 'auto' | 'wasm' | 'ts' = 'auto'): Promise<Kernels> {
  if (wanted !== 'ts') {
    try {
      return await createWasmKernels();
    } catch (error) {
      if (wanted === 'wasm') {
        throw new InputError('unsupported', `WebAssembly with SIMD is not available here: ${String(error)}`);
      }
    }
  }
  const { createTsKernels } = await import('./ts-kernels.ts'); // few need them
  return createTsKernels(new KernelMemory(arrayStore()));
}
