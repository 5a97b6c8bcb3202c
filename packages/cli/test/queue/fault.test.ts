import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCheck } from '../support/check-output.ts';
import { pliant, temporaryFolder } from '../support/run.ts';
import { Running, startWorker, until } from './support/processes.ts';
import { writeSheets } from './support/sheets.ts';
import { isInJob, jobsInQueue, leftOvers, TestRedis, WITH_REDIS } from './support/test-redis.ts';

/** A longer run, with PLIANT_FULL=1. */
const isFull = process.env.PLIANT_FULL !== undefined;
const FRAMES = isFull ? 600 : 60;
const JOB_FRAMES = 2;
const TIME = 900_000; // milliseconds, for the longer one
const KILLS = isFull ? 12 : 2;
const RESTARTS: readonly ('SIGKILL' | 'SIGTERM')[] = isFull
  ? ['SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGTERM']
  : ['SIGKILL', 'SIGTERM'];

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);

/** Slow frames: somebody is always in the middle of one. */
const OPTIONS = ['--method', 'brute-force', '--cull', 'none'];

describe('three workers, some killed, and a Redis that is restarted', WITH_REDIS, () => {
  beforeAll(async () => {
    writeSheets(file('frames'), 15, FRAMES);
    const { code } = await pliant(['check', file('frames'), ...OPTIONS, '--json', file('one.json')]);
    expect(code).toBe(1);
  }, TIME);

  test(
    'nothing is lost, nothing is doubled, and the file is the same',
    async () => {
      const redis = await TestRedis.start();
      const workers = await Promise.all([1, 2, 3].map(() => startWorker(redis.url, ['--lease', '1'])));
      const args = ['check', file('frames'), ...OPTIONS, '--queue', redis.url, '--json', file('many.json')];
      const check = new Running([...args, '--job-frames', String(JOB_FRAMES)]);
      let client = await redis.client();
      let kills = 0;
      const killOne = async () => {
        await until(() => isInJob(client, workers[kills % 3].pid));
        workers.splice(kills % 3, 1, await replaceKilled(workers[kills % 3], redis.url));
        kills++;
      };
      const events: (() => Promise<void>)[] = [];
      for (let k = 0; k < Math.max(KILLS, RESTARTS.length); k++) {
        if (k < KILLS) events.push(killOne);
        if (k < RESTARTS.length) {
          events.push(async () => {
            await until(async () => (await jobsInQueue(client)).active >= 2);
            client.disconnect();
            await redis.restart(RESTARTS[k], 300);
            client = await redis.client();
          });
        }
      }
      for (const event of events) {
        await pause(isFull ? 1_000 : 250);
        await event();
        expect(check.isRunning, check.stderr).toBe(true);
      }
      expect(await check.ended, check.stderr).toBe(1);
      const [one, many] = ['one.json', 'many.json'].map((name) => readFileSync(file(name)));
      const indices = readCheck(many.toString()).frames.map(({ index }) => index);
      const lost = FRAMES - new Set(indices).size;
      const duplicated = indices.length - new Set(indices).size;
      const isSame = one.equals(many);
      const jobs = Number(/queue: (\d+) jobs/.exec(check.stderr)?.[1]);
      const again = Number(/begun again (\d+) times/.exec(check.stderr)?.[1] ?? 0);
      console.log(
        `fault test: ${jobs} jobs of ${FRAMES} frames, ${kills} workers killed, ${redis.restarts} restarts of Redis, ` +
          `jobs begun again ${again} times, lost ${lost}, duplicated ${duplicated}, JSON ${isSame ? 'identical' : 'DIFFERENT'}`,
      );
      expect([jobs, kills, redis.restarts]).toEqual([FRAMES / JOB_FRAMES, KILLS, RESTARTS.length]);
      expect([lost, duplicated, isSame]).toEqual([0, 0, true]);
      expect(await leftOvers(client)).toEqual([]);
      client.disconnect();
      for (const worker of workers) worker.kill('SIGTERM');
      for (const worker of workers) expect(await worker.ended, worker.stderr).toBe(0);
    },
    TIME,
  );
});

async function replaceKilled(worker: Running, url: string): Promise<Running> {
  worker.kill('SIGKILL');
  expect(await worker.ended).toBe('SIGKILL');
  return startWorker(url, ['--lease', '1']);
}
