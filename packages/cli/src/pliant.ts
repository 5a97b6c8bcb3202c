import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { createProgram } from './command/program.ts';
import { describeError, isExpected } from './command-error.ts';
import { printNote, printOut, StdoutLost, watchStreams } from './output/streams.ts';

/** Runs the command and sets the process's exit code. Whatever goes wrong is one line on stderr and exit code 2. */
export async function main(args: readonly string[]): Promise<void> {
  watchStreams();
  let help = '';
  const program = createProgram((exitCode) => {
    process.exitCode = exitCode;
  });
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      outputError: () => {},
      writeOut: (text) => {
        help += text;
      },
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
      const isAnswered = error instanceof CommanderError && error.exitCode === 0; // help or version
      return isAnswered ? printOut(help) : Promise.reject(error);
    });
  } catch (error) {
    process.exitCode = error instanceof StdoutLost ? error.exitCode : 2;
    const text = explain(error);
    if (text !== '') printNote(text);
    if (process.env.PLIANT_DEBUG) for (const line of inspect(error).split('\n')) printNote(line);
  }
}

function explain(error: unknown): string {
  if (error instanceof CommanderError) return describeError(error).replace(/^error: /, '');
  if (isExpected(error) || error instanceof StdoutLost) return describeError(error);
  if (error instanceof RangeError) return `out of memory: ${describeError(error)}`;
  return `internal error: ${describeError(error)}; please report it`;
}
