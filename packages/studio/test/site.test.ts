import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StudioServer, serveStudio } from '../../cli/src/studio/studio-server.ts';
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
    symlinkSync(SITE, join(folder, 'some-path'), 'dir');
    const studio = await StudioTester.start(folder);
    try {
      const files = new Set<string>();
      const page = await studio.open('about:blank');
      page.on('response', (response) => files.add(new URL(response.url()).pathname));
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

describe('the server', () => {
  let server: StudioServer;
  let base: string;

  beforeAll(async () => {
    const files = [{ name: 'my model.obj', path: join(SITE, 'index.html') }];
    server = await serveStudio({ folder: SITE, files, port: 0 });
    base = server.address.replace(/#.*/, '');
  });

  afterAll(() => server.close());

  test('names the file to open in its address', () => {
    expect(server.address).toMatch(/^http:\/\/localhost:\d+\/#scene=inspector&open=served$/);
  });

  test('isolates the page, so that clocks are exact and memory can be shared', async () => {
    const { status, headers } = await fetch(base);
    expect(status).toBe(200);
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
    expect(headers.get('Cross-Origin-Embedder-Policy')).toBe('require-corp');
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  });

  test('offers what was named, and nothing else', async () => {
    expect(await (await fetch(`${base}served/index.json`)).json()).toEqual({ files: ['my model.obj'] });
    expect((await fetch(`${base}served/0`)).status).toBe(200);
    const refused = [
      'served/1',
      'served/../../package.json',
      '..%2f..%2fpackage.json',
      '%2e%2e/package.json',
      'no.js',
      '%00',
      '%',
    ];
    for (const path of refused) expect((await fetch(base + path)).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(base, { method: 'POST' })).status).toBe(405);
  });

  test('answers to its own name only', async () => {
    const { request } = await import('node:http');
    const { port } = new URL(base);
    const status = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, headers: { host: 'evil.example' } }, ({ statusCode }) =>
        resolve(statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

test('the command ships the same site', () => {
  const shipped = new URL('../../cli/dist/studio/index.html', import.meta.url);
  if (process.env.PLIANT_STUDIO_SITE) return; // another build is being tested
  expect(existsSync(shipped)).toBe(true);
  expect(readFileSync(shipped, 'utf8')).toBe(readFileSync(join(SITE, 'index.html'), 'utf8'));
});
