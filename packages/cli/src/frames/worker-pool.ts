import { Worker } from 'node:worker_threads';
import { CommandError } from '../command-error.ts';
import type { FrameResult } from './frame-checker.ts';
import type { FrameRun } from './run-frames.ts';
import type { WorkerAnswer, WorkerStart, WorkerTask } from './worker-messages.ts';

const LARGEST_TASK = 8; // frames
const TASKS_AT_ONCE = 2; // per worker: one to work on, one to go on with
const AHEAD = 6; // tasks per worker that may be handed out before the oldest result has been taken

/** Spreads frames over worker threads and hands the results on in order. Returns how many threads there were. */
export function runInWorkers(run: FrameRun, first: number, end: number): Promise<number> {
  const count = Math.min(run.threads, end - first);
  return new WorkerPool(run, first, end, count).done;
}

interface PoolWorker {
  readonly worker: Worker;
  readonly framesOut: Set<number>; // handed out, and not here yet
  isReady: boolean;
}

class WorkerPool {
  readonly done: Promise<number>;

  readonly #run: FrameRun;
  readonly #end: number;
  readonly #taskSize: number;
  readonly #threads: number;
  #workers: PoolWorker[] = [];
  readonly #again: number[] = []; // frames of threads that have ended
  readonly #waiting = new Map<number, FrameResult>(); // results that earlier frames have to precede
  #nextOut: number;
  #nextIn: number;
  #isDelivering = false;
  #isOver = false;
  #resolve!: (threads: number) => void;
  #reject!: (error: unknown) => void;

  constructor(run: FrameRun, first: number, end: number, count: number) {
    this.#run = run;
    this.#end = end;
    this.#threads = count;
    this.#nextOut = this.#nextIn = first;
    this.#taskSize = Math.max(1, Math.min(LARGEST_TASK, Math.floor((end - first) / (4 * count))));
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    run.signal.addEventListener('abort', () => void this.#stop(), { once: true });
    const start: WorkerStart = {
      inputs: run.scene.inputs,
      options: run.options,
      certificates: run.certificates,
      culling: run.culling,
    };
    for (let w = 0; w < count; w++) this.#startWorker(start);
  }

  #startWorker(start: WorkerStart): void {
    const worker = new Worker(new URL('./frame-worker.js', import.meta.url), { workerData: start });
    const state: PoolWorker = { worker, isReady: false, framesOut: new Set() };
    this.#workers.push(state);
    worker.on('message', (answer: WorkerAnswer) => {
      if (this.#isOver) return;
      if (answer.kind === 'error') {
        const failure = answer.isExpected ? new CommandError(answer.message) : new Error(answer.message);
        void this.#fail(failure);
      } else if (answer.kind === 'ready') {
        state.isReady = true;
        this.#run.onPrepared?.(answer.prepared);
        this.#handOut();
      } else {
        state.framesOut.delete(answer.result.frame);
        this.#waiting.set(answer.result.frame, answer.result);
        void this.#deliver();
      }
    });
    worker.on('error', (error) => void this.#fail(outOfMemory(error)));
    worker.on('messageerror', (error) => void this.#fail(error));
    worker.on('exit', (code) => this.#lose(state, code));
  }

  /** A thread has ended without a reason: the others do its frames. */
  #lose(lost: PoolWorker, code: number): void {
    if (this.#isOver) return;
    this.#workers = this.#workers.filter((state) => state !== lost);
    this.#again.push(...lost.framesOut);
    if (this.#workers.length > 0) this.#handOut();
    else void this.#fail(new CommandError(`all threads have ended, the last with code ${code}`));
  }

  #handOut(): void {
    const limit = this.#nextIn + AHEAD * this.#taskSize * this.#threads;
    for (const state of this.#workers) {
      while (state.isReady && state.framesOut.size <= (TASKS_AT_ONCE - 1) * this.#taskSize) {
        const task = this.#nextTask(Math.min(this.#end, limit));
        if (task === undefined) return;
        state.worker.postMessage(task);
        for (let k = 0; k < task.count; k++) state.framesOut.add(task.first + k);
      }
    }
  }

  #nextTask(limit: number): WorkerTask | undefined {
    const again = this.#again.shift();
    if (again !== undefined) return { first: again, count: 1 };
    if (this.#nextOut >= limit) return undefined;
    const task = { first: this.#nextOut, count: Math.min(this.#taskSize, this.#end - this.#nextOut) };
    this.#nextOut += task.count;
    return task;
  }

  async #deliver(): Promise<void> {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let result = this.#take(); result !== undefined; result = this.#take()) {
        await this.#run.onResult(result);
        if (this.#isOver) return;
      }
    } catch (error) {
      await this.#fail(error);
    } finally {
      this.#isDelivering = false;
    }
    if (this.#isOver) return;
    if (this.#nextIn < this.#end) this.#handOut();
    else await this.#finish();
  }

  #take(): FrameResult | undefined {
    const result = this.#waiting.get(this.#nextIn);
    if (result !== undefined) this.#waiting.delete(this.#nextIn++);
    return result;
  }

  /** Interrupted: what has been found is handed on, gaps or not. */
  async #stop(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#terminate();
    while (this.#isDelivering) await new Promise((resolve) => setTimeout(resolve, 5));
    try {
      const left = [...this.#waiting.values()].sort((a, b) => a.frame - b.frame);
      for (const result of left) await this.#run.onResult(result);
      this.#resolve(this.#threads);
    } catch (error) {
      this.#reject(error);
    }
  }

  async #finish(): Promise<void> {
    this.#isOver = true;
    await this.#terminate();
    this.#resolve(this.#threads);
  }

  async #fail(error: unknown): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#terminate();
    this.#reject(error);
  }

  async #terminate(): Promise<void> {
    await Promise.all(this.#workers.map(({ worker }) => worker.terminate()));
  }
}

function outOfMemory(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new CommandError('a thread ran out of memory; try fewer --threads or a lower --max-pairs');
}
