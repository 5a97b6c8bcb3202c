import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCertificates } from 'pliant/io';
import { beforeAll, describe, expect, test } from 'vitest';
import { morphGltf } from './support/morph-gltf.ts';
import { type Outcome, pliant, temporaryFolder } from './support/run.ts';
import { sampleGltf } from './support/sample-gltf.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const put = (name: string, json: object) => writeFileSync(file(name), JSON.stringify(json));
const records = (name: string) => readCertificates(readFileSync(file(name)), name).records;

const TALK = [
  [0, 0, 0],
  [0.9, 0, 0.2],
  [0.1, 0.4, 0],
];

beforeAll(() => {
  put('talk.gltf', morphGltf({ names: ['Roll', 'Scroll'], weights: TALK }));
  put('rigid.gltf', sampleGltf().json);
});

interface Made {
  readonly isReused: boolean;
  readonly resumedParts: number;
}

async function certify(...args: string[]): Promise<Outcome> {
  const outcome = await pliant(['certify', ...args], { cwd: folder });
  expect(outcome.code, outcome.stderr).toBe(0);
  return outcome;
}

describe('pliant certify', () => {
  test('writes a certificate of each mesh beside the model, and says what they know', async () => {
    const { stdout, stderr } = await certify('talk.gltf', '--json', 'talk.json');
    expect(stdout).toMatch(/^talk\.gltf → talk\.pliant {2}2 certificates, [\d,]+ bytes\n\nmesh +triangles/);
    expect(stdout).toMatch(
      /\nRoll +168 +3 +one-sided +0\.923 +0\.\d+ +0 +0\.\d MB +check, three +\d+\.\d s\nScroll /,
    );
    expect(stderr).toMatch(
      /^pliant: "Roll", 1 of 2\npliant: "Scroll", 2 of 2\npliant: 2 certificates in \d+\.\d s\n$/,
    );
    const found = records('talk.pliant');
    expect(found.map(({ kind, body }) => [kind, body])).toEqual([
      ['subspace-certificate', { name: 'Roll', node: 0, primitive: null, triangles: 168 }],
      ['subspace-certificate', { name: 'Scroll', node: 1, primitive: null, triangles: 168 }],
    ]);
    expect(found[0].options).toMatchObject({ for: 'both', gauge: 'one-sided', tolerance: 0.09 });
    expect(found[0].options.reach).toBeCloseTo(1.001 * Math.hypot(0.9, 0.2), 6);
    const json = JSON.parse(readFileSync(file('talk.json'), 'utf8'));
    expect(json).toMatchObject({ version: 1, files: ['talk.gltf'], out: 'talk.pliant', skipped: [] });
    expect(json.certificates[0]).toMatchObject({
      name: 'Roll',
      targets: 3,
      restContacts: 0,
      isReused: false,
    });
    expect(json.certificates[0].madeFrom).toBe(found[0].madeFrom);
    expect(readdirSync(folder).filter((name) => /tmp|part$/.test(name))).toEqual([]);
  });

  test('the same bytes in every run; nothing is done twice, unless it is asked for', async () => {
    const before = readFileSync(file('talk.pliant'));
    const again = await certify('talk.gltf');
    expect(again.stderr).toMatch(/nothing has changed since the last run; --force/);
    expect(again.stdout).toMatch(/Roll .* as before\nScroll .* as before\n/);
    expect((await certify('talk.gltf', '--force')).stderr).toMatch(/2 certificates in/);
    expect(readFileSync(file('talk.pliant')).equals(before)).toBe(true);
  });

  test('a mesh that has changed is done again, the others are kept', async () => {
    put('partly.gltf', morphGltf({ names: ['Roll', 'Scroll'], weights: TALK }));
    await certify('partly.gltf', '--quiet');
    const before = records('partly.pliant').map(({ madeFrom }) => madeFrom);
    put('partly.gltf', morphGltf({ names: ['Roll', 'Scroll'], weights: TALK, nudge: 1e-3 }));
    const { stdout, stderr } = await certify('partly.gltf');
    expect(stdout).toMatch(/\nRoll .* s\nScroll .* as before\n/);
    expect(stderr).toMatch(/1 certificate in .*, 1 as before/);
    const after = records('partly.pliant').map(({ madeFrom }) => madeFrom);
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true]);
  });

  test('options: gauge, reach, tolerance, centres, mesh, purpose', async () => {
    await certify('talk.gltf', '-o', 'a.pliant', '--gauge', 'box', '--mesh', 'Scroll', '--quiet');
    expect(records('a.pliant').map(({ body, options }) => [body.name, options.gauge])).toEqual([
      ['Scroll', 'box'],
    ]);
    await certify(
      'talk.gltf',
      '-o',
      'b.pliant',
      '--mesh',
      'Roll',
      '--centres',
      'clip',
      '--reach',
      '0.05',
      '--quiet',
    );
    expect(records('b.pliant')[0].options).toMatchObject({ gauge: 'ball', reach: 0.05 });
    expect((records('b.pliant')[0].options.centres as number[][]).length).toBeGreaterThan(0);
    put('placed.gltf', morphGltf({ translation: [1 / 3, 0, 1 / 7], primitives: 2 }));
    const args = ['placed.gltf', '--reach', '0.1', '--quiet', '-o'];
    await certify(...args, 'both.pliant');
    const purposes = (name: string) =>
      records(name).map(({ body: { primitive, triangles }, options }) => [primitive, triangles, options.for]);
    const three = [
      [0, 84, 'three'],
      [1, 84, 'three'],
    ];
    expect(purposes('both.pliant')).toEqual([[null, 168, 'check'], ...three]);
    await certify(...args, 'three.pliant', '--for', 'three');
    expect(purposes('three.pliant')).toEqual(three);
  });

  test('negative weights in a clip ask for a ball', async () => {
    put(
      'negative.gltf',
      morphGltf({
        weights: [
          [0, 0, 0],
          [-0.2, 0.1, 0],
        ],
      }),
    );
    await certify('negative.gltf', '--quiet');
    expect(records('negative.pliant')[0].options.gauge).toBe('ball');
  });

  test('modes of a surface', async () => {
    const { code } = await pliant(
      ['modes', 'talk.gltf', '-o', 'modes.pliant', '--kind', 'morph', '--mesh', 'Roll'],
      {
        cwd: folder,
      },
    );
    expect(code).toBe(0);
    const roll = ['talk.gltf', '--mesh', 'Roll', '--modes', 'modes.pliant', '--reach', '0.1'];
    await certify(...roll, '-o', 'proofs.pliant');
    expect(records('proofs.pliant')[0].options).toMatchObject({ gauge: 'ball', reach: 0.1 });
    const other = await pliant(
      ['certify', 'talk.gltf', '--mesh', 'Scroll', '--modes', 'modes.pliant', '-o', 'x.pliant'],
      { cwd: folder },
    );
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/modes\.pliant is stale/)]);
  });

  test('pliant info lists them', async () => {
    const { code, stdout } = await pliant(['info', 'talk.pliant'], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^talk\.pliant {2}certificates, format 1/);
    expect(stdout).toMatch(/\nRoll +0 +168 +subspace-certificate +one-sided +[0-9a-f]{8}\n/);
  });
});

