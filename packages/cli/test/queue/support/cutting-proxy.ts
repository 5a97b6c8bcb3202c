import { createHash } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll } from 'vitest';
import { encodeCommand, ReplyReader } from '../../../src/queue/resp.ts';

/** Where a proxy cuts a connection: at its `number`-th command, before or after Redis has carried it out. */
export interface Cut {
  readonly number: number;
  readonly when: 'before' | 'after';
  /** True: every later connection, too, is cut at its first command behind the greeting. */
  readonly isForGood?: boolean;
}

const started: CuttingProxy[] = [];
afterAll(() => {
  for (const proxy of started) proxy.close();
});

const BLOCKED = 100; // milliseconds after which a command that blocks counts as carried out
const GREETING = new Set(['AUTH', 'SELECT', 'CLIENT', 'PING']);

/** Stands between a command and Redis, reads along, and cuts one connection at a command of choice. */
export class CuttingProxy {
  readonly commands: string[] = []; // names of all commands so far, over all connections
  cuts = 0;
  onCommand: (number: number) => void = () => {};
  readonly #cut: Cut | undefined;
  readonly #server: Server;
  readonly #redisPort: number;
  readonly #sockets = new Set<Socket>();

  static async start(redisPort: number, cut?: Cut): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(redisPort, cut);
    started.push(proxy);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  private constructor(redisPort: number, cut: Cut | undefined) {
    this.#redisPort = redisPort;
    this.#cut = cut;
    this.#server = createServer((client) => this.#relay(client));
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #relay(client: Socket): void {
    const redis = connect(this.#redisPort, '127.0.0.1');
    const reader = new ReplyReader();
    const end = () => {
      for (const socket of [client, redis]) {
        socket.destroy();
        this.#sockets.delete(socket);
      }
    };
    for (const socket of [client.setNoDelay(true), redis.setNoDelay(true)]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    let isCut = false;
    client.on('data', (bytes) => {
      for (const command of reader.push(bytes) as Buffer[][]) {
        if (isCut) return;
        const when = this.#judge(command);
        isCut = when !== undefined;
        if (when === 'before') return end();
        redis.write(Buffer.concat(encodeCommand(command)));
        if (when === 'after') setTimeout(end, BLOCKED);
      }
    });
    redis.on('data', (bytes) => {
      if (isCut) setTimeout(end, 5);
      else client.write(bytes);
    });
  }

  #judge(command: readonly Buffer[]): Cut['when'] | undefined {
    const name = nameOf(command);
    this.commands.push(name);
    this.onCommand(this.commands.length);
    if (this.#cut === undefined) return undefined;
    const { number, when, isForGood = false } = this.#cut;
    const isLater = isForGood && this.cuts > 0 && !GREETING.has(name.split(' ')[0]);
    if (this.commands.length !== number && !isLater) return undefined;
    this.cuts++;
    return when;
  }
}

/** Scripts are told apart by their hash. */
function nameOf([first, second]: readonly Buffer[]): string {
  const name = first.toString().toUpperCase();
  if (name === 'CLIENT') return `${name} ${second}`;
  if (name === 'EVALSHA') return `EVAL ${second.toString('utf8', 0, 8)}`;
  return name === 'EVAL' ? `EVAL ${createHash('sha1').update(second).digest('hex').slice(0, 8)}` : name;
}
