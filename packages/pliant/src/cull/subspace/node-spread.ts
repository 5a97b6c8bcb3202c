import { ceil32 } from '../../algebra/rounding.ts';
import { LEAF } from '../../kernels/kernels.ts';
import { createFloats32, createFloats64 } from '../../long-work/shared-arrays.ts';
import { type GaugeKind, supportNorm } from './gauge.ts';
import { LEAST_GAP, type ModeShapes, THICKNESS } from './pair-radius.ts';
import type { SlotTree, SpreadProblem } from './radius-problem.ts';

/**
 * Where the points under each node are and how differently modes move them, axis by axis: a box at rest, and the modes
 * of all points within `radius` of `centre`. Plain arrays: they are computed once and sent to all threads.
 */
export interface SpreadData {
  readonly boxes: Float64Array; // 6 per node: lo, hi
  readonly centre: Float32Array; // 3 × modeCount per node
  readonly radius: Float32Array; // 3 per node
}

/** Numbers to look at between two steps. */
const STEP = 1 << 18;

/** Nothing is known yet. */
export function createSpread({ nodeCount }: SlotTree, { modeCount }: ModeShapes): SpreadData {
  return {
    boxes: createFloats64(6 * nodeCount),
    centre: createFloats32(3 * modeCount * nodeCount),
    radius: createFloats32(3 * nodeCount),
  };
}

/** Of the given nodes, which stand after those under them. In steps that yield the share that is done. */
export function* fitSpread(
  { tree, shapes, kind, spread }: SpreadProblem,
  nodes: Uint32Array,
): Generator<number, void> {
  const fitter = new SpreadFitter(tree, shapes, kind, spread);
  let work = 0;
  for (let k = 0; k < nodes.length; k++) {
    work += fitter.fit(nodes[k]);
    if (work < STEP) continue;
    work = 0;
    yield k / nodes.length;
  }
}

class SpreadFitter {
  readonly #data: SpreadData;
  readonly #tree: SlotTree;
  readonly #shapes: ModeShapes;
  readonly #kind: GaugeKind;
  readonly #points: Uint32Array; // under the node in question, each once
  readonly #lastNode: Uint32Array; // that met the point

  constructor(tree: SlotTree, shapes: ModeShapes, kind: GaugeKind, data: SpreadData) {
    this.#tree = tree;
    this.#shapes = shapes;
    this.#kind = kind;
    this.#points = new Uint32Array(shapes.pointCount);
    this.#lastNode = new Uint32Array(shapes.pointCount).fill(tree.nodeCount);
    this.#data = data;
  }

  /** Returns how many numbers it looked at. */
  fit(node: number): number {
    const count = this.#listPoints(node);
    this.#fitBox(node, count);
    this.#fitCentre(node);
    this.#fitRadius(node, count);
    return 3 * this.#shapes.modeCount * count;
  }

  #listPoints(node: number): number {
    const { firstSlot, slotCount } = this.#tree;
    const { corners } = this.#shapes;
    const points = this.#points,
      lastNode = this.#lastNode;
    const first = 3 * firstSlot[node],
      last = first + 3 * slotCount[node];
    let count = 0;
    for (let c = first; c < last; c++) {
      const point = corners[c];
      if (lastNode[point] === node) continue;
      lastNode[point] = node;
      points[count++] = point;
    }
    return count;
  }

  #fitBox(node: number, count: number): void {
    const { rest } = this.#shapes;
    const { boxes } = this.#data;
    const o = 6 * node;
    boxes.fill(Infinity, o, o + 3).fill(-Infinity, o + 3, o + 6);
    for (let k = 0; k < count; k++) {
      const p = 3 * this.#points[k];
      for (let axis = 0; axis < 3; axis++) {
        if (rest[p + axis] < boxes[o + axis]) boxes[o + axis] = rest[p + axis];
        if (rest[p + axis] > boxes[o + 3 + axis]) boxes[o + 3 + axis] = rest[p + axis];
      }
    }
  }

  /** Any place will do: that of a triangle is the mean, else it is where a ball around those of both children has it. */
  #fitCentre(node: number): void {
    const { rows, corners, modeCount: r } = this.#shapes;
    const { link, firstSlot } = this.#tree;
    const { centre, radius } = this.#data;
    let o = 3 * r * node;
    if (link[node] >= LEAF) {
      const slot = 3 * firstSlot[node];
      let i = 3 * r * corners[slot],
        j = 3 * r * corners[slot + 1],
        k = 3 * r * corners[slot + 2];
      for (const end = o + 3 * r; o < end; o++, i++, j++, k++) centre[o] = (rows[i] + rows[j] + rows[k]) / 3;
      return;
    }
    let i = 3 * r * link[node],
      j = i + 3 * r;
    for (let axis = 0; axis < 3; axis++) {
      const between = this.#between(i, j);
      const more = radius[3 * link[node] + 3 + axis] - radius[3 * link[node] + axis];
      const second = between > 0 ? Math.min(1, Math.max(0, (between + more) / (2 * between))) : 0.5;
      for (let m = 0; m < r; m++, o++, i++, j++) centre[o] = centre[i] + second * (centre[j] - centre[i]);
    }
  }

  /** Of the centres at i and j, on one axis. */
  #between(i: number, j: number): number {
    const { centre } = this.#data;
    let squares = 0,
      sizes = 0;
    for (let m = 0; m < this.#shapes.modeCount; m++) {
      const d = centre[j + m] - centre[i + m];
      squares += d * d;
      sizes += Math.abs(d);
    }
    return supportNorm(this.#kind, squares, sizes);
  }

  #fitRadius(node: number, count: number): void {
    const { rows, modeCount } = this.#shapes;
    const { centre, radius } = this.#data;
    const isBox = this.#kind === 'box',
      r = modeCount,
      o = 3 * r * node;
    let x = 0,
      y = 0,
      z = 0;
    for (let i = 0; i < count; i++) {
      const from = 3 * r * this.#points[i];
      let a = 0,
        b = 0,
        c = 0;
      for (let m = 0; m < r; m++) {
        const u = rows[from + m] - centre[o + m],
          v = rows[from + r + m] - centre[o + r + m],
          w = rows[from + 2 * r + m] - centre[o + 2 * r + m];
        a += isBox ? Math.abs(u) : u * u;
        b += isBox ? Math.abs(v) : v * v;
        c += isBox ? Math.abs(w) : w * w;
      }
      x = Math.max(x, a);
      y = Math.max(y, b);
      z = Math.max(z, c);
    }
    const norm = (most: number) => ceil32(supportNorm(this.#kind, most, most) * UP);
    radius[3 * node] = norm(x);
    radius[3 * node + 1] = norm(y);
    radius[3 * node + 2] = norm(z);
  }
}

