import { createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
import { readGltf } from 'pliant/gltf';
import { readMesh } from 'pliant/io';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { HAS_CHROMIUM } from '../../../cli/test/support/chromium.ts';
import { EXAMPLES } from '../../src/editor/examples/examples.ts';
import { SITE, StudioTester } from '../support/studio.ts';
import { EditorPage, writeHand } from './support/editor-page.ts';

const isFull = process.env.PLIANT_FULL !== undefined;
const NO_GIZMO = () => pliantEditor.panel.toggle('gizmo');

interface Places {
  readonly hold: readonly string[];
  /** Dragged to the other one in the picture; then pushed away from the eye, where they would pass one another. */
  readonly drag: readonly [from: string, to: string];
  readonly push?: boolean;
  readonly facing?: number;
  /** Upwards, before anything else. */
  readonly turns?: number;
}

const CORNER = '9*y-9*(Math.abs(x)>0.58||Math.abs(z)>0.58)';

/** Places of each example that stay, and that meet, as scores of x, y, z. */
const PLACES: Readonly<Record<string, Places>> = {
  rabbit: {
    hold: ['-y+z', '-y-z+x', 'y-3*Math.abs(x+0.2)'],
    drag: ['y-3*Math.abs(x-0.2)', 'y-3*Math.abs(x+0.2)'],
  },
  hand: {
    hold: ['x-9*(y>0.3)', '-x-9*(y>0.3)', '-x+0.1*y', 'y-20*Math.abs(x-0.077)'],
    drag: ['y-20*Math.abs(x-0.226)', 'y-20*Math.abs(x-0.077)'],
  },
  octopus: { hold: ['y', '-x', 'x-z'], drag: ['z+0.4*x', 'z-9*Math.abs(y-0.6)-9*Math.abs(x)'], push: true },
  tree: { hold: ['-y+x', '-y-x', 'y'], drag: ['x+2*z', 'z-9*Math.abs(y-0.38)-9*Math.abs(x)'], push: true },
  cloth: {
    hold: [`${CORNER}-x-z`, `${CORNER}+x-z`, `${CORNER}-x+z`],
    drag: [`${CORNER}+x+z`, ''],
    facing: 0.4,
    turns: 5,
  },
};

async function countPairs(bytes: Uint8Array): Promise<number> {
  const file = await readMesh(bytes, 'shape.obj');
  const engine = await createEngine();
  const body = engine.createFreeBody(createTriangleMesh(file as never));
  const { pairCount } = findSelfCollisions(body);
  engine.dispose();
  return pairCount;
}

describe.skipIf(!HAS_CHROMIUM)('the editor in a browser', () => {
  let studio: StudioTester;

  beforeAll(async () => {
    studio = await StudioTester.start(SITE, writeHand());
  });

  afterEach(async () => {
    await studio.closePage();
    expect(studio.problems).toEqual([]);
  });

  afterAll(() => studio?.stop());

  const open = async (link: string, options = {}) => {
    const page = await studio.open(link, { viewport: { width: 1100, height: 760 }, ...options });
    const editor = new EditorPage(page);
    await editor.ready();
    return editor;
  };

  test.each(EXAMPLES.map(({ id }) => id).filter((id) => isFull || id === 'hand'))(
    '%s: two handles, into contact, undo, redo, export, reload',
    async (id) => {
      const editor = await open(`#scene=editor&example=${id}&resolution=${isFull ? 4000 : 1500}`);
      const { page } = editor;
      await page.evaluate(NO_GIZMO);
      const { hold, drag, push, facing, turns = 0 } = PLACES[id];
      await page.locator('#edit-view').focus();
      for (let k = 0; k < turns; k++) await page.keyboard.press('ArrowUp');
      await page.waitForTimeout(100 * turns);
      for (const score of hold) await editor.addHandle(score, facing);
      const from = await editor.addHandle(drag[0], facing);
      await editor.rest();
      const before = await editor.positions();
      const to = drag[1] === '' ? { x: from.x - 90, y: from.y + 170 } : await editor.spot(drag[1]);
      await editor.drag(from, to);
      if (push) await editor.pushUntilTouching();
      else await editor.touching();
      await editor.rest();
      const after = await editor.positions();
      expect(after).not.toEqual(before);

      await editor.restAfter(async () => {
        await page.keyboard.press('Control+z');
        await page.waitForFunction((what) => pliantEditor.state!.redoes === what, push ? 'nudge' : 'drag');
      });
      if (!push) expect(distance(await editor.positions(), before)).toBeLessThan(0.02);
      await editor.restAfter(async () => {
        await page.keyboard.press('Control+Shift+Z');
        await page.waitForFunction(() => pliantEditor.state!.redoes === undefined);
      });
      expect(distance(await editor.positions(), after)).toBeLessThan(0.05);

      const obj = await editor.saved('[data-export="obj"]');
      expect(obj.name).toBe(`${id}-shaped.obj`);
      const { crossingPairs } = await page.evaluate(() => pliantEditor.frame!.measured!);
      if (crossingPairs === 0) expect(await countPairs(obj.bytes)).toBe(0);
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
    const editor = await open('#scene=editor&open=served&resolution=800');
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
