/** Lets this thread hear what else is wanted of it. Rejects with the reason of `signal` when the work is given up. */
export async function giveWay(signal?: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  signal?.throwIfAborted();
}

/**
 * The result of `work`, or the reason of `signal` as soon as it aborts, whether or not `work` heeds it. A result that
 * comes too late is handed to `discard`.
 */
export function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  discard: (late: Result) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(
      (result) => {
        signal.removeEventListener('abort', giveUp);
        if (signal.aborted) discard(result);
        else resolve(result);
      },
      (error) => {
        signal.removeEventListener('abort', giveUp);
        reject(error);
      },
    );
  });
}
