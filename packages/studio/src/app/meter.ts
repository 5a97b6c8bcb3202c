const FEWEST = 20; // pictures

/** Script work of the page per picture, in milliseconds: what is left of a frame belongs to the browser. */
export class Meter {
  readonly #recent: number[] = [];
  #pending = 0;
  #pictures = 0;

  /** Work outside the picture's own callback, such as taking in an answer. */
  add<Result>(work: () => Result): Result {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.#pending += performance.now() - start;
    }
  }

  /** A picture is done. */
  close(): void {
    this.#recent.push(this.#pending);
    this.#pictures++;
    this.#pending = 0;
    if (this.#recent.length > 120) this.#recent.shift();
  }

  /** Forgets what was before: opening a scene is another matter than showing it. */
  restart(): void {
    this.#recent.length = 0;
  }

  /** How many there were so far. */
  get pictures(): number {
    return this.#pictures;
  }

  /** 19 of 20 recent pictures took less; undefined after too few of them. */
  get high(): number | undefined {
    if (this.#recent.length < FEWEST) return undefined;
    const sorted = [...this.#recent].sort((a, b) => a - b);
    return sorted[Math.floor(0.95 * sorted.length)];
  }
}
