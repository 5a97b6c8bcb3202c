import { LEAF } from '../../kernels/kernels.ts';
import { triangleDistance } from '../../narrow/triangle-distance.ts';
import type { Tree } from '../../tree/tree.ts';
import type { RestShapeDistances } from '../rest-pairs.ts';
import type { GreenDistances } from './green.ts';
import { PairEnergy } from './pair-energy.ts';
import type { Patch } from './patch.ts';
import type { SurfaceWeights } from './surface-weights.ts';

/** What computing the energy of two triangles takes, in visits. */
const EXACT = 16;
/** Part of an energy that may be given away. */
const TOLERANCE = 0.04;
const KEEP = Math.sqrt(1 - TOLERANCE);

/**
 * The least energy at which triangles of a patch that share no vertex can touch: over all pairs below two nodes, with
 * pairs of nodes left out whose bound is good enough. √g is a metric, so that of two nodes with pivots c, c' and radii
 * r, r' no two vertices are further apart than √g(c, c') + r + r'.
 */
export class PatchSearch {
  /** Pairs of nodes and of triangles visited so far, those of triangles whose energy is computed `EXACT` times. */
  visits = 0;
  readonly #tree: Tree;
  readonly #surface: SurfaceWeights;
  readonly #distances: RestShapeDistances;
  readonly #isLeftOut: (s: number, t: number) => boolean;
  readonly #pairs: PairEnergy;
  readonly #pivot: Uint32Array; // per node, a vertex of the patch
  readonly #radius: Float64Array;
  readonly #witnesses = new Float64Array(6);
  readonly #sets = new Uint32Array(6); // vertices of two triangles
  #patch!: Patch;
  #green!: GreenDistances;
  #vertices = new Uint32Array(0); // 3 per slot from #first on
  #firstOf: number[] = []; // ranges of slots: first, count, where their vertices are
  #stack: number[] = [];
  #most = Infinity; // visits in all before the search of a patch is given up
  #floor = 0; // √E that no pair that was left out is below
  #best = 0;

  constructor(
    tree: Tree,
    surface: SurfaceWeights,
    distances: RestShapeDistances,
    isLeftOut: (s: number, t: number) => boolean,
  ) {
    this.#tree = tree;
    this.#surface = surface;
    this.#distances = distances;
    this.#isLeftOut = isLeftOut;
    this.#pairs = new PairEnergy(surface.rest);
    this.#pivot = new Uint32Array(tree.nodeCount);
    this.#radius = new Float64Array(tree.nodeCount);
  }

  /** Further visits after which searches are given up; see `leastRoot`. */
  allow(visits: number): void {
    this.#most = this.visits + visits;
  }

  /** True when searches have been given up, and will be, until more is allowed. */
  get isSpent(): boolean {
    return this.visits > this.#most;
  }

