// What a worker thread runs: opens the scene, then checks the frames it is handed.
import { parentPort, workerData } from 'node:worker_threads';
import { describeError, isExpected } from '../command-error.ts';
import { openScene } from '../scene/open-scene.ts';
import { FrameChecker } from './frame-checker.ts';
import { FramePlan } from './frame-plan.ts';
import type { WorkerAnswer, WorkerStart, WorkerTask } from './worker-messages.ts';

const port = parentPort!;
const answer = (message: WorkerAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

async function serve({ inputs, options, certificates, culling }: WorkerStart): Promise<void> {
  const scene = await openScene(inputs);
  const plan = new FramePlan(scene, options);
  const checker = await FrameChecker.create(scene, plan, options, certificates, culling);
  let work = Promise.resolve();
  port.on('message', ({ first, count }: WorkerTask) => {
    work = work.then(() => check(checker, first, count)).catch(fail);
  });
  answer({ kind: 'ready', prepared: checker.prepared });
}

async function check(checker: FrameChecker, first: number, count: number): Promise<void> {
  for (let frame = first; frame < first + count; frame++) {
    const result = (await checker.check(frame))!;
    const { pairs, times } = result;
    const buffers = times ? [pairs.buffer, times.buffer] : [pairs.buffer];
    answer({ kind: 'result', result }, buffers as ArrayBuffer[]);
  }
}

function fail(error: unknown): void {
  answer({ kind: 'error', message: describeError(error), isExpected: isExpected(error) });
}

serve(workerData as WorkerStart).catch(fail);
