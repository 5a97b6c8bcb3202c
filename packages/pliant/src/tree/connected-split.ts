import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import type { SplitInput, SplitRule } from './build-tree.ts';
import { heapLeft, splitAtMedian } from './median-split.ts';
import { largestOf, type Piece, PieceFinder } from './pieces.ts';
import { SeamMender } from './seam-mender.ts';

/** Smaller nodes are divided at the median: nobody asks whether they are in one piece. */
const SMALL = 24;
/** Neither side of a cut has less than this share of the triangles, where the mesh allows it. */
const LEAST_SHARE = 1 / 4;
/** When more than this share hangs off a straight cut, the surface folds back, and that is a bad one. */
const MOST_LOOSE = 1 / 16;

/**
 * Divides every node into two connected, compact patches, wherever the mesh allows it: as the plain tree does, at the median
 * of the longest side, with the seam mended; or, where the surface folds back, by the difference of the distances to two
 * triangles that are far from each other, along the mesh.
 *
 * Let d(a, t) be the number of steps from a to t through shared edges and p the triangle before t on the way: then
 * d(b, p) ≥ d(b, t) − 1, so that d(a, p) − d(b, p) ≤ d(a, t) − d(b, t). With triangles sorted by this difference,
 * then by d(a, ·), p comes before t: every beginning of the list is connected. Every end is, too, but for ties.
 */
export function createConnectedSplit(mesh: TriangleMesh): SplitRule {
  const splitter = new ConnectedSplitter(mesh);
  return (input, first, count) =>
    count < SMALL ? splitAtMedian(input, first, count) : splitter.split(input, first, count);
}

class ConnectedSplitter {
  readonly #finder: PieceFinder;
  readonly #mender: SeamMender;
  readonly #member: Uint32Array; // per triangle: the stamp of the node it is in
  readonly #seen: Uint32Array;
  readonly #fromA: Int32Array;
  readonly #fromB: Int32Array;
  readonly #sorted: Uint32Array;
  readonly #queue: Uint32Array;
  #stamp = 0;

  constructor(mesh: TriangleMesh) {
    const { triangleCount } = mesh;
    this.#finder = new PieceFinder(mesh);
    this.#mender = new SeamMender(mesh, this.#finder);
    this.#member = new Uint32Array(triangleCount);
    this.#seen = new Uint32Array(triangleCount);
    this.#fromA = new Int32Array(triangleCount);
    this.#fromB = new Int32Array(triangleCount);
    this.#sorted = new Uint32Array(triangleCount);
    this.#queue = new Uint32Array(triangleCount);
  }

  split(input: SplitInput, first: number, count: number): number {
    const { order } = input;
    const stamp = ++this.#stamp;
    for (let s = first; s < first + count; s++) this.#member[order[s]] = stamp;
    const pieces = this.#finder.find(order, first, count, this.#member, stamp);
    if (pieces.length > 1) return this.#divide(input, first, count, pieces);
    const wanted = splitAtMedian(input, first, count);
    return (
      this.#mender.divide(input, first, count, wanted, MOST_LOOSE) || this.#cut(input, first, count, wanted)
    );
  }

  /** One piece that a straight cut would leave in many. */
  #cut(input: SplitInput, first: number, count: number, wanted: number): number {
    const { order } = input;
    const a = this.#measure(order[first], this.#fromB);
    const b = this.#measure(a, this.#fromA);
    const byA = this.#sorted;
    byA.set(this.#queue.subarray(0, count)); // by distance to a
    this.#measure(b, this.#fromB);
    this.#sortByDifference(byA, order, first, count);
    return this.#mender.divide(input, first, count, wanted, Infinity);
  }

  /** Several pieces: whole ones to either side, by place, near the middle; or the one that is most of it apart. */
  #divide(input: SplitInput, first: number, count: number, pieces: readonly Piece[]): number {
    const { order } = input;
    const { list: found } = this.#finder;
    const largest = largestOf(pieces);
    const isLarge = largest.count > (1 - LEAST_SHARE) * count;
    const list = isLarge
      ? [largest, ...pieces.filter((piece) => piece !== largest)]
      : sortByPlace(input.centroids, found, pieces);
    const wanted = isLarge ? largest.count : heapLeft(count);
    let out = first,
      left = 0;
    for (const { from, count: size } of list) {
      order.set(found.subarray(from, from + size), out);
      out += size;
      const here = out - first;
      if (here < count && Math.abs(here - wanted) < Math.abs(left - wanted)) left = here;
    }
    return left === 0 ? list[0].count : left;
  }

  /** Distances from a triangle to all of its node, in steps across edges; the farthest one. */
  #measure(from: number, distance: Int32Array): number {
    const queue = this.#queue,
      stamp = ++this.#stamp,
      member = this.#member,
      node = member[from];
    let end = 0;
    const reach = (t: number, steps: number) => {
      if (member[t] !== node || this.#seen[t] === stamp) return;
      this.#seen[t] = stamp;
      distance[t] = steps;
      queue[end++] = t;
    };
    const { start, neighbour } = this.#finder.neighbours;
    reach(from, 0);
    for (let k = 0; k < end; k++) {
      const t = queue[k];
      for (let e = start[t]; e < start[t + 1]; e++) reach(neighbour[e], distance[t] + 1);
    }
    return queue[end - 1];
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
