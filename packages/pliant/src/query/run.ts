import { type Body, checkBody } from '../body/body.ts';
import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { CollisionReport, type ValueKind } from '../report/collision-report.ts';
import { Job } from './job.ts';
import { checkOptions, type SelfCollisionOptions } from './options.ts';

/** One body with itself, or two: everything a query function does beside checking its arguments. */
export function runOne(
  a: Body,
  b: Body,
  options: SelfCollisionOptions,
  stopAtFirst: boolean,
): CollisionReport {
  const report = beginReport(options, options.continuous ? 'times' : 'none', false);
  const job = borrowJob(a);
  try {
    job.seek('touching');
    runJob(job, a, b, options, report, stopAtFirst, deadlineOf(options));
  } finally {
    returnJob(a, job);
    report.finish();
  }
  return report;
}

/** Runs a job to its end or to the end of its budget, into a report that has begun. */
export function runJob(
  job: Job,
  a: Body,
  b: Body,
  options: SelfCollisionOptions,
  report: CollisionReport,
  stopAtFirst: boolean,
  deadline: number,
): void {
  job.report = report;
  job.begin(a, b, a === b, options, stopAtFirst);
  let isDone = false;
  try {
    job.limit(deadline, options.budget?.nodePairs ?? Infinity);
    isDone = job.run();
  } finally {
    job.end(isDone);
  }
  settleState(job, isDone);
}

/** What became of the query; a callback may have said stop at the very end, too. */
export function settleState(job: Job, isDone: boolean): void {
  const { report } = job;
  if (job.stopAtFirst) {
    if (!isDone && report.pairCount === 0) report.state = 'out-of-time';
  } else if (job.isCancelled) report.state = 'cancelled';
  else if (!isDone) report.state = 'out-of-time';
}

export function beginReport(
  options: SelfCollisionOptions,
  values: ValueKind,
  several: boolean,
): CollisionReport {
  const { report = new CollisionReport(), maxPairs = Infinity } = options;
  if (!(report instanceof CollisionReport)) {
    throw new InputError('bad-option', `report must be a CollisionReport, not ${describe(report)}`);
  }
  report.begin(values, several, maxPairs);
  return report;
}

export function deadlineOf({ budget }: SelfCollisionOptions): number {
  return budget?.milliseconds === undefined ? Infinity : performance.now() + budget.milliseconds;
}

/** Jobs wait at their engine; one that runs inside another takes the next. */
export function borrowJob({ engine }: Body): Job {
  return (engine.idleJobs.pop() as Job | undefined) ?? new Job(engine.kernels);
}

export function returnJob({ engine }: Body, job: Job): void {
  engine.idleJobs.push(job);
}

/** Arguments of a query between two bodies. */
export function checkPair(a: Body, b: Body, options: SelfCollisionOptions): void {
  checkBody('the first body', a);
  checkBody('the second body', b);
  if (a === b) throw new InputError('mismatch', 'the two bodies are one; use findSelfCollisions');
  if (a.engine !== b.engine) throw new InputError('mismatch', 'the two bodies belong to different engines');
  checkOptions(options);
}
