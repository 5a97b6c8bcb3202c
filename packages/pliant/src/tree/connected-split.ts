import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { findRoot, unite } from '../mesh/union-find.ts';
import type { SplitInput, SplitRule } from './build-tree.ts';
import { heapLeft, splitAtMedian } from './median-split.ts';
import { type EdgeNeighbours, StraightCutter } from './straight-cut.ts';

/** Smaller nodes are divided at the median: nobody asks whether they are in one piece. */
const SMALL = 24;
/** Neither side of a cut has less than this share of the triangles, where the mesh allows it. */
const LEAST_SHARE = 1 / 4;
/** A cut that leaves both sides in one piece is looked for this close to the middle, as a share of the triangles. */
const NEAR = 1 / 8;
/** Distances are whole numbers: the mean distance of two neighbours is this. */
const STEP = 8;
const LONGEST_STEP = 63;

/**
 * Divides every node into two connected, compact patches, wherever the mesh allows it: by the difference of the
 * distances to two triangles that are far from each other, along the mesh.
 *
 * Let d(a, t) be the length of the shortest path from a to t through shared edges and p the triangle before t on it:
 * then d(b, p) ≥ d(b, t) − |pt|, so that d(a, p) − d(b, p) ≤ d(a, t) − d(b, t). With triangles sorted by this difference,
 * then by d(a, ·), p comes before t: every beginning of the list is connected. Every end is, too, but for ties.
 */
export function createConnectedSplit(mesh: TriangleMesh): SplitRule {
  const splitter = new ConnectedSplitter(mesh);
  return (input, first, count) =>
    count < SMALL ? splitAtMedian(input, first, count) : splitter.split(input, first, count);
}

class ConnectedSplitter {
  readonly #start: Uint32Array; // of EdgeNeighbours
  readonly #neighbour: Uint32Array;
  readonly #straight: StraightCutter;
  #step: Uint8Array | undefined; // beside neighbour
  readonly #member: Uint32Array; // per triangle: the stamp of the node it is in
  readonly #seen: Uint32Array;
  readonly #fromA: Int32Array;
  readonly #fromB: Int32Array;
  readonly #parent: Uint32Array; // union-find, and where lists are sorted
  readonly #sorted: Uint32Array;
  readonly #queue: BucketQueue;
  #stamp = 0;

  constructor(mesh: TriangleMesh) {
    const { triangleCount } = mesh;
    const neighbours = listEdgeNeighbours(mesh);
    this.#start = neighbours.start;
    this.#neighbour = neighbours.neighbour;
    this.#straight = new StraightCutter(mesh, neighbours);
    this.#member = new Uint32Array(triangleCount);
    this.#seen = new Uint32Array(triangleCount);
    this.#fromA = new Int32Array(triangleCount);
    this.#fromB = new Int32Array(triangleCount);
    this.#parent = new Uint32Array(triangleCount);
    this.#sorted = new Uint32Array(triangleCount);
    this.#queue = new BucketQueue(triangleCount);
  }

  split(input: SplitInput, first: number, count: number): number {
    const { order } = input;
    this.#step ??= this.#measureSteps(input.centroids);
    const stamp = ++this.#stamp;
    for (let s = first; s < first + count; s++) this.#member[order[s]] = stamp;
    const pieces = this.#findPieces(order, first, count);
    if (pieces.length > 1) return this.#divide(input, first, count, pieces);
    return this.#straight.cut(input, first, count) || this.#cut(order, first, count);
  }

  /** One piece, cut in two. */
  #cut(order: Uint32Array, first: number, count: number): number {
    const a = this.#measure(order[first], this.#fromB);
    const b = this.#measure(a, this.#fromA);
    const byA = this.#sorted;
    byA.set(this.#queue.order.subarray(0, count)); // by distance to a
    this.#measure(b, this.#fromB);
    this.#sortByDifference(byA, order, first, count);
    const wanted = heapLeft(count);
    const reach = Math.floor(NEAR * count);
    let best = -1;
    let pieces = 0;
    const { id } = this.#beginUnion(order, first, count);
    for (let k = count - 1; k >= wanted - reach && k > 0; k--) {
      pieces += 1 - this.#join(order[first + k], id);
      if (pieces === 1 && k <= wanted + reach && Math.abs(k - wanted) < Math.abs(best - wanted)) best = k;
      if (best >= 0 && k <= wanted) break;
    }
    if (best > 0) return best;
    return this.#repair(order, first, count, wanted);
  }

