import { drawStatus, printNote } from './streams.ts';

const BAR = 24; // characters
const REDRAW = 100; // milliseconds, on a terminal
const LINE_EVERY = 5000; // milliseconds, in a log

/** How far work in stages is, on stderr: a bar per stage on a terminal, a line now and then in a log. */
export class StageProgress {
  readonly #isQuiet: boolean;
  readonly #isTerminal = process.stderr.isTTY === true;
  readonly #times = new Map<string, number>(); // milliseconds, by stage
  #stage = '';
  #start = performance.now();
  #last = this.#start;
  #isShown = false;

  constructor(isQuiet: boolean) {
    this.#isQuiet = isQuiet;
  }

  /** `share` of the stage is done, from 0 to 1. */
  update(stage: string, share: number): void {
    const now = performance.now();
    if (stage !== this.#stage) this.#begin(stage, now);
    if (this.#isQuiet || now - this.#last < (this.#isTerminal ? REDRAW : LINE_EVERY)) return;
    this.#last = now;
    const seconds = ((now - this.#start) / 1000).toFixed(0);
    const text = `${stage}, ${(100 * share).toFixed(0)} %, ${seconds} s`;
    if (this.#isTerminal) this.#draw(`${bar(share)} ${text}`);
    else printNote(text);
  }

  /** What begins now: a line in a log; a terminal has the bar. */
  announce(text: string): void {
    if (!this.#isQuiet && !this.#isTerminal) printNote(text);
  }

  /** Takes the bar away. */
  finish(): void {
    this.#begin('', performance.now());
    if (this.#isShown) drawStatus('');
    this.#isShown = false;
  }

  /** What each stage took: `lattice 0.8 s, assembly 0.3 s`. */
  times(): string {
    return [...this.#times].map(([stage, ms]) => `${stage} ${(ms / 1000).toFixed(1)} s`).join(', ');
  }

  #begin(stage: string, now: number): void {
    if (this.#stage !== '') {
      this.#times.set(this.#stage, (this.#times.get(this.#stage) ?? 0) + now - this.#start);
    }
    this.#stage = stage;
    this.#start = now;
  }

  #draw(text: string): void {
    drawStatus(text);
    this.#isShown = true;
  }
}

function bar(share: number): string {
  const full = Math.round(BAR * Math.min(1, share));
  return '█'.repeat(full) + '░'.repeat(BAR - full);
}