const UP = 1 + 1e-12;
/** Gaps are rounded by far less than this share of the thickness, which is taken off them. */
const THICKER = 1.001;

/** From the spreads of two nodes follows below which gauge they cannot meet. */
export class NodeSpread {
  readonly #kind: GaugeKind;
  readonly #modeCount: number;
  readonly #boxes: Float64Array;
  readonly #centre: Float32Array;
  readonly #radius: Float32Array;
  readonly #leastGap: number;
  readonly #thickness: number;
  readonly #gramError: number;
  // Of two nodes: D Dᵀ of the difference of their centres, the gap on each axis, and radii together.
  readonly #gram = new Float64Array(6); // xx xy xz yy yz zz
  readonly #gap = new Float64Array(3);
  readonly #both = new Float64Array(3);
  readonly #n = new Float64Array(3);

  constructor({ boxes, centre, radius }: SpreadData, shapes: ModeShapes, kind: GaugeKind) {
    this.#kind = kind;
    this.#modeCount = shapes.modeCount;
    this.#boxes = boxes;
    this.#centre = centre;
    this.#radius = radius;
    this.#leastGap = LEAST_GAP * shapes.largest;
    this.#thickness = THICKER * THICKNESS * shapes.largest;
    // Of nᵀ(D Dᵀ)n relative to ‖n‖² tr D Dᵀ: sums of r products, and three terms of each sign.
    this.#gramError = 4 * (shapes.modeCount + 16) * 2 ** -53;
  }

