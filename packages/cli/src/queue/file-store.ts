import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { CommandError } from '../command-error.ts';
import { readBytes, reasonOf } from '../scene/read-file.ts';
import { sha256 } from './frame-codec.ts';
import type { FileRef } from './job-format.ts';
import type { RedisClient } from './redis-client.ts';
import type { SceneFile } from './scene-files.ts';

export const PIECE = 1 << 20; // bytes of a file in one value
const AT_ONCE = 4; // pieces under way

interface Held {
  readonly ref: FileRef;
  readonly content?: Uint8Array; // of what is no file
  uses: number;
}

/** The files of a check, for workers: named in the shared folder, else kept in Redis while a job needs them. */
export class FileStore {
  readonly #client: RedisClient;
  readonly #key: string;
  readonly #root: string | undefined;
  readonly #held = new Map<string, Held>(); // by path
  readonly #kept = new Map<string, number>(); // uses of a content in Redis
  bytesSent = 0;

  static async open(client: RedisClient, key: string, sharedRoot: string | undefined): Promise<FileStore> {
    if (sharedRoot === undefined) return new FileStore(client, key, undefined);
    try {
      return new FileStore(client, key, await realpath(sharedRoot));
    } catch (error) {
      throw new CommandError(`--shared-root ${sharedRoot}: ${reasonOf(error)}`);
    }
  }

  private constructor(client: RedisClient, key: string, root: string | undefined) {
    this.#client = client;
    this.#key = key;
    this.#root = root;
  }

  /** Sees to it that workers can get the file, until it is given up as often as it was offered. */
  async offer(file: SceneFile): Promise<FileRef> {
    const known = this.#held.get(file.path);
    if (known !== undefined) {
      known.uses++;
      return known.ref;
    }
    const bytes = await readBytes(file.path);
    const path = `${file.folder}/${file.name}`;
    const ref = { path, bytes: bytes.length, sha256: sha256(bytes), shared: await this.#shared(file.path) };
    this.#held.set(file.path, { ref, uses: 1 });
    if (ref.shared === undefined) await this.#keep(ref.sha256, bytes);
    return ref;
  }

  /** What is in memory only. */
  async offerBytes(path: string, bytes: Uint8Array): Promise<FileRef> {
    const ref = { path, bytes: bytes.length, sha256: sha256(bytes) };
    this.#held.set(path, { ref, uses: 1, content: bytes });
    await this.#keep(ref.sha256, bytes);
    return ref;
  }

  async giveUp(file: SceneFile): Promise<void> {
    const held = this.#held.get(file.path);
    if (held === undefined || --held.uses > 0) return;
    this.#held.delete(file.path);
    const { ref } = held;
    if (ref.shared !== undefined) return;
    const uses = this.#kept.get(ref.sha256)! - 1;
    this.#kept.set(ref.sha256, uses);
    if (uses > 0) return;
    this.#kept.delete(ref.sha256);
    const names = pieceNames(ref);
    if (names.length > 0) await this.#client.persist(() => this.#client.send(['HDEL', this.#key, ...names]));
  }

  /** Redis may have forgotten: what is missing is sent again. */
  async restore(): Promise<void> {
    for (const [path, { ref, content }] of this.#held) {
      const names = pieceNames(ref);
      if (ref.shared !== undefined || names.length === 0) continue;
      const last = names.at(-1)!;
      if ((await this.#client.persist(() => this.#client.send(['HEXISTS', this.#key, last]))) === 1) continue;
      const bytes = content ?? (await readBytes(path));
      if (sha256(bytes) !== ref.sha256) throw new CommandError(`${path}: has changed during the check`);
      await this.#send(ref.sha256, bytes);
    }
  }

  async #keep(hash: string, bytes: Uint8Array): Promise<void> {
    const uses = this.#kept.get(hash) ?? 0;
    this.#kept.set(hash, uses + 1);
    if (uses === 0) await this.#send(hash, bytes);
  }

  async #send(hash: string, bytes: Uint8Array): Promise<void> {
    const count = Math.ceil(bytes.length / PIECE);
    for (let from = 0; from < count; from += AT_ONCE) {
      const group = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, k) => from + k);
      await Promise.all(
        group.map((k) => {
          const piece = bytes.subarray(k * PIECE, (k + 1) * PIECE);
          return this.#client.persist(() => this.#client.send(['HSET', this.#key, `${hash}:${k}`, piece]));
        }),
      );
    }
    this.bytesSent += bytes.length;
  }

  async #shared(path: string): Promise<string | undefined> {
    if (this.#root === undefined) return undefined;
    const way = relative(this.#root, await realpath(resolve(path)));
    if (way === '' || way === '..' || way.startsWith(`..${sep}`) || resolve(this.#root, way) === way) {
      return undefined; // not below it
    }
    return way.split(sep).join('/');
  }
}

/** The fields that a file has in Redis. */
export function pieceNames({ sha256: hash, bytes }: FileRef): string[] {
  return Array.from({ length: Math.ceil(bytes / PIECE) }, (_, k) => `${hash}:${k}`);
}
