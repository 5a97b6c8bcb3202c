import { Worker } from 'node:worker_threads';
import { CommandError } from '../command-error.ts';
import type { PreparedCulling } from '../culling/use-culling.ts';
import type { FrameResult } from '../frames/frame-checker.ts';
import type { WorkerAnswer, WorkerStart, WorkerTask } from '../frames/worker-messages.ts';

/** A thread that has a scene open. Frames are never checked in the main thread: it must go on telling that we live. */
export class FrameThread {
  readonly check: string;
  prepared: readonly PreparedCulling[] = [];
  isBusy = false;
  usedAt = 0;
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #onAnswer: (answer: WorkerAnswer) => void = () => {};
  #onEnd: (error: Error) => void = () => {};
  #end: Error | undefined;

  constructor(check: string, start: WorkerStart) {
    this.check = check;
    this.#worker = new Worker(new URL('./frame-worker.js', import.meta.url), { workerData: start });
    this.#ready = this.#until((answer) => {
      if (answer.kind === 'ready') this.prepared = answer.prepared;
      return answer.kind === 'ready';
    });
    this.#ready.catch(() => {});
    this.#worker.on('message', (answer: WorkerAnswer) => this.#onAnswer(answer));
    this.#worker.on('error', (error) => this.#stop(outOfMemory(error)));
    this.#worker.on('messageerror', (error) => this.#stop(error));
    this.#worker.on('exit', () => this.#stop(new Error('the thread has ended')));
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Frames in order. Fails with a CommandError where the input is to blame. */
  async run({ first, count }: WorkerTask, onResult: (result: FrameResult) => void): Promise<void> {
    await this.#ready;
    let left = count;
    const done = this.#until((answer) => {
      if (answer.kind !== 'result') return false;
      onResult(answer.result);
      return --left === 0;
    });
    this.#worker.postMessage({ first, count } satisfies WorkerTask);
    await done;
  }

  async terminate(reason = new Error('the thread was stopped')): Promise<void> {
    this.#stop(reason);
    await this.#worker.terminate();
  }

  #until(isDone: (answer: WorkerAnswer) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      this.#onEnd = reject;
      this.#onAnswer = (answer) => {
        if (answer.kind === 'error') {
          this.#stop(answer.isExpected ? new CommandError(answer.message) : new Error(answer.message));
        } else if (isDone(answer)) resolve();
      };
    });
  }

  /** A thread that has failed once is not used again. */
  #stop(error: Error): void {
    this.#end ??= error;
    this.#onEnd(this.#end);
    void this.#worker.terminate();
  }
}

const SPARE = 3; // threads that only keep a scene open: checks take turns

/** As many busy threads as there are jobs at a time; each keeps its scene until another check needs the place. */
export class FrameThreads {
  readonly #limit: number;
  #threads: FrameThread[] = [];

  constructor(limit: number) {
    this.#limit = limit + SPARE;
  }

  get busyChecks(): ReadonlySet<string> {
    return new Set(this.#threads.filter(({ isBusy }) => isBusy).map(({ check }) => check));
  }

  /** One that is free, with this check's scene. The caller marks it free again. */
  async acquire(check: string, start: () => WorkerStart): Promise<FrameThread> {
    this.#threads = this.#threads.filter(({ isOver }) => !isOver);
    let thread = this.#threads.find((one) => one.check === check && !one.isBusy);
    let replaced: FrameThread | undefined;
    if (thread === undefined) {
      if (this.#threads.length >= this.#limit) {
        const free = this.#threads.filter(({ isBusy }) => !isBusy).sort((a, b) => a.usedAt - b.usedAt);
        replaced = free[0];
        this.#threads = this.#threads.filter((one) => one !== replaced);
      }
      thread = new FrameThread(check, start());
      this.#threads.push(thread);
    }
    thread.isBusy = true;
    thread.usedAt = Date.now();
    await replaced?.terminate();
    return thread;
  }

  /** Ends those of one check, or all. */
  async terminate(check?: string): Promise<void> {
    const ending = this.#threads.filter((thread) => check === undefined || thread.check === check);
    this.#threads = this.#threads.filter((thread) => !ending.includes(thread));
    await Promise.all(ending.map((thread) => thread.terminate()));
  }
}

function outOfMemory(error: unknown): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error as Error;
  return new Error('a thread ran out of memory; start the worker with fewer --threads, or use --max-pairs');
}
