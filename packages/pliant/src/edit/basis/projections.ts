import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import { COUNT_LIMIT } from '../../mesh/check-input.ts';
import type { BasisGroup } from './basis-group.ts';
import type { GroupMemory, PlacedGroup } from './group-memory.ts';

/** Both triangles by rows, without zeros. */
interface Rows {
  readonly start: Uint32Array;
  readonly column: Uint32Array;
  readonly value: Float64Array;
}

const BATCH = 4096; // rows between two steps

/**
 * Wₐᵀ L W_b for pairs of groups, computed when they are first asked for. The most recent ones are kept, up to a
 * number of bytes; those of large groups, which take long, are computed before and always kept.
 */
export class Projections {
  readonly #memory: GroupMemory;
  readonly #budget: number;
  readonly #blocks = new Map<number, Float64Array>(); // the least recently used first
  readonly #pinned = new Map<number, Float64Array>();
  // Addresses: L by rows, and of a vertex its place among the rows of a group, or −1.
  readonly #start: number;
  readonly #column: number;
  readonly #value: number;
  readonly #place: number;
  #out = 0;
  #room = 0; // numbers at `out`
  #hasGlobal = false;
  #isDisposed = false;
  #bytes = 0;

  constructor(laplacian: SymmetricMatrix, memory: GroupMemory, budget: number) {
    this.#memory = memory;
    this.#budget = budget;
    const { start, column, value } = rowsOf(laplacian);
    const { memory: bytes } = memory.kernels;
    this.#start = bytes.allocate(start.byteLength);
    this.#column = bytes.allocate(column.byteLength);
    this.#value = bytes.allocate(value.byteLength);
    this.#place = bytes.allocate(4 * laplacian.size);
    bytes.u32.set(start, this.#start >>> 2);
    bytes.u32.set(column, this.#column >>> 2);
    bytes.f64.set(value, this.#value >>> 3);
    bytes.i32.fill(-1, this.#place >>> 2, (this.#place >>> 2) + laplacian.size);
  }

  /** What the blocks take that may be forgotten, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Columns of `a` × columns of `b`, row by row. Kept here: not to be written to. */
  block(a: BasisGroup, b: BasisGroup): Float64Array {
    const key = keyOf(a, b);
    const pinned = this.#pinned.get(key);
    if (pinned !== undefined) return pinned;
    const known = this.#blocks.get(key);
    if (known !== undefined) {
      this.#blocks.delete(key);
      this.#blocks.set(key, known);
      return known;
    }
    const mirrored = this.#pinned.get(keyOf(b, a)) ?? this.#blocks.get(keyOf(b, a));
    const block = mirrored === undefined ? this.#compute(a, b) : transposed(mirrored, b.columns, a.columns);
    if (a.id === 0 && b.id === 0) this.#pinned.set(key, block);
    else this.#keep(key, block);
    return block;
  }

  /** Computes the blocks of these groups with each other and keeps them for good. Yields the share that is done. */
  *pin(
    groups: readonly BasisGroup[],
    areCoupled: (a: number, b: number) => boolean,
  ): Generator<number, void> {
    const sizes = groups.map(({ rows }) => rows.length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    let done = 0;
    for (let i = 0; i < groups.length; i++) {
      for (let j = 0; j <= i; j++) {
        const key = keyOf(groups[j], groups[i]);
        if (this.#pinned.has(key) || !areCoupled(groups[j].id, groups[i].id)) continue;
        if (groups[i].id === 0) yield* this.#pinGlobal(groups[i], sizes[i] / total);
        else this.#pinned.set(key, this.#compute(groups[j], groups[i]));
        yield (done + (sizes[i] * (j + 1)) / (i + 1)) / total;
      }
      done += sizes[i];
    }
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const { memory } = this.#memory.kernels;
    for (const address of [this.#start, this.#column, this.#value, this.#place, this.#out])
      memory.free(address);
    if (this.#hasGlobal) this.#memory.release(0);
  }

  *#pinGlobal(group: BasisGroup, share: number): Generator<number, void> {
    const block = new Float64Array(group.columns ** 2);
    const { length } = group.rows;
    for (let from = 0; from < length; from += BATCH) {
      this.#add(group, group, from, Math.min(length, from + BATCH), block);
      yield share * Math.min(1, (from + BATCH) / length);
    }
    this.#pinned.set(keyOf(group, group), symmetrised(block, group.columns));
  }

  #compute(a: BasisGroup, b: BasisGroup): Float64Array {
    // Over the rows of the group that has fewer, and always the same way round: blocks mirror each other exactly.
    const isTurned = b.rows.length < a.rows.length || (b.rows.length === a.rows.length && b.id < a.id);
    const small = isTurned ? b : a,
      large = isTurned ? a : b;
    const block = new Float64Array(a.columns * b.columns);
    this.#add(small, large, 0, small.rows.length, block);
    if (small === large) return symmetrised(block, a.columns);
    return isTurned ? transposed(block, small.columns, large.columns) : block;
  }

  /** Adds the part of some rows of `small` to columns of `small` × columns of `large`. */
  #add(small: BasisGroup, large: BasisGroup, from: number, to: number, block: Float64Array): void {
    const { kernels } = this.#memory;
    const { memory } = kernels;
    const s = this.#hold(small),
      l = this.#hold(large);
    if (block.length > this.#room) {
      memory.free(this.#out);
      this.#out = memory.allocate(block.byteLength);
      this.#room = block.length;
    }
    const place = this.#place >>> 2,
      out = this.#out >>> 3;
    const { rows } = large;
    const { i32, f64 } = memory; // from here on nothing is allocated
    if (large.id !== 0) for (let i = 0; i < rows.length; i++) i32[place + rows[i]] = i;
    f64.set(block, out);
    kernels.coupleGroups(
      this.#start,
      this.#column,
      this.#value,
      s.rows,
      from,
      to,
      s.weights,
      small.columns,
      large.id === 0 ? 0 : this.#place,
      l.weights,
      large.columns,
      this.#out,
    );
    block.set(f64.subarray(out, out + block.length));
    if (large.id !== 0) for (let i = 0; i < rows.length; i++) i32[place + rows[i]] = -1;
    this.#memory.release(small.id);
    this.#memory.release(large.id);
  }

  /** The global group, which is large, stays for good. */
  #hold(group: BasisGroup): PlacedGroup {
    if (group.id === 0 && !this.#hasGlobal) {
      this.#memory.hold(group);
      this.#hasGlobal = true;
    }
    return this.#memory.hold(group);
  }

  #keep(key: number, block: Float64Array): void {
    this.#blocks.set(key, block);
    this.#bytes += block.byteLength;
    for (const [oldest, dropped] of this.#blocks) {
      if (this.#bytes <= this.#budget || oldest === key) break;
      this.#blocks.delete(oldest);
      this.#bytes -= dropped.byteLength;
    }
  }
}

function keyOf(a: BasisGroup, b: BasisGroup): number {
  return a.id * COUNT_LIMIT + b.id; // there are no more groups than vertices
}

function transposed(block: Float64Array, rows: number, columns: number): Float64Array {
  const turned = new Float64Array(block.length);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) turned[c * rows + r] = block[r * columns + c];
  }
  return turned;
}

/** Fills the lower triangle. */
function symmetrised(block: Float64Array, size: number): Float64Array {
  for (let r = 0; r < size; r++) {
    for (let c = 0; c < r; c++) block[r * size + c] = block[c * size + r];
  }
  return block;
}

function rowsOf({ size, start: from, row, value: of }: SymmetricMatrix): Rows {
  const start = new Uint32Array(size + 1);
  for (let j = 0; j < size; j++) {
    for (let p = from[j]; p < from[j + 1]; p++) {
      if (of[p] === 0) continue;
      start[j + 1]++;
      if (row[p] !== j) start[row[p] + 1]++;
    }
  }
  for (let j = 0; j < size; j++) start[j + 1] += start[j];
  const next = start.slice(0, size);
  const column = new Uint32Array(start[size]),
    value = new Float64Array(start[size]);
  const put = (i: number, j: number, entry: number) => {
    column[next[i]] = j;
    value[next[i]++] = entry;
  };
  for (let j = 0; j < size; j++) {
    for (let p = from[j]; p < from[j + 1]; p++) {
      if (of[p] === 0) continue;
      put(j, row[p], of[p]);
      if (row[p] !== j) put(row[p], j, of[p]);
    }
  }
  return { start, column, value };
}
