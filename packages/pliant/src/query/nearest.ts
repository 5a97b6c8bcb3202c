import { type Body, checkBody } from '../body/body.ts';
import { quote } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { CollisionReport } from '../report/collision-report.ts';
import { DISTANCES } from './distance.ts';
import { checkOptions, type QueryOptions } from './options.ts';
import { beginReport, borrowJob, checkPair, deadlineOf, returnJob, runJob } from './run.ts';

export type NearestOptions = Pick<QueryOptions, 'budget' | 'report'>;
export type CloseOptions = Omit<QueryOptions, 'method' | 'continuous'>;

export interface Nearest {
  /** 0 exactly when the two touch; Infinity when there is no pair to measure. Relative error about 1e-12. */
  distance: number;
  /** The closest triangles, the lowest ids where several are equally close; undefined when there is none. */
  triangles: [number, number] | undefined;
  /** A closest point on each of them. */
  points: [Float64Array, Float64Array];
  /** Otherwise than 'complete' the distance is only an upper bound. */
  state: CollisionReport['state'];
}

/** The smallest distance of two bodies, in world coordinates. */
export function findNearest(a: Body, b: Body, options: NearestOptions = {}): Nearest {
  checkPair(a, b, options);
  return runNearest(a, b, options);
}

/** The smallest distance of two triangles of a body that share no vertex, in its own coordinates. */
export function findSelfNearest(body: Body, options: NearestOptions = {}): Nearest {
  checkBody('the body', body);
  checkOptions(options);
  return runNearest(body, body, options);
}

/** Every pair of triangles of two bodies at most `distance` apart: contact of bodies with a thickness. */
export function findClosePairs(
  a: Body,
  b: Body,
  distance: number,
  options: CloseOptions = {},
): CollisionReport {
  checkPair(a, b, options);
  checkDistance(distance);
  return runClose(a, b, distance, options);
}

/** The same within one body, for triangles that share no vertex. */
export function findSelfClosePairs(
  body: Body,
  distance: number,
  options: CloseOptions = {},
): CollisionReport {
  checkBody('the body', body);
  checkOptions(options);
  checkDistance(distance);
  return runClose(body, body, distance, options);
}

function runNearest(a: Body, b: Body, options: NearestOptions): Nearest {
  const report = beginReport({ report: options.report }, 'none', false);
  const job = borrowJob(a);
  try {
    job.seek('nearest', Infinity, DISTANCES);
    runJob(job, a, b, options, report, false, deadlineOf(options));
    const { distance, i, j, points } = job.closest;
    return {
      distance,
      triangles: i < 0 ? undefined : [i, j],
      points: [points.slice(0, 3), points.slice(3)],
      state: report.state,
    };
  } finally {
    returnJob(a, job);
    report.finish();
  }
}

function runClose(a: Body, b: Body, distance: number, options: CloseOptions): CollisionReport {
  const report = beginReport(options, 'distances', false);
  const job = borrowJob(a);
  try {
    job.seek('close', distance, DISTANCES);
    runJob(job, a, b, options, report, false, deadlineOf(options));
  } finally {
    returnJob(a, job);
    report.finish();
  }
  return report;
}

function checkDistance(distance: number): void {
  if (typeof distance === 'number' && distance >= 0) return;
  throw new InputError('bad-option', `the distance must be a number of at least 0, not ${quote(distance)}`);
}
