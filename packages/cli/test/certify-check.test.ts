import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { morphGltf } from './support/morph-gltf.ts';
import { hasSharedData, pliant, sharedPath, temporaryFolder } from './support/run.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const put = (name: string, json: object) => writeFileSync(file(name), JSON.stringify(json));
const run = (...args: string[]) => pliant(args, { cwd: folder });

const TALK = [
  [0, 0, 0],
  [1, 0, 0.2],
  [0.1, 0.4, 0],
  [0, 0.2, 1.3],
];
const MODEL = { names: ['Roll', 'Scroll'], weights: TALK, translation: [1 / 3, 0, 1 / 7] };

beforeAll(async () => {
  put('talk.gltf', morphGltf(MODEL));
  expect((await run('certify', 'talk.gltf', '--quiet')).code).toBe(0);
});

/** Pairs of a check with these options; without certificates unless they are named. */
async function pairs(model: string, ...args: string[]): Promise<{ json: string; code: number | null }> {
  const { code } = await run('check', model, '--json', 'pairs.json', '--quiet', ...args);
  return { code, json: readFileSync(file('pairs.json'), 'utf8') };
}

describe('pliant check with certificates', () => {
  test.each([
    [[]],
    [['--continuous']],
    [['--adjacent', '--max-pairs', '3']],
    [['--threads', '2']],
    [['--gauge=box']],
  ])('finds the same, byte for byte: %j', async (args) => {
    const [gauge] = args.filter((arg) => arg.startsWith('--gauge='));
    const rest = args.filter((arg) => arg !== gauge);
    if (gauge) {
      const { code } = await run('certify', 'talk.gltf', gauge, '-o', 'other.pliant', '--quiet');
      expect(code).toBe(0);
    }
    const stored = gauge ? 'other.pliant' : 'talk.pliant';
    const without = await pairs('talk.gltf', ...rest, '--no-certificates');
    expect(await pairs('talk.gltf', ...rest, '--certificates', stored)).toEqual(without);
    expect(without.code).toBe(1);
    expect(JSON.parse(without.json).total).toBeGreaterThan(10);
  });

  test('uses what is asked for, says so, and counts what was proved', async () => {
    const asked = ['talk.gltf', '--certificates', 'talk.pliant'];
    const { stderr } = await run('check', ...asked, '--stats', 'stats.json');
    expect(stderr).toMatch(
      /certificate of "Roll" in talk\.pliant used: [\d.]+ % of the nodes cleared in \d+ shapes/,
    );
    const { certificates, frames } = JSON.parse(readFileSync(file('stats.json'), 'utf8'));
    expect(certificates.file).toBe('talk.pliant');
    const [roll, scroll] = certificates.meshes;
    expect(roll).toMatchObject({ mesh: 0, name: 'Roll', node: 0, kinds: ['subspace-certificate'] });
    expect(scroll.name).toBe('Scroll');
    expect(roll.clearedNodes).toBeGreaterThan(0.3);
    expect(roll.freeFrames).toBeGreaterThan(0);
    expect(roll.freeFrames).toBeLessThan(roll.frames);
    expect(frames[0].proofs).toEqual([
      { mesh: 0, cleared: 1 },
      { mesh: 1, cleared: 1 },
    ]);
    const quietly = await run('check', ...asked);
    expect(quietly.stderr).toMatch(/certificate of "Roll" in talk\.pliant used\n/);
    for (const option of ['--no-certificates', '--cull=none', '--between']) {
      const { stderr: told } = await run('check', 'talk.gltf', option, '--stats', 'stats.json');
      expect(told).not.toMatch(/certificate of/);
      expect(JSON.parse(readFileSync(file('stats.json'), 'utf8')).certificates).toBe(null);
    }
  });

  test('merged shards are the same with certificates and without', async () => {
    const whole = await pairs('talk.gltf', '--no-certificates');
    const stored = ['--certificates', 'talk.pliant'];
    await run('check', 'talk.gltf', '--shard', '0/2', '--json', '0.json', '--quiet', ...stored);
    await run('check', 'talk.gltf', '--shard', '1/2', '--json', '1.json', '--quiet', '--no-certificates');
    await run('merge', '0.json', '1.json', '-o', 'merged.json', '--quiet');
    expect(readFileSync(file('merged.json'), 'utf8')).toBe(whole.json);
  });
});

