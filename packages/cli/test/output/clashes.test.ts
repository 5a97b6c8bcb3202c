import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { morphGlb } from '../support/morph-gltf.ts';
import { pliant, temporaryFolder } from '../support/run.ts';
import { sampleGlb, sampleGltf } from '../support/sample-gltf.ts';

const root = temporaryFolder();
const CUBE = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';
let folder = '';
let runs = 0;

beforeEach(() => {
  folder = join(root, String(runs++));
  mkdirSync(folder);
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  const { json, buffer } = sampleGltf({ uri: 'parts' });
  put('hero.glb', sampleGlb());
  put('split.gltf', JSON.stringify(json));
  put('parts', buffer);
  put('cube.obj', CUBE);
  put('settings.json', '{"quiet":true}');
  put('face.glb', morphGlb());
  linkSync(join(folder, 'hero.glb'), join(folder, 'hard-link'));
  symlinkSync('hero.glb', join(folder, 'soft-link'));
});

async function expectRefusal(args: readonly string[], kept: string, message: RegExp): Promise<void> {
  const before = readFileSync(join(folder, kept));
  const { code, stderr, stdout } = await pliant(args, { cwd: folder });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^pliant: [^\n]+\n$/);
  expect([code, stdout]).toEqual([2, '']);
  expect(readFileSync(join(folder, kept)).equals(before)).toBe(true);
}

describe('a result never takes the place of an input', () => {
  const MODEL = /^pliant: --[a-z-]+ takes the name of a file to write; hero\.glb looks like a model\n$/;
  const INPUT = /this is an input; give the result another name\n$/;
  test.each<[string, string[], string, RegExp]>([
    ['the model', ['check', 'hero.glb', '--json', 'hero.glb'], 'hero.glb', INPUT],
    ['another model', ['check', 'cube.obj', '--html', 'hero.glb'], 'hero.glb', MODEL],
    ['the option before the model', ['check', '--json', 'hero.glb', 'cube.obj'], 'hero.glb', MODEL],
    ['a link to it', ['check', 'hero.glb', '--json', 'soft-link'], 'hero.glb', INPUT],
    ['a second name of it', ['check', 'hero.glb', '--stats', 'hard-link'], 'hero.glb', INPUT],
    ['a buffer of a .gltf', ['check', 'split.gltf', '--json', 'parts'], 'parts', INPUT],
    [
      'the settings',
      ['check', 'hero.glb', '--config', 'settings.json', '--json', 'settings.json'],
      'settings.json',
      INPUT,
    ],
    ['info', ['info', 'split.gltf', '--json', 'parts'], 'parts', INPUT],
    ['bake', ['bake', 'frame_rest_0.obj', 'cube.obj', '-o', '.'], 'frame_rest_0.obj', INPUT],
    ['certify', ['certify', 'face.glb', '-o', 'x.pliant', '--json', 'face.glb'], 'face.glb', INPUT],
    ['modes', ['modes', 'cube.obj', '-o', 'cube.obj'], 'cube.obj', INPUT],
    [
      'correct',
      ['correct', 'hero.glb', '--time', '0', '--clip', 'Fall', '-o', 'soft-link'],
      'hero.glb',
      INPUT,
    ],
  ])('%s', async (_, args, kept, message) => {
    writeFileSync(join(folder, 'frame_rest_0.obj'), CUBE);
    await expectRefusal(args, kept, message);
  });

  test('known contacts, certificates and shards', async () => {
    const run = (...args: string[]) => pliant(args, { cwd: folder });
    expect((await run('check', 'hero.glb', '--write-allow', 'known.json')).code).toBe(1);
    const allow = ['check', 'hero.glb', '--allow', 'known.json'];
    await expectRefusal([...allow, '--json', 'known.json'], 'known.json', INPUT);
    await expectRefusal([...allow, '--write-allow', 'known.json'], 'known.json', INPUT);
    expect((await run('certify', 'face.glb', '--quiet')).code).toBe(0);
    const certified = ['check', 'face.glb', '--certificates', 'face.pliant', '--json', 'face.pliant'];
    await expectRefusal(certified, 'face.pliant', /this is an input|looks like/);
    expect((await run('check', 'hero.glb', '--shard', '0/1', '--json', 'a.json')).code).toBe(1);
    await expectRefusal(['merge', 'a.json', '-o', 'a.json'], 'a.json', INPUT);
  });
});

describe('two results never share a file', () => {
  test.each<[string, string[], RegExp]>([
    [
      'one name',
      ['check', 'hero.glb', '--json', 'x', '--html', 'x'],
      /--json and --html both want x; give one of them another file\n$/,
    ],
    ['two spellings', ['check', 'hero.glb', '--json', 'x', '--stats', './x'], /--json and --stats both want/],
    ['a link', ['check', 'hero.glb', '--json', 'there', '--stats', 'link'], /--json and --stats both want/],
    [
      'stdout twice',
      ['certify', 'face.glb', '-o', '-', '--json', '-'],
      /-o and --json both want stdout; give/,
    ],
    [
      'stdout twice, modes',
      ['modes', 'cube.obj', '-o', '-', '--npy', '-'],
      /-o and --npy both want stdout; give/,
    ],
    ['modes', ['modes', 'cube.obj', '-o', 'm.pliant', '--npy', 'm.pliant'], /-o and --npy both want/],
  ])('%s', async (_, args, message) => {
    writeFileSync(join(folder, 'there'), '');
    symlinkSync('there', join(folder, 'link'));
    await expectRefusal(args, 'there', message);
  });

  test('devices may be named twice', async () => {
    const args = ['check', 'hero.glb', '--json', '/dev/null', '--stats', '/dev/null'];
    expect((await pliant(args, { cwd: folder })).code).toBe(1);
  });
});
