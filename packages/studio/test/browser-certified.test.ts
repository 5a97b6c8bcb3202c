import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { IN_BROWSER } from '../../cli/test/support/chromium.ts';
import { StudioTester } from './support/studio.ts';

describe('scenes with certificates in a browser', IN_BROWSER, () => {
  let studio: StudioTester;

  beforeAll(async () => {
    studio = await StudioTester.start();
  });

  afterEach(() => {
    expect(studio.problems).toEqual([]);
  });

  afterAll(() => studio?.stop());

  test('a slider shows its clip, moves the face at once and ends up in the link', async () => {
    const page = await studio.open('#scene=face&triangles=1500&paused=1');
    await studio.frames(1);
    expect(await page.evaluate(() => pliantStudio.player.clip)).toBe(0);
    expect(await page.textContent('#gauge-text')).toMatch(/^proved/);
    const slider = page.locator('#settings .lil-controller', { hasText: '1 mouth closed' }).locator('input');
    await slider.fill('1');
    await slider.press('Enter');
    await page.waitForFunction(() => pliantStudio.result!.clip === 1 && pliantStudio.result!.pairCount > 0);
    expect(await page.evaluate(() => pliantStudio.isOpening)).toBe(false);
    await page.waitForFunction(() => /^beyond/.test(document.querySelector('#gauge-text')!.textContent));
    await page.waitForFunction(() => location.hash.includes('w1=1&'));
    expect(await page.inputValue('#clip')).toBe('1');
    expect((await studio.picture()).red).toBeGreaterThan(0.001);
  });

  test('the spring sounds after a click, and says so where it cannot', async () => {
    const page = await studio.open('#scene=spring&detail=coarse&paused=1');
    await studio.frames(1);
    const letGo = page.locator('#settings button', { hasText: 'Let go' });
    await page.evaluate(() => {
      Object.assign(globalThis, { kept: AudioWorkletNode, AudioWorkletNode: undefined });
    });
    await letGo.click();
    await page.getByText('No sound', { exact: true }).waitFor();
    expect(await page.evaluate(() => pliantStudio.isSounding)).toBe(false);
    await page.evaluate(() => {
      Object.assign(globalThis, { AudioWorkletNode: (globalThis as { kept?: unknown }).kept });
    });
    await letGo.click();
    await page.waitForFunction(() => pliantStudio.isSounding);
    await page.waitForFunction(() => pliantStudio.result!.facts!.strikes!.times.length > 0, undefined, {
      timeout: 60_000,
      polling: 10,
    });
  });

  test('culling levels are shown with their legend while they are wanted', async () => {
    const page = await studio.open('#scene=flag&detail=coarse&paused=1');
    await studio.frames(1);
    const entries = page.locator('#legend .tone');
    expect(await entries.count()).toBe(0);
    const plain = await studio.picture();
    const levels = page.locator('#settings .lil-controller', { hasText: 'Culling level colours' });
    await levels.locator('input').click();
    await entries.first().waitFor();
    expect(await entries.allTextContents()).toEqual([
      'cleared 512 at once',
      '256',
      '128',
      '64',
      '32',
      'not cleared: searched',
    ]);
    await page.waitForFunction(() => location.hash.includes('levels=true'));
    expect((await studio.picture()).sum).not.toBe(plain.sum);
    await levels.locator('input').click();
    await page.waitForFunction(() => document.querySelector('#legend .tone') === null);
    expect((await studio.picture()).sum).toBe(plain.sum);
  });

  test('leaving a scene that is being prepared opens the other one soon', async () => {
    const page = await studio.open('#scene=inspector&triangles=1000');
    await studio.frames(1);
    await page.click('[data-scene="ear-drop"]');
    await page.waitForFunction(() =>
      /tetrahedra|modes/.test(document.querySelector('#progress-text')!.textContent),
    );
    await page.click('[data-scene="inspector"]');
    await page.waitForFunction(() => !pliantStudio.isOpening && pliantStudio.scene!.id === 'inspector');
    await studio.frames(3);
    expect(await page.isVisible('#progress')).toBe(false);
  });
});
