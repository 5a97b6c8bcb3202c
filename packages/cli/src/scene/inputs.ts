import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError } from '../command-error.ts';
import { reasonOf } from './read-file.ts';

/** What one or more files on the command line mean together. Plain data: workers get it too. */
export type PartInput =
  | { readonly kind: 'gltf'; readonly path: string }
  | { readonly kind: 'mesh'; readonly path: string }
  | { readonly kind: 'sequence'; readonly paths: readonly string[] }
  | { readonly kind: 'cached'; readonly path: string; readonly cache: string }
  | { readonly kind: 'modal'; readonly path: string; readonly modes: string; readonly poses?: string };

const GLTF = /\.(glb|gltf)$/i;
const CACHE = /\.(pc2|mdd)(\.gz)?$/i;
const MESH = /\.(obj|ply|stl|off|mesh|msh|vtk|veg|node|ele)(\.gz)?$/i;

const RESOURCE = /\.(bin|png|jpe?g|webp|ktx2?|basis)$/i; // of a .gltf

/** Whether a name is one that files to read have: results are not written there. */
export function looksLikeModel(path: string): boolean {
  return [GLTF, CACHE, MESH, RESOURCE].some((pattern) => pattern.test(path));
}

/** One part, or two with `between`. Folders stand for the mesh files in them. */
export async function findInputs(paths: readonly string[], between: boolean): Promise<PartInput[]> {
  if (between && paths.length === 2 && !isMeshWithCache(paths)) {
    return Promise.all(paths.map(async (path) => combine(await expand(path), path)));
  }
  const expanded = (await Promise.all(paths.map(expand))).flat();
  return [combine(expanded, paths[0])];
}

/** All files, folders expanded, when there are several and every one of them is glTF; else none. */
export async function listGltfFiles(paths: readonly string[]): Promise<string[]> {
  const files = (await Promise.all(paths.map(expand))).flat();
  return files.length > 1 && files.every((path) => GLTF.test(path)) ? files : [];
}

/** The mesh moved by stored modes, instead of what else moves it. Frames of a folder only say which mesh it is. */
export function withModes([input]: readonly PartInput[], modes: string, poses?: string): PartInput[] {
  if (input.kind === 'gltf') {
    throw new CommandError(`${input.path}: --modes is for mesh files; morph targets are checked without it`);
  }
  const path = input.kind === 'sequence' ? input.paths[0] : input.path;
  return [{ kind: 'modal', path, modes, ...(poses !== undefined && { poses }) }];
}

/** Base names as they appear in reports: of what was named on the command line. */
export function inputNames(inputs: readonly PartInput[]): string[] {
  return inputs.flatMap(filesOf).map((path) => basename(path));
}

export function filesOf(input: PartInput): readonly string[] {
  if (input.kind === 'sequence') return input.paths;
  if (input.kind === 'modal') return [input.path, input.modes, ...(input.poses ? [input.poses] : [])];
  return input.kind === 'cached' ? [input.path, input.cache] : [input.path];
}

function isMeshWithCache(paths: readonly string[]): boolean {
  return paths.filter((path) => CACHE.test(path)).length === 1;
}

function combine(paths: readonly string[], named: string): PartInput {
  const caches = paths.filter((path) => CACHE.test(path));
  const meshes = withoutSiblings(paths.filter((path) => !CACHE.test(path)));
  const gltf = meshes.find((path) => GLTF.test(path));
  if (caches.length > 1)
    throw new CommandError(`${caches[1]}: only one point cache can be checked at a time`);
  if (meshes.length === 0 && caches.length === 1) {
    throw new CommandError(
      `${caches[0]}: a point cache has no triangles; name the mesh file it belongs to as well`,
    );
  }
  if (meshes.length === 0) throw new CommandError(`${named}: no mesh files in this folder`);
  if (caches.length === 1) {
    if (meshes.length > 1 || gltf) {
      throw new CommandError(
        `${caches[0]}: a point cache goes with one mesh file, not with ${meshes.length > 1 ? meshes.length : 'glTF'}`,
      );
    }
    return { kind: 'cached', path: meshes[0], cache: caches[0] };
  }
  if (meshes.length === 1) return { kind: gltf ? 'gltf' : 'mesh', path: meshes[0] };
  if (gltf) {
    throw new CommandError(
      `${gltf}: a glTF file is no frame of a sequence; name it alone, or two of them with \`check --between\``,
    );
  }
  return { kind: 'sequence', paths: meshes };
}

/** TetGen's .node and .ele are one mesh. */
function withoutSiblings(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return paths.filter(
    (path) => !/\.ele(\.gz)?$/i.test(path) || !all.has(path.replace(/ele(\.gz)?$/i, 'node$1')),
  );
}

async function expand(path: string): Promise<string[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    throw new CommandError(`${path}: ${reasonOf(error)}`);
  }
  if (!isFolder) return [path];
  const names = (await readdir(path)).filter(
    (name) => MESH.test(name) || CACHE.test(name) || GLTF.test(name),
  );
  return names.sort(compareNaturally).map((name) => join(path, name));
}

/** `frame2` before `frame10`; the same on every machine. */
export function compareNaturally(a: string, b: string): number {
  const left = a.match(/\d+|\D+/g) ?? [];
  const right = b.match(/\d+|\D+/g) ?? [];
  for (let k = 0; k < Math.min(left.length, right.length); k++) {
    const order = compareRuns(left[k], right[k]);
    if (order !== 0) return order;
  }
  return left.length - right.length || (a < b ? -1 : Number(a > b));
}

function compareRuns(a: string, b: string): number {
  if (/\d/.test(a) && /\d/.test(b)) {
    const x = a.replace(/^0+/, ''),
      y = b.replace(/^0+/, '');
    return x.length - y.length || (x < y ? -1 : Number(x > y));
  }
  return a < b ? -1 : Number(a > b);
}
