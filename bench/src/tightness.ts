import type { HandledDeformer } from '../../packages/pliant/src/deform/point-source.ts';
import type { Body, BoundsName, Pose } from '../../packages/pliant/src/index.ts';
import { SMALL_NODE } from '../../packages/pliant/src/refit/aabb-free.ts';
import type { Bounds } from '../../packages/pliant/src/refit/bounds.ts';
import { createHandleBounds } from '../../packages/pliant/src/refit/choose-bounds.ts';
import { BallFinder } from '../../packages/pliant/src/refit/enclosing-ball.ts';
import { HandleBoxes } from '../../packages/pliant/src/refit/handle-boxes.ts';
import { SphereBounds } from '../../packages/pliant/src/refit/sphere-bounds.ts';

/** How much larger volumes are than the best of their kind around the same vertices: radii, a box's is half its diagonal. */
export class Tightness {
  nodes = 0;
  sum = 0;
  largest = 0;
  roots = 0;
  rootSum = 0;
  largestRoot = 0;
  readonly #levelSum: number[] = [];
  readonly #levelNodes: number[] = [];

  add(level: number, ratio: number): void {
    this.nodes++;
    this.sum += ratio;
    this.largest = Math.max(this.largest, ratio);
    this.#levelSum[level] = (this.#levelSum[level] ?? 0) + ratio;
    this.#levelNodes[level] = (this.#levelNodes[level] ?? 0) + 1;
    if (level > 0) return;
    this.roots++;
    this.rootSum += ratio;
    this.largestRoot = Math.max(this.largestRoot, ratio);
  }

  get mean(): number {
    return this.sum / this.nodes;
  }

  get root(): number {
    return this.rootSum / this.roots;
  }

  /** The mean of every level, from the root down. */
  get levels(): number[] {
    return this.#levelSum.map((sum, level) => sum / this.#levelNodes[level]);
  }
}

/**
 * Of every node that has a volume of its own: smaller ones are bounded by their vertices, best possible, and would
 * flatter the mean.
 */
export function measureTightness(
  body: Body,
  name: BoundsName,
  poses: readonly Pose[],
  tightness = new Tightness(),
): Tightness {
  const { resident, tree, engine } = body;
  const deformer = body.deformer as HandledDeformer;
  const bounds =
    name === 'boxes' || name === 'two-largest' // following the front would take unions of children
      ? new HandleBoxes(engine.kernels, resident, deformer, undefined, {
          variant: name === 'boxes' ? 'best' : name,
          followsFront: false,
        })
      : createHandleBounds(engine.kernels, resident, deformer, undefined, name);
  const best = bounds instanceof SphereBounds ? new BestBalls(body) : new BestBoxes(body);
  for (const pose of poses) {
    body.setPose(pose);
    deformer.ensureAll(0);
    bounds.begin(false);
    let level = 0;
    for (let node = 0; node < bounds.boundedNodes; node++) {
      while (node >= tree.levelStart[level + 1]) level++;
      if (tree.slotCount[node] < SMALL_NODE) continue;
      bounds.ensure(node);
      const radius = best.find(node);
      if (radius > 0) tightness.add(level, radiusOf(bounds, node) / radius);
    }
  }
  bounds.free();
  return tightness;
}

function radiusOf(bounds: Bounds, node: number): number {
  if (bounds instanceof SphereBounds) return bounds.ball[4 * node + 3];
  const { box, stride } = bounds;
  const o = stride * node;
  return Math.hypot(box[o + 3] - box[o], box[o + 4] - box[o + 1], box[o + 5] - box[o + 2]) / 2;
}

class BestBoxes {
  readonly #body: Body;

  constructor(body: Body) {
    this.#body = body;
  }

  find(node: number): number {
    const { deformer, resident, tree, engine } = this.#body;
    const points = deformer.address(0) >>> 3;
    const { f64, u32 } = engine.kernels.memory;
    const first = (resident.corners >>> 2) + 3 * tree.firstSlot[node];
    let square = 0;
    for (let k = 0; k < 3; k++) {
      let lo = Infinity,
        hi = -Infinity;
      for (let c = first; c < first + 3 * tree.slotCount[node]; c++) {
        const x = f64[points + 3 * u32[c] + k];
        if (x < lo) lo = x;
        if (x > hi) hi = x;
      }
      square += (hi - lo) * (hi - lo);
    }
    return Math.sqrt(square) / 2;
  }
}

class BestBalls {
  readonly #body: Body;
  readonly #finder = new BallFinder();
  readonly #points: Uint32Array;
  readonly #stamps: Uint32Array;
  #stamp = 0;

  constructor(body: Body) {
    this.#body = body;
    this.#points = new Uint32Array(body.resident.pointCount);
    this.#stamps = new Uint32Array(body.resident.pointCount);
  }

  find(node: number): number {
    const { deformer, resident, tree, engine } = this.#body;
    const { f64, u32 } = engine.kernels.memory;
    const first = (resident.corners >>> 2) + 3 * tree.firstSlot[node];
    let count = 0;
    this.#stamp++;
    for (let c = first; c < first + 3 * tree.slotCount[node]; c++) {
      if (this.#stamps[u32[c]] === this.#stamp) continue;
      this.#stamps[u32[c]] = this.#stamp;
      this.#points[count++] = u32[c];
    }
    this.#finder.find(f64, deformer.address(0) >>> 3, this.#points, count);
    return this.#finder.ball[3];
  }
}
