import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCheck } from './support/check-output.ts';
import { pliant, temporaryFolder } from './support/run.ts';
import { sampleGlb } from './support/sample-gltf.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);

beforeAll(() => {
  writeFileSync(file('sample.glb'), sampleGlb());
});

describe('usage', () => {
  test.each(['check', 'bake', 'info', 'merge', 'modes', 'studio'])(
    '%s --help has examples',
    async (command) => {
      const { code, stdout, stderr } = await pliant([command, '--help']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(new RegExp(`Usage: pliant ${command} `));
      expect(stdout).toMatch(/Examples:\n {2}\$ pliant /);
    },
  );

  test('check --help says that contact is between surfaces', async () => {
    const { stdout } = await pliant(['check', '--help']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('a mesh wholly inside another one reports nothing');
    const tetrahedron = (size: number) =>
      [
        [-1, -1, -1],
        [3, -1, -1],
        [-1, 3, -1],
        [-1, -1, 3],
      ].map((p) => `v ${p.map((x) => x * size).join(' ')}\n`);
    for (const size of [1, 9])
      writeFileSync(
        file(`nested-${size}.obj`),
        `${tetrahedron(size).join('')}f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n`,
      );
    const nested = await pliant(['check', 'nested-1.obj', 'nested-9.obj', '--between'], { cwd: folder });
    expect(nested.code).toBe(0);
  });

  test('--help and --version', async () => {
    const { code, stdout } = await pliant(['--help']);
    expect(code).toBe(0);
    for (const command of ['check', 'bake', 'info', 'merge', 'modes', 'studio'])
      expect(stdout).toContain(`  ${command} `);
    expect((await pliant(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each<[string, string[], RegExp]>([
    ['no command', [], /which command/],
    ['an unknown command', ['chekc', 'x.glb'], /chekc/],
    ['no file', ['check'], /missing required argument/],
    ['an unknown option', ['check', 'x.glb', '--fsp', '3'], /unknown option '--fsp'/],
    ['a missing file', ['check', 'none.glb'], /^pliant: none\.glb: there is no such file\n$/],
    ['a bad rate', ['check', 'sample.glb', '--fps', 'fast'], /--fps must be a number/],
    ['a bad range', ['check', 'sample.glb', '--frames', '9-3'], /--frames must be like 10-20/],
    ['frames beyond the end', ['check', 'sample.glb', '--frames', '900-999'], /beyond the last frame/],
    ['a bad time', ['check', 'sample.glb', '--times', '1,,2'], /--times must be seconds/],
    ['an unknown clip', ['check', 'sample.glb', '--clip', 'Jump'], /no clip "Jump"; it has Fall, Hover/],
    ['an unknown method', ['check', 'sample.glb', '--method', 'magic'], /--method/],
    [
      'unknown bounds',
      ['check', 'sample.glb', '--bounds', 'obb'],
      /--bounds must be auto, boxes, two-largest, sphere or sphere-skin, not "obb"/,
    ],
    [
      'unknown culling',
      ['check', 'sample.glb', '--cull', 'magic'],
      /--cull must be auto, none, blend, subspace, reduced-energy or energy, not "magic"/,
    ],
    ['no threads', ['check', 'sample.glb', '--threads', '0'], /--threads must be a whole number/],
    ['a bad shard', ['check', 'sample.glb', '--shard', '2/2'], /--shard must be like 0\/4/],
    ['self and between', ['check', 'sample.glb', '--self', '--between'], /exclude each other/],
    ['with without ignore', ['check', 'sample.glb', '--with', 'Spike'], /needs an --ignore/],
    ['two users of stdout', ['check', 'sample.glb', '--json', '-', '--format', 'junit'], /both want stdout/],
    ['an unwritable output', ['check', 'sample.glb', '--json', 'no/such/folder.json'], /cannot be written/],
    ['a folder as output', ['check', 'sample.glb', '--html', '.'], /cannot be written: this is a folder/],
    ['two glTF files', ['bake', 'sample.glb', 'sample.glb', '--out', 'x'], /no frame of a sequence/],
  ])('%s: exit 2, one line, nothing on stdout', async (_, args, message) => {
    const { code, stdout, stderr } = await pliant(args, { cwd: folder });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^pliant: [^\n]+\n$/);
  });
});

describe('settings file', () => {
  test('has the names of the options, and gives way to the command line', async () => {
    writeFileSync(
      file('settings.json'),
      JSON.stringify({ fps: 10, clip: ['Fall'], frames: '8-9', 'max-pairs': 0, quiet: true }),
    );
    const run = async (...args: string[]) => {
      const { stdout, stderr } = await pliant(
        ['check', 'sample.glb', '--config', 'settings.json', '--json', '-', ...args],
        {
          cwd: folder,
        },
      );
      expect(stderr).toBe('');
      return readCheck(stdout);
    };
    const frames = (await run()).frames;
    expect(frames.map(({ index, pairs, count }) => [index, pairs.length, count])).toEqual([
      [8, 0, 1],
      [9, 0, 1],
    ]);
    expect((await run('--fps', '5', '--frames', '4')).frames[0]).toMatchObject({ index: 4, time: 0.8 });
  });

  test('refuses unknown names', async () => {
    writeFileSync(file('typo.json'), '{ "fsp": 10 }');
    const { code, stderr } = await pliant(['check', 'sample.glb', '--config', 'typo.json'], { cwd: folder });
    expect([code, stderr]).toEqual([2, 'pliant: typo.json: there is no option "fsp"\n']);
  });
});
