import { symmetricEigen } from '../../algebra/dense/symmetric-eigen.ts';
import type { Body } from '../../body/body.ts';
import type { BlendHandles } from '../../deform/handles.ts';
import { LEAF } from '../../kernels/kernels.ts';
import { type ProgressOptions, runSlices, runSteps, type SliceOptions } from '../../long-work/in-slices.ts';
import { checkObject } from '../../mesh/check-input.ts';
import { areAdjacent } from '../../tree/adjacent-slots.ts';
import { ROOT } from '../../tree/tree.ts';
import { readBlendPoints } from '../blend-points.ts';
import { MinHeap } from './min-heap.ts';
import { createModeShapes, type Metric, type MetricScaling } from './mode-shapes.ts';
import { createSpread, fitSpread, NodeSpread } from './node-spread.ts';
import { PairRadius } from './pair-radius.ts';
import { childrenFirst, halvePair, SMALL } from './radius-parts.ts';
import type { SlotTree, SpreadProblem } from './radius-problem.ts';
import { readSettings } from './subspace-settings.ts';

export interface MetricOptions extends ProgressOptions {
  /** How far poses go: qᵀ M q is about as large in all directions. Default: the unit matrix. See `scaleByPoses`. */
  metric?: Metric;
}

/** Pairs of nodes that count: those that may meet first. */
const MOST_PAIRS = 8192;
/** Larger bodies than this have pairs that are much alike: only some are looked at. */
const ALL_TRIANGLES = 16_384;
const ROUNDS = 40;
/** How little a direction may count in which nothing meets, as a share of the mean. */
const FLOOR = 1e-3;
/** Multipliers, which add up to 1, below this are 0. */
const NOTHING = 1e-9;
const STEPS = 4096;
/** Steps per triangle after which those that were found have to do: any metric is sound. */
const MOST_STEPS = 1024;
// Shares of the work, for progress only.
const SPREAD = 0.3;
const PAIRS = 0.6;

/**
 * How poses are best measured (see `SubspaceCertificateOptions.metric`), when all go about as far as `metric` says: so that
 * as many as possible are within the radius of the body. Directions that bring nothing together then count little. M
 * has the least mean gauge of all matrices whose ball around rest holds no pose in which parts meet, as far as the nearest
 * of such poses tell: min tr M with vₖᵀ M⁻¹ vₖ ≤ 1. The optimum is M = (Σ λₖ vₖ vₖᵀ)^½ with multipliers that grow where the
 * bound is exceeded, as in A-optimal designs of experiments. Proofs do not depend on it: any metric is sound.
 */
export function fitMetric(body: Body, options: MetricOptions = {}): Float64Array {
  checkObject('options', options);
  return runSteps(fitInSteps(body, options), options);
}

/** The same in slices between which other work can run. */
export function fitMetricAsync(
  body: Body,
  options: MetricOptions & SliceOptions = {},
): Promise<Float64Array> {
  checkObject('options', options);
  return runSlices(fitInSteps(body, options), options);
}

/** Yields the share that is done. */
export function* fitInSteps(body: Body, { metric }: MetricOptions): Generator<number, Float64Array> {
  const { scaling, centres } = readSettings(body, metric === undefined ? {} : { metric });
  const points = readBlendPoints(
    body.engine.kernels.memory,
    body.resident,
    body.deformer.handles as BlendHandles,
  );
  const shapes = createModeShapes(points, scaling, centres[0]);
  const { tree } = body;
  const spread = createSpread(tree, shapes);
  const problem: SpreadProblem = { tree, shapes, spread, kind: 'ball' };
  for (const share of fitSpread(problem, childrenFirst(tree, ROOT))) yield SPREAD * share;
  const near = new NearPairs(problem);
  while (!near.advance(STEPS)) yield SPREAD + (PAIRS - SPREAD) * (near.count / MOST_PAIRS);
  const fit = new MetricFit(near.vectors(), shapes.modeCount);
  for (let round = 0; round < ROUNDS; round++) {
    fit.advance();
    yield PAIRS + (1 - PAIRS) * ((round + 1) / ROUNDS);
  }
  return unscaleMetric(fit.matrix, scaling);
}

