import { describe, expect, test } from 'vitest';
import { createEngine, findAllCollisions } from '../../packages/pliant/src/index.ts';
import {
  createSceneBodies,
  createSkinScene,
  MEASURED,
  SKIN_SCENES,
  type SkinScene,
  type SkinSceneName,
  setSceneFrame,
} from '../src/skin-scenes.ts';

/** Pairs in every fifth frame of scenes with the coarsest characters. */
const COARSE_PAIRS: Record<SkinSceneName, number> = {
  meeting: 0, // mittens
  through: 870,
  crowd: 112,
  'dwarfs-apart': 0,
  'dwarfs-interfering': 269,
};

describe.each(SKIN_SCENES)('%s', (name) => {
  test('with coarse characters: the documented poses, and the same contacts as ever', async () => {
    const scene = createSkinScene(name, { triangles: 1000 });
    expect(scene.bodies).toHaveLength(name === 'crowd' ? 50 : 2);
    expect([scene.hash, scene.frames.length]).toEqual([MEASURED[name].hash, MEASURED[name].frames]);
    expect(await countContacts(scene, 5)).toMatchObject({ total: COARSE_PAIRS[name] });
  });

  test.runIf(process.env.PLIANT_FULL !== undefined)('the full scene is as documented', async () => {
    const scene = createSkinScene(name);
    const { hash, triangles, frames, ...contacts } = MEASURED[name];
    expect([scene.hash, scene.triangles, scene.frames.length]).toEqual([hash, triangles, frames]);
    expect(await countContacts(scene, 1)).toEqual(contacts);
  });
});

async function countContacts(scene: SkinScene, step: number) {
  const engine = await createEngine();
  const bodies = createSceneBodies(engine, scene);
  const counts: number[] = [];
  for (let frame = 0; frame < scene.frames.length; frame += step) {
    setSceneFrame(bodies, scene, frame);
    counts.push(findAllCollisions(bodies).pairCount);
  }
  engine.dispose();
  const touching = counts.filter((count) => count > 0).sort((a, b) => a - b);
  return {
    touching: touching.length,
    median: touching[touching.length >> 1] ?? 0,
    total: counts.reduce((sum, count) => sum + count, 0),
  };
}
