/** Says which case runs, how long all have taken and about how long is left. */
export class Progress {
  readonly #expected: readonly (number | undefined)[];
  readonly #say: (text: string) => void;
  readonly #start = performance.now();
  readonly #taken: number[] = [];

  /** `expected`: seconds of each case, where known. */
  constructor(expected: readonly (number | undefined)[], say: (text: string) => void) {
    this.#expected = expected;
    this.#say = say;
  }

  begin(k: number, name: string): void {
    const left = this.#secondsLeft();
    const when = left === undefined ? '' : `, about ${formatSeconds(left)} left`;
    const elapsed = formatSeconds((performance.now() - this.#start) / 1000);
    this.#say(`[${k + 1}/${this.#expected.length}] ${name} (${elapsed} so far${when}) … `);
  }

  end(seconds: number, what: string): void {
    this.#taken.push(seconds);
    this.#say(`${formatSeconds(seconds)}, ${what}\n`);
  }

  /** Cases that nobody has run yet are taken to last as long as the others do in the mean. */
  #secondsLeft(): number | undefined {
    const taken = this.#taken;
    const known = [...taken, ...this.#expected.slice(taken.length).filter((x) => x !== undefined)];
    if (known.length === 0) return undefined;
    const mean = sum(known) / known.length;
    return sum(this.#expected.slice(taken.length).map((seconds) => seconds ?? mean));
  }
}

export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
