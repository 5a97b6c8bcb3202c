import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { IN_BROWSER } from '../../cli/test/support/chromium.ts';
import { SCENES } from '../src/scenes/registry.ts';
import type { Stage } from '../src/scenes/scene.ts';
import { countPairs, openStage, SMALL } from './support/stages.ts';
import { StudioTester } from './support/studio.ts';

const FRAMES = process.env.PLIANT_FULL ? 100 : 12;
const FEWER = process.env.PLIANT_FULL ? 30 : 8; // of what is simulated with many parts per step
const SLOW = new Set(['ear-drop', 'spring', 'face']);
/** One of each kind: skins, soft bodies, modes, morph targets, files. Others are prepared and drawn in the same way. */
const ONE_OF_EACH = new Set(['walkers', 'hanging', 'face', 'inspector']);
const SHOWN = SCENES.filter(({ id }) => ONE_OF_EACH.has(id) || process.env.PLIANT_FULL);

describe('scenes in a browser', IN_BROWSER, () => {
  let studio: StudioTester;

  beforeAll(async () => {
    studio = await StudioTester.start();
    await studio.open('#scene=inspector&triangles=1000', { viewport: { width: 640, height: 480 } });
    await studio.frames(1);
  });

  afterEach(() => {
    expect(studio.problems).toEqual([]);
  });

  afterAll(() => studio?.stop());

  test.each(SHOWN)('$id runs, is seen, and finds the pairs that Node finds', async ({ id }) => {
    const { page } = studio; // the same one, so that characters are made once
    const before = await page.evaluate(() => pliantStudio.framesShown);
    await page.evaluate(([scene, values]) => pliantStudio.openScene(scene, values), [id, SMALL[id]] as const);
    await page.evaluate(() => pliantStudio.play(true));
    await studio.frames(before + (SLOW.has(id) ? FEWER : FRAMES));
    const facts = await page.evaluate(() => {
      const { result, scene } = pliantStudio;
      return {
        id: scene!.id,
        agree: result!.agree,
        kernels: scene!.kernels,
        isIsolated: crossOriginIsolated,
      };
    });
    expect(facts).toEqual({ id, agree: true, kernels: 'wasm', isIsolated: true });
    await page.evaluate(() => pliantStudio.play(false)); // Node needs the processor now
    const { drawn, colours } = await studio.picture();
    expect(drawn).toBeGreaterThan(0.02);
    expect(colours).toBeGreaterThan(50);

    const { engine, stage } = await openStage(id, SMALL[id]);
    const { frame, pairCount } = await findContact(stage);
    await page.evaluate(() => pliantStudio.restart());
    for (const next of Number.isFinite(stage.clips[0].frameCount) ? [frame] : framesUpTo(frame)) {
      await page.evaluate((wanted) => pliantStudio.seek(wanted), next);
      await page.waitForFunction((wanted) => pliantStudio.result?.frame === wanted, next, {
        timeout: 30_000,
      });
    }
    expect(await page.evaluate(() => pliantStudio.result!.pairCount)).toBe(pairCount);
    engine.dispose();
  });
});

/** The first frame in which something touches. Simulated frames follow one another. */
async function findContact(stage: Stage): Promise<{ frame: number; pairCount: number }> {
  const { frameCount } = stage.clips[0];
  const step = Number.isFinite(frameCount) ? Math.max(1, Math.floor(frameCount / 40)) : 1;
  for (let frame = 0; frame < Math.min(frameCount, 600); frame += step) {
    const pairCount = await countPairs(stage, frame, 'depth-first');
    if (pairCount > 0) return { frame, pairCount };
  }
  throw new Error('nothing ever touches');
}

function framesUpTo(frame: number): number[] {
  return Array.from({ length: frame + 1 }, (_, k) => k);
}
