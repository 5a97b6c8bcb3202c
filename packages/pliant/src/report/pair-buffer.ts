/** A growing list of number pairs that keeps its memory when cleared. */
export class PairBuffer {
  data: Uint32Array;
  count = 0;

  constructor(capacity = 64) {
    this.data = new Uint32Array(2 * capacity);
  }

  clear(): void {
    this.count = 0;
  }

  push(a: number, b: number): void {
    const o = 2 * this.count;
    if (o === this.data.length) this.#grow(2 * this.data.length);
    this.data[o] = a;
    this.data[o + 1] = b;
    this.count++;
  }

  /** Appends `count` pairs that start at element `from` of `source`. */
  pushAll(source: Uint32Array, from: number, count: number): void {
    const o = 2 * this.count;
    if (o + 2 * count > this.data.length) this.#grow(Math.max(2 * this.data.length, o + 2 * count));
    for (let k = 0; k < 2 * count; k++) this.data[o + k] = source[from + k];
    this.count += count;
  }

  #grow(length: number): void {
    const larger = new Uint32Array(length);
    larger.set(this.data);
    this.data = larger;
  }
}
