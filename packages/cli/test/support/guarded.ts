import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const COMMAND = fileURLToPath(new URL('../../bin/pliant.mjs', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../../pliant/src', import.meta.url));
/** Milliseconds between two readings of the memory. */
const INTERVAL = 10;

export interface Guard {
  /** Bytes of resident memory at which the program is ended. Default: 1 GB. */
  readonly memory?: number;
  /** Seconds after which the program is ended. Default: 60. */
  readonly seconds?: number;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

export interface GuardedOutcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Largest resident memory that was read (VmHWM), in bytes; 0 where the system does not tell. */
  readonly peakBytes: number;
  readonly seconds: number;
  /** Why the program was ended; undefined when it ended by itself. */
  readonly ended: undefined | 'memory' | 'time';
}

/**
 * Runs a program and ends it, with all processes that it started, when its memory passes a limit or its time is up.
 * Memory is that of the program itself, its threads included; it is limited on Linux only.
 */
export function runGuarded(
  program: string,
  args: readonly string[],
  guard: Guard = {},
): Promise<GuardedOutcome> {
  const { memory = 1e9, seconds = 60 } = guard;
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const elapsed = () => (performance.now() - start) / 1000;
    const child = spawn(program, args, {
      cwd: guard.cwd,
      env: { ...process.env, NO_COLOR: '', ...guard.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a process group of its own, so that what it started ends with it
    });
    let stdout = '';
    let stderr = '';
    let peakBytes = 0;
    let ended: GuardedOutcome['ended'];
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      stdout += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      stderr += piece;
    });
    const watch = setInterval(() => {
      if (child.pid === undefined || ended !== undefined) return;
      peakBytes = Math.max(peakBytes, readPeak(child.pid));
      if (peakBytes > memory) ended = 'memory';
      else if (elapsed() > seconds) ended = 'time';
      if (ended !== undefined) endGroup(child.pid);
    }, INTERVAL);
    child.on('error', (error) => {
      clearInterval(watch);
      reject(error);
    });
    child.on('close', (code, signal) => {
      clearInterval(watch);
      resolve({ code, signal, stdout, stderr, peakBytes, seconds: elapsed(), ended });
    });
  });
}

/** The built command under guard, as users run it. */
export function pliantGuarded(args: readonly string[], guard?: Guard): Promise<GuardedOutcome> {
  return runGuarded(process.execPath, [COMMAND, ...args], guard);
}

/**
 * A module under guard, from its text. It is TypeScript, may use `await` and imports the sources of the library by
 * their paths from `packages/pliant/src`, such as `./index.ts`.
 */
export async function scriptGuarded(source: string, guard?: Guard): Promise<GuardedOutcome> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: SOURCES, loader: 'ts', sourcefile: 'guarded-script.ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
  const folder = mkdtempSync(join(tmpdir(), 'pliant-guarded-'));
  try {
    const file = join(folder, 'script.mjs');
    writeFileSync(file, outputFiles[0].contents);
    return await runGuarded(process.execPath, [file], guard);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readPeak(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return kilobytes === null ? 0 : 1024 * Number(kilobytes[1]);
  } catch {
    return 0; // it has ended, or the system has no /proc
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended in the meantime
  }
}
