import { from, headline, line, type Paper, size } from '../../src/reproduce/paper.ts';
import type { RunInfo } from '../../src/reproduce/report.ts';
import { createStoredCase, type StoredCase } from '../../src/reproduce/stored-case.ts';
import { drawBars } from '../../src/reproduce/svg.ts';
import { type BenchResult, createRow, describeMachine } from '../../src/result.ts';

/** A paper about teapots. */
export const TEAPOTS: Paper = {
  name: 'teapots',
  title: 'Fast Teapots',
  authors: 'Nobody 1999',
  machine: 'an abacus',
  remarks: ['Our teapots are cups.'],
  tables: [
    {
      place: 'Table 1',
      title: 'Tea',
      remark: 'It is cold.',
      lines: [
        headline('teapot: speed-up', 10, 'x', 'tea/ok/speedup'),
        line('teapot: time', 5, 'ms', 'tea/ok/frame-ms'),
        line(
          'teapot: both',
          5,
          'ms',
          from('tea/ok', ['frame-ms', 'part-*-ms'], (...all) => all.reduce((a, b) => a + b)),
        ),
        size('teapot: triangles', 12_345, '', 'tea/ok/triangles'),
        line('teapot: smell', 'not legible', 'ms', 'tea/ok/frame-ms'),
        line('kettle: time', 7, 'ms', 'tea/other/frame-ms'),
        line('lid: time', 7, 'ms', 'not measured: it has none'),
      ],
    },
  ],
  plots: [
    {
      name: 'teapots-table-1',
      place: 'Table 1',
      title: 'Tea',
      needs: ['tea/ok'],
      draw: (figures) => {
        const value = figures.value('tea/ok', 'speedup');
        if (value === undefined) return undefined;
        const groups = [{ name: 'teapot', values: [value, 10] }];
        return drawBars({
          title: 'Tea',
          y: { label: 'x' },
          bars: [{ name: 'ours' }, { name: 'paper', isPaper: true }],
          groups,
        });
      },
    },
  ],
};

export function createResult(
  name: string,
  {
    agrees = true,
    commit = 'abc1234',
    isJudged = true,
  }: { agrees?: boolean | null; commit?: string; isJudged?: boolean } = {},
): BenchResult {
  const of = { name, isJudged, pairs: 42, answersAgree: agrees };
  const row = (metric: string, value: number, unit: string, target?: number) =>
    createRow(of, { metric, better: unit === 'x' ? 'higher' : 'lower', value, unit, target });
  return {
    bench: 'tea',
    machine: describeMachine(),
    commit,
    rows: [
      row('speedup', 25, 'x', 20),
      row('frame-ms', 2.5, 'ms'),
      row('part-a-ms', 1, 'ms'),
      row('part-b-ms', 1.5, 'ms'),
      row('triangles', 54_321, ''),
      row('contact-frames', 12.5, '%'),
    ],
  };
}

export function createCase(
  name: string,
  options: Parameters<typeof createResult>[1] & { code?: string } = {},
): StoredCase {
  const { code = 'c0de' } = options;
  const date = '2026-01-02T03:04:05.000Z';
  return createStoredCase({
    bench: 'tea',
    case: name,
    quick: false,
    code,
    date,
    seconds: 61,
    load: 0.5,
    result: createResult(name, options),
  });
}

export const INFO: RunInfo = {
  version: '9.9.9',
  commit: 'abc1234',
  code: 'c0de',
  date: '2026-01-02T03:04:05.000Z',
  machine: { cpu: 'Abacus', cores: 2, memoryGb: 8, os: 'Wood', node: 'v20' },
  machineLine: describeMachine(),
  failures: [],
};
