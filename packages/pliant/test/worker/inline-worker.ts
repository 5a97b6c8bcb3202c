import { MessageChannel } from 'node:worker_threads';
import type { ThreadWorker } from '../../src/index.ts';
import { serveTasks } from '../../src/worker/serve-tasks.ts';
import type { FromWorker, ToWorker } from '../../src/worker/task-protocol.ts';

/** A worker on this thread, with real messages: Node cannot start one from TypeScript. It has a diary of what it got. */
export interface InlineWorker extends ThreadWorker {
  readonly received: ToWorker[];
  readonly sent: FromWorker[];
  isTerminated: boolean;
}

export function createInlineWorker(): InlineWorker {
  const { port1, port2 } = new MessageChannel();
  const received: ToWorker[] = [],
    sent: FromWorker[] = [];
  const worker = {
    received,
    sent,
    isTerminated: false,
    postMessage: (message: unknown) => port1.postMessage(message),
    on: (event: string, then: (value: unknown) => void) => {
      if (event === 'message') port1.on('message', then);
    },
    terminate: () => {
      worker.isTerminated = true;
      port1.close();
    },
  };
  const receive = serveTasks((message, transfer) => {
    if (worker.isTerminated) return;
    sent.push(message);
    port2.postMessage(message, transfer);
  });
  port2.on('message', (message: ToWorker) => {
    received.push(message);
    receive(message);
  });
  return worker;
}

/** Workers for a pool, and all that were made. */
export function inlineWorkers(): { made: InlineWorker[]; createWorker: () => InlineWorker } {
  const made: InlineWorker[] = [];
  return {
    made,
    createWorker: () => {
      made.push(createInlineWorker());
      return made[made.length - 1];
    },
  };
}
