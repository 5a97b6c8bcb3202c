import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SCENES } from '../src/scenes/registry.ts';
import type { ControlValue } from '../src/scenes/scene.ts';
import { pretendBrowser, TestPage, told } from './changes/page.ts';
import { SMALL } from './support/stages.ts';

vi.mock('../src/ui/chart.ts', () => ({
  Chart: class {
    restyle() {}
    show() {}
    resize() {}
  },
}));
vi.mock('../src/ui/settings.ts', () => ({
  Settings: class {
    readonly looks: object;
    constructor(looks: object) {
      this.looks = looks;
    }
    open() {}
  },
}));
vi.mock('../src/ui/gallery.ts', () => ({
  Gallery: class {
    mark(id: string) {
      told.marked = id;
    }
  },
}));
vi.mock('../src/ui/stats.ts', () => ({
  Stats: class {
    show(result: typeof told.stats) {
      told.stats = result;
    }
  },
}));
vi.mock('../src/ui/facts.ts', () => ({
  Facts: class {
    open() {}
    restyle() {}
    show(facts: typeof told.facts) {
      told.facts = facts;
    }
  },
}));
vi.mock('../src/ui/pair-list.ts', () => ({
  PairList: class {
    open() {}
    show(result: typeof told.pairs) {
      told.pairs = result;
    }
  },
}));
vi.mock('../src/ui/transport.ts', () => ({
  Transport: class {
    open() {}
    show(_: unknown, frame: number) {
      told.frame = frame;
    }
  },
}));
vi.mock('../src/ui/notices.ts', () => ({
  Notices: class {
    error(title: string, text: string) {
      told.errors.push(`${title}: ${text}`);
    }
    info(title: string) {
      told.infos.push(title);
    }
    clearErrors() {}
  },
  showProgress: (text: string | undefined) => void (told.progress = text),
}));

const isFull = Boolean(process.env.PLIANT_FULL);
const IDS = SCENES.map(({ id }) => id);

const TIMEOUT = 900_000; // for a machine with much else to do

/** As small as each scene goes. */
const VALUES: Readonly<Record<string, Readonly<Record<string, ControlValue>>>> = {
  ...SMALL,
  crowd: { people: 2, triangles: 2000 },
  hanging: { count: 2, triangles: 4000 },
  fish: { count: 2, triangles: 2000 },
  flag: { detail: 'coarse', certificate: false },
  inspector: { triangles: 1000 },
};

/** Settings that take long to prepare, in slices: the next scene is chosen long before they are ready. */
const LONG: typeof VALUES = {
  'ear-drop': { detail: 'usual' },
  spring: { detail: 'usual' },
  dragon: { detail: 'usual' },
  face: { triangles: 3000 },
  'squishy-ball': { triangles: 10_000, certificate: true },
  flag: { detail: 'usual', certificate: true },
};

// The dragon takes 15 s to prepare. Unless time does not matter, its scene is played by the rabbit of the ear drop.
vi.mock('../src/scenes/drop-model.ts', async (load) => {
  const actual = await load<typeof import('../src/scenes/drop-model.ts')>();
  if (process.env.PLIANT_FULL) return actual;
  const coarse = { triangles: 2500, latticeVertices: 400, modeCount: 8 };
  return {
    ...actual,
    prepareDrop: (request: never, shape: 'rabbit' | 'dragon', detail: typeof coarse) => {
      const isSmall = detail.modeCount <= coarse.modeCount;
      return actual.prepareDrop(request, isSmall ? 'rabbit' : shape, isSmall ? coarse : detail);
    },
  };
});

describe('changes of scene while messages are late', () => {
  let page: TestPage;

  beforeAll(async () => {
    pretendBrowser();
    page = await TestPage.create();
  });

  beforeEach(() => {
    told.errors.length = 0;
    page.isHolding = false;
  });

  const click = (id: string, values = VALUES[id]) => {
    page.app.openScene(id, values);
    page.check();
  };
  const isShown = (id: string) => {
    expect(told.errors, `after ${id} was chosen`).toEqual([]);
    expect(page.app.scene!.id).toBe(id);
    expect(told.marked).toBe(id);
    expect(told.progress).toBeUndefined();
  };

  const frameOnItsWay = async () => {
    const { canMove } = page.app.player;
    if (canMove) await page.until(() => page.heldReplies.some(({ type }) => type === 'frame'), 'a frame');
  };

  test('every scene after every other, at once', { timeout: TIMEOUT }, async () => {
    for (const id of circuit(IDS)) {
      click(id);
      await page.shown(id);
      isShown(id);
    }
  });

  test('every scene after every other, with a frame of the first on its way when the second is chosen', {
    timeout: TIMEOUT,
  }, async () => {
    for (const id of circuit(IDS)) {
      page.isHolding = true;
      await frameOnItsWay();
      click(id);
      await page.rounds(2);
      page.deliver(1); // the frame of the scene before
      await page.rounds(2);
      page.isHolding = false;
      await page.shown(id);
      isShown(id);
    }
  });

  test('every scene after every other, and a third one before it is built', {
    timeout: TIMEOUT,
  }, async () => {
    for (const [k, [from, over, to]] of throughOthers(IDS).entries()) {
      if (page.app.scene!.id !== from) {
        click(from);
        await page.shown(from, 1);
      }
      page.isHolding = true;
      await frameOnItsWay();
      const isLong = over in LONG && (isFull || k % 6 === 0);
      click(over, isLong ? LONG[over] : VALUES[over]);
      await page.rounds(2); // it is being built, or just ready
      page.deliver(1); // the frame of the scene before
      await page.rounds(2);
      click(to);
      await page.rounds(k % 3);
      page.isHolding = false;
      await page.shown(to);
      isShown(to);
    }
  });
});

/** A way along which every scene follows every other exactly once (Hierholzer), ending where it began. */
function circuit(ids: readonly string[]): string[] {
  const left = new Map(ids.map((id) => [id, ids.filter((other) => other !== id)]));
  const stack = [ids[0]];
  const way: string[] = [];
  while (stack.length > 0) {
    const next = left.get(stack.at(-1)!)!.pop();
    if (next === undefined) way.push(stack.pop()!);
    else stack.push(next);
  }
  return way.reverse();
}

/** Every ordered pair, and a third one; each triple begins where the one before ended, as far as that goes. */
function throughOthers(ids: readonly string[]): [string, string, string][] {
  const way = circuit(ids);
  const triples = way.slice(1).map((over, k): [string, string, string] => {
    const others = ids.filter((id) => id !== over && id !== way[k]);
    return [way[k], over, others[k % others.length]];
  });
  const sorted: typeof triples = [];
  while (triples.length > 0) {
    const at = triples.findIndex(([from]) => from === sorted.at(-1)?.[2]);
    sorted.push(...triples.splice(Math.max(0, at), 1));
  }
  return sorted;
}
