import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { LONG_IN_BROWSER } from '../../../cli/test/support/chromium.ts';
import { barTetrahedra, meditMesh } from '../../../cli/test/support/sample-solids.ts';
import { type EditorPage, type Spot, writeHand } from './support/editor-page.ts';
import { EditorSuite } from './support/editor-suite.ts';

const QUICK = '#scene=editor&open=served&resolution=800';

const targetOf = (page: Page) => page.evaluate(() => [...pliantEditor.frame!.controls[0].target!]);
const eyeOf = (page: Page) =>
  page.evaluate(() => pliantEditor.view.camera.position.toArray().map((x) => Number(x.toFixed(9))));

/** The middle of the gizmo's arrow along x, and where that is when the gizmo has gone so many of its sizes along x. */
function arrowOf(page: Page, way: number): Promise<[Spot, Spot]> {
  return page.evaluate((far) => {
    const { held, camera, gizmo } = pliantEditor.view;
    const distance = held.position.distanceTo(camera.position);
    const unit = (distance * Math.min(1.9 * Math.tan((Math.PI * camera.fov) / 360), 7) * gizmo.size) / 4;
    const { left, top, width, height } = document.getElementById('edit-view')!.getBoundingClientRect();
    const pixels = (along: number) => {
      const at = held.position.clone();
      at.x += along * unit;
      at.project(camera);
      return { x: left + ((at.x + 1) / 2) * width, y: top + ((1 - at.y) / 2) * height };
    };
    return [pixels(0.4), pixels(0.4 + far)];
  }, way);
}

async function dragArrow(editor: EditorPage, way: number): Promise<void> {
  const [arrow, goal] = await arrowOf(editor.page, way);
  await editor.page.mouse.move(arrow.x, arrow.y);
  await editor.page.waitForFunction(() => pliantEditor.view.gizmo.axis === 'X');
  await editor.drag(arrow, goal, 6);
}

/** Long: with PLIANT_FULL=1. */
describe('gestures of the editor in a browser', LONG_IN_BROWSER, () => {
  const served = writeHand();
  const suite = new EditorSuite(() => served);

  test('another mesh is pushed against the shape by the gizmo; one without triangles is refused', async () => {
    const editor = await suite.open(QUICK);
    const { page } = editor;
    await editor.addHandle('z-9*Math.abs(y-0.2)');
    const hand = { name: 'other.obj', mimeType: '', buffer: readFileSync(served[0].path) };
    await page.locator('#edit-mesh-file').setInputFiles([hand]);
    await page.waitForFunction(() => pliantEditor.view.gizmo.object && pliantEditor.state!.obstacles[0]);
    const { kind, name, matrix } = await page.evaluate(() => pliantEditor.state!.obstacles[0]);
    expect([kind, name]).toEqual(['mesh', 'other']);
    expect(matrix[3]).toBeGreaterThan(0); // beside the shape
    expect(await page.evaluate(() => pliantEditor.frame!.figures!.pushing)).toBe(0);
    await dragArrow(editor, -2);
    await editor.touching();
    await page.waitForFunction((x) => pliantEditor.state!.obstacles[0].matrix[3] < x, matrix[3]);

    const broken = { name: 'points.obj', mimeType: '', buffer: Buffer.from('v 0 0 0\n') };
    await page.locator('#edit-mesh-file').setInputFiles([broken]);
    const notice = page.locator('.editor-stage .notice.error');
    await notice.waitFor();
    expect(await notice.textContent()).toMatch('points');
    expect(await page.evaluate(() => pliantEditor.state!.obstacles.length)).toBe(1);
  });

  test('tetrahedra from a file, and the gizmo on a handle of them', async () => {
    const editor = await suite.open(QUICK);
    const { page } = editor;
    const solid = { name: 'bar.mesh', mimeType: '', buffer: Buffer.from(meditMesh(barTetrahedra(8))) };
    await page.locator('#edit-file').setInputFiles([solid]);
    await page.waitForFunction(() => pliantEditor.model!.hasOwnTetrahedra && pliantEditor.frame);
    const model = await page.evaluate(() => pliantEditor.model!);
    expect(model).toMatchObject({ name: 'bar', cageVertices: 36, tetrahedra: 48 });

    await editor.addHandle('y+z-9*Math.abs(x-1)', 0.3);
    await editor.addHandle('y+z-9*Math.abs(x-7)', 0.3);
    const target = () => page.evaluate(() => [...pliantEditor.frame!.controls[1].target!]);
    await editor.rest();
    const [before, eye] = [await target(), await eyeOf(page)];
    await editor.restAfter(() => dragArrow(editor, 0.8));
    const after = await target();
    expect(after[0]).toBeGreaterThan(before[0] + 0.1);
    expect(Math.hypot(after[1] - before[1], after[2] - before[2])).toBeLessThan(1e-9); // along the arrow only
    expect(await eyeOf(page)).toEqual(eye);
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => pliantEditor.state!.redoes === 'drag');
    await editor.rest();
    expect((await target())[0]).toBeCloseTo(before[0], 9);
  });

  test('fingers: a tap adds a handle, a drag moves it and nothing else, and the page fits', async () => {
    const editor = await suite.open(QUICK, { hasTouch: true, viewport: { width: 800, height: 900 } });
    const { page } = editor;
    const { x, y } = await editor.spot('y');
    await page.touchscreen.tap(x, y);
    await page.waitForFunction(() => pliantEditor.frame!.controls.length === 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

    const [before, eye] = [await targetOf(page), await eyeOf(page)];
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Spot[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', [{ x: x + 12, y }]); // fingers are not exact
    for (let k = 1; k <= 6; k++) await touch('touchMove', [{ x: x + 12 + 10 * k, y }]);
    await touch('touchEnd', []);
    await page.waitForFunction(() => pliantEditor.state!.undoes === 'drag');
    await page.waitForFunction((was) => pliantEditor.frame!.controls[0].target![0] > was + 0.02, before[0]);
    expect(await eyeOf(page)).toEqual(eye);
    await page.locator('#edit-undo').tap();
    await page.waitForFunction((was) => pliantEditor.frame!.controls[0].target![0] === was, before[0]);

    // Beside the shape a finger turns the picture.
    await touch('touchStart', [{ x: 60, y: y + 100 }]);
    for (let k = 1; k <= 6; k++) await touch('touchMove', [{ x: 60 + 10 * k, y: y + 100 }]);
    await touch('touchEnd', []);
    await page.waitForFunction((x) => Math.abs(pliantEditor.view.camera.position.x - x) > 0.01, eye[0]);
    expect(await editor.handles()).toBe(1);
  });
});
