import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

/** One figure. Case and metric are kebab-case and stay fixed: results of different releases are compared. */
export interface Row {
  case: string;
  metric: string;
  better: 'higher' | 'lower';
  value: number;
  unit: string;
  /** What a paper printed for this, if it did. */
  paper: number | null;
  /** What we must reach, if anything. */
  target: number | null;
  /** Whether `target` is reached; null without a target and in quick runs, which are not judged. */
  ok: boolean | null;
  /** Touching pairs in all frames of the case; null where none are asked for. */
  pairs: number | null;
  /**
   * False: two of our ways gave different answers, or the result makes no sense, and no figure of this case means
   * anything. Null: nothing was compared.
   */
  answersAgree: boolean | null;
}

/** A curve: how something goes with time, level or size. */
export interface Series {
  case: string;
  name: string; // in a plot
  unit: string;
  x: number[];
  y: number[];
}

/** What `--json` writes. */
export interface BenchResult {
  bench: string;
  machine: string;
  commit: string;
  rows: Row[];
  /** Only of benches that have some. */
  series?: Series[];
}

/** What a row has in common with the others of its case. */
export interface CaseResult {
  readonly name: string;
  readonly isJudged: boolean;
  readonly pairs: number | null;
  readonly answersAgree: boolean | null; // see Row
}

type RowDetails = Pick<Row, 'metric' | 'better' | 'value' | 'unit'> & Partial<Pick<Row, 'paper' | 'target'>>;

export function createRow(of: CaseResult, details: RowDetails): Row {
  const { metric, better, value, unit, paper = null, target = null } = details;
  const { name, isJudged, pairs, answersAgree } = of;
  const isReached = target !== null && (better === 'higher' ? value >= target : value <= target);
  const ok = target === null ? null : answersAgree === false ? false : isJudged ? isReached : null;
  return { case: name, metric, better, value, unit, paper, target, ok, pairs, answersAgree };
}

/** What `answersAgree` of a case is whose answers are not compared, but looked at: false when they make no sense. */
export function notCompared(isSound = true): null | false {
  return isSound ? null : false;
}

/** Whether no row is known to be wrong: those that were not compared are not. */
export function noneDisagrees(rows: readonly Row[]): boolean {
  return rows.every(({ answersAgree }) => answersAgree !== false);
}

/** How many times faster: `slow` / `fast`. */
export function createRatio(
  of: CaseResult,
  metric: string,
  slow: number,
  fast: number,
  target?: number,
): Row {
  return createRow(of, { metric, better: 'higher', value: slow / fast, unit: 'x', target });
}

export function createTime(of: CaseResult, metric: string, milliseconds: number): Row {
  return createRow(of, { metric, better: 'lower', value: milliseconds, unit: 'ms' });
}

export function describeMachine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  return `${model}, ${processors.length} cores, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** With `-dirty` when files differ from it; 'unknown' outside a repository. */
export function describeCommit(): string {
  try {
    const args = ['--no-optional-locks', 'describe', '--always', '--dirty', '--exclude', '*'];
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