describe('certificates that do not fit', () => {
  test('stale in part: refused, with the name of the mesh; unasked it is not used', async () => {
    put('stale.gltf', morphGltf(MODEL));
    await run('certify', 'stale.gltf', '--quiet');
    put('stale.gltf', morphGltf({ ...MODEL, nudge: 1e-6 }));
    const { code, stderr } = await run('check', 'stale.gltf');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^pliant: stale\.pliant is not used; --certificates stale\.pliant would use it\n/);
    expect(await pairs('stale.gltf')).toEqual(await pairs('stale.gltf', '--no-certificates'));
    const explicit = await run('check', 'stale.gltf', '--certificates', 'stale.pliant');
    expect([explicit.code, explicit.stdout]).toEqual([2, '']);
    expect(explicit.stderr).toMatch(/^pliant: stale\.pliant is stale: "Roll" has changed since; .*\n$/);
  });

  test('of another model, or absent', async () => {
    put('stranger.gltf', morphGltf({ names: ['Leaf'], columns: 9, weights: TALK }));
    const other = await run('check', 'stranger.gltf', '--certificates', 'talk.pliant');
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/talk\.pliant is stale: "Roll" of talk\.gltf is not in this model/);
    const absent = await run('check', 'talk.gltf', '--certificates', 'absent.pliant');
    expect([absent.code, absent.stderr]).toEqual([2, 'pliant: absent.pliant: there is no such file\n']);
  });

  test.each([
    ['damaged', (bytes: Buffer) => bytes.fill(0x5a, bytes.length - 40, bytes.length - 30), /is damaged/],
    [
      'truncated',
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 100),
      /needs \d+ bytes, but \d+ are left/,
    ],
    ['text', () => Buffer.from('{ "this": "is something else altogether" }'), /not a file written by Pliant/],
  ])('%s', async (_, change, message) => {
    put('broken.gltf', morphGltf(MODEL));
    writeFileSync(file('broken.pliant'), change(readFileSync(file('talk.pliant'))));
    const { code, stderr } = await run('check', 'broken.gltf');
    expect([code, stderr.match(/broken\.pliant/)]).toEqual([1, null]);
    const explicit = await run('check', 'broken.gltf', '--certificates', 'broken.pliant');
    expect([explicit.code, explicit.stdout]).toEqual([2, '']);
    expect(explicit.stderr).toMatch(message);
  });

  test('modes beside the model are none', async () => {
    put('modes.gltf', morphGltf({ weights: TALK }));
    await run('modes', 'modes.gltf', '-o', 'modes.pliant', '--kind', 'morph', '--quiet');
    const { code, stderr } = await run('check', 'modes.gltf');
    expect([code, stderr.match(/modes\.pliant/)]).toEqual([1, null]);
    const explicit = await run('check', 'modes.gltf', '--certificates', 'modes.pliant');
    expect([explicit.code, explicit.stderr]).toEqual([2, expect.stringMatching(/holds a modes/)]);
  });
});

test.runIf(hasSharedData).each(['AnimatedMorphSphere', 'Flamingo'])('%s: the same answers', async (name) => {
  const model = sharedPath(`morph/${name}.glb`);
  const made = await run(
    'certify',
    model,
    '-o',
    'real.pliant',
    '--for',
    'check',
    '--reach',
    '0.7',
    '--quiet',
  );
  expect(made.code).toBe(0);
  expect(await pairs(model, '--certificates', 'real.pliant')).toEqual(
    await pairs(model, '--no-certificates'),
  );
});
