import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../../../cli/bin/pliant.mjs', import.meta.url));

/** Pairs of triangles of a mesh that touch, in all frames that are looked at, by the built `pliant check`. */
export function checkedPairs(
  { name, bytes }: { name: string; bytes: Uint8Array },
  options: readonly string[] = [],
): number {
  const path = join(mkdtempSync(join(tmpdir(), 'pliant-checked-')), name);
  writeFileSync(path, bytes);
  const args = ['check', path, '--self', ...options, '--json', '-', '--quiet'];
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const { frames } = JSON.parse(stdout) as { frames: { count: number }[] };
  return frames.reduce((sum, { count }) => sum + count, 0);
}
