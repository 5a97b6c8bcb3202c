import type { Graph } from './graph.ts';

/**
 * An elimination order that causes little fill: always the node that would have the fewest neighbours next.
 *
 * The graph is kept as a quotient graph (George and Liu 1981): a node eliminated becomes an element, which stands for
 * the clique of its neighbours, so that nothing ever needs more room than the matrix. As in Amestoy, Davis and Duff
 * 1996, the degree is bounded from above by sums over elements instead of counted, nodes with equal neighbours are
 * joined, those without neighbours outside the pivot go with it, and elements inside another are dropped.
 *
 * Nodes with very many neighbours come last: they would only make every list long.
 */
export function orderByMinimumDegree(graph: Graph): Int32Array {
  const quotient = new QuotientGraph(graph);
  for (let pivot = quotient.takeSmallest(); pivot >= 0; pivot = quotient.takeSmallest())
    quotient.eliminate(pivot);
  return quotient.finish();
}

/** More neighbours than this: eliminated last. */
export function denseLimit(size: number): number {
  return Math.max(16, Math.floor(10 * Math.sqrt(size)));
}

// A node that is neither is a variable, with state 0.
const ELEMENT = 1,
  GONE = 2; // joined to another, eliminated with another, or absorbed

class QuotientGraph {
  readonly #size: number;
  /** Of a variable: first elements, then variables. Of an element: variables. Entries that are gone may remain. */
  #list: Int32Array;
  #free: number; // where new lists begin
  readonly #start: Int32Array;
  readonly #length: Int32Array;
  readonly #elements: Int32Array; // how many entries of a variable's list are elements
  readonly #state: Uint8Array;
  readonly #weight: Int32Array; // nodes joined in a variable; negative while it belongs to the pivot
  readonly #degree: Int32Array; // of a variable: bound of its neighbours; of an element: their number
  #left: number; // nodes neither eliminated nor put last

  // Variables by degree, doubly linked.
  readonly #head: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  #smallest = 0;

  // Nodes that go together, as chains.
  readonly #chain: Int32Array;
  readonly #chainEnd: Int32Array;

  readonly #outside: Int32Array; // tag + weight of an element outside the pivot
  #tag = 1;
  readonly #mark: Int32Array; // for comparing lists
  #markTag = 0;
  readonly #bucket: Int32Array; // variables of the pivot by hash of their lists
  readonly #bucketNext: Int32Array;
  readonly #hash: Int32Array;

  readonly #order: Int32Array;
  #ordered = 0;
  readonly #last: number[] = [];

  constructor({ size, start, neighbour }: Graph) {
    const table = (fill: number) => new Int32Array(size).fill(fill);
    this.#size = size;
    this.#free = neighbour.length;
    this.#list = new Int32Array(Math.ceil(1.2 * neighbour.length) + size + 16);
    this.#list.set(neighbour);
    this.#start = start.slice(0, size);
    this.#length = new Int32Array(size);
    for (let i = 0; i < size; i++) this.#length[i] = start[i + 1] - start[i];
    this.#elements = table(0);
    this.#state = new Uint8Array(size);
    this.#weight = table(1);
    this.#degree = this.#length.slice();
    this.#head = table(-1);
    this.#next = table(-1);
    this.#previous = table(-1);
    this.#chain = table(-1);
    this.#chainEnd = Int32Array.from({ length: size }, (_, i) => i);
    this.#outside = table(0);
    this.#mark = table(0);
    this.#bucket = table(-1);
    this.#bucketNext = table(-1);
    this.#hash = table(0);
    this.#order = new Int32Array(size);
    this.#left = size;
    this.#enlist(denseLimit(size));
  }

