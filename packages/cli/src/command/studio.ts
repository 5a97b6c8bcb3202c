import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../command-error.ts';
import { printNote, printOut } from '../output/streams.ts';
import { reasonOf } from '../scene/read-file.ts';
import { openBrowser } from '../studio/open-browser.ts';
import { isWithin } from '../studio/respond.ts';
import { type OfferedFile, serveStudio } from '../studio/studio-server.ts';

export interface StudioSettings {
  readonly port: number; // 0: any free one
  readonly open: boolean;
  /** Opens the files in the shape editor. */
  readonly edit?: boolean;
}

const SITE = fileURLToPath(new URL('./studio', import.meta.url)); // beside the built command

/** Serves the studio until it is interrupted. */
export async function studio(paths: readonly string[], settings: StudioSettings): Promise<number> {
  const { port, open, edit } = settings;
  if (!existsSync(join(SITE, 'index.html'))) {
    throw new CommandError('the studio is not built; in a clone of the repository `npm run build` builds it');
  }
  const files = (await Promise.all(paths.map(offer))).flat();
  const server = await serveStudio({ folder: SITE, files, port, edit }).catch(
    (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'something else is using it' : reasonOf(error);
      throw new CommandError(`port ${port} cannot be used: ${reason}`);
    },
  );
  await printOut(`Pliant Studio: ${server.address}\n`);
  printNote('press Ctrl+C to stop');
  if (open) openBrowser(server.address);
  await new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.close();
  return 0;
}

/** A file with what it refers to, or everything in a folder. */
async function offer(path: string): Promise<OfferedFile[]> {
  const found = await stat(path).catch((error) => {
    throw new CommandError(`${path}: ${reasonOf(error)}`);
  });
  if (found.isDirectory()) return offerFolder(path);
  const file = { name: basename(path), path };
  return /\.gltf$/i.test(path) ? [file, ...(await offerBuffers(path))] : [file];
}

async function offerFolder(path: string): Promise<OfferedFile[]> {
  const names = (await readdir(path)).filter((name) => !name.startsWith('.'));
  const roots = [await realpath(path)];
  const inside: OfferedFile[] = [];
  for (const name of names) {
    const file = { name, path: join(path, name), roots };
    const found = await stat(file.path).catch(() => undefined); // a link may lead nowhere
    if (found?.isFile() && (await isInside(file))) inside.push(file);
  }
  if (inside.length === 0) throw new CommandError(`${path}: no files in this folder`);
  return inside;
}

/** Buffers that a .gltf keeps in files of their own; what else is wrong with it, the page will say. */
async function offerBuffers(path: string): Promise<OfferedFile[]> {
  const roots = [await realpath(dirname(path)), dirname(await realpath(path))];
  const buffers: OfferedFile[] = [];
  for (const name of await buffersOf(path)) {
    const file = { name, path: join(dirname(path), name), roots };
    if (await isInside(file)) buffers.push(file);
  }
  return buffers;
}

/** False, and a word about it, for links out of the folder: a model must not hand the page any file of its owner's. */
async function isInside({ path, roots }: Required<OfferedFile>): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || roots.some((root) => isWithin(root, real))) return true; // not there: the page will say so
  printNote(`${path} leads out of its folder and is not served`);
  return false;
}

/** Names of files below the folder of the .gltf. */
async function buffersOf(path: string): Promise<string[]> {
  try {
    const { buffers = [] } = JSON.parse(await readFile(path, 'utf8')) as { buffers?: { uri?: unknown }[] };
    return buffers
      .map(({ uri }) => uri)
      .filter((uri) => typeof uri === 'string' && !/^[a-z]+:/i.test(uri))
      .map((uri) => decodeURIComponent(uri as string))
      .filter((name) => !name.split(/[\\/]/).includes('..') && !isAbsolute(name) && !name.includes('\0'));
  } catch {
    return [];
  }
}
