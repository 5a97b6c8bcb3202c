import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { tubeGltf } from '../../pliant/test/edit/corrective/tube-gltf.ts';
import { hasSharedData, pliant, sharedPath, temporaryFolder } from './support/run.ts';
import { sampleGlb } from './support/sample-gltf.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const run = (...args: string[]) => pliant(args, { cwd: folder });
const elbow = () => tubeGltf({ bends: [90], rings: 24, sides: 10 });

beforeAll(() => {
  writeFileSync(file('elbow.glb'), elbow().glb());
  writeFileSync(file('packed.glb.gz'), gzipSync(elbow().glb()));
  writeFileSync(file('inside.gltf'), elbow().gltf());
  writeFileSync(file('beside.gltf'), elbow().gltf('beside.bin'));
  writeFileSync(file('beside.bin'), elbow().binary());
  writeFileSync(file('rigid.glb'), sampleGlb());
  mkdirSync(file('elsewhere'));
});

async function contacts(name: string, time: number): Promise<number> {
  const { stdout } = await run('check', name, '--clip', 'Bend', '--times', String(time), '--json', '-');
  return JSON.parse(stdout).total;
}

describe('pliant correct', () => {
  test('writes a file in which check finds nothing at that time', async () => {
    expect(await contacts('elbow.glb', 0.95)).toBeGreaterThan(0);
    const outcome = await run(
      'correct',
      'elbow.glb',
      '--clip',
      'Bend',
      '--time',
      '0.95',
      '--json',
      'done.json',
    );
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(outcome.stdout).toMatch(
      /^elbow\.glb → elbow\.corrected\.glb {2}clip Bend at 0\.95 s\n\nmesh +before +after/,
    );
    expect(outcome.stdout).toMatch(/\nTube +\d+ +0 +0 +\d+ +0\.\d+\n\nno contact is left to correct\n$/);
    expect(await contacts('elbow.corrected.glb', 0.95)).toBe(0);
    expect(await contacts('elbow.corrected.glb', 0.6)).toBe(await contacts('elbow.glb', 0.6));
    const json = JSON.parse(readFileSync(file('done.json'), 'utf8'));
    expect(json).toMatchObject({
      version: 1,
      file: 'elbow.glb',
      out: 'elbow.corrected.glb',
      clip: 'Bend',
      time: 0.95,
    });
    expect(json.meshes[0]).toMatchObject({ name: 'Tube', node: 0, after: 0, target: 'corrective Bend 0.95' });
    expect(json).toMatchObject({ left: 0, between: 0 });
    expect(readdirSync(folder).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  test('says so and writes nothing where nothing touches', async () => {
    const { code, stdout } = await run(
      'correct',
      'elbow.glb',
      '--clip',
      'Still',
      '--time',
      '0.5',
      '-o',
      'none.glb',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/nothing touches that the skin has brought together: nothing was written\n$/);
    expect(existsSync(file('none.glb'))).toBe(false);
  });

  test.each([
    ['packed.glb.gz', 'packed.corrected.glb'],
    ['inside.gltf', 'inside.corrected.gltf'],
    ['beside.gltf', 'beside.corrected.gltf'],
  ])('%s becomes %s', async (input, output) => {
    const { code, stderr } = await run('correct', input, '--clip', 'Bend', '--time', '0.9', '--quiet');
    expect(code, stderr).toBe(0);
    expect(stderr).toBe('');
    expect(await contacts(output, 0.9)).toBe(0);
  });

  test('writes to stdout', async () => {
    const { code, stdout } = await run(
      'correct',
      'inside.gltf',
      '--clip',
      'Bend',
      '--time',
      '0.9',
      '-o',
      '-',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).meshes[0].extras.targetNames).toEqual(['corrective Bend 0.9']);
  });

  test.each([
    [['elbow.glb', '--clip', 'Bend'], /required option '--time <t>'/],
    [['elbow.glb', '--time', '0.5'], /which clip\? --clip names one of Bend, Still/],
    [['elbow.glb', '--clip', 'Jump', '--time', '0.5'], /there is no clip "Jump", only Bend, Still/],
    [['elbow.glb', '--clip', 'Bend', '--time', '1.5'], /the clip lasts 1 s, so there is nothing at 1\.5 s/],
    [['elbow.glb', '--clip', 'Bend', '--time', 'now'], /--time must be a number/],
    [['elbow.glb', '--clip', 'Bend', '--time', '1', '--mesh', 'Leg'], /no node or mesh is called "Leg"/],
    [
      ['elbow.glb', '--clip', 'Bend', '--time', '1', '-o', 'elbow.glb'],
      /this is an input; give the result another name/,
    ],
    [
      ['elbow.glb', '--clip', 'Bend', '--time', '1', '-o', 'elbow.gltf'],
      /elbow\.glb is a \.glb, and so is the result/,
    ],
    [['beside.gltf', '--clip', 'Bend', '--time', '1', '-o', 'elsewhere/x.gltf'], /uses files of its folder/],
    [['rigid.glb', '--clip', 'Fall', '--time', '1'], /rigid\.glb: no mesh of the scene has a skin/],
    [['missing.glb', '--time', '1'], /missing\.glb: there is no such file/],
    [['elbow.glb', '--clip', 'Bend', '--time', '1', '-o', 'no/where.glb'], /there is no such folder/],
  ])('%j is refused in one line', async (args, message) => {
    const { code, stdout, stderr } = await run('correct', ...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('Ctrl-C leaves nothing behind', async () => {
    writeFileSync(file('hook.glb'), tubeGltf({ bends: [112, 112], rings: 36, sides: 10 }).glb());
    const before = readdirSync(folder).sort();
    const args = ['correct', 'hook.glb', '--clip', 'Bend', '--time', '1'];
    const { code, stdout, stderr } = await pliant(args, {
      cwd: folder,
      interruptAt: /"Tube"/,
    });
    expect(code, stderr).toBe(130);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/pliant: stopped; nothing was written\n$/);
    expect(readdirSync(folder).sort()).toEqual(before);
  });
});

describe.skipIf(!hasSharedData)('real data', () => {
  test('the walk of CesiumMan: 101 contacts before, none after', async () => {
    const args = [
      sharedPath('skinned/CesiumMan.glb'),
      '--time',
      '0.533333',
      '--vertices',
      '4000',
      '-o',
      'man.glb',
    ];
    const { code, stdout } = await run('correct', ...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nCesium_Man +101 +0 +0 /);
    const check = await run('check', 'man.glb', '--times', '0.533333');
    expect(check.code).toBe(0);
  });
});
