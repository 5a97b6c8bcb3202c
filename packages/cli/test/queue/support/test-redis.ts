import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { findTool } from '../../../../../scripts/find-tools.mjs';
import { redisAddress } from '../../../src/queue/redis-address.ts';
import { RedisClient } from '../../../src/queue/redis-client.ts';

const { path: server } = await findTool('redis');
const { path: openssl } = await findTool('openssl');

export const OPENSSL = openssl ?? 'openssl';
const hasRedis = server !== undefined;

/** Options of tests that start a Redis: they are skipped where there is none. */
export const WITH_REDIS = { skip: !hasRedis, meta: { needs: 'redis' } } as const;

/** Options of tests that start a Redis and make a key for it. */
export const WITH_OPENSSL = hasRedis
  ? ({ skip: openssl === undefined, meta: { needs: 'openssl' } } as const)
  : WITH_REDIS;

const started: TestRedis[] = [];
afterAll(() => {
  for (const redis of started) redis.remove();
});

/** A Redis of our own, on a free port, with its data in a folder that is gone after the tests. */
export class TestRedis {
  readonly port: number;
  restarts = 0;
  readonly #args: readonly string[];
  readonly #folder: string;
  #process: ChildProcess | undefined;

  static async start(args: readonly string[] = []): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), args);
    started.push(redis);
    await redis.up();
    return redis;
  }

  private constructor(port: number, args: readonly string[]) {
    this.port = port;
    this.#args = args;
    this.#folder = mkdtempSync(join(tmpdir(), 'pliant-redis-test-'));
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Until it answers, or refuses us. */
  async up(): Promise<void> {
    const isOwn = this.#args.includes('--port');
    const port = isOwn ? [] : ['--port', String(this.port)];
    const data = ['--dir', this.#folder, '--save', '', '--appendonly', 'yes'];
    const args = this.#args.map((arg) => arg.replace('PORT', String(this.port)));
    this.#process = spawn(server!, [...port, '--bind', '127.0.0.1', ...data, ...args], {
      stdio: 'ignore',
    });
    if (isOwn) await pause(500);
    else await this.client().then((client) => client.disconnect(), ignorePassword);
  }

  async down(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#process!;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  /** It keeps its connections, and answers nothing any more. */
  freeze(): void {
    this.#process!.kill('SIGSTOP');
  }

  async restart(signal: 'SIGTERM' | 'SIGKILL', awayFor: number): Promise<void> {
    await this.down(signal);
    await pause(awayFor);
    await this.up();
    this.restarts++;
  }

  async client(url = this.url): Promise<RedisClient> {
    const address = await redisAddress(url, {});
    const client = new RedisClient(address, { first: 10_000, later: 10_000 }, 'test');
    await client.connect();
    return client;
  }

  remove(): void {
    this.#process?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function ignorePassword(error: Error): void {
  if (!/password/.test(error.message)) throw error;
}

/** True when the worker with this process number is in the middle of a job. */
export async function isInJob(client: RedisClient, pid: number): Promise<boolean> {
  const locks = (await client.send(['KEYS', 'pliant:frames-*:lock'])) as string[];
  const owners = await Promise.all(
    locks.map((key) => client.send(['HGET', key.slice(0, -':lock'.length), 'pb'])),
  );
  return owners.some((owner) => typeof owner === 'string' && owner.includes(`-${pid}-`));
}

/** Jobs of all states that are in the queue at this moment. */
export async function jobsInQueue(client: RedisClient): Promise<Record<string, number>> {
  const [name] = ((await client.send(['KEYS', 'pliant:frames-*:meta'])) as string[]).map((key) =>
    key.slice(0, -':meta'.length),
  );
  const sizes = async (kind: string, ...states: string[]) =>
    Promise.all(
      states.map(async (state) => [state, Number(await client.send([kind, `${name}:${state}`]))] as const),
    );
  return Object.fromEntries([
    ...(await sizes('LLEN', 'wait', 'active', 'paused')),
    ...(await sizes('ZCARD', 'delayed', 'failed', 'completed', 'prioritized')),
  ]);
}

/** What checks have left in Redis: their keys, and jobs. Jobs that a worker has at the moment take a little longer. */
export async function leftOvers(client: RedisClient): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    const keys = (await client.send(['KEYS', '*'])) as string[];
    const jobs = keys.filter((key) => /:frames-[^:]*:[0-9a-f]{16}-\d+/.test(key));
    const left = [...keys.filter((key) => key.includes(':check:')), ...jobs];
    if (left.length === 0 || tries === 40) return left;
    await pause(100);
  }
}