  /** Puts every node into its degree list, from behind so that equal ones come out in their order. */
  #enlist(limit: number): void {
    for (let i = this.#size - 1; i >= 0; i--) {
      if (this.#degree[i] > limit) {
        this.#state[i] = GONE;
        this.#weight[i] = 0;
        this.#left--;
        this.#last.push(i);
      } else this.#insert(i);
    }
  }

  /** The variable with the smallest degree, no longer in any list; -1 when there is none. */
  takeSmallest(): number {
    const head = this.#head;
    while (this.#smallest < this.#size && head[this.#smallest] < 0) this.#smallest++;
    if (this.#smallest >= this.#size) return -1;
    const pivot = head[this.#smallest];
    this.#remove(pivot);
    return pivot;
  }

  eliminate(pivot: number): void {
    this.#createElement(pivot);
    this.#weighElements(pivot);
    this.#cleanNeighbours(pivot);
    this.#joinEqual(pivot);
    this.#closeElement(pivot);
  }

  /** The order: nodes as they were eliminated, then those put last, fewest neighbours first. */
  finish(): Int32Array {
    const length = this.#length;
    this.#last.sort((a, b) => length[a] - length[b] || a - b);
    for (const i of this.#last) this.#order[this.#ordered++] = i;
    return this.#order;
  }

  #insert(i: number): void {
    const d = this.#degree[i];
    const first = this.#head[d];
    if (first >= 0) this.#previous[first] = i;
    this.#next[i] = first;
    this.#previous[i] = -1;
    this.#head[d] = i;
    if (d < this.#smallest) this.#smallest = d;
  }

  #remove(i: number): void {
    const before = this.#previous[i],
      after = this.#next[i];
    if (before >= 0) this.#next[before] = after;
    else this.#head[this.#degree[i]] = after;
    if (after >= 0) this.#previous[after] = before;
  }

  /** The pivot's list becomes all its neighbours, those through elements included; these elements are gone. */
  #createElement(pivot: number): void {
    const { a: elementCount, b: needed } = this.#measure(pivot);
    const inPlace = elementCount === 0;
    if (!inPlace && this.#free + needed > this.#list.length) this.#repack(needed);
    const list = this.#list,
      weight = this.#weight,
      state = this.#state;
    const own = this.#start[pivot];
    const begin = inPlace ? own : this.#free;
    let end = begin,
      total = 0;
    weight[pivot] = -weight[pivot];
    for (let k = 0; k <= elementCount; k++) {
      // The elements' lists in turn, then the pivot's own variables.
      const e = k < elementCount ? list[own + k] : pivot;
      let p = e === pivot ? own + elementCount : this.#start[e];
      const last = e === pivot ? own + this.#length[pivot] : p + this.#length[e];
      for (; p < last; p++) {
        const i = list[p];
        const w = weight[i];
        if (w <= 0) continue; // gone, or here already
        weight[i] = -w;
        total += w;
        list[end++] = i;
        this.#remove(i);
      }
      if (e !== pivot) state[e] = GONE;
    }
    if (!inPlace) this.#free = end;
    this.#start[pivot] = begin;
    this.#length[pivot] = end - begin;
    this.#degree[pivot] = total;
    state[pivot] = ELEMENT;
    this.#left += weight[pivot]; // negative now
  }

  /** Drops elements that are gone from the pivot's list; how many remain, and room for all their variables. */
  #measure(pivot: number): { a: number; b: number } {
    const list = this.#list,
      state = this.#state,
      length = this.#length;
    const begin = this.#start[pivot],
      end = begin + length[pivot],
      variables = begin + this.#elements[pivot];
    let write = begin,
      needed = 0;
    for (let p = begin; p < variables; p++) {
      const e = list[p];
      if (state[e] !== ELEMENT) continue;
      list[write++] = e;
      needed += length[e];
    }
    const count = write - begin;
    for (let p = variables; p < end; p++) list[write++] = list[p];
    length[pivot] = write - begin;
    this.#elements[pivot] = count;
    return { a: count, b: Math.min(this.#size, needed + end - variables) };
  }

  /** For each element that meets the pivot's: the weight of what it has outside of it. */
  #weighElements(pivot: number): void {
    const list = this.#list,
      outside = this.#outside,
      degree = this.#degree,
      state = this.#state;
    if (this.#tag > 1 << 29) {
      outside.fill(0);
      this.#tag = 1;
    }
    const tag = this.#tag;
    let largest = 0;
    const end = this.#start[pivot] + this.#length[pivot];
    for (let p = this.#start[pivot]; p < end; p++) {
      const i = list[p];
      const w = -this.#weight[i];
      const last = this.#start[i] + this.#elements[i];
      for (let q = this.#start[i]; q < last; q++) {
        const e = list[q];
        if (state[e] !== ELEMENT) continue;
        if (outside[e] >= tag) outside[e] -= w;
        else {
          outside[e] = degree[e] + tag - w;
          if (degree[e] > largest) largest = degree[e];
        }
      }
    }
    this.#largestElement = largest;
  }
  #largestElement = 0;

  /**
   * Takes what the pivot's element now covers out of its neighbours' lists, puts the element in, and bounds their
   * degrees outside of it. A neighbour with nothing outside is eliminated at once.
   */
  #cleanNeighbours(pivot: number): void {
    const list = this.#list,
      start = this.#start,
      length = this.#length,
      state = this.#state,
      weight = this.#weight,
      outside = this.#outside;
    const tag = this.#tag,
      size = this.#size;
    const end = start[pivot] + length[pivot];
    for (let p = start[pivot]; p < end; p++) {
      const i = list[p];
      const begin = start[i];
      const variables = begin + this.#elements[i],
        last = begin + length[i];
      let write = begin,
        bound = 0,
        hash = pivot;
      for (let q = begin; q < variables; q++) {
        const e = list[q];
        if (state[e] !== ELEMENT) continue;
        const rest = outside[e] - tag;
        if (rest > 0) {
          bound += rest;
          hash += e;
          list[write++] = e;
        } else state[e] = GONE; // wholly inside the pivot's
      }
      const middle = write;
      for (let q = variables; q < last; q++) {
        const j = list[q];
        const w = weight[j];
        if (w <= 0) continue; // gone, the pivot, or a member of its element
        bound += w;
        hash += j;
        list[write++] = j;
      }
      if (bound === 0) {
        this.#append(pivot, i);
        weight[pivot] += weight[i]; // both negative
        this.#degree[pivot] += weight[i];
        this.#left += weight[i];
        weight[i] = 0;
        state[i] = GONE;
        continue;
      }
      // One entry at least has left, so there is room for the element, between elements and variables.
      if (write > middle) list[write] = list[middle];
      list[middle] = pivot;
      this.#elements[i] = middle + 1 - begin;
      length[i] = write + 1 - begin;
      if (bound < this.#degree[i]) this.#degree[i] = bound;
      const slot = hash % size;
      this.#hash[i] = slot;
      this.#bucketNext[i] = this.#bucket[slot];
      this.#bucket[slot] = i;
    }
    this.#tag = tag + this.#largestElement + 1;
  }

  /** Joins neighbours whose lists are equal: they stay so for ever. */
  #joinEqual(pivot: number): void {
    const list = this.#list,
      weight = this.#weight,
      next = this.#bucketNext;
    const end = this.#start[pivot] + this.#length[pivot];
    for (let p = this.#start[pivot]; p < end; p++) {
      if (weight[list[p]] === 0) continue;
      const slot = this.#hash[list[p]];
      let i = this.#bucket[slot];
      this.#bucket[slot] = -1;
      for (; i >= 0 && next[i] >= 0; i = next[i]) {
        this.#markList(i);
        let before = i;
        for (let j = next[i]; j >= 0; j = next[j]) {
          if (!this.#isMarkedList(i, j)) {
            before = j;
            continue;
          }
          weight[i] += weight[j]; // both negative
          weight[j] = 0;
          this.#state[j] = GONE;
          this.#append(i, j);
          next[before] = next[j];
        }
      }
    }
  }

  #markList(i: number): void {
    const tag = ++this.#markTag;
    const end = this.#start[i] + this.#length[i];
    for (let p = this.#start[i]; p < end; p++) this.#mark[this.#list[p]] = tag;
  }

  #isMarkedList(i: number, j: number): boolean {
    if (this.#length[i] !== this.#length[j] || this.#elements[i] !== this.#elements[j]) return false;
    const end = this.#start[j] + this.#length[j];
    for (let p = this.#start[j]; p < end; p++) if (this.#mark[this.#list[p]] !== this.#markTag) return false;
    return true;
  }

  /** Neighbours go back into the degree lists, and the pivot's chain into the order. */
  #closeElement(pivot: number): void {
    const list = this.#list,
      weight = this.#weight,
      degree = this.#degree;
    const begin = this.#start[pivot],
      end = begin + this.#length[pivot];
    let write = begin;
    for (let p = begin; p < end; p++) {
      const i = list[p];
      const w = -weight[i];
      if (w === 0) continue;
      weight[i] = w;
      degree[i] = Math.max(0, Math.min(this.#left - w, degree[i] + degree[pivot] - w));
      this.#insert(i);
      list[write++] = i;
    }
    this.#length[pivot] = write - begin;
    if (end === this.#free) this.#free = write;
    if (write === begin) this.#state[pivot] = GONE;
    weight[pivot] = 0;
    for (let i = pivot; i >= 0; i = this.#chain[i]) this.#order[this.#ordered++] = i;
  }

  #append(i: number, j: number): void {
    this.#chain[this.#chainEnd[i]] = j;
    this.#chainEnd[i] = this.#chainEnd[j];
  }

  /** Moves the lists still needed together, into a larger array if there would not be `needed` entries left. */
  #repack(needed: number): void {
    const from = this.#list;
    let used = 0;
    for (let i = 0; i < this.#size; i++) if (this.#state[i] !== GONE) used += this.#length[i];
    const to = new Int32Array(Math.max(from.length, Math.ceil(1.2 * used) + needed));
    let at = 0;
    for (let i = 0; i < this.#size; i++) {
      if (this.#state[i] === GONE) continue;
      const begin = this.#start[i];
      to.set(from.subarray(begin, begin + this.#length[i]), at);
      this.#start[i] = at;
      at += this.#length[i];
    }
    this.#list = to;
    this.#free = at;
  }
}
