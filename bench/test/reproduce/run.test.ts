import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { runReproduce } from '../../src/reproduce/command.ts';
import type { Paper } from '../../src/reproduce/paper.ts';
import { keepProgram } from '../../src/reproduce/program.ts';
import type { ResultsFile } from '../../src/reproduce/report.ts';
import { createResult, TEAPOTS } from './made-up.ts';

/** Stands in for the benches: writes what is laid out for a case, and keeps a list of what it was asked. */
const BENCH = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const [folder, bench, , only, , path, quick] = process.argv.slice(2);
appendFileSync(folder + '/asked', only + (quick ?? '') + '\\n');
const plan = folder + '/' + only + '.json';
if (!existsSync(plan)) { console.error('Error: boiled dry'); process.exit(3); }
const { hang, exitCode, result } = JSON.parse(readFileSync(plan, 'utf8'));
if (hang) setInterval(() => {}, 1000);
else { writeFileSync(path, JSON.stringify(result)); process.exitCode = exitCode; }
`;

let root: string, plans: string, code: string, out: string, err: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pliant-reproduce-test-'));
  plans = join(root, 'plans');
  mkdirSync(plans);
  mkdirSync(join(root, 'packages/pliant'), { recursive: true });
  writeFileSync(join(root, 'packages/pliant/package.json'), '{ "version": "9.9.9" }');
  writeFileSync(join(root, 'bench.mjs'), BENCH);
  code = 'c0de';
  plan('ok');
  plan('other');
});

function plan(
  name: string,
  { exitCode = 0, hang = false, ...options }: { exitCode?: number; hang?: boolean; agrees?: boolean } = {},
) {
  writeFileSync(
    join(plans, `${name}.json`),
    JSON.stringify({ exitCode, hang, result: createResult(name, options) }),
  );
}

async function run(
  args: readonly string[],
  { signal = new AbortController().signal, papers = [TEAPOTS] as readonly Paper[] } = {},
) {
  out = err = '';
  return runReproduce([...args, '--no-png'], {
    root,
    papers,
    signal,
    program: { code, command: [process.execPath, join(root, 'bench.mjs'), plans] },
    say: (text) => void (out += text),
    complain: (text) => void (err += text),
  });
}

/** Cases that were run so far. */
function asked(): string[] {
  const path = join(plans, 'asked');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}

const PAGES = 'bench/results/reproduce/full';
const STORED = '.cache/reproduce/c0de/full';

test('a run writes pages, plots and figures', async () => {
  expect(await run([])).toBe(0);
  expect(asked()).toEqual(['ok', 'other']);
  expect(out).toContain('[1/2] tea/ok (0.0 s so far) … ');
  expect(out).toContain('[2/2] tea/other');
  expect(readdirSync(join(root, PAGES)).sort()).toEqual([
    'index.md',
    'results.json',
    'teapots-table-1.svg',
    'teapots.md',
  ]);
  expect(readFileSync(join(root, PAGES, 'teapots.md'), 'utf8')).toContain(
    '| kettle: time | 7 ms | 2.50 ms | 2.80 |',
  );
  const results = JSON.parse(readFileSync(join(root, PAGES, 'results.json'), 'utf8')) as ResultsFile;
  expect(results.info).toMatchObject({
    version: '9.9.9',
    code: 'c0de',
    machine: { cores: expect.any(Number), node: process.version },
  });
  expect(results.cases.map((each) => each.case)).toEqual(['ok', 'other']);
});

describe('what is done', () => {
  test('is not done again, unless that is asked for', async () => {
    await run([]);
    expect(await run([])).toBe(0);
    expect(out).toContain('2 of 2 cases are done already');
    expect(asked()).toEqual(['ok', 'other']);
    await run(['--fresh', '--only', 'tea/other']);
    expect(asked()).toEqual(['ok', 'other', 'other']);
  });

  test('is done again when it is damaged', async () => {
    await run([]);
    const path = join(root, STORED, 'tea-ok.json');
    const text = readFileSync(path, 'utf8');
    for (const damaged of [
      text.slice(0, text.length / 2),
      text.replace('"value": 25', '"value": 26'),
      'null',
      '',
    ]) {
      const before = asked().length;
      writeFileSync(path, damaged);
      expect(await run([])).toBe(0);
      expect(asked().slice(before)).toEqual(['ok']);
      expect(JSON.parse(readFileSync(path, 'utf8')).result.rows[0].value).toBe(25);
    }
  });

  test('is stale for another program, and shown only with --keep', async () => {
    await run([]);
    code = 'f00';
    expect(await run(['--tables'])).toBe(0);
    expect(readFileSync(join(root, PAGES, 'teapots.md'), 'utf8')).toContain(
      '| teapot: time | 5 ms | not measured |',
    );
    expect(await run(['--tables', '--keep'])).toBe(0);
    expect(readFileSync(join(root, PAGES, 'teapots.md'), 'utf8')).toContain(
      '| teapot: time | 5 ms | 2.50 ms ¹ | 2 |',
    );
    await run([]);
    expect(asked()).toEqual(['ok', 'other', 'ok', 'other']);
  });

  test('quick and full are kept apart', async () => {
    await run(['--quick']);
    await run([]);
    expect(asked()).toEqual(['ok--quick', 'other--quick', 'ok', 'other']);
  });

  test('stays when a run is interrupted, which is exit 130; the next one goes on', async () => {
    plan('other', { hang: true });
    const interrupt = new AbortController();
    const running = run([], { signal: interrupt.signal });
    await expect.poll(asked, { timeout: 20_000 }).toEqual(['ok', 'other']);
    interrupt.abort();
    expect(await running).toBe(130);
    expect(err).toContain('what is done is kept');
    plan('other');
    expect(await run([])).toBe(0);
    expect(asked()).toEqual(['ok', 'other', 'other']);
  });
});

describe('what goes wrong', () => {
  test('a case that fails is named at the end, exit 1, and the others go on', async () => {
    const papers = [{ ...TEAPOTS, plots: [{ ...TEAPOTS.plots[0], needs: ['tea/none' as const] }] }];
    expect(await run([], { papers })).toBe(1);
    expect(asked()).toEqual(['ok', 'other', 'none']);
    expect(err).toContain('FAILED tea/none: exit code 3: Error: boiled dry');
    expect(readFileSync(join(root, PAGES, 'index.md'), 'utf8')).toContain('boiled dry');
  });

  test('wrong answers are exit 1, in the table, and done again', async () => {
    plan('ok', { agrees: false, exitCode: 1 });
    expect(await run([])).toBe(1);
    expect(err).toBe('FAILED tea/ok: ANSWERS DISAGREE\n');
    expect(readFileSync(join(root, PAGES, 'teapots.md'), 'utf8')).toContain('**answers disagree**');
    expect(await run(['--tables'])).toBe(1); // nothing was run, but it is still wrong
    plan('ok');
    expect(await run([])).toBe(0);
    expect(asked()).toEqual(['ok', 'other', 'ok']);
  });

  test.each([
    [['--fast'], 'unknown option --fast'],
    [['kettles'], 'no paper is called kettles; there are teapots'],
    [['--only', 'tea/none'], 'no table needs the case tea/none'],
    [['--out'], '--out needs a value'],
    [['--publish', '--quick'], 'quick runs are not published'],
    [['--accept', 'nowhere.json'], 'cannot read '],
  ])('%j is exit 2 with one line', async (args, message) => {
    expect(await run(args)).toBe(2);
    expect(err).toContain(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(asked()).toEqual([]);
  });
});

describe('figures from elsewhere', () => {
  test('--accept takes what a bench wrote, and its commit is shown', async () => {
    writeFileSync(join(root, 'tea.json'), JSON.stringify(createResult('ok', { commit: 'fed9876' })));
    expect(await run(['--accept', 'tea.json', '--tables'])).toBe(0);
    expect(asked()).toEqual([]);
    const page = readFileSync(join(root, PAGES, 'teapots.md'), 'utf8');
    expect(page).toContain('| teapot: time | 5 ms | 2.50 ms ¹ | 2 |');
    expect(page).toContain('commit fed9876');
    await run([]);
    expect(asked()).toEqual(['other']);
  });

  test('--accept refuses quick figures in a full run and other files', async () => {
    writeFileSync(join(root, 'quick.json'), JSON.stringify(createResult('ok', { isJudged: false })));
    expect(await run(['--accept', 'quick.json'])).toBe(2);
    expect(err).toContain('is of a quick run, this is a full one');
    writeFileSync(join(root, 'else.json'), '{ "tea": 1 }');
    expect(await run(['--accept', 'else.json'])).toBe(2);
    expect(err).toContain('is not what a bench writes with --json');
  });

  test('--merge fills the table from partial runs of the same program', async () => {
    await run(['--only', 'tea/ok', '--out', 'first']);
    const other = join(root, '.cache/elsewhere');
    const merge = (args: readonly string[]) =>
      runReproduce(['--tables', '--no-png', '--merge', 'first/results.json', ...args], {
        root,
        papers: [TEAPOTS],
        cache: other,
        signal: new AbortController().signal,
        program: { code, command: [] },
        say: (text) => void (out += text),
        complain: (text) => void (err += text),
      });
    expect(await merge([])).toBe(0);
    expect(out).toContain('1 of 1 cases taken');
    expect(readFileSync(join(root, PAGES, 'teapots.md'), 'utf8')).toContain(
      '| teapot: time | 5 ms | 2.50 ms | 2 |',
    );
    code = 'f00';
    out = '';
    expect(await merge([])).toBe(0);
    expect(out).toContain('0 of 1 cases taken, 1 of another program left out');
    expect(await merge(['--keep'])).toBe(0);
    expect(out).toContain('1 of 1 cases taken');
  });
});

test('--publish writes to the folder of the version', async () => {
  expect(await run(['--publish'])).toBe(0);
  expect(readdirSync(join(root, 'docs/results/9.9.9'))).toContain('teapots.md');
  expect(readFileSync(join(root, 'docs/results/index.md'), 'utf8')).toContain('- [9.9.9](9.9.9/index.md): ');
});

test('the built benches are copied: who builds during a run does not change what is measured', () => {
  const dist = join(root, 'bench/dist');
  mkdirSync(dist, { recursive: true });
  const build = (text: string) => writeFileSync(join(dist, 'bench.js'), text);
  build('1');
  writeFileSync(join(dist, 'reproduce.js'), 'not measured');
  const cache = join(root, '.cache/reproduce');
  const first = keepProgram(root, cache);
  build('2');
  expect(readFileSync(first.command[1], 'utf8')).toBe('1');
  const second = keepProgram(root, cache);
  expect(second.code).not.toBe(first.code);
  build('1');
  writeFileSync(join(dist, 'reproduce.js'), 'other tables');
  expect(keepProgram(root, cache)).toEqual(first);
  expect(readdirSync(cache).sort()).toEqual([first.code, second.code].sort());
});

test('--list tells tables and cases and runs nothing', async () => {
  expect(await run(['--list'])).toBe(0);
  expect(out).toContain('teapots: Fast Teapots (Nobody 1999)');
  expect(out).toContain('  Table 1: Tea, 7 figures');
  expect(out).toContain('2 cases, 0 of them done');
  expect(asked()).toEqual([]);
});

test('--help', async () => {
  expect(await run(['--help'])).toBe(0);
  expect(out).toContain('--accept');
});
