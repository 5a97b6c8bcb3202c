import { describe, expect, test } from 'vitest';
import { LONG_IN_BROWSER } from '../../../cli/test/support/chromium.ts';
import { writeHand } from './support/editor-page.ts';
import { EditorSuite } from './support/editor-suite.ts';

const WORDS_PER_MINUTE = 180;
const folder = process.env.PLIANT_OUT; // pictures of each step, for those who want to look

describe('the guided tour in a browser', LONG_IN_BROWSER, () => {
  const suite = new EditorSuite(writeHand);

  test('each step is marked, done, and leads to the next; reading takes less than two minutes', async () => {
    const editor = await suite.open('#scene=editor&open=served&resolution=800');
    const { page } = editor;
    const card = page.locator('.tour');
    await page.evaluate(() => pliantEditor.panel.toggle('gizmo')); // it would lie over the next finger
    await page.locator('#edit-tour').click();
    const { x, y } = await editor.spot('-y');
    const steps: (() => Promise<unknown>)[] = [
      () => page.locator('#edit-view').press('ArrowLeft'),
      async () => {
        for (const score of ['z-9*Math.abs(y-0.2)', 'y-20*Math.abs(x-0.077)', 'y-20*Math.abs(x-0.226)']) {
          await editor.addHandle(score);
        }
      },
      async () => {
        const to = await editor.spot('y-20*Math.abs(x-0.077)');
        await editor.drag(await editor.spot('y-20*Math.abs(x-0.226)'), to);
        await editor.pushUntilTouching();
      },
      () => page.locator('#edit-undo').click(),
      async () => {
        await page.locator('#edit-tool-pin').click();
        await editor.drag({ x: x + 120, y: y + 40 }, { x: x - 120, y: y - 60 }, 4); // the card is on the left
      },
      () => page.locator('[data-obstacle="sphere"]').click(),
      () => page.locator('#edit-measure').click(),
      () => card.getByRole('button', { name: 'Done' }).click(),
    ];
    let words = 0;
    for (const [k, act] of steps.entries()) {
      await card.getByText(`${k + 1} of ${steps.length}`).waitFor({ timeout: 40_000 });
      words += (await card.textContent())!.split(/\s+/).length;
      expect(await page.locator('.is-toured').count()).toBeGreaterThan(0);
      expect(await page.locator('.is-toured').first().isVisible()).toBe(true);
      if (folder) await page.screenshot({ path: `${folder}/tour-${k + 1}.png` });
      await act();
    }
    await card.waitFor({ state: 'hidden' });
    expect(await page.locator('.is-toured').count()).toBe(0);
    expect(words).toBeLessThan(2 * WORDS_PER_MINUTE);
  });
});
