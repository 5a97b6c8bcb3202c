import type { Engine } from 'pliant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Contender } from '../src/host/contender.ts';
import { Host } from '../src/host/host.ts';
import type { Reply } from '../src/host/protocol.ts';
import { CLEARED, LOOKED_INTO } from '../src/scenes/certified-cast.ts';
import { findScene } from '../src/scenes/registry.ts';
import { type ControlValues, completeValues, type FrameFacts, type Stage } from '../src/scenes/scene.ts';
import { openRequest, openStage, SMALL } from './support/stages.ts';

let engine: Engine;
let stage: Stage;
let contender: Contender;

async function open(id: string): Promise<void> {
  ({ engine, stage } = await openStage(id, SMALL[id]));
  contender = new Contender(stage.createCast(), 'auto', stage.self);
}

function valuesOf(id: string, given: Record<string, number | string | boolean>): ControlValues {
  return completeValues(findScene(id), { ...SMALL[id], ...given });
}

/** A frame as the page gets it. */
async function look(clip: number, frame: number): Promise<{ pairs: number; facts: FrameFacts }> {
  await stage.goTo(clip, frame);
  contender.run();
  return { pairs: contender.report.pairCount, facts: contender.cast.tell!() };
}

/** The number at the start of a row. */
function numberIn({ rows }: FrameFacts, label: RegExp): number {
  const found = rows.find(([name]) => label.test(name));
  return Number.parseFloat(found?.[1] ?? '');
}

describe('ear drop', () => {
  beforeAll(() => open('ear-drop'));
  afterAll(() => engine.dispose());

  test('the contact appears just beyond the certified radius, and never before', async () => {
    stage.setValues!(valuesOf('ear-drop', { amplitude: 0.99 }));
    const inside = await look(1, 0);
    expect(inside.pairs).toBe(0);
    expect([...inside.facts.tones!]).toEqual([CLEARED, CLEARED, CLEARED, CLEARED]);
    expect(inside.facts.gauge!.value / inside.facts.gauge!.limit).toBeCloseTo(0.99, 9);
    const first = numberIn(inside.facts, /First contact/);
    expect(first).toBeGreaterThanOrEqual(1);
    expect(first).toBeLessThan(1.06); // 95 % of the radius are kept
    stage.setValues!(valuesOf('ear-drop', { amplitude: first + 0.02 }));
    const beyond = await look(1, 0);
    expect(beyond.pairs).toBeGreaterThan(0);
    expect(beyond.facts.tones![3]).toBe(LOOKED_INTO);
    expect(contender.report.bodies!.slice(0, 2 * beyond.pairs).every((body) => body === 3)).toBe(true);
  });

  test('along a mode nothing touches below the radius, either way', async () => {
    for (let mode = 1; mode <= 8; mode++) {
      for (const amplitude of [-0.99, 0.99]) {
        stage.setValues!(valuesOf('ear-drop', { way: 'mode', mode, amplitude }));
        const { pairs, facts } = await look(1, 0);
        expect(pairs).toBe(0);
        expect(facts.gauge!.value / facts.gauge!.limit).toBeCloseTo(0.99, 9);
      }
    }
  });

  test('without the certificate all are looked into, and fall as they did', async () => {
    stage.setValues!(valuesOf('ear-drop', {}));
    const before = await look(0, 6);
    const x = contender.cast.bodies[0].getPositions().slice();
    stage.setValues!(valuesOf('ear-drop', { certificate: false }));
    await look(0, 0);
    const after = await look(0, 6);
    expect(contender.cast.bodies[0].getPositions()).toEqual(x);
    expect(after.pairs).toBe(before.pairs);
    expect(numberIn(before.facts, /cleared/)).toBe(4);
    expect(numberIn(after.facts, /cleared/)).toBe(0);
    expect([...after.facts.tones!]).toEqual([LOOKED_INTO, LOOKED_INTO, LOOKED_INTO, LOOKED_INTO]);
  });
});

describe('clattering spring', () => {
  beforeAll(() => open('spring'));
  afterAll(() => engine.dispose());

  test('strikes come with the contacts, and the same ones when it is let go again', async () => {
    const { gains, coefficients, strikeLength } = stage.sound!;
    expect(coefficients.length).toBe(6 * gains.length);
    expect(strikeLength).toBeGreaterThan(0);
    const fall = async () => {
      const heard: number[] = [];
      let lit = 0;
      for (let frame = 0; frame <= 30; frame++) {
        const { facts } = await look(0, frame);
        const { times, impulses } = facts.strikes!;
        expect(impulses.length).toBe(times.length * gains.length);
        for (const time of times) expect(time >= 0 && time < 1 / 60 + 1e-9).toBe(true);
        lit += facts.lit![0].triangles.length;
        heard.push(times.length);
        if (frame === 5) expect(times.length).toBe(0); // in the air
      }
      return { heard, lit };
    };
    const first = await fall();
    expect(first.heard.reduce((sum, count) => sum + count)).toBeGreaterThan(10);
    expect(first.lit).toBeGreaterThan(0);
    expect(await fall()).toEqual(first);
  });
});

describe('face', () => {
  beforeAll(() => open('face'));
  afterAll(() => engine.dispose());

  test.each([
    ['w1', 'the mouth'],
    ['w4', 'the left eye'],
    ['w5', 'the right eye'],
  ])('%s closes %s', async (name) => {
    stage.setValues!(valuesOf('face', { [name]: 0.2 }));
    const open = await look(1, 0);
    expect(open.pairs).toBe(0);
    expect(open.facts.tones![0]).toBe(CLEARED);
    expect(open.facts.gauge!.value).toBeCloseTo(0.2, 9);
    stage.setValues!(valuesOf('face', { [name]: 1 }));
    const closed = await look(1, 0);
    expect(closed.pairs).toBeGreaterThan(0);
    expect(closed.facts.gauge!.value).toBeGreaterThan(closed.facts.gauge!.limit);
  });

  test('on the way to the nearest contact nothing touches within the radius', async () => {
    stage.setValues!(valuesOf('face', { amplitude: 1 }));
    const { pairs, facts } = await look(2, 0);
    expect(pairs).toBe(0);
    const first = numberIn(facts, /First contact/);
    stage.setValues!(valuesOf('face', { amplitude: first + 0.05 }));
    expect((await look(2, 0)).pairs).toBeGreaterThan(0);
  });
});

describe('a scene that takes long to prepare', () => {
  test('tells how far it is, and is given up when another one is wanted', async () => {
    const host = new Host();
    const replies: Reply[] = [];
    const ask = (scene: string, ticket: number, reply = (message: Reply) => void replies.push(message)) =>
      host.handle(openRequest(scene, SMALL[scene], ticket), reply);
    let last: Promise<void> | undefined;
    await ask('ear-drop', 1, (message) => {
      replies.push(message);
      last ??= ask('inspector', 2); // as soon as it has told of progress
    });
    await last;
    expect(replies.map(({ type }) => type).filter((type) => type !== 'progress')).toEqual([
      'dropped',
      'opened',
    ]);
    expect(replies.at(-1)).toMatchObject({ type: 'opened', ticket: 2, scene: { id: 'inspector' } });
    expect(replies[0]).toMatchObject({
      type: 'progress',
      ticket: 1,
      what: 'Filling the body with tetrahedra',
    });
  });
});
