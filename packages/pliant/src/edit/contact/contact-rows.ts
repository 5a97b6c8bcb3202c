import type { ContactRow } from '../types.ts';

/** Vertices of the surface that a row has at most. */
export const TERMS = 4;

/** What a row is about. */
export const VERTEX_OBSTACLE = 0;
export const VERTEX_FACE = 1;
export const EDGE_EDGE = 2;

/**
 * Rows normal · (Σ weights x) ≥ offset, one after the other; see `ContactRow`. The arrays are used again: what they
 * hold is valid until the next search, and they may be longer than `count` rows.
 */
export class ContactRows {
  count = 0;
  /** VERTEX_OBSTACLE, VERTEX_FACE or EDGE_EDGE. */
  kind = new Uint8Array(0);
  /** How many of the four vertices count: 1 for obstacles, else 4. */
  terms = new Uint8Array(0);
  /** Four per row: vertex and the corners of the triangle, or the ends of both edges. */
  vertices = new Uint32Array(0);
  weights = new Float64Array(0); // four per row
  normal = new Float64Array(0); // three per row, of length 1
  offset = new Float64Array(0);
  /** How deep the point was without the margin: above 0 inside. */
  depth = new Float64Array(0);
  key = new Float64Array(0);
  other = new Int32Array(0); // which obstacle, −1: self-contact
  /** The triangle that was hit, −1 for obstacles and edges. */
  triangle = new Int32Array(0);
  /** Edges: 1 or −1, which way the normal turns from (first edge) × (second edge); else 0. */
  turn = new Int8Array(0);

  clear(): void {
    this.count = 0;
  }

  /** Makes room for another row; its fields are to be filled. */
  add(): number {
    if (this.count === this.kind.length) this.#grow(Math.max(64, 2 * this.count));
    return this.count++;
  }

  /** Copies row `from` of `source` to the end. */
  append(source: ContactRows, from: number): void {
    this.copyRow(source, from, this.add());
  }

  /** Copies row `from` of `source` over row `to`. */
  copyRow(source: ContactRows, from: number, to: number): void {
    this.kind[to] = source.kind[from];
    this.terms[to] = source.terms[from];
    for (let k = 0; k < TERMS; k++) {
      this.vertices[TERMS * to + k] = source.vertices[TERMS * from + k];
      this.weights[TERMS * to + k] = source.weights[TERMS * from + k];
    }
    for (let k = 0; k < 3; k++) this.normal[3 * to + k] = source.normal[3 * from + k];
    this.offset[to] = source.offset[from];
    this.depth[to] = source.depth[from];
    this.key[to] = source.key[from];
    this.other[to] = source.other[from];
    this.triangle[to] = source.triangle[from];
    this.turn[to] = source.turn[from];
  }

  /** normal · (Σ weights x) − offset: below 0 where the row is violated. */
  slack(row: number, positions: Float64Array): number {
    let sum = -this.offset[row];
    for (let k = TERMS * row, end = k + this.terms[row]; k < end; k++) {
      const v = 3 * this.vertices[k],
        w = this.weights[k];
      sum +=
        w *
        (this.normal[3 * row] * positions[v] +
          this.normal[3 * row + 1] * positions[v + 1] +
          this.normal[3 * row + 2] * positions[v + 2]);
    }
    return sum;
  }

  /** A row as a value of its own. */
  at(row: number): ContactRow {
    const o = TERMS * row,
      end = o + this.terms[row];
    return {
      point: {
        vertices: Array.from(this.vertices.subarray(o, end)),
        weights: Array.from(this.weights.subarray(o, end)),
      },
      normal: Array.from(this.normal.subarray(3 * row, 3 * row + 3)),
      offset: this.offset[row],
      depth: this.depth[row],
      key: this.key[row],
      other: this.other[row],
    };
  }

  toArray(): ContactRow[] {
    return Array.from({ length: this.count }, (_, row) => this.at(row));
  }

  #grow(capacity: number): void {
    this.kind = larger(this.kind, new Uint8Array(capacity));
    this.terms = larger(this.terms, new Uint8Array(capacity));
    this.vertices = larger(this.vertices, new Uint32Array(TERMS * capacity));
    this.weights = larger(this.weights, new Float64Array(TERMS * capacity));
    this.normal = larger(this.normal, new Float64Array(3 * capacity));
    this.offset = larger(this.offset, new Float64Array(capacity));
    this.depth = larger(this.depth, new Float64Array(capacity));
    this.key = larger(this.key, new Float64Array(capacity));
    this.other = larger(this.other, new Int32Array(capacity));
    this.triangle = larger(this.triangle, new Int32Array(capacity));
    this.turn = larger(this.turn, new Int8Array(capacity));
  }
}

function larger<T extends { set(values: T): void }>(before: T, after: T): T {
  after.set(before);
  return after;
}
