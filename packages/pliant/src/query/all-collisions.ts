import { type Body, checkBody } from '../body/body.ts';
import { pause } from '../long-work/pause.ts';
import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { CollisionReport } from '../report/collision-report.ts';
import { type AsyncOptions, checkAsyncOptions } from './async.ts';
import { BodySweep } from './body-sweep.ts';
import type { Job } from './job.ts';
import { checkFlag, checkOptions, type QueryOptions } from './options.ts';
import { beginReport, borrowJob, deadlineOf, returnJob, settleState } from './run.ts';

export interface AllCollisionsOptions extends QueryOptions {
  /** True also looks inside each body, in its own coordinates. Default: false. */
  self?: boolean;
}

export interface AllProgress {
  /** Told between slices how many bodies, of `all`, have been held against those after them. */
  onProgress?: (done: number, all: number) => void;
}

/**
 * Every pair of touching triangles of any two of the bodies, in world coordinates. `report.bodies` names the two
 * bodies of each pair, the lower index first.
 */
export function findAllCollisions(
  bodies: readonly Body[],
  options: AllCollisionsOptions = {},
): CollisionReport {
  checkBodies(bodies);
  checkOptions(options);
  checkFlag('self', options.self);
  const report = beginReport(options, options.continuous ? 'times' : 'none', true);
  for (const _ of allSteps(bodies, options, report, Infinity));
  return report;
}

/** `findAllCollisions` in slices between which other work can run. No body may change until it is done. */
export async function findAllCollisionsAsync(
  bodies: readonly Body[],
  options: AllCollisionsOptions & AsyncOptions & AllProgress = {},
): Promise<CollisionReport> {
  checkBodies(bodies);
  checkOptions(options);
  checkFlag('self', options.self);
  const { signal, onProgress } = options;
  const slice = checkAsyncOptions(options);
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new InputError('bad-option', `onProgress must be a function, not ${describe(onProgress)}`);
  }
  const report = beginReport(options, options.continuous ? 'times' : 'none', true);
  for (const done of allSteps(bodies, options, report, slice, signal)) {
    onProgress?.(done, bodies.length);
    await pause();
  }
  return report;
}

/** The whole query, into a report that has begun. Yields after each slice how many bodies are done with. */
function* allSteps(
  bodies: readonly Body[],
  options: AllCollisionsOptions,
  report: CollisionReport,
  slice: number,
  signal?: AbortSignal,
): Generator<number, void> {
  let held = 0;
  try {
    for (; held < bodies.length; held++) bodies[held].enterQuery(); // none may change until all are done
    if (bodies.length > 0) yield* new AllQuery(bodies, options, report, slice, signal).run();
  } finally {
    while (held > 0) bodies[--held].leaveQuery();
    report.finish();
  }
}

class AllQuery {
  readonly #bodies: readonly Body[];
  readonly #options: AllCollisionsOptions;
  readonly #report: CollisionReport;
  readonly #slice: number;
  readonly #signal: AbortSignal | undefined;
  readonly #job: Job;
  readonly #deadline: number;
  #until = Infinity; // when this slice ends
  #isRunning = false; // a pair of bodies has been begun and not ended

  constructor(
    bodies: readonly Body[],
    options: AllCollisionsOptions,
    report: CollisionReport,
    slice: number,
    signal: AbortSignal | undefined,
  ) {
    this.#bodies = bodies;
    this.#options = options;
    this.#report = report;
    this.#slice = slice;
    this.#signal = signal;
    this.#deadline = deadlineOf(options);
    this.#job = borrowJob(bodies[0]);
  }

