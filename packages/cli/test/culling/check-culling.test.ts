import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePc2 } from 'pliant/io';
import { beforeAll, describe, expect, test } from 'vitest';
import { objOf, positionsOf } from '../support/bent-sheet.ts';
import { readCheck } from '../support/check-output.ts';
import { morphGltf } from '../support/morph-gltf.ts';
import { pliant, temporaryFolder } from '../support/run.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const run = (...args: string[]) => pliant(args, { cwd: folder });
const textOf = (name: string) => readFileSync(file(name), 'utf8');

const TALK = [
  [0, 0, 0],
  [1, 0, 0.2],
  [0.1, 0.4, 0],
  [0, 0.2, 1.3],
];

const FRAMES = [0, 0.01, 0.05, 0.4, 0.8, 1.1];

beforeAll(() => {
  writeFileSync(file('talk.gltf'), JSON.stringify(morphGltf({ names: ['Roll', 'Scroll'], weights: TALK })));
  mkdirSync(file('frames'));
  const frames = FRAMES.map((amount) => positionsOf(12, amount));
  frames.forEach((positions, k) => {
    writeFileSync(file(`frames/${k}.obj`), objOf(12, positions));
  });
  writeFileSync(file('sheet.obj'), objOf(12, frames[0]));
  writeFileSync(file('sheet.pc2'), writePc2(frames.map((frame) => Float64Array.from(frame))));
});

async function check(files: readonly string[], ...args: string[]): Promise<string> {
  const { code, stderr } = await run('check', ...files, '--json', 'out.json', '--quiet', ...args);
  expect([code, stderr]).toEqual([1, '']);
  return textOf('out.json');
}

/** Longer runs, with PLIANT_FULL=1. */
const isFull = process.env.PLIANT_FULL !== undefined;

const NAMES = ['blend', 'subspace', 'reduced-energy', 'energy', ...(isFull ? ['auto', 'none'] : [])];

