import { InputError } from 'pliant';
import { type GltfScene, type ReadGltfOptions, readGltf } from 'pliant/gltf';
import { gunzip, isGzip } from 'pliant/io';
import { loadDecoders } from '../../../files/decoders.ts';
import { baseName } from '../../../files/open-files.ts';
import { resourceReader } from '../../../files/open-gltf.ts';
import type { SourceFile } from '../../../scenes/scene.ts';

/** A file with skins and clips, as it was read: its poses can be corrected. */
export interface AnimatedFile {
  readonly name: string; // without folders
  /** What it was read from, not gzipped; corrections that were kept are in it. */
  readonly bytes: Uint8Array;
  /** What lies beside it, and is needed to read it. */
  readonly siblings: readonly SourceFile[];
  readonly options: ReadGltfOptions;
  readonly scene: GltfScene;
}

/** Which mesh of a file, which clip, and when. */
export interface PoseChoice {
  readonly mesh: number;
  readonly clip: number;
  readonly time: number; // seconds
}

/** What can be chosen. */
export interface ShownFile {
  readonly name: string;
  readonly meshes: readonly { readonly mesh: number; readonly name: string; readonly triangles: number }[];
  readonly clips: readonly { readonly name: string; readonly duration: number }[];
}

const GLTF = /\.(glb|gltf)(\.gz)?$/i;

/** Undefined where no mesh has a skin, or there is no clip. Errors as for `readGltf`. */
export async function readAnimated(files: readonly SourceFile[]): Promise<AnimatedFile | undefined> {
  const model = files.find(({ path }) => GLTF.test(path));
  if (model === undefined) return undefined;
  const name = baseName(model.path);
  const bytes = isGzip(model.bytes) ? await gunzip(model.bytes, name) : model.bytes;
  const siblings = files.filter((file) => file !== model);
  const file = await readAgain({ name, siblings }, bytes, model.path);
  return skinsOf(file.scene).length > 0 && file.scene.clips.length > 0 ? file : undefined;
}

/** The same file with other bytes: with a correction that is kept, say. */
export async function readAgain(
  { name, siblings }: Pick<AnimatedFile, 'name' | 'siblings'>,
  bytes: Uint8Array,
  path = name,
): Promise<AnimatedFile> {
  const readResource = resourceReader({ path, bytes }, siblings);
  const options = { readResource, decoders: await loadDecoders(bytes) };
  return { name, bytes, siblings, options, scene: await readGltf(bytes, name, options) };
}

export function showFile({ name, scene }: AnimatedFile): ShownFile {
  return {
    name,
    meshes: skinsOf(scene).map((mesh) => ({
      mesh,
      name: nameOfMesh(scene, mesh),
      triangles: scene.meshes[mesh].triangles.length / 3,
    })),
    clips: scene.clips.map(({ name: clip, duration }, k) => ({ name: clip || `clip ${k}`, duration })),
  };
}

/** What the corrected file is called: a .gltf stays one. */
export function correctedName({ name, bytes }: AnimatedFile): string {
  const isGlb = bytes[0] === 0x67; // g of glTF; JSON begins otherwise
  const plain = name.replace(/\.gz$/i, '').replace(/(\.corrected)?\.[^.]+$/, '');
  return `${plain}.corrected.${isGlb ? 'glb' : 'gltf'}`;
}

/** What is looked at first: the mesh with the most triangles at the beginning of the first clip. */
export function firstChoice({ scene }: AnimatedFile): PoseChoice {
  const count = (m: number) => scene.meshes[m].triangles.length;
  const mesh = skinsOf(scene).reduce((most, m) => (count(m) > count(most) ? m : most));
  return { mesh, clip: 0, time: 0 };
}

/** Errors: 'index-out-of-range' and 'out-of-range' for what the file does not have. */
export function checkChoice({ name, scene }: AnimatedFile, { mesh, clip, time }: PoseChoice): void {
  if (!skinsOf(scene).includes(mesh)) {
    throw new InputError('index-out-of-range', `${name}: mesh ${String(mesh)} has no skin, or is not there`);
  }
  const { duration } = scene.clips[clip] ?? {};
  if (duration === undefined) {
    throw new InputError('index-out-of-range', `${name}: there is no clip ${String(clip)}`);
  }
  if (!(time >= 0 && time <= duration)) {
    throw new InputError(
      'out-of-range',
      `${name}: the clip lasts from 0 to ${duration} s, not ${String(time)}`,
    );
  }
}

export function nameOfMesh({ meshes }: GltfScene, m: number): string {
  return meshes[m].nodeName || meshes[m].name || `node ${meshes[m].node}`;
}

function skinsOf({ meshes }: GltfScene): number[] {
  return meshes.flatMap(({ skin, triangles }, m) => (skin && triangles.length > 0 ? [m] : []));
}
