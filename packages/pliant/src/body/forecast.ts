/** Rounds for which a body stays with batch after on demand was the wrong choice: 2, then twice as many each time. */
const FIRST_WAIT = 2;
const LONGEST_WAIT = 256;
/** After a wrong choice, the next try may cost only this share of what it could before. */
const CAUTIOUS_SHARE = 0.5;

/**
 * Whether the next query of a body is likely to look at little of it. Poses change little from one query to the next,
 * so the last ones tell; a scene that gets calm again is noticed by a short try now and then.
 *
 * A query about many bodies is one round, in which a body may meet several others: what one of them needs much of is
 * there for all of them.
 */
export class Forecast {
  #wait = 0;
  #failures = 0;
  #skipped = 0; // the last round that was
  #failed = 0;

  get expectsMuch(): boolean {
    return this.#wait > 0;
  }

  /** A round passes without a try. */
  skip(round: number): void {
    if (this.#wait === 0 || this.#skipped === round) return;
    this.#skipped = round;
    this.#wait--;
  }

  /** What a try may cost, as a share of what batch would. */
  get patience(): number {
    return this.#failures === 0 ? 1 : CAUTIOUS_SHARE;
  }

  noteLittle(round: number): void {
    if (this.#failed !== round) this.#failures = 0;
  }

  noteMuch(round: number): void {
    if (this.#failed === round) return;
    this.#failed = round;
    this.#wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures);
    this.#failures++;
  }
}
