import { floor32 } from '../algebra/rounding.ts';
import { triangleDistance } from '../narrow/triangle-distance.ts';
import { PairBuffer } from '../report/pair-buffer.ts';
import { areAdjacent } from '../tree/adjacent-slots.ts';
import { isLeaf, type Tree } from '../tree/tree.ts';

/** Rest distances are wrong by about 1e-12; this covers it. */
const DOWN = 1 - 2 ** -36;
/** Squares below have lost digits. */
const LEAST_SQUARE = 2 ** -960;

/** Boxes of all nodes and distances of triangle pairs in the rest shape; distances are remembered. */
export class RestShapeDistances {
  readonly boxes: Float64Array; // 6 per node: lo, hi
  readonly diagonal: number;
  readonly #rest: Float64Array;
  readonly #corners: Uint32Array;
  readonly #witnesses = new Float64Array(6);
  readonly #slots: number;
  #keys = new Float64Array(1 << 12).fill(-1);
  #values = new Float32Array(1 << 12);
  #count = 0;

  constructor(tree: Tree, rest: Float64Array, corners: Uint32Array) {
    this.#rest = rest;
    this.#corners = corners;
    this.#slots = tree.order.length;
    this.boxes = createBoxes(tree, rest, corners);
    const b = this.boxes;
    this.diagonal = Math.hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2]);
  }

  /** Lower bound of the distance of two nodes' boxes. */
  gap(a: number, b: number): number {
    const { boxes } = this;
    const i = 6 * a,
      j = 6 * b;
    const x = Math.max(0, boxes[i] - boxes[j + 3], boxes[j] - boxes[i + 3]),
      y = Math.max(0, boxes[i + 1] - boxes[j + 4], boxes[j + 1] - boxes[i + 4]),
      z = Math.max(0, boxes[i + 2] - boxes[j + 5], boxes[j + 2] - boxes[i + 5]);
    const square = x * x + y * y + z * z;
    return square < LEAST_SQUARE ? 0 : Math.sqrt(square) * DOWN;
  }

  areAdjacent(s: number, t: number): boolean {
    return areAdjacent(this.#corners, 0, s, t);
  }

  /** Lower bound of the distance of two triangles, given as slots; off by float32 rounding at most. */
  distance(s: number, t: number): number {
    const low = Math.min(s, t),
      high = Math.max(s, t);
    const key = low * this.#slots + high;
    let at = this.#find(key, low, high);
    if (this.#keys[at] === key) return this.#values[at];
    if (2 * this.#count >= this.#keys.length) {
      this.#grow();
      at = this.#find(key, low, high);
    }
    const corners = this.#corners,
      rest = this.#rest;
    const i = 3 * low,
      j = 3 * high;
    const distance = triangleDistance(
      rest,
      3 * corners[i],
      3 * corners[i + 1],
      3 * corners[i + 2],
      rest,
      3 * corners[j],
      3 * corners[j + 1],
      3 * corners[j + 2],
      this.#witnesses,
    );
    this.#keys[at] = key;
    this.#values[at] = floor32(distance * DOWN);
    this.#count++;
    return this.#values[at];
  }

  #find(key: number, low: number, high: number): number {
    const mask = this.#keys.length - 1;
    let at = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & mask;
    while (this.#keys[at] !== key && this.#keys[at] >= 0) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const keys = this.#keys,
      values = this.#values;
    this.#keys = new Float64Array(2 * keys.length).fill(-1);
    this.#values = new Float32Array(2 * keys.length);
    for (let k = 0; k < keys.length; k++) {
      if (keys[k] < 0) continue;
      const low = Math.floor(keys[k] / this.#slots),
        high = keys[k] % this.#slots;
      const at = this.#find(keys[k], low, high);
      this.#keys[at] = keys[k];
      this.#values[at] = values[k];
    }
  }
}

function createBoxes(tree: Tree, rest: Float64Array, corners: Uint32Array): Float64Array {
  const { nodeCount, link, firstSlot } = tree;
  const boxes = new Float64Array(6 * nodeCount);
  for (let node = nodeCount - 1; node >= 0; node--) {
    const o = 6 * node;
    for (let k = 0; k < 3; k++) {
      let low = Infinity,
        high = -Infinity;
      if (!isLeaf(tree, node)) {
        const c = 6 * link[node];
        low = Math.min(boxes[c + k], boxes[c + 6 + k]);
        high = Math.max(boxes[c + 3 + k], boxes[c + 9 + k]);
      } else {
        for (let c = 3 * firstSlot[node]; c < 3 * firstSlot[node] + 3; c++) {
          low = Math.min(low, rest[3 * corners[c] + k]);
          high = Math.max(high, rest[3 * corners[c] + k]);
        }
      }
      boxes[o + k] = low;
      boxes[o + 3 + k] = high;
    }
  }
  return boxes;
}

/**
 * Triangle pairs that share no vertex and yet touch at rest, or nearly: no proof from the rest shape can speak of
 * them, so they are exceptions (BOUNDS §7). Slots, the lower one first, sorted.
 */
export interface TouchingPairs {
  /** No pair that is missing here is closer than this, below nodes that are not crowded. */
  readonly tolerance: number;
  readonly slots: Uint32Array; // two per pair
  readonly below: Uint32Array; // per node: how many lie below it
  /** Per node: 1 when there are too many between two nodes somewhere below, so that they were not counted. */
  readonly isCrowded: Uint8Array;
}

/** A node is crowded, too, when finding its pairs takes more visits of pairs of nodes than this per triangle; meshes need 10. */
const VISITS_PER_TRIANGLE = 1024;

/**
 * Every node collects the pairs between its two children, and gives up when they are more than its share, or when it takes
 * too many visits to find them.
 */
export function findTouchingPairs(
  tree: Tree,
  distances: RestShapeDistances,
  tolerance: number,
  share: number,
): TouchingPairs {
  const { nodeCount, link, slotCount } = tree;
  const below = new Uint32Array(nodeCount);
  const isCrowded = new Uint8Array(nodeCount);
  const found = new PairBuffer();
  for (let node = nodeCount - 1; node >= 0; node--) {
    if (isLeaf(tree, node)) continue;
    const child = link[node];
    const before = found.count;
    const limit = 8 + share * slotCount[node];
    const visits = VISITS_PER_TRIANGLE * slotCount[node];
    if (!collectBetween(tree, distances, child, child + 1, tolerance, limit, visits, found)) {
      found.count = before;
      isCrowded[node] = 1;
    }
    below[node] = found.count - before + below[child] + below[child + 1];
    isCrowded[node] ||= isCrowded[child] || isCrowded[child + 1];
  }
  return { tolerance, slots: sortPairs(found), below, isCrowded };
}

function collectBetween(
  tree: Tree,
  distances: RestShapeDistances,
  a: number,
  b: number,
  tolerance: number,
  limit: number,
  visits: number,
  out: PairBuffer,
): boolean {
  const { link, firstSlot, slotCount } = tree;
  const before = out.count;
  const stack = [a, b];
  for (let visit = 0; stack.length > 0; visit++) {
    if (visit > visits) return false;
    const m = stack.pop()!,
      n = stack.pop()!;
    if (distances.gap(n, m) > tolerance) continue;
    if (isLeaf(tree, n) && isLeaf(tree, m)) {
      const s = firstSlot[n],
        t = firstSlot[m];
      if (distances.areAdjacent(s, t) || distances.distance(s, t) > tolerance) continue;
      out.push(Math.min(s, t), Math.max(s, t));
      if (out.count - before > limit) return false;
    } else if (slotCount[n] >= slotCount[m]) stack.push(link[n], m, link[n] + 1, m);
    else stack.push(n, link[m], n, link[m] + 1);
  }
  return true;
}

function sortPairs({ data, count }: PairBuffer): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, k) => k).sort(
    (i, j) => data[2 * i] - data[2 * j] || data[2 * i + 1] - data[2 * j + 1],
  );
  const sorted = new Uint32Array(2 * count);
  order.forEach((from, to) => {
    sorted[2 * to] = data[2 * from];
    sorted[2 * to + 1] = data[2 * from + 1];
  });
  return sorted;
}
