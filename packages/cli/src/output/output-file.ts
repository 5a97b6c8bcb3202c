import { createReadStream, rmSync } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CommandError } from '../command-error.ts';
import { reasonOf } from '../scene/read-file.ts';
import { plainJson } from './plain-text.ts';
import { isStdoutClosed, printBytes, StdoutLost } from './streams.ts';
import { sweepTemporaryFiles, temporaryName } from './temporary-files.ts';

const PIECE = 1 << 16; // characters gathered before they are written
const HOUR = 3_600_000; // milliseconds

/** `json`: characters that would steer a terminal are written as escapes. */
export type OutputKind = 'json' | 'other';

interface Place {
  readonly path: string; // as it was named
  readonly target: string;
  readonly temporary: string;
  readonly isCopied: boolean; // into stdout or a device, instead of renamed
}

/**
 * A file that appears under its name only when it is complete and on the disk. `-` and devices get their text at that
 * moment too, so that a run that fails has written nothing.
 */
export class OutputFile {
  readonly path: string;
  readonly #place: Place;
  readonly #kind: OutputKind;
  readonly #handle: FileHandle;
  readonly #touching: NodeJS.Timeout;
  #held = '';
  #isOpen = true;

  /** Finds out at once whether the file can be written. */
  static async open(path: string, kind: OutputKind = 'other'): Promise<OutputFile> {
    try {
      if (path === '-' && isStdoutClosed()) {
        throw new CommandError('stdout: cannot be written: it is closed, and the result would be lost');
      }
      const target = await realpath(path).catch(() => resolve(path));
      const found = path === '-' ? undefined : await stat(target).catch(() => undefined);
      if (found?.isDirectory()) throw new CommandError(`${path}: cannot be written: this is a folder`);
      const isCopied = path === '-' || (found !== undefined && !found.isFile());
      const folder = isCopied ? tmpdir() : dirname(target);
      await sweepTemporaryFiles(folder);
      const temporary = join(folder, temporaryName());
      const mode = found && !isCopied ? found.mode & 0o777 : 0o666;
      const handle = await open(temporary, 'wx', isCopied ? 0o600 : mode);
      return new OutputFile({ path, target, temporary, isCopied }, kind, handle);
    } catch (error) {
      throw asUnwritable(path, error);
    }
  }

  private constructor(place: Place, kind: OutputKind, handle: FileHandle) {
    this.path = place.path;
    this.#place = place;
    this.#kind = kind;
    this.#handle = handle;
    this.#touching = setInterval(() => {
      const now = new Date();
      this.#handle.utimes(now, now).catch(() => {}); // for runs on other machines: it is in use
    }, HOUR).unref();
    rememberUntilExit(place.temporary);
  }

  async write(part: string | Uint8Array): Promise<void> {
    if (typeof part === 'string') this.#held += this.#kind === 'json' ? plainJson(part) : part;
    if (typeof part !== 'string' || this.#held.length >= PIECE) await this.#flush();
    if (typeof part !== 'string') await this.#append(part);
  }

  /** The text is complete. */
  async commit(): Promise<void> {
    const { path, target, temporary, isCopied } = this.#place;
    try {
      await this.#flush();
      if (!isCopied) await this.#handle.sync();
      await this.#close();
      if (path === '-') await copyToStdout(temporary);
      else if (isCopied) await copyToDevice(temporary, target);
      else {
        await rename(temporary, target);
        await syncFolder(dirname(target));
      }
    } catch (error) {
      throw asUnwritable(path, error);
    } finally {
      await this.discard();
    }
  }

  /** Leaves nothing behind; after a commit there is nothing left to do. */
  async discard(): Promise<void> {
    await this.#close();
    await rm(this.#place.temporary, { force: true });
    unfinished.delete(this.#place.temporary);
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#held, 'utf8');
    this.#held = '';
    await this.#append(bytes);
  }

  async #append(bytes: Uint8Array): Promise<void> {
    try {
      await writeAll(this.#handle, bytes);
    } catch (error) {
      throw asUnwritable(this.path, error);
    }
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#touching);
    await this.#handle.close();
  }
}

/** Small files in one go. */
export async function writeOutput(path: string, text: string, kind?: OutputKind): Promise<void> {
  const file = await OutputFile.open(path, kind);
  try {
    await file.write(text);
    await file.commit();
  } finally {
    await file.discard();
  }
}

const unfinished = new Set<string>();

/** A second Ctrl-C ends the process at once, and so does an error that nobody caught. */
function rememberUntilExit(temporary: string): void {
  if (unfinished.size === 0 && !process.listeners('exit').includes(removeUnfinished)) {
    process.once('exit', removeUnfinished);
  }
  unfinished.add(temporary);
}

function removeUnfinished(): void {
  for (const path of unfinished) {
    try {
      rmSync(path, { force: true });
    } catch {
      // the next run that writes here removes it
    }
  }
}

/** A rename is on the disk only when its folder is; some systems cannot be asked for that. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path).catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

async function copyToStdout(path: string): Promise<void> {
  for await (const piece of createReadStream(path)) await printBytes(piece);
}

async function copyToDevice(path: string, device: string): Promise<void> {
  const out = await open(device, 'w');
  try {
    for await (const piece of createReadStream(path)) await writeAll(out, piece);
  } finally {
    await out.close();
  }
}

function asUnwritable(path: string, error: unknown): unknown {
  if (error instanceof CommandError || error instanceof StdoutLost) return error;
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOENT' ? 'there is no such folder' : reasonOf(error);
  if (path !== '-') return new CommandError(`${path}: cannot be written: ${reason}`);
  return new CommandError(`${tmpdir()}, where the result waits for stdout, cannot be written: ${reason}`);
}
