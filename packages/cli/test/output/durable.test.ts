import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../support/run.ts';

const log: string[] = [];

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  return {
    ...fs,
    open: async (path: string, ...rest: [string?, number?]) => {
      const handle = await fs.open(path, ...rest);
      const what = path.endsWith('.tmp') ? 'file' : 'folder';
      const sync = handle.sync.bind(handle);
      handle.sync = () => {
        log.push(`sync ${what}`);
        return sync();
      };
      return handle;
    },
    rename: (from: string, to: string) => {
      log.push('rename');
      return fs.rename(from, to);
    },
  };
});

test('a file is on the disk before it gets its name, and then its folder is', async () => {
  const { OutputFile } = await import('../../src/output/output-file.ts');
  const path = join(temporaryFolder(), 'x.json');
  const file = await OutputFile.open(path);
  await file.write('{}');
  await file.commit();
  expect(log).toEqual(['sync file', 'rename', 'sync folder']);
  expect(readFileSync(path, 'utf8')).toBe('{}');
});
