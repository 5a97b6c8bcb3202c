import { isLeaf, type Tree } from '../../tree/tree.ts';
import type { RestShapeDistances } from '../rest-pairs.ts';
import { MinHeap } from '../subspace/min-heap.ts';
import type { NodeFunctions } from './node-functions.ts';
import { TriangleRatio } from './triangle-ratio.ts';
import type { WhitenedFunctions } from './whitened-functions.ts';

/** Pairs whose ratio is below this many times the least are handed on. */
const NEARLY = 1.5;
const UP = 1 + 2 ** -40;

/**
 * The least ratio of rest distance and ψ-distance over all pairs of triangles of a node that share no vertex, best first:
 * two nodes whose boxes are `gap` apart, and whose ψ lie within balls, have at least gap / (distance of the centres + both
 * radii).
 */
export class RatioSearch {
  /** Lower bounds over all pairs, and over those between the two children only. */
  least = 0;
  leastAcross = 0;
  /** Local points whose ratios are among the least; two per pair. */
  readonly critical: number[] = [];
  readonly triangles: TriangleRatio;
  /** Pairs of nodes visited so far. */
  visits = 0;

  readonly #tree: Tree;
  readonly #distances: RestShapeDistances;
  readonly #isIgnored: (s: number, t: number) => boolean;
  readonly #thickness: number;
  #functions!: NodeFunctions;
  #psi!: Float64Array;
  #first = 0; // slot
  // Nodes from the root down, children adjacent.
  readonly #nodes: number[] = [];
  readonly #child: number[] = [];
  #centre = new Float64Array(0); // k per node
  #radius = new Float64Array(0);
  readonly #heap = new MinHeap();
  #queue = new Uint32Array(2 * 1024);
  #queued = 0;
  #best = Infinity;
  #isDraft = false;
  #most = Infinity; // work in all before a search is given up
  readonly #found: { ratio: number; i: number; j: number }[] = [];

  constructor(
    tree: Tree,
    distances: RestShapeDistances,
    thickness: number,
    isIgnored: (s: number, t: number) => boolean,
  ) {
    this.#tree = tree;
    this.#distances = distances;
    this.#thickness = thickness;
    this.#isIgnored = isIgnored;
    this.triangles = new TriangleRatio(thickness);
  }

  /** Pairs of nodes visited, and bounds of pairs of triangles: what the work is counted in. */
  get work(): number {
    return this.visits + this.triangles.evaluations;
  }

  /** Further work after which searches are given up: they then find 0, which proves nothing. */
  allow(work: number): void {
    this.#most = this.work + work;
  }

  /** True when a search was given up. */
  get isSpent(): boolean {
    return this.work > this.#most;
  }

  /** Sets `critical`, from ratios of corners alone. */
  draft(node: number, functions: NodeFunctions, whitened: WhitenedFunctions): void {
    this.#load(node, functions, whitened);
    this.#isDraft = true;
    this.#found.length = 0;
    this.least = this.#search(0, 0, Infinity);
    this.#isDraft = false;
    this.#keepCritical();
  }

  /** Sets `least`, after a draft, which may be that of another metric; and `leastAcross` if it is wanted. */
  find(node: number, functions: NodeFunctions, whitened: WhitenedFunctions, isAcrossWanted: boolean): void {
    this.#load(node, functions, whitened);
    this.least = this.#search(0, 0, this.#leastOfCritical());
    const child = this.#child[0];
    this.leastAcross = isAcrossWanted
      ? Math.max(this.least, this.#search(child, child + 1, Infinity)) // 0 when it is given up
      : this.least;
  }

  #load(node: number, functions: NodeFunctions, { values }: WhitenedFunctions): void {
    this.#functions = functions;
    this.#psi = values;
    this.#first = this.#tree.firstSlot[node];
    this.#listNodes(node);
    this.#fitBalls();
  }

