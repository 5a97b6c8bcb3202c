import type { GltfDecoders } from './decoders.ts';
import { DRACO } from './draco.ts';
import { type JsonCheck, type JsonObject, oneLine } from './json-check.ts';
import { MESHOPT } from './meshopt.ts';

const SUPPORTED = ['KHR_mesh_quantization', DRACO, ...MESHOPT];
const LOOKS = /^[A-Z]+_(?:materials?|textures?|image|lights?|audio|xmp)_/; // change no shape and no motion

/** Refuses required extensions that we cannot honour; returns the optional ones that might matter. */
export function checkExtensions(check: JsonCheck, json: JsonObject, decoders: GltfDecoders): string[] {
  const matters = (name: string) => !SUPPORTED.includes(name) && !LOOKS.test(name);
  const required = check.texts(json, 'extensionsRequired');
  const unknown = required.filter(matters).map((name) => oneLine(name, 60));
  if (unknown.length > 0) {
    const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : '';
    check.fail('unsupported', `requires ${unknown.slice(0, 3).join(', ')}${more}`);
  }
  for (const name of required) {
    const decoder = name === DRACO ? decoders.draco : MESHOPT.includes(name) ? decoders.meshopt : true;
    if (decoder === undefined) check.fail('unsupported', `requires ${name}, and no decoder for it was given`);
  }
  return check.texts(json, 'extensionsUsed').filter(matters);
}
