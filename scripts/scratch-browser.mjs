// One browser and one server for all pages of npm run scratch.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { BROWSER_FLAGS, findTool } from './find-tools.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};
const SCRIPT = 'text/javascript; charset=utf-8';
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
/** No 'wasm-unsafe-eval': WebAssembly is refused. Inline scripts are allowed for the import map alone. */
const NO_WASM = { 'Content-Security-Policy': "default-src 'self' data:; script-src 'self' 'unsafe-inline'" };

/** Resolves to `{ problem }` where there is no browser. */
export async function openBrowser() {
  const { path, problem } = await findTool('browser');
  if (path === undefined) return { problem };
  const { chromium } = await import('playwright-core');
  const args = [...BROWSER_FLAGS, '--disable-gpu'];
  const browser = await chromium.launch({ executablePath: path, headless: true, args });
  return {
    /** What the page's program found, with what the console complains about as an error. */
    async open(address) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const problems = [];
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      page.on('response', (response) => {
        if (response.status() >= 400) problems.push(`${response.status()} for ${response.url()}`);
      });
      try {
        await page.goto(address);
        await page.waitForFunction(() => globalThis.found !== undefined, undefined, { timeout: 20_000 });
        const found = await page.evaluate(() => globalThis.found);
        const unexpected = problems.filter((text) => !/wasm-unsafe-eval|WebAssembly/.test(text));
        return unexpected.length > 0 ? { error: `${found.error ?? ''} ${unexpected.join('; ')}` } : found;
      } catch (error) {
        throw new Error(`${error.message.split('\n')[0]} ${problems.join('; ')}`);
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

export async function servePages(folder) {
  const server = createServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const path = join(folder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    if (!path.startsWith(folder) || !existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const headers = {
      'Content-Type': TYPES[extname(path)] ?? SCRIPT,
      ...(searchParams.has('shared') ? {} : ISOLATION),
      ...(searchParams.has('wasm') ? NO_WASM : {}),
    };
    response.writeHead(200, headers).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://localhost:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
