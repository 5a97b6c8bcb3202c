/** Which row a key has. Keys may be too large for the small integers that maps are fast with, and nothing is allocated. */
export class RowTable {
  #keys = new Float64Array(256);
  #rows = new Int32Array(256).fill(-1);
  #count = 0;

  clear(): void {
    if (this.#count > 0) this.#rows.fill(-1);
    this.#count = 0;
  }

  /** −1: none. */
  get(key: number): number {
    return this.#rows[this.#find(key)];
  }

  set(key: number, row: number): void {
    if (2 * this.#count >= this.#rows.length) this.#grow();
    const at = this.#find(key);
    if (this.#rows[at] < 0) this.#count++;
    this.#keys[at] = key;
    this.#rows[at] = row;
  }

  /** Where the key is, or the free place where it belongs. */
  #find(key: number): number {
    const keys = this.#keys,
      rows = this.#rows;
    const mask = rows.length - 1;
    const high = Math.floor(key / 2 ** 32);
    let at = Math.imul(key ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> 8;
    for (at &= mask; rows[at] >= 0 && keys[at] !== key; ) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const keys = this.#keys,
      rows = this.#rows;
    this.#keys = new Float64Array(2 * keys.length);
    this.#rows = new Int32Array(2 * keys.length).fill(-1);
    this.#count = 0;
    for (let k = 0; k < rows.length; k++) if (rows[k] >= 0) this.set(keys[k], rows[k]);
  }
}
