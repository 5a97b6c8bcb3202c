import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchResult, noneDisagrees } from '../result.ts';
import type { CaseStore } from './case-store.ts';
import type { CaseName } from './paper.ts';
import { Progress } from './progress.ts';
import { createStoredCase, isBenchResult, isRight, type StoredCase } from './stored-case.ts';

export interface RunPlan {
  readonly names: readonly CaseName[];
  readonly quick: boolean;
  readonly store: CaseStore;
  /** Program and first arguments of the benches: name, `--only` and so on follow. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly code: string; // of the program
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface Failure {
  readonly name: CaseName;
  readonly reason: string;
}

/** Runs what is not done yet, one case at a time: two would take each other's time. */
export async function runCases(plan: RunPlan): Promise<Failure[]> {
  const { names, store, signal, say } = plan;
  const todo = names.filter((name) => !store.isDone(name));
  const failures: Failure[] = [];
  if (todo.length < names.length)
    say(`${names.length - todo.length} of ${names.length} cases are done already\n`);
  const progress = new Progress(
    todo.map((name) => store.expectedSeconds(name)),
    say,
  );
  for (const [k, name] of todo.entries()) {
    if (signal.aborted) break;
    progress.begin(k, name);
    const start = performance.now();
    const outcome = await runCase(name, plan);
    if (signal.aborted) break;
    const seconds = (performance.now() - start) / 1000;
    if (typeof outcome === 'string') failures.push({ name, reason: outcome });
    else {
      store.write(outcome);
      if (!isRight(outcome)) failures.push({ name, reason: 'ANSWERS DISAGREE' });
    }
    progress.end(seconds, typeof outcome === 'string' ? outcome : describe(outcome));
  }
  return failures;
}

/** What was measured, or what went wrong. */
async function runCase(name: CaseName, plan: RunPlan): Promise<StoredCase | string> {
  const { quick, command, cwd, code, signal } = plan;
  const [bench, only] = name.split('/');
  const folder = mkdtempSync(join(tmpdir(), 'pliant-reproduce-'));
  const path = join(folder, 'result.json');
  const load = loadavg()[0];
  const start = performance.now();
  try {
    const args = [...command.slice(1), bench, '--only', only, '--json', path, ...(quick ? ['--quick'] : [])];
    const { exitCode, errors } = await runChild(command[0], args, cwd, signal);
    const result = readResult(path);
    if (result === undefined) return `exit code ${exitCode}: ${lastLine(errors)}`;
    if (exitCode !== 0 && noneDisagrees(result.rows)) {
      return `exit code ${exitCode}: ${lastLine(errors)}`;
    }
    const seconds = (performance.now() - start) / 1000;
    const date = new Date().toISOString();
    return createStoredCase({ bench, case: only, quick, code, date, seconds, load, result });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readResult(path: string): BenchResult | undefined {
  try {
    const result = JSON.parse(readFileSync(path, 'utf8'));
    return isBenchResult(result) ? result : undefined;
  } catch {
    return undefined;
  }
}

const MOST_KEPT = 20_000; // characters of what a case says

function runChild(
  program: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<{ exitCode: number; errors: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors = (errors + chunk).slice(-MOST_KEPT);
    });
    const stop = () => void child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    const end = (exitCode: number, more = '') => {
      signal.removeEventListener('abort', stop);
      resolve({ exitCode, errors: errors + more });
    };
    child.on('error', (error) => end(127, error.message));
    child.on('close', (exitCode, by) => end(exitCode ?? 128, by === null ? '' : `\nended by ${by}`));
  });
}

/** The line that says most: an error's message stands above where it came from. */
function lastLine(text: string): string {
  const lines = text.split('\n').filter((each) => each.trim() !== '' && !/^\s+at |^Node\.js v/.test(each));
  const error = lines.findLast((each) => /^\w*Error\b|^bench: /.test(each));
  return (error ?? lines.at(-1) ?? 'said nothing').trim().slice(0, 300);
}

function describe({ result }: StoredCase): string {
  const { rows } = result;
  if (rows.length === 0) return 'skipped: its data is not here';
  return noneDisagrees(rows) ? `${rows.length} figures` : 'ANSWERS DISAGREE';
}
