/** The file a worker is started from, in browsers and in Node. It is told one thing: ThreadStart. */
import { nodeModule, type WorkerThreads } from './node-module.ts';
import { serveThread } from './serve-thread.ts';
import type { ThreadStart } from './thread-protocol.ts';

interface Port {
  postMessage(message: unknown): void;
  onmessage?: unknown;
}

function listen(): void {
  const isNode = typeof (globalThis as { WorkerGlobalScope?: unknown }).WorkerGlobalScope === 'undefined';
  if (isNode) {
    const { parentPort } = nodeModule<WorkerThreads>('node:worker_threads')!;
    parentPort.once('message', (start: ThreadStart) => begin(parentPort, start));
  } else {
    const port = globalThis as unknown as Port;
    port.onmessage = ({ data }: { data: ThreadStart }) => begin(port, data);
  }
}

function begin(port: Port, start: ThreadStart): void {
  serveThread(start, () => port.postMessage('ready'));
}

listen();
