import { checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { pause } from './pause.ts';

/** What everything that takes long understands. */
export interface ProgressOptions {
  /** Told now and then which share of the work is done, from 0 to 1. */
  onProgress?: (share: number) => void;
}

export interface SliceOptions extends ProgressOptions {
  /** Stops the work when it aborts: the promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
  /** How long to work before giving way to others, in milliseconds. Default: 8. */
  slice?: number;
}

/** Works through steps that yield the share that is done. */
export function runSteps<T>(steps: Generator<number, T>, options: ProgressOptions): T {
  checkObject('options', options);
  const { onProgress } = options;
  checkProgress(onProgress);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    onProgress?.(value);
  }
}

/** The same in slices between which other work can run. */
export async function runSlices<T>(steps: Generator<number, T>, options: SliceOptions): Promise<T> {
  checkLongWork(options);
  const { onProgress } = options;
  return runInSlices(steps, options, (share) => onProgress?.(share));
}

/** Steps of any kind; `report` is told the last one of each slice. */
export async function runInSlices<Step, Result>(
  steps: Generator<Step, Result>,
  { signal, slice = 8 }: Pick<SliceOptions, 'signal' | 'slice'>,
  report: (step: Step) => void,
): Promise<Result> {
  checkSlice(slice);
  checkSignal(signal);
  let until = performance.now() + slice;
  let untold: { step: Step } | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const next = steps.next();
    if (next.done) {
      if (untold) report(untold.step);
      return next.value;
    }
    untold = { step: next.value };
    if (performance.now() < until) continue;
    report(next.value);
    untold = undefined;
    await pause();
    until = performance.now() + slice;
  }
}

/** Options of work that takes long, wherever it is done. */
export function checkLongWork(options: { onProgress?: unknown; signal?: unknown; slice?: unknown }): void {
  checkObject('options', options);
  const { onProgress, signal, slice } = options;
  checkProgress(onProgress);
  checkSignal(signal);
  if (slice !== undefined) checkSlice(slice);
}

export function checkSignal(signal: unknown): void {
  if (signal === undefined || typeof (signal as AbortSignal | null)?.aborted === 'boolean') return;
  throw new InputError('bad-option', `signal must be an AbortSignal, not ${describe(signal)}`);
}

export function checkSlice(slice: unknown): void {
  if (typeof slice === 'number' && slice > 0) return;
  throw new InputError('bad-option', `slice must be more than 0 milliseconds, not ${describe(slice)}`);
}

function checkProgress(onProgress: unknown): void {
  if (onProgress === undefined || typeof onProgress === 'function') return;
  throw new InputError('bad-option', `onProgress must be a function, not ${describe(onProgress)}`);
}
