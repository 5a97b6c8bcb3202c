import { KERNELS_DEFLATED, SHARED_KERNELS } from './generated/kernels-wasm.ts';
import type { Kernels } from './kernels.ts';
import { KernelMemory, wasmStore } from './memory.ts';
import { decodeBase64, forMemory, inflate } from './wasm-module.ts';

const FIRST_PAGES = 16;
const MOST_PAGES = 65536; // 4 GiB, reserved as addresses only; a shared memory has to say so in advance

type Exports = Omit<Kernels, 'name' | 'memory' | 'raw' | 'all'>;

/** The kernels in WebAssembly, on a memory of their own. Throws where WebAssembly or SIMD is refused. */
export async function createWasmKernels(): Promise<Kernels> {
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES });
  return instantiate(await compile(memory), memory);
}

/** The same on shared memory, for several threads. `module` and `raw` can be posted to a worker. */
export async function createSharedKernels(): Promise<{
  kernels: Kernels;
  module: WebAssembly.Module;
  raw: WebAssembly.Memory;
}> {
  const raw = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true });
  const module = await compile(raw);
  return { kernels: instantiate(module, raw), module, raw };
}

/** Another instance on the same memory: what a worker holds. */
export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  const kernels: Exports = instance.exports as unknown as Exports;
  return { ...kernels, name: 'wasm', memory: new KernelMemory(wasmStore(memory)), raw: memory };
}

async function compile(memory: WebAssembly.Memory): Promise<WebAssembly.Module> {
  const bytes = await inflate(decodeBase64(KERNELS_DEFLATED));
  return WebAssembly.compile(forMemory(memory, bytes, SHARED_KERNELS));
}
