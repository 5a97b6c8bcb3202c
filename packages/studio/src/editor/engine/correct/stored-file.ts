import { InputError } from 'pliant';
import { type StoredArray, type StoredData, storedArray } from 'pliant/io';
import { type AnimatedFile, readAgain } from './animated-file.ts';

/** What a project says about the file that it holds, beside its bytes. */
export interface StoredFileNames {
  readonly name: string;
  readonly siblings: readonly string[];
}

export function storeFile({ name, bytes, siblings }: AnimatedFile): {
  names: StoredFileNames;
  arrays: Record<string, StoredArray>;
} {
  const arrays: Record<string, StoredArray> = { file: bytes };
  siblings.forEach((sibling, k) => {
    arrays[`sibling${k}`] = sibling.bytes;
  });
  return { names: { name, siblings: siblings.map(({ path }) => path) }, arrays };
}

/** The file that a project holds; undefined when it holds none. Errors: 'syntax', and those of `readGltf`. */
export async function readStoredFile(data: StoredData, fileName: string): Promise<AnimatedFile | undefined> {
  const names = data.settings.file as StoredFileNames | undefined;
  if (names === undefined) return undefined;
  if (typeof names?.name !== 'string' || !Array.isArray(names.siblings)) {
    throw new InputError('syntax', `${fileName}: its settings are not what they should be`);
  }
  const siblings = names.siblings.map((path, k) => ({
    path: String(path),
    bytes: storedArray(data, fileName, `sibling${k}`, 'uint8'),
  }));
  return readAgain({ name: names.name, siblings }, storedArray(data, fileName, 'file', 'uint8'));
}
