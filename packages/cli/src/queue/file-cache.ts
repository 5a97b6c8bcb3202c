import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { CommandError } from '../command-error.ts';
import { ownerMark, removeAbandonedFolders, temporaryName } from '../output/temporary-files.ts';
import { reasonOf } from '../scene/read-file.ts';
import { pieceNames } from './file-store.ts';
import type { FileRef } from './job-format.ts';
import type { RedisClient } from './redis-client.ts';

/** A file that should be in Redis is not there: its check sends it again, or has ended. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile';
}

const FOLDER = 'pliant-worker-';

interface Cached {
  readonly ready: Promise<void>;
  uses: number;
}

/** Files of checks on the worker's own disk. Each was compared with its hash; nothing is left when the worker ends. */
export class FileCache {
  readonly #root: string;
  readonly #shared: string | undefined;
  readonly #client: RedisClient;
  readonly #files = new Map<string, Cached>(); // by local path

  static async open(client: RedisClient, sharedRoot: string | undefined): Promise<FileCache> {
    let shared: string | undefined;
    try {
      shared = sharedRoot === undefined ? undefined : await realpath(sharedRoot);
    } catch (error) {
      throw new CommandError(`--shared-root ${sharedRoot}: ${reasonOf(error)}`);
    }
    await removeAbandonedFolders(tmpdir(), FOLDER);
    return new FileCache(await mkdtemp(join(tmpdir(), `${FOLDER}${ownerMark()}-`)), shared, client);
  }

  private constructor(root: string, shared: string | undefined, client: RedisClient) {
    this.#root = root;
    this.#shared = shared;
    this.#client = client;
  }

  /** Where the files of a check are. */
  folder(check: string): string {
    return `${this.#root}/${check}`;
  }

  /** Of `<folder>/<name>`. */
  localPath(check: string, path: string): string {
    return `${this.folder(check)}/${confined(path)}`;
  }

  /** Fetches files unless they are here; they stay until they are let go as often. */
  async hold(check: string, key: string, refs: readonly FileRef[]): Promise<void> {
    const held: FileRef[] = [];
    for (const ref of refs) {
      const path = this.localPath(check, ref.path);
      let cached = this.#files.get(path);
      if (cached === undefined) {
        cached = { ready: this.#fetch(ref, path, key), uses: 0 };
        this.#files.set(path, cached);
      }
      try {
        cached.uses++;
        await cached.ready;
        held.push(ref);
      } catch (error) {
        if (this.#files.get(path) === cached) this.#files.delete(path); // the next try starts anew
        await this.letGo(check, held);
        throw error;
      }
    }
  }

  async letGo(check: string, refs: readonly FileRef[]): Promise<void> {
    for (const ref of refs) {
      const path = this.localPath(check, ref.path);
      const cached = this.#files.get(path);
      if (cached === undefined || --cached.uses > 0) continue;
      this.#files.delete(path);
      await rm(path, { force: true });
    }
  }

  /** False when somebody else has tidied up here. */
  async hasAll(check: string, refs: readonly FileRef[]): Promise<boolean> {
    const found = await Promise.all(
      refs.map((ref) => stat(this.localPath(check, ref.path)).catch(() => undefined)),
    );
    return refs.every(({ bytes }, k) => found[k]?.size === bytes);
  }

  /** Nobody works on this check any more. */
  async forget(check: string): Promise<void> {
    const folder = this.folder(check);
    for (const path of this.#files.keys()) if (path.startsWith(`${folder}/`)) this.#files.delete(path);
    await rm(folder, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }

  /** Not by OutputFile: the copy is compared with its hash, and gone when the worker ends. */
  async #fetch(ref: FileRef, path: string, key: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const temporary = join(dirname(path), temporaryName());
    const out = await open(temporary, 'w');
    try {
      const hash = createHash('sha256');
      let bytes = 0;
      const source = ref.shared === undefined ? this.#pieces(ref, key) : await this.#sharedPieces(ref.shared);
      for await (const piece of source) {
        hash.update(piece);
        bytes += piece.length;
        await out.writeFile(piece);
      }
      if (bytes !== ref.bytes || hash.digest('hex') !== ref.sha256) {
        const where = ref.shared === undefined ? 'in Redis' : 'in the shared folder of the worker';
        throw new Error(`${ref.shared ?? ref.path} ${where} is not the file that the check has read`);
      }
      await out.close();
      await rename(temporary, path);
    } finally {
      await out.close().catch(() => {});
      await rm(temporary, { force: true });
    }
  }

  async *#pieces(ref: FileRef, key: string): AsyncGenerator<Buffer> {
    for (const name of pieceNames(ref)) {
      const piece = await this.#client.persist(() => this.#client.sendRaw(['HGET', key, name]));
      if (!Buffer.isBuffer(piece)) throw new MissingFile(`${ref.path} is not in Redis`);
      yield piece;
    }
  }

  async #sharedPieces(path: string): Promise<AsyncIterable<Buffer>> {
    const root = this.#shared;
    if (root === undefined) throw new Error('a worker was started without --shared-root');
    try {
      const target = await realpath(join(root, path));
      const way = relative(root, target);
      if (way === '..' || way.startsWith(`..${sep}`) || resolve(root, way) !== target) {
        throw new Error('this leads out of the folder');
      }
      return createReadStream(target, { highWaterMark: 1 << 20 });
    } catch (error) {
      throw new Error(`${path} in the shared folder of the worker: ${reasonOf(error)}`);
    }
  }
}

/** A check must not choose where a worker writes. */
function confined(path: string): string {
  const parts = path.split('/');
  if (
    parts.length < 2 ||
    parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part))
  ) {
    throw new Error(`"${path}" is no path of a file of a check`);
  }
  return path;
}
