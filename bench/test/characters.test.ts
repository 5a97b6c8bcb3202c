import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../packages/pliant/src/index.ts';
import { CharacterContender } from '../src/character-contenders.ts';
import { type CharacterScene, readCharacterScene, spread } from '../src/character-scenes.ts';
import { AnswerBook, checkFrames } from '../src/measure.ts';

const isFull = process.env.PLIANT_FULL !== undefined;
const hasData = process.env.PLIANT_DATA !== undefined || existsSync(resolve('../shared/data'));
const METHODS = ['auto', 'batch', 'on-demand', 'depth-first'] as const;

interface FileCase {
  readonly file: string;
  readonly clips: number;
  readonly frames: number; // at 30 per second
  /** Frames looked at without PLIANT_FULL. With it all of them, brute force on every n-th of a clip. */
  readonly few: number;
  readonly every: number;
}

const FILES: readonly FileCase[] = [
  { file: 'CesiumMan', clips: 1, frames: 61, few: 4, every: 1 },
  { file: 'Fox', clips: 3, frames: 160, few: 12, every: 1 },
  { file: 'KayKit_Knight', clips: 76, frames: 2818, few: 4, every: 6 },
  { file: 'RobotExpressive', clips: 14, frames: 591, few: 14, every: 1 },
  { file: 'makehuman', clips: 10, frames: 200, few: 1, every: 5 }, // without clips: random poses, by twenties
];

async function createContenders(scene: CharacterScene) {
  const engine = await createEngine();
  const bodies = scene.createBodies(engine);
  const contenders = METHODS.map((method) => new CharacterContender(scene, bodies, method));
  return { engine, contenders };
}

describe.skipIf(!hasData)('real characters', () => {
  test.each(FILES)(
    '$file: all methods find what brute force finds',
    { timeout: 1_800_000 },
    async ({ file, clips, frames, few, every }) => {
      const scene = (await readCharacterScene(file, { frames: isFull ? undefined : few }))!;
      expect(scene.allFrames).toBe(frames);
      if (isFull) expect([scene.frames, scene.clips.length]).toEqual([frames, clips]);
      const { engine, contenders } = await createContenders(scene);
      const answers = new AnswerBook();
      checkFrames(contenders, scene.frames, answers);
      let bruteForced = 0;
      for (const { firstFrame, frames } of scene.clips) {
        for (let frame = firstFrame; frame < firstFrame + frames; frame += every) {
          for (const line of contenders[0].compareWithBruteForce(frame)) answers.disagree(line);
          bruteForced++;
        }
      }
      expect(answers.disagreements).toEqual([]);
      expect(answers.totalPairs).toBeGreaterThan(0);
      if (isFull)
        console.log(
          `${file}: ${scene.frames} frames, ${bruteForced} by brute force, ${answers.totalPairs} contacts`,
        );
      engine.dispose();
    },
  );

  test('a pair that is lost, or one too many, does not go unnoticed', async () => {
    const scene = (await readCharacterScene('RobotExpressive', { frames: 2 }))!;
    const { engine, contenders } = await createContenders(scene);
    const [contender] = contenders;
    const { run } = CharacterContender.prototype;
    expect(contender.compareWithBruteForce(1)).toEqual([]);
    contender.run = (frame) => {
      run.call(contender, frame);
      contender.between.pairCount--;
    };
    expect(contender.compareWithBruteForce(1)).toHaveLength(1);
    const own = contender.own.find(({ pairCount }) => pairCount > 0)!;
    contender.run = (frame) => {
      run.call(contender, frame);
      own.pairs[0] = own.pairs[0] === 0 ? 1 : 0;
    };
    expect(contender.compareWithBruteForce(1)).toHaveLength(1);
    engine.dispose();
  });
});

test('frames are spread over a list, the first one among them', () => {
  expect(spread([0, 1, 2, 3, 4, 5], 3)).toEqual([0, 2, 4]);
  expect(spread([0, 1], 3)).toEqual([0, 1]);
});