/**
 * Small nodes that may meet, those first that meet first. Two of their triangles stand for each pair, and v for them: they
 * meet no sooner than v·q = 1, as far as the pose in which they do so tells.
 */
class NearPairs {
  readonly #tree: SlotTree;
  readonly #corners: Uint32Array;
  readonly #modeCount: number;
  readonly #spread: NodeSpread;
  readonly #triangles: PairRadius;
  readonly #heap = new MinHeap();
  readonly #pairs: number[] = []; // two nodes each, or −1 and the place of v
  readonly #solved: Float64Array[] = [];
  readonly #found: Float64Array[] = [];
  readonly #every: number; // pair of small nodes
  #small = 0;
  #stepsLeft: number;
  readonly #leavesA = new Uint32Array(SMALL);
  readonly #leavesB = new Uint32Array(SMALL);

  constructor({ tree, shapes, spread, kind }: SpreadProblem) {
    this.#tree = tree;
    this.#corners = shapes.corners;
    this.#modeCount = shapes.modeCount;
    this.#spread = new NodeSpread(spread, shapes, kind);
    this.#triangles = new PairRadius(shapes, kind);
    this.#every = Math.ceil(tree.slotCount[ROOT] / ALL_TRIANGLES);
    this.#stepsLeft = MOST_STEPS * tree.slotCount[ROOT];
    this.#push(0, ROOT, ROOT);
  }

  get count(): number {
    return this.#found.length;
  }

  /** True when there are enough, or no more, or when it takes too long to find them. */
  advance(steps: number): boolean {
    for (; steps > 0 && !this.#isDone; steps--) {
      this.#stepsLeft--;
      const k = 2 * this.#heap.pop();
      if (this.#pairs[k] < 0) this.#found.push(this.#solved[this.#pairs[k + 1]]);
      else this.#open(this.#pairs[k], this.#pairs[k + 1]);
    }
    return this.#isDone;
  }

  get #isDone(): boolean {
    return this.#heap.count === 0 || this.count >= MOST_PAIRS || this.#stepsLeft <= 0;
  }

  /** One after the other. */
  vectors(): Float64Array {
    const all = new Float64Array(this.#modeCount * this.count);
    this.#found.forEach((v, k) => {
      all.set(v, this.#modeCount * k);
    });
    return all;
  }

