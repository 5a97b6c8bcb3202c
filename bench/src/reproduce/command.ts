import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeCommit, describeMachine } from '../result.ts';
import { acceptBenchFile, mergeResultsFile } from './accept.ts';
import { CaseStore } from './case-store.ts';
import { describeThisMachine } from './machine.ts';
import { type CaseName, casesOf, type Paper } from './paper.ts';
import { PAPERS } from './papers/index.ts';
import { type Options, parseArguments, UsageError } from './parse-arguments.ts';
import { keepProgram, type Program } from './program.ts';
import { formatSeconds } from './progress.ts';
import { writeReleaseList } from './release-list.ts';
import { type RunInfo, writeReport } from './report.ts';
import { type Failure, runCases } from './run-cases.ts';
import { isRight, type StoredCase } from './stored-case.ts';

export interface Surroundings {
  /** Of the repository. */
  readonly root: string;
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Paths are relative to this. Default: `root`. */
  readonly folder?: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Default: .cache/reproduce. */
  readonly cache?: string;
  /** What is measured. Default: the built benches. */
  readonly program?: Program;
  readonly papers?: readonly Paper[];
}

/** Runs a command line and returns the exit code: 0, 1 when something failed or is wrong, 2 for bad usage, 130. */
export async function runReproduce(args: readonly string[], around: Surroundings): Promise<number> {
  const { root, say, complain, papers: all = PAPERS, cache = join(root, '.cache/reproduce') } = around;
  try {
    const names = all.map(({ name }) => name);
    const options = parseArguments(args, names);
    if (options === 'help') {
      say(help(names));
      return 0;
    }
    const papers = all.filter(({ name }) => options.papers.length === 0 || options.papers.includes(name));
    const program = around.program ?? keepProgram(root, cache);
    const store = new CaseStore(cache, program.code, options.quick);
    const cases = planCases(papers, options);
    if (options.list) {
      say(formatList(papers, cases, store));
      return 0;
    }
    takeFromElsewhere(options, store, program, around);
    return await measureAndReport(papers, cases, options, store, program, around);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`reproduce: ${error.message}\n`);
    return 2;
  }
}

function takeFromElsewhere(
  { accept, merge, quick, keep }: Options,
  store: CaseStore,
  { code }: Program,
  { root, folder = root, say }: Surroundings,
): void {
  for (const path of accept) say(acceptBenchFile(resolve(folder, path), store, quick));
  const ours = { code, commit: describeCommit(), quick, keep };
  for (const path of merge) say(mergeResultsFile(resolve(folder, path), store, ours));
}

async function measureAndReport(
  papers: readonly Paper[],
  names: readonly CaseName[],
  options: Options,
  store: CaseStore,
  { code, command }: Program,
  { root, folder = root, say, complain, signal }: Surroundings,
): Promise<number> {
  const { quick, publish, png } = options;
  const start = performance.now();
  if (options.fresh) for (const name of names) store.forget(name);
  const todo = options.tablesOnly ? [] : names;
  const failures = await runCases({ names: todo, quick, store, command, cwd: root, code, say, signal });
  if (signal.aborted) {
    complain('\nstopped; what is done is kept, the same command goes on from here\n');
    return 130;
  }
  const cases = collect(papers, store, options.keep);
  const info = describeRun(root, code, failures);
  const usual = join(root, 'bench/results/reproduce', quick ? 'quick' : 'full');
  const to = publish ? join(root, 'docs/results', info.version) : resolve(folder, options.out ?? usual);
  const complaints = await writeReport(to, papers, cases, quick, info, { publish, png });
  if (publish) writeReleaseList(join(root, 'docs/results'));
  const took = formatSeconds((performance.now() - start) / 1000);
  say(`\n${cases.length} cases, ${took}: ${join(to, 'index.md')}\n`);
  return conclude(failures, cases, complaints, complain);
}

/** Cases that take too long for a quick run, or that benches leave out of one. */
const NOT_QUICK: readonly CaseName[] = ['escc/tentacle-ball-1m'];

