import { InputError } from '../mesh/input-error.ts';
import { nodeModule, type WorkerThreads } from './node-module.ts';
import type { ThreadStart } from './thread-protocol.ts';

/** A worker of the platform or of the caller's own making, running dist/pool.worker.js. */
export interface ThreadWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
}

/** Parts that the workers of Node or those of browsers have. */
interface PlatformWorker extends ThreadWorker {
  on?(event: string, then: (value: unknown) => void): void;
  unref?(): void;
  onmessage?: unknown;
  onmessageerror?: unknown;
  onerror?: unknown;
  readonly performance?: { eventLoopUtilization?(): { idle: number; active: number } };
}

const STARTING = 60_000; // milliseconds after which a worker counts as one that will never answer

/** Resolves once the worker can take part. `onEnd` is called when it ends later on, whatever the reason. */
export async function startWorker(
  start: ThreadStart,
  onEnd: () => void,
  createWorker: () => ThreadWorker = createPlatformWorker,
): Promise<ThreadWorker> {
  const worker = createWorker() as PlatformWorker;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (reason: unknown) => {
        const { message } = reason as { message?: string };
        reject(new InputError('unsupported', `a worker did not start: ${message ?? String(reason)}`));
        onEnd();
      };
      timer = setTimeout(() => fail(`no answer for ${STARTING / 1000} s`), STARTING);
      if (worker.on) {
        worker.on('message', () => resolve());
        worker.on('messageerror', fail);
        worker.on('error', fail);
        worker.on('exit', (code) => fail(`it ended with code ${String(code)}`));
      } else {
        worker.onmessage = () => resolve();
        worker.onmessageerror = fail;
        worker.onerror = fail;
      }
      worker.postMessage(start);
    });
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  worker.unref?.(); // does not keep a Node process alive
  return worker;
}

/**
 * A function that says whether the thread of a worker still runs, without going back to the event loop: while a query
 * is under way no event arrives. Node tells by the times of the thread's own event loop: -1 or nothing once it has
 * ended. Undefined where the platform cannot say.
 */
export function livenessOf(worker: ThreadWorker): (() => boolean) | undefined {
  const { performance } = worker as PlatformWorker;
  if (typeof performance?.eventLoopUtilization !== 'function') return undefined;
  const isAlive = () => {
    const { idle, active } = performance.eventLoopUtilization!();
    return idle >= 0 && active > 0;
  };
  return isAlive() ? isAlive : undefined;
}

function createPlatformWorker(): ThreadWorker {
  if (typeof Worker === 'function') {
    return new Worker(new URL('./pool.worker.js', import.meta.url), { type: 'module' });
  }
  const threads = nodeModule<WorkerThreads>('node:worker_threads');
  if (!threads) throw new InputError('unsupported', 'there are no workers here');
  return new threads.Worker(new URL('./pool.worker.js', import.meta.url));
}
