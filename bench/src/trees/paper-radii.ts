import type { ModeShapes } from '../../../packages/pliant/src/cull/subspace/pair-radius.ts';
import type { KMeansTree } from './k-means-tree.ts';
import { PaperPair } from './paper-pair.ts';

/** Up to which ‖q‖ nothing under a node touches, as SSCC finds it. */
export interface PaperRadii {
  readonly lower: Float64Array; // per node
  readonly upper: Float64Array; // some pose of this size does touch; Infinity when none was found
  /** Of pairs of triangles and their parts. */
  readonly evaluations: number;
  /** Pairs of triangles that were not followed to the end. */
  readonly cappedPairs: number;
}

export interface PaperRadiiOptions {
  /** ε, on squares. Default: 0.1, as in the paper. */
  epsilon?: number;
  /** R_global, as a norm: more is of no interest. Default: everything is. */
  reach?: number;
  /** Evaluations for one pair of triangles, after which the best bound so far has to do. Default: 1000. */
  most?: number;
}

/**
 * The certificates of SSCC by the paper's own precomputation (§5.2) on its 4-ary tree: a reference to compare with, for
 * benches only. `slots`: the slot of each triangle in `shapes`.
 *
 * Corrected: the box estimate is gap / ‖c‖₂ instead of the best single mode, children are computed on their own and not
 * with their parents' R_min, and lower and upper bounds go separate ways up the tree. In the paper's favour, nodes are
 * visited in the order of their estimates.
 */
export function findPaperRadii(
  shapes: ModeShapes,
  tree: KMeansTree,
  slots: ArrayLike<number>,
  options: PaperRadiiOptions = {},
): PaperRadii {
  return new RadiusSearch(shapes, tree, slots, options).run();
}

interface Candidate {
  readonly a: number;
  readonly b: number;
  readonly estimate: number;
}

const DOWN = 1 - 1e-9;

class RadiusSearch {
  readonly #shapes: ModeShapes;
  readonly #tree: KMeansTree;
  readonly #slotOfLeaf: Uint32Array; // by k-means slot
  readonly #firstSlot: Uint32Array; // per node, of k-means slots
  readonly #slotCount: Uint32Array;
  readonly #box: Float64Array; // per node: low and high, axis by axis
  readonly #centre: Float64Array; // per node and axis: mean of the mode rows
  readonly #growth: Float64Array; // how far any row is from it, per mode: the box of the BD-tree
  readonly #pair: PaperPair;
  readonly #epsilon: number;
  readonly #global: number; // a square, as all of these are
  #lower = 0;
  #upper = Infinity;

  constructor(
    shapes: ModeShapes,
    tree: KMeansTree,
    slots: ArrayLike<number>,
    { epsilon = 0.1, reach = Infinity, most = 1000 }: PaperRadiiOptions,
  ) {
    this.#shapes = shapes;
    this.#tree = tree;
    this.#pair = new PaperPair(shapes, most);
    this.#epsilon = epsilon;
    this.#global = reach * reach;
    this.#slotOfLeaf = tree.order.map((triangle) => slots[triangle]);
    this.#firstSlot = new Uint32Array(tree.nodeCount);
    this.#slotCount = new Uint32Array(tree.nodeCount);
    this.#box = new Float64Array(6 * tree.nodeCount);
    this.#centre = new Float64Array(3 * shapes.modeCount * tree.nodeCount);
    this.#growth = new Float64Array(3 * shapes.modeCount * tree.nodeCount);
    for (let node = tree.nodeCount - 1; node >= 0; node--) this.#fit(node);
  }

