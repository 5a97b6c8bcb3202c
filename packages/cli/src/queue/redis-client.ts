import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { CommandError } from '../command-error.ts';
import { reasonOf } from '../scene/read-file.ts';
import type { RedisAddress } from './redis-address.ts';
import { type Argument, asText, encodeCommand, RedisError, type Reply, ReplyReader } from './resp.ts';

/** How long Redis may be away, in milliseconds, before everything that waits for it fails. */
export interface Patience {
  readonly first: number; // until it answers for the first time
  readonly later: number;
}

/** `ready` may be lost and found again; `end` is for good, unless somebody connects anew. */
export type ClientStatus = 'wait' | 'connecting' | 'ready' | 'reconnecting' | 'end';

/** The connection broke while a command was under way: it may or may not have been carried out. BullMQ knows the text. */
export class ConnectionLost extends Error {
  override readonly name: string = 'ConnectionLost';

  constructor() {
    super('Connection is closed.');
  }
}

/** We have closed it ourselves: trying again is of no use. */
export class ConnectionEnded extends ConnectionLost {
  override readonly name = 'ConnectionEnded';
}

/** Redis was away, or the connection broke again and again, for longer than our patience. */
export class ConnectionFailed extends CommandError {
  constructor(label: string, since: number, reason: string) {
    const seconds = Math.round((Date.now() - since) / 1000);
    super(`${label}: Redis cannot be reached for ${seconds} s: ${reason}`);
  }
}

interface Command {
  readonly pieces: readonly Uint8Array[];
  readonly isRaw: boolean;
  readonly budget: number; // milliseconds
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
  since: number; // when it became the next to be answered
}

const CONNECTING = 5_000; // milliseconds for one try
const ANSWERING = 20_000; // milliseconds for a command, …
const SLOWEST = 50; // … and bytes per millisecond on top
const BACK_OFF = [50, 100, 200, 500, 1_000]; // milliseconds between tries
const STEADY = 5_000; // milliseconds after which a connection counts as whole, even if nothing was asked
const REPEAT_AFTER = 50; // milliseconds
const BREAKS = 'the connection breaks again and again';
const NOT_YET = /^(LOADING|MASTERDOWN|BUSY|TRYAGAIN) /;
const NOT_US = /^(WRONGPASS|NOAUTH|NOPERM|ERR .*(AUTH|password|invalid DB|DB index))/i;
const BAD_CERTIFICATE = /CERT|SIGNATURE|ERR_TLS|ERR_SSL|EPROTO/;

/**
 * One connection to Redis. Commands wait while it is away, and it is looked for until our patience ends. Commands that
 * were under way when it broke fail with `ConnectionLost`: only who sent them knows whether they can be repeated.
 */
export class RedisClient extends EventEmitter {
  status: ClientStatus = 'wait';
  readonly address: RedisAddress;
  readonly patience: Patience;
  readonly name: string;

  #socket: Socket | undefined;
  #reader = new ReplyReader();
  #sent: Command[] = [];
  #waiting: Command[] = [];
  #wasReady = false;
  #readySince = 0;
  #hasAnswered = false; // anything behind the greeting, over this connection
  #awaySince: number | undefined; // since when nothing but greetings has been answered
  #tries = 0;
  #reason = 'no answer';
  #end: Error | undefined;
  #retry: NodeJS.Timeout | undefined;
  #watchdog: NodeJS.Timeout | undefined;

  constructor(address: RedisAddress, patience: Patience, name: string) {
    super();
    this.address = address;
    this.patience = patience;
    this.name = name;
    this.on('error', () => {}); // told to those who wait
  }

