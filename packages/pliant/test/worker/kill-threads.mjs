// Queries of an engine with some threads, one of which dies: at a point of its life, in some way. Writes a line of
// JSON per death. Run as a process of its own, which can be ended should a query never return.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import {
  CollisionReport,
  createEngine,
  createTriangleMesh,
  findCollisions,
  findSelfCollisions,
} from '../../dist/index.js';

const { shape, poses, deaths } = JSON.parse(readFileSync(0, 'utf8'));
const mesh = createTriangleMesh(shape);

/** Answers of a few queries of all kinds, among them one with more pairs than a mailbox holds; as their hashes. */
function* answers(engine, count) {
  const [a, b] = [engine.createFreeBody(mesh), engine.createFreeBody(mesh)];
  const [pose, later, flat] = poses.map((list) => Float64Array.from(list));
  const hash = (report) => {
    const { pairCount, times, counters } = report;
    const sum = createHash('sha256').update(JSON.stringify([report.sortedPairs(), counters]));
    if (times) sum.update(times.slice(0, pairCount));
    return sum.digest('hex');
  };
  a.setMotion(pose, later);
  b.setPose(later);
  const queries = [
    () => findSelfCollisions(a, { report: new CollisionReport() }),
    () => findSelfCollisions(a, { report: new CollisionReport(), continuous: true }),
    () => findCollisions(a, b, { report: new CollisionReport(), method: 'batch' }),
    () => {
      a.setPose(flat);
      return findSelfCollisions(a, { report: new CollisionReport() });
    },
  ];
  for (const query of queries.slice(0, count)) yield hash(query());
  a.dispose();
  b.dispose();
}

const expected = [...answers(await createEngine(), 4)];

for (const { how, at, threads } of deaths) {
  const steps = new Int32Array(new SharedArrayBuffer(4));
  const workers = [];
  const createWorker = () => {
    const isDying = workers.length === 0 && how !== 'terminate';
    const resourceLimits = how === 'memory' ? { maxOldGenerationSizeMb: 16 } : undefined;
    const file = isDying ? './dying-thread.mjs' : '../../dist/pool.worker.js';
    const options = { workerData: { how, at, steps }, resourceLimits, stdout: true, stderr: true };
    workers.push(new Worker(new URL(file, import.meta.url), options));
    return workers.at(-1);
  };
  const outcome = { how, at, steps: 0, right: 0, threads: [], error: '' };
  try {
    const engine = await createEngine({ threads, createWorker });
    outcome.threads.push(engine.threads);
    for (const count of [4, 2]) {
      let k = 0;
      for (const answer of answers(engine, count)) {
        if (answer === expected[k++]) outcome.right++;
        if (how === 'terminate' && k === at) workers[0].terminate(); // ends while the next query runs
      }
      outcome.threads.push(engine.threads);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    outcome.steps = Atomics.load(steps, 0);
    engine.dispose();
  } catch (error) {
    outcome.error = String(error?.message ?? error);
  }
  console.log(JSON.stringify(outcome));
}
process.exit(0);
