import { type Body, checkBody } from '../body/body.ts';
import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { CollisionReport } from '../report/collision-report.ts';
import { BodySweep } from './body-sweep.ts';
import { checkFlag, checkOptions, type QueryOptions } from './options.ts';
import { beginReport, borrowJob, deadlineOf, returnJob, runJob } from './run.ts';

export interface AllCollisionsOptions extends QueryOptions {
  /** True also looks inside each body, in its own coordinates. Default: false. */
  self?: boolean;
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
  let held = 0;
  try {
    for (; held < bodies.length; held++) bodies[held].enterQuery(); // none may change until all are done
    if (bodies.length > 0) runAll(bodies, options, report);
  } finally {
    while (held > 0) bodies[--held].leaveQuery();
    report.finish();
  }
  return report;
}

function runAll(bodies: readonly Body[], options: AllCollisionsOptions, report: CollisionReport): void {
  const { self = false, continuous = false } = options;
  const deadline = deadlineOf(options);
  const job = borrowJob(bodies[0]);
  try {
    job.seek('touching');
    job.report = report;
    const run = (i: number, j: number) => {
      report.setBodies(i, j);
      if (report.state === 'complete' || report.state === 'truncated') {
        runJob(job, bodies[i], bodies[j], options, report, false, deadline);
      } else report.addUnresolved(0, 0);
    };
    if (self) for (let i = 0; i < bodies.length; i++) run(i, i);
    job.sweep ??= new BodySweep();
    job.sweep.run(job, bodies, continuous, options.method === 'depth-first');
    const { pairs, region } = job.sweep;
    // Where bodies have several partners each, one refit for all of them is worth coarser boxes.
    if (pairs.count > bodies.length) job.region = region;
    for (let k = 0; k < pairs.count; k++) run(pairs.data[2 * k], pairs.data[2 * k + 1]);
  } finally {
    returnJob(bodies[0], job);
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
