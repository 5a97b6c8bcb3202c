import type { SourceFile } from '../scenes/scene.ts';

const MOST_FILES = 2_000;
const MOST_BYTES = 2 ** 31;

/** Everything in a drop, folders included. Must be called while the drop is being handled. */
export async function readDrop(transfer: DataTransfer): Promise<SourceFile[]> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry?.())
    .filter((entry) => entry != null);
  const plain = [...transfer.files]; // before the first wait: afterwards the transfer is empty
  if (entries.length === 0) return readAll(plain.map((file) => ({ path: file.name, file })));
  const found: NamedFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return readAll(found);
}

export function readPicked(list: FileList): Promise<SourceFile[]> {
  return readAll([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

/** What `pliant studio FILE` offers: a list, and the files under their numbers. */
export async function readServed(base: string): Promise<SourceFile[]> {
  const listed = await fetch(`${base}served/index.json`);
  if (!listed.ok) throw new Error('this server offers no files');
  const { files } = (await listed.json()) as { files: string[] };
  return Promise.all(
    files.map(async (path, k) => {
      const response = await fetch(`${base}served/${k}`);
      if (!response.ok) throw new Error(`${path}: ${response.statusText}`);
      return { path, bytes: new Uint8Array(await response.arrayBuffer()) };
    }),
  );
}

interface NamedFile {
  readonly path: string;
  readonly file: File;
}

async function collect(entry: FileSystemEntry, found: NamedFile[]): Promise<void> {
  if (found.length >= MOST_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return; // it gives a hundred at a time
    for (const child of some) await collect(child, found);
  }
}

async function readAll(files: readonly NamedFile[]): Promise<SourceFile[]> {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > MOST_BYTES) throw new Error(`${(bytes / 2 ** 30).toFixed(1)} GiB are too much for a page`);
  return Promise.all(
    files.map(async ({ path, file }) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
}
