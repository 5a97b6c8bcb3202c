import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { describe, expect, test } from 'vitest';
import { serveStudio } from '../../cli/src/studio/studio-server.ts';
import { CHROMIUM, FLAGS, HAS_CHROMIUM } from '../../cli/test/support/chromium.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLE = join(root, 'examples/three-characters.mjs');

describe('the example for three.js', () => {
  test('is short', () => {
    const lines = readFileSync(EXAMPLE, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
    expect(lines.length).toBeLessThanOrEqual(45);
  });

  test.skipIf(!HAS_CHROMIUM)('runs in a page of its own and shows where the characters touch', async () => {
    const folder = mkdtempSync(join(root, '.cache/three-example-'));
    const problems: string[] = [];
    try {
      writeFileSync(
        join(folder, 'index.html'),
        `<body style="margin:0"><script type="module" src="${EXAMPLE}"></script>`,
      );
      const outDir = join(folder, 'site');
      await build({
        root: folder,
        logLevel: 'silent',
        configFile: false,
        base: './',
        build: { outDir, target: 'es2022', minify: false },
      });
      const server = await serveStudio({ folder: outDir, files: [], port: 0 });
      const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
      try {
        const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
        page.on('pageerror', (error) => problems.push(error.message));
        await page.goto(server.address);
        await page.waitForFunction(
          () => /^[1-9]\d* pairs of triangles touch$/.test(document.title),
          undefined,
          { timeout: 60_000 },
        );
      } finally {
        await browser.close();
        await server.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(problems).toEqual([]);
  });
});
