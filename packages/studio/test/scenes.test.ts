import { describe, expect, test } from 'vitest';
import { Contender, haveSamePairs } from '../src/host/contender.ts';
import { findScene, SCENES } from '../src/scenes/registry.ts';
import { completeValues } from '../src/scenes/scene.ts';
import { openStage, SMALL } from './support/stages.ts';

describe('the registry', () => {
  test('names every scene once, in a way that fits into links', () => {
    const ids = SCENES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z-]*$/);
    expect(ids).toEqual(expect.arrayContaining(['walkers', 'crowd', 'hanging', 'fish', 'inspector']));
    expect(SCENES.filter(({ takesFiles }) => takesFiles).map(({ id }) => id)).toEqual(['inspector']);
  });

  test('refuses a scene that does not exist, and says which do', () => {
    expect(() => findScene('moon')).toThrow(/no scene "moon"; there are walkers, /);
  });

  test.each(SCENES)('$id: initial values are sensible and stay what they are', (scene) => {
    const values = completeValues(scene, {});
    for (const control of scene.controls) {
      expect(values[control.name]).toBe(control.kind === 'start' ? undefined : control.initial);
    }
    const asText = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
    expect(completeValues(scene, asText)).toEqual(values);
  });

  test('values from links are brought into range, nonsense is ignored', () => {
    const crowd = findScene('crowd');
    expect(completeValues(crowd, { people: '9999' }).people).toBe(150);
    expect(completeValues(crowd, { people: '-3' }).people).toBe(2);
    expect(completeValues(crowd, { people: '7.4' }).people).toBe(7);
    expect(completeValues(crowd, { people: 'many', self: 'true' })).toMatchObject({ people: 50, self: true });
    expect(completeValues(findScene('walkers'), { who: 'cat-dog' }).who).toBe('man-dwarf');
  });
});

/** These take long to prepare: with PLIANT_FULL=1. The flag is also tried in energy-scenes.test.ts. */
const LONG = new Set(['dragon', 'spring', 'ear-drop', 'flag']);
const TRIED = SCENES.filter(({ id }) => !LONG.has(id) || process.env.PLIANT_FULL);

describe.each(TRIED)('$id', ({ id }) => {
  test('both methods find the same pairs, some of them in contact, again and again', async () => {
    const { engine, stage } = await openStage(id, SMALL[id]);
    const pliant = new Contender(stage.createCast(), 'auto', stage.self);
    const traditional = new Contender(stage.createCast(true), 'depth-first', stage.self);
    const { frameCount } = stage.clips[0];
    const isEndless = !Number.isFinite(frameCount);
    const counts: number[] = [];
    const isLongEnough = () => counts.length >= (isEndless ? 20 : 16);
    // What falls takes its time to touch.
    for (let k = 0; !isLongEnough() || (isEndless && k < 120 && Math.max(...counts) === 0); k++) {
      await stage.goTo(0, isEndless ? k : Math.floor((k * frameCount) / 16));
      pliant.run();
      traditional.run();
      expect(haveSamePairs(pliant.report, traditional.report)).toBe(true);
      counts.push(pliant.report.pairCount);
    }
    expect(Math.max(...counts)).toBeGreaterThan(0);
    await stage.goTo(0, 0); // from the start again
    pliant.run();
    expect(pliant.report.pairCount).toBe(counts[0]);
    engine.dispose();
  });
});