  run(): PaperRadii {
    const { nodeCount, firstChild, childCount } = this.#tree;
    const lower = new Float64Array(nodeCount).fill(this.#global),
      upper = new Float64Array(nodeCount).fill(Infinity);
    for (let node = nodeCount - 1; node >= 0; node--) {
      if (childCount[node] === 0) continue;
      const first = firstChild[node],
        end = first + childCount[node];
      this.#lower = this.#global;
      this.#upper = Infinity;
      const candidates: Candidate[] = [];
      for (let a = first; a < end; a++) {
        this.#lower = Math.min(this.#lower, lower[a]);
        this.#upper = Math.min(this.#upper, upper[a]);
        for (let b = a + 1; b < end; b++) candidates.push({ a, b, estimate: this.#estimate(a, b) });
      }
      this.#visit(candidates);
      lower[node] = this.#lower;
      upper[node] = this.#upper;
    }
    return {
      lower: lower.map((square) => Math.sqrt(square) * (1 - 1e-6)),
      upper: upper.map(Math.sqrt),
      evaluations: this.#pair.evaluations,
      cappedPairs: this.#pair.capped,
    };
  }

  /** The box of the mode rows around their mean, and of the positions. */
  #fit(node: number): void {
    const { firstChild, childCount } = this.#tree;
    const first = firstChild[node],
      children = childCount[node];
    this.#firstSlot[node] = children === 0 ? first : this.#firstSlot[first];
    this.#slotCount[node] = children === 0 ? 1 : 0;
    for (let c = first; c < first + children; c++) this.#slotCount[node] += this.#slotCount[c];

    const { corners, rest, rows, modeCount } = this.#shapes;
    const length = 3 * modeCount,
      o = length * node;
    for (let k = 0; k < 3; k++) {
      this.#box[6 * node + k] = Infinity;
      this.#box[6 * node + 3 + k] = -Infinity;
    }
    const forEachPoint = (use: (point: number) => void) => {
      for (let s = 0; s < this.#slotCount[node]; s++) {
        const slot = this.#slotOfLeaf[this.#firstSlot[node] + s];
        for (let k = 0; k < 3; k++) use(corners[3 * slot + k]);
      }
    };
    const share = 1 / (3 * this.#slotCount[node]);
    forEachPoint((p) => {
      for (let k = 0; k < 3; k++) {
        this.#box[6 * node + k] = Math.min(this.#box[6 * node + k], rest[3 * p + k]);
        this.#box[6 * node + 3 + k] = Math.max(this.#box[6 * node + 3 + k], rest[3 * p + k]);
      }
      for (let k = 0; k < length; k++) this.#centre[o + k] += share * rows[length * p + k];
    });
    forEachPoint((p) => {
      for (let k = 0; k < length; k++) {
        const distance = Math.abs(rows[length * p + k] - this.#centre[o + k]);
        if (distance > this.#growth[o + k]) this.#growth[o + k] = distance;
      }
    });
  }

  /** R̃ of two boxes: on each axis they close a gap g at ‖q‖ = g / ‖c‖₂ at the earliest, c = |Δm| + a₁ + a₂. */
  #estimate(a: number, b: number): number {
    if (this.#slotCount[a] + this.#slotCount[b] === 2)
      return this.#pair.estimate(this.#slotOf(a), this.#slotOf(b));
    const r = this.#shapes.modeCount;
    let most = 0;
    for (let k = 0; k < 3; k++) {
      const gap = Math.max(
        this.#box[6 * a + k] - this.#box[6 * b + 3 + k],
        this.#box[6 * b + k] - this.#box[6 * a + 3 + k],
      );
      if (!(gap > 0)) continue;
      let squares = 0;
      for (let m = 0, i = 3 * r * a + k * r, j = 3 * r * b + k * r; m < r; m++, i++, j++) {
        const c = Math.abs(this.#centre[i] - this.#centre[j]) + this.#growth[i] + this.#growth[j];
        squares += c * c;
      }
      most = Math.max(most, (DOWN * gap * gap) / squares);
    }
    return most;
  }

  #slotOf(leaf: number): number {
    return this.#slotOfLeaf[this.#tree.firstChild[leaf]];
  }

  #visit(candidates: Candidate[]): void {
    candidates.sort((p, q) => p.estimate - q.estimate);
    for (const { a, b, estimate } of candidates) {
      if (estimate >= this.#lower) return; // nor do those after it matter
      if (this.#slotCount[a] + this.#slotCount[b] === 2) this.#look(a, b, estimate);
      else this.#visit(this.#divide(a, b, estimate));
    }
  }

  /** The children of the larger node with the other one. */
  #divide(a: number, b: number, atLeast: number): Candidate[] {
    const { firstChild, childCount } = this.#tree;
    const [large, small] = this.#slotCount[a] >= this.#slotCount[b] ? [a, b] : [b, a];
    return Array.from({ length: childCount[large] }, (_, k) => {
      const child = firstChild[large] + k;
      return { a: child, b: small, estimate: Math.max(atLeast, this.#estimate(child, small)) };
    });
  }

  #look(a: number, b: number, estimate: number): void {
    const { corners } = this.#shapes;
    const s = this.#slotOf(a),
      t = this.#slotOf(b);
    for (let i = 3 * s; i < 3 * s + 3; i++) {
      for (let j = 3 * t; j < 3 * t + 3; j++) if (corners[i] === corners[j]) return; // neighbours
    }
    const pair = this.#pair;
    pair.search(s, t, this.#lower, this.#epsilon);
    this.#lower = Math.min(this.#lower, Math.max(pair.lower, Math.min(estimate, pair.upper)));
    this.#upper = Math.min(this.#upper, pair.upper);
  }
}
