/** Numbers with their keys, the least key first; equal keys in the order of their numbers, so results never vary. */
export class MinHeap {
  count = 0;
  #keys = new Float64Array(64);
  #items = new Uint32Array(64);

  clear(): void {
    this.count = 0;
  }

  /** The least key; Infinity when there is nothing. */
  get least(): number {
    return this.count > 0 ? this.#keys[0] : Infinity;
  }

  push(key: number, item: number): void {
    if (this.count === this.#items.length) this.#grow();
    const keys = this.#keys,
      items = this.#items;
    let k = this.count++;
    while (k > 0) {
      const parent = (k - 1) >> 1;
      if (!comesFirst(key, item, keys[parent], items[parent])) break;
      keys[k] = keys[parent];
      items[k] = items[parent];
      k = parent;
    }
    keys[k] = key;
    items[k] = item;
  }

  /** Takes the number with the least key away. */
  pop(): number {
    const keys = this.#keys,
      items = this.#items;
    const first = items[0];
    const last = --this.count;
    const key = keys[last],
      item = items[last];
    let k = 0;
    for (;;) {
      let child = 2 * k + 1;
      if (child >= last) break;
      if (child + 1 < last && comesFirst(keys[child + 1], items[child + 1], keys[child], items[child]))
        child++;
      if (!comesFirst(keys[child], items[child], key, item)) break;
      keys[k] = keys[child];
      items[k] = items[child];
      k = child;
    }
    keys[k] = key;
    items[k] = item;
    return first;
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.#keys.length),
      items = new Uint32Array(2 * this.#items.length);
    keys.set(this.#keys);
    items.set(this.#items);
    this.#keys = keys;
    this.#items = items;
  }
}

function comesFirst(keyA: number, itemA: number, keyB: number, itemB: number): boolean {
  return keyA < keyB || (keyA === keyB && itemA < itemB);
}
