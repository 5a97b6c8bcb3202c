import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { Bench, BenchOptions } from './bench.ts';
import { baseline } from './benches/baseline.ts';
import { certificates } from './benches/blend-certificates.ts';
import { bounds } from './benches/bounds.ts';
import { characters } from './benches/characters.ts';
import { check } from './benches/check.ts';
import { continuous } from './benches/continuous.ts';
import { escc } from './benches/escc.ts';
import { factorisation } from './benches/factorisation.ts';
import { meshless } from './benches/meshless.ts';
import { modal } from './benches/modal.ts';
import { modes } from './benches/modes.ts';
import { morphs } from './benches/morphs.ts';
import { queries } from './benches/queries.ts';
import { shapes } from './benches/shapes.ts';
import { skin } from './benches/skin.ts';
import { sound } from './benches/sound.ts';
import { sscc } from './benches/sscc.ts';
import { ssccReference } from './benches/sscc-reference.ts';
import { ssccTightness } from './benches/sscc-tightness.ts';
import { trees } from './benches/trees.ts';
import { figures } from './reproduce/measure/figures-bench.ts';
import { type BenchResult, describeCommit, describeMachine, noneDisagrees } from './result.ts';
import { formatRows } from './table.ts';

export const BENCHES: readonly Bench[] = [
  baseline,
  bounds,
  certificates,
  characters,
  check,
  continuous,
  escc,
  factorisation,
  figures,
  meshless,
  modal,
  modes,
  morphs,
  queries,
  shapes,
  skin,
  sound,
  sscc,
  ssccReference,
  ssccTightness,
  trees,
];

/** Where text goes; a test listens here. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Runs a command line and returns the exit code: 0, 1 when answers disagree, 2 for bad usage. */
export async function runCommand(
  args: readonly string[],
  output: Output,
  extra: Pick<BenchOptions, 'also'> = {},
): Promise<number> {
  let command: Command;
  try {
    command = parseArguments(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.err(`bench: ${error.message}\n`);
    return 2;
  }
  if (command.bench === undefined) {
    output.out(help());
    return 0;
  }
  return runBench(command.bench, command, output, extra);
}

interface Command {
  bench: Bench | undefined; // undefined: help
  quick: boolean;
  frames?: number;
  rounds?: number;
  only?: string;
  json?: string; // a path, or '-' for standard output
}

class UsageError extends Error {}

async function runBench(
  bench: Bench,
  { quick, frames, rounds, only, json }: Command,
  output: Output,
  extra: Pick<BenchOptions, 'also'>,
): Promise<number> {
  const say = json === '-' ? output.err : output.out; // standard output then holds nothing but JSON
  const log = (line: string) => output.err(`${line}\n`);
  const loadBefore = loadavg()[0];
  const { rows, notes, series } = await bench.run({ quick, frames, rounds, only, log, ...extra });
  const result: BenchResult = {
    bench: bench.name,
    machine: describeMachine(),
    commit: describeCommit(),
    rows,
    ...(series ? { series } : {}),
  };
  say(`${bench.name}${quick ? ' (quick: small scenes, targets not judged)' : ''}\n`);
  say(`${result.machine}, commit ${result.commit}\n`);
  say(`load average ${loadBefore.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after; 1 of it is ours\n\n`);
  say(`${formatRows(rows)}\n\n`);
  for (const note of notes) say(`${note}\n`);
  const isWritten = json === undefined || writeJson(result, json, output);
  if (!noneDisagrees(rows)) {
    output.err('bench: answers disagree, so the figures mean nothing\n');
    return 1;
  }
  return isWritten ? 0 : 2;
}

function writeJson(result: BenchResult, path: string, { out, err }: Output): boolean {
  const text = `${JSON.stringify(result, undefined, 2)}\n`;
  if (path === '-') {
    out(text);
    return true;
  }
  try {
    writeFileSync(path, text);
    return true;
  } catch (error) {
    err(`bench: cannot write ${path}: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

function parseArguments(args: readonly string[]): Command {
  const command: Command = { bench: undefined, quick: false };
  let wantsHelp = args.length === 0;
  for (let k = 0; k < args.length; k++) {
    const [option, value] = splitOption(args[k]);
    const next = () => value ?? args[++k];
    if (option === '--help' || option === '-h') wantsHelp = true;
    else if (option === '--quick') command.quick = true;
    else if (option === '--json') command.json = value ?? (isPath(args[k + 1]) ? args[++k] : '-');
    else if (option === '--frames') command.frames = parseCount(option, next());
    else if (option === '--rounds') command.rounds = parseCount(option, next());
    else if (option === '--only') command.only = next() ?? '';
    else if (option.startsWith('-')) throw new UsageError(`unknown option ${option}; see --help`);
    else if (command.bench !== undefined)
      throw new UsageError(`more than one name: ${command.bench.name} and ${option}`);
    else command.bench = findBench(option);
  }
  if (wantsHelp) return { bench: undefined, quick: false };
  if (command.bench === undefined) throw new UsageError(`which one? ${namesOf(BENCHES)}`);
  checkCase(command.bench, command.only);
  if (command.quick && command.frames !== undefined)
    command.frames = Math.min(command.frames, MOST_QUICK_FRAMES);
  return command;
}

const MOST_QUICK_FRAMES = 60;

function splitOption(argument: string): [string, string | undefined] {
  const equals = argument.startsWith('--') ? argument.indexOf('=') : -1;
  return equals < 0 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

/** What follows `--json` is a path unless it is another option or the name of a bench. */
function isPath(argument: string | undefined): boolean {
  if (argument === undefined || BENCHES.some(({ name }) => name === argument)) return false;
  return argument === '-' || !argument.startsWith('-');
}

function parseCount(option: string, text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(
    `${option} needs a whole number of at least 1${text === undefined ? '' : `, not ${text}`}`,
  );
}

function findBench(name: string): Bench {
  const bench = BENCHES.find((candidate) => candidate.name === name);
  if (bench) return bench;
  throw new UsageError(`no bench is called ${name}; there are ${namesOf(BENCHES)}`);
}

function checkCase(bench: Bench, only: string | undefined): void {
  if (only === undefined || bench.cases.includes(only)) return;
  throw new UsageError(`${bench.name} has no case ${only}; there are ${bench.cases.join(', ')}`);
}

function namesOf(benches: readonly Bench[]): string {
  return benches.map(({ name }) => name).join(', ');
}

function help(): string {
  const width = Math.max(...BENCHES.map(({ name }) => name.length));
  const lines = BENCHES.flatMap(({ name, summary, cases }) => [
    `  ${name.padEnd(width)}  ${summary}`,
    `  ${' '.repeat(width)}  cases: ${cases.join(', ')}`,
  ]);
  return `Usage: npm run bench -- NAME [--quick] [--json [PATH]] [--frames N] [--rounds N] [--only CASE]

${lines.join('\n')}

  --quick        a tenth of the triangles, few frames; targets are not judged
  --json [PATH]  figures as JSON, on standard output without PATH
  --frames N     frames per track
  --rounds N     how often everything is timed; of each frame the fastest counts
  --only CASE    one case

Exit code 0, 1 when answers disagree, 2 for bad usage. Missed targets are shown, not punished.
`;
}
