import type { FrameResult } from '../frames/frame-checker.ts';

/** Results of frames come in any order and perhaps twice; they leave in order, once. */
export class FrameOrder {
  received = 0;
  duplicates = 0;
  readonly #waiting = new Map<number, FrameResult>();
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** The first frame that has not left. */
  get next(): number {
    return this.#next;
  }

  /** False when we have it already. */
  add(result: FrameResult): boolean {
    const { frame } = result;
    if (frame < this.#next || this.#waiting.has(frame)) {
      this.duplicates++;
      return false;
    }
    this.#waiting.set(frame, result);
    this.received++;
    return true;
  }

  /** The next one in order; undefined when it is not there yet. */
  take(): FrameResult | undefined {
    const result = this.#waiting.get(this.#next);
    if (result !== undefined) this.#waiting.delete(this.#next++);
    return result;
  }

  /** All that are left, with gaps. */
  takeRest(): FrameResult[] {
    const rest = [...this.#waiting.values()].sort((a, b) => a.frame - b.frame);
    this.#waiting.clear();
    return rest;
  }
}
