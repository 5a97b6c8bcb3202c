import { readFileSync, statSync } from 'node:fs';
import type { CaseStore } from './case-store.ts';
import { casesOf } from './paper.ts';
import { PAPERS } from './papers/index.ts';
import { UsageError } from './parse-arguments.ts';
import type { ResultsFile } from './report.ts';
import { createStoredCase, isBenchResult, isSameCommit, looksQuick, readStoredCase } from './stored-case.ts';

/** Takes what a bench wrote by itself, perhaps elsewhere; returns a line about it. */
export function acceptBenchFile(path: string, store: CaseStore, quick: boolean): string {
  const { value, date } = readFile(path);
  if (!isBenchResult(value)) throw new UsageError(`${path} is not what a bench writes with --json`);
  const isQuick = looksQuick(value) ?? quick;
  if (isQuick !== quick) {
    throw new UsageError(
      `${path} is of a ${isQuick ? 'quick' : 'full'} run, this is a ${quick ? 'quick' : 'full'} one`,
    );
  }
  const names: string[] = [];
  for (const name of new Set(value.rows.map((row) => caseOfRow(value.bench, row.case)))) {
    const rows = value.rows.filter((row) => caseOfRow(value.bench, row.case) === name);
    const series = value.series?.filter((each) => caseOfRow(value.bench, each.case) === name);
    const result = { ...value, rows, ...(series ? { series } : {}) };
    store.write(
      createStoredCase({
        bench: value.bench,
        case: name,
        quick,
        code: '',
        date,
        seconds: 0,
        load: 0,
        result,
      }),
    );
    names.push(name);
  }
  return `${path}: ${value.bench} ${names.join(', ')}, commit ${value.commit}\n`;
}

export interface MergeOptions {
  readonly code: string; // of our program
  readonly commit: string;
  readonly quick: boolean;
  readonly keep: boolean;
}

/** Takes the cases of another run that are not here yet. Those of other programs only when that is wanted. */
export function mergeResultsFile(
  path: string,
  store: CaseStore,
  { code, commit, quick, keep }: MergeOptions,
): string {
  const { value } = readFile(path);
  const file = value as Partial<ResultsFile>;
  if (file?.format !== 1 || !Array.isArray(file.cases)) throw new UsageError(`${path} is not a results.json`);
  if (file.quick !== quick) throw new UsageError(`${path} is of a ${file.quick ? 'quick' : 'full'} run`);
  let taken = 0,
    stale = 0,
    damaged = 0;
  for (const each of file.cases) {
    const stored = readStoredCase(JSON.stringify(each));
    if (stored === undefined) damaged++;
    else if (stored.code !== code && !isSameCommit(stored.result.commit, commit) && !keep) stale++;
    else if (!store.isDone(`${stored.bench}/${stored.case}`)) {
      store.write(stored);
      taken++;
    }
  }
  const left = [
    stale > 0 ? `${stale} of another program left out (--keep takes them)` : '',
    damaged > 0 ? `${damaged} damaged` : '',
  ];
  return `${path}: ${[`${taken} of ${file.cases.length} cases taken`, ...left.filter((text) => text !== '')].join(', ')}\n`;
}

function readFile(path: string): { value: unknown; date: string } {
  try {
    return { value: JSON.parse(readFileSync(path, 'utf8')), date: statSync(path).mtime.toISOString() };
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Some cases of a bench have rows of several: the tables know which. */
function caseOfRow(bench: string, row: string): string {
  for (const { ours } of PAPERS.flatMap(({ tables }) => tables.flatMap(({ lines }) => lines))) {
    if (typeof ours !== 'string' && ours.bench === bench && ours.row === row) return ours.case;
  }
  const cases = PAPERS.flatMap(casesOf)
    .filter((name) => name.startsWith(`${bench}/`))
    .map((name) => name.slice(bench.length + 1));
  return cases.includes(row) ? row : (cases.find((name) => row.startsWith(`${name}-`)) ?? row);
}
