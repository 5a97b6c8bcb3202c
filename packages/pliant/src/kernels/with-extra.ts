import type { AllKernels, ExtraKernels } from './extra-kernels.ts';
import { EXTRA_KERNELS_BASE64, SHARED_EXTRA } from './generated/extra-kernels-wasm.ts';
import type { Kernels } from './kernels.ts';
import { createTsExtraKernels } from './ts-extra-kernels.ts';
import { decodeBase64, forMemory } from './wasm-module.ts';

/** All kernels, on the memory of these; made once for each engine. */
export function withExtra(kernels: Kernels): AllKernels {
  kernels.all ??= { ...createExtra(kernels), ...kernels }; // in this order: modules export their memory as well
  return kernels.all;
}

/** At once, since certificates are prepared without waiting. Old browsers refuse that; the twins leave the same bytes. */
function createExtra({ raw, memory }: Kernels): ExtraKernels {
  if (raw === undefined) return createTsExtraKernels(memory);
  try {
    const module = new WebAssembly.Module(forMemory(raw, decodeBase64(EXTRA_KERNELS_BASE64), SHARED_EXTRA));
    return new WebAssembly.Instance(module, { env: { memory: raw } }).exports as unknown as ExtraKernels;
  } catch {
    return createTsExtraKernels(memory);
  }
}
