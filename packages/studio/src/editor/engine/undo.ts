const MOST = 200;

/** Values to go back to, and those that were gone back from. */
export class UndoStack<Value> {
  readonly #before: { what: string; value: Value }[] = [];
  readonly #after: { what: string; value: Value }[] = [];

  /** `value` is how things are before `what` happens. */
  push(what: string, value: Value): void {
    this.#before.push({ what, value });
    if (this.#before.length > MOST) this.#before.shift();
    this.#after.length = 0;
  }

  /** Undefined when there is nothing to go back to. `now` can be gone forward to. */
  undo(now: Value): { what: string; value: Value } | undefined {
    const entry = this.#before.pop();
    if (entry) this.#after.push({ what: entry.what, value: now });
    return entry;
  }

  redo(now: Value): { what: string; value: Value } | undefined {
    const entry = this.#after.pop();
    if (entry) this.#before.push({ what: entry.what, value: now });
    return entry;
  }

  clear(): void {
    this.#before.length = this.#after.length = 0;
  }

  /** What the next `undo` takes back. */
  get undoes(): string | undefined {
    return this.#before.at(-1)?.what;
  }

  get redoes(): string | undefined {
    return this.#after.at(-1)?.what;
  }
}