function planCases(papers: readonly Paper[], { quick, only }: Options): CaseName[] {
  const names = [...new Set(papers.flatMap(casesOf))].filter((name) => !quick || !NOT_QUICK.includes(name));
  for (const each of only) {
    if (!names.includes(each as CaseName))
      throw new UsageError(`no table needs the case ${each}; see --list`);
  }
  return only.length === 0 ? names : names.filter((name) => only.includes(name));
}

/** All that is stored for these papers, whether it was run now or earlier. */
function collect(papers: readonly Paper[], store: CaseStore, keep: boolean): StoredCase[] {
  const names = [...new Set(papers.flatMap(casesOf))];
  return names
    .map((name) => store.read(name) ?? (keep ? store.readStale(name) : undefined))
    .filter((stored) => stored !== undefined);
}

function describeRun(root: string, code: string, failures: readonly Failure[]): RunInfo {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/pliant/package.json'), 'utf8'));
  return {
    version,
    commit: describeCommit(),
    code,
    date: new Date().toISOString(),
    machine: describeThisMachine(),
    machineLine: describeMachine(),
    failures,
  };
}

function conclude(
  failures: readonly Failure[],
  cases: readonly StoredCase[],
  complaints: readonly string[],
  complain: (text: string) => void,
): number {
  const told = new Set(failures.map(({ name }) => name));
  const wrong = cases
    .filter((stored) => !isRight(stored))
    .map(({ bench, case: name }): CaseName => `${bench}/${name}`);
  for (const { name, reason } of failures) complain(`FAILED ${name}: ${reason}\n`);
  for (const name of wrong) if (!told.has(name)) complain(`FAILED ${name}: ANSWERS DISAGREE\n`);
  for (const text of complaints) complain(`${text}\n`);
  return failures.length + wrong.length > 0 || complaints.some((text) => text.startsWith('no figure'))
    ? 1
    : 0;
}

function formatList(papers: readonly Paper[], names: readonly CaseName[], store: CaseStore): string {
  const lines = papers.flatMap((paper) => [
    `${paper.name}: ${paper.title} (${paper.authors})`,
    ...paper.tables.map(({ place, title, lines: own }) => `  ${place}: ${title}, ${own.length} figures`),
    ...paper.plots.map(({ name, place }) => `  plot ${name}.svg: ${place}`),
    ...casesOf(paper)
      .filter((name) => names.includes(name))
      .map((name) => {
        const seconds = store.expectedSeconds(name);
        return `  case ${name}${store.isDone(name) ? ', done' : ''}${seconds === undefined ? '' : `, ${formatSeconds(seconds)}`}`;
      }),
    '',
  ]);
  return `${lines.join('\n')}${names.length} cases, ${names.filter((name) => store.isDone(name)).length} of them done\n`;
}

function help(papers: readonly string[]): string {
  return `Usage: npm run reproduce -- [PAPER...] [options]

Runs the benches behind the tables of the papers and writes Markdown, JSON and plots.
Papers: ${papers.join(', ')}; without one, all.

  --quick          a tenth of the triangles, few frames: under 20 minutes in all
  --list           tables, plots and cases, and which are done; runs nothing
  --only CASE,...  only these cases (bench/case); the tables then show what there is
  --tables         runs nothing: tables of what is stored
  --out DIR        where pages go; default bench/results/reproduce/quick or full
  --fresh          does cases again that are done
  --keep           shows figures of older programs where this one has none, with their commit
  --accept FILE... takes what \`npm run bench -- NAME --json FILE\` wrote
  --merge FILE...  takes results.json of other runs of the same program or commit
  --publish        writes to docs/results/VERSION (full runs only)
  --no-png         plots as SVG alone

Results are kept per case in .cache/reproduce: an interrupted run goes on where it was.
Exit code 0; 1 when a case failed or answers disagree; 2 for bad usage; 130 when interrupted.
`;
}
