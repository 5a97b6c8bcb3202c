import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UsableCertificates } from '../certify/use-certificates.ts';
import { type CullingPlan, LEAST_FRAMES, preparesAny } from '../culling/plan-culling.ts';
import type { PreparedCulling } from '../culling/use-culling.ts';
import type { Scene } from '../scene/scene.ts';
import type { CheckOptions } from './check-options.ts';
import { FrameChecker, type FrameResult } from './frame-checker.ts';
import type { FramePlan } from './frame-plan.ts';
import { runInWorkers } from './worker-pool.ts';

export interface FrameRun {
  readonly scene: Scene;
  readonly plan: FramePlan;
  readonly options: CheckOptions;
  readonly certificates: UsableCertificates | undefined;
  /** Proofs that every thread prepares before its first frame. */
  readonly culling?: CullingPlan;
  readonly onPrepared?: (prepared: readonly PreparedCulling[]) => void;
  readonly threads: number;
  /** False starts further threads only once it is clear that they pay. */
  readonly threadsAreWanted: boolean;
  readonly signal: AbortSignal;
  /** Told every result in the order of frames; the next ones wait for it. */
  readonly onResult: (result: FrameResult) => Promise<void>;
}

const TRIAL = 200; // milliseconds of work before the rest is estimated
const WORTH_THREADS = 700; // milliseconds left: about what starting threads costs

/** Checks every frame of the plan, or those before `signal` aborts. Returns how many threads took part. */
export async function runFrames(run: FrameRun): Promise<number> {
  const { plan, threads, threadsAreWanted } = run;
  const end = plan.firstFrame + plan.frameCount;
  let next = plan.firstFrame;
  const prepares = preparesAny(run.culling);
  const isShort = prepares && !threadsAreWanted && plan.frameCount < LEAST_FRAMES; // preparing once is enough
  const useThreads = threads > 1 && plan.frameCount > 1 && !isShort;
  if (!useThreads || !(threadsAreWanted || prepares)) next = await runHere(run, next, end, !useThreads);
  if (next === end || run.signal.aborted) return 1;
  return runInWorkers(run, next, end);
}

/** Returns the first frame that is left. */
async function runHere(run: FrameRun, first: number, end: number, stay: boolean): Promise<number> {
  const { scene, plan, options, certificates, culling, signal } = run;
  let checker: FrameChecker;
  try {
    checker = await FrameChecker.create(scene, plan, options, certificates, culling, signal);
  } catch (error) {
    if (signal.aborted) return first; // stopped while proofs were being prepared
    throw error;
  }
  run.onPrepared?.(checker.prepared);
  try {
    let begin = 0; // when the first frame was done: it prepares what the others use
    let lastTurn = performance.now();
    for (let frame = first; frame < end; frame++) {
      const result = await checker.check(frame, run.signal);
      if (result === undefined) return frame;
      await run.onResult(result);
      const now = performance.now();
      if (now - lastTurn > 20) {
        await nextTurn(); // signals and timers
        lastTurn = now;
      }
      if (run.signal.aborted) return frame + 1;
      if (frame === first) begin = now;
      const perFrame = (now - begin) / Math.max(1, frame - first);
      if (!stay && now - begin > TRIAL && perFrame * (end - frame - 1) > WORTH_THREADS) return frame + 1;
    }
    return end;
  } finally {
    checker.dispose();
  }
}
