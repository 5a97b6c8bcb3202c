import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StudioServer, serveStudio } from '../src/studio/studio-server.ts';
import { temporaryFolder } from './support/run.ts';

const ABORTED = 300;
const AT_ONCE = 20;
const HAS_PROC = process.platform === 'linux';

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);

describe('the server of the studio', () => {
  let server: StudioServer;
  let base: string;
  let origin: string;

  beforeAll(async () => {
    for (const name of ['site', 'site/assets', 'models', 'private']) mkdirSync(at(name));
    writeFileSync(at('site', 'index.html'), '<title>Pliant Studio</title>');
    writeFileSync(at('site', 'assets', 'main.js'), 'export {};');
    writeFileSync(at('models', 'large.bin'), Buffer.alloc(8_000_000, 1));
    writeFileSync(at('models', 'my model.obj'), 'v 0 0 0\n');
    writeFileSync(at('private', 'key'), 'secret');
    symlinkSync(at('private', 'key'), at('models', 'key.bin'));
    symlinkSync(at('models', 'my model.obj'), at('models', 'inside.bin'));
    symlinkSync(at('private', 'key'), at('site', 'assets', 'key.js'));
    const roots = [at('models')];
    const files = [
      { name: 'my model.obj', path: at('models', 'my model.obj') },
      { name: 'large.bin', path: at('models', 'large.bin') },
      { name: 'key.bin', path: at('models', 'key.bin'), roots },
      { name: 'inside.bin', path: at('models', 'inside.bin'), roots },
      { name: 'swapped.obj', path: at('models', 'swapped.obj') },
    ];
    writeFileSync(at('models', 'swapped.obj'), 'v 0 0 0\n');
    server = await serveStudio({ folder: at('site'), files, port: 0 });
    base = server.address.replace(/#.*/, '');
    ({ origin } = new URL(base));
  });

  afterAll(() => server.close());

  const status = async (address: string, options?: RequestInit) => (await fetch(address, options)).status;

  test('names the token and the file to open in its address; the token is never the same', async () => {
    expect(server.address).toMatch(/^http:\/\/localhost:\d+\/[\w-]{32}\/#scene=inspector&open=served$/);
    const other = await serveStudio({ folder: at('site'), files: [], port: 0 });
    expect(new URL(other.address).pathname).not.toBe(new URL(server.address).pathname);
    await other.close();
  });

  test('refuses everything without its token', async () => {
    const wrong = new URL(base).pathname.replace(/[\w-]/, (letter) => (letter === 'A' ? 'B' : 'A'));
    for (const prefix of ['/', wrong, '/x/', '//', `/${encodeURIComponent('é')}/`]) {
      for (const path of ['', 'index.html', 'served/index.json', 'served/0', 'assets/main.js']) {
        const response = await fetch(`${origin}${prefix}${path}`);
        expect(response.status, prefix + path).toBe(403);
        expect(await response.text()).not.toMatch(/my model|v 0 0 0|<title>/);
      }
    }
    expect(await status(`${origin}/served/0?token=${new URL(base).pathname.slice(1, -1)}`)).toBe(403);
    expect(await status(base)).toBe(200);
    expect(await status(base.slice(0, -1))).toBe(200); // led on to the address with a slash
  });

  test('answers to its own name and port only', async () => {
    const { port, pathname } = new URL(base);
    const ask = (host: string) =>
      new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port, path: pathname, headers: { host } }, ({ statusCode }) =>
          resolve(statusCode),
        )
          .on('error', reject)
          .end();
      });
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      `localhost:${Number(port) + 1}`,
    ]) {
      expect(await ask(host), host).toBe(403);
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) expect(await ask(host), host).toBe(200);
  });

  test('sends strict headers with every answer', async () => {
    for (const address of [
      base,
      `${base}served/0`,
      `${base}served/index.json`,
      `${base}none`,
      `${origin}/`,
    ]) {
      const { headers } = await fetch(address);
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("'wasm-unsafe-eval'");
      expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
      expect(headers.get('Cross-Origin-Embedder-Policy')).toBe('require-corp');
      expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
    }
    expect((await fetch(base)).headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  });

  test('offers what was named, and nothing else', async () => {
    const { files } = (await (await fetch(`${base}served/index.json`)).json()) as { files: string[] };
    expect(files[0]).toBe('my model.obj');
    expect(await (await fetch(`${base}served/0`)).text()).toBe('v 0 0 0\n');
    const refused = [
      'served/99',
      'served/../../package.json',
      '..%2f..%2fprivate/key',
      '%2e%2e/private/key',
      'assets',
      'no.js',
      '%00',
      '%',
    ];
    for (const path of refused) expect(await status(base + path), path).toBeGreaterThanOrEqual(400);
    expect(await status(base, { method: 'POST' })).toBe(405);
    expect(await status(`${base}served/1`, { method: 'HEAD' })).toBe(200);
  });

  test('does not follow a link out of the folder, also one that comes later', async () => {
    expect(await status(`${base}served/2`)).toBe(403);
    expect(await status(`${base}served/3`)).toBe(200);
    expect(await status(`${base}assets/key.js`)).toBe(403);
    expect(await status(`${base}served/4`)).toBe(200);
    rmSync(at('models', 'swapped.obj'));
    symlinkSync(at('private', 'key'), at('models', 'swapped.obj'));
    expect(await status(`${base}served/4`)).toBe(403);
  });

  test('a folder or a file that is gone is not found', async () => {
    renameSync(at('models', 'my model.obj'), at('models', 'moved.obj'));
    expect(await status(`${base}served/0`)).toBe(404);
    mkdirSync(at('models', 'my model.obj'));
    expect(await status(`${base}served/0`)).toBe(404);
  });

  test.runIf(HAS_PROC)(`${ABORTED} aborted downloads leave no file open`, async () => {
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const before = openFiles();
    for (let k = 0; k < ABORTED; k += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => abortDownload(`${base}served/1`)));
    }
    await expect.poll(openFiles, { timeout: 30_000 }).toBeLessThan(before + AT_ONCE);
    const whole = await fetch(`${base}served/1`);
    expect((await whole.arrayBuffer()).byteLength).toBe(8_000_000);
  });
});

/** Goes away after the first bytes. */
function abortDownload(address: string): Promise<void> {
  const { port, host, pathname } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    });
    socket.once('data', () => socket.destroy());
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}
