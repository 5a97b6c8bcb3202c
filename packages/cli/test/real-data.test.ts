import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bruteForcePairs, parseFrame, weldTogether } from './support/brute-force.ts';
import { type CheckFile, readCheck } from './support/check-output.ts';
import { hasSharedData, pliant, sharedPath, temporaryFolder } from './support/run.ts';

const folder = temporaryFolder();
let used = 0;

async function check(...args: string[]): Promise<CheckFile> {
  const path = join(folder, `check${used++}.json`);
  const { stderr } = await pliant(['check', ...args, '--quiet', '--json', path]);
  expect(stderr).toBe('');
  return readCheck(path);
}

async function bake(...args: string[]) {
  const out = join(folder, `bake${used++}`);
  const { stderr } = await pliant(['bake', ...args, '--quiet', '-o', out]);
  expect(stderr).toBe('');
  const { frames } = JSON.parse(readFileSync(join(out, 'frames.json'), 'utf8'));
  return frames.map(({ file, index, clip }: { file: string; index: number; clip: string | null }) => ({
    ...parseFrame(readFileSync(join(out, file)), file),
    index,
    clip,
    path: join(out, file),
  }));
}

function meshOfVertex({ meshes }: CheckFile): (vertex: number) => number {
  const ends: number[] = [];
  for (const { vertices } of meshes) ends.push((ends.at(-1) ?? 0) + vertices);
  return (vertex) => ends.findIndex((end) => vertex < end);
}

/** [name, arguments]: the pairs of `check` are those of brute force on the frames of `bake`. */
const SAMPLES: [string, string[]][] = [
  ['CesiumMan', ['skinned/CesiumMan.glb', '--times', '0,0.5333333333333333,1.3']],
  ['Fox', ['skinned/Fox.glb', '--times', '0,0.4,1.1']],
  [
    'KayKit_Knight',
    ['skinned/KayKit_Knight.glb', '--clip', 'Idle', '--clip', 'Running_A', '--times', '0,0.2'],
  ],
  ['RobotExpressive', ['skinned/RobotExpressive.glb', '--clip', 'Dance', '--times', '0.3,1']],
  ['AnimatedMorphSphere', ['morph/AnimatedMorphSphere.glb', '--times', '0,2,4.3']],
  ['ict-face-10', ['morph/ict-face-10.glb']],
];

/** The same with every frame. */
const ALL_FRAMES: [string, string[]][] = [
  ['CesiumMan', ['skinned/CesiumMan.glb']],
  ['Fox, all clips', ['skinned/Fox.glb']],
  [
    'KayKit_Knight, five clips',
    [
      'skinned/KayKit_Knight.glb',
      ...['Idle', 'Walking_A', 'Running_A', '1H_Melee_Attack_Chop', 'Block'].flatMap((clip) => [
        '--clip',
        clip,
      ]),
    ],
  ],
  ['AnimatedMorphSphere', ['morph/AnimatedMorphSphere.glb']],
  ['ict-face-10', ['morph/ict-face-10.glb']],
];

const isFull = process.env.PLIANT_FULL !== undefined;
const CASES = isFull ? ALL_FRAMES : SAMPLES;

describe.skipIf(!hasSharedData)('real data', () => {
  test.each(CASES)(
    '%s: check equals brute force on bake',
    async (_, [path, ...args]) => {
      const [found, frames] = await Promise.all([
        check(sharedPath(path), ...args),
        bake(sharedPath(path), ...args),
      ]);
      const welded = weldTogether(frames, meshOfVertex(found));
      expect(found.frames.map(({ clip, index }) => [clip, index])).toEqual(
        frames.map(({ clip, index }: { clip: string; index: number }) => [clip, index]),
      );
      for (const [k, frame] of frames.entries()) {
        expect(found.frames[k].pairs, `frame ${k}`).toEqual(bruteForcePairs(frame, welded));
      }
      console.log(`${path}: ${frames.length} frames, ${found.total} contacts, as brute force finds them`);
    },
    900_000,
  );

  test('kick: the pairs of CGAL, frame by frame', async () => {
    const path = (name: string) => sharedPath(`sequences/kick_unfixed.${name}`);
    const truth = JSON.parse(readFileSync(sharedPath('truth/summary.json'), 'utf8'));
    const counts = truth.files['sequences/kick_unfixed.pc2'].selfIntersectingPairsPerFrame;
    const found = await check(
      path('obj'),
      path('pc2'),
      ...(isFull ? [] : ['--frames', '18-25']),
      '--threads',
      '2',
    );
    expect(found.frames.map(({ count }) => count)).toEqual(isFull ? counts : counts.slice(18, 26));
  });

  test('tshirt: no contact in any of 251 frames', async () => {
    const found = await check(
      sharedPath('sequences/tshirt_iter0.obj'),
      sharedPath('sequences/tshirt_iter0.pc2'),
    );
    expect([found.frames.length, found.total, found.state]).toEqual([251, 0, 'complete']);
  });

  test.each(['CesiumMan', 'AnimatedMorphSphere'])(
    '%s: the pairs of CGAL on poses of another program',
    async (name) => {
      const source = {
        CesiumMan: 'skinned/CesiumMan.glb',
        AnimatedMorphSphere: 'morph/AnimatedMorphSphere.glb',
      }[name]!;
      const [rest] = await bake(sharedPath(source), '--times', '0');
      const { pairs } = JSON.parse(readFileSync(sharedPath(`baked/${name}.json`), 'utf8'));
      const found = await check(rest.path, sharedPath(`baked/${name}.pc2`));
      expect(found.frames.map((frame) => frame.pairs)).toEqual(pairs);
    },
  );

  test('mesh files: the pairs of CGAL', async () => {
    for (const name of [
      'selfx/cow.off',
      'selfx/two-cubes-intersecting.ply',
      'static/dragon_vrip_res3.ply.gz',
    ]) {
      const { pairs } = JSON.parse(
        readFileSync(sharedPath(`truth/pairs/${name.replace(/\//g, '__')}.json`), 'utf8'),
      );
      expect((await check(sharedPath(name))).frames[0].pairs, name).toEqual(pairs);
    }
  });

  test('the same bytes for 1 and 2 threads and for shards', async () => {
    const args = [sharedPath('skinned/Fox.glb'), '--quiet', '--json', '-'];
    const one = await pliant(['check', ...args, '--threads', '1']);
    const two = await pliant(['check', ...args, '--threads', '2']);
    expect(two.stdout).toBe(one.stdout);
    const parts = [0, 1].map((k) => join(folder, `fox${k}.json`));
    for (const [k, part] of parts.entries()) {
      await pliant(['check', sharedPath('skinned/Fox.glb'), '--quiet', '--json', part, '--shard', `${k}/2`]);
    }
    expect((await pliant(['merge', ...parts, '--quiet', '-o', '-'])).stdout).toBe(one.stdout);
  });
});
