import { hashOfSurface } from 'pliant/io';
import { surfaceOfModel } from './model.ts';
import { writeProject } from './project.ts';
import type { EditorSession } from './session.ts';
import type { VisitStore } from './store.ts';

const DELAY = 1200; // milliseconds after the last change

/** Keeps a session for the next visit: the whole of it now and then, what changes a moment after it did. */
export class Autosave {
  readonly #store: VisitStore;
  readonly #complain: (message: string) => void;
  #session: EditorSession | undefined;
  #id = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isHeavy = false; // more than the snapshot has changed
  #last: Promise<void> = Promise.resolve();
  #hasComplained = false;

  constructor(store: VisitStore, complain: (message: string) => void) {
    this.#store = store;
    this.#complain = complain;
  }

  /** Another session from now on. */
  use(session: EditorSession): void {
    this.#session = session;
    this.note(true);
  }

  note(isHeavy: boolean): void {
    this.#isHeavy ||= isHeavy;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), DELAY);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Writes now. One after the other: a later state never comes before an earlier one. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    const session = this.#session;
    if (session === undefined) return this.#last;
    this.#last = this.#last.then(async () => {
      try {
        if (session !== this.#session) return;
        if (this.#isHeavy) {
          this.#isHeavy = false;
          this.#id = `${hashOfSurface(surfaceOfModel(session.model))}-${Date.now()}`;
          await this.#store.writeProject(this.#id, writeProject(session));
        } else await this.#store.writeChanges({ projectId: this.#id, snapshot: session.snapshot() });
      } catch (error) {
        if (!this.#hasComplained) this.#complain(error instanceof Error ? error.message : String(error));
        this.#hasComplained = true;
      }
    });
    return this.#last;
  }
}
