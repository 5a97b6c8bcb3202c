import type { Reply, Request } from '../host/protocol.ts';

/** Whoever answers requests: a worker, or this thread where there are none. */
export interface Connection {
  send(request: Request): void;
}

export interface ConnectionListener {
  /** Gets every answer. */
  take(reply: Reply): void;
  /** There is no worker after all: some browsers say so only when its script is loaded. */
  goInline(): void;
  /** The worker stopped, with all its scenes; another one takes its place. */
  lose(message: string): void;
}

export async function connect(listener: ConnectionListener): Promise<Connection> {
  const worker = typeof Worker === 'function' ? startWorker() : undefined;
  if (worker !== undefined) return connectWorker(worker, listener);
  listener.goInline();
  return connectInline(listener);
}

function connectWorker(first: Worker, listener: ConnectionListener): Connection {
  let waiting: Request[] | undefined = []; // until the worker has shown that it works
  let send: (request: Request) => void;
  const use = (worker: Worker) => {
    send = (request) => {
      waiting?.push(request);
      worker.postMessage(request, transferOf(request));
    };
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      waiting = undefined;
      listener.take(data);
    };
    worker.onerror = ({ message }) => {
      worker.onmessage = worker.onerror = null;
      worker.terminate();
      const next = waiting === undefined ? startWorker() : undefined;
      if (next === undefined) return void goInline();
      use(next);
      listener.lose(`the worker stopped: ${message}`);
    };
  };
  const goInline = async () => {
    const isFirst = waiting !== undefined;
    const again: Request[] = (waiting ??= []);
    send = (request) => void again.push(request); // until the host is there
    listener.goInline();
    if (!isFirst) listener.lose('the worker stopped');
    const inline = await connectInline(listener);
    send = inline.send;
    for (const request of again) send(request);
  };
  use(first);
  return { send: (request) => send(request) };
}

/** Queries then run between two pictures. */
async function connectInline(listener: ConnectionListener): Promise<Connection> {
  const { Host } = await import('../host/host.ts');
  const host = new Host();
  const take = (reply: Reply) => queueMicrotask(() => listener.take(reply)); // what fails there is not the host's
  return {
    send: (request) => {
      setTimeout(() => host.handle(request, take));
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
