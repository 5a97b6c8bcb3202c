import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../command-error.ts';
import { printNote, printOut } from '../output/streams.ts';
import { reasonOf } from '../scene/read-file.ts';
import { openBrowser } from '../studio/open-browser.ts';
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
  if (found.isDirectory()) {
    const entries = await readdir(path, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
    if (names.length === 0) throw new CommandError(`${path}: no files in this folder`);
    return names.map((name) => ({ name, path: join(path, name) }));
  }
  const file = { name: basename(path), path };
  return /\.gltf$/i.test(path) ? [file, ...(await buffersOf(path))] : [file];
}

/** Buffers that a .gltf keeps in files of their own; what is wrong with it, the page will say. */
async function buffersOf(path: string): Promise<OfferedFile[]> {
  try {
    const { buffers = [] } = JSON.parse(await readFile(path, 'utf8')) as { buffers?: { uri?: unknown }[] };
    const names = buffers
      .map(({ uri }) =>
        typeof uri === 'string' && !/^[a-z]+:/i.test(uri) ? decodeURIComponent(uri) : undefined,
      )
      .filter((name) => name !== undefined && !name.split(/[\\/]/).includes('..') && !name.startsWith('/'));
    return names.map((name) => ({ name: name!, path: join(dirname(path), name!) }));
  } catch {
    return [];
  }
}
