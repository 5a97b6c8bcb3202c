import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pliant, temporaryFolder } from '../support/run.ts';
import { type Cut, CuttingProxy } from './support/cutting-proxy.ts';
import { Running, startWorker } from './support/processes.ts';
import { writeSheets } from './support/sheets.ts';
import { leftOvers, TestRedis, WITH_REDIS } from './support/test-redis.ts';

/** With PLIANT_FULL=1 every command of a check and of a worker is cut; else every few, and always INFO. */
const isFull = process.env.PLIANT_FULL !== undefined;
const STRIDE = isFull ? 1 : 13;
const AT_ONCE = isFull ? 4 : 8; // checks beside one another
const TIMEOUT = 10; // seconds: --queue-timeout
const WATCHDOG = 60_000; // milliseconds after which a command counts as hanging
const TIME = 1_200_000; // milliseconds, for the full run

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const FRAMES = ['check', file('frames'), '--job-frames', '2'];
let redis: TestRedis;
let expected: Buffer;
let checkCommands: readonly string[]; // of a whole check, without a cut
let workerCommands: readonly string[]; // of a worker, from its start until it has done that check's jobs and ended

describe('a connection to Redis that breaks at any command', WITH_REDIS, () => {
  beforeAll(async () => {
    redis = await TestRedis.start();
    writeSheets(file('frames'), 4, 6);
    expect((await pliant([...FRAMES.slice(0, 2), '--json', file('one.json')])).code).toBe(1);
    expected = readFileSync(file('one.json'));
    const [ours, theirs] = [await CuttingProxy.start(redis.port), await CuttingProxy.start(redis.port)];
    const worker = await startWorker(theirs.url, ['--queue-name', 'plain']);
    await expectExact(ours.url, 'plain');
    await end(worker);
    [checkCommands, workerCommands] = [ours.commands, theirs.commands];
    for (const list of [checkCommands, workerCommands]) expect(list).toContain('INFO');
  });

  test(
    'a check ends with the exact answer',
    async () => {
      const worker = await startWorker(redis.url, ['--lease', '1', '--queue-name', 'checks']);
      let cuts = 0;
      await forAll(cutsOf(checkCommands), async (cut) => {
        const proxy = await CuttingProxy.start(redis.port, cut);
        await expectExact(proxy.url, 'checks', nameOf(cut, checkCommands));
        cuts += proxy.cuts;
        proxy.close();
      });
      console.log(`${cuts} checks of ${checkCommands.length} commands were cut and gave the exact answer`);
      const client = await redis.client();
      expect(await leftOvers(client)).toEqual([]);
      client.disconnect();
      await end(worker);
    },
    TIME,
  );

  test(
    'a worker recovers and takes jobs',
    async () => {
      let cuts = 0;
      await forAll(cutsOf(workerCommands), async (cut) => {
        const queue = `worker-${cut.number}-${cut.when}`;
        const proxy = await CuttingProxy.start(redis.port, cut);
        const worker = await startWorker(proxy.url, ['--lease', '1', '--queue-name', queue]);
        await expectExact(redis.url, queue, nameOf(cut, workerCommands));
        await end(worker);
        cuts += proxy.cuts;
        proxy.close();
      });
      console.log(`${cuts} workers of ${workerCommands.length} commands were cut and did their jobs`);
    },
    TIME,
  );

  test(
    'a connection that always breaks ends a check in time, with an error',
    async () => {
      const worker = await startWorker(redis.url, ['--lease', '1', '--queue-name', 'hopeless']);
      const cuts = cutsOf(checkCommands.slice(4)).filter(({ when }) => when === 'before');
      await forAll(cuts, async ({ number }) => {
        const cut = { number: number + 4, when: 'before', isForGood: true } as const; // behind both greetings
        const proxy = await CuttingProxy.start(redis.port, cut);
        const args = ['--queue', proxy.url, '--queue-name', 'hopeless', '--queue-timeout', '1', '--quiet'];
        const check = new Running([...FRAMES, ...args]);
        const code = await endOf(check);
        if (number + 4 < checkCommands.length - 4) {
          expect([code, check.stdout], nameOf(cut, checkCommands)).toEqual([2, '']);
          expect(check.stderr).toMatch(/^pliant: redis:\/\/127\.0\.0\.1:\d+: .*Redis.* for \d s: .*\n$/);
        } else expect([1, 2]).toContain(code); // all answers may have been here
        proxy.close();
      });
      await end(worker);
    },
    TIME,
  );

  test(
    'Ctrl-C ends a check at any command, with a connection and without',
    async () => {
      const worker = await startWorker(redis.url, ['--lease', '1', '--queue-name', 'stopped']);
      await forAll(cutsOf(checkCommands), async ({ number, when }) => {
        const cut = when === 'after' ? undefined : { number, when, isForGood: true };
        const proxy = await CuttingProxy.start(redis.port, cut);
        const check = new Running([...FRAMES, '--queue', proxy.url, '--queue-name', 'stopped', '--quiet']);
        proxy.onCommand = (n) => {
          if (n === number) check.kill('SIGINT');
        };
        const isOver = number > checkCommands.length - 5; // then all answers may be here, or the signal late
        const ends: unknown[] = isOver ? [130, 'SIGINT', 1] : [130];
        expect(ends, `${number} ${when}: ${check.stderr}`).toContain(await endOf(check));
        proxy.close();
      });
      await end(worker);
    },
    TIME,
  );
});

function cutsOf(commands: readonly string[]): Cut[] {
  const numbers = commands.map((_, k) => k + 1);
  const chosen = numbers.filter((n) => n % STRIDE === 1 % STRIDE || commands[n - 1] === 'INFO');
  return chosen.flatMap((number) => (['before', 'after'] as const).map((when) => ({ number, when })));
}

function nameOf({ number, when }: Cut, commands: readonly string[]): string {
  return `cut ${when} command ${number}, ${commands[number - 1]}`;
}

/** Some at a time. */
async function forAll<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const takeTurns = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
}

let files = 0;

async function expectExact(url: string, queue: string, what = ''): Promise<void> {
  const json = file(`${files++}.json`);
  const limit = ['--queue-timeout', String(TIMEOUT)];
  const check = new Running([...FRAMES, '--queue', url, '--queue-name', queue, ...limit, '--json', json]);
  expect(await endOf(check), `${what}: ${check.stderr}`).toBe(1);
  expect(readFileSync(json).equals(expected), what).toBe(true);
}

/** The exit code, or 'hangs'. */
async function endOf(running: Running): Promise<unknown> {
  const watchdog = setTimeout(() => running.kill('SIGKILL'), WATCHDOG);
  const code = await running.ended;
  clearTimeout(watchdog);
  return code === 'SIGKILL' ? 'hangs' : code;
}

async function end(worker: Running): Promise<void> {
  worker.kill('SIGTERM');
  expect(await endOf(worker), worker.stderr).toBe(0);
}
