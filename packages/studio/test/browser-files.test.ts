import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Download } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { IN_BROWSER } from '../../cli/test/support/chromium.ts';
import { compressed } from '../../cli/test/support/compressed-gltf.ts';
import { pliant } from '../../cli/test/support/run.ts';
import { sampleGlb } from '../../cli/test/support/sample-gltf.ts';
import { SITE, StudioTester } from './support/studio.ts';

const DATA = process.env.PLIANT_DATA ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url));
const CESIUM_MAN = join(DATA, 'skinned/CesiumMan.glb');
const START = '#scene=inspector&triangles=1000&paused=1&frame=30';
const FRAMES = process.env.PLIANT_FULL ? 100 : 20;

describe('files in a browser', IN_BROWSER, () => {
  let studio: StudioTester;

  /** One page for all: files are dropped on whatever is there. */
  beforeAll(async () => {
    studio = await StudioTester.start();
    await studio.open(START);
    await studio.frames(1);
  });

  afterEach(async () => {
    await studio.page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLElement>('.notice .close')) button.click();
    });
    expect(studio.problems.splice(0)).toEqual([]);
  });

  afterAll(() => studio?.stop());

  /** As if the user had dropped these files on the picture. */
  async function drop(files: Readonly<Record<string, Uint8Array>>): Promise<void> {
    const list = Object.entries(files).map(([name, bytes]) => ({
      name,
      text: Buffer.from(bytes).toString('base64'),
    }));
    await studio.page.evaluate((dropped) => {
      const transfer = new DataTransfer();
      for (const { name, text } of dropped) {
        const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
      }
      const view = document.querySelector('#view')!;
      for (const type of ['dragenter', 'dragover', 'drop']) {
        view.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }
    }, list);
  }

  const isShown = (name: string) =>
    studio.page.waitForFunction(
      (wanted) =>
        pliantStudio.scene?.files[0] === wanted &&
        pliantStudio.result !== undefined &&
        !pliantStudio.isOpening,
      name,
      { timeout: 30_000 },
    );

  const alert = () => studio.page.locator('.notice.error').innerText();

  async function exported(button: string): Promise<Download> {
    await studio.page.locator('#export-menu summary').click();
    const [download] = await Promise.all([
      studio.page.waitForEvent('download'),
      studio.page.locator(button).click(),
    ]);
    return download;
  }

  const textOf = async (download: Download) => readFile((await download.path())!, 'utf8');

  test.skipIf(!existsSync(CESIUM_MAN))(
    'CesiumMan, dropped: clip, contacts, JSON and HTML as the command writes them',
    async () => {
      const { page } = studio;
      await drop({ 'CesiumMan.glb': readFileSync(CESIUM_MAN) });
      await isShown('CesiumMan.glb');
      expect(await page.locator('#about').innerText()).toContain('CesiumMan.glb · 1 body · 4,672 triangles');
      await page.evaluate(() => pliantStudio.play(false));
      const { outcome, json } = await checkWithCommand();
      expect(outcome).toBe(1);
      const counts = json.frames.map(({ count }: { count: number }) => count);
      for (const frame of [0, 17, 31]) {
        await page.evaluate((f) => pliantStudio.seek(f), frame);
        await page.waitForFunction((f) => pliantStudio.result?.frame === f, frame);
        expect(await page.evaluate(() => pliantStudio.result!.pairCount)).toBe(counts[frame]);
      }
      expect(await textOf(await exported('#export-json-all'))).toBe(json.text);
      await page.evaluate(() => pliantStudio.play(true));
      await studio.frames((await page.evaluate(() => pliantStudio.framesShown)) + FRAMES);
      await page.evaluate(() => pliantStudio.play(false));
      const { drawn, colours } = await studio.picture();
      expect(drawn).toBeGreaterThan(0.02);
      expect(colours).toBeGreaterThan(50);

      const report = await exported('#export-html');
      expect(report.suggestedFilename()).toBe('CesiumMan-contacts.html');
      const html = await textOf(report);
      const reader = await page.context().newPage();
      await reader.setContent(html);
      await reader.waitForSelector('html[data-ready]');
      expect(await reader.locator('h1').innerText()).toMatch(/contact/i);
      await reader.close();
    },
  );

  async function checkWithCommand() {
    const { code, stdout } = await pliant(['check', CESIUM_MAN, '--json', '-', '--quiet']);
    return { outcome: code, json: { ...JSON.parse(stdout), text: stdout } };
  }

  test('a broken file: the message names it and what is wrong; the scene before stays', async () => {
    const { page } = studio;
    await page.evaluate(() => pliantStudio.seek(30));
    await page.waitForFunction(() => pliantStudio.result?.frame === 30);
    const before = await page.evaluate(() => pliantStudio.scene!.files[0]);
    const good = existsSync(CESIUM_MAN) ? readFileSync(CESIUM_MAN) : Buffer.from('glTF\x02\0\0\0\xff\0\0\0');
    await drop({ 'broken.glb': good.subarray(0, Math.floor(good.length / 2)) });
    await page.waitForSelector('.notice.error');
    expect(await alert()).toMatch(/This cannot be shown\s+broken\.glb: /);
    expect(await page.evaluate(() => pliantStudio.scene!.files[0])).toBe(before);
    await page.keyboard.press('.'); // and it goes on
    await page.waitForFunction(() => pliantStudio.result?.frame === 31);
    await page.locator('.notice.error .close').click();
    expect(await page.locator('.notice').count()).toBe(0);
  });

  test.each([
    ['notes.txt', 'hello', /notes\.txt: this is not a format we read/],
    ['empty.obj', '# nothing\n', /empty\.obj.*no vertex/],
    ['far.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n', /far\.obj.*9/],
    ['points.pc2', 'POINTCACHE2\0', /points\.pc2: a point cache has no triangles/],
  ])('%s is refused with a reason', async (name, text, message) => {
    await drop({ [name]: Buffer.from(text) });
    await studio.page.waitForSelector('.notice.error');
    expect(await alert()).toMatch(message);
  });

  test('frames of a folder become a sequence, in the order of their numbers', async () => {
    const frame = (x: number) =>
      Buffer.from(`v 0 0 0\nv 2 0 0\nv 0 2 0\nv ${x} .5 -1\nv ${x} .5 1\nv ${x} 1 1\nf 1 2 3\nf 4 5 6\n`);
    const { page } = studio;
    await drop({ 'f10.obj': frame(9), 'f2.obj': frame(0.5), 'f1.obj': frame(5) });
    await isShown('f1.obj');
    await page.evaluate(() => pliantStudio.play(false));
    const counts: number[] = [];
    for (const k of [0, 1, 2]) {
      await page.evaluate((f) => pliantStudio.seek(f), k);
      await page.waitForFunction((f) => pliantStudio.result?.frame === f, k);
      counts.push(await page.evaluate(() => pliantStudio.result!.pairCount));
    }
    expect(counts).toEqual([0, 1, 0]);
  });

  test.each(['draco', 'meshopt'] as const)('a file packed with %s is unpacked here', async (kind) => {
    const { page } = studio;
    const name = `${kind}.glb`;
    await drop({ [name]: await compressed(sampleGlb(), kind) });
    await isShown(name);
    expect(await page.locator('.notice.error').count()).toBe(0);
    expect(await page.locator('#clip option').count()).toBeGreaterThan(1);
  });

  test('a screenshot is a picture', async () => {
    const bytes = await readFile((await (await exported('#export-png')).path())!);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.length).toBeGreaterThan(5000);
  });
});

test('files that the command offers are opened, also after reloading', IN_BROWSER, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-served-'));
  writeFileSync(join(folder, 'sample.glb'), sampleGlb());
  const studio = await StudioTester.start(SITE, [{ name: 'sample.glb', path: join(folder, 'sample.glb') }]);
  try {
    const page = await studio.open(studio.address);
    await studio.frames(1);
    expect(await page.evaluate(() => pliantStudio.scene!.files)).toEqual(['sample.glb']);
    await page.waitForFunction(() => /camera=/.test(location.hash)); // the link has been written anew
    await page.reload();
    await studio.frames(1);
    expect(await page.evaluate(() => pliantStudio.scene!.files)).toEqual(['sample.glb']);
    expect(studio.problems).toEqual([]);
  } finally {
    await studio.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
