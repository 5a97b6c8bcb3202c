/** The file that workers of a task pool are started from, in browsers and in Node. */
import { nodeModule, type WorkerThreads } from './node-module.ts';
import { serveTasks } from './serve-tasks.ts';
import type { ToWorker } from './task-protocol.ts';

interface Port {
  postMessage(message: unknown, transfer: readonly unknown[]): void;
  onmessage?: unknown;
}

function listen(): void {
  const isNode = typeof (globalThis as { WorkerGlobalScope?: unknown }).WorkerGlobalScope === 'undefined';
  if (isNode) {
    const { parentPort } = nodeModule<WorkerThreads>('node:worker_threads')!;
    const receive = serveTasks((message, transfer) => parentPort.postMessage(message, transfer));
    parentPort.on('message', receive);
  } else {
    const port = globalThis as unknown as Port;
    const receive = serveTasks((message, transfer) => port.postMessage(message, transfer));
    port.onmessage = ({ data }: { data: ToWorker }) => receive(data);
  }
}

listen();
