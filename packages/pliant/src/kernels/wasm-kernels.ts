import { KERNELS_BASE64, SHARED_KERNELS_BASE64 } from './generated/kernels-wasm.ts';
import type { Kernels } from './kernels.ts';
import { KernelMemory, wasmStore } from './memory.ts';

const FIRST_PAGES = 16;
const MOST_PAGES = 65536; // 4 GiB, reserved as addresses only; a shared memory has to say so in advance

type Exports = Omit<Kernels, 'name' | 'memory'>;

/** The kernels in WebAssembly, on a memory of their own. Throws where WebAssembly or SIMD is refused. */
export async function createWasmKernels(): Promise<Kernels> {
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES });
  const module = await WebAssembly.compile(decodeBase64(KERNELS_BASE64));
  return instantiate(module, memory);
}

/** The same on shared memory, for several threads. `module` and `raw` can be posted to a worker. */
export async function createSharedKernels(): Promise<{
  kernels: Kernels;
  module: WebAssembly.Module;
  raw: WebAssembly.Memory;
}> {
  const raw = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true });
  const module = await WebAssembly.compile(decodeBase64(SHARED_KERNELS_BASE64));
  return { kernels: instantiate(module, raw), module, raw };
}

/** Another instance on the same memory: what a worker holds. */
export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  const kernels: Exports = instance.exports as unknown as Exports;
  return { ...kernels, name: 'wasm', memory: new KernelMemory(wasmStore(memory)) };
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
