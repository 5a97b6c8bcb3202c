import { checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';

/** Work that a worker knows how to do, from plain data to plain data. */
export interface TaskKind<Input, Result, Shared = undefined> {
  readonly name: string;
  /** Types only: there is nothing in it. */
  readonly types?: { input: Input; result: Result; shared: Shared };
}

export interface TaskOptions<Shared = undefined> {
  /** Told now and then how far the work is: what the same work tells on this thread. */
  onProgress?: (...progress: never[]) => void;
  /** Stops the work at once when it aborts: the promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
  /** What many tasks need: sent to each worker once, where it stays until `release`. It must not change. */
  shared?: Shared;
}

/**
 * Workers that do long preparations: `createTaskPool` starts them, and functions that take long have an option
 * `pool`. What comes out is the same, to the last bit, with any number of workers and without.
 */
export interface TaskPool {
  readonly threads: number;
  /** Waits its turn when all workers are busy. Input is copied, results are moved. */
  run<Input, Result, Shared>(
    kind: TaskKind<Input, Result, Shared>,
    input: Input,
    options?: TaskOptions<Shared>,
  ): Promise<Result>;
  /** Workers may forget what was shared. */
  release(shared: unknown): void;
  /** Ends all workers. What they were doing is rejected. */
  dispose(): void;
}

/** A worker that ended while it was needed: out of memory, or stopped from outside. */
export class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped';
}

/** The option `pool` of functions that take long. */
export interface PoolOption {
  /** Workers that do the work. Default: this thread does it, in slices. */
  pool?: TaskPool;
}

/** The pool of options, checked. */
export function readPool(options: PoolOption): TaskPool | undefined {
  checkObject('options', options);
  const { pool } = options;
  if (pool === undefined || typeof pool?.run === 'function') return pool;
  throw new InputError('bad-option', `pool must come from createTaskPool, not ${describe(pool)}`);
}
