import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../bin/pliant.mjs', import.meta.url));
const INTERRUPT = new URL('interrupt.mjs', import.meta.url).href;
const DATA = process.env.PLIANT_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Sends SIGINT when stderr shows this, … */
  readonly interruptAt?: RegExp;
  /** … or so many milliseconds later; without it, so long after the command has begun to listen for it. */
  readonly interruptAfter?: number;
  readonly env?: Record<string, string>;
}

/** Runs the built command as users do. */
export function pliant(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NO_COLOR: '', ...interruption(options), ...options.env };
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd: options.cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      stdout += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      stderr += piece;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

function interruption({ interruptAt, interruptAfter = 0 }: RunOptions): Record<string, string> {
  if (!interruptAt && !interruptAfter) return {};
  return {
    NODE_OPTIONS: `--import ${INTERRUPT}`,
    INTERRUPT_AT: interruptAt?.source ?? '',
    INTERRUPT_AFTER: String(interruptAfter),
  };
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
