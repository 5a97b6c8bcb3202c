import { basename, dirname } from 'node:path';
import { readGltf } from 'pliant/gltf';
import type { FramePlan } from '../frames/frame-plan.ts';
import { filesOf, type PartInput } from '../scene/inputs.ts';
import { openModel } from '../scene/open-gltf.ts';
import type { Scene } from '../scene/scene.ts';

/** A file of ours, and where a worker puts it: `<folder>/<name>`. */
export interface SceneFile {
  readonly path: string;
  readonly folder: string;
  readonly name: string;
}

/** In messages of workers, instead of the folder that they keep our files in. */
export const FOLDER_MARK = 'pliant-queue:';

/** Which files a scene is read from, and which of them a frame needs. */
export class SceneFiles {
  /** What the scene's inputs are for a worker. */
  readonly inputs: readonly PartInput[];
  /** Needed for every frame. */
  readonly common: readonly SceneFile[];
  readonly #plan: FramePlan;
  readonly #sequences: readonly (readonly SceneFile[] | undefined)[]; // of each part
  readonly #paths = new Map<string, string>(); // by folder: what to put before the names in it

  static async list(scene: Scene, plan: FramePlan): Promise<SceneFiles> {
    const common: SceneFile[] = [];
    for (const [part, input] of scene.inputs.entries()) common.push(...(await commonFiles(input, part)));
    return new SceneFiles(scene, plan, common);
  }

  private constructor({ inputs }: Scene, plan: FramePlan, common: readonly SceneFile[]) {
    this.#plan = plan;
    this.common = common;
    this.inputs = inputs.map(workerInput);
    this.#sequences = inputs.map((input, part) =>
      input.kind === 'sequence' ? input.paths.map((path, k) => place(path, `${part}-${k}`)) : undefined,
    );
    for (const { folder, path, name } of [...common, ...this.#sequences.flat()].filter(
      (f) => f !== undefined,
    )) {
      if (!this.#paths.has(folder)) this.#paths.set(folder, path.slice(0, path.length - name.length));
    }
  }

  /** Besides the common ones. */
  ofFrames(first: number, count: number): SceneFile[] {
    const found = new Set<SceneFile>();
    if (this.#sequences.every((sequence) => sequence === undefined)) return [];
    for (let k = first; k < first + count; k++) {
      const { start, end } = this.#plan.frame(k);
      this.#sequences.forEach((sequence, part) => {
        for (const moment of [start[part], end?.[part]]) {
          if (sequence && moment?.frame) found.add(sequence[moment.frame]); // the first is a common one
        }
      });
    }
    return [...found].flatMap((file) => [file, ...siblings(file)]);
  }

  /** A message of a worker, with the names of our files. */
  withOurNames(message: string): string {
    const marked = new RegExp(`${FOLDER_MARK}([\\w-]+)/`, 'g');
    return message.replace(marked, (found, folder) => this.#paths.get(folder) ?? found);
  }
}

function place(path: string, folder: string): SceneFile {
  return { path, folder, name: basename(path) };
}

function workerInput(input: PartInput, part: number): PartInput {
  const path = (file: string, folder: string) => `${folder}/${basename(file)}`;
  if (input.kind === 'sequence') {
    return { kind: input.kind, paths: input.paths.map((file, k) => path(file, `${part}-${k}`)) };
  }
  if (input.kind === 'modal') {
    const { modes, poses } = input;
    const main = { kind: input.kind, path: path(input.path, `${part}-0`), modes: path(modes, `${part}-1`) };
    return poses === undefined ? main : { ...main, poses: path(poses, `${part}-2`) };
  }
  if (input.kind !== 'cached') return { kind: input.kind, path: path(input.path, `${part}-0`) };
  return { kind: 'cached', path: path(input.path, `${part}-0`), cache: path(input.cache, `${part}-1`) };
}

async function commonFiles(input: PartInput, part: number): Promise<SceneFile[]> {
  if (input.kind === 'sequence') {
    const first = place(input.paths[0], `${part}-0`);
    return [first, ...siblings(first)];
  }
  const main = place(input.path, `${part}-0`);
  if (input.kind === 'cached') return [main, ...siblings(main), place(input.cache, `${part}-1`)];
  if (input.kind === 'mesh') return [main, ...siblings(main)];
  if (input.kind === 'modal') {
    const [, ...others] = filesOf(input);
    return [main, ...siblings(main), ...others.map((path, k) => place(path, `${part}-${k + 1}`))];
  }
  const names = await resourcesOf(input.path);
  const beside = (name: string) => (dirname(input.path) === '.' ? name : `${dirname(input.path)}/${name}`);
  return [main, ...names.map((name) => ({ path: beside(name), folder: main.folder, name }))];
}

/** TetGen's .node and .ele are read together. */
function siblings({ path, folder }: SceneFile): SceneFile[] {
  const [, stem, extension, packed] = /^(.*\.)(node|ele)(\.gz)?$/i.exec(path) ?? [];
  if (stem === undefined) return [];
  return [place(`${stem}${extension.toLowerCase() === 'node' ? 'ele' : 'node'}${packed ?? ''}`, folder)];
}

/** The files that a glTF names, as its reader asks for them. */
async function resourcesOf(path: string): Promise<string[]> {
  const { bytes, options } = await openModel(path);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isBinary = buffer.toString('latin1', 0, 4) === 'glTF';
  const json = isBinary ? buffer.subarray(0, 20 + buffer.readUInt32LE(12)) : buffer;
  if (!json.includes('"uri"')) return [];
  const names = new Set<string>();
  const readResource = (name: string) => {
    names.add(name);
    return options.readResource!(name);
  };
  await readGltf(bytes, path, { ...options, readResource });
  return [...names];
}
