import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, FLAGS, IN_BROWSER } from '../../../cli/test/support/chromium.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const SOON = { timeout: 60_000, polling: 50 };

test('the example to paste is short', () => {
  const lines = readFileSync(join(root, 'examples/three-characters/main.mjs'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
  expect(lines.length).toBeLessThanOrEqual(45);
});

test('many files in one process: what touches, and what cannot be read', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(root, 'examples/batch-check/main.mjs'),
  ]);
  const { files, touching, unreadable, results } = JSON.parse(stdout);
  expect({ files, touching, unreadable }).toEqual({ files: 4, touching: 2, unreadable: 1 });
  expect(results.map(({ pairs }: { pairs?: number }) => (pairs ?? -1) > 0)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe('pages', IN_BROWSER, () => {
  let examples: { server: { close(): Promise<void>; resolvedUrls: { local: string[] } } };
  let browser: Browser;
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    const script = new URL('scripts/examples.mjs', `file://${root}/`).href;
    const { serveExamples } = await import(script);
    examples = await serveExamples({ port: 0, logLevel: 'error', watch: false });
    browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
  });

  afterAll(async () => {
    await browser?.close();
    await examples?.server.close();
  });

  async function open(name: string): Promise<void> {
    await page?.close();
    problems = [];
    page = await browser.newPage({ viewport: { width: 720, height: 450 } });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(`${examples.server.resolvedUrls.local[0]}${name}/`);
  }

  /** Until the element says so. */
  async function says(id: string, pattern: RegExp): Promise<void> {
    const look = ([wanted, source]: string[]) =>
      new RegExp(source).test(document.getElementById(wanted)?.textContent ?? '');
    await page.waitForFunction(look, [id, pattern.source], SOON);
  }

  test('characters walk through one another', async () => {
    await open('three-characters');
    await page.waitForFunction(() => /^[1-9]\d* pairs/.test(document.title), undefined, SOON);
    await says('pairs', /^\d+ pairs$/);
    expect(problems).toEqual([]);
  });

  test('a cloth touches itself', async () => {
    await open('cloth');
    await says('pairs', /^[1-9]\d* pairs?$/);
    expect(problems).toEqual([]);
  });

  test('a face blinks: nothing touches within the gauge, and lids do beyond', async () => {
    await open('morph-face');
    await says('proved', /^0\.\d+$/);
    const slide = (weight: number) =>
      page.locator('input[name="blink left"]').evaluate((input: HTMLInputElement, value) => {
        input.value = String(value);
        input.dispatchEvent(new Event('input'));
      }, weight);
    await slide(0); // the face no longer acts
    for (const other of await page.locator('#sliders input').all()) {
      await other.evaluate((input: HTMLInputElement) => {
        input.value = '0';
        input.dispatchEvent(new Event('input'));
      });
    }
    await says('answer', /^proved free$/);
    await slide(1);
    await says('answer', /^[1-9]\d* pairs?$/);
    expect(problems).toEqual([]);
  });

  test('certificates are prepared in workers, and cancelled', async () => {
    await open('worker-certificates');
    await says('pairs', /^[1-9]\d* pairs?$/);
    await page.evaluate(() => {
      // At the first progress, in the page itself: a click from outside may come when all is done.
      const state = document.getElementById('state')!;
      new MutationObserver((_, observer) => {
        if (!/^[1-9]\d* %$/.test(state.textContent!)) return;
        observer.disconnect();
        document.getElementById('cancel')!.click();
      }).observe(state, { childList: true, characterData: true, subtree: true });
    });
    await page.click('#prepare');
    await says('state', /^cancelled$/);
    expect(await page.locator('#prepare').isEnabled()).toBe(true);
    expect(problems).toEqual([]);
  });

  test('a shape that is pulled to the floor stays above it', async () => {
    await open('editor');
    await says('contacts', /^0 points$/);
    await page.mouse.move(520, 240); // the body, in the middle of what the panel leaves free
    await page.mouse.down();
    await page.mouse.move(520, 440, { steps: 5 });
    await says('held', /^vertex \d+$/);
    await says('contacts', /^[1-9]\d* points?$/);
    await page.mouse.up();
    expect(problems).toEqual([]);
  });
});
