import type { Answer, SentCommand } from './engine/protocol.ts';

/** Whoever obeys commands: a worker, or this thread where there are none. */
export interface EditorConnection {
  send(command: SentCommand): void;
}

export async function connectEditor(
  onAnswer: (answer: Answer) => void,
  onInline: () => void,
): Promise<EditorConnection> {
  try {
    const worker = new Worker(new URL('./engine/worker.ts', import.meta.url), {
      type: 'module',
      name: 'pliant-editor',
    });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => onAnswer(data);
    worker.onerror = ({ message }) =>
      onAnswer({
        type: 'failed',
        what: 'worker',
        message: `the worker stopped: ${message}`,
        isExpected: false,
      });
    return { send: (command) => worker.postMessage(command, transferOf(command)) };
  } catch {
    onInline();
    const [{ EditorHost }, { BrowserStore }] = await Promise.all([
      import('./engine/editor-host.ts'),
      import('./engine/store.ts'),
    ]);
    const host = new EditorHost(onAnswer, { store: new BrowserStore() });
    return { send: (command) => void setTimeout(() => void host.handle(command)) };
  }
}

function transferOf(command: SentCommand): Transferable[] {
  if (command.type !== 'spare') return [];
  return Object.values(command.buffers).map(({ buffer }) => buffer as ArrayBuffer);
}
