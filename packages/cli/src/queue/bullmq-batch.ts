import type { IRedisTransaction } from 'bullmq';
import type { RedisClient } from './redis-client.ts';
import { type Argument, RedisError, type Reply } from './resp.ts';

/** A program that runs within Redis. */
export interface Script {
  readonly lua: string;
  readonly sha: string;
  readonly numberOfKeys: number;
}

export type Fields = Record<string, string | number>;

/** Commands that are sent together; as a transaction, they are carried out together or not at all. */
export class Batch implements IRedisTransaction {
  readonly #client: RedisClient;
  readonly #script: (name: string) => Script;
  readonly #isTransaction: boolean;
  readonly #commands: Argument[][] = [];

  constructor(client: RedisClient, script: (name: string) => Script, isTransaction: boolean) {
    this.#client = client;
    this.#script = script;
    this.#isTransaction = isTransaction;
  }

  hgetall(key: string): this {
    return this.#add(['HGETALL', key]);
  }

  hset(key: string, data: Fields): this {
    return this.#add(['HSET', key, ...Object.entries(data).flat()]);
  }

  hscan(key: string, cursor: string | number, { COUNT }: { COUNT?: number } = {}): this {
    return this.#add(['HSCAN', key, cursor, ...(COUNT === undefined ? [] : ['COUNT', COUNT])]);
  }

  smembers(key: string): this {
    return this.#add(['SMEMBERS', key]);
  }

  sscan(key: string, cursor: string | number, { COUNT }: { COUNT?: number } = {}): this {
    return this.#add(['SSCAN', key, cursor, ...(COUNT === undefined ? [] : ['COUNT', COUNT])]);
  }

  zrange(key: string, start: number, end: number): this {
    return this.#add(['ZRANGE', key, start, end]);
  }

  lrange(key: string, start: number, end: number): this {
    return this.#add(['LRANGE', key, start, end]);
  }

  llen(key: string): this {
    return this.#add(['LLEN', key]);
  }

  del(...keys: string[]): this {
    return keys.length === 0 ? this : this.#add(['DEL', ...keys]);
  }

  // biome-ignore lint/suspicious/noExplicitAny: as BullMQ declares it
  runCommand(name: string, args: any[]): this {
    const { lua, numberOfKeys } = this.#script(name);
    return this.#add(['EVAL', lua, numberOfKeys, ...scriptArguments(args)]); // by hash it could fail half-way
  }

  // biome-ignore lint/suspicious/noExplicitAny: as BullMQ declares it
  async exec(): Promise<[Error | null, any][] | null> {
    if (this.#commands.length === 0) return [];
    const all = this.#isTransaction ? [['MULTI'], ...this.#commands, ['EXEC']] : this.#commands;
    const settled = await Promise.allSettled(all.map((args) => this.#client.send(args)));
    const last = settled.at(-1)!;
    if (!this.#isTransaction) return settled.map((one, k) => this.#answer(one, k));
    if (last.status === 'rejected') throw last.reason;
    if (last.value === null) return null;
    return (last.value as Reply[]).map((value, k) => this.#answer({ status: 'fulfilled', value }, k));
  }

  #answer(settled: PromiseSettledResult<Reply>, k: number): [Error | null, unknown] {
    if (settled.status === 'rejected') return [settled.reason, null];
    if (settled.value instanceof RedisError) return [settled.value, null];
    return [null, this.#commands[k][0] === 'HGETALL' ? record(settled.value) : settled.value];
  }

  #add(args: Argument[]): this {
    this.#commands.push(args);
    return this;
  }
}

/** As they are when they are bytes; nothing is an empty text. */
export function scriptArguments(args: readonly unknown[]): Argument[] {
  const list = args.length === 1 && Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  return list.map((arg) => (arg instanceof Uint8Array ? arg : String(arg ?? '')));
}

export function record(reply: Reply): Record<string, string> {
  const list = reply as string[];
  const entries: Record<string, string> = {};
  for (let k = 0; k < list.length; k += 2) entries[list[k]] = list[k + 1];
  return entries;
}
