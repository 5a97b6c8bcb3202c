import type { MeshoptDecoder } from './decoders.ts';
import type { JsonCheck, JsonObject } from './json-check.ts';

/** One extension under two names: the later one has one more filter. */
export const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

const MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'];
const FILTERS = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'];
const BEST_RATIO = 1024; // of the vertex codec; blocks of zeros
const RATIO_FREE = 2 ** 16; // bytes

export interface MeshoptPlan {
  readonly name: string; // of the extension
  readonly count: number;
  readonly stride: number;
  readonly mode: string;
  readonly filter: string;
}

/** How a view is packed, if it is. */
export function findMeshopt(
  check: JsonCheck,
  view: JsonObject,
  where: string,
): { name: string; def: JsonObject } | undefined {
  const extensions = check.optionalObject(view.extensions, `${where}.extensions`);
  const name = MESHOPT.find((candidate) => extensions?.[candidate] !== undefined);
  return name === undefined ? undefined : { name, def: check.object(extensions![name], `${where}.${name}`) };
}

/** Checks what the decoder relies on without looking. */
export function planMeshopt(
  check: JsonCheck,
  { name, def }: { name: string; def: JsonObject },
  packedLength: number,
  where: string,
): MeshoptPlan {
  const { mode, filter = 'NONE' } = def;
  if (typeof mode !== 'string' || !MODES.includes(mode))
    check.fail('unsupported', `${where}.mode is unknown`);
  if (typeof filter !== 'string' || !FILTERS.includes(filter))
    check.fail('unsupported', `${where}.filter is unknown`);
  const stride = check.integer(def.byteStride, `${where}.byteStride`, 1, 256);
  const count = check.integer(def.count, `${where}.count`, 0, 2 ** 28);
  if (!fits(stride, mode, filter)) {
    check.fail('out-of-range', `${where}.byteStride is ${stride}, which ${mode} and ${filter} do not allow`);
  }
  if (mode === 'TRIANGLES' && count % 3 !== 0) {
    check.fail('wrong-length', `${where}.count is ${count}, which is not three per triangle`);
  }
  if (count * stride > BEST_RATIO * packedLength + RATIO_FREE) {
    check.fail(
      'too-large',
      `${where}: ${packedLength} bytes cannot hold ${count} elements of ${stride} bytes`,
    );
  }
  return { name, count, stride, mode, filter };
}

export async function unpackMeshopt(
  check: JsonCheck,
  decoder: MeshoptDecoder,
  { name, count, stride, mode, filter }: MeshoptPlan,
  packed: Uint8Array,
  where: string,
): Promise<Uint8Array> {
  const out = new Uint8Array(count * stride);
  try {
    await decoder.ready;
    decoder.decodeGltfBuffer(out, count, stride, packed, mode, filter);
  } catch {
    check.fail('syntax', `${where}: the data packed with ${name} is damaged`);
  }
  return out;
}

function fits(stride: number, mode: string, filter: string): boolean {
  if (mode !== 'ATTRIBUTES') return (stride === 2 || stride === 4) && filter === 'NONE';
  if (filter === 'OCTAHEDRAL' || filter === 'COLOR') return stride === 4 || stride === 8;
  return filter === 'QUATERNION' ? stride === 8 : stride % 4 === 0;
}
