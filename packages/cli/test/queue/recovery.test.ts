import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pliant, temporaryFolder } from '../support/run.ts';
import { Running, startWorker, until } from './support/processes.ts';
import { writeSheets } from './support/sheets.ts';
import { isInJob, jobsInQueue, leftOvers, TestRedis, WITH_REDIS } from './support/test-redis.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const ARGS = ['check', file('frames'), '--method', 'brute-force', '--cull', 'none'];

describe('what nobody planned for', WITH_REDIS, () => {
  beforeAll(() => writeSheets(file('frames'), 12, 24));

  test('a Redis that has lost all its data is told everything again', async () => {
    const redis = await TestRedis.start();
    const client = await redis.client();
    const worker = await startWorker(redis.url);
    const check = new Running([
      ...ARGS,
      '--queue',
      redis.url,
      '--job-frames',
      '2',
      '--json',
      file('many.json'),
    ]);
    await until(() => isInJob(client, worker.pid));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await client.send(['FLUSHALL']);
    await pliant([...ARGS, '--json', file('one.json')]);
    expect(await check.ended, check.stderr).toBe(1);
    expect(check.stderr).toMatch(/queue: 12 jobs by 1 worker, .*handed out again/);
    expect(readFileSync(file('many.json')).equals(readFileSync(file('one.json')))).toBe(true);
    expect(await leftOvers(client)).toEqual([]);
    client.disconnect();
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('of a check that was killed nothing stays: its jobs are dropped, its files expire', async () => {
    const redis = await TestRedis.start();
    const client = await redis.client();
    const worker = await startWorker(redis.url);
    const check = new Running([...ARGS, '--queue', redis.url, '--job-frames', '2']);
    await until(() => isInJob(client, worker.pid));
    check.kill('SIGKILL');
    await check.ended;
    const keys = (await client.send(['KEYS', 'pliant:check:*'])) as string[];
    const lives = await Promise.all(keys.map((key) => client.send(['TTL', key])));
    expect(keys.length).toBe(4);
    for (const seconds of lives) expect(seconds).toBeGreaterThan(0);
    await client.send(['DEL', keys.find((key) => key.endsWith(':alive'))!]); // a minute later
    await until(async () => Object.values(await jobsInQueue(client)).every((count) => count === 0));
    client.disconnect();
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('Ctrl-C while Redis is away ends the check and the worker', async () => {
    const redis = await TestRedis.start();
    const client = await redis.client();
    const worker = await startWorker(redis.url);
    const check = new Running([...ARGS, '--queue', redis.url, '--job-frames', '2']);
    await until(() => isInJob(client, worker.pid));
    client.disconnect();
    await redis.down('SIGTERM');
    const begin = Date.now();
    check.kill('SIGINT');
    expect(await check.ended).toBe(130);
    expect(Date.now() - begin).toBeLessThan(15_000);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(worker.stderr).toContain('Redis is away');
  });

  test('a Redis that is there and says nothing ends everything in time, and Ctrl-C is heard', async () => {
    const redis = await TestRedis.start();
    const client = await redis.client();
    const worker = await startWorker(redis.url, ['--queue-timeout', '2']);
    const args = [...ARGS, '--queue', redis.url, '--job-frames', '2', '--quiet'];
    const [patient, other] = [new Running(args), new Running([...args, '--queue-timeout', '2'])];
    await until(() => isInJob(client, worker.pid));
    await until(async () => ((await client.send(['KEYS', 'pliant:check:*:alive'])) as string[]).length === 2);
    redis.freeze();
    client.disconnect();
    patient.kill('SIGINT');
    expect(await patient.ended, patient.stderr).toBe(130);
    expect([await other.ended, other.stdout]).toEqual([2, '']);
    expect(other.stderr).toMatch(/^pliant: redis:.*: Redis cannot be reached for \d+ s: no answer\n$/);
    expect(await worker.ended).toBe(2);
  });

  test('a worker that finds Redis gone for too long ends', async () => {
    const redis = await TestRedis.start();
    const worker = await startWorker(redis.url, ['--queue-timeout', '1']);
    await redis.down('SIGTERM');
    expect(await worker.ended).toBe(2);
    expect(worker.stderr).toMatch(/Redis cannot be reached for \d s: nothing listens there\n$/);
  });
});
