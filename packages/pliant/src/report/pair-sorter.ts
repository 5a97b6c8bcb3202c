/** Fewer pairs than this are sorted by insertion. */
const FEW = 24;
const WIDEST_DIGIT = 13;

/**
 * Sorts lists of pairs by the first id, then the second. A radix sort: each digit is one stable pass, whatever the
 * order of the pairs was. Keeps its memory, a copy of the longest list so far.
 */
export class PairSorter {
  #counts = new Int32Array(0);
  #pairs = new Uint32Array(0);
  #owners = new Uint32Array(0);
  #values = new Float64Array(0);

  /**
   * Sorts the first `count` pairs; `values`, one per pair, and `owners`, two per pair, go along where there are any.
   * Owners take precedence over ids.
   */
  sort(
    pairs: Uint32Array,
    owners: Uint32Array | undefined,
    values: Float64Array | undefined,
    count: number,
  ): void {
    const groups = owners ? countGroups(owners, count) : 1;
    if (groups === UNORDERED) this.#sortAll(pairs, owners, values, 0, count);
    else this.#sortGroups(pairs, groups, owners, values, count);
  }

  /** Queries between several bodies add one body pair after the other: then only ids are to be sorted, group by group. */
  #sortGroups(
    pairs: Uint32Array,
    groups: number,
    owners: Uint32Array | undefined,
    values: Float64Array | undefined,
    count: number,
  ): void {
    let anyI = 0,
      anyJ = 0;
    for (let o = 0; o < 2 * count; o += 2) {
      anyI |= pairs[o];
      anyJ |= pairs[o + 1];
    }
    const bitsI = 32 - Math.clz32(anyI),
      bitsJ = 32 - Math.clz32(anyJ);
    const bits = 32 - Math.clz32(groups - 1) + bitsI + bitsJ;
    if (count >= FEW && values === undefined && bits <= 32 && bitsI + bitsJ < 32) {
      this.#sortPacked(pairs, bitsI, bitsJ, bits, owners, count);
      return;
    }
    for (let from = 0, to = 0; from < count; from = to) {
      to = owners ? endOfGroup(owners, from, count) : count;
      if (to - from < FEW) insert(pairs, values, from, to);
      else this.#sortAll(pairs, undefined, values, from, to);
    }
  }

  /** Group and ids in one number of 32 bits: half as much to move, to and fro between the halves of the copy. */
  #sortPacked(
    pairs: Uint32Array,
    bitsI: number,
    bitsJ: number,
    bits: number,
    owners: Uint32Array | undefined,
    count: number,
  ): void {
    if (this.#pairs.length < 2 * count) this.#pairs = new Uint32Array(pairs.length);
    const keys = this.#pairs;
    let group = 0;
    for (let k = 0; k < count; k++) {
      if (owners && k > 0 && isBoundary(owners, k)) group++;
      keys[k] = (group << (bitsI + bitsJ)) | (pairs[2 * k] << bitsJ) | pairs[2 * k + 1];
    }
    const passes = passesFor(bits, count),
      width = Math.ceil(bits / passes);
    const mask = (1 << width) - 1;
    let source = 0,
      target = count;
    for (let pass = 0; pass < passes; pass++) {
      const shift = pass * width;
      const counts = this.#emptyCounts(width);
      for (let k = source; k < source + count; k++) counts[(keys[k] >>> shift) & mask]++;
      accumulate(counts, target, mask);
      for (let k = source; k < source + count; k++) {
        const key = keys[k];
        keys[counts[(key >>> shift) & mask]++] = key;
      }
      target = source;
      source = count - target;
    }
    const maskI = 2 ** bitsI - 1,
      maskJ = 2 ** bitsJ - 1;
    for (let k = 0; k < count; k++) {
      const key = keys[source + k];
      pairs[2 * k] = (key >>> bitsJ) & maskI;
      pairs[2 * k + 1] = key & maskJ;
    }
  }

  #sortAll(
    pairs: Uint32Array,
    owners: Uint32Array | undefined,
    values: Float64Array | undefined,
    from: number,
    to: number,
  ): void {
    const n = to - from;
    if (this.#pairs.length < 2 * n) this.#pairs = new Uint32Array(pairs.length);
    if (values && this.#values.length < n) this.#values = new Float64Array(values.length);
    if (owners && this.#owners.length < 2 * n) this.#owners = new Uint32Array(owners.length);
    this.#sortBy(pairs, 1, pairs, owners, values, from, to);
    this.#sortBy(pairs, 0, pairs, owners, values, from, to);
    if (owners === undefined) return;
    this.#sortBy(owners, 1, pairs, owners, values, from, to);
    this.#sortBy(owners, 0, pairs, owners, values, from, to);
  }

  /** Stable, by one column of the ids or of the owners. */
  #sortBy(
    keys: Uint32Array,
    column: 0 | 1,
    pairs: Uint32Array,
    owners: Uint32Array | undefined,
    values: Float64Array | undefined,
    from: number,
    to: number,
  ): void {
    const bits = bitsOf(keys, column, from, to);
    const passes = passesFor(bits, to - from),
      width = Math.ceil(bits / passes);
    for (let pass = 0; pass < passes; pass++) {
      this.#distribute(keys, column, pass * width, width, pairs, owners, values, from, to);
    }
  }

  /** One pass: into the copy by one digit, and back. */
  #distribute(
    keys: Uint32Array,
    column: 0 | 1,
    shift: number,
    width: number,
    pairs: Uint32Array,
    owners: Uint32Array | undefined,
    values: Float64Array | undefined,
    from: number,
    to: number,
  ): void {
    const counts = this.#emptyCounts(width),
      copy = this.#pairs;
    const mask = (1 << width) - 1;
    for (let k = 2 * from + column; k < 2 * to; k += 2) counts[(keys[k] >>> shift) & mask]++;
    accumulate(counts, 0, mask);
    const valueCopy = this.#values,
      ownerCopy = this.#owners;
    for (let k = from; k < to; k++) {
      const o = counts[(keys[2 * k + column] >>> shift) & mask]++;
      copy[2 * o] = pairs[2 * k];
      copy[2 * o + 1] = pairs[2 * k + 1];
      if (values) valueCopy[o] = values[k];
      if (owners) {
        ownerCopy[2 * o] = owners[2 * k];
        ownerCopy[2 * o + 1] = owners[2 * k + 1];
      }
    }
    const n = to - from;
    for (let k = 0; k < 2 * n; k++) pairs[2 * from + k] = copy[k];
    if (values) for (let k = 0; k < n; k++) values[from + k] = valueCopy[k];
    if (owners) for (let k = 0; k < 2 * n; k++) owners[2 * from + k] = ownerCopy[k];
  }

  #emptyCounts(width: number): Int32Array {
    if (this.#counts.length < 1 << width) this.#counts = new Int32Array(1 << width);
    return this.#counts.fill(0, 0, 1 << width);
  }
}

