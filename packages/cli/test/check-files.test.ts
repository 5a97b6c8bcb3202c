import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pliant, temporaryFolder } from './support/run.ts';
import { sampleGlb } from './support/sample-gltf.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const files = ['a/one.glb', 'a/two.glb', 'b/one.glb'].map(file);
const FAST = ['--fps', '10'];

beforeAll(() => {
  for (const name of ['a', 'b', 'mixed']) mkdirSync(file(name));
  for (const path of files) writeFileSync(path, sampleGlb());
});

describe('several glTF files', () => {
  test('are checked one after the other: results are those of each alone', async () => {
    const several = await pliant(['check', file('a'), ...FAST, '--json', file('out'), '--html', file('out')]);
    expect(several.code, several.stderr).toBe(1);
    expect(several.stderr).toMatch(/one\.glb \(1 of 2\)[\s\S]*two\.glb \(2 of 2\)/);
    expect(several.stdout).toMatch(/2 files: 0 without contacts that count, 2 with\n$/);
    expect(readdirSync(file('out')).sort()).toEqual(['one.html', 'one.json', 'two.html', 'two.json']);
    const alone = await pliant(['check', files[1], ...FAST, '--json', file('alone.json')]);
    expect(readFileSync(file('out/two.json'))).toEqual(readFileSync(file('alone.json')));
    expect(several.stdout).toContain(alone.stdout);
  });

  test('known contacts are kept for each', async () => {
    const args = ['check', ...files.slice(0, 2), ...FAST];
    expect((await pliant([...args, '--write-allow', file('known'), '--quiet'])).code).toBe(1);
    const again = await pliant([...args, '--allow', file('known')]);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/2 files: 2 without contacts that count, 0 with\n$/);
    expect((await pliant([...args, '--allow', file('b'), '--quiet'])).code).toBe(1); // lists of others
  });

  test('one that cannot be read keeps no other from being looked at', async () => {
    writeFileSync(file('bad.glb'), 'glTF, but not really');
    const args = ['check', file('bad.glb'), files[0], ...FAST];
    const { code, stdout, stderr } = await pliant([...args, '--json', file('some')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^pliant: .*bad\.glb: /m);
    expect(stdout).toMatch(/2 files: 0 without contacts that count, 1 with, 1 not checked\n$/);
    expect(readdirSync(file('some'))).toEqual(['one.json']);
    const junit = await pliant([...args, '--format', 'junit']);
    expect(junit.stdout.match(/<testsuites /g)).toHaveLength(1);
    expect(junit.stdout.match(/<testsuite /g)).toHaveLength(2);
    expect(junit.stdout).toMatch(/<testsuites name="pliant" tests="\d+" failures="1" errors="1"/);
    expect(junit.stdout).toContain('<testcase classname="bad.glb" name="input"><error message=');
    const github = await pliant([...args, '--format', 'github', '--quiet']);
    expect(github.stdout).toContain(`::error file=${files[0]},`);
  });
});

test.each<[string, string[], RegExp]>([
  ['one file for results', [...files, '--json', file('a/one.glb')], /--json must be a folder when several/],
  ['stdout', [...files, '--json', '-'], /--json must be a folder when several files are checked, not -/],
  ['a file of known contacts', [...files, '--allow', file('a/one.glb')], /--allow must be a folder/],
  ['no such folder', [...files, '--allow', file('nowhere')], /nowhere: there is no such folder/],
  [
    'two of one name',
    [...files, '--stats', file('out')],
    /--stats: .*a.one\.glb and .*b.one\.glb would both have /,
  ],
  [
    'one file of certificates',
    [...files, '--certificates', file('a/one.glb')],
    /--certificates must be a folder/,
  ],
  ['a file that is not there', [...files, file('missing.glb')], /missing\.glb: /],
])('refused: %s', async (_, args, message) => {
  const { code, stdout, stderr } = await pliant(['check', ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect(stdout).toBe('');
  expect(existsSync(file('out/one.stats.json'))).toBe(false);
});

test('meshes among them: refused, with its name', async () => {
  writeFileSync(file('mixed/one.glb'), sampleGlb());
  writeFileSync(file('mixed/sheet.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  const { code, stderr } = await pliant(['check', file('mixed')]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/one\.glb: a glTF file is no frame of a sequence/);
});
