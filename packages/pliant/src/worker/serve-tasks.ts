import { type FromWorker, packError, type ToWorker, transferOf } from './task-protocol.ts';
import { createTasks } from './tasks.ts';

/** How a worker reaches its pool: as postMessage does. */
export type Send = (message: FromWorker, transfer: ArrayBuffer[]) => void;

/** The life of a worker of a task pool: returns what is to be called with every message. */
export function serveTasks(send: Send): (message: ToWorker) => void {
  const tasks = createTasks();
  const shared = new Map<number, unknown>();
  const run = async (message: ToWorker & { type: 'run' }): Promise<void> => {
    const report = (...values: unknown[]) => send({ type: 'progress', values }, []);
    try {
      const task = tasks.get(message.kind);
      if (!task) throw new Error(`this worker does not know '${message.kind}': is it of another version?`);
      const result = await task(message.input, report, shared.get(message.shared));
      send({ type: 'done', result }, transferOf(result));
    } catch (error) {
      send({ type: 'failed', error: packError(error) }, []);
    }
  };
  send({ type: 'ready' }, []);
  return (message) => {
    if (message.type === 'share') shared.set(message.key, message.value);
    else if (message.type === 'forget') shared.delete(message.key);
    else void run(message);
  };
}