  *run(): Generator<number, void> {
    const job = this.#job;
    const { self = false, continuous = false, method } = this.#options;
    try {
      job.seek('touching');
      job.report = this.#report;
      this.#beginSlice();
      for (let i = 0; self && i < this.#bodies.length; i++) {
        this.#begin(i, i);
        while (!this.#advance()) yield i;
        if (this.#isLate()) yield i;
      }
      job.sweep ??= new BodySweep();
      job.sweep.begin(job, this.#bodies, continuous, method === 'depth-first');
      yield* this.#runPairs(job.sweep);
    } finally {
      if (this.#isRunning) this.#end(false);
      job.indexA = job.indexB = 0;
      returnJob(this.#bodies[0], job);
    }
  }

  *#runPairs(sweep: BodySweep): Generator<number, void> {
    const { pairs, region } = sweep;
    while (sweep.listNext()) {
      // Where bodies have several partners each, one refit for all of them is worth coarser boxes.
      if (pairs.count > this.#bodies.length || !sweep.hasAll) this.#job.region = region;
      for (let k = 0; k < pairs.count; k++) {
        const i = pairs.data[2 * k];
        if (!sweep.hasAll && this.#report.state !== 'complete') {
          this.#leaveFrom(i);
          return;
        }
        this.#begin(i, pairs.data[2 * k + 1]);
        while (!this.#advance()) yield i;
        if (this.#isLate()) yield i;
      }
    }
  }

  #begin(i: number, j: number): void {
    const job = this.#job;
    this.#report.setBodies(i, j);
    if (this.#report.state === 'complete' && this.#isOutOfBudget()) this.#report.state = 'out-of-time';
    if (this.#report.state !== 'complete') {
      this.#report.addUnresolved(0, 0);
      return;
    }
    job.indexA = i;
    job.indexB = j;
    job.begin(this.#bodies[i], this.#bodies[j], i === j, this.#options, false);
    job.limit(this.#deadline, this.#options.budget?.nodePairs ?? Infinity);
    this.#isRunning = true;
  }

  /** Works on the pair that was begun last. True when it is done with; false when the slice is over. */
  #advance(): boolean {
    if (!this.#isRunning) return true;
    const job = this.#job;
    const isAborted = this.#signal?.aborted === true;
    const isDone = !isAborted && job.run(this.#until);
    if (!isDone && !isAborted && !job.isCancelled && !job.isOutOfBudget) {
      this.#beginSlice();
      return false;
    }
    this.#end(isDone);
    settleState(job, isDone);
    if (isAborted) this.#report.state = 'cancelled';
    return true;
  }

  /** Small bodies are done with in one step, before the job looks at its budget. */
  #isOutOfBudget(): boolean {
    const { nodePairs = Infinity } = this.#options.budget ?? {};
    if (this.#report.counters.nodePairsTested > nodePairs) return true;
    return this.#deadline < Infinity && performance.now() > this.#deadline;
  }

  #end(isDone: boolean): void {
    this.#isRunning = false;
    this.#job.end(isDone);
  }

  #beginSlice(): void {
    if (this.#slice < Infinity) this.#until = performance.now() + this.#slice;
  }

  /** True when it is time to give way; the next slice then begins. */
  #isLate(): boolean {
    if (this.#until === Infinity || performance.now() < this.#until) return false;
    this.#beginSlice();
    return true;
  }

  /** Nobody has looked at these bodies and those that come after them: too many pairs to name each. */
  #leaveFrom(first: number): void {
    for (let i = first; i < this.#bodies.length; i++) {
      this.#report.setBodies(i, i);
      this.#report.addUnresolved(0, 0);
    }
  }
}

function checkBodies(bodies: readonly Body[]): void {
  if (!Array.isArray(bodies)) {
    throw new InputError('wrong-type', `bodies must be an array, not ${describe(bodies)}`);
  }
  const seen = new Set<Body>();
  for (let i = 0; i < bodies.length; i++) {
    checkBody(`bodies[${i}]`, bodies[i]);
    if (seen.has(bodies[i])) throw new InputError('mismatch', `bodies[${i}] is listed twice`);
    seen.add(bodies[i]);
    if (bodies[i].engine !== bodies[0].engine) {
      throw new InputError('mismatch', `bodies[${i}] belongs to another engine than bodies[0]`);
    }
  }
}
