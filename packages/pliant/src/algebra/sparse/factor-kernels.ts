import { FACTOR_BASE64 } from '../../kernels/generated/factor-wasm.ts';
import { InputError } from '../../mesh/input-error.ts';
import { createTsFactorKernels } from './ts-factor-kernels.ts';

/**
 * The numerical work on one factor, in WebAssembly or in TypeScript, on a memory of its own. Both do the same operations
 * in the same order and leave the same numbers. `header` is where the factor's header stands.
 */
export interface FactorKernels {
  readonly name: 'wasm' | 'ts';
  readonly buffer: ArrayBuffer;
  /** Supernodes `from` to `to`, in one or several calls, in order. -1, or the column without a pivot. */
  factorise(header: number, from: number, to: number): number;
  solveOne(header: number): void;
  solveEight(header: number): void;
}

/** Kernels on a memory of `bytes` bytes, a whole number of pages, all zero. */
export async function createFactorKernels(
  choice: 'auto' | 'wasm' | 'ts',
  bytes: number,
): Promise<FactorKernels> {
  if (choice === 'ts') return createTsFactorKernels(allocate(bytes, (n) => new ArrayBuffer(n)));
  let module: WebAssembly.Module;
  try {
    module = await WebAssembly.compile(Uint8Array.from(atob(FACTOR_BASE64), (c) => c.charCodeAt(0)));
  } catch (error) {
    if (choice === 'wasm') throw error;
    return createFactorKernels('ts', bytes); // refused, by a content security policy for instance
  }
  const memory = allocate(bytes, (n) => new WebAssembly.Memory({ initial: n / PAGE, maximum: n / PAGE }));
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  const { factorise, solveOne, solveEight } = instance.exports as unknown as FactorKernels;
  return { name: 'wasm', buffer: memory.buffer, factorise, solveOne, solveEight };
}

const PAGE = 65536;

function allocate<T>(bytes: number, make: (bytes: number) => T): T {
  try {
    return make(bytes);
  } catch {
    throw new InputError('too-large', `the factor needs ${bytes} bytes, which cannot be had here`);
  }
}
