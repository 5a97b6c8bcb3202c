import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import { type ContactRows, TERMS } from '../contact/contact-rows.ts';

/** Edges of the cage within which two sides of a contact count as one place. */
const NEAR_EDGES = 4;

/**
 * Finds contacts of a shape with what is next to it: a fold or a spike, as hard handles make them. Pushing the sides of
 * a fold apart makes it worse, while the energy undoes it by itself.
 */
export class NearRows {
  readonly #start: Uint32Array;
  readonly #neighbour: Uint32Array;
  readonly #control: (vertex: number) => number;
  readonly #rest: Float64Array;
  readonly #far: number; // what is further apart at rest is not near, squared
  readonly #seen: Uint32Array; // by which search
  readonly #queue: Uint32Array;
  #search = 0;

  /**
   * Vertices of the cage, which lie at `rest`, are neighbours when `laplacian` joins them; `control` is where a vertex of
   * the surface hangs.
   */
  constructor(laplacian: SymmetricMatrix, rest: Float64Array, control: (vertex: number) => number) {
    const { size, start, row } = laplacian;
    this.#rest = rest;
    let longest = 0;
    const begin = new Uint32Array(size + 1);
    for (let j = 0; j < size; j++) {
      for (let p = start[j] + 1; p < start[j + 1]; p++) {
        begin[j + 1]++;
        begin[row[p] + 1]++;
        longest = Math.max(longest, squaredDistance(rest, j, row[p]));
      }
    }
    for (let v = 0; v < size; v++) begin[v + 1] += begin[v];
    const next = begin.slice();
    const neighbour = new Uint32Array(begin[size]);
    for (let j = 0; j < size; j++) {
      for (let p = start[j] + 1; p < start[j + 1]; p++) {
        neighbour[next[j]++] = row[p];
        neighbour[next[row[p]]++] = j;
      }
    }
    this.#far = NEAR_EDGES ** 2 * longest * (1 + 1e-9);
    this.#start = begin;
    this.#neighbour = neighbour;
    this.#control = control;
    this.#seen = new Uint32Array(size);
    this.#queue = new Uint32Array(size);
  }

  /** Whether the two sides of a row hang on vertices of the cage that are few edges apart. */
  isNear(rows: ContactRows, row: number): boolean {
    if (rows.other[row] >= 0 || this.#isFar(rows, row)) return false;
    const first = TERMS * row,
      end = first + rows.terms[row];
    const search = ++this.#search;
    const seen = this.#seen,
      queue = this.#queue;
    let count = 0;
    for (let k = first; k < end; k++) {
      if (rows.weights[k] > 0) count = this.#visit(this.#control(rows.vertices[k]), search, count);
    }
    for (let edges = 0, from = 0; edges < NEAR_EDGES; edges++) {
      const to = count;
      for (; from < to; from++) {
        for (let e = this.#start[queue[from]]; e < this.#start[queue[from] + 1]; e++) {
          count = this.#visit(this.#neighbour[e], search, count);
        }
      }
    }
    for (let k = first; k < end; k++) {
      if (rows.weights[k] < 0 && seen[this.#control(rows.vertices[k])] === search) return true;
    }
    return false;
  }

  /** True proves that it is not near: so few edges do not lead that far. */
  #isFar(rows: ContactRows, row: number): boolean {
    const first = TERMS * row,
      end = first + rows.terms[row];
    for (let k = first; k < end; k++) {
      if (!(rows.weights[k] > 0)) continue;
      const from = this.#control(rows.vertices[k]);
      for (let l = first; l < end; l++) {
        if (!(rows.weights[l] < 0)) continue;
        if (squaredDistance(this.#rest, from, this.#control(rows.vertices[l])) <= this.#far) return false;
      }
    }
    return true;
  }

  #visit(vertex: number, search: number, count: number): number {
    if (this.#seen[vertex] === search) return count;
    this.#seen[vertex] = search;
    this.#queue[count] = vertex;
    return count + 1;
  }
}

function squaredDistance(p: Float64Array, v: number, w: number): number {
  return (p[3 * v] - p[3 * w]) ** 2 + (p[3 * v + 1] - p[3 * w + 1]) ** 2 + (p[3 * v + 2] - p[3 * w + 2]) ** 2;
}
