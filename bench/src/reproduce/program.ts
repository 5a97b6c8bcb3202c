import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './parse-arguments.ts';

/** The program that is measured. What is stored of another one is stale. */
export interface Program {
  readonly code: string; // a hash of it
  /** What to start, and the first arguments: name, `--only` and so on follow. */
  readonly command: readonly string[];
}

/** Our own file is not measured. */
const OURS = 'reproduce.js';

/**
 * A copy of the built benches, with the library in them: somebody who builds during the hours of a run does not change
 * what is measured.
 */
export function keepProgram(root: string, cache: string): Program {
  const built = join(root, 'bench/dist');
  if (!existsSync(join(built, 'bench.js'))) throw new UsageError('the benches are not built: npm run bench');
  const copy = join(cache, `new-${process.pid}`);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const names = readdirSync(built, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js') && entry.name !== OURS)
    .map(({ name }) => name)
    .sort();
  const hash = createHash('sha256');
  for (const name of names) {
    copyFileSync(join(built, name), join(copy, name));
    hash.update(`${name}\n`).update(readFileSync(join(copy, name)));
  }
  const code = hash.digest('hex').slice(0, 12);
  const kept = join(cache, code, 'program');
  if (existsSync(kept)) rmSync(copy, { recursive: true });
  else {
    mkdirSync(join(cache, code), { recursive: true });
    renameSync(copy, kept);
  }
  return { code, command: [process.execPath, join(kept, 'bench.js')] };
}
