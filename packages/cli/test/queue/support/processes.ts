import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../../bin/pliant.mjs', import.meta.url));

/** Those that are killed cannot tidy up. */
export const temporary = mkdtempSync(join(tmpdir(), 'pliant-queue-test-'));

const started: Running[] = [];
afterAll(async () => {
  for (const running of started) running.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  rmSync(temporary, { recursive: true, force: true });
});

/** A command that goes on running beside the test; it ends with it. */
export class Running {
  stderr = '';
  stdout = '';
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly #child: ChildProcess;

  constructor(args: readonly string[], { command = COMMAND, cwd, env }: RunningOptions = {}) {
    this.#child = spawn(process.execPath, [command, ...args], {
      cwd,
      env: { ...process.env, NO_COLOR: '', TMPDIR: temporary, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout!.setEncoding('utf8').on('data', (piece) => {
      this.stdout += piece;
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (piece) => {
      this.stderr += piece;
    });
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => resolve(signal ?? code));
    });
    started.push(this);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async saw(pattern: RegExp): Promise<void> {
    await until(() => pattern.test(this.stderr) || !this.isRunning);
    if (!pattern.test(this.stderr)) throw new Error(`${pattern} was not seen in: ${this.stderr}`);
  }
}

export interface RunningOptions {
  readonly command?: string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

/** A worker that is ready. */
export async function startWorker(
  url: string,
  args: readonly string[] = [],
  options: RunningOptions = {},
): Promise<Running> {
  const worker = new Running(['worker', '--queue', url, '--threads', '1', ...args], options);
  await worker.saw(/worker for pliant/);
  return worker;
}

export async function until(isTrue: () => boolean | Promise<boolean>, milliseconds = 60_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`not within ${milliseconds} ms: ${isTrue}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
