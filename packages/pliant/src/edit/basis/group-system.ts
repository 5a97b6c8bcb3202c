import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import type { Hierarchy } from './hierarchy.ts';

/** The equations of a group: A restricted to the vertices that are free, and its columns at the manipulators. */
export interface GroupSystem {
  readonly free: Uint32Array; // places among the rows of the group
  readonly fixed: Uint32Array; // of the manipulators, column by column
  readonly matrix: SymmetricMatrix; // of the free ones
  /** −A at (free, manipulator), by columns. */
  readonly start: Uint32Array;
  readonly row: Uint32Array; // places in `free`
  readonly value: Float64Array;
}

/** Cuts the systems of groups out of the jump operator. */
export class SystemCutter {
  readonly #operator: SymmetricMatrix;
  readonly #hierarchy: Hierarchy;
  readonly #place: Int32Array; // of a vertex: among the free, or −2 − column, or −1

  constructor(operator: SymmetricMatrix, hierarchy: Hierarchy) {
    this.#operator = operator;
    this.#hierarchy = hierarchy;
    this.#place = new Int32Array(hierarchy.vertexCount).fill(-1);
  }

  cut(group: number): GroupSystem {
    const { groupStart, vertex, rowStart, row } = this.#hierarchy;
    const place = this.#place;
    const rows = row.subarray(rowStart[group], rowStart[group + 1]);
    const manipulators = vertex.subarray(groupStart[group], groupStart[group + 1]);
    for (let c = 0; c < manipulators.length; c++) place[manipulators[c]] = -2 - c;
    const free = new Uint32Array(rows.length - manipulators.length),
      fixed = new Uint32Array(manipulators.length);
    let count = 0;
    for (let i = 0; i < rows.length; i++) {
      const p = place[rows[i]];
      if (p <= -2) fixed[-2 - p] = i;
      else {
        place[rows[i]] = count;
        free[count++] = i;
      }
    }
    const system = this.#extract(rows, free, fixed);
    for (let i = 0; i < rows.length; i++) place[rows[i]] = -1;
    return system;
  }

  #extract(rows: Uint32Array, free: Uint32Array, fixed: Uint32Array): GroupSystem {
    const { start: from, row: below, value: of } = this.#operator;
    const place = this.#place;
    const size = free.length;
    // Two passes over the columns: the first counts.
    const start = new Int32Array(size + 1),
      column = new Uint32Array(fixed.length + 1);
    let row = new Int32Array(0),
      value = new Float64Array(0),
      sideRow = new Uint32Array(0),
      side = new Float64Array(0);
    for (const isCounting of [true, false]) {
      const next = column.slice(0, fixed.length);
      let count = 0;
      const couple = (c: number, i: number, entry: number) => {
        if (isCounting) column[c + 1]++;
        else {
          sideRow[next[c]] = i;
          side[next[c]++] = -entry;
        }
      };
      for (let i = 0; i < rows.length; i++) {
        const j = rows[i],
          own = place[j];
        for (let p = from[j]; p < from[j + 1]; p++) {
          const other = place[below[p]];
          if (other === -1) continue;
          if (own >= 0 && other >= 0) {
            if (!isCounting) {
              row[count] = other;
              value[count] = of[p];
            }
            count++;
          } else if (own >= 0) couple(-2 - other, own, of[p]);
          else if (other >= 0) couple(-2 - own, other, of[p]);
        }
        if (own >= 0) start[own + 1] = count;
      }
      if (!isCounting) break;
      for (let c = 0; c < fixed.length; c++) column[c + 1] += column[c];
      row = new Int32Array(count);
      value = new Float64Array(count);
      sideRow = new Uint32Array(column[fixed.length]);
      side = new Float64Array(column[fixed.length]);
    }
    const matrix = { size, start, row, value };
    return { free, fixed, matrix, start: column, row: sideRow, value: side };
  }
}
