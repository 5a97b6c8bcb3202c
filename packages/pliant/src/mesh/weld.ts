import type { NumberArray } from './check-input.ts';
import { createSlots, finishHash, mixHash } from './hash.ts';

/** Numbers per vertex that must be equal too before two vertices are one: skin weights, morph deltas. */
export interface VertexAttribute {
  data: NumberArray;
  /** Numbers per vertex. */
  itemSize: number;
  /** For messages. */
  name?: string;
}

export interface Welding {
  readonly weldedVertex: Uint32Array; // source vertex -> welded vertex
  readonly sourceVertex: Uint32Array; // welded vertex -> the first source vertex welded into it; ascending
}

/**
 * Makes source vertices with exactly equal numbers one. Welded vertices are numbered by first appearance.
 * `positions` holds no −0 (its bits are hashed); attributes may, and −0 equals 0.
 */
export function weldVertices(positions: Float64Array, attributes: readonly VertexAttribute[] = []): Welding {
  const count = positions.length / 3;
  const weldedVertex = new Uint32Array(count);
  const sourceVertex = new Uint32Array(count);
  const hashes = hashVertices(positions, attributes);
  const slots = createSlots(count);
  const mask = slots.length - 1;
  let welded = 0;

  for (let v = 0; v < count; v++) {
    let slot = hashes[v] & mask;
    while (slots[slot] !== 0 && !areEqual(positions, attributes, sourceVertex[slots[slot] - 1], v)) {
      slot = (slot + 1) & mask;
    }
    if (slots[slot] === 0) {
      sourceVertex[welded] = v;
      slots[slot] = ++welded;
    }
    weldedVertex[v] = slots[slot] - 1;
  }
  return { weldedVertex, sourceVertex: sourceVertex.slice(0, welded) };
}

/** Every vertex stays its own. */
export function keepVertices(count: number): Welding {
  const identity = new Uint32Array(count);
  for (let v = 0; v < count; v++) identity[v] = v;
  return { weldedVertex: identity, sourceVertex: identity.slice() };
}

function hashVertices(positions: Float64Array, attributes: readonly VertexAttribute[]): Int32Array {
  const count = positions.length / 3;
  const hashes = new Int32Array(count);
  const bits = new Uint32Array(positions.buffer, positions.byteOffset, 2 * positions.length);

  for (let v = 0; v < count; v++) {
    const o = 6 * v;
    let hash = mixHash(mixHash(0, bits[o]), bits[o + 1]);
    hash = mixHash(mixHash(hash, bits[o + 2]), bits[o + 3]);
    hashes[v] = mixHash(mixHash(hash, bits[o + 4]), bits[o + 5]);
  }
  for (const attribute of attributes) hashAttribute(hashes, attribute);
  for (let v = 0; v < count; v++) hashes[v] = finishHash(hashes[v]);
  return hashes;
}

function hashAttribute(hashes: Int32Array, { data, itemSize }: VertexAttribute): void {
  const double = new Float64Array(1);
  const bits = new Uint32Array(double.buffer);
  for (let v = 0; v < hashes.length; v++) {
    let hash = hashes[v];
    for (let k = 0; k < itemSize; k++) {
      double[0] = data[itemSize * v + k] + 0; // −0 becomes 0
      hash = mixHash(mixHash(hash, bits[0]), bits[1]);
    }
    hashes[v] = hash;
  }
}

function areEqual(
  positions: Float64Array,
  attributes: readonly VertexAttribute[],
  u: number,
  v: number,
): boolean {
  const a = 3 * u;
  const b = 3 * v;
  if (positions[a] !== positions[b]) return false;
  if (positions[a + 1] !== positions[b + 1]) return false;
  if (positions[a + 2] !== positions[b + 2]) return false;
  for (const { data, itemSize } of attributes) {
    for (let k = 0; k < itemSize; k++) {
      if (data[itemSize * u + k] !== data[itemSize * v + k]) return false;
    }
  }
  return true;
}
