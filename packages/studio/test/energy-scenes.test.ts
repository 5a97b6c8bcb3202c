import type { Engine } from 'pliant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Contender, haveSamePairs } from '../src/host/contender.ts';
import { Host } from '../src/host/host.ts';
import type { Reply } from '../src/host/protocol.ts';
import { Show } from '../src/host/show.ts';
import { findScene } from '../src/scenes/registry.ts';
import { type ControlValue, completeValues, type FrameFacts, type Stage } from '../src/scenes/scene.ts';
import { LEVEL_COUNT, LEVEL_TONES } from '../src/scenes/tones.ts';
import { openRequest, openStage, SMALL } from './support/stages.ts';

let engine: Engine;
let stage: Stage;
let contender: Contender;

async function open(id: string, given: Record<string, ControlValue> = {}): Promise<void> {
  ({ engine, stage } = await openStage(id, { ...SMALL[id], ...given }));
  contender = new Contender(stage.createCast(), 'auto', stage.self);
}

function set(id: string, given: Record<string, ControlValue>): void {
  stage.setValues!(completeValues(findScene(id), { ...SMALL[id], ...given }));
}

async function look(frame: number): Promise<FrameFacts> {
  await stage.goTo(0, frame);
  contender.run();
  return contender.cast.tell!();
}

function rowOf({ rows }: FrameFacts, label: string): string {
  return rows.find(([name]) => name === label)?.[1] ?? '';
}

describe('a flag', () => {
  beforeAll(() => open('flag'));
  afterAll(() => engine.dispose());

  test('shows what is cleared only when asked to, with a legend', async () => {
    const plain = await look(1);
    expect([plain.triangleTones, plain.legend]).toEqual([undefined, undefined]);
    expect([...plain.tones!]).toEqual([0, 7]); // and the pole
    expect(rowOf(plain, 'Certificates')).toMatch(/^\d+\.\d MB$/);
    set('flag', { levels: true });
    const calm = await look(2);
    const [{ mesh, tones }] = calm.triangleTones!;
    expect([mesh, tones.length]).toEqual([0, stage.meshes[0].mesh.triangleCount]);
    expect(rowOf(calm, 'Cleared in one piece')).toBe('100.0 %');
    expect(Math.min(...tones)).toBeGreaterThan(LEVEL_TONES + 3); // in large parts
    const named = new Set(calm.legend!.map(([tone]) => tone));
    expect(named.size).toBe(LEVEL_COUNT);
    for (const tone of tones) expect(named.has(tone)).toBe(true);
  });

  test('small parts and none are cleared where it folds, and both methods find the same pairs', async () => {
    const traditional = new Contender(stage.createCast(true), 'depth-first', true);
    const seen = new Set<number>();
    let pairs = 0;
    for (let frame = 3; frame <= 60; frame++) {
      for (const tone of (await look(frame)).triangleTones![0].tones) seen.add(tone);
      contender.run();
      traditional.run();
      expect(haveSamePairs(contender.report, traditional.report)).toBe(true);
      pairs += contender.report.pairCount;
    }
    expect(pairs).toBeGreaterThan(0);
    expect(seen.has(LEVEL_TONES)).toBe(true);
    expect(seen.size).toBeGreaterThan(3);
    traditional.dispose();
  });

  test('the wind moves it, and what it holds on to stays', async () => {
    const end = async (wind: number) => {
      set('flag', { wind });
      for (let frame = 0; frame <= 40; frame++) await stage.goTo(0, frame);
      contender.run();
      return contender.cast.bodies[0].getPositions().slice();
    };
    const still = await end(0),
      blown = await end(15);
    const reach = (at: Float64Array) => at.reduce((sum, x, k) => sum + (k % 3 === 0 ? x : 0), 0) / at.length;
    expect(reach(blown)).toBeGreaterThan(1.05 * reach(still));
    expect([...blown.slice(0, 3)]).toEqual([...still.slice(0, 3)]);
  });

  test('tones of triangles become those of vertices, and go when they are no longer wanted', async () => {
    const traditional = new Contender(stage.createCast(true), 'depth-first', true);
    const show = new Show(engine, stage, contender, traditional);
    const wants = { curves: false, trace: false };
    set('flag', { levels: true });
    const { facts } = await show.frame(0, 0, wants);
    expect(facts!.legend!.length).toBe(LEVEL_COUNT);
    expect(facts!.tones![0]).toBeGreaterThan(LEVEL_TONES);
    expect(facts!.tones!.at(-1)).toBe(7);
    set('flag', { levels: false });
    const plain = await show.frame(0, 0, wants);
    expect(plain.facts!.legend).toBe(undefined);
    expect(new Set(plain.facts!.tones!)).toEqual(new Set([0, 7]));
    traditional.dispose();
  });
});

