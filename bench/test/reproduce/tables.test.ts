import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createDwarf } from '../../../packages/pliant/src/shapes/dwarf.ts';
import { createMan } from '../../../packages/pliant/src/shapes/man.ts';
import { Figures } from '../../src/reproduce/figures.ts';
import { casesOf, line, type Source } from '../../src/reproduce/paper.ts';
import { PAPERS } from '../../src/reproduce/papers/index.ts';
import { MODELS } from '../../src/reproduce/papers/kavan.ts';
import type { ResultsFile } from '../../src/reproduce/report.ts';

describe.each(PAPERS.map((paper) => [paper.name, paper] as const))('%s', (_, paper) => {
  test('refers to cases, each once', () => {
    const names = casesOf(paper);
    expect(names.length).toBeGreaterThan(5);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z-]+\/[a-z0-9-]+$/); // that they exist: command.test.ts
  });

  test('has lines that say what they are, each once per table', () => {
    for (const { place, title, lines } of paper.tables) {
      const names = lines.map(({ what }) => what);
      expect(new Set(names).size, `${place}: ${title}`).toBe(names.length);
      for (const { what, paper: figure, ours } of lines) {
        expect(what).not.toBe('');
        if (typeof figure === 'number') expect(figure, what).toBeGreaterThan(0);
        if (typeof ours === 'string')
          expect(ours, `${what}: a text, or a source that is misspelt`).toMatch(/ /);
      }
    }
  });

  test('has headlines', () => {
    const lines = paper.tables.flatMap((table) => table.lines);
    expect(lines.filter(({ isHeadline }) => isHeadline).length).toBeGreaterThan(2);
  });

  test('draws nothing from nothing', () => {
    const nothing = new Figures([], false);
    for (const { draw } of paper.plots) expect(draw(nothing)).toBeUndefined();
  });
});

test('every table and figure with numbers is there', () => {
  const wanted = {
    kavan: ['Table 1', 'Table 2', 'Table 3', 'Section 5', 'Figure 7'],
    steinemann: ['Table 1', 'Table 2', 'Figure 5'],
    sscc: ['Table 1', 'Table 2', 'Table 3', 'Figures 1 and 12', 'Figure 7', 'Figure 9'],
    escc: ['Table 1', 'Table 2', 'Figure 3', 'Figure 7', 'Figure 8', 'Figure 9', 'Figure 11'],
    li: ['Table 1', 'Table 2', 'Figure 4', 'Figure 5', 'Figure 7', 'Figure 11'],
  };
  for (const [name, places] of Object.entries(wanted)) {
    const there = PAPERS.find((paper) => paper.name === name)!.tables.map(({ place }) => place);
    expect(there, name).toEqual(expect.arrayContaining(places));
  }
});

test('sizes of the characters are those that the bench has', () => {
  const digits = (text: string) => Number(text.replaceAll(',', '').match(/\d+/)![0]);
  const dwarf = createDwarf({ triangles: 1664 });
  const man = createMan({ triangles: 28_000 }); // of meeting-28k and through-28k
  expect(digits(MODELS.dwarf)).toBe(dwarf.mesh.triangleCount);
  expect(digits(MODELS.dwarfJoints)).toBe(dwarf.jointNames.length);
  expect(digits(MODELS.man)).toBe(man.mesh.triangleCount);
  expect(digits(MODELS.manJoints)).toBe(man.jointNames.length);
  expect(MODELS.man).toContain('about 13,300 in the crowd');
  expect(createMan({ triangles: 13_400 }).mesh.triangleCount).toBe(13_304);
  expect(createDwarf({ triangles: 13_400 }).mesh.triangleCount).toBe(13_274);
});

test('every speed-up over depth-first has one over our fastest way in its case', () => {
  const path = new URL('../../../docs/results/0.1.0/results.json', import.meta.url);
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as ResultsFile;
  for (const { bench, case: name, result } of cases) {
    const has = (row: string, metric: string) =>
      result.rows.some((each) => each.case === row && each.metric === metric);
    for (const { case: row, metric } of result.rows) {
      if (metric !== 'speedup-vs-depth-first') continue;
      expect(has(row, 'speedup-vs-fastest'), `${bench}/${name}`).toBe(true);
    }
  }
});

test('plots have names of their own', () => {
  const names = PAPERS.flatMap(({ plots }) => plots.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});

test('a source is a bench, a case, perhaps a row, and a metric', () => {
  const sourceOf = (text: string) => line('x', 1, 'ms', text).ours as Source;
  expect(sourceOf('skin/growth:growth-7k/frame-ms')).toMatchObject({
    bench: 'skin',
    case: 'growth',
    row: 'growth-7k',
    metrics: ['frame-ms'],
  });
  expect(sourceOf('skin/crowd-50/frame-ms')).toMatchObject({ case: 'crowd-50', row: 'crowd-50' });
  expect(line('x', 1, 'ms', 'not measured: we have none').ours).toBe('not measured: we have none');
});