  /** No pose of a smaller gauge lets triangles under the two nodes meet. */
  bound(a: number, b: number): number {
    if (!this.#setGaps(a, b)) return 0;
    const gap = this.#gap,
      R = this.#radius,
      both = this.#both;
    for (let axis = 0; axis < 3; axis++) both[axis] = R[3 * a + axis] + R[3 * b + axis];
    if (this.#kind !== 'ball') return this.#boundOnAxes(a, b);
    this.#setGram(a, b);
    const G = this.#gram,
      h = this.#thickness;
    const x = Math.abs(gap[0]),
      y = Math.abs(gap[1]),
      z = Math.abs(gap[2]);
    let best = 0;
    if (x > 0) best = (x - h) / ((Math.sqrt(G[0]) + both[0]) * UP);
    if (y > 0) best = Math.max(best, (y - h) / ((Math.sqrt(G[3]) + both[1]) * UP));
    if (z > 0) best = Math.max(best, (z - h) / ((Math.sqrt(G[5]) + both[2]) * UP));
    // (D Dᵀ + ρ²)⁻¹ times the way between the boxes: where modes move little, a gap is worth more.
    this.#n.set(gap);
    this.#turn(this.#n, both[0] * both[0], both[1] * both[1], both[2] * both[2]);
    return Math.max(best, this.#boundAlong(a, b));
  }

  /** A direction in which two nodes that are this far apart, `way`, come together late; in place. */
  direct(a: number, b: number, way: Float64Array): void {
    if (this.#kind !== 'ball') return;
    this.#setGram(a, b);
    const more = 1e-12 * (this.#gram[0] + this.#gram[3] + this.#gram[5]);
    this.#turn(way, more, more, more);
  }

  /** False when the boxes overlap. */
  #setGaps(a: number, b: number): boolean {
    const boxes = this.#boxes,
      gap = this.#gap;
    let isApart = false;
    for (let axis = 0; axis < 3; axis++) {
      const above = boxes[6 * a + axis] - boxes[6 * b + 3 + axis],
        below = boxes[6 * b + axis] - boxes[6 * a + 3 + axis];
      gap[axis] = above > this.#leastGap ? above : below > this.#leastGap ? -below : 0;
      if (gap[axis] !== 0) isApart = true;
    }
    return isApart;
  }

  #setGram(a: number, b: number): void {
    const r = this.#modeCount,
      c = this.#centre,
      G = this.#gram;
    let xx = 0,
      xy = 0,
      xz = 0,
      yy = 0,
      yz = 0,
      zz = 0;
    for (let m = 0, i = 3 * a * r, j = 3 * b * r; m < r; m++, i++, j++) {
      const x = c[i] - c[j],
        y = c[i + r] - c[j + r],
        z = c[i + 2 * r] - c[j + 2 * r];
      xx += x * x;
      xy += x * y;
      xz += x * z;
      yy += y * y;
      yz += y * z;
      zz += z * z;
    }
    G[0] = xx;
    G[1] = xy;
    G[2] = xz;
    G[3] = yy;
    G[4] = yz;
    G[5] = zz;
  }

  /**
   * v becomes a multiple of (D Dᵀ + diag(p, q, s))⁻¹ v, with 1 as its largest entry: squares of it must not vanish. 0
   * where there is none. Sloppy: any direction will do.
   */
  #turn(v: Float64Array, p: number, q: number, s: number): void {
    const G = this.#gram;
    const xx = G[0] + p,
      xy = G[1],
      xz = G[2],
      yy = G[3] + q,
      yz = G[4],
      zz = G[5] + s;
    const x = v[0],
      y = v[1],
      z = v[2];
    const a = xz * yz - xy * zz,
      b = xy * yz - xz * yy,
      c = xy * xz - xx * yz;
    v[0] = (yy * zz - yz * yz) * x + a * y + b * z;
    v[1] = a * x + (xx * zz - xz * xz) * y + c * z;
    v[2] = b * x + c * y + (xx * yy - xy * xy) * z;
    const most = Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2]));
    if (!(most > 0 && most < Infinity)) v.fill(0);
    else for (let axis = 0; axis < 3; axis++) v[axis] /= most;
  }

  /** Along #n. From the Gram matrix, but with its rounding added: never too small (CERTIFICATES §8.1). */
  #boundAlong(a: number, b: number): number {
    const B = this.#boxes,
      G = this.#gram,
      both = this.#both;
    const x = this.#n[0],
      y = this.#n[1],
      z = this.#n[2];
    const p = 6 * a,
      q = 6 * b;
    const gap =
      x * (x > 0 ? B[p] - B[q + 3] : B[p + 3] - B[q]) +
      y * (y > 0 ? B[p + 1] - B[q + 4] : B[p + 4] - B[q + 1]) +
      z * (z > 0 ? B[p + 2] - B[q + 5] : B[p + 5] - B[q + 2]);
    const squared = x * x + y * y + z * z,
      size = Math.sqrt(squared);
    if (!(size > 0 && gap > this.#leastGap * size)) return 0;
    const support =
      x * x * G[0] +
      y * y * G[3] +
      z * z * G[5] +
      2 * (x * y * G[1] + x * z * G[2] + y * z * G[4]) +
      this.#gramError * (G[0] + G[3] + G[5]) * squared;
    const closing =
      Math.sqrt(support) + Math.abs(x) * both[0] + Math.abs(y) * both[1] + Math.abs(z) * both[2];
    const ratio = (gap - this.#thickness * size) / (closing * UP);
    return ratio > 0 ? ratio : 0; // not a number is 0, too
  }

  #boundOnAxes(a: number, b: number): number {
    let best = 0;
    for (let axis = 0; axis < 3; axis++) {
      const gap = this.#gap[axis];
      if (gap === 0) continue;
      const closing = this.#supportOnAxis(a, b, axis, gap > 0 ? 1 : -1) + this.#both[axis];
      const ratio = (Math.abs(gap) - this.#thickness) / (closing * UP);
      if (ratio > best) best = ratio;
    }
    return best;
  }

  /** Support against direction `sign` · axis of the difference of the centres. */
  #supportOnAxis(a: number, b: number, axis: number, sign: number): number {
    const r = this.#modeCount,
      centre = this.#centre;
    const i = (3 * a + axis) * r,
      j = (3 * b + axis) * r;
    let sum = 0;
    for (let m = 0; m < r; m++) {
      const d = sign * (centre[j + m] - centre[i + m]);
      if (d > 0) sum += this.#kind === 'box' ? d : d * d;
    }
    return this.#kind === 'box' ? sum : Math.sqrt(sum);
  }
}
