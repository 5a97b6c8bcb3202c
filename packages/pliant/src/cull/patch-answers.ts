const LAST_STAMP = 2 ** 31 - 1;
/** What fails in one pose is likely to fail in the next: it is left alone for 1, 3, then 7 poses. */
const MOST_FAILURES = 3;

/** What is known of patches in this pose, and which are not worth asking about. */
export class PatchAnswers {
  readonly bytes: number;
  readonly #answers: Uint8Array;
  readonly #stamps: Uint32Array;
  readonly #failures: Uint8Array;
  readonly #askAgain: Uint32Array;
  #stamp = 0;

  constructor(count: number) {
    this.#answers = new Uint8Array(count);
    this.#stamps = new Uint32Array(count);
    this.#failures = new Uint8Array(count);
    this.#askAgain = new Uint32Array(count);
    this.bytes = 10 * count;
  }

  /** Another pose. */
  forget(): void {
    if (this.#stamp === LAST_STAMP) {
      this.#stamps.fill(0);
      this.#askAgain.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
  }

  /** What `note` was told in this pose, 0 for a patch that is left alone, −1 when it has to be found out. */
  recall(patch: number): number {
    if (this.#stamps[patch] === this.#stamp) return this.#answers[patch];
    return this.#askAgain[patch] > this.#stamp ? 0 : -1;
  }

  /** An answer from 0 to 255, and whether it spared work. */
  note(patch: number, answer: number, isUseful: boolean): void {
    this.#stamps[patch] = this.#stamp;
    this.#answers[patch] = answer;
    const failures = isUseful ? 0 : Math.min(MOST_FAILURES, this.#failures[patch] + 1);
    this.#failures[patch] = failures;
    if (!isUseful) this.#askAgain[patch] = this.#stamp + (1 << failures);
  }
}
