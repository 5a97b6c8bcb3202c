import { checkLength } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { checkSize, type SymmetricMatrix, sortByColumn } from './symmetric-matrix.ts';

/**
 * Adds up a symmetric matrix of square blocks, 1×1 unless told. Contributions to one entry are summed in the order
 * in which they came. Every diagonal block is in the result, and blocks that were named are full.
 */
export class SymmetricMatrixBuilder {
  readonly size: number;
  readonly blockSize: number;
  #count = 0;
  #row: Int32Array;
  #column: Int32Array;
  #value: Float64Array;

  /** `expected` blocks are reserved; there may be more. */
  constructor(
    size: number,
    { blockSize = 1, expected = size }: { blockSize?: number; expected?: number } = {},
  ) {
    checkSize(size);
    if (!Number.isInteger(blockSize) || blockSize < 1 || size % blockSize !== 0)
      throw new InputError('bad-option', `blockSize ${blockSize} does not divide the size ${size}`);
    this.size = size;
    this.blockSize = blockSize;
    const room = Math.max(16, expected);
    this.#row = new Int32Array(room);
    this.#column = new Int32Array(room);
    this.#value = new Float64Array(room * blockSize * blockSize);
  }

  /** Adds to entry (i, j), which is also entry (j, i): name each pair once. For blocks of one. */
  add(i: number, j: number, value: number): void {
    if (this.blockSize !== 1) throw new InputError('bad-option', 'add is for blocks of one; use addBlock');
    const at = this.#place(i, j);
    this.#value[at] = value;
  }

  /**
   * Adds a block, row by row from `block[offset]`, to block (i, j), and its transpose to (j, i): name each pair once.
   * Of a block on the diagonal only the lower triangle is read.
   */
  addBlock(i: number, j: number, block: ArrayLike<number>, offset = 0): void {
    const b = this.blockSize;
    const at = this.#place(i, j);
    const value = this.#value;
    for (let r = 0; r < b; r++) {
      for (let c = 0; c < b; c++) value[at + r * b + c] = block[offset + (i >= j ? r * b + c : c * b + r)];
    }
  }

  /** The sum of everything so far. Entries that are not finite are refused with their place. */
  build(): SymmetricMatrix {
    const { size, blockSize } = this;
    const nodes = size / blockSize;
    for (let node = 0; node < nodes; node++) this.#place(node, node); // zero blocks: the diagonal is always there
    const count = this.#count;
    this.#count -= nodes;
    this.#value.fill(0, this.#count * blockSize * blockSize, count * blockSize * blockSize);
    const sorted = sortByColumn(nodes, this.#column, this.#row, count);
    return this.#sum(sorted.start, sorted.source);
  }

  #place(i: number, j: number): number {
    const nodes = this.size / this.blockSize;
    if (!(i >= 0 && i < nodes && j >= 0 && j < nodes))
      throw new InputError('index-out-of-range', `entry (${i}, ${j}) is outside a matrix of ${nodes}`);
    const at = this.#count++;
    if (at === this.#row.length) this.#grow();
    this.#row[at] = Math.max(i, j);
    this.#column[at] = Math.min(i, j);
    return at * this.blockSize * this.blockSize;
  }

  #grow(): void {
    const row = new Int32Array(2 * this.#row.length),
      column = new Int32Array(2 * this.#row.length),
      value = new Float64Array(2 * this.#value.length);
    row.set(this.#row);
    column.set(this.#column);
    value.set(this.#value);
    this.#row = row;
    this.#column = column;
    this.#value = value;
  }

  /** `source` lists the contributions by column of blocks, then by row of blocks, then as they came. */
  #sum(first: Int32Array, source: Int32Array): SymmetricMatrix {
    const { size, blockSize: b } = this;
    const blockRow = this.#row,
      from = this.#value;
    const nodes = size / b;
    const start = new Int32Array(size + 1);
    for (let node = 0; node < nodes; node++) {
      let blocks = 0;
      for (let k = first[node]; k < first[node + 1]; k++) {
        if (k === first[node] || blockRow[source[k]] !== blockRow[source[k - 1]]) blocks++;
      }
      for (let c = 0; c < b; c++) start[node * b + c + 1] = start[node * b + c] + blocks * b - c;
    }
    const row = new Int32Array(start[size]);
    const value = new Float64Array(start[size]);
    for (let node = 0; node < nodes; node++) {
      let before = -b; // rows of the node's first column that stand above the present block
      for (let k = first[node]; k < first[node + 1]; k++) {
        const other = blockRow[source[k]];
        if (k === first[node] || other !== blockRow[source[k - 1]]) before += b;
        const block = source[k] * b * b;
        for (let c = 0; c < b; c++) {
          const top = start[node * b + c] + before - c; // a later column lacks the rows above its diagonal
          for (let r = other === node ? c : 0; r < b; r++) {
            row[top + r] = other * b + r;
            value[top + r] += from[block + r * b + c];
          }
        }
      }
    }
    checkSums(size, start, row, value);
    return { size, start, row, value };
  }
}

function checkSums(size: number, start: Int32Array, row: Int32Array, value: Float64Array): void {
  for (let j = 0; j < size; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) {
      if (value[p] - value[p] !== 0)
        throw new InputError('not-finite', `the entry in row ${row[p]}, column ${j} adds up to ${value[p]}`);
    }
  }
}

/** The matrix with every entry a replaced by the block a I: one scalar operator applied to each of `axes` axes. */
export function repeatForAxes(matrix: SymmetricMatrix, axes: number): SymmetricMatrix {
  const { size, start, row, value } = matrix;
  checkSize(size * axes);
  const starts = new Int32Array(size * axes + 1);
  const rows = new Int32Array(row.length * axes);
  const values = new Float64Array(row.length * axes);
  let at = 0;
  for (let j = 0; j < size; j++) {
    for (let axis = 0; axis < axes; axis++) {
      for (let p = start[j]; p < start[j + 1]; p++, at++) {
        rows[at] = row[p] * axes + axis;
        values[at] = value[p];
      }
      starts[j * axes + axis + 1] = at;
    }
  }
  checkLength('row', rows, at);
  return { size: size * axes, start: starts, row: rows, value: values };
}
