import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RedisClient } from '../../src/queue/redis-client.ts';
import { morphGlb } from '../support/morph-gltf.ts';
import { pliant, temporaryFolder } from '../support/run.ts';
import { sampleGlb } from '../support/sample-gltf.ts';

const COMMAND = fileURLToPath(new URL('../../bin/pliant.mjs', import.meta.url));
const root = temporaryFolder();
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(root, 'run-'));
  writeFileSync(join(folder, 'sample.glb'), sampleGlb());
});

/** Kills a check with SIGKILL as soon as it has begun its outputs; returns what it leaves. */
function killedCheck(env: Record<string, string> = {}): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const args = ['check', 'sample.glb', '--fps', '1e6', '--json', 'killed.json', '--html', 'killed.html'];
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const watch = setInterval(() => {
      if (temporaries().length >= 2) child.kill('SIGKILL');
    }, 5);
    const watchdog = setTimeout(() => child.kill('SIGKILL'), 60_000);
    child.on('error', reject);
    child.on('close', () => {
      clearInterval(watch);
      clearTimeout(watchdog);
      resolve(temporaries());
    });
  });
}

function temporaries(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('.'));
}

describe('temporary files', () => {
  test.runIf(process.platform !== 'win32')('of a killed run are removed by the next', async () => {
    expect(await killedCheck()).toHaveLength(2);
    expect((await pliant(['check', 'sample.glb', '--json', 'next.json'], { cwd: folder })).code).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['next.json', 'sample.glb']);
  });

  test('of others are left alone', async () => {
    const names = [
      '.sample.glb.12345-0a1b2c3d.tmp', // no name of ours
      '.pliant-x.tmp',
      '.hidden',
      'notes.tmp',
    ];
    for (const name of names) writeFileSync(join(folder, name), '');
    mkdirSync(join(folder, '.pliant-00000000-1-0-00000000.tmp'));
    expect((await pliant(['check', 'sample.glb', '--json', 'next.json'], { cwd: folder })).code).toBe(1);
    for (const name of names) expect(existsSync(join(folder, name))).toBe(true);
  });

  test.runIf(process.platform === 'linux')('of other machines stay for a week', async () => {
    const [left] = await killedCheck();
    const elsewhere = left.replace(/^(\.pliant-)[0-9a-f]+/, '$100000000');
    const old = elsewhere.replace('00000000-', '00000001-');
    expect(elsewhere).not.toBe(left);
    for (const name of [elsewhere, old]) writeFileSync(join(folder, name), '');
    const then = Date.now() / 1000 - 8 * 86_400;
    utimesSync(join(folder, old), then, then);
    expect((await pliant(['check', 'sample.glb', '--json', 'next.json'], { cwd: folder })).code).toBe(1);
    expect(temporaries()).toEqual([elsewhere]);
  });

  test('of a run that goes on are left alone', async () => {
    // The process of the test is alive; its number and start stand for those of another run.
    const { temporaryName } = await import('../../src/output/temporary-files.ts');
    const name = temporaryName();
    writeFileSync(join(folder, name), '');
    expect((await pliant(['check', 'sample.glb', '--json', 'next.json'], { cwd: folder })).code).toBe(1);
    expect(temporaries()).toEqual([name]);
  });

  test.runIf(process.platform === 'linux')('of a killed worker are removed by the next', async () => {
    const { ownerMark } = await import('../../src/output/temporary-files.ts');
    const { FileCache } = await import('../../src/queue/file-cache.ts');
    const gone = ownerMark().replace(/\d+$/, (start) => String(Number(start) - 1)); // its number is in use again
    const names = [
      `pliant-worker-${gone}-abcdef`,
      `pliant-worker-${ownerMark()}-abcdef`,
      'pliant-worker-mine',
    ];
    for (const name of names) mkdirSync(join(folder, name, 'check'), { recursive: true });
    const { TMPDIR } = process.env;
    process.env.TMPDIR = folder;
    try {
      const cache = await FileCache.open({} as RedisClient, undefined);
      await cache.close();
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
    expect(readdirSync(folder).sort()).toEqual([...names.slice(1), 'sample.glb'].sort());
  });

  test('certificates with the longest of names can be written, though their parts need a longer one', async () => {
    writeFileSync(join(folder, 'face.glb'), morphGlb({ columns: 6, targets: 1 }));
    const name = `${'n'.repeat(248)}.pliant`;
    const { code, stderr } = await pliant(['certify', 'face.glb', '--quiet', '-o', name], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(readdirSync(folder).sort()).toEqual(['face.glb', name, 'sample.glb'].sort());
  });

  test.each([200, 240, 245, 250])('names of %i characters can be written', async (length) => {
    const name = `${'n'.repeat(length)}.json`;
    const { code, stderr } = await pliant(['check', 'sample.glb', '--quiet', '--json', name], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([1, '']);
    expect(readdirSync(folder).sort()).toEqual([name, 'sample.glb'].sort());
  });
});
