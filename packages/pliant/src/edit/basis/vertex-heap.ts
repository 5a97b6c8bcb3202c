/** Vertices by key, smallest first. The keys stand in an array of the caller's, one per vertex. */
export class VertexHeap {
  readonly #key: Float64Array;
  readonly #heap: Uint32Array;
  readonly #place: Int32Array; // of a vertex in the heap, or -1
  #count = 0;

  constructor(key: Float64Array) {
    this.#key = key;
    this.#heap = new Uint32Array(key.length);
    this.#place = new Int32Array(key.length).fill(-1);
  }

  get count(): number {
    return this.#count;
  }

  /** Puts a vertex in, or moves it up after its key has become smaller. */
  raise(vertex: number): void {
    let at = this.#place[vertex];
    if (at < 0) at = this.#count++;
    const key = this.#key,
      heap = this.#heap,
      place = this.#place,
      own = key[vertex];
    while (at > 0) {
      const up = (at - 1) >> 2;
      const above = heap[up];
      if (key[above] <= own) break;
      heap[at] = above;
      place[above] = at;
      at = up;
    }
    heap[at] = vertex;
    place[vertex] = at;
  }

  /** The vertex with the smallest key, which is then no longer in the heap. There must be one. */
  pop(): number {
    const heap = this.#heap,
      place = this.#place;
    const first = heap[0],
      last = heap[--this.#count];
    place[first] = -1;
    if (this.#count > 0) this.#sink(last);
    return first;
  }

  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#place[this.#heap[i]] = -1;
    this.#count = 0;
  }

  /** From the top down. */
  #sink(vertex: number): void {
    const key = this.#key,
      heap = this.#heap,
      place = this.#place,
      count = this.#count,
      own = key[vertex];
    let at = 0;
    for (;;) {
      const first = 4 * at + 1;
      if (first >= count) break;
      let least = first;
      const end = Math.min(first + 4, count);
      for (let child = first + 1; child < end; child++)
        if (key[heap[child]] < key[heap[least]]) least = child;
      const below = heap[least];
      if (key[below] >= own) break;
      heap[at] = below;
      place[below] = at;
      at = least;
    }
    heap[at] = vertex;
    place[vertex] = at;
  }
}
