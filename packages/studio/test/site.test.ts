import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { IN_BROWSER } from '../../cli/test/support/chromium.ts';
import { SITE, StudioTester } from './support/studio.ts';

const BUDGET = 400_000; // bytes of script for the first scene, compressed

describe('the built site', () => {
  test('has relative addresses only: it can stand under any path', () => {
    const page = readFileSync(join(SITE, 'index.html'), 'utf8');
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) expect(address).toMatch(/^(\.\/|#|data:)/);
    expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
  });

  test('needs little script for the first scene, and runs under a sub-path', IN_BROWSER, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pliant-site-'));
    cpSync(SITE, join(folder, 'some-path'), { recursive: true });
    const studio = await StudioTester.start(folder);
    try {
      const files = new Set<string>();
      const page = await studio.open('about:blank');
      const base = new URL(studio.address).pathname; // begins with the token
      page.on('response', (response) => files.add(new URL(response.url()).pathname.slice(base.length)));
      await page.goto(`${studio.address}some-path/index.html#scene=walkers&triangles=2000`);
      await studio.frames(1);
      const scripts = [...files].filter((path) => path.endsWith('.js'));
      const bytes = scripts.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path))).length, 0);
      expect(scripts.length).toBeGreaterThan(1);
      expect(scripts.filter((path) => /decoder|draco|meshopt/.test(path))).toEqual([]); // for files that need them
      expect(bytes).toBeLessThan(BUDGET);
      expect(studio.problems).toEqual([]);
    } finally {
      await studio.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('the command ships the same site', () => {
  const shipped = new URL('../../cli/dist/studio/index.html', import.meta.url);
  if (process.env.PLIANT_STUDIO_SITE) return; // another build is being tested
  expect(existsSync(shipped)).toBe(true);
  expect(readFileSync(shipped, 'utf8')).toBe(readFileSync(join(SITE, 'index.html'), 'utf8'));
});