  #push(bound: number, a: number, b: number): void {
    this.#heap.push(bound, this.#pairs.length / 2);
    this.#pairs.push(a, b);
  }

  #open(a: number, b: number): void {
    const { link, slotCount } = this.#tree;
    if (slotCount[a] <= SMALL && slotCount[b] <= SMALL) {
      if (this.#small++ % this.#every === 0) this.#pushTriangles(a, b);
      return;
    }
    if (a === b) {
      this.#push(0, link[a], link[a]);
      this.#push(0, link[a] + 1, link[a] + 1);
      this.#push(this.#spread.bound(link[a], link[a] + 1), link[a], link[a] + 1);
      return;
    }
    const half = halvePair(this.#tree, a, b);
    this.#push(this.#spread.bound(half.a, half.b), half.a, half.b);
    this.#push(this.#spread.bound(half.c, half.d), half.c, half.d);
  }

  /** The two triangles of small nodes that may meet first, of those that share no point. */
  #pushTriangles(a: number, b: number): void {
    const { firstSlot } = this.#tree;
    let least = Infinity,
      first = 0,
      second = 0;
    const endA = this.#listLeaves(a, this.#leavesA),
      endB = this.#listLeaves(b, this.#leavesB);
    for (let i = 0; i < endA; i++) {
      for (let j = a === b ? i + 1 : 0; j < endB; j++) {
        const s = this.#leavesA[i],
          t = this.#leavesB[j];
        if (areAdjacent(this.#corners, 0, firstSlot[s], firstSlot[t])) continue;
        const bound = this.#spread.bound(s, t);
        if (!(bound < least)) continue;
        least = bound;
        first = firstSlot[s];
        second = firstSlot[t];
      }
    }
    if (least === Infinity) return;
    const triangles = this.#triangles;
    triangles.load(first, second);
    triangles.solveWhole(Infinity);
    const { upper } = triangles;
    if (!(upper > 0 && upper < Infinity)) return;
    const v = new Float64Array(this.#modeCount);
    triangles.readWitness(v);
    for (let m = 0; m < v.length; m++) v[m] /= upper * upper;
    this.#push(upper, -1, this.#solved.push(v) - 1);
  }

  /** Returns how many there are. */
  #listLeaves(node: number, out: Uint32Array, count = 0): number {
    const child = this.#tree.link[node];
    if (child < LEAF) return this.#listLeaves(child + 1, out, this.#listLeaves(child, out, count));
    out[count] = node;
    return count + 1;
  }
}

class MetricFit {
  matrix: Float64Array;
  readonly #vectors: Float64Array;
  readonly #r: number;
  readonly #weights: Float64Array;

  constructor(vectors: Float64Array, r: number) {
    this.#vectors = vectors;
    this.#r = r;
    this.#weights = new Float64Array(vectors.length / r).fill(r / vectors.length);
    this.matrix = Float64Array.from({ length: r * r }, (_, k) => (k % (r + 1) === 0 ? 1 : 0));
  }

  advance(): void {
    const r = this.#r,
      V = this.#vectors,
      weights = this.#weights;
    if (weights.length === 0) return;
    const { values, vectors } = symmetricEigen(this.#sum(), r);
    const floor = values.reduce((sum, x) => sum + Math.max(0, x), 0) * (FLOOR / r);
    const roots = values.map((x) => Math.sqrt(Math.max(x, floor)));
    this.matrix = combine(vectors, roots, r);
    const inverse = combine(
      vectors,
      roots.map((x) => 1 / x),
      r,
    );
    let total = 0;
    for (let k = 0; k < weights.length; k++) {
      if (weights[k] === 0) continue;
      let excess = 0;
      for (let i = 0; i < r; i++) {
        let sum = 0;
        for (let j = 0; j < r; j++) sum += inverse[i * r + j] * V[k * r + j];
        excess += V[k * r + i] * sum;
      }
      weights[k] *= excess;
      total += weights[k];
    }
    for (let k = 0; k < weights.length; k++) {
      weights[k] /= total;
      if (weights[k] < NOTHING) weights[k] = 0;
    }
  }

  #sum(): Float64Array {
    const r = this.#r,
      V = this.#vectors;
    const sum = new Float64Array(r * r);
    for (let k = 0; k < this.#weights.length; k++) {
      const weight = this.#weights[k];
      if (weight === 0) continue;
      for (let i = 0; i < r; i++) {
        const x = weight * V[k * r + i];
        for (let j = 0; j <= i; j++) sum[i * r + j] += x * V[k * r + j];
      }
    }
    for (let i = 0; i < r; i++) for (let j = 0; j < i; j++) sum[j * r + i] = sum[i * r + j];
    return sum;
  }
}

function combine(vectors: Float64Array, values: Float64Array, r: number): Float64Array {
  const out = new Float64Array(r * r);
  for (let i = 0; i < r; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < r; k++) sum += values[k] * vectors[k * r + i] * vectors[k * r + j];
      out[i * r + j] = out[j * r + i] = sum;
    }
  }
  return out;
}

/** Of q instead of q̂ = Lᵀ q: L M Lᵀ. */
function unscaleMetric(matrix: Float64Array, scaling: MetricScaling): Float64Array {
  const r = scaling.modeCount;
  const columns = Array.from({ length: r }, (_, k) => {
    const column = new Float64Array(r);
    column[k] = 1;
    scaling.scale(column); // Lᵀ eₖ, row k of L
    return column;
  });
  const out = new Float64Array(r * r);
  for (let i = 0; i < r; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < r; k++) {
        for (let l = 0; l < r; l++) sum += columns[i][k] * matrix[k * r + l] * columns[j][l];
      }
      out[i * r + j] = out[j * r + i] = sum;
    }
  }
  return out;
}
