import type { GltfScene } from '../../gltf/gltf-scene.ts';
import { quote } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';

/** A mesh of the scene that has a skin; the only one when none is said. */
export function findMesh({ name, meshes }: GltfScene, wanted: number | undefined): number {
  const skinned = meshes.flatMap(({ skin }, m) => (skin ? [m] : []));
  if (skinned.length === 0) throw new InputError('unsupported', `${name}: no mesh of the scene has a skin`);
  if (wanted === undefined) {
    if (skinned.length === 1) return skinned[0];
    throw new InputError(
      'bad-option',
      `${name}: ${skinned.length} meshes have a skin; say which with \`mesh\``,
    );
  }
  if (meshes[wanted] === undefined) {
    throw new InputError('index-out-of-range', `mesh ${shown(wanted)}, but ${name} has ${meshes.length}`);
  }
  if (skinned.includes(wanted)) return wanted;
  throw new InputError('unsupported', `${name}: mesh ${wanted} "${meshes[wanted].name}" has no skin`);
}

/** Unnamed clips are known by their number. */
export function findClip(
  { name, clips }: GltfScene,
  wanted: number | string,
): { index: number; name: string } {
  const names = clips.map((clip, k) => clip.name || String(k));
  const index = typeof wanted === 'string' ? names.indexOf(wanted) : wanted;
  if (clips[index] !== undefined) return { index, name: names[index] };
  const known = names.length === 0 ? 'it has none' : `it has ${names.slice(0, 8).join(', ')}`;
  throw new InputError(
    'index-out-of-range',
    `${name}: there is no clip ${shown(wanted)}; ${known}${names.length > 8 ? ', …' : ''}`,
  );
}

export function checkTime({ name, clips }: GltfScene, clip: number, time: unknown): void {
  const { duration } = clips[clip];
  if (typeof time === 'number' && time >= 0 && time <= duration) return;
  throw new InputError('out-of-range', `${name}: the clip lasts from 0 to ${duration} s, not ${shown(time)}`);
}

export function checkPositive(name: string, value: unknown): void {
  if (typeof value === 'number' && value > 0 && value < Infinity) return;
  throw new InputError('bad-option', `${name} must be a number above 0, not ${shown(value)}`);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${quote(value)}"` : quote(value);
}
