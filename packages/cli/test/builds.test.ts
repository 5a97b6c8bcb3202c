import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCheck } from './support/check-output.ts';
import { pliant, temporaryFolder } from './support/run.ts';
import { sampleGlb } from './support/sample-gltf.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const check = (...args: string[]) => pliant(['check', file('sample.glb'), '--fps', '10', ...args]);

beforeAll(() => {
  writeFileSync(file('sample.glb'), sampleGlb());
});

describe('known contacts', () => {
  test('do not fail a check, new ones do', async () => {
    expect((await check('--write-allow', file('known.json'), '--quiet')).code).toBe(1);
    const known = JSON.parse(readFileSync(file('known.json'), 'utf8'));
    expect(known.clips).toEqual([{ clip: 'Fall', pairs: [[0, 2]] }]);
    const again = await check('--allow', file('known.json'));
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/3 known: none of them new/);
    const json = readCheck((await check('--allow', file('known.json'), '--json', '-')).stdout);
    expect(json.total).toBe(3); // the JSON says what touches, known or not
    writeFileSync(
      file('other.json'),
      JSON.stringify({ ...known, clips: [{ clip: 'Hover', pairs: [[0, 2]] }] }),
    );
    expect((await check('--allow', file('other.json'), '--quiet')).code).toBe(1);
  });

  test('of other meshes are refused', async () => {
    await check('--write-allow', file('stale.json'), '--quiet');
    const stale = JSON.parse(readFileSync(file('stale.json'), 'utf8'));
    stale.meshes[1].triangles = 7;
    writeFileSync(file('stale.json'), JSON.stringify(stale));
    const { code, stderr } = await check('--allow', file('stale.json'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/stale\.json: "Spike" has 1 triangles now, not 7; write the list anew/);
    writeFileSync(file('broken.json'), '[]');
    expect((await check('--allow', file('broken.json'))).stderr).toMatch(
      /not a list written by --write-allow/,
    );
  });
});

describe('what counts', () => {
  test('contacts must last for --min-frames frames', async () => {
    expect((await check('--min-frames', '3', '--quiet')).code).toBe(1);
    expect((await check('--min-frames', '4', '--quiet')).code).toBe(0);
  });

  test.each<[string, string[], number]>([
    ['both nodes', ['--ignore', 'Spike', '--with', 'Plate'], 0],
    ['in the other order', ['--ignore', 'Plate', '--with', 'Spike'], 0],
    ['by pattern', ['--ignore', 'Sp*k?'], 0],
    ['by material', ['--ignore', 'Gold', '--with', 'St*'], 0],
    ['other names', ['--ignore', 'Spike', '--with', 'Cape'], 1],
    ['only within', ['--ignore', 'Spike', '--with', 'Spike'], 1],
    ['the second rule', ['--ignore', 'Cape', '--ignore', 'Spike', '--with', 'Plate'], 0],
  ])('--ignore and --with: %s', async (_, args, code) => {
    const outcome = await check('--json', '-', ...args);
    expect(outcome.code).toBe(code);
    expect(readCheck(outcome.stdout).total).toBe(3 * code);
    if (args.includes('Cape')) expect(outcome.stderr).toContain('"Cape" matches no name');
  });
});

describe('formats', () => {
  test('github: one annotation per clip', async () => {
    const { code, stdout } = await pliant(['check', 'sample.glb', '--fps', '10', '--format', 'github'], {
      cwd: folder,
    });
    expect(code).toBe(1);
    const message = '3 contacts in 3 of 11 frames; worst: frame 8 (0.800 s): 1 contact; Plate and Spike: 3';
    expect(stdout).toBe(`::error file=sample.glb,title=3 contacts in Fall::${message}\n`);
  });

  test('junit: one test per clip', async () => {
    const { code, stdout } = await check('--format', 'junit');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^<\?xml version="1\.0"/);
    expect(stdout).toMatch(/<testsuites name="pliant" tests="2" failures="1" errors="0"/);
    expect(stdout).toMatch(/<testcase classname="sample\.glb" name="Hover" time="[\d.]+"\/>/);
    expect(stdout).toContain('<failure message="3 contacts in 3 of 11 frames">');
  });
});
