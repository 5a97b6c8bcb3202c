import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';

/**
 * The neighbours of each vertex through entries of L: those of v are [start[v], start[v + 1]). Each has four numbers:
 * w (p̄ − p̄_j) of three axes, and the weight w = −L_ij itself.
 */
export interface Spokes {
  readonly start: Uint32Array;
  readonly neighbour: Uint32Array; // ascending for each vertex
  readonly spoke: Float64Array;
}

/** Ties are no spokes: leave them out of `laplacian`. */
export function createSpokes({ size, start, row, value }: SymmetricMatrix, rest: Float64Array): Spokes {
  const begin = new Uint32Array(size + 1);
  for (let j = 0; j < size; j++) {
    for (let p = start[j] + 1; p < start[j + 1]; p++) {
      begin[j + 1]++;
      begin[row[p] + 1]++;
    }
  }
  for (let v = 0; v < size; v++) begin[v + 1] += begin[v];
  const next = begin.slice(0, size);
  const neighbour = new Uint32Array(begin[size]),
    spoke = new Float64Array(4 * begin[size]);
  const place = (i: number, j: number, weight: number) => {
    const at = next[i]++;
    neighbour[at] = j;
    for (let k = 0; k < 3; k++) spoke[4 * at + k] = weight * (rest[3 * i + k] - rest[3 * j + k]);
    spoke[4 * at + 3] = weight;
  };
  // Row i gets its smaller neighbours while j runs up to i, and its larger ones at j = i.
  for (let j = 0; j < size; j++) {
    for (let p = start[j] + 1; p < start[j + 1]; p++) {
      place(row[p], j, -value[p]);
      place(j, row[p], -value[p]);
    }
  }
  return { start: begin, neighbour, spoke };
}
