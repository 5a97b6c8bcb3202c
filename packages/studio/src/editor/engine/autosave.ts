import type { StoredChanges, VisitStore } from './store.ts';

const DELAY = 1200; // milliseconds after the last change

/** What can be kept: as a project, or what has changed since it was. */
export interface Keepable {
  readonly hash: string; // of what it is made from
  write(): Uint8Array;
  changes(): Omit<StoredChanges, 'projectId'>;
}

/** Keeps a session for the next visit: the whole of it now and then, what changes a moment after it did. */
export class Autosave {
  readonly #store: VisitStore;
  readonly #complain: (message: string) => void;
  #kept: Keepable | undefined;
  #id = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isHeavy = false; // more than the snapshot has changed
  #last: Promise<void> = Promise.resolve();
  #hasComplained = false;

  constructor(store: VisitStore, complain: (message: string) => void) {
    this.#store = store;
    this.#complain = complain;
  }

  /** Another session from now on; undefined: what was kept last stays. */
  use(kept: Keepable | undefined): void {
    clearTimeout(this.#timer);
    this.#kept = kept;
    if (kept) this.note(true);
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
    const kept = this.#kept;
    if (kept === undefined) return this.#last;
    this.#last = this.#last.then(async () => {
      try {
        if (kept !== this.#kept) return;
        if (this.#isHeavy) {
          this.#isHeavy = false;
          this.#id = `${kept.hash}-${Date.now()}`;
          await this.#store.writeProject(this.#id, kept.write());
        } else await this.#store.writeChanges({ projectId: this.#id, ...kept.changes() });
      } catch (error) {
        if (!this.#hasComplained) this.#complain(error instanceof Error ? error.message : String(error));
        this.#hasComplained = true;
      }
    });
    return this.#last;
  }
}
