import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { IN_BROWSER } from '../../cli/test/support/chromium.ts';
import { StudioTester } from './support/studio.ts';

const QUICK = '#scene=inspector&triangles=1000';
const PAUSED = `${QUICK}&paused=1&frame=60`;

describe('the page in a browser', IN_BROWSER, () => {
  let studio: StudioTester;

  beforeAll(async () => {
    studio = await StudioTester.start();
  });

  afterEach(() => {
    expect(studio.problems).toEqual([]);
  });

  afterAll(() => studio?.stop());

  const shown = (frame: number) =>
    studio.page.waitForFunction((f) => pliantStudio.result?.frame === f, frame, { timeout: 30_000 });

  test('keys: play, step, looks, pairs, theme, help', async () => {
    const page = await studio.open(PAUSED);
    await shown(60);
    await page.keyboard.press('.');
    await shown(61);
    await page.keyboard.press(',');
    await shown(60);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => pliantStudio.framesShown > 8);
    await page.keyboard.press('Space');
    expect(await page.locator('#play').getAttribute('aria-label')).toBe('Play');

    const before = await page.evaluate(() => document.documentElement.dataset.theme);
    await page.keyboard.press('t');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).not.toBe(before);

    await page.evaluate(() => pliantStudio.seek(60));
    await shown(60);
    const plain = await studio.picture();
    await page.keyboard.press('v');
    await page.waitForFunction(() => pliantStudio.result?.trace !== undefined);
    await page.keyboard.press('c');
    await page.waitForFunction(() => pliantStudio.result?.curves !== undefined);
    expect((await studio.picture()).sum).not.toBe(plain.sum);

    const far = await page.evaluate(() => location.hash);
    await page.keyboard.press('n');
    expect(await page.locator('#pairs button[aria-pressed="true"]').count()).toBe(1);
    await page.waitForFunction((hash) => location.hash !== hash, far); // the camera is elsewhere
    await page.keyboard.press('f');
    expect(await page.locator('#pairs button[aria-pressed="true"]').count()).toBeLessThanOrEqual(1);

    await page.keyboard.press('?');
    expect(await page.locator('#help').evaluate((dialog: HTMLDialogElement) => dialog.open)).toBe(true);
    expect(await page.locator('#shortcuts dt').count()).toBeGreaterThan(10);
    await page.keyboard.press('Escape');
    expect(await page.locator('#help').evaluate((dialog: HTMLDialogElement) => dialog.open)).toBe(false);
  });

  test('a link restores scene, values, frame, looks, theme and camera', async () => {
    const link =
      '#scene=inspector&shape=ball&triangles=2000&frame=12&paused=1&show=glass,boxes&level=4&theme=dark&camera=3,2,4,0,0.5,0';
    const page = await studio.open(link, { colorScheme: 'light' });
    await shown(12);
    const state = await page.evaluate(() => ({
      values: pliantStudio.scene!.values,
      isPlaying: pliantStudio.player.isPlaying,
      looks: { ...pliantStudio.settings.looks },
      theme: document.documentElement.dataset.theme,
    }));
    expect(state.values).toEqual({ shape: 'ball', triangles: 2000 });
    expect(state).toMatchObject({
      isPlaying: false,
      theme: 'dark',
      looks: { glass: true, boxes: true, boxLevel: 4 },
    });
    await page.waitForTimeout(500); // the link is written anew
    const hash = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
    expect(hash.get('camera')!.split(',').map(Number)).toEqual([3, 2, 4, 0, 0.5, 0]);
    expect(hash.get('frame')).toBe('12');
    const { sum } = await studio.picture();
    await page.reload();
    await shown(12);
    await page.waitForTimeout(300);
    expect((await studio.picture()).sum).toBe(sum);
  });

  test('an unknown scene falls back to the first one and says so', async () => {
    const page = await studio.open('#scene=moon&triangles=2000');
    expect(await page.locator('.notice').innerText()).toContain('There is no scene "moon"');
    expect(await page.locator('[aria-current]').getAttribute('data-scene')).toBe('walkers');
  });

  test('newcomers get hints once, beside the picture; Escape or the button sends them away', async () => {
    for (const [width, height] of [
      [1280, 720],
      [820, 1180],
    ]) {
      const page = await studio.open(PAUSED, { isNewcomer: true, viewport: { width, height } });
      await shown(60);
      const [hints, view] = await Promise.all(
        ['#hints', '#view'].map((name) => page.locator(name).boundingBox()),
      );
      expect(hints!.height).toBeLessThan(60);
      expect(hints!.y + hints!.height).toBeLessThanOrEqual(view!.y);
      if (width > 1000) await page.locator('#hints-close').click();
      else {
        await page.keyboard.press('?');
        await page.keyboard.press('Escape'); // closes the help
        expect(await page.locator('#hints').isVisible()).toBe(true);
        await page.locator('#hints-close').focus();
        await page.keyboard.press('Escape');
        expect(await page.evaluate(() => document.activeElement!.id)).toBe('view'); // focus is not lost
      }
      expect(await page.locator('#hints').isVisible()).toBe(false);
      await page.waitForFunction(() => {
        const [stage, canvas] = ['#stage', '#view'].map((name) => document.querySelector(name)!.clientHeight);
        return stage === canvas; // the picture takes the place
      });
      await page.reload();
      await shown(60);
      expect(await page.locator('#hints').isVisible()).toBe(false);
    }
  });

  test('the walk that is drawn is named, and so is what does not fit into the picture', async () => {
    const page = await studio.open('#scene=inspector&triangles=16000&paused=1&frame=60');
    await shown(60);
    expect(await page.locator('#legend').innerText()).toBe('touching');
    await page.keyboard.press('v');
    await page.keyboard.press('b');
    await page.waitForFunction(() => pliantStudio.result?.trace !== undefined);
    await page.waitForFunction(() => !document.querySelector<HTMLElement>('#legend-levels')!.hidden);
    const legend = await page.locator('#legend').innerText();
    expect(legend).toContain('traditional walk, root to leaf');
    expect(legend).toContain('not reached');
    const leftOut = await page.evaluate(() => pliantStudio.result!.trace!.boxesLeftOut);
    expect(await page.locator('#legend-boxes').isVisible()).toBe(leftOut > 0);
    expect(leftOut === 0 || legend.includes(`${leftOut.toLocaleString('en-US')} smaller box`)).toBe(true);
    await page.keyboard.press('?');
    expect(await page.locator('#help').innerText()).toContain(
      'The walk that can be drawn is the traditional one',
    );
  });

  describe('that stays open', () => {
    beforeAll(async () => {
      await studio.open(PAUSED);
      await shown(60);
    });

    test('without a mouse: every main control can be reached, named and seen in focus', async () => {
      const { page } = studio;
      const reached: string[] = [];
      for (let k = 0; k < 45; k++) {
        await page.keyboard.press('Tab');
        const { name, id, isVisible } = await page.evaluate(() => {
          const element = document.activeElement as HTMLElement;
          const label = element.closest('.lil-controller')?.querySelector('.lil-name')?.textContent;
          const { outlineStyle, boxShadow } = getComputedStyle(element);
          return {
            id: element.id,
            name:
              element.ariaLabel ??
              label ??
              element.closest('label')?.textContent ??
              element.textContent ??
              '',
            isVisible: outlineStyle !== 'none' || boxShadow !== 'none',
          };
        });
        if (id === '' && name === '') continue;
        expect(name.trim(), `name of #${id}`).not.toBe('');
        expect(isVisible, `focus of ${name}`).toBe(true);
        reached.push(id || name);
      }
      for (const id of ['theme', 'help-button', 'view', 'play', 'step-forward', 'scrub', 'speed']) {
        expect(reached).toContain(id);
      }
      await page.locator('#scrub').focus();
      await page.keyboard.press('ArrowRight');
      await shown(61);
      await page.locator('#view').focus();
      const before = await page.evaluate(() => location.hash);
      await page.keyboard.press('ArrowLeft');
      await page.waitForFunction((hash) => location.hash !== hash, before);
    });

    test('the same frame gives the same picture, whatever was shown in between', async () => {
      const { page } = studio;
      const sums: number[] = [];
      for (const frame of [10, 60, 75, 10]) {
        await page.evaluate((f) => pliantStudio.seek(f), frame);
        await shown(frame);
        await page.waitForTimeout(100);
        sums.push((await studio.picture()).sum);
      }
      expect(new Set(sums).size).toBe(3);
      expect(sums[3]).toBe(sums[0]);
    });

    test('other sizes: the picture fills its place, nothing sticks out sideways', async () => {
      const { page } = studio;
      for (const [width, height] of [
        [1280, 720],
        [1024, 768],
        [820, 1180],
        [600, 900],
        [900, 600], // as it was
      ]) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(150);
        const { canvas, stage, overflow } = await page.evaluate(() => {
          const box = document.querySelector('#stage')!.getBoundingClientRect();
          const { width: w, height: h } = document.querySelector<HTMLCanvasElement>('#view')!;
          return {
            canvas: w / h,
            stage: box.width / box.height,
            overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          };
        });
        expect(Math.abs(canvas - stage)).toBeLessThan(0.02);
        expect(overflow, `at ${width}`).toBeLessThanOrEqual(0);
        expect((await studio.picture()).drawn).toBeGreaterThan(0.02);
      }
    });

    test('contacts are red, and gone when they are switched off', async () => {
      const { page } = studio;
      await page.evaluate(() => pliantStudio.seek(60));
      await shown(60);
      expect(await page.evaluate(() => pliantStudio.result!.pairCount)).toBeGreaterThan(0);
      const { red } = await studio.picture();
      expect(red).toBeGreaterThan(0.0005);
      await page.keyboard.press('b'); // also among boxes
      await page.waitForFunction(() => pliantStudio.result?.trace !== undefined);
      expect((await studio.picture()).red).toBeGreaterThan(0.0002);
      await page.keyboard.press('b');
      await page.keyboard.press('r');
      await page.waitForTimeout(200);
      expect((await studio.picture()).red).toBe(0);
    });

    test('text can be read in both themes', async () => {
      const { page } = studio;
      for (const theme of ['light', 'dark']) {
        if (theme !== (await page.evaluate(() => document.documentElement.dataset.theme)))
          await page.keyboard.press('t');
        expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
        const worst = await page.evaluate(() => {
          const parse = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number);
          const light = ([r, g, b]: number[]) =>
            [r, g, b]
              .map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
              .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
          const ground = (element: Element | null): number[] => {
            if (element === null) return [255, 255, 255];
            const colour = parse(getComputedStyle(element).backgroundColor);
            return colour.length === 3 || colour[3] > 0.99 ? colour : ground(element.parentElement);
          };
          let least = { ratio: 99, text: '' };
          for (const element of document.querySelectorAll<HTMLElement>('header *, nav *, aside *, .time *')) {
            const own = [...element.childNodes].some(
              (node) => node.nodeType === 3 && node.textContent!.trim() !== '',
            );
            if (!own || !element.checkVisibility() || (element as HTMLButtonElement).disabled) continue;
            const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < least.ratio) least = { ratio, text: element.textContent! };
          }
          return least;
        });
        expect(worst.ratio, `${theme}: ${worst.text}`).toBeGreaterThan(4.5);
      }
    });
  });
});
