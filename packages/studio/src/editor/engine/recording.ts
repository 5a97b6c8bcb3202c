import type { Edit } from './edits.ts';

/** Edits by the step before which they were made, from a state on. */
export interface Recording<Start> {
  readonly start: Start;
  readonly steps: number;
  readonly edits: readonly { readonly step: number; readonly edit: Edit }[];
}

const MOST_STEPS = 100_000;

/** Writes a recording while a session goes on. */
export class Recorder<Start> {
  readonly #start: Start;
  readonly #edits: { step: number; edit: Edit }[] = [];
  #steps = 0;

  constructor(start: Start) {
    this.#start = start;
  }

  add(edit: Edit): void {
    const last = this.#edits.at(-1);
    // Of several moves of the same handles between two steps the last one counts.
    const isAgain =
      edit.do === 'move' &&
      last?.step === this.#steps &&
      last.edit.do === 'move' &&
      last.edit.moves.every(({ id }, k) => id === edit.moves[k]?.id) &&
      last.edit.moves.length === edit.moves.length;
    if (isAgain) this.#edits.pop();
    this.#edits.push({ step: this.#steps, edit });
  }

  step(): void {
    this.#steps++;
  }

  get isFull(): boolean {
    return this.#steps >= MOST_STEPS;
  }

  /** Ends a little after the last edit: the shape comes to rest by itself. */
  finish(): Recording<Start> {
    return { start: this.#start, steps: this.#steps, edits: [...this.#edits] };
  }
}

/** Hands out the edits of a recording, step by step. */
export class Replay {
  readonly steps: number;
  readonly #edits: Recording<unknown>['edits'];
  #next = 0;
  #step = 0;

  constructor({ steps, edits }: Pick<Recording<unknown>, 'steps' | 'edits'>) {
    this.steps = steps;
    this.#edits = edits;
  }

  /** Edits that come before the next step. */
  *take(): Generator<Edit> {
    while (this.#next < this.#edits.length && this.#edits[this.#next].step <= this.#step) {
      yield this.#edits[this.#next++].edit;
    }
    this.#step++;
  }

  get step(): number {
    return this.#step;
  }

  get isOver(): boolean {
    return this.#step >= this.steps && this.#next === this.#edits.length;
  }
}
