import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkCommits } from '../../scripts/docs-commits.mjs';
import { checkFigures, listFigurePages, readResults, updateFigures } from '../../scripts/docs-figures.mjs';
import { listPages } from '../../scripts/docs-links.mjs';
import { root } from '../../scripts/run.mjs';

mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache/claims-test-'));
const page = relative(root, join(folder, 'page.md')).replaceAll('\\', '/');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const results = {
  values: new Map([
    ['tea/pot/ratio', 47.49],
    ['tea/cup/ratio', 1.5],
    ['tea/pot/frame-ms', 0.0391],
    ['tea/cup/frame-ms', 12_345.6],
  ]),
  commits: new Set<string>(),
};

function check(...lines: string[]) {
  writeFileSync(join(root, page), lines.join('\n'));
  const { count, problems } = checkFigures([page], results);
  return { count, problems: problems.map((problem) => problem.slice(page.length + 1)) };
}

describe('figures in a text', () => {
  test.each([
    ['47.5x<!-- = tea/pot/ratio --> as fast', []],
    ['47x<!-- = tea/pot/ratio --> and 0.04 ms<!-- = tea/pot/frame-ms -->', []],
    ['12,346 ms<!-- = tea/cup/frame-ms -->, 12.3 s<!-- = tea/cup/frame-ms /1000 -->', []],
    ['48x<!-- = tea/pot/ratio -->', ['1: 48 should be 47.5, which is tea/pot/ratio']],
    ['47.4x<!-- = tea/pot/ratio -->', ['1: 47.4 should be 47.5, which is tea/pot/ratio']],
    ['5x<!-- = tea/lid/ratio -->', ['1: there is no result tea/lid/ratio']],
    ['some<!-- = tea/pot/ratio -->', ['1: there is no number before <!-- = … -->']],
    ['it is 3 times as fast', ['1: 3 times comes from no result and does not say what it is']],
    ['it takes 0.5 ms, 2 µs, 3 ns', expect.objectContaining({ length: 3 })],
    ['in 7 % of the frames', ['1: 7 % comes from no result and does not say what it is']],
    ['a 3×4 matrix, 2 examples, 3 timeshares, `5 ms` and [7](a/5ms.md)', []],
  ])('%s', (text, problems) => {
    expect(check(text).problems).toEqual(problems);
  });

  test('a marker above a block, or none: what it is that is in no result', () => {
    expect(check('<!-- figures: paper -->', 'It was 50 times', 'or 3 %.').problems).toEqual([]);
    expect(check('<!-- figures: paper -->', 'It was 50 times.', '', 'Now 60 times.').problems).toHaveLength(
      1,
    );
    expect(check('<!-- figures: guess -->', '50 times').problems[0]).toContain('“guess” is none of paper, ');
    expect(check('<!-- figures: measured lately: x -->', '50 times').problems[0]).toContain(
      'write: measured',
    );
    expect(check('<!-- figures: measured 2026-11-16, at abc1234: x -->', '5 ms').problems).toEqual([]);
  });

  test('code is not looked at', () => {
    expect(check('```sh', 'it takes 5 ms', '```').count).toBe(0);
  });
});

describe('figures in a table', () => {
  const head = ['| case | ratio | paper |', '|---|---|---|'];
  const columns = '<!-- columns: - | tea/*/ratio | paper -->';

  test('columns are compared row by row', () => {
    const rows = ['| pot | 47.5x | 3x |', '| `cup` | 1.5x | – |'];
    expect(check(columns, ...head, ...rows)).toEqual({ count: 3, problems: [] });
    expect(check(columns, ...head, '| pot | 46 | 3x |').problems).toEqual([
      '4: 46 should be 47.5, which is tea/pot/ratio',
    ]);
    expect(check(columns, ...head, '| lid | 46 | 3x |').problems).toEqual([
      '4: there is no result tea/lid/ratio',
    ]);
    expect(check(columns, ...head, '| pot, 3 ms | 47.5 | |').problems[0]).toContain('in a column of words');
    expect(check(columns, ...head, '| pot | 47.5 / 3 | |').problems[0]).toContain('more numbers');
    expect(check(columns, ...head, '| pot | 47.5 |').problems[0]).toContain('2 cells, but 3 columns');
  });

  test('rows may have other names than their first cells, and several numbers', () => {
    const both = '<!-- columns: - | tea/*/ratio; tea/*/frame-ms | paper -->';
    const names = '<!-- rows: pot, cup -->';
    const rows = ['| a pot | 47 / 0.039 | |', '| a cup of 3 | 1.5 / 12,346 | 7x |'];
    expect(check(both, names, ...head, ...rows)).toEqual({ count: 5, problems: [] });
    expect(check(both, names, ...head, rows[0]).problems[0]).toContain('2 names for 1 rows');
  });

  test('one that says nothing is found out, a row that says what it is passes', () => {
    expect(check(...head, '| pot | 46 | 3 |').problems).toHaveLength(1);
    expect(check(...head, '| pot | 46x | 3x |').problems).toHaveLength(2);
    expect(check(columns, ...head, '| lid <!-- figures: setting --> | 46 | 3x |').problems).toEqual([]);
  });
});

