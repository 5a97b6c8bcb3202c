import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from '../command-error.ts';
import { reasonOf } from '../scene/read-file.ts';

const PIECE = 1 << 16; // characters gathered before they are written

/**
 * A file that appears under its name only when it is complete. `-` and devices get their text at that moment too, so
 * that a run that fails has written nothing.
 */
export class OutputFile {
  readonly path: string;
  readonly #target: string;
  readonly #temporary: string;
  readonly #isCopied: boolean; // into stdout or a device, instead of renamed
  readonly #handle: FileHandle;
  #held = '';
  #isOpen = true;

  static async open(path: string): Promise<OutputFile> {
    try {
      const target = await realpath(path).catch(() => resolve(path));
      const found = path === '-' ? undefined : await stat(target).catch(() => undefined);
      if (found?.isDirectory()) throw new CommandError(`${path}: cannot be written: this is a folder`);
      const isCopied = path === '-' || (found !== undefined && !found.isFile());
      const folder = isCopied ? tmpdir() : dirname(target);
      const name = `.${isCopied ? 'pliant' : basename(target)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
      const temporary = join(folder, name);
      const mode = found && !isCopied ? found.mode & 0o777 : 0o666;
      return new OutputFile(
        path,
        target,
        temporary,
        isCopied,
        await open(temporary, 'wx', isCopied ? 0o600 : mode),
      );
    } catch (error) {
      throw asUnwritable(path, error);
    }
  }

  private constructor(
    path: string,
    target: string,
    temporary: string,
    isCopied: boolean,
    handle: FileHandle,
  ) {
    this.path = path;
    this.#target = target;
    this.#temporary = temporary;
    this.#isCopied = isCopied;
    this.#handle = handle;
  }

  async write(part: string | Uint8Array): Promise<void> {
    if (typeof part === 'string') this.#held += part;
    if (typeof part !== 'string' || this.#held.length >= PIECE) await this.#flush();
    if (typeof part !== 'string') await this.#append(part);
  }

  /** The text is complete. */
  async commit(): Promise<void> {
    try {
      await this.#flush();
      await this.#close();
      if (!this.#isCopied) await rename(this.#temporary, this.#target);
      else if (this.path === '-') await copyToStdout(this.#temporary);
      else await copyToDevice(this.#temporary, this.#target);
    } catch (error) {
      throw asUnwritable(this.path, error);
    } finally {
      await this.discard();
    }
  }

  /** Leaves nothing behind; after a commit there is nothing left to do. */
  async discard(): Promise<void> {
    await this.#close();
    await rm(this.#temporary, { force: true });
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#held, 'utf8');
    this.#held = '';
    await this.#append(bytes);
  }

  async #append(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length; ) at += (await this.#handle.write(bytes, at)).bytesWritten;
    } catch (error) {
      throw asUnwritable(this.path, error);
    }
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }
}

/** Small files in one go. */
export async function writeOutput(path: string, text: string): Promise<void> {
  const file = await OutputFile.open(path);
  try {
    await file.write(text);
    await file.commit();
  } finally {
    await file.discard();
  }
}

/** Waits until the reader has taken it. A reader that goes away is no error of ours. */
export function printOut(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error);
      else resolve();
    });
  });
}

async function copyToStdout(path: string): Promise<void> {
  for await (const piece of createReadStream(path)) await printOut(piece);
}

async function copyToDevice(path: string, device: string): Promise<void> {
  const out = await open(device, 'w');
  try {
    for await (const piece of createReadStream(path)) await out.write(piece);
  } finally {
    await out.close();
  }
}

function asUnwritable(path: string, error: unknown): unknown {
  if (error instanceof CommandError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOENT' ? 'there is no such folder' : reasonOf(error);
  return new CommandError(`${path === '-' ? 'stdout' : path}: cannot be written: ${reason}`);
}