describe('a squishy ball', () => {
  beforeAll(() => open('squishy-ball'));
  afterAll(() => engine.dispose());

  test('falls, is squashed, springs back and stays on the floor; the same when it is dropped again', async () => {
    const heights: number[] = [];
    const fall = async (until: number) => {
      const sizes: number[] = [];
      for (let frame = 0; frame <= until; frame++) {
        await stage.goTo(0, frame);
        contender.cast.pose();
        const at = contender.cast.bodies[0].getPositions();
        let low = Infinity,
          high = -Infinity;
        for (let o = 1; o < at.length; o += 3) {
          low = Math.min(low, at[o]);
          high = Math.max(high, at[o]);
        }
        heights.push(low);
        sizes.push(high - low);
      }
      return sizes;
    };
    const sizes = await fall(110);
    const rest = sizes[0];
    const most = sizes.indexOf(Math.min(...sizes));
    expect(sizes[10]).toBeCloseTo(rest, 2); // in the air
    expect(Math.min(...heights)).toBeGreaterThan(-0.15);
    expect(sizes[most]).toBeLessThan(0.75 * rest);
    expect(Math.max(...sizes.slice(most))).toBeGreaterThan(0.8 * rest);
    expect(await fall(40)).toEqual(sizes.slice(0, 41));
  });

  test('without certificates there are none to tell of, nor colours', async () => {
    set('squishy-ball', { levels: true });
    const facts = await look(1);
    expect(facts.rows.map(([name]) => name)).toEqual([
      'Culling levels',
      'Simulation',
      'Carried to the surface',
    ]);
    expect([facts.triangleTones, facts.legend]).toEqual([undefined, undefined]);
  });

  test.runIf(process.env.PLIANT_FULL)(
    'with certificates it is cleared in large parts while it falls',
    async () => {
      await open('squishy-ball', { certificate: true, levels: true });
      expect(rowOf(await look(5), 'Cleared in one piece')).toBe('100.0 %');
      for (let frame = 6; frame <= 60; frame++) await look(frame);
      expect(Number.parseFloat(rowOf(await look(61), 'Cleared in one piece'))).toBeGreaterThan(20);
    },
  );
});

describe('certificates of many triangles', () => {
  test('tell how far they are, and are given up when another scene is wanted', async () => {
    const host = new Host();
    const replies: Reply[] = [];
    const ask = (
      ticket: number,
      scene: string,
      values: Record<string, number>,
      reply: (message: Reply) => void,
    ) => host.handle(openRequest(scene, values, ticket), reply);
    let last: Promise<void> | undefined;
    await ask(1, 'squishy-ball', { triangles: 60_000 }, (message) => {
      replies.push(message);
      if (/^Preparing certificates for 5\d,\d{3} triangles/.test('what' in message ? message.what : '')) {
        last ??= ask(2, 'inspector', { triangles: 1000 }, (other) => void replies.push(other));
      }
    });
    await last;
    expect(last).toBeDefined();
    expect(replies.map(({ type }) => type).filter((type) => type !== 'progress')).toEqual([
      'dropped',
      'opened',
    ]);
    expect(replies.at(-1)).toMatchObject({ scene: { id: 'inspector' } });
  });
});
