import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, FLAGS, LONG_IN_BROWSER } from '../../packages/cli/test/support/chromium.ts';

const site = fileURLToPath(new URL('../.vitepress/dist', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

// Building the site takes half a minute and more.
describe('the page about certificates in Chromium', LONG_IN_BROWSER, () => {
  let browser: Browser, server: Server, address: string;

  beforeAll(async () => {
    const script = fileURLToPath(new URL('../../scripts/docs.mjs', import.meta.url));
    execFileSync(process.execPath, [script, '--build'], { stdio: 'ignore' });
    server = createServer(async ({ url = '/' }, response) => {
      const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
      try {
        const bytes = await readFile(join(site, path.endsWith('/') ? `${path}index.html` : path));
        response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
        response.end(bytes);
      } catch {
        response.writeHead(404).end();
      }
    }).listen(0);
    address = `http://localhost:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
  }, 600_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('both figures compute: nothing touches within a limit, something does beyond', async () => {
    const { page, problems } = await open();
    const modes = page.locator('[data-figure=modes]');
    await modes.locator('[data-action=limit]').click();
    expect(await pairs(page, 'modes')).toBe(0);
    await modes.locator('[data-action=contact]').click();
    expect(await pairs(page, 'modes')).toBeGreaterThan(0);

    const energy = page.locator('[data-figure=energy]');
    expect(await energy.locator('.figure-answer').getAttribute('data-proved')).toBe('true');
    await energy.locator('input').first().fill('430');
    expect(await energy.locator('.figure-answer').getAttribute('data-proved')).toBe('false');
    expect(await pairs(page, 'energy')).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('without WebAssembly they say so, and compute the same', async () => {
    const { page } = await open('delete globalThis.WebAssembly');
    const modes = page.locator('[data-figure=modes]');
    expect(await modes.textContent()).toContain('WebAssembly is not available');
    await modes.locator('[data-action=contact]').click();
    expect(await pairs(page, 'modes')).toBeGreaterThan(0);
    await page.context().close();
  });

  async function open(before = ''): Promise<{ page: Page; problems: string[] }> {
    const page = await (await browser.newContext()).newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
    });
    await page.addInitScript(before);
    await page.goto(`${address}/certificates.html`);
    await page.waitForFunction(
      () => document.querySelectorAll('.live-figure[data-ready=true]').length === 2,
      null,
      { timeout: 90_000 },
    );
    return { page, problems };
  }

  async function pairs(page: Page, figure: string): Promise<number> {
    const answer = page.locator(`[data-figure=${figure}] .figure-answer`);
    return Number(await answer.getAttribute('data-pairs'));
  }
});
