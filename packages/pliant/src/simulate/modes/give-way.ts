/** Work in steps, between which it can be stopped and others have their turn. */
export interface LongWork {
  /** Told what is going on and how much of it is done, from 0 to 1. */
  onProgress?: (stage: string, fraction: number) => void;
  /** Stops the work when it aborts: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** How long to work before giving way to others, in milliseconds. Default: 30. */
  slice?: number;
}

/** Runs steps to the end; `report` is told each of them. */
export async function runInSlices<Step, Result>(
  steps: Generator<Step, Result, void>,
  { signal, slice = 30 }: LongWork,
  report: (step: Step) => void,
): Promise<Result> {
  let deadline = performance.now() + slice;
  for (;;) {
    signal?.throwIfAborted();
    const next = steps.next();
    if (next.done) return next.value;
    report(next.value);
    if (performance.now() < deadline) continue;
    await pause();
    deadline = performance.now() + slice;
  }
}

/** Lets timers, input and painting have their turn. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    }
  });
}
