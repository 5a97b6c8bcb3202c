import { type Body, checkBody } from '../body/body.ts';
import { pause } from '../long-work/pause.ts';
import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { CollisionReport } from '../report/collision-report.ts';
import type { Job } from './job.ts';
import { checkOptions, type QueryOptions, type SelfCollisionOptions } from './options.ts';
import { beginReport, borrowJob, checkPair, deadlineOf, returnJob, settleState } from './run.ts';

export interface AsyncOptions {
  /** Stops the query when it aborts: the report then holds what was found, and its state is 'cancelled'. */
  signal?: AbortSignal;
  /** How long to work before giving way to others, in milliseconds. Default: 8. */
  slice?: number;
}

/** `findSelfCollisions` in slices between which other work can run. The body must not change until it is done. */
export function findSelfCollisionsAsync(
  body: Body,
  options: SelfCollisionOptions & AsyncOptions = {},
): Promise<CollisionReport> {
  return runAsync(() => {
    checkBody('the body', body);
    checkOptions(options);
    return [body, body];
  }, options);
}

/** The same for `findCollisions`. */
export function findCollisionsAsync(
  a: Body,
  b: Body,
  options: QueryOptions & AsyncOptions = {},
): Promise<CollisionReport> {
  return runAsync(() => {
    checkPair(a, b, options);
    return [a, b];
  }, options);
}

async function runAsync(
  check: () => [Body, Body],
  options: SelfCollisionOptions & AsyncOptions,
): Promise<CollisionReport> {
  const [a, b] = check();
  const slice = checkAsyncOptions(options);
  const report = beginReport(options, options.continuous ? 'times' : 'none', false);
  const job = borrowJob(a);
  try {
    job.seek('touching');
    job.report = report;
    await workInSlices(job, a, b, options, slice);
  } finally {
    returnJob(a, job);
    report.finish();
  }
  return report;
}

/** Throws InputError for what is of the wrong kind; returns the length of a slice in milliseconds. */
export function checkAsyncOptions({ signal, slice = 8 }: AsyncOptions): number {
  if (!(slice > 0))
    throw new InputError('bad-option', `slice must be more than 0 milliseconds, not ${slice}`);
  if (signal !== undefined && typeof signal?.aborted !== 'boolean') {
    throw new InputError('bad-option', `signal must be an AbortSignal, not ${describe(signal)}`);
  }
  return slice;
}

async function workInSlices(
  job: Job,
  a: Body,
  b: Body,
  options: SelfCollisionOptions & AsyncOptions,
  slice: number,
): Promise<void> {
  const { signal, budget } = options;
  job.begin(a, b, a === b, options, false);
  let isDone = false;
  try {
    job.limit(deadlineOf(options), budget?.nodePairs ?? Infinity);
    while (!signal?.aborted) {
      isDone = job.run(performance.now() + slice);
      if (isDone || job.isCancelled || job.isOutOfBudget) break;
      await pause();
    }
  } finally {
    job.end(isDone);
  }
  settleState(job, isDone);
  if (!isDone && signal?.aborted) job.report.state = 'cancelled';
}
