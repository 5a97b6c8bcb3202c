import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readModes, writeNpy } from 'pliant/io';
import { beforeAll, describe, expect, test } from 'vitest';
import { objOf, positionsOf } from './support/bent-sheet.ts';
import { pliant, temporaryFolder } from './support/run.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const run = (...args: string[]) => pliant(args, { cwd: folder });

const SIDE = 8;
/** How far the sheet is bent in each frame: from flat to pushed through itself. */
const BENDS = [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2];

beforeAll(async () => {
  mkdirSync(file('walk'));
  BENDS.forEach((bend, k) => {
    writeFileSync(file(`walk/${k}.obj`), objOf(SIDE, positionsOf(SIDE, bend)));
  });
  writeFileSync(file('sheet.obj'), objOf(SIDE, positionsOf(SIDE, 0)));
  const made = await run('modes', 'walk', '--kind', 'sequence', '-o', 'walk-modes.pliant', '--quiet');
  expect([made.code, made.stderr]).toEqual([0, '']);
});

async function pairs(...args: string[]): Promise<unknown> {
  const { code, stderr } = await run('check', ...args, '--json', 'pairs.json', '--quiet');
  expect(stderr).toBe('');
  return { code, json: JSON.parse(readFileSync(file('pairs.json'), 'utf8')) };
}

describe('modes, certify and check', () => {
  test('go together: the recorded motion, with certificates and without', async () => {
    const made = await run('certify', 'walk', '--modes', 'walk-modes.pliant', '-o', 'walk.pliant');
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/ check --modes /)]);
    const plain = await pairs('walk', '--modes', 'walk-modes.pliant');
    const found = await pairs(
      'walk',
      '--modes',
      'walk-modes.pliant',
      '--certificates',
      'walk.pliant',
      '--threads',
      '2',
    );
    expect(found).toEqual(plain);
    expect(plain).toMatchObject({ code: 1, json: { frames: { length: BENDS.length } } });
  });

  test('poses of one’s own, over motions too', async () => {
    const { count } = readModes(readFileSync(file('walk-modes.pliant')), 'walk-modes.pliant').modes;
    const recorded = Float64Array.from(
      { length: 4 * count },
      (_, k) => Math.sin(1 + k) * (k < count ? 0 : 20),
    );
    writeFileSync(file('poses.npy'), writeNpy([4, count], recorded));
    const made = await run(
      'certify',
      'walk/0.obj',
      '--modes',
      'walk-modes.pliant',
      '-o',
      'own.pliant',
      '--quiet',
    );
    expect([made.code, made.stderr]).toEqual([0, '']);
    const args = ['walk/0.obj', '--modes', 'walk-modes.pliant', '--poses', 'poses.npy', '--continuous'];
    expect(await pairs(...args, '--certificates', 'own.pliant')).toEqual(await pairs(...args));
  });

  test.each([
    [
      'certificates of modes for a mesh that stands still',
      ['walk/0.obj', '--certificates', 'walk.pliant'],
      /walk\.pliant: these certificates are about modes; name the file of modes with --modes/,
    ],
    ['modes of another mesh', ['walk.pliant', '--modes', 'walk-modes.pliant'], /walk\.pliant/],
    ['poses without modes', ['sheet.obj', '--poses', 'poses.npy'], /--poses are weights of modes/],
    ['modes and two files', ['walk', '--modes', 'walk-modes.pliant', '--between'], /--modes move one mesh/],
    [
      'poses of another width',
      ['walk', '--modes', 'walk-modes.pliant', '--poses', 'narrow.npy'],
      /narrow\.npy: the array is 2 × 1; poses are frames × \d+ modes/,
    ],
  ])('refuses %s', async (_, args, message) => {
    writeFileSync(file('narrow.npy'), writeNpy([2, 1], [0, 1]));
    const { code, stderr, stdout } = await run('check', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  test('modes without a motion need poses, and the message says so', async () => {
    writeFileSync(file('given.npy'), writeNpy([1, (SIDE + 1) ** 2, 3], positionsOf(SIDE, 0.5)));
    await run('modes', 'sheet.obj', '--import', 'given.npy', '-o', 'given.pliant', '--quiet');
    const { code, stderr } = await run('check', 'sheet.obj', '--modes', 'given.pliant');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/no motion is recorded .*; give them with --poses/),
    ]);
    const other = await run('certify', 'sheet.obj', '--modes', 'given.pliant', '--for', 'three');
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/check --modes/)]);
  });
});
