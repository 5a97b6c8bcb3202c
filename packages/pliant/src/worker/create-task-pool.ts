import { type TaskKind, type TaskOptions, type TaskPool, WorkerStopped } from '../long-work/task-pool.ts';
import { checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { nodeModule, type WorkerThreads } from './node-module.ts';
import type { ThreadWorker } from './start-worker.ts';
import { type FromWorker, NOTHING_SHARED, type ToWorker, unpackError } from './task-protocol.ts';

export interface TaskPoolOptions {
  /** How many workers. Default: as many as the machine has threads. */
  threads?: number;
  /** Makes a worker that runs `pliant/task.worker`. Default: started from beside this module. */
  createWorker?: () => ThreadWorker;
}

const MOST_THREADS = 64;

/**
 * Starts workers for long preparations, and waits until they are there. Errors: 'bad-option', and 'unsupported' where
 * workers cannot be had.
 */
export async function createTaskPool(options: TaskPoolOptions = {}): Promise<TaskPool> {
  checkObject('options', options);
  const { threads = hardwareThreads(), createWorker } = options;
  if (!(Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS)) {
    throw new InputError(
      'bad-option',
      `threads must be a whole number from 1 to ${MOST_THREADS}, not ${describe(threads)}`,
    );
  }
  if (createWorker !== undefined && typeof createWorker !== 'function') {
    throw new InputError('bad-option', `createWorker must be a function, not ${describe(createWorker)}`);
  }
  const pool = new WorkerTaskPool(threads, createWorker ?? platformWorkers());
  try {
    await pool.start();
  } catch (error) {
    pool.dispose();
    throw error;
  }
  return pool;
}

interface Task {
  readonly kind: string;
  readonly input: unknown;
  readonly shared: unknown;
  readonly onProgress: ((...values: never[]) => void) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

class WorkerTaskPool implements TaskPool {
  readonly threads: number;
  readonly #createWorker: () => ThreadWorker;
  readonly #workers = new Set<PoolWorker>();
  readonly #waiting: Task[] = [];
  readonly #keys = new WeakMap<object, number>(); // of what is shared
  #nextKey = 0;
  #isDisposed = false;

  constructor(threads: number, createWorker: () => ThreadWorker) {
    this.threads = threads;
    this.#createWorker = createWorker;
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.threads }, () => this.#add().started));
  }

  run<Input, Result, Shared>(
    kind: TaskKind<Input, Result, Shared>,
    input: Input,
    options: TaskOptions<Shared> = {},
  ): Promise<Result> {
    const { signal, onProgress, shared } = options;
    return new Promise<Result>((resolve, reject) => {
      if (this.#isDisposed) throw new InputError('disposed', 'this pool has been disposed of');
      if (signal !== undefined && typeof signal?.aborted !== 'boolean') {
        throw new InputError('bad-option', `signal must be an AbortSignal, not ${describe(signal)}`);
      }
      signal?.throwIfAborted();
      const abort = () => this.#cancel(task, signal?.reason);
      const end = () => signal?.removeEventListener('abort', abort);
      const task: Task = {
        kind: kind.name,
        input,
        shared,
        onProgress,
        resolve: (result) => {
          end();
          resolve(result as Result);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      signal?.addEventListener('abort', abort);
      this.#waiting.push(task);
      this.#deal();
    });
  }

  release(shared: unknown): void {
    const key = this.#keys.get(shared as object);
    if (key !== undefined) for (const worker of this.#workers) worker.forget(key);
  }

  dispose(): void {
    this.#isDisposed = true;
    const tasks = this.#waiting.splice(0);
    for (const worker of this.#workers) {
      worker.end();
      if (worker.task) tasks.push(worker.task);
    }
    this.#workers.clear();
    for (const task of tasks) task.reject(new InputError('disposed', 'the pool was disposed of'));
  }

  /** Whoever has nothing to do takes the task that waits longest; workers that were lost are replaced. */
  #deal(): void {
    while (this.#waiting.length > 0) {
      const idle = [...this.#workers].find(({ task }) => task === undefined);
      if (idle === undefined && this.#workers.size === this.threads) return;
      const task = this.#waiting.shift()!;
      try {
        (idle ?? this.#add()).begin(task, this.#keyOf(task.shared));
      } catch (error) {
        task.reject(error); // no worker to be had
      }
    }
  }

  #add(): PoolWorker {
    const worker: PoolWorker = new PoolWorker(this.#createWorker(), {
      settled: () => this.#deal(),
      lost: () => {
        this.#workers.delete(worker);
        this.#deal();
      },
    });
    this.#workers.add(worker);
    return worker;
  }

  #keyOf(shared: unknown): number {
    if (typeof shared !== 'object' || shared === null) return NOTHING_SHARED;
    let key = this.#keys.get(shared);
    if (key === undefined) {
      key = this.#nextKey++;
      this.#keys.set(shared, key);
    }
    return key;
  }

  /** Work cannot be interrupted from outside, so its worker goes with it. */
  #cancel(task: Task, reason: unknown): void {
    const place = this.#waiting.indexOf(task);
    if (place >= 0) this.#waiting.splice(place, 1);
    const worker = [...this.#workers].find((candidate) => candidate.task === task);
    if (worker) {
      worker.end();
      this.#workers.delete(worker);
    }
    task.reject(reason);
    this.#deal();
  }
}

interface PoolWorkerEvents {
  /** It has finished a task. */
  settled(): void;
  /** It has ended. */
  lost(): void;
}

/** One worker and the task it has. */
class PoolWorker {
  task: Task | undefined;
  /** Settled when it is there, or will never be. */
  readonly started: Promise<void>;
  readonly #worker: NodeOrWebWorker;
  readonly #events: PoolWorkerEvents;
  readonly #shared = new Set<number>();
  #start!: { done: () => void; failed: (error: Error) => void };
  #unsent: (() => void) | undefined; // the task it got before it was there
  #isThere = false;
  #hasEnded = false;

  constructor(worker: ThreadWorker, events: PoolWorkerEvents) {
    this.#worker = worker as NodeOrWebWorker;
    this.#events = events;
    this.started = new Promise((done, failed) => {
      this.#start = { done, failed };
    });
    this.started.catch(() => {}); // its task is told as well
    listen(this.#worker, {
      message: (message) => this.#receive(message as FromWorker),
      ended: (why) => this.#lose(why),
    });
  }

  /**
   * Before it is there it is sent nothing: what it dies of could arrive ahead of its first message, and would be taken
   * for a worker that did not start.
   */
  begin(task: Task, key: number): void {
    this.task = task;
    this.#worker.ref?.(); // a Node process waits for what is being done, not for idle workers
    if (this.#isThere) this.#send(task, key);
    else this.#unsent = () => this.#send(task, key);
  }

  forget(key: number): void {
    if (this.#shared.delete(key)) this.#worker.postMessage({ type: 'forget', key } satisfies ToWorker);
  }

  end(): void {
    this.#hasEnded = true;
    this.#worker.terminate();
  }

  #send(task: Task, key: number): void {
    const { kind, input, shared } = task;
    try {
      if (key !== NOTHING_SHARED && !this.#shared.has(key)) {
        this.#worker.postMessage({ type: 'share', key, value: shared } satisfies ToWorker);
        this.#shared.add(key);
      }
      this.#worker.postMessage({ type: 'run', kind, input, shared: key } satisfies ToWorker);
    } catch (error) {
      this.#settle();
      task.reject(error); // input that cannot be sent
      this.#events.settled();
    }
  }

  #settle(): void {
    this.task = undefined;
    this.#worker.unref?.();
  }

  #receive(message: FromWorker): void {
    if (this.#hasEnded) return;
    const { task } = this;
    if (message.type === 'ready') {
      this.#isThere = true;
      this.#start.done();
      if (!task) this.#worker.unref?.();
      this.#unsent?.();
      this.#unsent = undefined;
    } else if (task === undefined) return;
    else if (message.type === 'progress') this.#report(task, message.values);
    else {
      this.#settle();
      if (message.type === 'done') task.resolve(message.result);
      else task.reject(unpackError(message.error));
      this.#events.settled();
    }
  }

  /** Who throws from `onProgress` ends the work, as on this thread. */
  #report(task: Task, values: readonly unknown[]): void {
    try {
      task.onProgress?.(...(values as never[]));
    } catch (error) {
      this.end();
      task.reject(error);
      this.#events.lost();
    }
  }

  #lose(why: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#worker.terminate();
    const error = this.#isThere
      ? new WorkerStopped(`a worker stopped during '${this.task?.kind ?? 'nothing'}': ${why}`)
      : new InputError('unsupported', `a worker did not start: ${why}`);
    this.#start.failed(error);
    this.task?.reject(error);
    this.#events.lost();
  }
}

/** What Node's workers and those of browsers have, each its own half. */
interface NodeOrWebWorker extends ThreadWorker {
  on?: (event: string, then: (value: unknown) => void) => void;
  ref?: () => void;
  unref?: () => void;
  onmessage?: (event: { data: unknown }) => void;
  onmessageerror?: () => void;
  onerror?: (event: { message?: string; preventDefault?: () => void }) => void;
}

function listen(
  worker: NodeOrWebWorker,
  then: { message: (message: unknown) => void; ended: (why: string) => void },
): void {
  if (worker.on) {
    worker.on('message', then.message);
    worker.on('messageerror', (error) => then.ended(`its answer cannot be read: ${String(error)}`));
    worker.on('error', (error) => then.ended(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => then.ended(`it ended with code ${String(code)}`));
  } else {
    worker.onmessage = ({ data }) => then.message(data);
    worker.onmessageerror = () => then.ended('its answer cannot be read');
    worker.onerror = (event) => {
      event.preventDefault?.();
      then.ended(event.message ?? 'its file cannot be loaded');
    };
  }
}

function platformWorkers(): () => ThreadWorker {
  if (typeof Worker === 'function') {
    return () => new Worker(new URL('./task.worker.js', import.meta.url), { type: 'module' });
  }
  const threads = nodeModule<WorkerThreads>('node:worker_threads');
  if (!threads) throw new InputError('unsupported', 'there are no workers here');
  return () => new threads.Worker(new URL('./task.worker.js', import.meta.url));
}

function hardwareThreads(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  const os = nodeModule<{ availableParallelism(): number }>('node:os');
  const threads = navigator?.hardwareConcurrency ?? os?.availableParallelism() ?? 1;
  return Math.min(Math.max(1, threads), MOST_THREADS);
}