  /** All that hangs off the largest piece behind the cut goes to the other side, which it touches. */
  #repair(order: Uint32Array, first: number, count: number, cut: number): number {
    const parent = this.#parent;
    const { id } = this.#beginUnion(order, first, count);
    for (let k = count - 1; k >= cut; k--) this.#join(order[first + k], id);
    const size = new Uint32Array(count);
    let largest = -1;
    for (let k = cut; k < count; k++) {
      const root = findRoot(parent, k);
      if (++size[root] > (largest < 0 ? 0 : size[largest])) largest = root;
    }
    const sorted = this.#sorted;
    let left = 0,
      right = count;
    for (let k = 0; k < count; k++) {
      if (k >= cut && findRoot(parent, k) === largest) sorted[--right] = order[first + k];
      else sorted[left++] = order[first + k];
    }
    order.set(sorted.subarray(0, count), first);
    return left;
  }

  /** Several pieces: whole ones to either side, by place, near the middle; or the one that is most of it apart. */
  #divide(input: SplitInput, first: number, count: number, pieces: readonly Piece[]): number {
    const { order } = input;
    const largest = pieces.reduce((most, piece) => (piece.count > most.count ? piece : most));
    const isLarge = largest.count > (1 - LEAST_SHARE) * count;
    const list = isLarge
      ? [largest, ...pieces.filter((piece) => piece !== largest)]
      : sortByPlace(input.centroids, this.#sorted, pieces);
    const wanted = isLarge ? largest.count : heapLeft(count);
    let out = first,
      left = 0;
    for (const { from, count: size } of list) {
      order.set(this.#sorted.subarray(from, from + size), out);
      out += size;
      const here = out - first;
      if (here < count && Math.abs(here - wanted) < Math.abs(left - wanted)) left = here;
    }
    return left === 0 ? list[0].count : left;
  }

  /** Triangles connected through edges, listed piece by piece in `sorted`. */
  #findPieces(order: Uint32Array, first: number, count: number): Piece[] {
    const sorted = this.#sorted,
      seen = this.#seen,
      stamp = this.#stamp;
    const pieces: Piece[] = [];
    let end = 0;
    for (let s = first; s < first + count; s++) {
      if (seen[order[s]] === stamp) continue;
      const from = end;
      seen[order[s]] = stamp;
      sorted[end++] = order[s];
      for (let k = from; k < end; k++) {
        const t = sorted[k];
        for (let e = this.#start[t]; e < this.#start[t + 1]; e++) {
          const u = this.#neighbour[e];
          if (this.#member[u] !== stamp || seen[u] === stamp) continue;
          seen[u] = stamp;
          sorted[end++] = u;
        }
      }
      pieces.push({ from, count: end - from });
    }
    return pieces;
  }

  /** Distances from a triangle to all of its node, and the farthest one. */
  #measure(from: number, distance: Int32Array): number {
    const queue = this.#queue,
      step = this.#step!,
      stamp = ++this.#stamp,
      member = this.#member,
      node = member[from];
    queue.begin();
    this.#seen[from] = stamp;
    distance[from] = 0;
    queue.push(from, 0);
    let t = from,
      last = from;
    while ((t = queue.pop(distance)) >= 0) {
      last = t;
      for (let e = this.#start[t]; e < this.#start[t + 1]; e++) {
        const u = this.#neighbour[e];
        if (member[u] !== node) continue;
        const d = distance[t] + step[e];
        if (this.#seen[u] === stamp && distance[u] <= d) continue;
        this.#seen[u] = stamp;
        distance[u] = d;
        queue.push(u, d);
      }
    }
    return last;
  }

  /** Stable: among equal ones, those closer to a come first. */
  #sortByDifference(byA: Uint32Array, order: Uint32Array, first: number, count: number): void {
    const fromA = this.#fromA,
      fromB = this.#fromB;
    let low = 0,
      high = 0;
    for (let k = 0; k < count; k++) {
      const difference = fromA[byA[k]] - fromB[byA[k]];
      if (difference < low) low = difference;
      if (difference > high) high = difference;
    }
    const place = new Uint32Array(high - low + 2);
    for (let k = 0; k < count; k++) place[fromA[byA[k]] - fromB[byA[k]] - low + 1]++;
    for (let k = 1; k < place.length; k++) place[k] += place[k - 1];
    for (let k = 0; k < count; k++) {
      const t = byA[k];
      order[first + place[fromA[t] - fromB[t] - low]++] = t;
    }
  }

  /** Places of the node's triangles in the list, none of which is joined yet. */
  #beginUnion(order: Uint32Array, first: number, count: number): { id: Int32Array } {
    const id = this.#fromA; // distances have done their duty
    for (let k = 0; k < count; k++) {
      id[order[first + k]] = ~k;
      this.#parent[k] = k;
    }
    return { id };
  }

  /** Adds a triangle to those behind the cut; returns how many of their pieces it joins. */
  #join(t: number, id: Int32Array): number {
    const parent = this.#parent;
    const node = this.#member[t];
    id[t] = ~id[t]; // now it counts
    let joined = 0;
    for (let e = this.#start[t]; e < this.#start[t + 1]; e++) {
      const u = this.#neighbour[e];
      if (this.#member[u] !== node || id[u] < 0) continue;
      if (unite(parent, id[t], id[u])) joined++;
    }
    return joined;
  }

  #measureSteps(centroids: Float64Array): Uint8Array {
    const start = this.#start,
      neighbour = this.#neighbour;
    const length = new Float64Array(neighbour.length);
    let sum = 0;
    for (let t = 0; t + 1 < start.length; t++) {
      for (let e = start[t]; e < start[t + 1]; e++) {
        const i = 3 * t,
          j = 3 * neighbour[e];
        length[e] = Math.hypot(
          centroids[i] - centroids[j],
          centroids[i + 1] - centroids[j + 1],
          centroids[i + 2] - centroids[j + 2],
        );
        sum += length[e] / neighbour.length;
      }
    }
    return Uint8Array.from(length, (l) =>
      Math.min(LONGEST_STEP, Math.max(1, Math.round((STEP * l) / sum) || 1)),
    );
  }
}

