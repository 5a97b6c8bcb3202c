import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { renderHtmlReport } from '../../src/html/index.ts';
import type { ReportData } from '../../src/html/report-data.ts';
import { CHROMIUM, FLAGS, IN_BROWSER } from '../support/chromium.ts';
import { sampleReport } from './sample-report.ts';

const SIZE = { width: 1280, height: 720 };

describe('the report in a browser', IN_BROWSER, () => {
  let browser: Browser;
  let folder: string;
  let data: ReportData;
  let problems: string[]; // errors on the console, exceptions, and requests to anywhere
  let page: Page;
  let shared: Page | undefined; // of the tests that find everything as it was at first, or put it back

  beforeAll(async () => {
    data = await sampleReport();
    folder = mkdtempSync(join(tmpdir(), 'pliant-report-'));
    browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
  });

  afterEach(async () => {
    if (page !== shared) await page.context().close();
    expect(problems.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface OpenOptions {
    report?: ReportData;
    dark?: boolean;
    before?: string; // runs before the page's script
  }

  async function open(options: OpenOptions = {}): Promise<Page> {
    const { report = data, dark = false, before } = options;
    const file = join(folder, 'report.html');
    writeFileSync(file, renderHtmlReport(report));
    const context = await browser.newContext({
      viewport: SIZE,
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce', // the camera is there at once
    });
    page = await context.newPage();
    problems = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) problems.push(`asked for ${request.url()}`);
    });
    if (before) await page.addInitScript(before);
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('html[data-ready]');
    await drawn();
    return page;
  }

  /** The page that tests share, with the worst frame and the whole model in sight as when it was opened. */
  async function home(): Promise<void> {
    if (shared === undefined) {
      shared = await open();
      return;
    }
    page = shared;
    await page.setViewportSize(SIZE);
    await page.selectOption('#clip', '');
    await page.click('#tab-regions');
    await page.click('#worst');
    await page.click('#fit');
    await page.evaluate(() => scrollTo(0, 0));
    await drawn();
  }

  /** Two pictures of the screen later, everything asked for is drawn. */
  async function drawn(): Promise<void> {
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0)))),
    );
  }

  interface Picture {
    size: number;
    drawn: number; // pixels that are not background
    red: number;
    amber: number;
    sum: number; // changes with the picture
  }

  function picture(): Promise<Picture> {
    return page.evaluate(() => {
      const view = document.querySelector<HTMLCanvasElement>('#view')!;
      const copy = document.createElement('canvas');
      copy.width = view.width;
      copy.height = view.height;
      const context = copy.getContext('2d', { willReadFrequently: true })!;
      context.drawImage(view, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, copy.width, copy.height);
      const found = { size: pixels.length / 4, drawn: 0, red: 0, amber: 0, sum: 0 };
      for (let k = 0; k < pixels.length; k += 4) {
        const [r, g, b, a] = pixels.subarray(k, k + 4);
        if (a > 250) found.drawn++;
        if (a > 250 && r > 150 && g < 90 && b < 90) found.red++;
        if (a > 250 && r > 180 && g > 110 && b < 80) found.amber++;
        found.sum = (found.sum * 31 + r + 3 * g + 7 * b) % 1_000_000_007;
      }
      return found;
    });
  }

  const now = () => page.locator('#now').innerText();

  test('shows the worst frame first, with its contacts in red', async () => {
    await home();
    const most = Math.max(...data.frames.map(({ count }) => count));
    expect(await now()).toContain(`${most} contacts`);
    const { size, drawn: pixels, red } = await picture();
    expect(pixels).toBeGreaterThan(0.03 * size);
    expect(pixels).toBeLessThan(0.9 * size);
    expect(red).toBeGreaterThan(500);
  });

  test('scrubbing along the timeline changes the picture', async () => {
    await home();
    const before = await picture();
    const box = (await page.locator('#chart').boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 60);
    expect(await page.locator('#tip').innerText()).toMatch(/^Curl, frame \d+: /);
    await page.mouse.down();
    await page.mouse.move(box.x + 56, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await drawn();
    expect(await now()).toContain('Frame 0 of Curl');
    const after = await picture();
    expect(after.sum).not.toBe(before.sum);
    expect(after.red).toBe(0);
  });

  test('the keyboard moves through the frames', async () => {
    await home();
    await page.locator('#chart').focus();
    const value = async () => Number(await page.locator('#chart').getAttribute('aria-valuenow'));
    const start = await value();
    await page.keyboard.press('ArrowRight');
    expect(await value()).toBe(start + 1);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await value()).toBe(start - 1);
    await page.keyboard.press('Home');
    expect(await value()).toBe(0);
    await page.keyboard.press('End');
    expect(await value()).toBe(data.shown.length - 1);
    expect(await now()).toContain('of Swell <fast> & "loud"');
  });

  test('the keyboard turns, moves, zooms and fits the model', async () => {
    await home();
    const start = (await picture()).sum;
    await page.locator('#view').focus();
    for (const key of ['ArrowLeft', 'Shift+ArrowUp', '+']) {
      const before = (await picture()).sum;
      await page.keyboard.press(key);
      await drawn();
      expect((await picture()).sum, key).not.toBe(before);
    }
    for (const key of ['ArrowRight', 'f']) await page.keyboard.press(key);
    await drawn();
    expect((await picture()).sum).toBe(start);
  });

  test('the mouse turns the model; the wheel zooms', async () => {
    await open();
    const start = await picture();
    const box = (await page.locator('#view').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 80, y, { steps: 4 });
    await page.mouse.up();
    await drawn();
    const turned = await picture();
    expect(turned.sum).not.toBe(start.sum);
    await page.mouse.wheel(0, -300);
    await drawn();
    expect((await picture()).drawn).toBeGreaterThan(turned.drawn);
  });

  test('playing goes on by itself and stops when told', async () => {
    await home();
    const start = await now();
    await page.click('#play');
    await page.waitForFunction((text) => document.querySelector('#now')!.textContent !== text, start);
    await page.click('#play');
    expect(await page.locator('#play').getAttribute('aria-label')).toBe('Play');
    const stopped = await now();
    await page.waitForTimeout(150);
    expect(await now()).toBe(stopped);
  });

  test('a row of the table flies to its contacts and marks them', async () => {
    await home();
    const before = await picture();
    const row = page.locator('#regions tbody tr', { hasText: 'Ball' }).first();
    await row.locator('button').click();
    await drawn();
    expect(await row.getAttribute('aria-current')).toBe('true');
    const after = await picture();
    expect(after.sum).not.toBe(before.sum);
    expect(after.amber).toBeGreaterThan(300);
    await page.click('#fit');
    await drawn();
    expect((await picture()).sum).not.toBe(after.sum);
  });

  test('the contacts of the present frame are listed, and each can be visited', async () => {
    await home();
    await page.click('#tab-frame');
    const rows = page.locator('#panel-frame tbody tr');
    const most = Math.max(...data.frames.map(({ count }) => count));
    expect(await rows.count()).toBe(Math.min(300, most));
    await rows.nth(3).click();
    await drawn();
    expect((await picture()).amber).toBeGreaterThan(50);
    await page.locator('#chart').focus();
    await page.keyboard.press('Home');
    expect(await page.locator('#panel-frame').innerText()).toBe('Nothing touches in this frame.');
  });

  test('the table can be sorted', async () => {
    await home();
    const column = () =>
      page
        .locator('#regions tbody td:nth-child(3)')
        .evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset.value)));
    await page.click('#regions th:nth-child(3) button');
    expect(await column()).toEqual((await column()).sort((a, b) => b - a));
    await page.click('#regions th:nth-child(3) button');
    expect(await column()).toEqual((await column()).sort((a, b) => a - b));
    expect(await page.locator('#regions th:nth-child(3)').getAttribute('aria-sort')).toBe('ascending');
  });

  test('heat map, see-through and edges change the picture; the legend follows', async () => {
    await open();
    const sums = [(await picture()).sum];
    for (const id of ['#colour-heat', '#see-through', '#edges']) {
      await page.click(id);
      await drawn();
      sums.push((await picture()).sum);
    }
    expect(new Set(sums).size).toBe(4);
    expect(await page.locator('#legend').innerText()).toContain(`${Math.max(...data.hits)} frames`);
  });

  test('a click on the model names what is there', async () => {
    await home();
    const box = (await page.locator('#view').boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.56, box.y + box.height * 0.6);
    expect(await page.locator('#picked').innerText()).toMatch(
      /triangle \d+: touches .* in this frame, hit in/,
    );
  });

  test('one clip can be looked at alone', async () => {
    await home();
    await page.selectOption('#clip', '1');
    expect(await now()).toContain('of Swell');
    await page.locator('#chart').focus();
    await page.keyboard.press('Home');
    expect(await now()).toContain('Frame 0 of Swell');
    await page.click('#worst'); // is in the other clip: all are shown again
    expect(await page.locator('#clip').inputValue()).toBe('');
    expect(await now()).toContain('of Curl');
  });

  test('light and dark: the system decides, the button overrules', async () => {
    await open({ dark: true });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.click('#theme');
    const light = await ground();
    expect(light).not.toBe(dark);
    expect(await page.locator('#theme').innerText()).toBe('Dark');
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    expect(await ground()).toBe(light);
    await page.emulateMedia({ media: 'print' });
    expect(await ground()).toBe('rgb(255, 255, 255)');
  });

  test('without WebGL 2 it says so and the rest works', async () => {
    const before = `const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === 'webgl2' ? null : get.call(this, kind, ...rest);
      };`;
    await open({ before });
    expect(await page.locator('#no-view').innerText()).toContain('no WebGL 2');
    await page.locator('#chart').focus();
    await page.keyboard.press('Home');
    expect(await now()).toContain('Frame 0');
    await page.locator('#regions tbody tr').first().click();
    expect(await now()).toContain('contacts');
  });

  test('without DecompressionStream it unpacks by itself', async () => {
    await open({ before: 'delete globalThis.DecompressionStream' });
    expect((await picture()).red).toBeGreaterThan(500);
  });

  test('frames without a picture lead to the nearest that has one', async () => {
    await open({ report: await sampleReport({ shown: 9 }) });
    expect(await page.locator('.transport').innerText()).toContain('9 of 48 frames have a picture');
    const box = (await page.locator('#chart').boundingBox())!;
    const tips = new Set<string>();
    for (let x = 60; x < box.width - 20; x += 40) {
      await page.mouse.move(box.x + x, box.y + 60);
      tips.add(await page.locator('#tip').innerText());
    }
    expect([...tips].some((tip) => tip.includes('(picture: frame'))).toBe(true);
  });

  test('nothing touches, nothing was checked: it stays in order', async () => {
    await open({ report: await sampleReport({ bend: 0.3 }) });
    expect((await picture()).red).toBe(0);
    expect(await page.locator('#next').isDisabled()).toBe(true);
    await page.context().close();
    await open({
      report: { ...data, frames: [], shown: [], regionPairs: [], clips: [], state: 'cancelled' },
    });
    expect(await page.locator('#no-view').innerText()).toContain('No picture');
    expect(await page.locator('#time').isVisible()).toBe(false);
  });

  test.each([
    [1280, 720],
    [1024, 768],
    [768, 1024],
    [390, 844],
  ])('fits %d × %d pixels without scrolling sideways', async (width, height) => {
    await home();
    await page.setViewportSize({ width, height });
    await drawn();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
    for (const id of ['#view', '#chart', '#regions']) {
      const box = (await page.locator(id).boundingBox())!;
      expect(box.width, id).toBeGreaterThan(width * 0.25);
    }
    if (width === 1280) {
      const chart = (await page.locator('#chart').boundingBox())!;
      expect(chart.y + chart.height).toBeLessThanOrEqual(height); // verdict, picture and timeline at one glance
    }
  });

  test('everything that can be used has a name', async () => {
    await home();
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, select, [tabindex="0"], canvas[tabindex]')]
        .filter((element) => {
          const label = element.getAttribute('aria-label') ?? element.getAttribute('aria-labelledby');
          const text = element.textContent?.trim() || (element as HTMLSelectElement).labels?.length;
          return !label && !text;
        })
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(nameless).toEqual([]);
  });
});
