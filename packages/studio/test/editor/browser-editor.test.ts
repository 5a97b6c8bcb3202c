import { readGltf } from 'pliant/gltf';
import { describe, expect, test } from 'vitest';
import { IN_BROWSER } from '../../../cli/test/support/chromium.ts';
import { EXAMPLES } from '../../src/editor/examples/examples.ts';
import { checkedPairs } from './support/checked-pairs.ts';
import { ExampleDrag } from './support/drags.ts';
import { writeHand } from './support/editor-page.ts';
import { EditorSuite } from './support/editor-suite.ts';

const isFull = process.env.PLIANT_FULL !== undefined;
/** Fewer pixels are drawn sooner. */
const SIZE = isFull ? {} : { viewport: { width: 900, height: 620 } };

describe('the editor in a browser', IN_BROWSER, () => {
  const suite = new EditorSuite(writeHand);

  test.each(EXAMPLES.map(({ id }) => id).filter((id) => isFull || id === 'hand'))(
    '%s: two handles, into contact, undo, redo, export, reload',
    async (id) => {
      const editor = await suite.open(`#scene=editor&example=${id}&resolution=${isFull ? 4000 : 800}`, SIZE);
      const { page } = editor;
      const drag = new ExampleDrag(editor, id);
      await drag.prepare();
      const before = await editor.positions();
      await drag.run();
      await editor.rest();
      const after = await editor.positions();
      expect(after).not.toEqual(before);

      await editor.restAfter(async () => {
        await page.keyboard.press('Control+z');
        await page.waitForFunction((what) => pliantEditor.state!.redoes === what, drag.lastGesture);
      });
      if (drag.lastGesture === 'drag') expect(distance(await editor.positions(), before)).toBeLessThan(0.02);
      await editor.restAfter(async () => {
        await page.keyboard.press('Control+Shift+Z');
        await page.waitForFunction(() => pliantEditor.state!.redoes === undefined);
      });
      expect(distance(await editor.positions(), after)).toBeLessThan(0.05);

      const { crossingPairs } = await page.evaluate(() => pliantEditor.frame!.measured!);
      for (const format of ['obj', 'glb']) {
        const file = await editor.saved(`[data-export="${format}"]`);
        expect(file.name).toBe(`${id}-shaped.${format}`);
        if (crossingPairs === 0) expect(checkedPairs(file)).toBe(0);
      }
      const morph = await editor.saved('[data-export="morph"]');
      const { meshes } = await readGltf(new Uint8Array(morph.bytes), morph.name);
      expect(meshes[0].morphs!.names).toEqual(['shaped']);

      const count = await editor.handles();
      await page.waitForTimeout(2500); // kept a moment after the last change
      await page.reload();
      await editor.ready();
      expect(await page.evaluate(() => pliantEditor.model!.isRestored)).toBe(true);
      expect(await editor.handles()).toBe(count);
      await editor.rest();
      expect(distance(await editor.positions(), after)).toBeLessThan(0.05);
    },
  );

  test('projects: saved, opened again, and refused when damaged', async () => {
    const editor = await suite.open('#scene=editor&open=served&resolution=800', SIZE);
    const { page } = editor;
    await editor.addHandle('y');
    const project = await editor.saved('#edit-save');
    expect(project.name).toBe('hand.pliant-shape');
    const give = (bytes: Buffer) =>
      page.locator('#edit-file').setInputFiles([{ name: project.name, mimeType: '', buffer: bytes }]);
    const damaged = Buffer.from(project.bytes);
    damaged[damaged.length >> 1] ^= 16;
    await give(damaged);
    const notice = page.locator('.editor-stage .notice.error');
    await notice.waitFor();
    expect(await notice.textContent()).toMatch(/cannot be opened.*hand\.pliant-shape.*damaged/);
    expect(await editor.handles()).toBe(1); // what was open still is
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => pliantEditor.frame!.controls.length === 0);
    await give(project.bytes);
    await page.waitForFunction(() => pliantEditor.frame?.controls.length === 1);
    expect(await page.evaluate(() => pliantEditor.model!.isRestored)).toBe(true);
    expect(await notice.count()).toBe(0);
  });
});

function distance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);
}
