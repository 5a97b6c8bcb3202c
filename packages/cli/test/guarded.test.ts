import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pliantGuarded, runGuarded, scriptGuarded } from './support/guarded.ts';

const MB = 1e6;
const knowsMemory = existsSync('/proc/self/status');

const EATER = `
  const kept = [];
  for (;;) kept.push(new Uint8Array(8 * 2 ** 20).fill(1));
`;

describe('a guarded program', () => {
  test.runIf(knowsMemory)('is ended when its memory passes the limit', async () => {
    const outcome = await scriptGuarded(EATER, { memory: 300 * MB });
    expect(outcome).toMatchObject({ ended: 'memory', code: null, signal: 'SIGKILL' });
    expect(outcome.peakBytes).toBeGreaterThan(300 * MB);
    expect(outcome.peakBytes).toBeLessThan(3000 * MB);
  });

  test('is ended when its time is up, and so is what it started', async () => {
    const hanging = `
      import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      console.log(child.pid);
      for (;;);
    `;
    const outcome = await scriptGuarded(hanging, { seconds: 4 });
    expect(outcome).toMatchObject({ ended: 'time', signal: 'SIGKILL' });
    expect(outcome.seconds).toBeGreaterThanOrEqual(4);
    await gone(Number(outcome.stdout));
  });

  test('hands back what it wrote, its exit code and its memory', async () => {
    const script = `
      import { createEngine } from './index.ts';
      await createEngine();
      console.log('out');
      console.error('err');
      await new Promise((resolve) => setTimeout(resolve, 200));
      process.exitCode = 3;
    `;
    const outcome = await scriptGuarded(script);
    expect(outcome).toMatchObject({
      code: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      ended: undefined,
    });
    if (knowsMemory) expect(outcome.peakBytes).toBeGreaterThan(20 * MB);
  });

  test('is the command, when that is asked for', async () => {
    const outcome = await pliantGuarded(['--version']);
    expect(outcome).toMatchObject({ code: 0, ended: undefined });
    expect(outcome.stdout).toMatch(/^\d+\.\d+/);
  });

  test('that does not exist is an error', async () => {
    await expect(runGuarded('no-such-program', [])).rejects.toThrow('ENOENT');
  });
});

async function gone(pid: number): Promise<void> {
  for (let k = 0; k < 500; k++) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    if (isZombie(pid)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`process ${pid} is still there`);
}

/** Ended, and nobody has asked for its exit code: so it stays in containers without an init process. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