describe('pliant check --cull', () => {
  test.each([[['--continuous']], [['--threads', '2', '--adjacent', '--max-pairs', '3']]])(
    'morph targets, %j: every choice finds the same, byte for byte',
    async (args) => {
      const expected = await check(['talk.gltf'], ...args);
      expect(readCheck(expected).total).toBeGreaterThan(10);
      for (const name of NAMES) expect(await check(['talk.gltf'], ...args, '--cull', name)).toBe(expected);
    },
  );

  test.each([
    ['a folder', ['frames'], []],
    ['a folder, between frames', ['frames'], ['--continuous', '--threads', '2']],
    ['a point cache', ['sheet.obj', 'sheet.pc2'], []],
  ])('%s of freely deformed frames: the same with energy', async (_, files, args) => {
    const expected = await check(files, ...args);
    expect(readCheck(expected).total).toBeGreaterThan(10);
    for (const name of isFull ? ['auto', 'energy'] : ['energy']) {
      expect(await check(files, ...args, '--cull', name, '--stats', 'stats.json')).toBe(expected);
    }
    const { culling } = JSON.parse(textOf('stats.json'));
    expect(culling).toEqual([
      {
        mesh: 0,
        name: expect.any(String),
        node: null,
        kind: 'energy',
        reason: 'asked for',
        bytes: expect.any(Number),
        prepareSeconds: expect.any(Number),
        frames: args.includes('--continuous') ? FRAMES.length - 1 : FRAMES.length,
        freeFrames: expect.any(Number),
        clearedNodes: expect.any(Number),
      },
    ]);
    expect(culling[0].bytes).toBeGreaterThan(1000);
    // Between frames as far apart as these, nothing can be proved.
    if (!args.includes('--continuous')) expect(culling[0].clearedNodes).toBeGreaterThan(0);
  });

  test('a frame that takes welded vertices apart has a body of its own, without proofs', async () => {
    mkdirSync(file('welded'));
    const sheet = objOf(12, positionsOf(12, 0.02));
    const twin = (move: string) => sheet.replace(/\nf /, `\nv ${move}\nf `);
    const third = sheet.split('\n')[3].slice(2);
    const spare = `f 170 1 5\n`;
    writeFileSync(file('welded/0.obj'), twin(third) + spare);
    writeFileSync(file('welded/1.obj'), twin('4.3 5.2 -3') + spare);
    writeFileSync(file('welded/2.obj'), twin(third) + spare);
    const { code } = await run('check', 'welded', '--json', 'plain.json', '--quiet');
    expect(code).toBe(1);
    const culled = await run('check', 'welded', '--json', 'culled.json', '--quiet', '--cull', 'energy');
    expect(culled.code).toBe(code);
    expect(textOf('culled.json')).toBe(textOf('plain.json'));
  });

  test('says what was done, why, and how much memory it takes', async () => {
    const energy = await run('check', 'frames', '--cull', 'energy', '--html', 'report.html');
    expect(energy.stderr).toMatch(/^pliant: preparing proofs first; --cull none does without\n/);
    expect(energy.stderr).toMatch(
      /pliant: energy proofs for "0" \([\d,]+ bytes, prepared in [\d.]+ s\): asked for\n/,
    );
    expect(textOf('report.html')).toContain('energy for &quot;0&quot;: asked for');
    const auto = await run('check', 'frames', '--cull', 'auto', '--stats', 'stats.json');
    expect(auto.stderr).toMatch(
      /^pliant: no proofs for "0": 288 triangles are searched as quickly as proofs are tried: energy pays from 10,000 on\n/,
    );
    expect(JSON.parse(textOf('stats.json')).culling[0]).toMatchObject({ kind: 'none', bytes: 0 });
    const usual = await run('check', 'frames');
    expect(usual.stderr).toMatch(/^pliant: 6 frames in [^\n]*\n$/);
    expect(usual.stdout).toBe(auto.stdout);
  });

  test('stored certificates go first, and are left alone when another kind is named', async () => {
    expect((await run('certify', 'talk.gltf', '--quiet')).code).toBe(0);
    const told = async (...args: string[]) => (await run('check', 'talk.gltf', ...args)).stderr;
    expect(await told('--cull', 'subspace', '--certificates', 'talk.pliant')).toMatch(
      /certificate of "Roll" in talk\.pliant used/,
    );
    const blend = await told('--cull', 'blend');
    expect(blend).toMatch(/blend proofs for "Roll", "Scroll" \(/);
    expect(blend).not.toMatch(/talk\.pliant used/);
    expect(await told('--no-certificates')).not.toMatch(/proofs|talk\.pliant/);
    expect(await told()).toMatch(/talk\.pliant is not used; --certificates talk\.pliant would use it/);
  });

  test.runIf(isFull)('a long run is prepared for without being asked', async () => {
    const weights = TALK.map((key) => key.map((weight) => 0.01 * weight));
    writeFileSync(file('long.gltf'), JSON.stringify(morphGltf({ columns: 340, weights })));
    const args = ['check', 'long.gltf', '--continuous', '--fps', '1668', '--threads', '1'];
    const { code, stderr } = await run(...args, '--json', 'long.json', '--stats', 'stats.json');
    expect(code).toBe(0);
    expect(stderr).toMatch(/subspace proofs for "Roll" \(.*\): it is moved by modes alone/);
    expect(JSON.parse(textOf('stats.json')).culling[0].clearedNodes).toBeGreaterThan(0.1);
    await run(...args, '--json', 'plain.json', '--cull', 'none', '--quiet');
    expect(textOf('long.json')).toBe(textOf('plain.json'));
  });
});

describe('refusals', () => {
  test.each([
    [
      'an unknown name',
      ['frames', '--cull', 'magic'],
      /--cull must be auto, none, blend, .* or energy, not "magic"/,
    ],
    [
      'what cannot be',
      ['frames', '--cull', 'blend'],
      /--cull blend: blend certificates are for bodies moved by/,
    ],
    [
      'modes without modes',
      ['frames', '--cull', 'subspace'],
      /subspace certificates are for bodies moved by modes/,
    ],
    ['a shape that stays', ['sheet.obj', '--cull', 'energy'], /keeps its shape/],
    [
      'a file, and another kind',
      ['talk.gltf', '--certificates', 'talk.pliant', '--cull', 'energy'],
      /--certificates and --cull energy exclude each other/,
    ],
  ])('%s: exit 2, one line', async (_, args, message) => {
    const { code, stdout, stderr } = await run('check', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^pliant: [^\n]+\n$/);
  });

  test('Ctrl-C while proofs are being prepared: ends at once, with an empty list', async () => {
    mkdirSync(file('large'));
    for (const k of [0, 1]) writeFileSync(file(`large/${k}.obj`), objOf(150, positionsOf(150, 0.01 * k)));
    for (const threads of ['1', '2']) {
      const args = ['check', 'large', '--cull', 'energy', '--threads', threads, '--json', 'large.json'];
      const interrupt = { interruptAt: /preparing proofs/, interruptAfter: 100, cwd: folder };
      const { code, stdout } = await pliant(args, interrupt);
      expect(code).toBe(130);
      const found = readCheck(file('large.json'));
      expect([found.state, found.frames, found.total]).toEqual(['cancelled', [], 0]);
      expect(stdout).toMatch(/stopped after 0 frames/);
    }
  });
});
