import { drawStatus, printNote } from './streams.ts';

const BAR = 24; // characters
const REDRAW = 100; // milliseconds, on a terminal
const LINE_EVERY = 5000; // milliseconds, in a log

/** How far a run is, on stderr: a bar on a terminal, a line now and then in a log. */
export class Progress {
  readonly #total: number;
  readonly #unit: string;
  readonly #isQuiet: boolean;
  readonly #isTerminal = process.stderr.isTTY === true;
  #start = performance.now();
  #last = this.#start;
  #isShown = false;

  constructor(total: number, unit: string, isQuiet: boolean) {
    this.#total = total;
    this.#unit = unit;
    this.#isQuiet = isQuiet;
  }

  /** What came before does not count as time spent on the first ones. */
  restart(): void {
    this.#start = performance.now();
  }

  update(done: number, note: string): void {
    if (this.#isQuiet) return;
    const now = performance.now();
    if (now - this.#last < (this.#isTerminal ? REDRAW : LINE_EVERY)) return;
    this.#last = now;
    const seconds = (now - this.#start) / 1000;
    const rate = done / seconds;
    const left = rate > 0 ? `${duration((this.#total - done) / rate)} left` : '';
    const counts = `${done}/${this.#total} ${this.#unit}`;
    const text = `${counts}, ${rate.toFixed(rate < 10 ? 1 : 0)}/s, ${left}${note ? `, ${note}` : ''}`;
    if (this.#isTerminal) this.#draw(`${bar(done / this.#total)} ${text}`);
    else printNote(text);
  }

  /** Takes the bar away. */
  finish(): void {
    if (this.#isShown) drawStatus('');
    this.#isShown = false;
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

function duration(seconds: number): string {
  const s = Math.ceil(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}