/** A range of a list of triangles. */
interface Piece {
  readonly from: number;
  readonly count: number;
}

/** By the mean of their centroids, along the axis on which those are furthest apart. */
function sortByPlace(centroids: Float64Array, list: Uint32Array, pieces: readonly Piece[]): Piece[] {
  const middle = pieces.map(({ from, count }) => {
    const sum = [0, 0, 0];
    for (let k = from; k < from + count; k++) {
      for (let axis = 0; axis < 3; axis++) sum[axis] += centroids[3 * list[k] + axis] / count;
    }
    return sum;
  });
  let axis = 0,
    most = -1;
  for (let k = 0; k < 3; k++) {
    let low = Infinity,
      high = -Infinity;
    for (const m of middle) {
      low = Math.min(low, m[k]);
      high = Math.max(high, m[k]);
    }
    if (high - low > most) {
      most = high - low;
      axis = k;
    }
  }
  return pieces
    .map((piece, k) => ({ piece, at: middle[k][axis], id: list[piece.from] }))
    .sort((p, q) => p.at - q.at || p.id - q.id)
    .map(({ piece }) => piece);
}

/** A queue of whole numbers that grow by at most LONGEST_STEP (Dial 1969). */
class BucketQueue {
  /** Everything popped since `begin`, each once. */
  readonly order: Uint32Array;
  readonly #buckets: number[][] = Array.from({ length: LONGEST_STEP + 1 }, () => []);
  readonly #done: Uint32Array;
  #round = 0;
  #at = 0;
  #waiting = 0;
  #count = 0;

  constructor(size: number) {
    this.order = new Uint32Array(size);
    this.#done = new Uint32Array(size);
  }

  begin(): void {
    this.#round++;
    this.#at = this.#waiting = this.#count = 0;
  }

  push(id: number, key: number): void {
    this.#buckets[key % (LONGEST_STEP + 1)].push(id);
    this.#waiting++;
  }

  /** One with the smallest key; -1 when there is none. */
  pop(keys: Int32Array): number {
    while (this.#waiting > 0) {
      const bucket = this.#buckets[this.#at % (LONGEST_STEP + 1)];
      if (bucket.length === 0) {
        this.#at++;
        continue;
      }
      const id = bucket.pop()!;
      this.#waiting--;
      if (this.#done[id] === this.#round || keys[id] !== this.#at) continue; // a shorter way was found since
      this.#done[id] = this.#round;
      this.order[this.#count++] = id;
      return id;
    }
    return -1;
  }
}

function listEdgeNeighbours({ triangles, triangleCount, adjacency }: TriangleMesh): EdgeNeighbours {
  const start = new Uint32Array(triangleCount + 1);
  const list: number[] = [];
  for (let t = 0; t < triangleCount; t++) {
    start[t] = list.length;
    for (let k = 0; k < 3; k++) {
      const u = triangles[3 * t + k],
        v = triangles[3 * t + ((k + 1) % 3)];
      if (u === v) continue;
      for (let e = adjacency.start[u]; e < adjacency.start[u + 1]; e++) {
        const other = adjacency.list[e];
        const o = 3 * other;
        if (other !== t && (triangles[o] === v || triangles[o + 1] === v || triangles[o + 2] === v))
          list.push(other);
      }
    }
  }
  start[triangleCount] = list.length;
  return { start, neighbour: Uint32Array.from(list) };
}