test('figures can be written anew, and nothing else changes', () => {
  check(
    'Was `48x` 48x<!-- = tea/pot/ratio -->, 1.5x<!-- = tea/cup/ratio -->.',
    '',
    '<!-- columns: - | tea/*/ratio -->',
  );
  const text = readFileSync(join(root, page), 'utf8');
  writeFileSync(join(root, page), `${text}\n| case | x |\n|---|---|\n| pot | 3x (about) |\n`);
  expect(updateFigures([page], results)).toBe(2);
  expect(readFileSync(join(root, page), 'utf8')).toBe(
    `${text.replace('48x<', '47.5x<')}\n| case | x |\n|---|---|\n| pot | 47.5x (about) |\n`,
  );
});

describe('this repository', () => {
  const pages = listFigurePages(['README.md', ...listPages()]);

  test('has no figure that differs from its result or comes from none', () => {
    const { count, problems } = checkFigures(pages);
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(300);
  });

  test('would not pass with another figure', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [line] = readme.match(/^\| a crowd of 50 .*$/m)!;
    writeFileSync(join(root, page), readme.replace(line, line.replace(/\d+x/, '99x')));
    expect(checkFigures([page]).problems).toEqual([
      expect.stringContaining('99 should be 53.8, which is skin/crowd-50/speedup-vs-depth-first'),
    ]);
  });

  test('names commits that are in its history', () => {
    const { problems, note } = checkCommits(readResults().commits, [
      'README.md',
      'CHANGELOG.md',
      ...listPages(),
    ]);
    expect(problems).toEqual([]);
    if (note === undefined) expect(checkCommits(['0123abc'], []).problems).toHaveLength(1);
  });
});

describe('commits', () => {
  const date = '2020-01-01T00:00:00Z'; // names of commits depend on it; these have letters and digits
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      encoding: 'utf8',
      env,
    }).trim();

  test('are looked up in the history of the branch, and left alone in a shallow clone or none', () => {
    const clone = join(folder, 'clone');
    git('init', '-q', clone);
    git('-C', clone, 'commit', '-q', '--allow-empty', '-m', 'one');
    const one = git('-C', clone, 'rev-parse', '--short', 'HEAD');
    git('-C', clone, 'commit', '-q', '--allow-empty', '-m', 'two');
    git('-C', clone, 'checkout', '-q', '-b', 'other', 'HEAD~1');
    git('-C', clone, 'commit', '-q', '--allow-empty', '-m', 'aside');
    const aside = git('-C', clone, 'rev-parse', '--short', 'HEAD');
    git('-C', clone, 'checkout', '-q', '-');

    expect(checkCommits([one, 'unknown'], [], clone)).toEqual({ count: 1, problems: [] });
    expect(checkCommits([one, aside], [], clone).problems).toEqual([
      `docs/results: commit ${aside} is not in the history of this repository`,
    ]);
    expect(checkCommits([`${one}-dirty`], [], clone).problems).toHaveLength(1);
    writeFileSync(join(root, page), `Measured at ${aside}, that is commit ${one}; the defaced effaced one.`);
    expect(checkCommits([], [page], clone)).toMatchObject({
      count: 2,
      problems: [expect.stringContaining(aside)],
    });

    const shallow = join(folder, 'shallow');
    git('clone', '-q', '--depth', '1', `file://${clone}`, shallow);
    expect(checkCommits([aside], [], shallow)).toEqual({
      count: 1,
      problems: [],
      note: 'not looked up: this is a shallow clone',
    });
  });
});
