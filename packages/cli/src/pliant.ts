import { CommanderError } from 'commander';
import { createProgram } from './command/program.ts';
import { describeError, isExpected } from './command-error.ts';

/** Runs the command and sets the process's exit code. Whatever goes wrong is one line on stderr and exit code 2. */
export async function main(args: readonly string[]): Promise<void> {
  process.stdout.on('error', endQuietly);
  process.stderr.on('error', () => {});
  const program = createProgram((exitCode) => {
    process.exitCode = exitCode;
  });
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ outputError: () => {} });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return; // help or version
    process.exitCode = 2;
    process.stderr.write(`pliant: ${explain(error)}\n`);
    if (process.env.PLIANT_DEBUG) console.error(error);
  }
}

function explain(error: unknown): string {
  if (error instanceof CommanderError) return describeError(error).replace(/^error: /, '');
  if (isExpected(error)) return describeError(error);
  if (error instanceof RangeError) return `out of memory: ${describeError(error)}`;
  return `internal error: ${describeError(error)}; please report it`;
}

/** Whoever read our output has gone, as in `pliant … | head`. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
