const LENGTH = 240; // frames

/** Times of the last frames, oldest first. */
export class History {
  readonly #pliant: number[] = [];
  readonly #traditional: number[] = [];
  readonly #number: number[] = [];
  #count = 0;

  clear(): void {
    this.#pliant.length = this.#traditional.length = this.#number.length = 0;
    this.#count = 0;
  }

  add(pliant: number, traditional: number): void {
    this.#pliant.push(pliant);
    this.#traditional.push(traditional);
    this.#number.push(this.#count++);
    if (this.#number.length <= LENGTH) return;
    this.#pliant.shift();
    this.#traditional.shift();
    this.#number.shift();
  }

  get frames(): number {
    return this.#number.length;
  }

  /** As the chart wants them: frame numbers, then both series. */
  get columns(): [number[], number[], number[]] {
    return [this.#number, this.#traditional, this.#pliant];
  }

  /** How many times as long the traditional method takes for the same frames. */
  get speedUp(): number | undefined {
    const { pliant, traditional } = this.means;
    return pliant > 0 ? traditional / pliant : undefined;
  }

  /** Without the slowest tenth of each: then the machine was busy with something else. */
  get means(): { pliant: number; traditional: number } {
    return { pliant: trimmedMean(this.#pliant), traditional: trimmedMean(this.#traditional) };
  }

  /** Nine tenths of the frames took less with either method. */
  get high(): number {
    return Math.max(nineTenths(this.#pliant), nineTenths(this.#traditional));
  }

  get highest(): number {
    return Math.max(0, ...this.#pliant, ...this.#traditional);
  }
}

function nineTenths(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(0.9 * sorted.length)] ?? Number.POSITIVE_INFINITY;
}

function trimmedMean(values: readonly number[]): number {
  const kept = [...values].sort((a, b) => a - b).slice(0, Math.ceil(0.9 * values.length));
  return kept.reduce((total, value) => total + value, 0) / Math.max(1, kept.length);
}
