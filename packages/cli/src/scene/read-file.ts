import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { CommandError } from '../command-error.ts';

const seen = new Set<string>();

/** Every file that was read so far, by its absolute path. Results must not take its place. */
export function filesRead(): ReadonlySet<string> {
  return seen;
}

/** Notes that a file is read by other means than those of this module. */
export function noteRead(path: string): void {
  seen.add(resolve(path));
}

/** The bytes of a regular file; devices and pipes, which may never end, are refused. */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    if (!(await stat(path)).isFile()) throw new CommandError(`${path}: this is not a file`);
    noteRead(path);
    return await readFile(path);
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(`${path}: ${reasonOf(error)}`);
  }
}

/**
 * Reads what a .gltf names: files below its own folder only, also after links have been followed. The reader of the
 * .gltf puts the place before the messages.
 */
export function createResourceReader(gltfPath: string): (path: string) => Promise<Uint8Array> {
  return async (path) => {
    try {
      const folder = await realpath(dirname(resolve(gltfPath)));
      const target = await realpath(resolve(folder, path));
      if (!isBelow(folder, target)) throw new Error("this leads out of the model's folder");
      if (!(await stat(target)).isFile()) throw new Error('this is not a file');
      noteRead(target);
      return await readFile(target);
    } catch (error) {
      throw new Error(reasonOf(error));
    }
  };
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}

/** What the operating system said, without codes and paths. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EISDIR') return 'this is a folder';
  if (code === 'ENOTDIR') return 'a part of the path is not a folder';
  if (code === 'ENOSPC') return 'no space is left on the device';
  if (code === 'EDQUOT') return 'the quota is used up';
  if (code === 'EFBIG') return 'it would be larger than is allowed';
  if (code === 'EIO') return 'the device reports an error';
  if (code === 'ENAMETOOLONG') return 'the name is too long';
  if (code === 'EROFS') return 'the file system is read-only';
  return message ?? String(error);
}
