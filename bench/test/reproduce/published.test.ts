import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Figures } from '../../src/reproduce/figures.ts';
import { formatPaper, formatSummary } from '../../src/reproduce/markdown.ts';
import { casesOf } from '../../src/reproduce/paper.ts';
import { PAPERS } from '../../src/reproduce/papers/index.ts';
import { missingFigures, type ResultsFile } from '../../src/reproduce/report.ts';
import { readStoredCase } from '../../src/reproduce/stored-case.ts';

const folder = new URL('../../../docs/results/0.1.0/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const { info, cases, quick } = JSON.parse(read('results.json')) as ResultsFile;
const figures = new Figures(cases, quick);

test('published pages are what the tables make of the published results', () => {
  expect(read('index.md')).toBe(formatSummary(PAPERS, figures, info));
  for (const paper of PAPERS) {
    const drawn = paper.plots.filter(({ name }) => existsSync(new URL(`${name}.svg`, folder)));
    const names = new Set(drawn.map(({ name }) => name));
    expect(read(`${paper.name}.md`), paper.name).toBe(formatPaper(paper, figures, info, names));
    for (const { name, draw } of drawn) expect(read(`${name}.svg`), name).toBe(draw(figures));
  }
});

test('published results are whole: every case that a table needs, undamaged, with every figure', () => {
  const names = cases.map(({ bench, case: name }) => `${bench}/${name}`);
  expect(names.sort()).toEqual([...new Set(PAPERS.flatMap(casesOf))].sort());
  for (const each of cases) expect(readStoredCase(JSON.stringify(each)), each.case).toBeDefined();
  expect(missingFigures(PAPERS, figures)).toEqual([]);
});