describe('refused, with exit code 2 and one line', () => {
  test.each([
    [
      ['rigid.gltf'],
      /rigid\.gltf: no mesh is moved by morph targets alone; "Plate": it does not change its shape/,
    ],
    [['absent.gltf'], /absent\.gltf: there is no such file/],
    [['talk.gltf', '--gauge', 'cube'], /--gauge.*cube/],
    [['talk.gltf', '--gauge', 'box', '--centres', 'clip'], /--centres clip is for --gauge ball/],
    [['talk.gltf', '--mesh', 'Nobody'], /there is no mesh "Nobody", only Roll, Scroll/],
    [['talk.gltf', '--tolerance', '1'], /--tolerance must be a number/],
    [['talk.gltf', '-o', 'talk.gltf'], /talk\.gltf: this is an input/],
    [
      ['talk.gltf', '-o', 'nowhere/x.pliant'],
      /nowhere\/x\.pliant: cannot be written: there is no such folder/,
    ],
    [
      ['talk.gltf', '-o', 'modes.pliant'],
      /modes\.pliant: this file holds modes; give the result another name/,
    ],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await pliant(['certify', ...args], { cwd: folder });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n').length).toBe(1);
  });
});

describe('Ctrl-C', () => {
  test('keeps what is done in a .part file, and the next run goes on from there', async () => {
    mkdirSync(file('long'));
    const names = ['Roll', 'Scroll', 'Wrap'];
    put('long/long.gltf', morphGltf({ names, columns: 90, targets: 8 }));
    const args = ['certify', 'long/long.gltf', '--reach', '0.6', '--json', 'long/long.json'];
    const stopped = await pliant(args, { cwd: folder, interruptAt: /"Scroll", 2 of 3/ });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toMatch(/goes on from long\/long\.pliant\.part/);
    expect(readdirSync(file('long')).sort()).toEqual(['long.gltf', 'long.pliant.part']);
    const kept = records('long/long.pliant.part').map(({ kind }) => kind);
    expect(kept[0]).toBe('subspace-certificate');
    const { code } = await pliant(args, { cwd: folder });
    expect(code).toBe(0);
    const { certificates } = JSON.parse(readFileSync(file('long/long.json'), 'utf8'));
    const whole = kept.filter((kind) => kind === 'subspace-certificate').length;
    expect(certificates.filter(({ isReused }: Made) => isReused).length).toBe(whole);
    expect(certificates.some(({ resumedParts }: Made) => resumedParts > 0)).toBe(
      kept.includes('subspace-parts'),
    );
    expect(existsSync(file('long/long.pliant.part'))).toBe(false);
    const resumed = readFileSync(file('long/long.pliant'));
    expect((await pliant([...args, '--force'], { cwd: folder })).code).toBe(0);
    expect(readFileSync(file('long/long.pliant')).equals(resumed)).toBe(true);
  });
});
