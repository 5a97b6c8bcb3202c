const TARGET = 1_000; // milliseconds of work: more than handing it out costs, and little to lose
const LARGEST = 64; // frames
const GROWTH = 4;

/** How many frames make a job: few at first, then as many as take about a second. The answer does not depend on it. */
export class JobSize {
  readonly #fixed: number | undefined;
  #frames = 1;
  #average: number | undefined; // milliseconds of a frame

  constructor(fixed: number | undefined) {
    this.#fixed = fixed;
  }

  get frames(): number {
    return this.#fixed ?? this.#frames;
  }

  learn(milliseconds: number): void {
    this.#average = this.#average === undefined ? milliseconds : 0.9 * this.#average + 0.1 * milliseconds;
    const wanted = Math.round(TARGET / Math.max(0.1, this.#average));
    this.#frames = Math.max(1, Math.min(LARGEST, GROWTH * this.#frames, wanted));
  }
}
