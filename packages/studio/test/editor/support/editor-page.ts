import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { writeObj } from 'pliant/io';
import { createHand } from 'pliant/shapes';
import type { OfferedFile } from '../../../../cli/src/studio/studio-server.ts';
import type { Editor } from '../../../src/editor/editor.ts';

declare global {
  /** What the editor leaves for tests. */
  var pliantEditor: Editor;
}

/** Where something is on the page, in pixels. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** A hand of few triangles as a file to be served: quick to open. */
export function writeHand(): OfferedFile[] {
  const path = join(mkdtempSync(join(tmpdir(), 'pliant-editor-')), 'hand.obj');
  writeFileSync(path, writeObj(createHand({ triangles: 3000 }).source));
  return [{ name: 'hand.obj', path }];
}

/** Hands on an open editor. */
export class EditorPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Until something is open and its first picture has been shown. */
  async ready(): Promise<void> {
    await this.page.waitForFunction(
      () => globalThis.pliantEditor?.frame !== undefined && !globalThis.pliantEditor.isOpening,
      undefined,
      { timeout: 90_000, polling: 50 },
    );
  }

  async rest(): Promise<void> {
    await this.page.waitForFunction(() => pliantEditor.frame!.isAtRest, undefined, { timeout: 40_000 });
  }

  /** Until it is at rest after something that stirs it: what it was before does not count. */
  async restAfter(act: () => Promise<void>): Promise<void> {
    const before = await this.page.evaluateHandle(() => pliantEditor.frame);
    await act();
    await this.page.waitForFunction(
      (frame) => pliantEditor.frame !== frame && pliantEditor.frame!.isAtRest,
      before,
      { timeout: 40_000 },
    );
  }

  /**
   * The vertex with the highest score among those that face the eye; `score` is an expression of x, y and z. `facing`
   * is the cosine that counts.
   */
  spot(score: string, facing = 0.75): Promise<Spot> {
    return this.page.evaluate(
      ([text, least]) => {
        const worth = new Function('x', 'y', 'z', `return ${text}`) as (...at: number[]) => number;
        const { buffers } = pliantEditor.frame!;
        const { camera } = pliantEditor.view;
        const { positions: p, normals: n } = buffers;
        const place = camera.position.clone(),
          normal = camera.position.clone();
        let best = Number.NEGATIVE_INFINITY;
        const found = camera.position.clone();
        for (let v = 0; v < p.length / 3; v++) {
          const value = worth(p[3 * v], p[3 * v + 1], p[3 * v + 2]);
          if (value <= best) continue;
          place.fromArray(p, 3 * v);
          normal.set(n[4 * v], n[4 * v + 1], n[4 * v + 2]).divideScalar(32_767);
          if (normal.dot(camera.position.clone().sub(place).normalize()) < Number(least)) continue;
          best = value;
          found.copy(place);
        }
        camera.updateMatrixWorld();
        found.project(camera);
        const { left, top, width, height } = document.getElementById('edit-view')!.getBoundingClientRect();
        return { x: left + ((found.x + 1) / 2) * width, y: top + ((1 - found.y) / 2) * height };
      },
      [score, String(facing)],
    );
  }

  /** Clicks the shape; a handle is there afterwards. */
  async addHandle(score: string, facing?: number): Promise<Spot> {
    const { x, y } = await this.spot(score, facing);
    const before = await this.handles();
    await this.page.mouse.click(x, y);
    await this.page.waitForFunction((count) => pliantEditor.frame!.controls.length > count, before, {
      timeout: 20_000,
    });
    return { x, y };
  }

  handles(): Promise<number> {
    return this.page.evaluate(() => pliantEditor.frame!.controls.length);
  }

  /** With the gizmo out of the way, from one place to another in some moves. */
  async drag(from: Spot, to: Spot, moves = 12): Promise<void> {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    for (let k = 1; k <= moves; k++) {
      await mouse.move(from.x + ((to.x - from.x) * k) / moves, from.y + ((to.y - from.y) * k) / moves);
      await this.page.waitForTimeout(30);
    }
    await mouse.up();
  }

  /** Moves what is chosen away from the eye until it touches something. */
  async pushUntilTouching(): Promise<void> {
    await this.page.locator('#edit-view').focus();
    for (let k = 0; k < 16; k++) {
      await this.page.keyboard.press('Shift+PageUp');
      if (await this.touching(500).catch(() => false)) return;
    }
    throw new Error('nothing touches');
  }

  /** Until a contact pushes, be it for a moment. */
  async touching(timeout = 30_000): Promise<boolean> {
    const isPushing = () => (pliantEditor.frame!.figures?.pushing ?? 0) > 0;
    await this.page.waitForFunction(isPushing, undefined, { timeout });
    return true;
  }

  positions(): Promise<number[]> {
    return this.page.evaluate(() => Array.from(pliantEditor.frame!.buffers.positions.slice(0, 3000)));
  }

  /** What a click on a button saves: name and bytes. */
  async saved(selector: string): Promise<{ name: string; bytes: Buffer }> {
    const [download] = await Promise.all([
      this.page.waitForEvent('download', { timeout: 20_000 }),
      this.page.locator(selector).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
  }
}
