import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { DracoDecoderModule, GltfDecoders, MeshoptDecoder } from './decoders.ts';

interface DracoPackage {
  createDecoderModule(): Promise<DracoDecoderModule>;
}

/**
 * The decoders from the packages draco3dgltf and meshoptimizer, which the caller's project has to install. Without
 * `wanted`, those that are installed; a wanted one that is not is an InputError 'missing-file'.
 */
export async function loadNodeDecoders(wanted?: readonly (keyof GltfDecoders)[]): Promise<GltfDecoders> {
  if (wanted !== undefined && !Array.isArray(wanted)) {
    throw new InputError('bad-option', `wanted must be an array of names, not ${describe(wanted)}`);
  }
  const decoders: GltfDecoders = {};
  if (wanted?.includes('draco') ?? true) {
    const draco = await load<{ default: DracoPackage }>('draco3dgltf', wanted !== undefined);
    if (draco !== undefined) decoders.draco = await draco.default.createDecoderModule();
  }
  if (wanted?.includes('meshopt') ?? true) {
    const meshopt = await load<{ MeshoptDecoder: MeshoptDecoder }>('meshoptimizer', wanted !== undefined);
    if (meshopt !== undefined) decoders.meshopt = meshopt.MeshoptDecoder;
  }
  return decoders;
}

/** The name is not a literal in `import()`, so that bundlers do not look for packages nobody may have. */
async function load<Package>(name: string, isWanted: boolean): Promise<Package | undefined> {
  try {
    return (await import(/* @vite-ignore */ name)) as Package;
  } catch (error) {
    if (!isWanted) return undefined;
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown reason';
    throw new InputError('missing-file', `the package ${name} is needed (npm install ${name}): ${reason}`);
  }
}