  /** The least ratio is not above this one: what cannot be below need not be looked at. */
  #leastOfCritical(): number {
    const { positions: X, functionCount: k } = this.#functions;
    const psi = this.#psi,
      critical = this.critical;
    let least = Infinity;
    for (let c = 0; c < critical.length; c += 2) {
      const i = critical[c],
        j = critical[c + 1];
      const x = X[3 * i] - X[3 * j],
        y = X[3 * i + 1] - X[3 * j + 1],
        z = X[3 * i + 2] - X[3 * j + 2];
      let squares = 0;
      for (let f = 0, p = k * i, q = k * j; f < k; f++, p++, q++) {
        const d = psi[p] - psi[q];
        squares += d * d;
      }
      const ratio = (x * x + y * y + z * z) / squares;
      if (ratio < least) least = ratio;
    }
    return Math.sqrt(least);
  }

  #listNodes(root: number): void {
    const nodes = this.#nodes,
      child = this.#child;
    nodes.length = child.length = 0;
    nodes.push(root);
    for (let i = 0; i < nodes.length; i++) {
      if (isLeaf(this.#tree, nodes[i])) child.push(-1);
      else {
        const first = this.#tree.link[nodes[i]];
        child.push(nodes.length);
        nodes.push(first, first + 1);
      }
    }
  }

  #fitBalls(): void {
    const { firstSlot, slotCount } = this.#tree;
    const { functionCount: k, corners } = this.#functions;
    const psi = this.#psi,
      count = this.#nodes.length;
    if (this.#centre.length < k * count) this.#centre = new Float64Array(k * count);
    if (this.#radius.length < count) this.#radius = new Float64Array(count);
    const centre = this.#centre.fill(0, 0, k * count);
    for (let u = count - 1; u >= 0; u--) {
      const o = k * u,
        c = this.#child[u];
      const first = 3 * (firstSlot[this.#nodes[u]] - this.#first),
        last = first + 3 * slotCount[this.#nodes[u]];
      if (c >= 0)
        for (let f = 0; f < k; f++) centre[o + f] = (centre[k * c + f] + centre[k * (c + 1) + f]) / 2;
      else {
        for (let i = first; i < last; i++)
          for (let f = 0; f < k; f++) centre[o + f] += psi[k * corners[i] + f] / 3;
      }
      let most = 0;
      for (let i = first; i < last; i++) {
        let squares = 0;
        for (let f = 0, p = k * corners[i]; f < k; f++, p++) {
          const d = psi[p] - centre[o + f];
          squares += d * d;
        }
        most = Math.max(most, squares);
      }
      this.#radius[u] = Math.sqrt(most) * UP;
    }
  }

  /** The least ratio of pairs below u and v, `limit` when it is not below. */
  #search(u: number, v: number, limit: number): number {
    const heap = this.#heap;
    heap.clear();
    this.#queued = 0;
    this.#best = limit;
    this.#push(u === v ? 0 : this.#bound(u, v), u, v);
    while (heap.count > 0) {
      this.visits++;
      if (this.isSpent) return 0;
      const bound = heap.least;
      if (bound >= this.#best) break;
      const entry = heap.pop();
      this.#expand(this.#queue[2 * entry], this.#queue[2 * entry + 1]);
    }
    return this.#best;
  }

  #expand(u: number, v: number): void {
    const child = this.#child;
    if (u === v) {
      const c = child[u];
      if (c < 0) return;
      this.#push(0, c, c);
      this.#push(0, c + 1, c + 1);
      this.#push(this.#bound(c, c + 1), c, c + 1);
      return;
    }
    if (child[u] < 0 && child[v] < 0) {
      this.#look(u, v);
      return;
    }
    const { slotCount } = this.#tree;
    const opensU = slotCount[this.#nodes[u]] >= slotCount[this.#nodes[v]];
    for (let side = 0; side < 2; side++) {
      const m = opensU ? child[u] + side : u,
        n = opensU ? v : child[v] + side;
      this.#push(this.#bound(m, n), m, n);
    }
  }

  #bound(u: number, v: number): number {
    const gap = this.#distances.gap(this.#nodes[u], this.#nodes[v]) - this.#thickness;
    if (!(gap > 0)) return 0;
    const k = this.#functions.functionCount,
      centre = this.#centre;
    let squares = 0;
    for (let f = 0, i = k * u, j = k * v; f < k; f++, i++, j++) {
      const d = centre[i] - centre[j];
      squares += d * d;
    }
    const bound = gap / ((Math.sqrt(squares) + this.#radius[u] + this.#radius[v]) * UP);
    return bound >= 0 ? bound : 0; // not a number bounds nothing
  }

  #look(u: number, v: number): void {
    const { firstSlot } = this.#tree;
    const s = firstSlot[this.#nodes[u]],
      t = firstSlot[this.#nodes[v]];
    if (this.#distances.areAdjacent(s, t) || this.#isIgnored(s, t)) return;
    const { positions, corners, functionCount } = this.#functions;
    const pair = this.triangles;
    pair.load(positions, this.#psi, functionCount, corners, s - this.#first, t - this.#first);
    if (this.#isDraft) pair.compareCorners();
    else pair.find(this.#best);
    if (this.#isDraft && pair.lower < NEARLY * this.#best) {
      const i = corners[3 * (s - this.#first) + pair.cornerA],
        j = corners[3 * (t - this.#first) + pair.cornerB - 3];
      this.#found.push({ ratio: pair.lower, i, j });
    }
    if (pair.lower < this.#best) this.#best = pair.lower;
  }

  #keepCritical(): void {
    this.critical.length = 0;
    const found = this.#found.sort((a, b) => a.ratio - b.ratio || a.i - b.i || a.j - b.j);
    const most = 2 * this.#functions.functionCount;
    for (const { ratio, i, j } of found) {
      if (ratio > NEARLY * this.least || this.critical.length >= 2 * most) break;
      this.critical.push(i, j);
    }
  }

  #push(bound: number, u: number, v: number): void {
    if (!(bound < this.#best)) return;
    if (2 * this.#queued === this.#queue.length) {
      const larger = new Uint32Array(2 * this.#queue.length);
      larger.set(this.#queue);
      this.#queue = larger;
    }
    this.#queue[2 * this.#queued] = u;
    this.#queue[2 * this.#queued + 1] = v;
    this.#heap.push(bound, this.#queued++);
  }
}