  /** Resolves when Redis answers. */
  connect(): Promise<void> {
    if (this.status === 'ready') return Promise.resolve();
    const isIdle = this.status === 'wait' || this.status === 'end';
    const done = new Promise<void>((resolve, reject) => {
      const settle = () => {
        this.off('ready', settle).off('end', settle);
        if (this.status === 'ready') resolve();
        else reject(this.#end ?? new ConnectionEnded());
      };
      this.on('ready', settle).on('end', settle);
    });
    if (isIdle) {
      this.#end = undefined;
      this.#awaySince = Date.now();
      this.#tries = 0;
      this.#open();
    }
    return done;
  }

  /** `milliseconds`: how long the command itself may block. */
  send(args: readonly Argument[], milliseconds = 0): Promise<Reply> {
    return this.#send(args, false, milliseconds);
  }

  /** The same, with texts as bytes. */
  sendRaw(args: readonly Argument[], milliseconds = 0): Promise<Reply> {
    return this.#send(args, true, milliseconds);
  }

  /**
   * Does something again when the connection broke in between; so it must do no harm twice. Fails when it has not
   * succeeded by the end of our patience, although Redis may answer other commands.
   */
  async persist<Result>(action: () => Promise<Result>): Promise<Result> {
    let since: number | undefined;
    for (;;) {
      try {
        return await action();
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        if (this.status === 'end') throw this.#end ?? new ConnectionEnded();
        since ??= Date.now();
        if (Date.now() - since >= this.patience.later) {
          throw new ConnectionFailed(this.address.label, since, BREAKS);
        }
        await pause(REPEAT_AFTER);
      }
    }
  }

  /** At once; what is under way fails. */
  disconnect(reconnect = false): void {
    if (reconnect) {
      this.#socket?.destroy();
      return;
    }
    this.#finish(undefined);
  }

  /** Once everything that was sent is answered. */
  async quit(): Promise<string> {
    if (this.status === 'ready') await this.send(['QUIT']).catch(() => {});
    this.disconnect();
    return 'OK';
  }

  #send(args: readonly Argument[], isRaw: boolean, milliseconds: number): Promise<Reply> {
    if (this.status === 'end') return Promise.reject(this.#end ?? new ConnectionEnded());
    return new Promise((resolve, reject) => {
      const pieces = encodeCommand(args);
      const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
      const budget = Math.min(ANSWERING, this.patience.later) + milliseconds + bytes / SLOWEST;
      const command = { pieces, isRaw, budget, resolve, reject, since: 0 };
      if (this.status === 'ready') this.#write(command);
      else this.#waiting.push(command);
      if (this.status === 'wait') this.connect().catch(() => {});
    });
  }

  #write(command: Command): void {
    const socket = this.#socket!;
    if (this.#sent.length === 0) command.since = Date.now();
    this.#sent.push(command);
    socket.cork();
    for (const piece of command.pieces) socket.write(piece);
    process.nextTick(() => socket.uncork());
  }

  #open(): void {
    const { host, port, tls } = this.address;
    this.status = this.#wasReady ? 'reconnecting' : 'connecting';
    this.#reader = new ReplyReader();
    const socket = tls ? connectSecurely({ ...tls, host, port }) : connect({ host, port });
    this.#socket = socket;
    const limit = Math.max(50, Math.min(CONNECTING, this.#timeLeft()));
    const timer = setTimeout(() => {
      this.#reason = 'no answer';
      socket.destroy();
    }, limit);
    socket.setNoDelay(true).setKeepAlive(true, 10_000);
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      this.#greet().then(
        () => clearTimeout(timer),
        (error) => {
          this.#judge(error);
          socket.destroy();
        },
      );
    });
    socket.on('data', (piece) => this.#receive(piece, socket));
    socket.on('error', (error) => this.#judge(error));
    socket.on('close', () => {
      clearTimeout(timer);
      if (this.#socket === socket) this.#lose();
    });
  }

  async #greet(): Promise<void> {
    const { username, password, database } = this.address;
    const hello: string[][] = [];
    if (password !== undefined) hello.push(['AUTH', ...(username === undefined ? [] : [username]), password]);
    if (database > 0) hello.push(['SELECT', String(database)]);
    hello.push(['CLIENT', 'SETNAME', this.name.replace(/[^!-~]/g, '_')], ['PING']);
    const answers = hello.map(
      (args) =>
        new Promise<Reply>((resolve, reject) => {
          const pieces = encodeCommand(args);
          this.#write({ pieces, isRaw: false, budget: CONNECTING, resolve, reject, since: 0 });
        }),
    );
    const settled = await Promise.allSettled(answers);
    const failed = settled.find((one, k) => one.status === 'rejected' && hello[k][0] !== 'CLIENT');
    if (failed?.status === 'rejected') throw failed.reason;
    this.status = 'ready';
    this.#wasReady = true;
    this.#readySince = Date.now();
    this.#hasAnswered = false;
    this.#watchdog = setInterval(() => this.#watch(), 1_000).unref();
    for (const command of this.#waiting.splice(0)) this.#write(command);
    this.emit('ready');
  }

  #receive(piece: Buffer, socket: Socket): void {
    if (this.#socket !== socket) return;
    try {
      for (const reply of this.#reader.push(piece)) {
        const command = this.#sent.shift();
        if (command === undefined) throw new Error('this does not answer as Redis does');
        if (this.#sent.length > 0) this.#sent[0].since = Date.now();
        if (this.status === 'ready') this.#hasAnswered = true;
        if (reply instanceof RedisError) command.reject(reply);
        else command.resolve(command.isRaw ? reply : asText(reply));
      }
    } catch (error) {
      this.#judge(error);
      socket.destroy();
    }
  }

  /** Remembers why it does not work; some things do not get better by trying again. */
  #judge(error: unknown): void {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (error instanceof ConnectionLost) return;
    this.#reason = describe(error);
    if (error instanceof RedisError && NOT_YET.test(message)) this.#reason = 'it is still loading its data';
    else if (error instanceof RedisError && NOT_US.test(message)) this.#finish(this.#refusal(message));
    else if (BAD_CERTIFICATE.test(code)) {
      this.#finish(new CommandError(`${this.address.label}: TLS does not come about: ${message}`));
    }
    this.emit('error', error instanceof Error ? error : new Error(String(error)));
  }

  #refusal(message: string): CommandError {
    const { label, password } = this.address;
    if (/^ERR .*DB/i.test(message)) return new CommandError(`${label}: there is no such database`);
    if (password === undefined) {
      return new CommandError(`${label}: Redis wants a password; PLIANT_QUEUE_PASSWORD can hold it`);
    }
    return new CommandError(`${label}: Redis refuses this user and password`);
  }

  #lose(): void {
    this.#socket = undefined;
    clearInterval(this.#watchdog);
    const lost = this.#sent.splice(0);
    if (this.status === 'end') return;
    if (this.status === 'ready' && (this.#hasAnswered || Date.now() - this.#readySince >= STEADY)) {
      this.#awaySince = undefined;
      this.#tries = 0;
    } else if (this.status === 'ready') this.#reason = BREAKS;
    this.status = 'reconnecting';
    this.#awaySince ??= Date.now();
    for (const command of lost) command.reject(new ConnectionLost());
    this.emit('close');
    const left = this.#timeLeft();
    if (left <= 0) {
      this.#finish(new ConnectionFailed(this.address.label, this.#awaySince, this.#reason));
      return;
    }
    const pause = BACK_OFF[Math.min(this.#tries++, BACK_OFF.length - 1)];
    this.#retry = setTimeout(() => this.#open(), Math.min(pause, left));
  }

  #timeLeft(): number {
    const patience = this.#wasReady ? this.patience.later : this.patience.first;
    return patience - (Date.now() - (this.#awaySince ?? Date.now()));
  }

  #finish(error: Error | undefined): void {
    if (this.status === 'end') return;
    this.status = 'end';
    this.#end = error;
    clearTimeout(this.#retry);
    clearInterval(this.#watchdog);
    this.#socket?.destroy();
    this.#socket = undefined;
    for (const command of [...this.#sent.splice(0), ...this.#waiting.splice(0)]) {
      command.reject(error ?? new ConnectionEnded());
    }
    if (error) this.emit('lost', error);
    this.emit('close');
    this.emit('end');
  }

  #watch(): void {
    const [command] = this.#sent;
    if (command === undefined || Date.now() - command.since <= command.budget) return;
    this.#reason = 'no answer';
    this.#socket?.destroy();
  }
}

function describe(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no machine has this name';
  if (code === 'ECONNRESET') return 'the connection was closed';
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'no answer';
  const nested = (error as AggregateError).errors?.[0]; // one for each address of a name
  return nested === undefined ? reasonOf(error) : describe(nested);
}
