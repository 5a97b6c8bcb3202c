import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { IRedisClient, IRedisTransaction } from 'bullmq';
import { Batch, type Fields, record, type Script, scriptArguments } from './bullmq-batch.ts';
import { RedisClient } from './redis-client.ts';
import { type Argument, RedisError, type Reply } from './resp.ts';

/** Our connection, with the commands that BullMQ asks of one. */
export class BullClient extends RedisClient implements IRedisClient {
  readonly isCluster = false;
  readonly options: Record<string, unknown> = {};
  readonly #scripts = new Map<string, Script>();
  readonly #copies: BullClient[] = [];

  duplicate(overrides: { connectionName?: string } = {}): BullClient {
    const copy = new BullClient(this.address, this.patience, overrides.connectionName ?? this.name);
    this.#copies.push(copy);
    return copy;
  }

  /** With all duplicates, whoever made them. */
  disconnectAll(): void {
    for (const copy of this.#copies) copy.disconnectAll();
    this.disconnect();
  }

  defineCommand(name: string, { lua, numberOfKeys }: { lua: string; numberOfKeys: number }): void {
    const sha = createHash('sha1').update(lua).digest('hex');
    this.#scripts.set(name, { lua, sha, numberOfKeys });
    Object.assign(this, { [name]: true }); // so it is not defined again
  }

  /** By its hash; Redis forgets scripts when it restarts. */
  // biome-ignore lint/suspicious/noExplicitAny: as BullMQ declares it
  async runCommand(name: string, args: any[]): Promise<any> {
    const script = this.#script(name);
    try {
      return await this.send(['EVALSHA', script.sha, script.numberOfKeys, ...scriptArguments(args)]);
    } catch (error) {
      if (!(error instanceof RedisError && error.message.startsWith('NOSCRIPT'))) throw error;
      return await this.send(['EVAL', script.lua, script.numberOfKeys, ...scriptArguments(args)]);
    }
  }

  multi(): IRedisTransaction {
    return new Batch(this, (name) => this.#script(name), true);
  }

  pipeline(): IRedisTransaction {
    return new Batch(this, (name) => this.#script(name), false);
  }

  async hgetall(key: string): Promise<Record<string, string>> {
    return record(await this.send(['HGETALL', key]));
  }

  async hget(key: string, field: string): Promise<string | null> {
    return (await this.send(['HGET', key, field])) as string | null;
  }

  async hmget(key: string, ...fields: string[]): Promise<(string | null)[]> {
    return (await this.send(['HMGET', key, ...fields])) as (string | null)[];
  }

  async hset(key: string, data: Fields): Promise<number> {
    return (await this.send(['HSET', key, ...Object.entries(data).flat()])) as number;
  }

  async hdel(key: string, ...fields: string[]): Promise<number> {
    return (await this.send(['HDEL', key, ...fields])) as number;
  }

  async hexists(key: string, field: string): Promise<number> {
    return (await this.send(['HEXISTS', key, field])) as number;
  }

  async get(key: string): Promise<string | null> {
    return (await this.send(['GET', key])) as string | null;
  }

  async set(
    key: string,
    value: string | number,
    { PX, EX }: { PX?: number; EX?: number } = {},
  ): Promise<string> {
    const expiry = PX !== undefined ? ['PX', PX] : EX !== undefined ? ['EX', EX] : [];
    return (await this.send(['SET', key, value, ...expiry])) as string;
  }

  async del(...keys: string[]): Promise<number> {
    return keys.length === 0 ? 0 : ((await this.send(['DEL', ...keys])) as number);
  }

  zrange(key: string, start: number, end: number, options: { WITHSCORES?: boolean } = {}): Promise<string[]> {
    return this.#list(['ZRANGE', key, start, end, ...(options.WITHSCORES ? ['WITHSCORES'] : [])]);
  }

  zrevrange(
    key: string,
    start: number,
    end: number,
    options: { WITHSCORES?: boolean } = {},
  ): Promise<string[]> {
    return this.#list(['ZREVRANGE', key, start, end, ...(options.WITHSCORES ? ['WITHSCORES'] : [])]);
  }

  async zcard(key: string): Promise<number> {
    return (await this.send(['ZCARD', key])) as number;
  }

  async zscore(key: string, member: string): Promise<string | null> {
    return (await this.send(['ZSCORE', key, member])) as string | null;
  }

  lrange(key: string, start: number, end: number): Promise<string[]> {
    return this.#list(['LRANGE', key, start, end]);
  }

  async llen(key: string): Promise<number> {
    return (await this.send(['LLEN', key])) as number;
  }

  async ltrim(key: string, start: number, end: number): Promise<string> {
    return (await this.send(['LTRIM', key, start, end])) as string;
  }

  async lpos(key: string, value: string): Promise<number | null> {
    return (await this.send(['LPOS', key, value])) as number | null;
  }

  smembers(key: string): Promise<string[]> {
    return this.#list(['SMEMBERS', key]);
  }

  async xadd(
    key: string,
    id: string,
    fields: Fields,
    options: { MAXLEN?: number; approximate?: boolean } = {},
  ): Promise<string> {
    const { MAXLEN, approximate } = options;
    const limit = MAXLEN === undefined ? [] : ['MAXLEN', ...(approximate ? ['~'] : []), MAXLEN];
    return (await this.send(['XADD', key, ...limit, id, ...Object.entries(fields).flat()])) as string;
  }

  xread(
    streams: { key: string; id: string }[],
    { BLOCK, COUNT }: { BLOCK?: number; COUNT?: number } = {},
  ): Promise<Reply> {
    const count = COUNT === undefined ? [] : ['COUNT', COUNT];
    const block = BLOCK === undefined ? [] : ['BLOCK', BLOCK];
    const names = [...streams.map(({ key }) => key), ...streams.map(({ id }) => id)];
    return this.send(['XREAD', ...count, ...block, 'STREAMS', ...names], BLOCK);
  }

  async xtrim(
    key: string,
    strategy: 'MAXLEN',
    threshold: number,
    { approximate }: { approximate?: boolean } = {},
  ): Promise<number> {
    return (await this.send(['XTRIM', key, strategy, ...(approximate ? ['~'] : []), threshold])) as number;
  }

  async bzpopmin(key: string, timeout: number): Promise<[string, string, string] | null> {
    return (await this.send(['BZPOPMIN', key, timeout], 1000 * timeout)) as [string, string, string] | null;
  }

  /** Repeated until it is answered: BullMQ asks once, and would keep a failure for good. */
  async info(): Promise<string> {
    return (await this.persist(() => this.send(['INFO']))) as string;
  }

  clientSetName(name: string): Promise<Reply> {
    return this.send(['CLIENT', 'SETNAME', name]);
  }

  async clientList(): Promise<string> {
    return (await this.send(['CLIENT', 'LIST'])) as string;
  }

  async clientInfo(): Promise<string> {
    return (await this.send(['CLIENT', 'INFO'])) as string;
  }

  async scan(
    cursor: string | number,
    { MATCH, COUNT }: { MATCH?: string; COUNT?: number },
  ): Promise<[string, string[]]> {
    const match = MATCH === undefined ? [] : ['MATCH', MATCH];
    const count = COUNT === undefined ? [] : ['COUNT', COUNT];
    return (await this.send(['SCAN', cursor, ...match, ...count])) as [string, string[]];
  }

  scanStream({ match, count }: { match: string; count?: number }): Readable {
    const scan = this.scan.bind(this);
    async function* pages() {
      for (let cursor = ''; cursor !== '0'; ) {
        const [next, keys] = await scan(cursor || '0', { MATCH: match, COUNT: count });
        cursor = next;
        yield keys;
      }
    }
    return Readable.from(pages(), { objectMode: true });
  }

  async #list(args: Argument[]): Promise<string[]> {
    return (await this.send(args)) as string[];
  }

  #script(name: string): Script {
    const script = this.#scripts.get(name);
    if (script === undefined) throw new Error(`BullMQ: unknown command "${name}"`);
    return script;
  }
}
