import { CommandError } from '../command-error.ts';
import type { CheckMesh } from '../output/check-json.ts';
import { secondFileStart } from '../output/check-json.ts';
import type { OutputFile } from '../output/output-file.ts';
import { readBytes } from '../scene/read-file.ts';
import type { Scene } from '../scene/scene.ts';

const MOST_PAIRS = 1e7;

/** Known contacts, clip by clip. Stored with the meshes they belong to: ids of other meshes mean nothing. */
export class AllowList {
  readonly #idCount: number;
  readonly #secondStart: number;
  readonly #clips = new Map<string | null, Set<number>>();

  constructor(scene: Scene) {
    this.#idCount = scene.triangleCount;
    this.#secondStart = secondFileStart(scene);
  }

  /** Pairs as i · triangles + j. A clip that is not listed has none. */
  pairsOf(clip: string | null, create = false): Set<number> | undefined {
    let pairs = this.#clips.get(clip);
    if (pairs === undefined && create) this.#clips.set(clip, (pairs = new Set()));
    if (pairs !== undefined && pairs.size > MOST_PAIRS) {
      throw new CommandError(`over ${MOST_PAIRS} known contacts in one clip are too many for a list`);
    }
    return pairs ?? (create ? undefined : NONE);
  }

  async write(file: OutputFile, files: readonly string[], meshes: readonly CheckMesh[]): Promise<void> {
    await file.write(
      `{"version":1,"files":${JSON.stringify(files)},"meshes":${JSON.stringify(meshes)},"clips":[`,
    );
    let isFirst = true;
    for (const [clip, pairs] of this.#clips) {
      if (pairs.size === 0) continue;
      const keys = Float64Array.from(pairs).sort();
      const list = Array.from(keys, (key) => {
        return `[${Math.floor(key / this.#idCount)},${(key % this.#idCount) - this.#secondStart}]`;
      });
      await file.write(`${isFirst ? '' : ','}\n{"clip":${JSON.stringify(clip)},"pairs":[${list.join(',')}]}`);
      isFirst = false;
    }
    await file.write('\n]}\n');
  }

  static async read(path: string, scene: Scene, meshes: readonly CheckMesh[]): Promise<AllowList> {
    const stored = parse(path, await readBytes(path));
    if (stored.version !== 1 || !Array.isArray(stored.meshes) || !Array.isArray(stored.clips)) {
      throw new CommandError(`${path}: this is not a list written by --write-allow`);
    }
    checkMeshes(path, stored.meshes as CheckMesh[], meshes);
    const list = new AllowList(scene);
    for (const [c, entry] of stored.clips.entries()) list.#readClip(path, c, entry);
    return list;
  }

  #readClip(path: string, c: number, entry: unknown): void {
    const { clip, pairs } = (entry ?? {}) as { clip?: unknown; pairs?: unknown };
    if ((clip !== null && typeof clip !== 'string') || !Array.isArray(pairs)) {
      throw new CommandError(`${path}: clips[${c}] must have a "clip" and "pairs"`);
    }
    const keys = this.pairsOf(clip, true)!;
    for (const [k, pair] of pairs.entries()) {
      const [i, j] = Array.isArray(pair) ? pair : [];
      const isId = (id: unknown) =>
        typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < this.#idCount;
      if (!isId(i) || !isId(j))
        throw new CommandError(`${path}: clips[${c}].pairs[${k}] is no pair of triangle ids`);
      keys.add(i * this.#idCount + j + this.#secondStart);
    }
  }
}

const NONE: Set<number> = new Set();

function parse(path: string, bytes: Uint8Array): { version?: unknown; meshes?: unknown; clips?: unknown[] } {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as object | null;
    return value ?? {};
  } catch {
    throw new CommandError(`${path}: this is not JSON`);
  }
}

function checkMeshes(path: string, stored: readonly CheckMesh[], meshes: readonly CheckMesh[]): void {
  const advice = 'write the list anew with --write-allow';
  if (stored.length !== meshes.length) {
    throw new CommandError(
      `${path}: is about ${stored.length} meshes, but there are ${meshes.length}; ${advice}`,
    );
  }
  meshes.forEach(({ name, triangles, firstTriangle }, m) => {
    const then = stored[m];
    if (then?.triangles === triangles && then.firstTriangle === firstTriangle) return;
    throw new CommandError(
      `${path}: "${name}" has ${triangles} triangles now, not ${then?.triangles}; ${advice}`,
    );
  });
}
