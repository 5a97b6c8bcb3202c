import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER =
  process.env.PLIANT_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

/** Tests on real data are skipped without it, unless PLIANT_DATA promises that it is there. */
export const hasSharedData = process.env.PLIANT_DATA !== undefined || existsSync(FOLDER);

export function sharedFile(path: string): Uint8Array {
  return new Uint8Array(readFileSync(`${FOLDER}/${path}`));
}
