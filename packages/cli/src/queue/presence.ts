import type { RedisClient } from './redis-client.ts';

/** Who is there: a sorted set of descriptions, by when Redis last heard of them. Its clock counts, not ours. */
export interface Presence {
  readonly id: string;
  readonly release: string;
  readonly threads: number; // of a worker
}

const GONE_AFTER = 15; // seconds of silence
export const HEARTBEAT = 3_000; // milliseconds

const ANNOUNCE = `
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[2]))
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('EXPIRE', KEYS[1], 3600)`;

const LIST = `
local now = tonumber(redis.call('TIME')[1])
return redis.call('ZRANGEBYSCORE', KEYS[1], now - tonumber(ARGV[1]), '+inf')`;

export async function announce(client: RedisClient, key: string, presence: Presence): Promise<void> {
  await client.send(['EVAL', ANNOUNCE, 1, key, JSON.stringify(presence), GONE_AFTER]);
}

export async function takeLeave(client: RedisClient, key: string, presence: Presence): Promise<void> {
  await client.send(['ZREM', key, JSON.stringify(presence)]);
}

export async function listPresent(client: RedisClient, key: string): Promise<Presence[]> {
  const texts = (await client.send(['EVAL', LIST, 1, key, GONE_AFTER])) as string[];
  return texts.map((text) => JSON.parse(text) as Presence);
}

/** Calls `beat` now and then, as long as it is not stopped. What goes wrong is found out elsewhere. */
export function startHeartbeat(beat: () => Promise<unknown>): () => void {
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    beat()
      .catch(() => {})
      .finally(() => {
        isBusy = false;
      });
  }, HEARTBEAT);
  return () => clearInterval(timer);
}