/** How many bits the ids in one column have. */
function bitsOf(list: Uint32Array, column: 0 | 1, from: number, to: number): number {
  let all = 0;
  for (let k = 2 * from + column; k < 2 * to; k += 2) all |= list[k];
  return 32 - Math.clz32(all);
}

/** Digits have about as many values as there are keys: buckets then cost no more than keys. */
function passesFor(bits: number, n: number): number {
  return Math.ceil(bits / Math.min(WIDEST_DIGIT, 32 - Math.clz32(n)));
}

/** From counts to where each digit begins. */
function accumulate(counts: Int32Array, start: number, last: number): void {
  for (let digit = 0, sum = start; digit <= last; digit++) {
    const count = counts[digit];
    counts[digit] = sum;
    sum += count;
  }
}

/** Whether pair k has other owners than the one before it. */
function isBoundary(owners: Uint32Array, k: number): boolean {
  return owners[2 * k] !== owners[2 * k - 2] || owners[2 * k + 1] !== owners[2 * k - 1];
}

const UNORDERED = -1;

/** Runs of pairs with the same owners, if these runs are in order. */
function countGroups(owners: Uint32Array, count: number): number {
  let groups = 1;
  for (let k = 1; k < count; k++) {
    if (!isBoundary(owners, k)) continue;
    const o = 2 * k;
    if (owners[o] < owners[o - 2] || (owners[o] === owners[o - 2] && owners[o + 1] < owners[o - 1]))
      return UNORDERED;
    groups++;
  }
  return groups;
}

function endOfGroup(owners: Uint32Array, from: number, count: number): number {
  let to = from + 1;
  while (to < count && !isBoundary(owners, to)) to++;
  return to;
}

function insert(pairs: Uint32Array, values: Float64Array | undefined, from: number, to: number): void {
  for (let k = from + 1; k < to; k++) {
    const i = pairs[2 * k],
      j = pairs[2 * k + 1],
      value = values ? values[k] : 0;
    let o = k;
    for (; o > from && (i < pairs[2 * o - 2] || (i === pairs[2 * o - 2] && j < pairs[2 * o - 1])); o--) {
      pairs[2 * o] = pairs[2 * o - 2];
      pairs[2 * o + 1] = pairs[2 * o - 1];
      if (values) values[o] = values[o - 1];
    }
    pairs[2 * o] = i;
    pairs[2 * o + 1] = j;
    if (values) values[o] = value;
  }
}
