// Running other programs: their output is shown, their exit code is kept.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCacheVariables } from './home.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What went wrong is already on the screen, or is the message; `exitCode` becomes ours. */
export class StepError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs the command of an installed package with this Node and resolves to its exit code. */
export function runTool(packageName, args, options = {}) {
  return runNode([toolPath(packageName), ...args], options);
}

export function runNode(args, options = {}) {
  return run(process.execPath, args, options);
}

/** The npm that started us, if one did; else the one on the path, which on Windows only a shell can start. */
export function runNpm(args, options = {}) {
  const cli = process.env.npm_execpath;
  if (cli !== undefined && /npm-cli\.[cm]?js$/.test(cli)) return runNode([cli, ...args], options);
  if (process.platform !== 'win32') return run('npm', args, options);
  const quoted = args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg));
  return run(`npm ${quoted.join(' ')}`, [], { ...options, shell: true });
}

/** What npm prints. Errors: StepError, with what it complained about. */
export async function captureNpm(args) {
  const chunks = [];
  const exitCode = await runNpm(args, { output: 'captured', onOutput: (chunk) => chunks.push(chunk) });
  if (exitCode !== 0) throw new StepError(`npm ${args[0]} failed`, exitCode);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Resolves to the exit code. `output`: 'captured' by `onOutput` (and `onError`), 'inherit', 'stderr' for all of it, or
 * 'held-back' unless the program fails.
 */
export function run(command, args, options) {
  const { output = 'inherit', env = process.env, cwd = root, shell = false, onOutput, onError } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, shell, stdio: STDIO[output] });
    const heldBack = [];
    child.stdout?.on('data', onOutput ?? ((chunk) => heldBack.push(chunk)));
    child.stderr?.on('data', onError ?? ((chunk) => heldBack.push(chunk)));
    child.on('error', (error) => reject(new StepError(`cannot start ${command}: ${error.message}`, 127)));
    child.on('close', (code, signal) => {
      const exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
      if (exitCode !== 0) process.stderr.write(Buffer.concat(heldBack));
      resolve(exitCode);
    });
  });
}

const STDIO = {
  inherit: 'inherit',
  stderr: ['ignore', 2, 2],
  'held-back': ['ignore', 'pipe', 'pipe'],
  captured: ['ignore', 'pipe', 'pipe'],
};

function toolPath(packageName) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}

/** Runs a script's main function; a StepError becomes one line and an exit code. */
export async function runMain(main) {
  Object.assign(process.env, npmCacheVariables(join(root, '.cache/npm')));
  try {
    process.exitCode = (await main(process.argv.slice(2))) ?? 0;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    console.error(`pliant: ${error.message}`);
    process.exitCode = error.exitCode;
  }
}