  /** The patch of one or two nodes, whose distances have been computed. */
  load(patch: Patch, green: GreenDistances, ...nodes: number[]): void {
    this.#patch = patch;
    this.#green = green;
    this.#pairs.load(patch.points, green.distance, green.vertexCount);
    const { firstSlot, slotCount } = this.#tree;
    const { corners } = this.#surface;
    this.#firstOf.length = 0;
    let total = 0;
    for (const node of nodes) {
      this.#firstOf.push(firstSlot[node], slotCount[node], total);
      total += 3 * slotCount[node];
    }
    if (this.#vertices.length < total) this.#vertices = new Uint32Array(2 * total);
    let out = 0;
    for (const node of nodes) {
      for (let c = 3 * firstSlot[node]; c < 3 * (firstSlot[node] + slotCount[node]); c++) {
        this.#vertices[out++] = patch.vertexOf(corners[c]);
      }
      this.#measure(node);
    }
  }

  /**
   * Lower bound of the energy between two nodes of the patch, or within one. At most `most`, which is √E as well; 0 when it
   * takes more visits than allowed.
   */
  leastRoot(a: number, b: number, most: number): number {
    this.#floor = Infinity;
    this.#best = Math.min(most, this.#leastOfVertices(a, b));
    const { link, slotCount } = this.#tree;
    const stack = this.#stack;
    stack.length = 0;
    stack.push(a, b);
    while (stack.length > 0) {
      if (++this.visits > this.#most) return 0;
      const m = stack.pop()!,
        n = stack.pop()!;
      if (n === m) {
        if (link[n] >= LEAF) continue;
        const child = link[n];
        stack.push(child, child, child + 1, child + 1, child, child + 1);
        continue;
      }
      if (this.#isFar(n, m)) continue;
      if (link[n] >= LEAF && link[m] >= LEAF) this.#look(n, m);
      else if (slotCount[n] >= slotCount[m]) stack.push(link[n], m, link[n] + 1, m);
      else stack.push(n, link[m], n, link[m] + 1);
    }
    return Math.min(this.#best, this.#floor);
  }

  /**
   * The same for pairs below a node that share vertices and overlap beyond these: then points do whose supports have no
   * vertex in common (CERTIFICATES §3). So an edge meets the triangle around its opposite vertex; where an edge is shared,
   * an apex meets the other triangle, or edges cross that have different ends.
   */
  leastFold(node: number, most: number): number {
    this.#floor = Infinity;
    this.#best = most;
    const { firstSlot, slotCount } = this.#tree;
    const first = firstSlot[node],
      end = first + slotCount[node];
    const around = new Map<number, number[]>(); // places of triangles, by vertex
    for (let o = this.#place(first); o < this.#place(end - 1) + 3; o += 3) {
      for (let c = o; c < o + 3; c++) {
        const v = this.#vertices[c];
        const known = around.get(v) ?? [];
        this.visits += known.length;
        if (this.isSpent) return 0;
        for (const q of known) this.#lookAtFold(v, q, o);
        known.push(o);
        around.set(v, known);
      }
    }
    return Math.min(this.#best, this.#floor);
  }

  /** Of the triangles at o and q, which share v; once for each pair. */
  #lookAtFold(v: number, o: number, q: number): void {
    if (o === q) return;
    const corners = this.#vertices;
    const a = [corners[o], corners[o + 1], corners[o + 2]],
      b = [corners[q], corners[q + 1], corners[q + 2]];
    const shared = a.filter((vertex) => b.includes(vertex));
    if (v !== Math.min(...shared)) return;
    const ownA = a.filter((vertex) => !shared.includes(vertex)),
      ownB = b.filter((vertex) => !shared.includes(vertex));
    if (shared.length === 3) this.#best = 0;
    else if (shared.length === 1) {
      this.#lookAtSets([ownA[0], ownA[1], ownA[1]], b);
      this.#lookAtSets([ownB[0], ownB[1], ownB[1]], a);
    } else {
      const [u, w] = shared;
      this.#lookAtSets([ownA[0], ownA[0], ownA[0]], b);
      this.#lookAtSets([ownB[0], ownB[0], ownB[0]], a);
      this.#lookAtSets([ownA[0], u, u], [ownB[0], w, w]);
      this.#lookAtSets([ownA[0], w, w], [ownB[0], u, u]);
    }
  }

  /** Three vertices of the patch each, some of them twice. */
  #lookAtSets(a: readonly number[], b: readonly number[]): void {
    const sets = this.#sets;
    sets.set(a, 0);
    sets.set(b, 3);
    const bound = this.#pairs.rootLowerBound(sets, 0, sets, 3);
    if (bound >= KEEP * this.#best) {
      if (bound < this.#floor) this.#floor = bound;
      return;
    }
    const { points } = this.#patch;
    const exact = this.#exactRoot(
      sets,
      0,
      3,
      points[a[0]],
      points[a[1]],
      points[a[2]],
      points[b[0]],
      points[b[1]],
      points[b[2]],
    );
    this.#best = Math.min(this.#best, Math.max(bound, exact));
  }

  #isFar(n: number, m: number): boolean {
    const gap = this.#distances.gap(n, m);
    if (gap === 0) return false;
    const { distance, vertexCount } = this.#green;
    const reach = distance[this.#pivot[n] * vertexCount + this.#pivot[m]] + this.#radius[n] + this.#radius[m];
    const bound = (gap / reach) * (1 - 1e-12);
    if (!(bound >= KEEP * this.#best)) return false;
    if (bound < this.#floor) this.#floor = bound;
    return true;
  }

  #look(n: number, m: number): void {
    const s = this.#tree.firstSlot[n],
      t = this.#tree.firstSlot[m];
    if (this.#distances.areAdjacent(s, t) || this.#isLeftOut(s, t)) return;
    const o = this.#place(s),
      q = this.#place(t);
    const bound = this.#pairs.rootLowerBound(this.#vertices, o, this.#vertices, q);
    if (bound >= KEEP * this.#best) {
      if (bound < this.#floor) this.#floor = bound;
      return;
    }
    const { corners } = this.#surface;
    const [i, j] = [3 * s, 3 * t];
    const exact = this.#exactRoot(
      this.#vertices,
      o,
      q,
      corners[i],
      corners[i + 1],
      corners[i + 2],
      corners[j],
      corners[j + 1],
      corners[j + 2],
    );
    this.#best = Math.min(this.#best, Math.max(bound, exact));
  }

  /**
   * Of two triangles by their vertices in the patch, from o and q on, and by their points. With d the distance at rest and
   * e the excess of g: E ≥ E₀ / (1 + e E₀ / d²), since g ≤ d² / E₀ + e.
   */
  #exactRoot(
    vertices: Uint32Array,
    o: number,
    q: number,
    a0: number,
    a1: number,
    a2: number,
    b0: number,
    b1: number,
    b2: number,
  ): number {
    const { rest } = this.#surface;
    const d =
      triangleDistance(rest, 3 * a0, 3 * a1, 3 * a2, rest, 3 * b0, 3 * b1, 3 * b2, this.#witnesses) *
      (1 - 1e-9);
    this.visits += EXACT;
    if (!(d > 0)) return 0;
    const energy = this.#pairs.exact(vertices, o, vertices, q);
    return Math.sqrt(energy / (1 + (this.#green.excess * energy) / (d * d))) * (1 - 1e-7);
  }

  /** An upper bound in general: two vertices that meet. */
  #leastOfVertices(a: number, b: number): number {
    const { distance, vertexCount: n } = this.#green;
    const { points } = this.#patch;
    const { rest } = this.#surface;
    const inA = this.#verticesBelow(a),
      inB = a === b ? inA : this.#verticesBelow(b);
    let least = Infinity;
    for (const i of inA) {
      const u = 3 * points[i];
      for (const j of inB) {
        if (i === j) continue;
        const w = 3 * points[j];
        const square =
          (rest[u] - rest[w]) ** 2 + (rest[u + 1] - rest[w + 1]) ** 2 + (rest[u + 2] - rest[w + 2]) ** 2;
        const ratio = square / distance[i * n + j] ** 2;
        if (ratio < least) least = ratio;
      }
    }
    return Math.sqrt(least);
  }

  #verticesBelow(node: number): Uint32Array {
    const { firstSlot, slotCount } = this.#tree;
    const o = this.#place(firstSlot[node]);
    return Uint32Array.from(new Set(this.#vertices.subarray(o, o + 3 * slotCount[node])));
  }

  /** Where the vertices of a slot begin. */
  #place(slot: number): number {
    const ranges = this.#firstOf;
    for (let r = 0; r < ranges.length; r += 3) {
      if (slot >= ranges[r] && slot < ranges[r] + ranges[r + 1])
        return ranges[r + 2] + 3 * (slot - ranges[r]);
    }
    throw new RangeError(`slot ${slot} is not in the patch`);
  }

  /** Pivots, near the middle of the rest box, and radii of a node and all below. */
  #measure(node: number): void {
    const { link, firstSlot, slotCount } = this.#tree;
    const { boxes } = this.#distances;
    const { rest } = this.#surface;
    const { points } = this.#patch;
    const { distance, vertexCount } = this.#green;
    const stack = [node];
    while (stack.length > 0) {
      const n = stack.pop()!;
      const o = this.#place(firstSlot[n]),
        end = o + 3 * slotCount[n];
      const b = 6 * n;
      const x = (boxes[b] + boxes[b + 3]) / 2,
        y = (boxes[b + 1] + boxes[b + 4]) / 2,
        z = (boxes[b + 2] + boxes[b + 5]) / 2;
      let pivot = this.#vertices[o],
        least = Infinity;
      for (let c = o; c < end; c++) {
        const p = 3 * points[this.#vertices[c]];
        const square = (rest[p] - x) ** 2 + (rest[p + 1] - y) ** 2 + (rest[p + 2] - z) ** 2;
        if (square < least) {
          least = square;
          pivot = this.#vertices[c];
        }
      }
      let radius = 0;
      for (let c = o; c < end; c++)
        radius = Math.max(radius, distance[pivot * vertexCount + this.#vertices[c]]);
      this.#pivot[n] = pivot;
      this.#radius[n] = radius;
      if (link[n] < LEAF) stack.push(link[n], link[n] + 1);
    }
  }
}
