import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Running, startWorker } from '../queue/support/processes.ts';
import { writeSheets } from '../queue/support/sheets.ts';
import { TestRedis, WITH_REDIS } from '../queue/support/test-redis.ts';
import { pliant, temporaryFolder } from '../support/run.ts';

const HOOK = new URL('../support/dying-frame-thread.mjs', import.meta.url).href;
const WATCHDOG = 60_000; // milliseconds after which a command counts as hanging
const folder = temporaryFolder();
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  writeSheets(file('frames'), 4, 6);
  expect((await pliant(['check', file('frames'), '--json', file('one.json')])).code).toBe(1);
});

async function endOf(running: Running): Promise<unknown> {
  const watchdog = setTimeout(() => running.kill('SIGKILL'), WATCHDOG);
  const code = await running.ended;
  clearTimeout(watchdog);
  return code === 'SIGKILL' ? 'hangs' : code;
}

const dying = (at: number, threads = 1) => ({
  env: { NODE_OPTIONS: `--import ${HOOK}`, DIE_AT: String(at), DIE_THREADS: String(threads) },
});

/** 1 is the message that it is ready; then results follow. */
describe.each([1, 2, 3])('a thread that dies at its message %i', (at) => {
  test('leaves its frames to another', async () => {
    const args = ['check', file('frames'), '--threads', '2', '--json', file('two.json')];
    const check = new Running(args, dying(at));
    expect(await endOf(check), check.stderr).toBe(1);
    expect(readFileSync(file('two.json')).equals(readFileSync(file('one.json')))).toBe(true);
  });

  test('ends the check with an error when it was the last', async () => {
    const check = new Running(['check', file('frames'), '--threads', '2', '--quiet'], dying(at, 2));
    expect(await endOf(check), check.stderr).toBe(2);
    expect([check.stdout, check.stderr]).toEqual([
      '',
      'pliant: all threads have ended, the last with code 7\n',
    ]);
  });
});

describe('a worker of a queue', WITH_REDIS, () => {
  test('does a job again when the thread that had it dies', async () => {
    const redis = await TestRedis.start();
    for (const at of [1, 2]) {
      const worker = await startWorker(redis.url, [], dying(at));
      const queue = ['--queue', redis.url, '--job-frames', '3', '--json', file(`${at}.json`)];
      const check = new Running(['check', file('frames'), ...queue]);
      expect(await endOf(check), check.stderr).toBe(1);
      expect(check.stderr).toMatch(/failed on a worker and will be tried again: the thread has ended/);
      expect(readFileSync(file(`${at}.json`)).equals(readFileSync(file('one.json')))).toBe(true);
      worker.kill('SIGTERM');
      expect(await endOf(worker)).toBe(0);
    }
  });
});
