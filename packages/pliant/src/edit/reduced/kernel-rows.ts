import type { KernelMemory } from '../../kernels/memory.ts';

/** Rows of f64 in kernel memory, as the dense kernels want them: an even number from one to the next. */
export class KernelRows {
  readonly #memory: KernelMemory;
  #address = 0;
  #rows = 0;
  #stride = 0;

  constructor(memory: KernelMemory) {
    this.#memory = memory;
  }

  /** Of the first row, in bytes. */
  get address(): number {
    return this.#address;
  }

  get stride(): number {
    return this.#stride;
  }

  /** Rows there is room for. */
  get room(): number {
    return this.#rows;
  }

  /** All of memory; stale as soon as anything is allocated. */
  get f64(): Float64Array {
    return this.#memory.f64;
  }

  /** Of a row, in bytes. */
  at(row: number): number {
    return this.#address + 8 * row * this.#stride;
  }

  /** Of a row, in `f64`. */
  offset(row: number): number {
    return (this.#address >>> 3) + row * this.#stride;
  }

  /** Makes room, with some to spare; what the rows hold stays. New room is zero. True when they have moved. */
  reserve(rows: number, columns: number): boolean {
    if (rows <= this.#rows && columns <= this.#stride) return false;
    const newRows = rows > this.#rows ? roomFor(rows) : this.#rows;
    const newStride = columns > this.#stride ? roomFor(columns) : this.#stride;
    const address = this.#memory.allocate(8 * newRows * newStride);
    const { f64 } = this.#memory;
    const to = address >>> 3;
    f64.fill(0, to, to + newRows * newStride);
    for (let row = 0; row < this.#rows; row++) {
      const from = this.offset(row);
      f64.copyWithin(to + row * newStride, from, from + this.#stride);
    }
    this.#memory.free(this.#address);
    this.#address = address;
    this.#rows = newRows;
    this.#stride = newStride;
    return true;
  }

  dispose(): void {
    this.#memory.free(this.#address);
    this.#address = this.#rows = this.#stride = 0;
  }
}

/** A quarter more, in steps of 16: growing column by column moves things seldom. */
function roomFor(count: number): number {
  return 16 * Math.ceil((count + (count >>> 2)) / 16);
}
