import type { Reply, Request } from '../host/protocol.ts';

/** Whoever answers requests: a worker, or this thread where there are none. */
export interface Connection {
  send(request: Request): void;
}

/**
 * `onReply` gets every answer, in the order of the requests. `onInline` is told when there is no worker after all:
 * some browsers say so only when its script is loaded.
 */
export async function connect(onReply: (reply: Reply) => void, onInline: () => void): Promise<Connection> {
  const worker = typeof Worker === 'function' ? startWorker() : undefined;
  if (worker !== undefined) return connectWorker(worker, onReply, onInline);
  onInline();
  return connectInline(onReply);
}

function connectWorker(worker: Worker, onReply: (reply: Reply) => void, onInline: () => void): Connection {
  let waiting: Request[] | undefined = []; // until the worker has shown that it works
  let send = (request: Request) => {
    waiting?.push(request);
    worker.postMessage(request, transferOf(request));
  };
  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    waiting = undefined;
    onReply(data);
  };
  worker.onerror = async ({ message }) => {
    if (waiting === undefined) {
      onReply({ type: 'failed', message: `the worker stopped: ${message}`, isExpected: false });
      return;
    }
    const again = waiting;
    waiting = undefined;
    worker.terminate();
    onInline();
    ({ send } = await connectInline(onReply));
    for (const request of again) send(request);
  };
  return { send: (request) => send(request) };
}

/** Queries then run between two pictures. */
async function connectInline(onReply: (reply: Reply) => void): Promise<Connection> {
  const { Host } = await import('../host/host.ts');
  const host = new Host();
  return {
    send: (request) => {
      setTimeout(() => host.handle(request, onReply));
    },
  };
}

/** Undefined where workers are refused. */
function startWorker(): Worker | undefined {
  try {
    return new Worker(new URL('../host/worker.ts', import.meta.url), { type: 'module', name: 'pliant' });
  } catch {
    return undefined;
  }
}

function transferOf(request: Request): Transferable[] {
  if (request.type !== 'frame' || request.spare === undefined) return [];
  const { positions, normals } = request.spare;
  return [positions.buffer, normals.buffer] as Transferable[];
}
