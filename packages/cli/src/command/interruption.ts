import { constants } from 'node:os';

/** Ctrl-C and its like: the first asks for a clean end, the second ends at once. */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #listeners: [NodeJS.Signals, () => void][];
  #exitCode = 0;

  constructor() {
    this.#listeners = (['SIGINT', 'SIGTERM'] as const).map((name) => [name, () => this.#receive(name)]);
    for (const [name, listener] of this.#listeners) process.on(name, listener);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** 130 for Ctrl-C; 0 when nothing has happened. */
  get exitCode(): number {
    return this.#exitCode;
  }

  dispose(): void {
    for (const [name, listener] of this.#listeners) process.off(name, listener);
  }

  #receive(name: 'SIGINT' | 'SIGTERM'): void {
    const exitCode = 128 + constants.signals[name];
    if (this.signal.aborted) process.exit(exitCode);
    this.#exitCode = exitCode;
    this.#controller.abort();
  }
}
