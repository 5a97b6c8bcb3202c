import { expect, test } from 'vitest';
import { Figures } from '../../src/reproduce/figures.ts';
import { formatFigure, formatPaper, formatSummary } from '../../src/reproduce/markdown.ts';
import { headline, line } from '../../src/reproduce/paper.ts';
import { missingFigures } from '../../src/reproduce/report.ts';
import { createCase, INFO, TEAPOTS } from './made-up.ts';

const TABLE = `## Table 1: Tea

It is cold.

| what | paper | ours | ratio |
|---|---:|---:|---:|
| teapot: speed-up | 10× | 25× | 2.50 |
| teapot: time | 5 ms | 2.50 ms | 2 |
| teapot: both | 5 ms | 5 ms | 1 |
| teapot: triangles | 12,345 | 54,321 | – |
| teapot: smell | not legible | 2.50 ms | – |
| kettle: time | 7 ms | not measured | – |
| lid: time | 7 ms | not measured: it has none | – |`;

test('a page has the run, the remarks, the table and the plots', () => {
  const page = formatPaper(
    TEAPOTS,
    new Figures([createCase('ok')], false),
    INFO,
    new Set(['teapots-table-1']),
  );
  expect(page).toContain('# Fast Teapots\n\nNobody 1999. Measured there on: an abacus.');
  expect(page).toContain('Pliant 9.9.9, commit abc1234, 2026-01-02. Abacus, 2 cores, 8 GB, Wood, Node v20.');
  expect(page).toContain('Our teapots are cups.');
  expect(page).toContain(TABLE);
  expect(page).toContain('![Tea](teapots-table-1.svg)');
  expect(page).not.toContain('quick run');
});

test('the summary has headlines, how much is there, and every case', () => {
  const info = { ...INFO, failures: [{ name: 'tea/other' as const, reason: 'exit code 3: boiled dry' }] };
  const page = formatSummary([TEAPOTS], new Figures([createCase('ok')], false), info);
  expect(page).toContain('## [Fast Teapots](teapots.md)');
  expect(page).toContain('5 of 7 figures, 1 of 2 cases run.');
  expect(page).toContain('| Table 1, teapot: speed-up | 10× | 25× | 2.50 | 12.5 % |');
  expect(page).toContain('- `tea/other`: exit code 3: boiled dry');
  expect(page).toContain('| `tea` | `ok` | 6 | 42 | agree | 1 min 1 s | 0.5 | 2026-01-02 |');
});

test('figures of another program or machine are marked', () => {
  const other = createCase('ok', { code: 'f00', commit: 'def5678' });
  const page = formatPaper(TEAPOTS, new Figures([other], false), INFO, new Set());
  expect(page).toContain('| 25× ¹ |');
  expect(page).toContain('¹ measured at commit def5678, 2026-01-02');
});

test('a commit that is not known is not named: the program is', () => {
  const other = createCase('ok', { code: 'f00', commit: 'unknown' });
  const page = formatPaper(TEAPOTS, new Figures([other], false), { ...INFO, commit: 'unknown' }, new Set());
  expect(page).toContain('Pliant 9.9.9, a commit that is not in the history, 2026-01-02.');
  expect(page).toContain('¹ measured at a commit that is not in the history (program f00), 2026-01-02');
});

test('a speed-up has the one over our fastest way beside it, and a note where there is one', () => {
  const lines = [
    headline('teapot: speed-up', 10, 'x', 'tea/ok/speedup-vs-depth-first', 'its handle was chosen'),
    line('teapot: time', 5, 'ms', 'tea/ok/frame-ms'),
  ];
  const paper = { ...TEAPOTS, tables: [{ ...TEAPOTS.tables[0], lines }] };
  const ok = createCase('ok');
  const more = [
    { ...ok.result.rows[0], metric: 'speedup-vs-depth-first', value: 25 },
    { ...ok.result.rows[0], metric: 'speedup-vs-fastest', value: 1.25 },
    { ...ok.result.rows[0], metric: 'deepest-in-last-second', value: 28.2 },
  ];
  const figures = new Figures(
    [{ ...ok, result: { ...ok.result, rows: [...ok.result.rows, ...more] } }],
    false,
  );
  const page = formatPaper(paper, figures, INFO, new Set());
  expect(page).toContain('| what | paper | ours | ratio | over our fastest |');
  expect(page).toContain('| teapot: speed-up | 10× | 25× ¹ | 2.50 | 1.25× |');
  expect(page).toContain('| teapot: time | 5 ms | 2.50 ms | 2 |  |');
  expect(page).toContain('¹ its handle was chosen');
  expect(formatSummary([paper], figures, INFO)).toContain(
    '| 25× ¹ | 2.50 | 1.25× | 12.5 %; bodies up to 28.2 % of their size deep |',
  );
});

test('cases whose answers were not compared say so', () => {
  const page = formatSummary([TEAPOTS], new Figures([createCase('ok', { agrees: null })], false), INFO);
  expect(page).toContain('| `tea` | `ok` | 6 | 42 | not compared |');
  expect(page).toContain('were compared in 0 of 1 cases');
  expect(page).toContain('| Table 1, teapot: speed-up | 10× | 25× |');
});

test('wrong answers stand instead of figures', () => {
  const wrong = createCase('ok', { agrees: false });
  const page = formatPaper(TEAPOTS, new Figures([wrong], false), INFO, new Set());
  expect(page).toContain('| teapot: speed-up | 10× | **answers disagree** | – |');
});

test('data that is not here, and figures that a case does not have', () => {
  const ok = createCase('ok');
  const empty = { ...ok, result: { ...ok.result, rows: [] } };
  expect(formatPaper(TEAPOTS, new Figures([empty], false), INFO, new Set())).toContain(
    'not measured: its data is not here',
  );
  const fewer = { ...ok, result: { ...ok.result, rows: ok.result.rows.slice(1) } };
  expect(missingFigures([TEAPOTS], new Figures([fewer], false))).toEqual([
    'no figure tea/ok:ok/speedup, which a table asks for',
  ]);
});

test('quick pages say so', () => {
  expect(formatPaper(TEAPOTS, new Figures([], true), INFO, new Set())).toContain('**A quick run**');
});

test.each([
  [0.0000123, 'ms', '1.2e-5 ms'],
  [0, '%', '0 %'],
  [1234, '', '1234'],
  [106_496, '', '106,496'],
  [1.5, '× the best', '1.50× the best'],
  [Number.NaN, 'ms', 'NaN ms'],
])('%d %s is %s', (value, unit, text) => {
  expect(formatFigure(value, unit)).toBe(text);
});
