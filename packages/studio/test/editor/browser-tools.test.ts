import { describe, expect, test } from 'vitest';
import { serveStudio } from '../../../cli/src/studio/studio-server.ts';
import { LONG_IN_BROWSER } from '../../../cli/test/support/chromium.ts';
import { WITHOUT_STYLE } from '../support/studio.ts';
import { writeHand } from './support/editor-page.ts';
import { EditorSuite } from './support/editor-suite.ts';

const QUICK = '#scene=editor&open=served&resolution=800';

/** Long: with PLIANT_FULL=1. */
describe('tools of the editor in a browser', LONG_IN_BROWSER, () => {
  const suite = new EditorSuite(writeHand);

  test('keys, regions, obstacles, recording and looks', async () => {
    const editor = await suite.open(QUICK);
    const { page } = editor;
    await page.locator('#edit-view').focus();
    await page.keyboard.press('a'); // a handle in the middle of the picture
    await page.waitForFunction(() => pliantEditor.frame!.controls.length === 1);
    expect(await page.evaluate(() => pliantEditor.gestures.chosen.size)).toBe(1);
    const start = await page.evaluate(() => [...pliantEditor.frame!.controls[0].target!]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowUp');
    await page.waitForFunction((y) => pliantEditor.frame!.controls[0].target![1] > y + 0.03, start[1]);

    await page.keyboard.press('p'); // pins, outlined by a box over the wrist
    const { x, y } = await editor.spot('-y');
    await editor.drag({ x: x - 120, y: y - 60 }, { x: x + 120, y: y + 40 }, 4);
    await page.waitForFunction(() => pliantEditor.frame!.controls.some(({ kind }) => kind === 'pin'));
    await page.keyboard.press('g'); // a finger is rigid, by a lasso
    await page.keyboard.press('l');
    const tip = await editor.spot('y');
    await page.mouse.move(tip.x - 30, tip.y - 20);
    await page.mouse.down();
    for (const [dx, dy] of [
      [30, -20],
      [30, 40],
      [-30, 40],
    ])
      await page.mouse.move(tip.x + dx, tip.y + dy, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => pliantEditor.frame!.controls.some(({ kind }) => kind === 'rigid'));
    expect(await page.locator('#edit-controls li').count()).toBe(3);

    await page.keyboard.press('h');
    await page.locator('#edit-record').click();
    await page.locator('[data-obstacle="sphere"]').click();
    await page.locator('[data-obstacle="ground"]').click();
    await page.waitForFunction(() => pliantEditor.state!.obstacles.length === 2);
    await page.keyboard.press('ArrowUp'); // the ground is chosen: it rises
    await page.waitForFunction(() => pliantEditor.state!.undoes === 'move obstacle');
    await page.locator('#edit-record').click();
    await page.waitForFunction(() => pliantEditor.state!.recordedSteps !== undefined);
    await page.locator('#edit-replay').click();
    await page.waitForFunction(() => pliantEditor.state!.isReplaying);
    await page.waitForFunction(() => !pliantEditor.state!.isReplaying, undefined, { timeout: 30_000 });

    const plain = await picture(page);
    await page.locator('#edit-view').focus();
    await page.keyboard.press('m');
    await page.waitForTimeout(200);
    expect(await picture(page)).not.toBe(plain);
    await page.locator('#edit-measure').click();
    await page.waitForFunction(() => pliantEditor.full !== undefined, undefined, { timeout: 30_000 });
    expect(await page.locator('#edit-full').textContent()).toMatch(/ms/);

    await page.keyboard.press('1'); // and out of it
    await page.waitForFunction(() => !document.body.classList.contains('is-editing'));
    await suite.studio.frames(1);
    await page.keyboard.press('e');
    await page.waitForFunction(() => document.body.classList.contains('is-editing'));
    expect(await editor.handles()).toBe(3); // as it was left
  });

  test('a preparation can be cancelled, and a file that cannot be read is named', async () => {
    const editor = await suite.open(QUICK);
    const { page } = editor;
    await page.evaluate(() => pliantEditor.prepare(30_000));
    await page.locator('#edit-cancel').click();
    await page.locator('#edit-progress').waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => pliantEditor.model!.resolution)).toBe(800);
    const file = { name: 'broken.obj', mimeType: '', buffer: Buffer.from('v 0 0\nf 1 2 3\n') };
    await page.locator('#edit-file').setInputFiles([file]);
    const notice = page.locator('.editor-stage .notice.error');
    await notice.waitFor();
    expect(await notice.textContent()).toMatch('broken.obj');
  });
});

test('the command leads to the editor, with its files or without', async () => {
  const files = [{ name: 'a.obj', path: 'a.obj' }];
  for (const [offered, link] of [
    [files, '#scene=editor&open=served'],
    [[], '#scene=editor'],
  ] as const) {
    const server = await serveStudio({ folder: '.', files: offered, port: 0, edit: true });
    expect(server.address.replace(/.*\//, '')).toBe(link);
    await server.close();
  }
});

async function picture(page: import('playwright-core').Page): Promise<string> {
  return (await page.locator('#edit-view').screenshot(WITHOUT_STYLE)).toString('base64');
}
