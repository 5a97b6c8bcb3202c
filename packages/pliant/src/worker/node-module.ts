interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
}

/** A module of Node, undefined elsewhere. Not imported: bundlers for browsers stop at a name they do not know. */
export function nodeModule<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  return process?.getBuiltinModule?.(name) as Module | undefined;
}

/** What is used of node:worker_threads. */
export interface WorkerThreads {
  readonly Worker: new (file: URL) => { postMessage(message: unknown): void; terminate(): unknown };
  readonly parentPort: {
    postMessage(message: unknown, transfer?: readonly unknown[]): void;
    on(event: 'message', then: (message: never) => void): void;
    once(event: 'message', then: (message: never) => void): void;
  };
}
