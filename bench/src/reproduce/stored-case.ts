import { createHash } from 'node:crypto';
import { type BenchResult, noneDisagrees, type Row } from '../result.ts';

/** One case that was run, as it is kept. */
export interface StoredCase {
  readonly format: 1;
  readonly bench: string;
  readonly case: string;
  readonly quick: boolean;
  /** Of the program that was measured; '' when it was measured elsewhere. */
  readonly code: string;
  readonly date: string; // ISO
  readonly seconds: number; // that it took; 0 when measured elsewhere
  readonly load: number; // load average when it began; 0 when measured elsewhere
  readonly result: BenchResult;
  /** Of `result`: a damaged file is done again. */
  readonly hash: string;
}

export function createStoredCase(details: Omit<StoredCase, 'format' | 'hash'>): StoredCase {
  return { format: 1, ...details, hash: hashOf(details.result) };
}

/** Undefined unless `text` is a case as it was written. */
export function readStoredCase(text: string): StoredCase | undefined {
  let stored: StoredCase;
  try {
    stored = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof stored !== 'object' || stored === null || stored.format !== 1) return undefined;
  return isBenchResult(stored.result) && stored.hash === hashOf(stored.result) ? stored : undefined;
}

/** Whether no answer of it is known to be wrong. */
export function isRight({ result }: StoredCase): boolean {
  return noneDisagrees(result.rows);
}

/** Whether answers of two or more ways were compared, and how that went. */
export function comparisonOf({ result: { rows } }: StoredCase): 'agree' | 'disagree' | 'not compared' {
  if (!noneDisagrees(rows)) return 'disagree';
  return rows.length > 0 && rows.every((row) => row.answersAgree === true) ? 'agree' : 'not compared';
}

/** Whether two were measured with the same program, as far as their commits tell: with changed files they do not. */
export function isSameCommit(a: string, b: string): boolean {
  return a === b && a !== 'unknown' && !a.endsWith('-dirty');
}

export function isBenchResult(value: unknown): value is BenchResult {
  const { bench, machine, commit, rows } = (value ?? {}) as Partial<BenchResult>;
  return (
    [bench, machine, commit].every((x) => typeof x === 'string') && Array.isArray(rows) && rows.every(isRow)
  );
}

function isRow(value: unknown): boolean {
  const { case: name, metric, value: figure, answersAgree: agrees } = (value ?? {}) as Partial<Row>;
  const isAgreement = typeof agrees === 'boolean' || agrees === null;
  const isFigure = typeof figure === 'number' || figure === null; // JSON has no NaN
  return typeof name === 'string' && typeof metric === 'string' && isFigure && isAgreement;
}

/** Targets are not judged in quick runs; without any target nobody can tell. */
export function looksQuick({ rows }: BenchResult): boolean | undefined {
  const judged = rows.filter(({ target, answersAgree: agrees }) => target !== null && agrees !== false);
  return judged.length === 0 ? undefined : judged.every(({ ok }) => ok === null);
}

function hashOf(result: BenchResult): string {
  return createHash('sha256').update(JSON.stringify(result)).digest('hex').slice(0, 16);
}
