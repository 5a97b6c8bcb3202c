import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createEngine, findSelfCollisions } from '../../packages/pliant/src/index.ts';
import { BENCHES, runCommand } from '../src/command.ts';
import { type ContenderMaker, createContender } from '../src/contenders.ts';
import { casesOf } from '../src/reproduce/paper.ts';
import { PAPERS } from '../src/reproduce/papers/index.ts';
import type { BenchResult } from '../src/result.ts';

const TINY = ['baseline', '--quick', '--only', 'ball-15k', '--frames', '3', '--rounds', '1'];

async function run(args: readonly string[], also?: ContenderMaker) {
  let out = '',
    err = '';
  const output = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  const exitCode = await runCommand(args, output, { also });
  return { exitCode, out, err };
}

describe('JSON', () => {
  test('has the fields of the contract and nothing else on standard output', async () => {
    const { exitCode, out } = await run([...TINY, '--json']);
    expect(exitCode).toBe(0);
    const result = JSON.parse(out) as BenchResult;
    expect(Object.keys(result)).toEqual(['bench', 'machine', 'commit', 'rows']);
    expect(result.bench).toBe('baseline');
    for (const row of result.rows) {
      expect(Object.keys(row)).toEqual([
        'case',
        'metric',
        'better',
        'value',
        'unit',
        'paper',
        'target',
        'ok',
        'pairs',
        'answersAgree',
      ]);
      expect(row.case).toBe('ball-15k');
      expect(row.metric).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(['higher', 'lower']).toContain(row.better);
      expect(Number.isFinite(row.value), row.metric).toBe(true);
      expect(row.ok, 'quick runs are not judged').toBeNull();
      expect(row.answersAgree).toBe(true);
      expect(row.pairs).toBeGreaterThan(0);
    }
    const targets = Object.fromEntries(result.rows.map(({ metric, target }) => [metric, target]));
    expect(targets).toMatchObject({
      'speedup-vs-three-mesh-bvh': 40,
      'speedup-vs-three-mesh-bvh-ts': null,
      'depth-first-vs-three-mesh-bvh': 8,
      'level-synchronous-vs-depth-first-traversal': 3,
      'static-front-vs-depth-first-traversal': 6,
      'batch-bytes-per-triangle': 250,
      'frame-ms': null,
    });
  });

  test('goes to a file beside the table', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pliant-bench-')), 'figures.json');
    const { exitCode, out } = await run([...TINY, '--json', path]);
    expect(exitCode).toBe(0);
    expect(out).toContain('speedup-vs-three-mesh-bvh');
    expect(out).toMatch(/contact in \d+ % of the frames, \d+ pairs/);
    expect((JSON.parse(readFileSync(path, 'utf8')) as BenchResult).rows.length).toBeGreaterThan(10);
  });

  test('that cannot be written is exit 2', async () => {
    const { exitCode, err } = await run([...TINY, '--json', '/no/such/folder/figures.json']);
    expect(exitCode).toBe(2);
    expect(err).toContain('cannot write /no/such/folder/figures.json');
  });
});

test('a method that loses one pair is exit 1, and no figure of its case is ok', async () => {
  const engine = await createEngine({ kernels: 'ts' });
  const lying: ContenderMaker = ({ mesh, poses }) => {
    const body = engine.createFreeBody(mesh);
    return createContender('liar', (frame, report) => {
      body.setPose(poses[frame]);
      findSelfCollisions(body, { report });
      report.pairCount = Math.max(0, report.pairCount - 1);
    });
  };
  const { exitCode, out, err } = await run([...TINY, '--json'], lying);
  expect(exitCode).toBe(1);
  expect(err).toContain('answers disagree');
  expect(err).toMatch(/liar found \d+ pairs, .* found \d+/);
  const { rows } = JSON.parse(out) as BenchResult;
  expect(rows.every(({ answersAgree }) => !answersAgree)).toBe(true);
  expect(rows.some(({ ok }) => ok === true)).toBe(false);
});

test.each(['continuous', 'factorisation', 'queries', 'trees'])(
  '%s runs and its answers agree',
  async (name) => {
    const cases = BENCHES.find((bench) => bench.name === name)!.cases.filter((only) => only !== 'kick');
    for (const only of cases.slice(0, 2)) {
      const args = [name, '--quick', '--only', only, '--frames', '3', '--rounds', '1', '--json'];
      const { exitCode, out } = await run(args);
      expect(exitCode).toBe(0);
      expect((JSON.parse(out) as BenchResult).rows.length).toBeGreaterThan(0);
    }
  },
);

test('bounds measures a soft body, and skips skins whose files are not there', async () => {
  vi.stubEnv('PLIANT_DATA', '/no/such/folder');
  const { exitCode, out } = await run(['bounds', '--quick', '--only', 'fox']);
  const soft = await run(['bounds', '--quick', '--only', 'brain-65', '--frames', '1', '--json']);
  vi.unstubAllEnvs();
  expect(exitCode).toBe(0);
  expect(out).toContain('fox: skipped');
  const { rows } = JSON.parse(soft.out) as BenchResult;
  expect(rows.map(({ metric }) => metric)).toContain('mean-boxes');
  for (const { value } of rows) expect(value).toBeGreaterThanOrEqual(1 - 1e-6); // no volume is better than the best
});

test('check and characters skip what is not there and say so', async () => {
  vi.stubEnv('PLIANT_DATA', '/no/such/folder');
  expect((await run(['characters', '--quick'])).out).toContain('fox: skipped, its file is not here');
  const { exitCode, out } = await run(['check', '--quick']);
  vi.unstubAllEnvs();
  expect(exitCode).toBe(0);
  expect(out).toContain('kick: skipped, there is no /no/such/folder/sequences/kick_unfixed.obj');
});

test('the cases that tables of papers refer to are there', () => {
  const known = new Set(BENCHES.flatMap(({ name, cases }) => cases.map((each) => `${name}/${each}`)));
  expect(PAPERS.flatMap(casesOf).filter((name) => !known.has(name))).toEqual([]);
});

describe('usage', () => {
  test.each([
    [
      ['nonsense'],
      'no bench is called nonsense; there are baseline, bounds, certificates, characters, check, continuous, escc, factorisation, figures, meshless, modal, modes, morphs, queries, shapes, skin, sound, sscc, sscc-reference, sscc-tightness, trees',
    ],
    [['--quick'], 'which one?'],
    [['baseline', '--only', 'teapot'], 'baseline has no case teapot'],
    [['baseline', '--frames', '0'], '--frames needs a whole number of at least 1, not 0'],
    [['baseline', '--frames'], '--frames needs a whole number of at least 1'],
    [['baseline', '--fast'], 'unknown option --fast'],
    [['baseline', 'queries'], 'more than one name: baseline and queries'],
  ])('%j is exit 2 with one line', async (args, message) => {
    const { exitCode, out, err } = await run(args);
    expect(exitCode).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  test.each([[['--help']], [['baseline', '-h']], [[]]])('%j lists what there is', async (args) => {
    const { exitCode, out } = await run(args);
    expect(exitCode).toBe(0);
    for (const { name } of BENCHES) expect(out).toContain(name);
  });
});
