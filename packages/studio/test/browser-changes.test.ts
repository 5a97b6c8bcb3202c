import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { IN_BROWSER } from '../../cli/test/support/chromium.ts';
import { SCENES } from '../src/scenes/registry.ts';
import { SMALL } from './support/stages.ts';
import { StudioTester } from './support/studio.ts';

/** Every reply of a worker reaches the page so many milliseconds late, in its order: as on a busy machine. */
const LATE = 120;
const LATE_REPLIES = `
  const setter = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage').set;
  Object.defineProperty(Worker.prototype, 'onmessage', {
    set(take) {
      setter.call(this, take && ((event) => setTimeout(() => take.call(this, event), ${LATE})));
    },
  });`;

/** Changes that once ended in an empty picture, in an error, or in scenes that were never built. */
const CHANGES: readonly (readonly string[])[] = process.env.PLIANT_FULL
  ? SCENES.flatMap(({ id }) => SCENES.filter((other) => other.id !== id).map((other) => [id, other.id]))
  : [
      ['walkers', 'squishy-ball'],
      ['face', 'squishy-ball'],
      ['walkers', 'flag'],
      ['walkers', 'dragon', 'flag'], // the dragon takes long: the flag is chosen meanwhile
      ['face', 'ear-drop', 'inspector'],
    ];

describe('changes of scene in a browser whose worker is slow to answer', IN_BROWSER, () => {
  let studio: StudioTester;

  beforeAll(async () => {
    studio = await StudioTester.start();
    await studio.open('#scene=walkers&triangles=2000', {
      before: LATE_REPLIES,
      viewport: { width: 640, height: 480 },
    });
    await studio.frames(1);
  });

  afterEach(() => {
    expect(studio.problems).toEqual([]);
  });

  afterAll(() => studio?.stop());

  const click = (id: string) =>
    studio.page.evaluate(([scene, values]) => pliantStudio.openScene(scene, values), [
      id,
      SMALL[id],
    ] as const);

  /** Also that the panel speaks of the frame that is in the picture. */
  async function shows(id: string): Promise<void> {
    const { page } = studio;
    const before = await page.evaluate(() => pliantStudio.framesShown);
    await page.waitForFunction(
      ([scene, count]) => {
        const { scene: shown, isOpening, framesShown, player } = pliantStudio;
        const hasFailed = document.querySelector('.notice.error') !== null;
        const isThere =
          shown?.id === scene && !isOpening && framesShown >= (player.canMove ? count + 4 : count + 1);
        return hasFailed || isThere;
      },
      [id, before] as const,
      { timeout: 100_000, polling: 30 },
    );
    const state = await page.evaluate(() => {
      const text = (name: string) => document.getElementById(name)!.textContent;
      const { result, scene } = pliantStudio;
      return {
        id: scene!.id,
        errors: [...document.querySelectorAll('.notice.error')].map(({ textContent }) => textContent),
        isBuilding: !document.getElementById('progress')!.hidden,
        pairs: [text('pair-count'), result?.pairCount.toLocaleString('en-US')],
        isLabelled: text('frame-label')!.startsWith(`Frame ${result?.frame.toLocaleString('en-US')}`),
        marked: document.querySelector<HTMLElement>('[aria-current]')!.dataset.scene,
      };
    });
    expect(state).toMatchObject({ id, errors: [], isBuilding: false, isLabelled: true, marked: id });
    expect(state.pairs[0]).toBe(state.pairs[1]);
    expect((await studio.picture()).drawn).toBeGreaterThan(0.02);
  }

  test.each(CHANGES)('%s, %s %s', async (...ids) => {
    const [from, ...others] = ids.filter((id) => id !== undefined);
    await click(from);
    await shows(from);
    for (const id of others) {
      await click(id);
      await studio.page.waitForTimeout(LATE); // a frame of the scene before has been answered by now
    }
    await shows(others.at(-1)!);
  });
});
