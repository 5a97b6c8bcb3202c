import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../bin/pliant.mjs', import.meta.url));
const DATA = process.env.PLIANT_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Sends SIGINT when stderr shows this. */
  readonly interruptAt?: RegExp;
  /** Sends it after so many milliseconds; with `interruptAt`, counted from there. */
  readonly interruptAfter?: number;
  readonly env?: Record<string, string>;
}

/** Runs the built command as users do. */
export function pliant(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NO_COLOR: '', ...options.env };
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd: options.cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    let timer: NodeJS.Timeout | undefined;
    const interrupt = () => {
      timer ??= setTimeout(() => child.kill('SIGINT'), options.interruptAfter ?? 0);
    };
    if (options.interruptAfter !== undefined && options.interruptAt === undefined) interrupt();
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      stdout += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      stderr += piece;
      if (options.interruptAt?.test(stderr)) interrupt();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    });
  });
}

/** A folder that is gone after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-cli-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Tests on real data are skipped without it, unless PLIANT_DATA promises that it is there. */
export const hasSharedData = process.env.PLIANT_DATA !== undefined || existsSync(DATA);

export function sharedPath(path: string): string {
  return join(DATA, path);
}
