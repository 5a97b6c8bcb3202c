import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { readGltf } from 'pliant/gltf';
import { describe, expect, test } from 'vitest';
import { IN_BROWSER } from '../../../cli/test/support/chromium.ts';
import { hasSharedData, sharedFile } from '../../../pliant/test/io/shared-data.ts';
import type { OpenOptions } from '../support/studio.ts';
import { checkedPairs } from './support/checked-pairs.ts';
import { EditorSuite } from './support/editor-suite.ts';
import { tubeFile } from './support/tube.ts';

const atTime = (clip: string, time: number) => ['--clip', clip, '--times', String(time)];

const kindIs = (page: Page, kind: string) =>
  page.waitForFunction(
    (wanted) => {
      const { model, frame, isOpening } = globalThis.pliantEditor ?? {};
      return model?.kind === wanted && frame?.ticket === model.ticket && !isOpening;
    },
    kind,
    { timeout: 60_000, polling: 50 },
  );

const scanned = (page: Page) => page.locator('#edit-scan-stop').waitFor({ state: 'hidden', timeout: 30_000 });

describe('correcting a pose in a browser', IN_BROWSER, () => {
  const suite = new EditorSuite(() => {
    const path = join(mkdtempSync(join(tmpdir(), 'pliant-correct-')), 'tube.glb');
    writeFileSync(path, tubeFile().bytes);
    return [{ name: 'tube.glb', path }];
  });
  const visit = (options?: OpenOptions) => suite.visit('#scene=editor&open=served&resolution=800', options);

  test('by keys: choose, prepare, resolve, save, reload; what is damaged is refused', async () => {
    const editor = await visit();
    const { page } = editor;
    await page.locator('#edit-correct-choose').waitFor();
    await page.locator('#edit-correct-choose').press('Enter');
    await kindIs(page, 'pose');
    await scanned(page);
    expect(await page.locator('#edit-scan-text').textContent()).toMatch(/of 31 frames with contacts/);
    await page.locator('#edit-view').focus();
    await page.keyboard.press('n'); // the first frame with contacts
    await page.waitForFunction(() => pliantEditor.frame!.touching!.time > 0);
    const first = await page.locator('#edit-correct-time').inputValue();
    await page.keyboard.press('n');
    await page.keyboard.press('Shift+N');
    expect(await page.locator('#edit-correct-time').inputValue()).toBe(first);
    await page.locator('#edit-frame').focus();
    await page.keyboard.press('End'); // the slider over the bars
    await page.waitForFunction(() => pliantEditor.frame!.touching!.time === 1);
    const before = await page.evaluate(() => pliantEditor.frame!.touching!.pairs);
    expect(before).toBeGreaterThan(20);
    expect(await page.locator('#edit-correct-pairs').textContent()).toBe(String(before));
    await page.keyboard.press('a'); // there is nothing to take hold of yet
    await page.locator('#edit-correct-prepare').press('Enter');
    await kindIs(page, 'correction');
    expect(await page.locator('#edit-correct-before').textContent()).toBe(String(before));
    await page.locator('#edit-correct-resolve').press('Enter');
    await page.getByText('No contact is left to correct.').waitFor({ timeout: 30_000 });
    expect(await page.locator('#edit-correct-now').textContent()).toBe('0');

    await page.locator('#edit-correct-name').fill('hook fix');
    const glb = await editor.saved('#edit-correct-save');
    expect(glb.name).toBe('tube.corrected.glb');
    expect(checkedPairs({ ...glb, bytes: tubeFile().bytes }, atTime('Bend', 1))).toBe(before);
    expect(checkedPairs(glb, atTime('Bend', 1))).toBe(0);
    const { meshes } = await readGltf(new Uint8Array(glb.bytes), glb.name);
    expect(meshes[0].morphs!.names).toEqual(['hook fix']);

    await page.locator('#edit-correct-ramp').fill('-1');
    await page.locator('#edit-correct-save').click();
    const notice = page.locator('.editor-stage .notice.error');
    await notice.waitFor();
    expect(await notice.textContent()).toMatch('ramp must be a number above 0, not -1');

    const project = await editor.saved('#edit-save');
    const damaged = Buffer.from(project.bytes);
    damaged[damaged.length >> 1] ^= 4;
    const give = (buffer: Buffer) =>
      page.locator('#edit-file').setInputFiles([{ name: project.name, mimeType: '', buffer }]);
    await give(damaged);
    await page.getByText('damaged').waitFor();
    expect(await page.evaluate(() => pliantEditor.model!.kind)).toBe('correction'); // what was open still is

    await page.waitForTimeout(1800); // kept a moment after the last change
    await page.evaluate(() => history.replaceState(null, '', '#scene=editor'));
    await page.reload();
    await kindIs(page, 'correction');
    await page.getByText('No contact is left to correct.').waitFor();
    expect(await page.evaluate(() => pliantEditor.model!.isRestored)).toBe(true);
    await page.locator('#edit-correct-keep').click();
    await kindIs(page, 'pose');
    await scanned(page);
    expect(await page.evaluate(() => pliantEditor.frame!.touching!.pairs)).toBe(0);
  });

  test.skipIf(!hasSharedData || !process.env.PLIANT_FULL)(
    'CesiumMan, dropped on a tablet: 101 pairs, and none',
    async () => {
      const editor = await visit({ viewport: { width: 820, height: 1000 } });
      const { page } = editor;
      await page.locator('#edit-correct-choose').click();
      await kindIs(page, 'pose');
      const buffer = Buffer.from(sharedFile('skinned/CesiumMan.glb'));
      await page.locator('#edit-file').setInputFiles([{ name: 'CesiumMan.glb', mimeType: '', buffer }]);
      await page.getByText('CesiumMan.glb has').waitFor();
      await page.locator('#edit-correct-choose').click();
      await page.waitForFunction(() => pliantEditor.model?.name === 'CesiumMan');
      await kindIs(page, 'pose');
      await scanned(page);
      await page.locator('#edit-correct-worst').click();
      await page.waitForFunction(() => pliantEditor.frame!.touching!.pairs === 101);
      const { time } = await page.evaluate(() => pliantEditor.frame!.touching!);
      expect(time).toBeCloseTo(16 / 30, 9);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.locator('#edit-correct-prepare').click();
      await kindIs(page, 'correction');
      await page.locator('#edit-correct-resolve').click();
      await page.getByText('No contact is left to correct.').waitFor({ timeout: 60_000 });
      expect(checkedPairs(await editor.saved('#edit-correct-save'), atTime('0', time))).toBe(0);
    },
  );
});
